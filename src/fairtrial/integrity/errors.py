"""What stops a source from being read."""

from __future__ import annotations


class CannotRead(ValueError):  # noqa: N818 - said as people say it
    """A file that its language can't read; the text says where and why."""
