"""A model file sits down: `net:model.onnx?encoder=mortal-3`, or `net:policy.safetensors`.

An ONNX model takes observations of its encoder, and has a value for each number. A `.safetensors` file is a stack of
layers that numpy runs; `save` writes one. Pickles are programs and are not opened.

`NetPlayer` is the base of a bot that asks a net: it hears its seat's events, and plays what the net values most.
"""

import atexit
import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from jantaku.players.seeded import Seeded
from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.installation import lacking
from jantaku.table.ground.port import Action, Choice, Question
from jantaku.table.learn.encoders import ENCODERS, encoder_of
from jantaku.table.learn.encoding import Mask, NetEncoder, SeatEncoder
from jantaku.table.riichi.events import Event


class NetPlayer(Seeded, ABC):
    """A riichi bot that plays the allowed number with the highest value. A subclass names its encoder and defines
    `values`:

        class Policy(NetPlayer):
            encoder = "mortal-3"

            def values(self, obs, mask):
                return net(obs)
    """

    game = "riichi"
    encoder = "jantaku-1"

    @abstractmethod
    def values(self, obs: Any, mask: Mask) -> Any:
        """A value for each number of the encoder. Values of numbers that `mask` does not allow are ignored; one that is
        no number (NaN) is this player's fault."""

    def hear(self, event: Event) -> None:
        """Bring what the seat sees up to date."""
        self._seat.hear(event)

    def answer(self, question: Question) -> Action:
        self._valued: list[tuple[int, Mask, Any]] = []
        meant: Action | int | None = self._kind.unasked(question.choice)
        while meant is None or isinstance(meant, int):
            number = self._highest(question.choice, meant)
            meant = self._kind.meant(question.choice, number, meant)
        return meant

    def remark(self) -> object:
        """The values of the last question, for readers of the record: of Mortal's numbers in the form of its relatives,
        which the viewer draws at the options, of others by the words of their numbers."""
        told = [self._said(mask, values) for _, mask, values in self._valued]
        if len(told) < 2 or self._kind.words[self._valued[0][0]] != "riichi":  # a kan's second numbers are kinds
            return told[0] if told else None
        return {**told[0], "dahai": told[1]}

    def _highest(self, choice: Choice, first: int | None) -> int:
        """The number that is valued most, which is remembered with the values."""
        obs, mask = self._buffers
        self._seat.observe(choice, obs, mask, first)
        values = np.asarray(self.values(obs, mask), np.float64)
        if values.shape != mask.shape:
            raise ValueError(f"values are of shape {values.shape}; {self.encoder} has {mask.shape}")
        allowed = np.flatnonzero(mask)
        if np.isnan(values[allowed]).any():
            wrong = int(allowed[np.isnan(values[allowed])][0])
            raise ValueError(f"the value of {wrong} ({self._kind.words[wrong]}) is not a number")
        number = int(allowed[values[allowed].argmax()])
        self._valued.append((number, mask.copy(), values))
        return number

    def _said(self, mask: Mask, values: Any) -> dict[str, object]:
        numbers = np.flatnonzero(mask).tolist()
        told = [round(float(values[number]), 4) for number in numbers]
        if not self._kind.seconds:
            return {"values": {self._kind.words[number]: value for number, value in zip(numbers, told, strict=True)}}
        return {"q_values": told, "mask_bits": sum(1 << number for number in numbers)}

    @cached_property
    def _kind(self) -> NetEncoder:
        return encoder_of(self.encoder)

    @cached_property
    def _seat(self) -> SeatEncoder:
        return self._kind.seat()

    @cached_property
    def _buffers(self) -> tuple[Any, Mask]:
        return self._kind.buffers()


ENDING: Final = 2.0
"""Seconds for the runs of models to end where the process ends."""
LARGEST: Final = 1 << 30
"""Most bytes of layers that numpy runs. A sparse file may claim any number, and its library does not survive that."""
FORM: Final = "layers-1"
"""The form of our own files, in their metadata."""
PICKLES: Final = (".pt", ".pth", ".pkl", ".pickle", ".bin", ".ckpt", ".joblib")
Floats = NDArray[np.float32]
Values = Callable[[Floats], Any]
"""Returns the values of a batch of observations."""


