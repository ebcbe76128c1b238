"""Jest and Vitest themselves, through the commands of our runners.

Versions are the newest of each major when this was written; npm has them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest
from tests.runners.javascript_tools import Files, Project, installed, outcomes

from fairtrial.domain.experiments import Shape, Trust
from fairtrial.domain.names import RepoPath, TestId
from fairtrial.domain.results import Failure, Phase
from fairtrial.domain.trials import Places
from fairtrial.runners import RUNNERS, Order, Selection, SuiteResult

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

HOSTS = ("jest@29.7.0", "jest@30.5.2", "vitest@2.1.9", "vitest@3.2.7", "vitest@4.1.12")
COMMANDS: Mapping[str, str] = {"jest": "npx jest", "vitest": "npx vitest run"}
WORDS = "afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test"


@pytest.fixture(
    scope="session",
    params=HOSTS,
    ids=lambda each: each.partition(".")[0].replace("@", "-"),
)
def host(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Path]:
    name: str = request.param
    folder = tmp_path_factory.mktemp(name.partition(".")[0].replace("@", "-"))
    runner, _, version = name.partition("@")
    more = (f"@vitest/coverage-v8@{version}",) if runner == "vitest" else ()
    return runner, installed(folder, name, *more)


@pytest.fixture
def project(host: tuple[str, Path], tmp_path: Path) -> Project:
    runner, modules = host
    made = Project(
        runner=RUNNERS[runner],
        command=COMMANDS[runner],
        folder=tmp_path / "project",
        modules=modules,
    )
    made.write({"package.json": '{"name": "x"}'})
    return made


def is_jest(project: Project) -> bool:
    return project.command == COMMANDS["jest"]


def source(project: Project, text: str, *, production: str = "") -> str:
    """A file of tests in the host's own words."""
    begin = "" if is_jest(project) else f'import {{ {WORDS} }} from "vitest";\n'
    if production and is_jest(project):
        begin += f'const production = require("{production}");\n'
    elif production:
        begin += f'import * as production from "{production}";\n'
    return f"{begin}{text}"


def module(project: Project, name: str, function: str) -> str:
    """A module of production in the host's own words."""
    last = f"module.exports = {{ {name} }};" if is_jest(project) else ""
    return f"{'' if last else 'export '}function {name}{function}\n{last}\n"


def failure(result: SuiteResult, test: str) -> Failure:
    found = result.results[TestId(test)].failure
    assert found is not None
    return found


def test_a_whole_run_tells_each_outcome(project: Project) -> None:
    project.write(
        {
            "src/boom.js": module(project, "boom", '() { throw new TypeError("b"); }'),
            "a.test.js": source(
                project,
                """
describe("block", () => {
  test("passes", () => {});
  test("compares", () => { expect({ a: 1 }).toEqual({ a: 2 }); });
  test("raises", () => { production.boom(); });
});
test("throws a text", () => { throw "text"; });
test.skip("skips", () => {});
test.todo("some day");
describe("before all", () => {
  beforeAll(() => { throw new Error("first"); });
  test("kept out", () => {});
});
describe("before each", () => {
  beforeEach(() => { throw new Error("each"); });
  test("kept out", () => {});
});
describe("after all", () => {
  afterAll(() => { throw new Error("last"); });
  test("early", () => {});
  test("late", () => {});
});
test.each([[1, 2], [2, 4]])("doubles %i", (a, b) => { expect(2 * a).toBe(b); });
describe.each([7])("block of %i", () => { it("works", () => {}); });
for (const n of [1, 2]) test(`halves ${n} (${n / 2})`, () => {});
""",
                production="./src/boom",
            ),
        }
    )

    result = project.whole()
    listed = project.inventory()

    expected = {
        "block > passes": "passed",
        "block > compares": "failed",
        "block > raises": "failed",
        "throws a text": "failed",
        "skips": "skipped",
        "some day": "skipped",
        "before all > kept out": "failed",
        "before each > kept out": "failed",
        "after all > early": "passed",
        "after all > late": "failed",
        "doubles %i [doubles 1]": "passed",
        "doubles %i [doubles 2]": "passed",
        "block of %i [block of 7] > works": "passed",
        "halves ${n} (${n / 2}) [halves 1 (0.5)]": "passed",
        "halves ${n} (${n / 2}) [halves 2 (1)]": "passed",
    }
    assert (Trust.SOUND, "") == (result.trust, result.distrust)
    assert {f"a.test.js::{k}": v for k, v in expected.items()} == outcomes(result)
    assert (Trust.SOUND, "") == (listed.trust, listed.distrust)
    assert {*outcomes(result)} == {*listed.listed} == {*result.listed}
    compared = failure(result, "a.test.js::block > compares")
    assert compared.expected is not None
    assert "2" in compared.expected
    assert compared.where is not None
    assert compared.where.startswith("a.test.js:")
    raised = failure(result, "a.test.js::block > raises")
    assert raised.type == "TypeError"
    assert raised.signature.production_frame is not None
    assert raised.signature.production_frame.startswith("src/boom.js::boom#")
    assert failure(result, "a.test.js::before all > kept out").phase is Phase.SETUP
    assert failure(result, "a.test.js::after all > late").phase is Phase.TEARDOWN
    assert {"a.test.js", "src/boom.js"} <= {file.path for file in result.loaded}


