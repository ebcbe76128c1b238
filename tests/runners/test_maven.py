"""Which suites Maven's runner sees, and what real Mavens and JUnits do with a trial."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

import pytest
from tests.runners.played import Played, has, outcomes

from fairtrial.domain.demands import Place
from fairtrial.domain.experiments import Shape, Trust, Unit
from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.results import Outcome
from fairtrial.domain.trials import Ending, Places, TrialOutput
from fairtrial.runners import Selection, TriedTree, maven
from fairtrial.runners.jvm import handed
from fairtrial.runners.jvm.names import place_of, widen
from fairtrial.runners.reports.watched import token_of

TEST = "src/test/java/shop/CartTest.java"
PLACES = Places(
    workspace=PurePosixPath("/w"),
    inputs=PurePosixPath("/i"),
    outputs=PurePosixPath("/o"),
)


class Tree(TriedTree):
    """Nothing but paths."""

    def __init__(self, *paths: str) -> None:
        self.paths = [RepoPath(path) for path in paths]

    def __getitem__(self, path: RepoPath) -> str:
        if path not in self.paths:
            raise KeyError(path)
        return ""

    def text(self, path: RepoPath) -> str:
        return ""

    def __iter__(self) -> Iterator[RepoPath]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ({"pom.xml": "", TEST: ""}, [("maven", "", "mvn test")]),
        (
            {
                "pom.xml": "",
                "a/pom.xml": "<x>maven-failsafe-plugin</x>",
                f"a/{TEST}": "",
            },
            [("maven", "", "mvn verify")],
        ),
        (
            {"back end/pom.xml": "", f"back end/{TEST}": ""},
            [("maven-back-end", "back end", "mvn test")],
        ),
        ({"pom.xml": "", "src/main/java/A.java": ""}, []),
        ({TEST: ""}, []),
    ],
)
def test_the_outermost_pom_with_tests_is_a_suite(
    texts: Mapping[str, str], expected: list[tuple[str, str, str]]
) -> None:
    found = maven.detect([*map(RepoPath, texts)], lambda path: texts[path])

    assert expected == [(one.name, one.folder, one.command) for one in found]


@pytest.mark.parametrize(
    ("test", "names"),
    [
        (f"{TEST}::CartTest::total", ("CartTest", "total")),
        (f"{TEST}::CartTest::In::par(int)[2]", ("CartTest", "In", "par")),
        (f"{TEST}::CartTest::made[1][3]", ("CartTest", "made")),
        (f"{TEST}::CartTest::adds (two)()", ("CartTest", "adds (two)")),
        (f"{TEST}::CartTest::old[0: a(b)=c]", ("CartTest", "old")),
        ("a.feature::Shop::Buys [now][1][2]", ("Shop", "Buys [now]")),
    ],
)
def test_rows_and_types_are_no_part_of_a_place(
    test: str, names: tuple[str, ...]
) -> None:
    assert Place(path=RepoPath(test.partition("::")[0]), names=names) == place_of(
        TestId(test)
    )


def test_a_class_holds_its_nested_ones() -> None:
    listed = tuple(
        TestId(f"{TEST}::{name}") for name in ("A::x", "A::In::y", "B::x", "A::z[1]")
    )

    assert (listed[0], listed[1], listed[3]) == widen(listed[1], Unit.CLASS, listed)


def _read(events: list[dict[str, object]], tests: tuple[TestId, ...], code: int = 0):  # type: ignore[no-untyped-def]  # noqa: ANN202
    token = token_of(Shape.LISTED.value, tests, PLACES)
    lines = [{"event": "start", "token": token, "epoch": 1.0}, *events]
    data = "".join(json.dumps(line) + "\n" for line in lines).encode()
    output = TrialOutput(
        ending=Ending.EXITED, code=code, files={"report-a.1.2.jsonl": data}
    )
    selection = Selection(shape=Shape.LISTED, tests=tests, test_timeout=9.0)
    return maven.read_results(selection, output, Tree(TEST), PLACES)


def test_a_report_that_ends_before_its_time_proves_nothing() -> None:
    one = TestId(f"{TEST}::CartTest::total")
    told = {"event": "end", "id": one, "outcome": "passed", "phase": "call"}
    begun = {"event": "begin", "id": one, "at": 2.0}

    whole = _read(
        [
            {"event": "listed", "ids": [one]},
            begun,
            {**told, "seconds": 0.1},
            {"event": "done"},
        ],
        (one,),
    )
    cut = _read(
        [{"event": "listed", "ids": [one]}, begun, {**told, "seconds": 0.1}], (one,)
    )

    assert Trust.SOUND is whole.trust
    assert Trust.CONTRADICTORY is cut.trust


def test_a_report_of_more_than_was_asked_for_proves_nothing() -> None:
    one, other = TestId(f"{TEST}::CartTest::a"), TestId(f"{TEST}::CartTest::b")
    events: list[dict[str, object]] = [
        {"event": "end", "id": each, "outcome": "passed", "phase": "call", "seconds": 0}
        for each in (one, other)
    ]

    result = _read([*events, {"event": "done"}], (one,))

    assert Trust.CONTRADICTORY is result.trust


def test_no_report_is_no_result() -> None:
    one = TestId(f"{TEST}::CartTest::a")
    selection = Selection(shape=Shape.LISTED, tests=(one,), test_timeout=9.0)
    output = TrialOutput(ending=Ending.EXITED, code=0, stdout=b"Tests run: 1, OK")

    result = maven.read_results(selection, output, Tree(TEST), PLACES)

    assert Trust.ERRORED is result.trust
    assert {} == result.results


def test_all_that_the_bench_needs_is_handed_over() -> None:
    found = {path.rpartition("/")[2] for path in handed.sources()}

    assert {
        "Main.java",
        "PlatformListener.java",
        "Junit4Listener.java",
        "Participant.java",
        "components.xml",
        "FairtrialProbeTest.java",
        "fairtrial_forks.py",
        "fairtrial_maven.sh",
    } <= found


POM = """
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>shop</groupId><artifactId>shop</artifactId><version>1</version>
  <properties>
    <maven.compiler.source>17</maven.compiler.source>
    <maven.compiler.target>17</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies><dependency>{}<scope>test</scope></dependency></dependencies>
  <build><plugins><plugin>
    <groupId>org.apache.maven.plugins</groupId>
    <artifactId>maven-surefire-plugin</artifactId><version>{}</version>
    <configuration>
      <rerunFailingTestsCount>2</rerunFailingTestsCount>
      <systemPropertyVariables><shop.name>tea time</shop.name></systemPropertyVariables>
    </configuration>
  </plugin></plugins></build>
