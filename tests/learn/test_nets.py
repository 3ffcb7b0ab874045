"""Model files sit down: what does not fit is refused before a game, and what a net does wrong is its own seat's."""

import os
import re
import subprocess
import sys
import textwrap
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import load_file

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Question
from jantaku.table.learn.encoders import encoder_of
from jantaku.table.learn.nets import LARGEST, Net, Student, model_of, save
from jantaku.table.play.seating.spec import terms_of
from jantaku.table.play.stepped import Hanchan
from tests.kit.cases import cases
from tests.kit.command import Jantaku
from tests.kit.pace import SOON

OWN, MORTAL = encoder_of("jantaku-1"), encoder_of("mortal-3")


def dense(rows: int, columns: int, seed: int = 1) -> dict[str, Any]:
    chance = np.random.default_rng(seed)
    return {"0.weight": chance.normal(size=(columns, rows)), "0.bias": np.zeros(columns)}


def policy(path: Path, seed: int = 1) -> Path:
    save(str(path), "jantaku-1", ["dense"], dense(577, 354, seed))
    return path


def conv(path: Path) -> Path:
    chance = np.random.default_rng(3)
    weights = {"0.weight": chance.normal(size=(8, 934, 3)), "0.bias": chance.normal(size=8)}
    weights |= {"3.weight": chance.normal(size=(46, 8 * 34)), "3.bias": np.zeros(46)}
    save(str(path), "mortal-3", ["conv", "relu", "flat", "dense"], weights)
    return path


def test_a_convolution_is_the_sum_over_its_neighbours(tmp_path: Path) -> None:
    chance = np.random.default_rng(2)
    obs = chance.normal(size=(2, 934, 34)).astype(np.float32)
    told = model_of(str(conv(tmp_path / "a.safetensors"))).values(obs)
    weights = load_file(tmp_path / "a.safetensors")
    padded = np.pad(obs, ((0, 0), (0, 0), (1, 1)))
    first = np.zeros((2, 8, 34), np.float32)
    for kind in range(34):
        first[:, :, kind] = np.tensordot(padded[:, :, kind : kind + 3], weights["0.weight"], ([1, 2], [1, 2]))
    hidden = np.maximum(first + weights["0.bias"][:, None], 0).reshape(2, -1)
    assert np.allclose(told, hidden @ weights["3.weight"].T + weights["3.bias"], atol=1e-3)


@pytest.mark.long
def test_a_model_sits_down_at_a_match_and_two_checkpoints_at_a_gate(jantaku: Jantaku, tmp_path: Path) -> None:
    first, second = policy(tmp_path / "first.safetensors"), policy(tmp_path / "second.safetensors", 2)
    words = ("--games", "4", "--length", "one", "--seed", "5", "--json")
    played = [
        jantaku("match", "--players", f"net:{first},net:{second},dice,dice", *words, "--workers", workers, "--out", out)
        for workers, out in (("1", str(tmp_path / "a")), ("2", str(tmp_path / "b")))
    ]
    assert [one.code for one in played] == [0, 0], played[0].err
    records = [[path.read_bytes() for path in sorted(tmp_path.glob(f"{out}/records/*.json"))] for out in "ab"]
    assert len(records[0]) == 4 and records[0] == records[1]
    assert "first.safetensors" in played[0].out and "second.safetensors" in played[0].out


