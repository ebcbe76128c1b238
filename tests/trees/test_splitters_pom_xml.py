from __future__ import annotations

import pytest

from fairtrial.domain.paths import PathClass
from fairtrial.trees.splitters import pom_xml
from fairtrial.trees.splitters.elements import DEEPEST, LONGEST
from fairtrial.trees.splitters.tables import CannotSplit

BASE = """\
<?xml version="1.0" encoding="UTF-8"?>
<!-- Läden -->
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <version>1</version>
  <properties>
    <junit.version>5</junit.version>
    <skipTests>false</skipTests>
    <encoding>UTF-8</encoding>
  </properties>
  <dependencies>
    <dependency><groupId>one</groupId></dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-jar-plugin</artifactId>
      </plugin>
      <!-- How tests are run. -->
      <plugin>
        <artifactId>maven-surefire-plugin</artifactId>
      </plugin>
    </plugins>
  </build>
  <profiles>
    <profile>
      <id>ci</id>
      <build><plugins><plugin>
        <artifactId>jacoco-maven-plugin</artifactId>
      </plugin></plugins></build>
    </profile>
  </profiles>
</project>
"""

SUREFIRE = "<artifactId>maven-surefire-plugin</artifactId>"

HEAD = (
    BASE.replace("<version>1", "<version>2")
    .replace("<skipTests>false", "<skipTests>true")
    .replace("<groupId>one", "<groupId>two")
    .replace(
        SUREFIRE, f"{SUREFIRE}<configuration><excludes>*</excludes></configuration>"
    )
    .replace("jacoco-maven-plugin</artifactId>", "jacoco-maven-plugin</artifactId><x/>")
)


def compose(production: str, dependencies: str, control: str) -> str:
    texts = {
        PathClass.PRODUCTION: production,
        PathClass.DEPENDENCIES: dependencies,
        PathClass.CONTROL: control,
    }
    return pom_xml.compose(lambda path_class: texts[path_class])


def classes(text: str) -> set[PathClass]:
    """Which parts a project has that holds this."""
    empty = pom_xml.parts("<project></project>")
    found = pom_xml.parts(f"<project>{text}</project>")
    return {one for one, each in found.items() if each != empty[one]}


def plugin(name: str) -> str:
    return f"<plugins><plugin><artifactId>{name}</artifactId></plugin></plugins>"


def managed(name: str) -> str:
    inside = f"<pluginManagement>{plugin(name)}</pluginManagement>"
    return f"<build>{inside}</build>"


def profile(inside: str) -> str:
    return f"<profiles><profile><id>a</id>{inside}</profile></profiles>"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<dependencies/>", PathClass.DEPENDENCIES),
        ("<dependencyManagement/>", PathClass.DEPENDENCIES),
        ("<repositories/>", PathClass.DEPENDENCIES),
        ("<pluginRepositories/>", PathClass.DEPENDENCIES),
        ("<parent/>", PathClass.DEPENDENCIES),
        ("<properties><junit.version/></properties>", PathClass.DEPENDENCIES),
        ("<properties><springVersion/></properties>", PathClass.DEPENDENCIES),
        ("<properties><version.surefire/></properties>", PathClass.DEPENDENCIES),
        ("<properties><conversion/></properties>", PathClass.PRODUCTION),
        ("<properties><skipTests/></properties>", PathClass.CONTROL),
        ("<properties><skipITs/></properties>", PathClass.CONTROL),
        ("<properties><argLine/></properties>", PathClass.CONTROL),
        ("<properties><maven.test.skip/></properties>", PathClass.CONTROL),
        ("<properties><surefire.excludes/></properties>", PathClass.CONTROL),
        (f"<build>{plugin('maven-surefire-plugin')}</build>", PathClass.CONTROL),
        (f"<build>{plugin('maven-failsafe-plugin')}</build>", PathClass.CONTROL),
        (f"<build>{plugin('jacoco-maven-plugin')}</build>", PathClass.CONTROL),
        (f"<build>{plugin('pitest-maven')}</build>", PathClass.CONTROL),
        (f"<build>{plugin('maven-invoker-plugin')}</build>", PathClass.CONTROL),
        (f"<build>{plugin('maven-jar-plugin')}</build>", PathClass.PRODUCTION),
        (managed("maven-surefire-plugin"), PathClass.CONTROL),
        (managed("maven-jar-plugin"), PathClass.PRODUCTION),
        (profile(managed("jacoco-maven-plugin")), PathClass.CONTROL),
        (profile("<dependencies/>"), PathClass.DEPENDENCIES),
        (
            "<build><testSourceDirectory>x</testSourceDirectory></build>",
            PathClass.CONTROL,
        ),
        ("<build><finalName>x</finalName></build>", PathClass.PRODUCTION),
        ("<modules><module>a</module></modules>", PathClass.PRODUCTION),
        ("<version>1</version>", PathClass.PRODUCTION),
    ],
)
def test_each_element_has_its_class(text: str, expected: PathClass) -> None:
    assert {expected} == classes(text)


