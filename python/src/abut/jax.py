"""Distances for JAX, with gradients: an extra, ``pip install abut[jax]``.

The functions can be traced, batched by ``vmap`` and differentiated in reverse mode. Numbers are of double precision: call
``jax.config.update("jax_enable_x64", True)`` first.
"""

from __future__ import annotations

from typing import Any, Callable

import jax
import jax.numpy as jnp
import numpy as np

from . import pairs
from .shapes import ShapeLike


def distance(a: ShapeLike, b: ShapeLike, *, settings: pairs.Settings | None = None) -> Callable[[Any, Any], Any]:
    """The function of two poses (7,) that gives the gap of A and B: ``gap = distance(a, b)(pose_a, pose_b)``. With ``vmap`` the poses are (n, 7)."""

    def on_host(pose_a: Any, pose_b: Any) -> tuple[Any, Any, Any]:
        place_a, place_b = np.broadcast_arrays(np.asarray(pose_a, dtype=np.float64), np.asarray(pose_b, dtype=np.float64))
        found, by = pairs.distance_derivatives(a, place_a.reshape(-1, 7), b, place_b.reshape(-1, 7), settings=settings)
        shape = place_a.shape
        by_a, by_b = by[:, :6].reshape(*shape[:-1], 6), by[:, 6:].reshape(*shape[:-1], 6)
        return found.gap.reshape(shape[:-1]), pairs.pose_gradient(by_a, place_a), pairs.pose_gradient(by_b, place_b)

    def ask(pose_a: Any, pose_b: Any) -> Any:
        if not jax.config.jax_enable_x64:
            raise TypeError('abut.jax needs double precision: jax.config.update("jax_enable_x64", True)')
        shapes = (jax.ShapeDtypeStruct((), jnp.float64), jax.ShapeDtypeStruct((7,), jnp.float64), jax.ShapeDtypeStruct((7,), jnp.float64))
        return jax.pure_callback(on_host, shapes, pose_a, pose_b, vmap_method="broadcast_all")

    @jax.custom_vjp
    def gap(pose_a: Any, pose_b: Any) -> Any:
        return ask(pose_a, pose_b)[0]

    def forward(pose_a: Any, pose_b: Any) -> tuple[Any, Any]:
        value, by_a, by_b = ask(pose_a, pose_b)
        return value, (by_a, by_b)

    def backward(kept: Any, by_gap: Any) -> tuple[Any, Any]:
        return by_gap * kept[0], by_gap * kept[1]

    gap.defvjp(forward, backward)
    return gap  # type: ignore[no-any-return]