HOSTILE = r"""
describe("a (b|c)* [x] $1 ^.\\d+", () => {
  test("same", () => {});
  test("same as", () => { throw new Error("not asked for"); });
});
test("a > b", () => {});
describe("a", () => { test("b", () => { throw new Error("not asked for"); }); });
test("equal", () => { throw new Error("not asked for"); });
test("equal", () => {});
test("`a` \"b\" 'c' %s \n naïve 日本 😀", () => {});
test.each([["x"], ["y"]])("row [%s]", (x) => { if (x === "x") throw new Error(x); });
"""


def test_hostile_names_are_chosen_exactly_and_run_in_the_order_asked_for(
    project: Project,
) -> None:
    project.write(
        {
            "a.test.js": source(project, HOSTILE),
            "b.test.js": source(
                project, 'test("one", () => {}); test("two", () => {});'
            ),
            "c.test.js": source(project, 'throw new Error("not asked for");'),
        }
    )
    asked = [
        "b.test.js::two",
        "b.test.js::one",
        "a.test.js::row \\[%s] [row \\[y]]",
        "a.test.js::`a` \"b\" 'c' %s \\u000a naïve 日本 😀",
        "a.test.js::equal#2",
        "a.test.js::a \\> b",
        "a.test.js::a (b|c)* \\[x] $1 ^.\\\\d+ > same",
    ]

    result = project.listed(*asked)

    assert (Trust.SOUND, "") == (result.trust, result.distrust)
    assert dict.fromkeys(asked, "passed") == outcomes(result)
    ran = [test for order in result.orders.values() for test in order]
    assert set(asked) == set(ran)


def test_an_order_that_a_file_can_not_have_proves_nothing(project: Project) -> None:
    text = source(project, 'test("one", () => {}); test("two", () => {});')
    project.write({"a.test.js": text, "b.test.js": text})

    result = project.listed("a.test.js::one", "b.test.js::one", "a.test.js::two")

    assert result.trust is Trust.ERRORED


def test_what_is_not_there_is_absent_and_never_a_pass(project: Project) -> None:
    project.write({"a.test.js": source(project, 'test("one", () => {});')})

    result = project.listed("a.test.js::on", "a.test.js::one ", "gone.test.js::one")

    assert {"missing"} == {*outcomes(result).values()}
    assert result.trust is Trust.SOUND


def test_a_suite_that_finds_no_file_of_tests_is_not_sound(project: Project) -> None:
    project.write({"a.test.js": source(project, 'test("one", () => {});')})
    project.command += " no-such-file --passWithNoTests"

    result = project.whole()

    assert result.trust is not Trust.SOUND
    assert {} == outcomes(result)


