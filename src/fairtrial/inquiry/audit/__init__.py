"""Which orders, repetitions and doubled runs show what tests depend on."""
