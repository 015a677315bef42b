"""Shapes: the geometry of bodies. A shape is immutable, can be pickled, and is equal to another one that was made from the same numbers."""

from __future__ import annotations

import os
from typing import Any, Callable, Iterable, Mapping, NamedTuple, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _arrays, _core
from ._arrays import Floats
from ._core import Shape, Shapes
from ._records import view

ShapeLike = Union[Shape, Shapes, Sequence[Shape]]

_MAKERS: dict[str, Callable[..., Shape]] = {}


def _frozen(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        value = value.copy() if value.base is not None or value.flags.writeable else value
        value.setflags(write=False)
    return value


def _shape(maker: str, *arguments: Any) -> Shape:
    """Calls a maker of the extension module and keeps what it was called with."""
    frozen = tuple(_frozen(value) for value in arguments)
    shape: Shape = getattr(_core, maker)(*frozen)
    shape.definition = (maker, frozen)
    return shape


def _key(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype.str, value.tobytes()
    if isinstance(value, (tuple, list)):
        return tuple(_key(one) for one in value)
    if isinstance(value, float):
        return np.float64(value).tobytes()
    if isinstance(value, Shape):
        return _key(value.definition)
    return value


def _reduce(shape: Any) -> tuple[Callable[..., Shape], tuple[Any, ...]]:
    maker, arguments = shape.definition
    return _shape, (maker, *arguments)


def _refuse_pickle(shapes: Any) -> Any:
    raise TypeError("abut.Shapes cannot be pickled; pickle the list of its shapes")


def _word(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"array{value.shape}" if value.size > 4 else np.array2string(value, separator=", ")
    if isinstance(value, tuple) and value and isinstance(value[0], Shape):
        return f"{len(value)} parts"
    return repr(value)


def _repr(shape: Any) -> str:
    maker, arguments = shape.definition
    return f"abut.{maker}({', '.join(_word(value) for value in arguments)})"


def _hash(shape: Any) -> int:
    return hash(_key(shape.definition))


def _equal(shape: Any, other: object) -> bool:
    return shape is other or (isinstance(other, Shape) and _key(shape.definition) == _key(other.definition))


for _name, _method in {"__reduce__": _reduce, "__repr__": _repr, "__hash__": _hash, "__eq__": _equal}.items():
    setattr(Shape, _name, _method)
setattr(Shapes, "__reduce__", _refuse_pickle)


def shapes(all: Iterable[Shape]) -> Shapes:
    """Many shapes for a batch, one for each element. Make it once and use it in many calls; ``take`` picks shapes by their indices."""
    return _core.shapes(list(all))


def sphere(radius: float) -> Shape:
    """A ball with its centre at the origin. ``radius`` > 0."""
    return _shape("sphere", float(radius))


def capsule(radius: float, half_length: float) -> Shape:
    """All points within ``radius`` of the segment from (0, 0, -half_length) to (0, 0, half_length)."""
    return _shape("capsule", float(radius), float(half_length))


def box(half: ArrayLike) -> Shape:
    """The box |x| <= half[0], |y| <= half[1], |z| <= half[2]."""
    return _shape("box", _arrays.vector(half, "half"))


def polytope(vertices: ArrayLike, faces: Sequence[Sequence[int]] | NDArray[np.integer[Any]], tolerance: float = 0.0) -> Shape:
    """A convex polytope from its vertices (n, 3) and faces: lists of indices, counter-clockwise seen from outside. Closed, outward and convex surfaces only."""
    points, _ = _arrays.vectors(vertices, "vertices")
    sizes = _arrays.indices([len(face) for face in faces], "faces")
    corners = _arrays.indices([int(i) for face in faces for i in face], "faces")
    return _shape("polytope", points, sizes, corners, float(tolerance))


def hull(points: Any) -> Shape:
    """The convex hull of points (n, 3), n >= 4, by qhull, or of the vertices of a mesh as ``trimesh`` takes it."""
    if isinstance(points, (str, os.PathLike)) or hasattr(points, "vertices") or hasattr(points, "cells_dict"):
        points = _surface_of(points)[0]
    return _shape("hull", _arrays.vectors(points, "points")[0])


def cylinder(radius: float, half_height: float) -> Shape:
    """The solid cylinder x^2 + y^2 <= radius^2, |z| <= half_height."""
    return _shape("cylinder", float(radius), float(half_height))


def cone(radius: float, height: float) -> Shape:
    """A solid cone about the z axis; its centre of mass is the origin, its apex is at z = 3 height / 4."""
    return _shape("cone", float(radius), float(height))


def frustum(radius: float, top_radius: float, height: float) -> Shape:
    """A truncated cone about the z axis with its centre of mass at the origin."""
    return _shape("frustum", float(radius), float(top_radius), float(height))


def prism(radius: float, half_height: float, sides: int = 32) -> Shape:
    """A right prism over a regular polygon inscribed in a circle, about the z axis."""
    return _shape("prism", float(radius), float(half_height), int(sides))


def pyramid(radius: float, height: float, sides: int = 32) -> Shape:
    """A right pyramid over a regular polygon inscribed in a circle, about the z axis; its centre of mass is the origin."""
    return _shape("pyramid", float(radius), float(height), int(sides))


def plane(normal: ArrayLike = (0.0, 0.0, 1.0), offset: float = 0.0) -> Shape:
    """The half-space n . x <= offset with the unit vector n along ``normal``."""
    return _shape("plane", _arrays.vector(normal, "normal"), float(offset))


def compound(parts: Sequence[Shape], poses: ArrayLike) -> Shape:
    """A rigid union of convex shapes at poses (n, 7) or (n, 4, 4)."""
    return _shape("compound", tuple(parts), _arrays.poses(poses, "poses")[0])


def ellipsoid(half: ArrayLike) -> Shape:
    """The ellipsoid with these semi-axes."""
    return _shape("ellipsoid", _arrays.vector(half, "half"))


def superquadric(half: ArrayLike, e1: float, e2: float) -> Shape:
    """The superellipsoid with these semi-axes and exponents; 1 is round, towards 0 square, towards 2 a double cone."""
    return _shape("superquadric", _arrays.vector(half, "half"), float(e1), float(e2))


def torus(ring_radius: float, tube_radius: float) -> Shape:
    """The torus about the z axis. It is not convex: its contacts are searched on a mesh, and then made exact."""
    return _shape("torus", float(ring_radius), float(tube_radius))


def implicit(formula: str, lower: ArrayLike, upper: ArrayLike, inside: ArrayLike, parameters: Mapping[str, float] | None = None, convex: bool = True) -> Shape:
    """The body F(x, y, z) <= 0 of a formula, within the box from ``lower`` to ``upper`` around the point ``inside``. Derivatives are made from the formula."""
    named = tuple((str(name), float(value)) for name, value in (parameters or {}).items())
    return _shape("implicit", formula, _arrays.vector(lower, "lower"), _arrays.vector(upper, "upper"), _arrays.vector(inside, "inside"), named, bool(convex))


def parametric(surface: tuple[str, str, str], u: tuple[float, float], v: tuple[float, float], u_periodic: bool = False, v_periodic: bool = False,
               parameters: Mapping[str, float] | None = None, convex: bool = True) -> Shape:
    """The body with the closed surface (x(u, v), y(u, v), z(u, v)), three formulas."""
    named = tuple((str(name), float(value)) for name, value in (parameters or {}).items())
    ranges = (float(u[0]), float(u[1])), (float(v[0]), float(v[1]))
    return _shape("parametric", (str(surface[0]), str(surface[1]), str(surface[2])), *ranges, bool(u_periodic), bool(v_periodic), named, bool(convex))


def trimesh(mesh: Any, triangles: ArrayLike | None = None, *, scale: ArrayLike = (1.0, 1.0, 1.0), two_sided: bool = False, smooth_angle: float = 0.0) -> Shape:
    """A triangle mesh: from vertices (n, 3) and ``triangles`` (m, 3), or from an object with ``vertices`` and ``faces``, such as a ``trimesh.Trimesh``, or one
    with ``points`` and triangle cells, such as a ``meshio.Mesh``, or from a file that the package trimesh reads. Any set of triangles is taken: open, torn,
    degenerate."""
    if triangles is None:
        mesh, triangles = _surface_of(mesh)
    return _shape("trimesh", _arrays.vectors(mesh, "vertices")[0], _arrays.indices(triangles, "triangles", 3), _arrays.vector(scale, "scale"), bool(two_sided),
                  float(smooth_angle))


def heightfield(heights: ArrayLike, spacing: tuple[float, float] = (1.0, 1.0), *, two_sided: bool = False) -> Shape:
    """A surface over a grid: ``heights[row, column]`` at x = spacing[0] * column, y = spacing[1] * row."""
    grid = _arrays.floats(heights)
    if grid.ndim != 2:
        raise ValueError(f"heights: shape (rows, columns) is expected, not {grid.shape}")
    return _shape("heightfield", grid, float(spacing[0]), float(spacing[1]), bool(two_sided))


def facetmesh(
    mesh: Any,
    triangles: ArrayLike | None = None,
    radii: ArrayLike | None = None,
    *,
    cross_radii: ArrayLike | None = None,
    directions: ArrayLike | None = None,
    lip_radius: float = 0.0,
    principal: bool = False,
) -> Shape:
    """A closed mesh of rounded triangles for granular matter; radii (m,) of curvature, or None to estimate them.

    With cross_radii (m,), the radii are those along the principal directions (m, 3), and cross_radii those at a right angle to them.
    lip_radius rounds the edges and corners of flat triangles. principal: estimate both principal curvatures instead of their mean.
    """
    if triangles is None:
        mesh, triangles = _surface_of(mesh)
    along, across = (None if one is None else _arrays.floats(one) for one in (radii, cross_radii))
    turned = None if directions is None else _arrays.vectors(directions, "directions")[0]
    return _shape("facetmesh", _arrays.vectors(mesh, "vertices")[0], _arrays.indices(triangles, "triangles", 3), along, across, turned, float(lip_radius), bool(principal))


def with_contraction(shape: Shape, point: ArrayLike) -> Shape:
    """The same shape with another contraction point of the growth distance, strictly inside."""
    return _shape("with_contraction", shape, _arrays.vector(point, "point"))


def with_mass(shape: Shape, mass: float, centre: ArrayLike | None = None, inertia: ArrayLike | None = None) -> Shape:
    """The same shape with a mass distribution of the caller: the centre of mass, and the inertia about it at this mass, shape frame: three moments about the axes
    or a matrix (3, 3). None: those of ``shape``. The inertia of a body of this shape is in the ratio of its own mass to ``mass``. Contacts do not change."""
    if centre is None or inertia is None:
        own = view(_core.mass(shape, 1.0), "mass", True)
        centre = own["centre"].copy() if centre is None else centre
        inertia = own["inertia"] * (float(mass) / float(own["mass"])) if inertia is None else inertia
    tensor = _arrays.floats(inertia)
    if tensor.shape not in ((3,), (3, 3)):
        raise ValueError(f"inertia: three moments or a matrix (3, 3) are expected, not an array of shape {tensor.shape}")
    rows = np.diag(tensor) if tensor.ndim == 1 else tensor
    return _shape("with_mass", shape, float(mass), _arrays.vector(centre, "centre"), rows.flatten())


def _surface_of(mesh: Any) -> tuple[Any, Any]:
    """Vertices and triangles of a file, or of an object of another library."""
    if isinstance(mesh, (str, os.PathLike)):
        try:
            import trimesh as reader  # type: ignore[import-untyped, import-not-found, unused-ignore]
        except ImportError as missing:
            raise ImportError("mesh files are read by trimesh: pip install trimesh") from missing
        if not os.path.isfile(mesh):
            raise FileNotFoundError(f"{os.fspath(mesh)} does not exist")
        mesh = reader.load(mesh, force="mesh")
    if hasattr(mesh, "vertices") and hasattr(mesh, "faces"):
        return mesh.vertices, mesh.faces
    if hasattr(mesh, "points") and hasattr(mesh, "cells_dict"):
        cells = mesh.cells_dict
        if "triangle" not in cells:
            raise ValueError(f"the mesh has no triangles; its cells are: {', '.join(cells) or 'none'}")
        return mesh.points, cells["triangle"]
    raise TypeError("triangles are missing: give them, or an object with vertices and faces, or with points and cells")


class Mass(NamedTuple):
    """Mass properties of a body, shape frame."""

    mass: float
    volume: float
    centre: Floats
    inertia: Floats


def mass(shape: Shape, density: float = 1.0) -> Mass:
    """Mass, volume, centre of mass (3,) and inertia tensor (3, 3) about it, for a uniform density, or for this mean density of a shape ``with_mass``."""
    raw = view(_core.mass(shape, float(density)), "mass", True)
    return Mass(float(raw["mass"]), float(raw["volume"]), raw["centre"].copy(), raw["inertia"].copy())


def bounds(shape: Shape, pose: ArrayLike | None = None) -> tuple[Floats, Floats]:
    """The smallest axis-aligned box around the posed shape: its lower and upper corner."""
    lower, upper = _core.bounds(shape, _arrays.poses(pose, "pose")[0][:1])
    return np.array(lower), np.array(upper)


def support(shape: Shape, direction: ArrayLike) -> Floats:
    """The farthest point of the shape along a direction, shape frame."""
    return np.array(_core.support(shape, _arrays.vector(direction, "direction"))[0])


def surface(shape: Shape) -> tuple[Floats, list[list[int]]]:
    """Vertices (n, 3) and faces of a box or polytope, as contacts number them."""
    vertices, faces = _core.surface(shape)
    return np.array(vertices), faces
