"""One isolated trial of a JVM test beside the JVM's own start and the whole class.

Usage: python bench/jvm.py [PAIRS]. A small Maven project is built as its runner builds
it; then the two are started in turns: the runner's command for one test, watch and all,
and a plain `java` with JUnit's Launcher on that class. The medians and their ratio are
printed; it has to stay below 2.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from fairtrial.domain.experiments import Shape
from fairtrial.domain.names import TestId
from fairtrial.runners import Selection, maven
from tests.runners.test_maven import FIVE, JUPITER, NAME, TEST, project

PLAIN = """
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.*;
public class Plain {
  public static void main(String[] names) {
    LauncherFactory.create().execute(LauncherDiscoveryRequestBuilder.request()
        .selectors(DiscoverySelectors.selectClass(names[0])).build());
    System.exit(0);
  }
}
"""


def main(pairs: int) -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        play = project(folder, JUPITER.format("5.11.4"), "3.5.2", {TEST: FIVE})
        forks = Path(play.places().kept) / "fairtrial/forks"
        (table,) = forks.glob("*/fork.tsv")
        lines = [line.partition("\t") for line in table.read_text().splitlines()]
        path = ":".join(value for key, _, value in lines if key == "classpath")
        (folder / "Plain.java").write_text(PLAIN)
        subprocess.run(
            ["javac", "-cp", path, "-d", name, f"{name}/Plain.java"], check=True
        )
        plain = ["java", "-ea", "-cp", f"{path}:{name}", "Plain", "shop.CartTest"]
        taken: dict[str, list[float]] = {"plain": [], "trial": []}
        for _ in range(pairs):
            begun = time.monotonic()
            subprocess.run(plain, check=True, capture_output=True)
            taken["plain"].append(time.monotonic() - begun)
            play.trials += 1
            places = play.places()
            asked = Selection(
                shape=Shape.LISTED, tests=(TestId(f"{NAME}total"),), test_timeout=60.0
            )
            command = maven.run_command("mvn test", asked, places)
            begun = time.monotonic()
            output = play.play(command, places)
            taken["trial"].append(time.monotonic() - begun)
            assert output.code == 0, output
        plainly, trial = (statistics.median(taken[key]) for key in ("plain", "trial"))
        ratio = statistics.median(
            one / other
            for one, other in zip(taken["trial"], taken["plain"], strict=True)
        )
        print(
            f"plain JVM and class {plainly:.2f} s, trial {trial:.2f} s,"
            f" ratio {ratio:.2f}"
        )
        return 0 if ratio <= 2 else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 9))
