"""What the coroutines of an event loop await while its thread is in the loop.

The thread's own stack shows the loop and never who awaits what. Runs on Python 3.7 and
newer, with the standard library only.
"""

from __future__ import annotations

import sys
from types import AsyncGeneratorType, CoroutineType, GeneratorType

#: Names of (frame, what it awaits) by kind of coroutine.
PARTS = {
    CoroutineType: ("cr_frame", "cr_await"),
    GeneratorType: ("gi_frame", "gi_yieldfrom"),
    AsyncGeneratorType: ("ag_frame", "ag_await"),
}
MOST_TASKS, DEEPEST = 50, 60


def tasks_of(stack):
    """Stacks of the tasks of the loop that a thread's stack is in, deepest first."""
    loop = None
    for code, _, _, frame in stack:
        path = code.co_filename.replace("\\", "/")
        if code.co_name == "run_forever" and path.endswith("asyncio/base_events.py"):
            loop = frame.f_locals.get("self")
        elif code.co_name == "run" and path.endswith("asyncio/runners.py"):
            # Loops of other makes show no frames of their own.
            loop = getattr(frame.f_locals.get("self"), "_loop", None) or loop
    module = sys.modules.get("asyncio.tasks")
    if loop is None or module is None:
        return []
    try:
        tasks = list(module.all_tasks(loop))[:MOST_TASKS]
    except RuntimeError:  # it changed while it was read
        return []
    found = []
    for task in tasks:
        coroutine = getattr(task, "_coro", None)
        if coroutine is None and hasattr(task, "get_coro"):
            coroutine = task.get_coro()
        awaited = chain(coroutine)
        if awaited:
            found.append(awaited)
    return sorted(found, key=lambda each: (-len(each), str(each[-1][:2])))


def chain(coroutine):
    """(code, line, instruction, frame), outermost first, as a thread's stack has it."""
    stack = []
    while type(coroutine) in PARTS and len(stack) < DEEPEST:
        its_frame, its_await = PARTS[type(coroutine)]
        frame = getattr(coroutine, its_frame)
        if frame is not None:
            stack.append((frame.f_code, frame.f_lineno, frame.f_lasti, frame))
        coroutine = getattr(coroutine, its_await)
    return stack