def test_heads_file_stays_under_bases_control_with_all_its_text() -> None:
    expected = BASE.replace("<version>1", "<version>2").replace("one<", "two<")

    assert expected == compose(HEAD, HEAD, BASE)


def test_bases_production_takes_heads_dependencies() -> None:
    assert BASE.replace("one<", "two<") == compose(BASE, HEAD, BASE)


def test_a_profile_goes_with_the_only_thing_in_it() -> None:
    found = compose(HEAD, HEAD, "")

    assert "<profile>" not in found
    assert "surefire" not in found
    assert "maven-jar-plugin" in found


def test_of_no_file_only_the_other_parts_are_left() -> None:
    found = compose("", "", BASE)

    assert "<id>ci</id>" in found
    assert "<skipTests>false</skipTests>" in found
    assert "<!-- How tests are run. -->\n      <plugin>" in found
    assert "dependency" not in found
    assert "jar" not in found


def test_comments_and_layout_make_no_difference() -> None:
    flat = BASE.replace("\n", "").replace("<!-- How tests are run. -->", "")

    assert pom_xml.parts(flat) == pom_xml.parts(BASE)


LAUGHS = (
    '<!DOCTYPE project [<!ENTITY a "ha">'
    + "".join(
        f'<!ENTITY {name} "{f"&{before};" * 10}">'
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    + "]><project><version>&i;</version></project>"
)


@pytest.mark.parametrize(
    "text",
    [
        LAUGHS,
        '<!DOCTYPE project SYSTEM "file:///etc/passwd"><project/>',
        '<!DOCTYPE project [<!ENTITY x SYSTEM "file:///a">]><project>&x;</project>',
        "<!DOCTYPE project><project/>",
        "<project>&x;</project>",
    ],
)
def test_documents_with_a_type_or_entities_are_refused(text: str) -> None:
    with pytest.raises(CannotSplit):
        pom_xml.parts(text)


@pytest.mark.parametrize(
    "text",
    [
        " ",
        "<project>",
        "<project/><project/>",
        "<settings/>",
        "<project>text</project>",
        "<project>" + "<a>" * (DEEPEST + 1),
        "<project>" + " " * LONGEST + "</project>",
        "<a b='" * 10_000,
        "\0<project/>",
        "<project>\ud800</project>",
    ],
)
def test_what_is_no_plain_project_can_not_be_split(text: str) -> None:
    with pytest.raises(CannotSplit):
        pom_xml.parts(text)


def test_an_empty_element_that_has_to_hold_something_can_not_be_split() -> None:
    text = "<project><properties/></project>"

    with pytest.raises(CannotSplit):
        compose(text, text, BASE)


def test_of_a_property_that_stands_twice_each_is_its_own() -> None:
    twice = (
        "<project><properties><a/><skip>1</skip><skip>2</skip></properties></project>"
    )
    other = twice.replace("2", "3").replace("<a/>", "<b/>")

    assert twice.replace("<a/>", "<b/>") == compose(other, other, twice)
