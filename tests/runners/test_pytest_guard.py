"""Code that replaces what decides over tests is named, while and after it does so."""

from __future__ import annotations

import pytest
from tests.runners.specimen import Specimen

from fairtrial.domain.names import RepoPath

PRODUCT = RepoPath("product.py")

#: What a module of production does when it is imported, or when it is called.
ATTACKS = {
    "reports": """
        from _pytest.reports import TestReport
        make = TestReport.from_item_and_call.__func__
        def forged(cls, item, call):
            report = make(cls, item, call)
            report.outcome, report.longrepr = "passed", None
            return report
        TestReport.from_item_and_call = classmethod(forged)
    """,
    "runtest": """
        import _pytest.python
        _pytest.python.Function.runtest = lambda self: None
    """,
    "item": """
        import pytest
        def runtest(self): pass
        pytest.Function.runtest = runtest
    """,
    "code": """
        import _pytest.runner
        def call_and_report(item, when, log=True, **kwds): return None
        def swapped(item, nextitem): return []
        _pytest.runner.runtestprotocol.__code__ = swapped.__code__
    """,
    "unittest": """
        import unittest.case
        class Outcome(unittest.case._Outcome): pass
        unittest.case._Outcome = Outcome
    """,
    "assertions": """
        import unittest
        unittest.TestCase.assertEqual = lambda self, *args, **kwds: None
    """,
    "exception": """
        import builtins
        class AssertionError(Exception): pass
        builtins.AssertionError = AssertionError
    """,
    "channel": """
        import sys
        def write(self, event, **fields): pass
        for name, module in list(sys.modules.items()):
            if name == "fairtrial_witness":
                real = module.Channel.write
                def lying(self, event, **fields):
                    if fields.get("outcome") == "failed":
                        fields["outcome"] = "passed"
                    real(self, event, **fields)
                module.Channel.write = lying
    """,
    "tracer": """
        import sys
        def tracer(frame, event, argument): return None
        sys.settrace(tracer)
    """,
    "found": """
        import gc
        from _pytest.junitxml import LogXML
        for each in gc.get_objects():
            if each is LogXML:
                each.append_failure = lambda self, report: None
        LogXML.pytest_sessionfinish = lambda self: None
    """,
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_module_that_replaces_the_machinery_is_named(
    specimen: Specimen, attack: str
) -> None:
    specimen.write(
        {
            "product.py": ATTACKS[attack],
            "test_a.py": """
                import unittest
                import product
                def test_a(): assert 1 == 1
                class Case(unittest.TestCase):
                    def test_b(self): self.assertEqual(1, 1)
            """,
        }
    )

    assert PRODUCT in specimen.whole().steering


def test_a_hook_that_comes_during_a_test_is_named_though_it_goes_again(
    specimen: Specimen,
) -> None:
    specimen.write(
        {
            "product.py": """
                import pytest
                class Plugin:
                    @pytest.hookimpl(hookwrapper=True)
                    def pytest_runtest_makereport(self, item, call):
                        outcome = yield
                        outcome.get_result().outcome = "passed"
            """,
            "test_a.py": """
                import product
                def test_a(request):
                    manager, plugin = request.config.pluginmanager, product.Plugin()
                    manager.register(plugin)
                    manager.unregister(plugin)
                def test_b(): pass
            """,
        }
    )

    assert PRODUCT in specimen.whole().steering


def test_a_hook_that_is_swapped_without_being_registered_is_named(
    specimen: Specimen,
) -> None:
    specimen.write(
        {
            "product.py": """
                def outcome(report, config): return "passed", ".", "PASSED"
                def swap(config):
                    hook = config.hook.pytest_runtest_logreport
                    impl = hook.get_hookimpls()[0]
                    impl.function = lambda report: None
            """,
            "test_a.py": """
                import product
                def test_a(request): product.swap(request.config)
            """,
        }
    )

    assert PRODUCT in specimen.whole().steering


@pytest.mark.parametrize(
    "swap",
    ["each.runtest = lambda: None", "each.obj = lambda: None"],
)
def test_a_test_that_has_the_next_one_call_something_else_is_named(
    specimen: Specimen, swap: str
) -> None:
    specimen.write(
        {
            "product.py": f"""
                import gc, pytest
                def total():
                    for each in gc.get_objects():
                        if type(each) is pytest.Function: {swap}
            """,
            "test_a.py": """
                import product
                def test_a(): product.total()
                def test_b(): assert False
            """,
        }
    )

    assert PRODUCT in specimen.whole().steering


def test_what_a_test_replaces_with_something_of_nobodys_is_told_by_its_name(
    specimen: Specimen,
) -> None:
    specimen.write(
        {
            "test_a.py": """
                from unittest import mock
                from _pytest.reports import TestReport
                def test_a():
                    with mock.patch.object(TestReport, "from_item_and_call"): pass
                def test_b(monkeypatch):
                    monkeypatch.setattr(TestReport, "_from_json", print)
            """
        }
    )
    named = RepoPath("<_pytest.reports.TestReport._from_json>")

    assert {named} == specimen.whole().steering


def test_honest_tests_that_replace_much_are_not_named(specimen: Specimen) -> None:
    specimen.write(
        {
            "test_a.py": """
                import builtins, os, sys, time, unittest
                from unittest import mock
                import pytest
                def test_a(monkeypatch):
                    monkeypatch.setattr(builtins, "open", print)
                    monkeypatch.setattr(time, "time", lambda: 0)
                    monkeypatch.setattr(os, "getpid", lambda: 1)
                    monkeypatch.setattr(os, "write", lambda *a: 1)
                    monkeypatch.setattr(os, "open", lambda *a: 1)
                    monkeypatch.setattr(sys, "exit", lambda *a: 1)
                @mock.patch("builtins.print")
                def test_b(printed): print(1)
                class Case(unittest.TestCase):
                    def setUp(self):
                        self.assertEqual = self.assertNotEqual
                    def test_b(self): self.assertEqual(1, 2)
                @pytest.mark.parametrize("x", [1, 2])
                def test_c(x, capsys, tmp_path, recwarn): pass
            """
        }
    )
    result = specimen.whole()

    assert set() == result.steering
    assert "sound" == result.trust.name.lower(), result.distrust


@pytest.mark.parametrize("command", ["python -m pytest -q -n 2 -p xdist"])
def test_workers_name_it_too(specimen: Specimen, command: str) -> None:
    specimen.write(
        {
            "product.py": ATTACKS["runtest"],
            "test_a.py": "import product\ndef test_a(): assert False",
        }
    )

    assert PRODUCT in specimen.whole(command).steering


def test_a_junit_report_that_is_not_written_is_a_contradiction(
    specimen: Specimen,
) -> None:
    specimen.write(
        {
            "test_a.py": """
                def test_a(pytestconfig, tmp_path):
                    for each in pytestconfig.pluginmanager.get_plugins():
                        if type(each).__name__ == "LogXML":
                            each.logfile = str(tmp_path / "elsewhere.xml")
            """
        }
    )
    result = specimen.whole()

    assert "JUnit report is missing" in result.distrust


def test_a_file_of_the_project_that_is_loaded_before_the_plugin_is_named(
    specimen: Specimen,
) -> None:
    specimen.write(
        {
            "fnmatch.py": """
                import os
                place = os.path.join(os.path.dirname(os.__file__), "fnmatch.py")
                exec(compile(open(place).read(), place, "exec"))
            """,
            "test_a.py": "def test_a(): pass",
        }
    )

    assert {RepoPath("fnmatch.py")} == specimen.whole().steering