class Model:
    """A model that was read: its encoder, and `values` of a batch of observations."""

    def __init__(self, encoder: NetEncoder, values: Values) -> None:
        self.encoder, self.values = encoder, values


class Net(NetPlayer):
    """Plays by a model file. `encoder` is needed for a file that does not name its own."""

    def __init__(self, model: str, encoder: str = "", seed: int = 0) -> None:
        self._model = model_of(model, encoder)
        self.encoder = self._model.encoder.name

    def values(self, obs: Any, mask: Mask) -> Any:
        """The values of the model."""
        return self._model.values(obs[None].astype(np.float32, copy=False))[0]


class Student(Net):
    """A small net that learned from 600 hanchan of `shanten`, and plays nearly like it (docs/examples/imitate.py)."""

    weights = Path(__file__).with_name("student.safetensors")

    def __init__(self, *, seed: int = 0) -> None:
        if not self.weights.exists():  # a wheel would carry 870 kB that few can load
            raise BadInput(
                "student: its net is only in a clone of jantaku: play net:CLONE/table/learn/student.safetensors"
            )
        super().__init__(str(self.weights))


def model_of(path: str, encoder: str = "") -> Model:
    """Read a model, once in a process. Raises BadInput for a file that is none or does not fit its encoder."""
    try:
        told = os.stat(path)
    except OSError as problem:
        raise BadInput(f"{path}: {problem.strerror}") from problem
    return _read(path, encoder, told.st_mtime_ns, told.st_size)


@cache
def _read(path: str, encoder: str, changed: int, size: int) -> Model:
    ending = Path(path).suffix.lower()
    if ending in PICKLES:
        raise BadInput(f"{path}: a pickle is a program and is not opened; export the model: torch.onnx.export(…)")
    if ending not in (".onnx", ".safetensors"):
        raise BadInput(f"{path}: not a model file; allowed are .onnx and .safetensors")
    if ending == ".onnx":
        return _onnx(path, encoder)
    if size > LARGEST:
        raise BadInput(f"{path}: {size} bytes of layers; allowed are {LARGEST}: export a larger model to ONNX")
    return _layers(path, encoder)


def _named(path: str, encoder: str) -> NetEncoder:
    if not encoder:
        raise BadInput(f"{path}: it does not name its encoder; write net:{path}?encoder=…: {', '.join(ENCODERS)}")
    return encoder_of(encoder)


# --- ONNX


def _onnx(path: str, encoder: str) -> Model:
    try:
        import onnxruntime
    except ImportError as problem:
        raise BadInput(lacking("onnxruntime") or str(problem)) from problem
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # the same bits on every machine of a kind
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception as problem:  # it has no common base of its own
        raise BadInput(f"{path}: not an ONNX model that can be run: {_line(problem)}") from problem
    kind, (given, *more), (told, *_) = _named(path, encoder), session.get_inputs(), session.get_outputs()
    if more or given.type != "tensor(float)" or not _fits(given.shape, kind.shape):
        inputs = ", ".join(f"{one.name} {one.type} {one.shape}" for one in (given, *more))
        raise BadInput(f"{path}: its inputs are {inputs}; {kind.name} is one float tensor {['batch', *kind.shape]}")
    if not _fits(told.shape, (kind.numbers,)):
        raise BadInput(f"{path}: its output {told.name} is {told.shape}; {kind.name} has {['batch', kind.numbers]}")

    def values(obs: Floats) -> Any:
        with _running(onnxruntime.RunOptions()) as options:
            return session.run([told.name], {given.name: obs}, options)[0]

    return Model(kind, values)


_runs: dict[int, Any] = {}
"""The options of the runs that are under way, by thread."""


@contextmanager
def _running(options: Any) -> Iterator[Any]:
    """A run of a model, which is ended where this process ends: a thread that is inside of its library then would end
    the process by a signal."""
    _runs[threading.get_ident()] = options
    try:
        yield options
    finally:
        del _runs[threading.get_ident()]


@atexit.register
def _end_runs() -> None:
    """End the runs of models that go on after their games, and wait a moment for that."""
    for options in list(_runs.values()):
        options.terminate = True
    until = Deadline(ENDING)
    while _runs and not until.over:
        threading.Event().wait(0.01)


