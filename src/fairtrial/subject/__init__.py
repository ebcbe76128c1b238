"""What is judged, against what, and by which settings."""

from __future__ import annotations

from fairtrial.subject.event import Event, EventKind
from fairtrial.subject.subject import Subject, read_subject
from fairtrial.subject.workspace import open_repository

__all__ = ["Event", "EventKind", "Subject", "open_repository", "read_subject"]