</project>
"""
JUPITER = (
    "<groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId>"
    "<version>{}</version>"
)
CART = """
package shop;
public class Cart {
  public static int total(int... prices) {
    int total = 0;
    for (int each : prices) total += each;
    return total;
  }
}
"""
FIVE = """
package shop;
import static org.junit.jupiter.api.Assertions.*;
import java.util.stream.Stream;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
class CartTest {
  @Test void total() { assertEquals(3, Cart.total(1, 2)); }
  @Test void totalOfOne() { assertEquals("tea time", System.getProperty("shop.name")); }
  @Test void wrong() { assertEquals(4, Cart.total(1, 2), "sum"); }
  @Disabled("later") @Test void off() { }
  @Test void perhaps() { Assumptions.assumeTrue(false, "not here"); }
  @ParameterizedTest(name = "[x] {0}") @ValueSource(ints = {1, 2, 3})
  void row(int n) { assertTrue(Cart.total(n) < 3); }
  @TestFactory Stream<DynamicTest> made() {
    return Stream.of("a", "b")
        .map(s -> DynamicTest.dynamicTest("same", () -> assertEquals("a", s)));
  }
  @Nested class In { @Test void inner() { } @Test void two() { } }
  @Nested class Broken {
    @BeforeEach void before() { throw new IllegalStateException("none"); }
    @Test void never() { }
  }
}
"""
FOUR = """
package shop;
import static org.junit.Assert.*;
import org.junit.*;
public class OldTest {
  @Test public void total() { assertEquals(3, Cart.total(1, 2)); }
  @Test public void wrong() { assertEquals("a", "b"); }
  @Ignore @Test public void off() { }
}
"""
NAME = f"{TEST}::CartTest::"


def project(
    folder: Path, dependency: str, surefire: str, files: Mapping[str, str]
) -> Played:
    """A project of this JUnit, with all that it needs fetched and built."""
    play = Played(folder=folder, runner=maven, command="mvn test")
    play.write(
        {
            "pom.xml": POM.format(dependency, surefire).strip(),
            "src/main/java/shop/Cart.java": CART,
            **files,
        }
    )
    for path, content in handed.sources().items():
        target = play.workspace / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.data)
    play.build()
    return play


needs_maven = pytest.mark.skipif(
    not (has("mvn") and has("javac")), reason="Maven and a JDK are not on this machine"
)


@pytest.fixture(
    scope="module",
    params=[("5.11.4", "3.5.2"), ("6.0.3", "3.5.4")],
    ids=["platform-1", "platform-6"],
)
def jupiter(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Played:
    junit, surefire = request.param
    folder = tmp_path_factory.mktemp("jupiter")
    return project(folder, JUPITER.format(junit), surefire, {TEST: FIVE})


@needs_maven
@pytest.mark.slow
@pytest.mark.timeout(600)
class TestJupiter:
    """JUnit 5 on the Platform 1.x, and JUnit 6 on its own."""

    def test_the_list_has_every_row_and_runs_none(self, jupiter: Played) -> None:
        found = jupiter.inventory()

        assert Trust.SOUND is found.trust, found.distrust
        assert {
            f"{NAME}{name}"
            for name in (
                *("total", "totalOfOne", "wrong", "off", "perhaps"),
                *("row(int)[1]", "row(int)[2]", "row(int)[3]", "made[1]", "made[2]"),
                *("In::inner", "In::two", "Broken::never"),
            )
        } == set(found.listed)

    def test_the_suite_runs_once_and_tells_each_outcome(self, jupiter: Played) -> None:
        result = jupiter.whole()
        found = outcomes(result)

        assert Trust.SOUND is result.trust, result.distrust
        assert Outcome.PASSED is found[f"{NAME}total"]
        assert Outcome.PASSED is found[f"{NAME}totalOfOne"]
        assert Outcome.FAILED is found[f"{NAME}wrong"]
        assert Outcome.SKIPPED is found[f"{NAME}off"]
        assert Outcome.SKIPPED is found[f"{NAME}perhaps"]
        assert Outcome.FAILED is found[f"{NAME}Broken::never"]
        assert [Outcome.PASSED, Outcome.PASSED, Outcome.FAILED] == [
            found[f"{NAME}row(int)[{number}]"] for number in (1, 2, 3)
        ]
        failure = result.results[TestId(f"{NAME}wrong")].failure
        assert failure is not None
        assert ("4", "3") == (failure.expected, failure.actual)
        assert failure.where is not None
        assert failure.where.startswith(f"{TEST}:")
        assert set(jupiter.inventory().listed) == set(result.listed)

    def test_exactly_the_asked_tests_run_in_the_asked_order(
        self, jupiter: Played
    ) -> None:
        asked = tuple(
            TestId(f"{NAME}{name}")
            for name in ("In::two", "made[2]", "total", "row(int)[3]", "row(int)[1]")
        )

        result = jupiter.listed(*asked)

        assert Trust.SOUND is result.trust, result.distrust
        assert asked == tuple(result.results)
        assert [asked] == list(result.orders.values())
        assert [True, False, True, False, True] == [
            one.outcome is Outcome.PASSED for one in result.results.values()
        ]

    def test_what_is_not_there_never_passes(self, jupiter: Played) -> None:
        asked = (f"{NAME}nope", f"{NAME}row(int)[9]", f"{NAME}tota")

        result = jupiter.listed(*asked)

        assert {Outcome.MISSING} == set(outcomes(result).values())

    def test_a_mixed_tree_is_compiled_though_its_file_is_old(
        self, jupiter: Played
    ) -> None:
        path = jupiter.workspace / TEST
        jupiter.write({TEST: FIVE.replace("assertEquals(3", "assertEquals(5")})
        os.utime(path, (1_000_000_000, 1_000_000_000))
        try:
            result = jupiter.listed(f"{NAME}total", stale=True)
        finally:
            jupiter.write({TEST: FIVE})
            jupiter.listed(f"{NAME}total", stale=True)

        assert [Outcome.FAILED] == list(outcomes(result).values())

    def test_a_broken_production_is_told_by_its_compiler(self, jupiter: Played) -> None:
        jupiter.write(
            {"src/main/java/shop/Cart.java": "package shop; class Cart { int x = y; }"}
        )
        try:
            result = jupiter.listed(f"{NAME}total", stale=True)
        finally:
            jupiter.write({"src/main/java/shop/Cart.java": CART})
            jupiter.listed(f"{NAME}total", stale=True)

        assert {Outcome.UNBUILDABLE} == set(outcomes(result).values())
        assert "src/main/java/shop/Cart.java:1" in next(
            iter(result.uncollectable.values())
        )


@needs_maven
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_junit_4_is_run_and_told_by_its_own_core(tmp_path: Path) -> None:
    four = (
        "<groupId>junit</groupId><artifactId>junit</artifactId>"
        "<version>4.13.2</version>"
    )
    old = "src/test/java/shop/OldTest.java"
    play = project(tmp_path, four, "3.5.2", {old: FOUR})
    name = f"{old}::OldTest::"

    whole = play.whole()
    alone = play.listed(f"{name}wrong", f"{name}total")
    absent = play.listed(f"{name}tot")

    expected = {
        f"{name}total": Outcome.PASSED,
        f"{name}wrong": Outcome.FAILED,
        f"{name}off": Outcome.SKIPPED,
    }
    assert Trust.SOUND is whole.trust, whole.distrust
    assert expected == outcomes(whole)
    assert [f"{name}wrong", f"{name}total"] == list(outcomes(alone))
    assert Trust.SOUND is alone.trust, alone.distrust
    failure = alone.results[TestId(f"{name}wrong")].failure
    assert failure is not None
    assert ("a", "b") == (failure.expected, failure.actual)
    assert [Outcome.MISSING] == list(outcomes(absent).values())
    assert set(expected) == set(play.inventory().listed)
