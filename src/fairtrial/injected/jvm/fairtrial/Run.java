package fairtrial;

/** What runs or lists tests with one of JUnit's machines. */
interface Run {
    /** Whether everything that ran held. */
    boolean go();
}
