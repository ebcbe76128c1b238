"""A message broker was not there, or did not answer in its client's time."""

from __future__ import annotations

import re
from typing import Final

from fairtrial.domain.results import Failure

#: Exceptions by which clients say so, whatever their package.
_NAMES: Final = frozenset(
    {
        "AMQPConnectionError",
        "BrokerConnectionError",
        "BrokerNotAvailableError",
        "KafkaConnectionError",
        "KafkaTimeoutError",
        "NoBrokersAvailable",
        "NoServersError",
    }
)
#: Packages whose other exceptions count where their name speaks of time.
_CLIENTS: Final = re.compile(
    r"(^|[._])(kafka|aiokafka|pika|amqp|kombu|nats|stomp|paho|mqtt)[._]", re.IGNORECASE
)
_TIMEOUT: Final = re.compile(r"time_?d?_?out", re.IGNORECASE)


def recognise(failure: Failure) -> bool:
    """Whether a client of a broker gave up on it."""
    name = failure.type.rpartition(".")[2]
    if name in _NAMES:
        return True
    return bool(_CLIENTS.search(failure.type) and _TIMEOUT.search(name))