def _fits(shape: Sequence[Any], wanted: tuple[int, ...]) -> bool:
    """Whether a tensor has a place for the batch and then these sizes; a name stands for any size."""
    return len(shape) == len(wanted) + 1 and all(
        size == want or not isinstance(size, int) for size, want in zip(shape[1:], wanted, strict=True)
    )


# --- our own files: layers that numpy runs


def save(path: str, encoder: str, layers: Sequence[str], weights: Mapping[str, Any]) -> None:
    """Write a stack of layers. `layers` are `scale` (times its weight), `conv` (along the kinds, as Conv1d with its
    middle at the kind), `dense` (as Linear), `relu` and `flat`; number n of them has the weights `n.weight` and
    `n.bias`, of the shapes that torch has. Raises BadInput if they do not fit."""
    arrays = {name: np.ascontiguousarray(array, np.float32) for name, array in weights.items()}
    _stacked(path, encoder_of(encoder), layers, arrays)
    save_file(arrays, path, {"jantaku": FORM, "encoder": encoder, "layers": " ".join(layers)})


def _layers(path: str, encoder: str) -> Model:
    try:
        with safe_open(path, "np") as file:
            told, weights = file.metadata() or {}, {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  no dict
    except (SafetensorError, OSError, TypeError) as problem:  # TypeError: a type that numpy has not
        raise BadInput(f"{path}: not a safetensors file: {_line(problem)}") from problem
    if told.get("jantaku") != FORM:
        raise BadInput(f"{path}: not of the form {FORM}, which jantaku.table.learn.nets.save writes; export to ONNX")
    kind = _named(path, encoder or told.get("encoder", ""))
    with np.errstate(over="ignore"):
        arrays = {name: np.asarray(array, np.float32) for name, array in weights.items()}
    return Model(kind, _stacked(path, kind, told.get("layers", "").split(), arrays))


def _stacked(path: str, kind: NetEncoder, layers: Sequence[str], weights: Mapping[str, Floats]) -> Values:
    """The function of a stack, tried once with an empty observation."""
    if wrong := sorted(name for name, array in weights.items() if not np.isfinite(array).all()):
        raise BadInput(f"{path}: {wrong[0]} has values that are not numbers")
    steps = [_layer(path, word, weights.get(f"{n}.weight"), weights.get(f"{n}.bias")) for n, word in enumerate(layers)]

    def values(obs: Floats) -> Floats:
        with np.errstate(all="ignore"):  # what is no number then is told at the question
            for step in steps:
                obs = step(obs)
        return obs

    try:
        shape = values(np.zeros((1, *kind.shape), np.float32)).shape
    except ValueError as problem:
        raise BadInput(f"{path}: its layers do not fit {kind.name}: {_line(problem)}") from problem
    if shape != (1, kind.numbers):
        raise BadInput(f"{path}: it ends with {shape}; {kind.name} has {(1, kind.numbers)}")
    return values


def _layer(path: str, word: str, weight: Floats | None, bias: Floats | None) -> Callable[[Floats], Floats]:
    if word == "relu":
        return lambda obs: np.maximum(obs, 0)
    if word == "flat":
        return lambda obs: obs.reshape(len(obs), -1)
    if word == "scale" and weight is not None:
        return lambda obs: obs * weight
    if weight is None or bias is None:
        raise BadInput(f"{path}: the layer {word} has no weights; allowed are scale, conv, dense, relu, flat")
    if word == "dense":
        return lambda obs: obs @ weight.T + bias
    if word == "conv" and weight.ndim == 3 and weight.shape[2] % 2:
        return lambda obs: _convolved(obs, weight) + bias[:, None]
    raise BadInput(f"{path}: the layer {word} {weight.shape} is not known; allowed are scale, conv, dense, relu, flat")


def _convolved(obs: Floats, weight: Floats) -> Floats:
    """Slide over the last axis, with zeros beyond its ends."""
    width = weight.shape[2]
    padded = np.pad(obs, ((0, 0), (0, 0), (width // 2, width // 2)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, width, 2)  # batch, channel, kind, place
    found: Floats = np.einsum("bckw,ocw->bok", windows, weight, optimize=True)
    return found


def _line(problem: BaseException) -> str:
    return str(problem).strip().partition("\n")[0][:200]
