"""What an engine's refusal, or its silence, is called here."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus

import requests
import urllib3
from docker.errors import APIError, DockerException, ImageNotFound, NotFound

from fairtrial.domain.errors import ServiceError


class Conflict(ServiceError):  # noqa: N818 - said as people say it
    """The thing is in a state that doesn't allow what was asked; never a verdict."""


class Gone(ServiceError):  # noqa: N818 - said as people say it
    """The engine knows no such thing; never a verdict."""


def is_silence(error: BaseException | None) -> bool:
    """Whether no answer came in time, and not that the engine went away."""
    if isinstance(error, requests.exceptions.ConnectionError) and error.args:
        return isinstance(error.args[0], urllib3.exceptions.ReadTimeoutError)
    return isinstance(error, requests.exceptions.ReadTimeout)


@contextmanager
def asking(what: str) -> Iterator[None]:
    """Turns what the library raises into our own errors."""
    try:
        yield
    except (NotFound, ImageNotFound) as error:
        raise Gone(f"the Docker engine could not {what}: {_say(error)}") from error
    except APIError as error:
        kind = Conflict if error.status_code == HTTPStatus.CONFLICT else ServiceError
        raise kind(f"the Docker engine could not {what}: {_say(error)}") from error
    except (
        DockerException,
        requests.RequestException,
        urllib3.exceptions.HTTPError,
        OSError,
    ) as error:
        raise ServiceError(f"the Docker engine could not {what}: {error}") from error


def _say(error: APIError) -> str:
    return str(error.explanation or error)
