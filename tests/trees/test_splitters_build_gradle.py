from __future__ import annotations

import time

import pytest

from fairtrial.domain.paths import PathClass
from fairtrial.trees.splitters import build_gradle
from fairtrial.trees.splitters.gradle_text import LONGEST
from fairtrial.trees.splitters.tables import CannotSplit

BASE = """\
// How it is built.
plugins {
    id 'java'
    id 'jacoco'
}

version = "${rootProject.ext["v"]}-1"

dependencies {
    implementation 'one:one:1',
        'two:two:2' // both
}

/* How tests are run. */
test {
    useJUnitPlatform()
}

subprojects {
    test { maxHeapSize = '1G' }
    compileJava { options.encoding = 'UTF-8' }
}
"""

HEAD = """\
plugins {
    id 'java'
}
version = '2'
dependencies { }
test {
    ignoreFailures = true
}
tasks.withType(Test).configureEach { filter { excludeTestsMatching '*' } }
subprojects {
    compileJava { options.encoding = 'latin1' }
    test { enabled = false }
}
"""


def compose(production: str, dependencies: str, control: str) -> str:
    texts = {
        PathClass.PRODUCTION: production,
        PathClass.DEPENDENCIES: dependencies,
        PathClass.CONTROL: control,
    }
    return build_gradle.compose(lambda path_class: texts[path_class])


def classes(text: str) -> set[PathClass]:
    """Which parts a script has that holds this."""
    return {one for one, each in build_gradle.parts(text).items() if each}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dependencies { testImplementation 'a:junit:1' }", PathClass.DEPENDENCIES),
        ("repositories { mavenCentral() }", PathClass.DEPENDENCIES),
        ("buildscript { dependencies { } }", PathClass.DEPENDENCIES),
        ("configurations.all { exclude 'a' }", PathClass.DEPENDENCIES),
        ("plugins { id 'java' }", PathClass.DEPENDENCIES),
        ('plugins {\n    kotlin("jvm") version "1.9"\n}', PathClass.DEPENDENCIES),
        ("apply plugin: 'java'", PathClass.DEPENDENCIES),
        ("def junitVersion = '5'", PathClass.DEPENDENCIES),
        ('val junitVersion = "5"', PathClass.DEPENDENCIES),
        ("ext { springVersion = '5' }", PathClass.DEPENDENCIES),
        ("plugins { id 'jacoco' }", PathClass.CONTROL),
        ("apply plugin: 'jacoco'", PathClass.CONTROL),
        ("test { }", PathClass.CONTROL),
        ("test.maxHeapSize = '1G'", PathClass.CONTROL),
        ("tasks.test { useJUnitPlatform() }", PathClass.CONTROL),
        ("tasks { test { } }", PathClass.CONTROL),
        ("tasks.named('test') { }", PathClass.CONTROL),
        ('tasks.named<Test>("test") { }', PathClass.CONTROL),
        ("tasks.withType(Test) { }", PathClass.CONTROL),
        ("tasks.withType<Test>().configureEach { }", PathClass.CONTROL),
        ("task slowTest(type: Test) { }", PathClass.CONTROL),
        ('tasks.register<Test>("slow") { }', PathClass.CONTROL),
        ("val slow by tasks.registering(Test::class) { }", PathClass.CONTROL),
        ("check.dependsOn slowTest", PathClass.CONTROL),
        ("jacoco { }", PathClass.CONTROL),
        ("jacocoTestCoverageVerification { }", PathClass.CONTROL),
        ("testing { suites { } }", PathClass.CONTROL),
        ("sourceSets { test { java { } } }", PathClass.CONTROL),
        ('sourceSets["test"].java.srcDir("x")', PathClass.CONTROL),
        ("android { testOptions { } }", PathClass.CONTROL),
        ("afterEvaluate { tasks.withType(Test) { } }", PathClass.CONTROL),
        (
            "subprojects { p ->\n    p.test { ignoreFailures = true }\n}",
            PathClass.CONTROL,
        ),
        ("fun quiet(task: Test) { task.enabled = false }", PathClass.CONTROL),
        ("import org.gradle.api.tasks.testing.Test", PathClass.CONTROL),
        ("import a.b.*", PathClass.PRODUCTION),
        ("version = '1'", PathClass.PRODUCTION),
        ("latest { }", PathClass.PRODUCTION),
        ("tasks.named('jar') { }", PathClass.PRODUCTION),
        ("android { namespace 'a' }", PathClass.PRODUCTION),
        ("apply from: 'more.gradle'", PathClass.PRODUCTION),
        ("if (a) {\n    b()\n}\nelse {\n    c()\n}", PathClass.PRODUCTION),
    ],
)
def test_each_statement_has_its_class(text: str, expected: PathClass) -> None:
    assert {expected} == classes(text)


