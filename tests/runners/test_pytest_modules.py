"""What a project has among its modules may be anything, and is not woken."""

from __future__ import annotations

from tests.runners.specimen import Specimen, outcomes

from fairtrial.domain.experiments import Trust


def test_a_module_that_refuses_to_be_asked_disturbs_nothing(specimen: Specimen) -> None:
    specimen.write(
        {
            "odd.py": """
                import importlib.util, sys, types
                class Closed:
                    def __getattribute__(self, name):
                        raise RuntimeError(name)
                class Late(types.ModuleType):
                    def __getattr__(self, name):
                        raise ImportError(name)
                sys.modules["closed"] = Closed()
                sys.modules["late"] = Late("late")
                spec = importlib.util.find_spec("lazy")
                spec.loader = importlib.util.LazyLoader(spec.loader)
                lazy = importlib.util.module_from_spec(spec)
                sys.modules["lazy"] = lazy
                spec.loader.exec_module(lazy)
                WOKEN = []
            """,
            "lazy.py": "import odd\nodd.WOKEN.append(1)\n",
            "test_a.py": "import odd\ndef test_1():\n    assert not odd.WOKEN\n",
            "test_b.py": "import odd\ndef test_2():\n    assert not odd.WOKEN\n",
        }
    )

    result = specimen.whole()

    assert Trust.SOUND is result.trust, result.distrust
    assert ["passed", "passed"] == list(outcomes(result).values())
