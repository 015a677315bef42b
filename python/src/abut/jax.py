"""Distances and deformable depths for JAX, with gradients: an extra, ``pip install abut[jax]``.

The functions can be traced, batched by ``vmap`` and differentiated in reverse mode. Numbers are of double precision: call
``jax.config.update("jax_enable_x64", True)`` first.
"""

from __future__ import annotations

from typing import Any, Callable

import jax
import jax.numpy as jnp

from . import _gradients, depths, pairs
from .shapes import ShapeLike

_Host = Callable[[Any, Any], tuple[Any, Any, Any]]


def _function(on_host: _Host, shape: tuple[int, ...]) -> Callable[[Any, Any], Any]:
    """The function of two arrays of a shape, from one on the host that also has its gradients by both."""

    def ask(a: Any, b: Any) -> Any:
        if not jax.config.jax_enable_x64:
            raise TypeError('abut.jax needs double precision: jax.config.update("jax_enable_x64", True)')
        results = (jax.ShapeDtypeStruct((), jnp.float64), jax.ShapeDtypeStruct(shape, jnp.float64), jax.ShapeDtypeStruct(shape, jnp.float64))
        return jax.pure_callback(on_host, results, a, b, vmap_method="broadcast_all")

    @jax.custom_vjp
    def value(a: Any, b: Any) -> Any:
        return ask(a, b)[0]

    def forward(a: Any, b: Any) -> tuple[Any, Any]:
        found, by_a, by_b = ask(a, b)
        return found, (by_a, by_b)

    def backward(kept: Any, by_value: Any) -> tuple[Any, Any]:
        return by_value * kept[0], by_value * kept[1]

    value.defvjp(forward, backward)
    return value  # type: ignore[no-any-return]


def distance(a: ShapeLike, b: ShapeLike, *, settings: pairs.Settings | None = None) -> Callable[[Any, Any], Any]:
    """The function of two poses (7,) that gives the gap of A and B: ``gap = distance(a, b)(pose_a, pose_b)``. With ``vmap`` the poses are (n, 7)."""
    return _function(lambda pose_a, pose_b: _gradients.distances(a, pose_a, b, pose_b, settings), (7,))


def depth(settings: depths.DepthSettings = depths.DepthSettings()) -> Callable[[Any, Any], Any]:
    """The function of the vertices (4, 3) of two tetrahedra that gives their deformable depth. With ``vmap`` the vertices are (n, 4, 3)."""
    return _function(lambda a, b: _gradients.deformable_depths(a, b, settings), (4, 3))


__all__ = ["depth", "distance"]
