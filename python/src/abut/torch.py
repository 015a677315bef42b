"""Distances and deformable depths for PyTorch, with gradients: an extra, ``pip install abut[torch]``.

The functions are differentiated in reverse mode, and batched by leading axes or by ``torch.func.vmap``. The library computes in double precision on the
processor; results have the type and the device of the first argument. A second derivative is refused with an error.
"""

from __future__ import annotations

from typing import Any, Callable

import numpy as np
import torch

from . import _gradients, depths, pairs
from .shapes import ShapeLike

_Host = Callable[[Any, Any], tuple[Any, Any, Any]]


def _host(tensor: Any) -> Any:
    return tensor.detach().cpu().numpy().astype(np.float64)


class _Value(torch.autograd.Function):  # type: ignore[misc, unused-ignore]
    """A value and its gradients by two tensors, whose last axes are those of one question. Only the value is differentiated."""

    generate_vmap_rule = False

    @staticmethod
    def forward(on_host: _Host, axes: int, a: Any, b: Any) -> Any:
        found = on_host(_host(a), _host(b))
        return tuple(torch.as_tensor(one.copy(), dtype=a.dtype, device=a.device) for one in found)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        _, ctx.axes, a, b = inputs
        ctx.shapes = (a.shape, b.shape)
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(output[1], output[2])

    @staticmethod
    def backward(ctx: Any, by_value: Any, by_first: Any, by_second: Any) -> Any:
        # The gradients are outputs that take part in the graph, so that whoever differentiates them comes here instead of getting zeros.
        if by_first is not None or by_second is not None:
            raise NotImplementedError("abut.torch has first derivatives only")
        if by_value is None:
            return None, None, None, None
        scale = by_value.reshape(by_value.shape + (1,) * ctx.axes)
        by_a, by_b = ((scale * kept).sum_to_size(shape) for kept, shape in zip(ctx.saved_tensors, ctx.shapes))
        return None, None, by_a, by_b

    @staticmethod
    def vmap(info: Any, in_dims: Any, on_host: _Host, axes: int, a: Any, b: Any) -> Any:
        # The batch becomes the first axis of both, before all axes that either has.
        rank = max(one.dim() - (dim is not None) for one, dim in zip((a, b), in_dims[2:]))

        def first(one: Any, dim: int | None) -> Any:
            one = one.unsqueeze(0) if dim is None else one.movedim(dim, 0)
            return one.reshape(one.shape[:1] + (1,) * (rank + 1 - one.dim()) + one.shape[1:])

        return _Value.apply(on_host, axes, first(a, in_dims[2]), first(b, in_dims[3])), (0, 0, 0)


def _function(on_host: _Host, axes: int) -> Callable[[Any, Any], Any]:
    def value(a: Any, b: Any) -> Any:
        for one in a, b:
            if not isinstance(one, torch.Tensor) or not one.is_floating_point():
                raise TypeError("abut.torch: tensors of floating-point numbers are expected")
        return _Value.apply(on_host, axes, a, b)[0]

    return value


def distance(a: ShapeLike, b: ShapeLike, *, settings: pairs.Settings | None = None) -> Callable[[Any, Any], Any]:
    """The function of poses (..., 7) that gives the gaps (...) of A and B: ``gap = distance(a, b)(pose_a, pose_b)``. Leading axes are broadcast."""
    return _function(lambda pose_a, pose_b: _gradients.distances(a, pose_a, b, pose_b, settings), 1)


def depth(settings: depths.DepthSettings = depths.DepthSettings()) -> Callable[[Any, Any], Any]:
    """The function of the vertices (..., 4, 3) of tetrahedra that gives their deformable depths (...). Leading axes are broadcast."""
    return _function(lambda a, b: _gradients.deformable_depths(a, b, settings), 2)


__all__ = ["depth", "distance"]