def test_a_test_that_kills_its_process_hides_no_other(project: Project) -> None:
    kill = 'process.kill(process.pid, "SIGKILL")'
    project.write(
        {
            "a.test.js": source(
                project, 'test("one", () => {}); // a longer file\n' * 9
            ),
            "b.test.js": source(
                project,
                f"""
test("before", () => {{}});
test("killer", () => {{ {kill}; }});
test("behind", () => {{}});
""",
            ),
            "c.test.js": source(project, 'test("last", () => {});'),
        }
    )

    result = project.whole(order=Order(first=(TestId("b.test.js::before"),)))

    assert result.interrupted_at == "b.test.js::killer"
    seen = outcomes(result)
    assert (seen["b.test.js::before"], seen["b.test.js::killer"]) == (
        "passed",
        "crashed",
    )
    assert "b.test.js::behind" in result.unreached
    assert {"c.test.js::last", "b.test.js::behind"} <= {*result.unreached, *seen}
    assert (Trust.SOUND, "") == (result.trust, result.distrust)


def test_a_test_that_hangs_is_ended_by_its_own_time(project: Project) -> None:
    project.test_timeout = 6.0
    hang = 'test("hangs", () => { while (true); });'
    project.write({"a.test.js": source(project, f'test("one", () => {{}});\n{hang}')})

    result = project.listed("a.test.js::one", "a.test.js::hangs")

    assert {"a.test.js::one": "passed", "a.test.js::hangs": "timed_out"} == outcomes(
        result
    )


def test_retries_hide_nothing(project: Project) -> None:
    begin = "let n = 0;\n" + ("jest.retryTimes(3);\n" if is_jest(project) else "")
    options = "" if is_jest(project) else "{ retry: 3 }, "
    text = f'test("flaky", {options}() => {{ n += 1; expect(n).toBe(2); }});'
    project.write({"a.test.js": source(project, begin + text)})
    if not is_jest(project):
        project.command += " --retry 3"

    result = project.whole()

    assert {"a.test.js::flaky": "failed"} == outcomes(result)


def test_snapshots_are_compared_and_never_written(project: Project) -> None:
    kept = "// Jest Snapshot v1, https://goo.gl/fbAQLP\n"
    if is_jest(project) and "jest-30" in str(project.modules):
        kept = "// Jest Snapshot v1, https://jestjs.io/docs/snapshot-testing\n"
    if not is_jest(project):
        kept = "// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n"
    old = f"{kept}\nexports[`old 1`] = `1`;\n"
    project.write(
        {
            "a.test.js": source(
                project,
                """
test("old", () => { expect(2).toMatchSnapshot(); });
test("new", () => { expect(3).toMatchSnapshot(); });
""",
            ),
            "__snapshots__/a.test.js.snap": old,
        }
    )
    project.command += " -u"

    result = project.whole()

    assert {"a.test.js::old": "failed", "a.test.js::new": "failed"} == outcomes(result)
    assert old == (project.root / "__snapshots__/a.test.js.snap").read_text()


def test_a_file_that_can_not_be_loaded_keeps_its_own_tests_out(
    project: Project,
) -> None:
    project.write(
        {
            "a.test.js": source(project, 'import "./gone";\ntest("one", () => {});')
            if not is_jest(project)
            else 'require("./gone"); test("one", () => {});',
            "b.test.js": source(project, 'test("one", () => {'),
            "c.test.js": source(project, 'test("one", () => {});'),
        }
    )

    result = project.whole()
    alone = project.listed("a.test.js::one")

    assert {"a.test.js", "b.test.js"} == {*result.uncollectable}
    assert "./gone" in result.uncollectable["a.test.js"]
    assert {"c.test.js::one": "passed"} == outcomes(result)
    assert (Trust.SOUND, "") == (result.trust, result.distrust)
    assert {"a.test.js::one": "unbuildable"} == outcomes(alone)


def test_an_error_beside_the_tests_is_no_pass(project: Project) -> None:
    text = """
test("one", () => {});
test("two", async () => {
  setTimeout(() => { throw new Error("beside"); }, 10);
  await new Promise((done) => setTimeout(done, 200));
});
"""
    project.write({"a.test.js": source(project, text)})

    result = project.whole()

    bad = {test for test, one in outcomes(result).items() if one != "passed"}
    assert bad or result.uncollectable or result.trust is not Trust.SOUND


