"""The profile of the benchmark: samples of perf are read right, with a perf that only tells what was recorded once."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from scripts.bench import __main__ as bench
from scripts.bench import sampling
from scripts.bench.identical import COMPILED

CORE = "/x/table/core__mypyc.cpython-311-x86_64-linux-gnu.so"
PYTHON = "/x/lib/libpython3.11.so.1.0"
RECORDED = f"""
    2bb344 gc_collect_main ({PYTHON})
    2bcbf2 _PyObject_GC_Link ({PYTHON})
    11b4e3 CPyDef_board___Board_____init__ ({CORE})
    11b4e3 CPyDef_game___RiichiGame___rule ({CORE})
    13b6f4 CPyPy_game___RiichiGame___rule ({CORE})
    164881 method_vectorcall_FASTCALL_KEYWORDS ({PYTHON})
    b845a CPyDef_judge___Judge____play ({CORE})
    db769 CPyDef_judge___Judge___run ({CORE})
    fddc4 _PyEval_EvalFrameDefault ({PYTHON})

    e454c CPyPy_inline___Inline___play__Way_glue ({CORE})
    b82e8 CPyDef_judge___Judge____play ({CORE})
    db769 CPyDef_judge___Judge___run.cold ({CORE})

    99f0 Struct_dealloc_nogc (/x/site-packages/msgspec/_core.cpython-311-x86_64-linux-gnu.so)
    b8537 CPyDef_judge___Judge____play ({CORE})
    db769 CPyDef_judge___Judge___run ({CORE})

    ffffffff8 native_write_msr ([kernel.kallsyms])
    90af7 CPyDef_seat___Seat___hear_to ({CORE})
    90af7 CPyDef_seat___Seat___run ({CORE})
    fddc4 _PyEval_EvalFrameDefault ({PYTHON})

    fddc4 _PyEval_EvalFrameDefault ({PYTHON})
    10e8f2 CPyDef_winning_____top_level__ ({CORE})
    ffffffffffffffff [unknown] ([unknown])
"""
PERF = """#!/bin/sh
# $1: record or script
if [ "$1" = script ]; then cat "$(dirname "$0")/told"; exit 0; fi
while [ "$1" != -- ]; do shift; done
shift
exec "$@"
"""


@pytest.fixture
def on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Puts a `perf` on the PATH, before a core that says that it is compiled."""
    monkeypatch.setattr(sampling, "core", COMPILED)
    monkeypatch.setattr(sampling, "sources", lambda: ["table/riichi/game.py", "table/judge/judge.py"])
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    (tmp_path / "told").write_text(RECORDED)

    def put(script: str) -> None:
        perf = tmp_path / "perf"
        perf.write_text(script)
        perf.chmod(0o755)

    return put


def test_samples_below_the_judge_count_once_a_function() -> None:
    found = sampling.counted(sampling.stacks(RECORDED))
    assert (found.samples, found.counted) == (5, 4)
    shares = {name: (one.own, one.with_others, one.inclusive) for name, one in found.functions.items()}
    assert shares == {
        "judge.Judge.run": (0, 0, 3),
        "judge.Judge._play": (0, 1, 3),
        "inline.Inline.play": (1, 1, 1),
        "game.RiichiGame.rule": (0, 0, 1),
        "board.Board.__init__": (0, 1, 1),
        "seat.Seat.run": (0, 0, 1),
        "seat.Seat.hear_to": (0, 1, 1),
    }
    assert found.kinds == {"memory management": 1, "our compiled code": 1, "msgspec": 1, "the kernel": 1}


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("CPyDef_judge____word", "judge._word"),
        ("CPyDef_judge___Judge_____init__", "judge.Judge.__init__"),
        ("CPyPy_inline___Inline___play__Way_glue", "inline.Inline.play"),
        ("CPyDef_shapes___useful.constprop.0", "shapes.useful"),
        ("CPyList_GetItem", ""),
        ("_PyEval_EvalFrameDefault", ""),
    ],
)
def test_a_symbol_is_told_as_it_is_called_in_the_source(symbol: str, name: str) -> None:
    assert sampling.name_of(symbol) == name


def test_a_file_is_told_where_only_one_has_that_name() -> None:
    files = ["table/riichi/game.py", "table/judge/judge.py", "table/a/seat.py", "table/b/seat.py"]
    named = ("game.RiichiGame.rule", "seat.Seat.run", "games.x")
    assert [sampling.file_of(name, files) for name in named] == ["table/riichi/game.py", "", ""]


def test_a_row_is_sampled_where_perf_is_on_the_path(
    on_the_path: Callable[[str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    on_the_path(PERF)
    assert bench.main(("--json", "--quick", "--profile", "T", "--only", "board-match")) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {line["of"] for line in lines} == {"board-match"}
    (rule,) = [line for line in lines if line.get("function") == "game.RiichiGame.rule"]
    assert (rule["file"], rule["own"], rule["inclusive"]) == ("table/riichi/game.py", 0, 0.25)
    assert {line["kind"]: line["share"] for line in lines if "kind" in line}["the kernel"] == 0.25


def test_a_perf_that_may_not_run_leaves_it_to_cprofile(
    on_the_path: Callable[[str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    on_the_path("#!/bin/sh\necho 'Access is limited.' >&2\nexit 255\n")
    assert bench.main(("--json", "--quick", "--profile", "T")) == 0
    said = capsys.readouterr()
    assert said.err.count("\n") == 1 and "perf may not run here (Access is limited.)" in said.err
    assert "calls_per_hanchan" in said.out


def test_only_rows_of_one_thread_are_left_without_perf(
    on_the_path: Callable[[str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    on_the_path("#!/bin/sh\nexit 1\n")
    assert bench.main(("--quick", "--profile", "T", "--only", "resident")) == 2
    assert "--profile: of 'resident' there is none; allowed are inline," in capsys.readouterr().err