def test_heads_script_stays_under_bases_control() -> None:
    found = compose(HEAD, HEAD, BASE)

    assert found == (
        "plugins {\n    id 'java'\n    id 'jacoco'\n}\nversion = '2'\n"
        "dependencies { }\ntest {\n    useJUnitPlatform()\n}\n"
        "subprojects {\n    compileJava { options.encoding = 'latin1' }\n"
        "    test { maxHeapSize = '1G' }\n}\n"
    )


def test_bases_production_takes_heads_dependencies() -> None:
    found = compose(BASE, HEAD, BASE)

    start = BASE.index("dependencies {")
    end = BASE.index("\n/* How")
    assert BASE[:start] + "dependencies { }\n" + BASE[end:] == found


def test_of_no_file_only_the_other_parts_are_left() -> None:
    found = compose("", "", BASE)

    assert "id 'jacoco'" in found
    assert "useJUnitPlatform()" in found
    assert "id 'java'" not in found
    assert "version" not in found
    assert {PathClass.CONTROL} == classes(found)


def test_comments_and_layout_make_no_difference() -> None:
    other = BASE.replace("// both", "").replace("    useJUnit", "\tuseJUnit")

    assert build_gradle.parts(other) == build_gradle.parts(BASE)


def test_statements_of_one_line_get_apart() -> None:
    found = compose("tasks { jar { } }", "", "tasks { test { }; check { } }")

    assert {PathClass.PRODUCTION, PathClass.CONTROL} == classes(found)
    assert "tasks { jar { } \n test { }; check { } }" == found


def test_brackets_in_strings_and_comments_open_nothing() -> None:
    text = (
        'a \'{\' // {\nb "${c("}")} {"\n/* { */\nd \'\'\'\n{\'\'\'\ne = """{""""\n'
        "f \"\\\"{\"\ng = 'it\\'s {'\ntest { }\n"
    )

    assert {PathClass.PRODUCTION, PathClass.CONTROL} == classes(text)
    assert text.replace("test { }\n", "") == compose(text, text, "")


@pytest.mark.parametrize(
    "text",
    [
        "a {",
        "a }",
        "a (]",
        "a 'x",
        'a "${b',
        'a """b',
        "a =~ /x{/",
        "a = $/ b /$",
        "/* a /* b */ c */",
        "/*",
        'a = """b\\"""',
        'a = "' + '${"' * 30,
        "subprojects {" * 60 + "}" * 60,
        "a" * (LONGEST + 1),
    ],
)
def test_what_can_not_be_told_apart_can_not_be_split(text: str) -> None:
    with pytest.raises(CannotSplit):
        build_gradle.parts(text)


@pytest.mark.parametrize(
    "text", ["a" * 200_000, "a\n" * 50_000, "a." * 50_000, "(" * 50_000 + ")" * 50_000]
)
def test_long_scripts_take_no_time(text: str) -> None:
    begun = time.monotonic()

    build_gradle.parts(text)

    assert time.monotonic() - begun < 5
