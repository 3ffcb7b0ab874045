import os
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jantaku.table.ground.foreign.names import LONGEST_FILE, file_name

HOSTILE = ["../../../pwn", "/abs/dir/pwn", "", ".", "..", "...", "-rf", "a/b", "a\\b", "a\0b"]
HOSTILE += ["CON ", "名前", "a" * 5000]


@pytest.mark.parametrize("name", ["shanten-1", "bot.py", "Follower", "a_b.c-d", "x" * LONGEST_FILE])
def test_a_name_that_is_a_file_name_already_stays(name: str) -> None:
    assert file_name(name) == name


@pytest.mark.parametrize("name", [*HOSTILE, "\udcff", "a\nb"])
def test_whatever_a_name_holds_it_names_a_file_in_its_folder(name: str) -> None:
    made = file_name(name)
    assert re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", made) and len(made) <= LONGEST_FILE
    assert os.path.basename(os.path.normpath(os.path.join("folder", made))) == made


@given(st.text(), st.text())
def test_different_names_are_different_files(a: str, b: str) -> None:
    assert (file_name(a) == file_name(b)) == (a == b)


def test_names_that_differ_in_what_is_left_out_are_different_files() -> None:
    assert len({file_name(name) for name in HOSTILE}) == len(HOSTILE)
