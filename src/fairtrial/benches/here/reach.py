"""Which levels of isolation a ground amounts to, and why not more."""

from __future__ import annotations

from fairtrial.benches.here.ground import Ground
from fairtrial.domain.settings import Network
from fairtrial.domain.trials import Levels

_DOCKER = "the suite starts containers itself (`docker: true`), so it is not walled in"


def without_walls() -> Ground:
    """The ground of a suite that has to reach the machine's Docker engine."""
    levels = ("files", "user", "network", "memory", "processes")
    return Ground(reasons=dict.fromkeys(levels, _DOCKER))


def levels(ground: Ground, network: Network) -> Levels:
    """The levels as they are reported; nothing is claimed that was not tried."""
    reasons = dict(ground.reasons)
    walled = "network" in ground.walls
    match network:
        case Network.OPEN:
            walled = False
            reasons["network"] = "the configuration says `network: open`"
        case Network.NONE:
            pass
    docker = _DOCKER in ground.reasons.values()
    if ground.uid is None and not ground.walls and not docker:
        said = reasons.get("files", "no walls")
        reasons["files"] = f"{said}; the trial is the gate's own user, who can reach it"
    if "mount" in ground.walls and not ground.rest_read_only:
        reasons.setdefault(
            "files", "what is outside of the workspace can't be made read-only here"
        )
    if ground.uid is None:
        said = reasons.get("user", "trials run as the gate's own user")
        reasons["results"] = said
    return Levels(
        files="overlay" if ground.overlay else "copy",
        user="same" if ground.uid is None else "dropped",
        network="none" if walled else "open",
        memory="unlimited" if docker else "limited",
        processes="killed",
        results="separate process" if ground.uid is None else "separate user",
        why_not=reasons,
    )
