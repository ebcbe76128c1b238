"""What readers are told, in their language: decisions, table heads, categories.

English is complete. Korean covers what a reader sees at a glance (the decision, the
heads of tables, categories and sides); sentences that name causes stay English.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from fairtrial.domain.decisions import Blame, Category


class Locale(StrEnum):
    """A language that reports are written in."""

    EN = "en"
    KO = "ko"


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Every fixed phrase of a report in one language."""

    block_production: str
    block_person: str
    repair: str
    environment: str
    inconclusive: str
    passed: str
    accepted: str
    accepted_by: str
    stopped: str
    unreadable: str
    too_long: str
    test: str
    what: str
    change: str
    seen: str
    where: str
    was: str
    now: str
    brought: str
    here_before: str
    nothing_to_change: str
    reverting: str
    polluter: str
    setter: str
    found: str
    again: str
    more: str
    next: str
    expectations: str
    sides: Mapping[Blame, str]
    categories: Mapping[Category, str]


_EN: Final = Words(
    block_production="A person has to decide: passing would take a production change",
    block_person="A person has to decide: not shown to be a matter of tests alone",
    repair="Only tests have to change",
    environment="The bench lacked something: no verdict about the code",
    inconclusive="Could not be judged: until it can, this check blocks",
    passed="Nothing here needs a production change",
    accepted="A person has accepted this change as it stands",
    accepted_by="Accepted",
    stopped="Fairtrial stopped before a judgement",
    unreadable="The report of this run could not be read",
    too_long="The rest is too long for this place; `report.json` has all of it.",
    test="test",
    what="what it is",
    change="what would have to change",
    seen="seen",
    where="where",
    was="before",
    now="after",
    brought="brought by this change",
    here_before="here before",
    nothing_to_change="nothing in this change",
    reverting="reverting these lines makes it pass",
    polluter="polluter",
    setter="needs to run after",
    found="How it was found",
    again="See it again",
    more="{count} more in the report",
    next="Next",
    expectations="**Expectations changed here: {count}.** Are they meant?",
    sides={
        Blame.PRODUCTION: "production",
        Blame.TESTS: "tests",
        Blame.BOTH: "production and tests",
        Blame.UNKNOWN: "not known",
    },
    categories={
        category: category.value.replace("-", " ")
        if category is not Category.NON_DETERMINISTIC
        else category.value
        for category in Category
    },
)

_KO: Final = Words(
    block_production="사람이 결정해야 합니다: 통과하려면 프로덕션 코드를 바꿔야 합니다",
    block_person="사람이 결정해야 합니다: 테스트만의 문제라는 증거가 없습니다",
    repair="테스트만 고치면 됩니다",
    environment="실행 환경에 빠진 것이 있어 코드를 판정하지 않았습니다",
    inconclusive="판정할 수 없습니다: 판정될 때까지 이 검사는 병합을 막습니다",
    passed="프로덕션 코드를 바꿔야 할 것이 없습니다",
    accepted="사람이 이 변경을 그대로 받아들였습니다",
    accepted_by="수락",
    stopped="판정 전에 Fairtrial이 멈췄습니다",
    unreadable="이 실행의 보고서를 읽을 수 없습니다",
    too_long="나머지는 너무 길어 `report.json`에만 있습니다.",
    test="테스트",
    what="무엇인가",
    change="바뀌어야 할 것",
    seen="관찰",
    where="위치",
    was="이전",
    now="이후",
    brought="이 변경에서 생김",
    here_before="전부터 있음",
    nothing_to_change="이 변경에는 없음",
    reverting="이 줄들을 되돌리면 통과합니다",
    polluter="오염원",
    setter="먼저 실행되어야 하는 테스트",
    found="어떻게 찾았나",
    again="다시 보기",
    more="보고서에 {count}건 더 있습니다",
    next="다음",
    expectations="**이 변경에서 {count}건의 기대값이 바뀌었습니다.** 의도한 것입니까?",
    sides={
        Blame.PRODUCTION: "프로덕션",
        Blame.TESTS: "테스트",
        Blame.BOTH: "프로덕션과 테스트",
        Blame.UNKNOWN: "알 수 없음",
    },
    categories={
        Category.REGRESSION: "회귀",
        Category.VICTIM: "오염된 테스트",
        Category.BRITTLE: "선행 테스트에 기대는 테스트",
        Category.NON_DETERMINISTIC: "비결정적 테스트",
        Category.HEAD_BROKEN: "변경 쪽 빌드 실패",
        Category.INTERACTION: "상호작용",
        Category.UNPROVEN: "증명되지 않음",
        Category.CONTRACT_REMOVED: "계약 제거",
        Category.CONTROL_EFFECT: "제어 파일의 영향",
        Category.HIDDEN_REGRESSION: "숨겨진 회귀",
        Category.ORACLE_DISPUTE: "기대값 다툼",
        Category.EXPECTATIONS_CHANGED: "기대값 변경",
        Category.WEAKENED: "약해진 테스트",
        Category.OUT_OF_BOUNDS: "권한 밖의 변경",
        Category.TEST_DEFECT: "테스트 결함",
        Category.PRE_EXISTING: "기존 실패",
        Category.ENVIRONMENT: "환경",
        Category.BASE_BROKEN: "기준 쪽 빌드 실패",
        Category.UNTRIED: "시도하지 않음",
        Category.INCONCLUSIVE: "판정 불가",
    },
)

WORDS: Final[Mapping[Locale, Words]] = {Locale.EN: _EN, Locale.KO: _KO}
