"""A smallest ONNX model, written without the package `onnx`: one product with a matrix, and a mean over kinds."""

from typing import Any

import numpy as np

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