def test_an_onnx_model_sits_down(jantaku: Jantaku, tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    model = tmp_path / "one.onnx"
    model.write_bytes(onnx_model(MORTAL.shape, np.random.default_rng(1).normal(size=(934 * 34, 46))))
    obs = np.random.default_rng(2).random((3, *MORTAL.shape)).astype(np.float32)
    assert model_of(str(model), "mortal-3").values(obs).shape == (3, 46)
    played = jantaku("play", "--players", f"net:{model}?encoder=mortal-3,dice,dice,dice", "--length", "one", "--strict")
    assert played.code == 0, played.err
    with pytest.raises(BadInput, match=r"it does not name its encoder; write net:.*one.onnx.encoder=…: jantaku-1, mo"):
        model_of(str(model))
    with pytest.raises(BadInput, match=r"its inputs are obs tensor\(float\) .*; jantaku-1 is one float tensor"):
        model_of(str(model), "jantaku-1")
    model.write_bytes(onnx_model(MORTAL.shape, np.zeros((934 * 34, 45))))
    with pytest.raises(BadInput, match=r"its output values is .*45.; mortal-3 has .*46."):
        model_of(str(model), "mortal-3")
    model.write_bytes(b"\x08\x08 no model")
    with pytest.raises(BadInput, match="not an ONNX model that can be run"):
        model_of(str(model), "mortal-3")


@pytest.mark.long
def test_a_model_that_never_ends_is_silent_and_the_process_ends_as_any_other(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    model = tmp_path / "endless.onnx"
    model.write_bytes(onnx_model(MORTAL.shape, np.zeros((934 * 34, 46)), endless=True))
    players = ("--players", f"net:{model}?encoder=mortal-3,dice,dice,dice")
    play = [sys.executable, "-m", "jantaku", "play", *players, "--length", "one", "--limit", "0.1", "--json"]
    ran = subprocess.run(play, cwd=tmp_path, capture_output=True, text=True, timeout=SOON)
    assert ran.returncode == 0 and "terminate" not in ran.stderr, ran.stderr
    assert "silent" in ran.stdout + ran.stderr


def test_sums_that_are_too_large_for_a_float_print_nothing(tmp_path: Path) -> None:
    file = tmp_path / "a.safetensors"
    weights = {"0.weight": np.full((1, 577), 3e38), "1.weight": np.zeros((354, 577)), "1.bias": np.zeros(354)}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        save(str(file), "jantaku-1", ["scale", "dense"], weights)
        told = model_of(str(file)).values(np.full((1, 577), 3e38, np.float32))
    assert told.shape == (1, 354)


def test_a_file_that_claims_more_than_memory_holds_is_not_read(tmp_path: Path) -> None:
    (file := tmp_path / "sparse.safetensors").touch()
    os.truncate(file, LARGEST + 1)
    with pytest.raises(BadInput, match="1073741825 bytes of layers; allowed are 1073741824"):
        model_of(str(file))


@cases(
    "layers, weights, why",
    (["dense"], dense(576, 354), "its layers do not fit jantaku-1"),
    (["dense"], dense(577, 353), r"it ends with \(1, 353\); jantaku-1 has \(1, 354\)"),
    (["relu"], {}, r"it ends with \(1, 577\)"),
    (["dense"], {}, "the layer dense has no weights; allowed are scale, conv, dense, relu, flat"),
    (["pool"], dense(577, 354), "the layer pool .* is not known; allowed are"),
    (["dense"], {**dense(577, 354), "0.bias": np.full(354, np.nan)}, "0.bias has values that are not numbers"),
)
def test_layers_that_do_not_fit_are_refused(tmp_path: Path, layers: Any, weights: Any, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        save(str(tmp_path / "a.safetensors"), "jantaku-1", layers, weights)
    assert not (tmp_path / "a.safetensors").exists()


@cases(
    "name, content, why",
    ("a.pth", b"\x80\x04", "a pickle is a program and is not opened; export the model: torch.onnx.export"),
    ("a.h5", b"", "not a model file; allowed are .onnx and .safetensors"),
    ("a.safetensors", b"{}", "not a safetensors file"),
    ("gone.safetensors", None, "No such file or directory"),
)
def test_a_file_that_is_no_model_ends_a_command_with_a_line(
    jantaku: Jantaku, tmp_path: Path, name: str, content: bytes | None, why: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    refused = jantaku("play", "--players", f"net:{tmp_path / name}?encoder=jantaku-1,dice,dice,dice")
    assert refused.code == 2 and why in refused.err and "Traceback" not in refused.err


@given(st.binary(max_size=200))
def test_no_bytes_are_more_than_bad_input(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    file = tmp_path_factory.mktemp("nets") / "a.safetensors"
    file.write_bytes(content)
    with pytest.raises(BadInput):
        model_of(str(file))


def test_every_cut_of_a_model_is_refused(tmp_path: Path) -> None:
    whole = policy(tmp_path / "a.safetensors").read_bytes()
    for end in (*range(0, 400, 7), len(whole) // 2, len(whole) - 1):
        (tmp_path / "b.safetensors").write_bytes(whole[:end])
        with pytest.raises(BadInput, match=r"b\.safetensors: no"):
            model_of(str(tmp_path / "b.safetensors"))


def test_a_value_that_is_no_number_is_the_fault_of_that_seat_alone(jantaku: Jantaku, tmp_path: Path) -> None:
    bot = tmp_path / "bad.py"
    bot.write_text(
        "import numpy as np\nfrom jantaku.table.learn.nets import NetPlayer\n"
        "class Bad(NetPlayer):\n    def values(self, obs, mask):\n        return np.full(mask.shape, np.nan)\n"
        "class Short(NetPlayer):\n    def values(self, obs, mask):\n        return np.zeros(3)\n"
    )
    good = policy(tmp_path / "good.safetensors")
    words = ("--players", f"{bot}:Bad,{bot}:Short,net:{good},dice", "--length", "one", "--threads", "resident")
    played = jantaku("play", *words)
    assert played.code == 0
    assert "is not a number" in played.out + played.err
    assert "values are of shape (3,)" in played.out + played.err
    assert "good" not in "".join(line for line in played.err.splitlines() if "fault" in line)


def test_a_model_file_is_a_word_and_a_table_of_a_config() -> None:
    short, long = terms_of("net:a/b.onnx?encoder=mortal-3&name=deep"), terms_of("net:c.safetensors")
    assert short.args == {"encoder": "mortal-3", "model": "a/b.onnx"} and short.label == "deep"
    assert long.args == {"model": "c.safetensors"} and long.label == "Net(c.safetensors)"


def test_the_student_plays_without_a_fault(jantaku: Jantaku) -> None:
    played = jantaku("play", "--players", "student,caller,dice,student", "--length", "one", "--strict", "--quiet")
    assert played.code == 0, played.err


def test_without_a_clone_the_student_names_its_net(
    jantaku: Jantaku, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Student, "weights", tmp_path / "student.safetensors")
    played = jantaku("play", "--players", "student,caller,dice,dice", "--length", "one")
    assert played.code == 2 and played.err.count("\n") == 1
    assert "its net is only in a clone of jantaku: play net:CLONE/table/learn/student.safetensors" in played.err


def test_the_file_that_the_page_writes_sits_down(jantaku: Jantaku, cwd: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "nets.md").read_text("utf-8")
    (code,) = re.findall(r"```python\n(  import numpy as np.*?)```", page, re.DOTALL)
    exec(compile(textwrap.dedent(code), "nets.md", "exec"), {})
    played = jantaku("play", "--players", "net:policy.safetensors,dice,dice,dice", "--length", "one", "--strict")
    assert played.code == 0, played.err


def test_the_values_of_mortals_numbers_are_said_in_its_form(tmp_path: Path) -> None:
    game, net, heard = Hanchan("tenhou", seed="5"), Net(str(conv(tmp_path / "a.safetensors"))), 0
    declared = 0
    while game.question and declared < 3:
        asked = game.question
        if asked.player:
            game.answer()
            continue
        for index in range(heard, len(game.game.events)):
            net.hear(game.game.masked(index, 0))
        heard = len(game.game.events)
        answer = net.answer(Question(0, 0, asked.choice))
        remark: Any = net.remark()
        bits = bin(remark["mask_bits"]).count("1")
        assert bits == len(remark["q_values"]) > 1 or "dahai" in remark
        declared += "dahai" in remark
        game.answer(answer)
    assert bits > 0


@pytest.mark.long
@pytest.mark.parametrize(("chosen", "told"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "3"}, "3")])
def test_a_net_has_no_threads_of_numpy_unless_they_are_asked_for(chosen: dict[str, str], told: str) -> None:
    code = "import jantaku.table.learn.nets, os; print(os.environ['OPENBLAS_NUM_THREADS'])"
    kept = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    ran = subprocess.run(
        [sys.executable, "-c", code], env={**kept, **chosen}, capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == told


FLOAT, INT, BOOL = 1, 7, 9


def _varint(value: int) -> bytes:
    out = b""
    while value > 0x7F:
        out, value = out + bytes([value & 0x7F | 0x80]), value >> 7
    return out + bytes([value])


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, value: bytes | str) -> bytes:
    data = value.encode() if isinstance(value, str) else value
    return _varint(field << 3 | 2) + _varint(len(data)) + data


def _tensor(name: str, array: Any, kind: int) -> bytes:
    dims = b"".join(_number(1, size) for size in array.shape)
    return dims + _number(2, kind) + _bytes(8, name) + _bytes(9, array.tobytes())


def _value(name: str, shape: tuple[int | str, ...], kind: int = FLOAT) -> bytes:
    dims = b"".join(_bytes(1, _bytes(2, size) if isinstance(size, str) else _number(1, size)) for size in shape)
    return _bytes(1, name) + _bytes(2, _bytes(1, _number(1, kind) + _bytes(2, dims)))


def _node(kind: str, given: tuple[str, ...], told: str) -> bytes:
    return b"".join(_bytes(1, one) for one in given) + _bytes(2, told) + _bytes(4, kind)


def _loop(columns: int) -> bytes:
    """A node that has `values` of `first`, and does not end."""
    body = _bytes(1, _node("Identity", ("on",), "still")) + _bytes(1, _node("Identity", ("old",), "new"))
    body += _bytes(2, "body") + _bytes(11, _value("turn", (), INT)) + _bytes(11, _value("on", (), BOOL))
    body += _bytes(11, _value("old", ("batch", columns))) + _bytes(12, _value("still", (), BOOL))
    body += _bytes(12, _value("new", ("batch", columns)))
    held = _bytes(1, "body") + _bytes(6, body) + _number(20, 5)
    return _node("Loop", ("", "true", "first"), "values") + _bytes(5, held)


def onnx_model(shape: tuple[int, ...], weight: Any, *, endless: bool = False) -> bytes:
    """The model `Flatten(obs) @ weight` for observations of this shape, float32; `endless`: it does not come to its
    end."""
    product = _node("MatMul", ("flat", "w"), "first" if endless else "values")
    nodes = _bytes(1, _node("Flatten", ("obs",), "flat")) + _bytes(1, product)
    held = _bytes(5, _tensor("w", np.ascontiguousarray(weight, np.float32), FLOAT))
    if endless:
        nodes += _bytes(1, _loop(weight.shape[1]))
        held += _bytes(5, _tensor("true", np.array(True), BOOL))
    ends = _bytes(11, _value("obs", ("batch", *shape))) + _bytes(12, _value("values", ("batch", weight.shape[1])))
    graph = nodes + _bytes(2, "one product") + held + ends
    return _number(1, 8) + _bytes(7, graph) + _bytes(8, _number(2, 13))
