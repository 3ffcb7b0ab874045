"""What strangers write into requirements: pip gets packages and indexes, written anew, and never a word of its own."""

import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from jantaku.players.folders.requirements import lines_in
from jantaku.table.ground.errors import BadInput
from tests.kit.cases import cases, kept_cases

FILE = Path("requirements.txt")
HASH = "sha256:" + "0123456789abcdef" * 4
OPTION = re.compile(r"--pre|--(extra-)?index-url https?://[^\s$\\\"'#{}]+")
PACKAGE = re.compile(r"[A-Za-z0-9][^\s$\\'#/:@{}]*( (?!-)[^\s$\\'#/:@{}]+)*( --hash=sha(256|384|512):[0-9a-f]+)*")


def read(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return lines_in(text, FILE)


@cases(
    "text, options, packages",
        ("# mine\n\nnumpy\n", (), ("numpy",)),
        ("Zope.Interface [b, a] >= 5, < 6  # why not", (), ("zope-interface[a,b]<6,>=5",)),
        ("torch==2.1+cpu; python_version>='3.11' and sys_platform == \"linux\"", (),
         ('torch==2.1+cpu; python_version >= "3.11" and sys_platform == "linux"',)),
        ("-i https://a.example/simple\n--pre\n--extra-index-url=http://b:8/x?y=1",
         ("--index-url https://a.example/simple", "--pre", "--extra-index-url http://b:8/x?y=1"), ()),
        (f"a==1 \\\r\n    --hash={HASH} \\\r\n    --hash {HASH}\r\n    # via b\r\nb==2", (),
         (f"a==1 --hash={HASH} --hash={HASH}", "b==2")),
)  # fmt: skip
def test_a_line_is_written_anew_as_it_is_read(text: str, options: tuple[str, ...], packages: tuple[str, ...]) -> None:
    assert read(text) == (options, packages)


@kept_cases("text", "a; " + "(" * 5000, "a" * 2000)
def test_a_line_that_is_more_than_one_package_or_one_index_is_one_line_of_refusal(text: str) -> None:
    with pytest.raises(BadInput) as error:
        read(f"numpy\n{text}")
    said = str(error.value)
    assert "requirements.txt line " in said and said.isprintable() and len(said) < 400


def test_a_name_that_is_that_of_a_file_is_the_name_of_a_package() -> None:
    """pip takes `evil.zip` for a file where there is one."""
    assert read("evil.zip") == ((), ("evil-zip",))


NAMES = st.sampled_from(["a", "numpy", "zope.interface", "x[y]", "x [y,z]", "evil.zip"])
VERSIONS = st.sampled_from(["", "==1.0", ">=1,<2", " ~= 1.4 ", "===1.0", "(>=1)", "!=1.*", "==1!2+cu118"])
MARKERS = st.sampled_from(["", "; python_version > '3'", ' ; os_name == "a" or "x" in sys_platform', ";extra=='b'"])
ADDRESSES = st.sampled_from(["https://a.example/simple", "http://u:p@b:80/x/", "https://[::1]/simple"])
GOOD = st.one_of(
    st.just("--pre"),
    st.builds("".join, st.tuples(NAMES, VERSIONS, MARKERS)),
    st.builds("".join, st.tuples(NAMES, VERSIONS, st.just(f" --hash={HASH}"))),
    st.builds("{}{}".format, st.sampled_from(["-i ", "--index-url ", "--index-url=", "--extra-index-url "]), ADDRESSES),
)
BAD = st.one_of(
    st.sampled_from(["-e", "-r", "-c", "-f", "--find-links", "--no-binary", ":all:", "--pre", "-i", "--hash=", "--"]),
    st.sampled_from(["/x", "./x", "file:///x", "git+https://a/x", "x.tar.gz", "@", "${HOME}", "#", "or os_name=='a'"]),
    st.sampled_from(["\\\n", *"\\\n\r\t\v\u2028\u00a0 =\"';,[]()-"]),
    st.text(max_size=4),
)


@st.composite
def hostile(draw: st.DrawFn) -> str:
    line = draw(GOOD)
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(line)))
        line = line[:at] + draw(st.sampled_from(["", " "])) + draw(BAD) + draw(st.sampled_from(["", " "])) + line[at:]
    return line


@settings(deadline=None, max_examples=100)
@given(GOOD)
def test_a_good_line_is_read(line: str) -> None:
    options, packages = read(line)
    assert len(options) + len(packages) == 1


@pytest.mark.long
@settings(deadline=None, max_examples=500)
@given(st.lists(hostile(), min_size=1, max_size=3).map("\n".join))
@example('a; os_name == "x -e y" or os_name == "z"')
@example("a===${HOME}")
@example('a; os_name == "x #y"')
@example("--index-url https://a/x\u2028-e /x")
@example("--pre \\\n-e /x")
def test_whatever_is_read_pip_gets_no_words_but_packages_and_indexes(text: str) -> None:
    try:
        options, packages = read(text)
    except BadInput:
        return
    assert all(map(OPTION.fullmatch, options)) and all(map(PACKAGE.fullmatch, packages))
    assert read("\n".join((*options, *packages))) == (options, packages), "what was written reads as the same"