def test_the_focus_and_the_order_of_a_suite_are_kept(project: Project) -> None:
    text = source(project, 'test("one", () => {}); test("two", () => {});')
    project.write({"a.test.js": text, "b.test.js": text, "c.test.js": text})
    first = [TestId("c.test.js::two"), TestId("a.test.js::two")]

    ordered = project.whole(order=Order(first=tuple(first), only=True))

    assert dict.fromkeys(first, "passed") == outcomes(ordered)


def test_a_report_that_was_cut_or_belongs_to_another_trial_is_not_believed(
    project: Project,
) -> None:
    project.write({"a.test.js": source(project, 'test("one", () => {});')})
    project.whole()
    output = project.output
    assert output is not None
    places = Places(
        workspace=PurePosixPath(project.root),
        inputs=PurePosixPath(project.folder / "trial-1/inputs"),
        outputs=PurePosixPath(project.folder / "trial-1/outputs"),
    )
    selection = Selection(shape=Shape.WHOLE, test_timeout=60.0)
    name = next(each for each in output.files if each.startswith("report-00001-"))
    report = output.files[name]

    def read(data: bytes | None, *, places: Places = places) -> Trust:
        files = {**output.files, name: data or b""}
        if data is None:
            del files[name]
        changed = replace(output, files=files)
        tree = Files(project.root)
        return project.runner.read_results(selection, changed, tree, places).trust

    assert read(report) is Trust.SOUND
    assert read(report[: len(report) // 2]) is not Trust.SOUND
    assert read(None) is not Trust.SOUND
    assert read(report + b'{"event": "end", "id": 1}\n') is not Trust.SOUND
    assert read(b"\x00" * 1000 + b"\n") is not Trust.SOUND
    elsewhere = replace(places, outputs=PurePosixPath("/elsewhere"))
    assert read(report, places=elsewhere) is not Trust.SOUND


def test_a_missed_coverage_threshold_is_told_and_fails_no_test(
    project: Project,
) -> None:
    part = module(project, "part", "(x) {\n  return x;\n}")
    part += "\nfunction never() {\n  return 2;\n}\n"
    text = 'test("one", () => { production.part(1); });'
    project.write(
        {
            "part.js": part,
            "a.test.js": source(project, text, production="./part"),
            "jest.config.js": "module.exports = { collectCoverage: true,"
            " coverageThreshold: { global: { functions: 99 } } };",
            "vitest.config.mjs": "export default { test: { coverage: {"
            " enabled: true, thresholds: { functions: 99 } } } };",
        }
    )

    result = project.whole(thresholds=True)
    without = project.whole()

    assert (Trust.SOUND, 99.0) == (result.trust, result.threshold)
    assert ["coverage threshold was missed" in each for each in result.notices] == [
        True
    ]
    assert not (project.root / "coverage").exists()
    assert (Trust.SOUND, ()) == (without.trust, without.notices)


def test_what_the_command_says_itself_is_no_hindrance(project: Project) -> None:
    text = source(project, 'test("one", () => {}); test("two", () => {});')
    project.write({"a.test.js": text, "b.test.js": text})
    jest = " --watchAll --maxWorkers=2 --coverage --bail --reporters=default"
    vitest = " --reporter=junit --outputFile=x.xml --retry=2 --bail=1"
    project.command += jest if is_jest(project) else vitest
    if not is_jest(project):
        project.command = project.command.replace(" run", "")
    asked = ["b.test.js::two", "a.test.js::one"]

    listed = project.listed(*asked)
    whole = project.whole()

    assert (Trust.SOUND, "") == (listed.trust, listed.distrust)
    assert dict.fromkeys(asked, "passed") == outcomes(listed)
    assert (Trust.SOUND, 4) == (whole.trust, len(whole.results))
    left = {"a.test.js", "b.test.js", "node_modules", "package.json"}
    assert left == {place.name for place in project.root.iterdir()}


def test_a_digest_of_another_content_is_no_file_of_the_tree(project: Project) -> None:
    project.write({"a.test.js": source(project, 'test("one", () => {});')})

    result = project.whole()

    own = {file.path: file.sha256 for file in result.loaded}
    assert Files(project.root)[RepoPath("a.test.js")] == own[RepoPath("a.test.js")]
