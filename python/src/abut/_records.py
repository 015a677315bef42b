"""Results: arrays of records with named fields. A field is a view of the records, so nothing is copied."""

from __future__ import annotations

from typing import Any, Generic, Iterator, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import _core

Self = TypeVar("Self", bound="Records")
Scalar = TypeVar("Scalar", bound=np.generic)


def _dtype(layout: Any) -> Any:
    formats = [_dtype(f) if isinstance(f, dict) else f for f in layout["formats"]]
    spec: Any = {**layout, "formats": formats}
    return np.dtype(spec)


LAYOUTS: dict[str, Any] = {name: _dtype(layout) for name, layout in _core.LAYOUTS.items()}


def _packed(dtype: Any) -> Any:
    """The same fields without gaps: the bytes of a gap mean nothing."""
    if dtype.subdtype is not None:
        return np.dtype((_packed(dtype.subdtype[0]), dtype.subdtype[1]))
    if dtype.names is None:
        return dtype
    return np.dtype([(name, _packed(dtype.fields[name][0])) for name in dtype.names])


class Column(Generic[Scalar]):
    """A field of records as an attribute: for one record a number or a small array, for n records an array with n rows."""

    def __init__(self, doc: str) -> None:
        self.__doc__ = doc

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, records: Records, owner: type) -> NDArray[Scalar]:
        column: Any = self if records is None else records._raw[self._name][()]
        return column  # type: ignore[no-any-return]


class Records:
    """Records of one kind. Index them like an array; ``len`` counts them."""

    __slots__ = ("_raw",)

    def __init__(self, raw: NDArray[Any]) -> None:
        self._raw = raw

    def to_structured(self) -> NDArray[Any]:
        """All fields as one structured array of NumPy. It shares its memory with these records."""
        raw: NDArray[Any] = self._raw
        return raw

    @property
    def shape(self) -> tuple[int, ...]:
        """() for one record, (n,) for many."""
        return self._raw.shape

    def __len__(self) -> int:
        return len(self._raw)

    def __getitem__(self: Self, index: Any) -> Self:
        picked = self._raw[index]
        if not isinstance(picked, np.ndarray):
            picked = np.asarray(picked)
        return type(self)(picked)

    def __iter__(self: Self) -> Iterator[Self]:
        for i in range(len(self._raw)):
            yield self[i]

    def tobytes(self) -> bytes:
        """The bits of all fields, without the gaps between them."""
        return bytes(self._raw.astype(_packed(self._raw.dtype)).tobytes())

    def __eq__(self, other: object) -> bool:
        """True for the same bits of all fields."""
        return isinstance(other, Records) and type(other) is type(self) and self.shape == other.shape and self.tobytes() == other.tobytes()

    def __hash__(self) -> int:
        return hash(self.tobytes())

    def __repr__(self) -> str:
        names = self._raw.dtype.names or ()
        if self._raw.ndim == 0:
            fields = ", ".join(f"{name}={self._raw[name][()]!r}" for name in names)
            return f"{type(self).__name__}({fields})"
        return f"<{type(self).__name__}: {len(self._raw)} records with the fields {', '.join(names)}>"


def view(found: Any, layout: str, single: bool = False) -> Any:
    """The records that the extension module returned as bytes."""
    if single:
        return np.ndarray((), LAYOUTS[layout], found)
    return np.frombuffer(found, LAYOUTS[layout])


def numbers(found: Any, dtype: Any) -> Any:
    """Plain numbers that the extension module returned as bytes."""
    return np.frombuffer(found, dtype)


class Features(Records):
    """Features of shapes: a kind with an index in the list of that kind, and a part of a compound."""

    __slots__ = ()
    kind = Column[np.int32]("0 none, 1 face, 2 edge, 3 vertex, 4 a point of a curved surface.")
    index = Column[np.int32]("Index in the shape's list of that kind.")
    part = Column[np.int32]("Part of a compound; else 0.")


class _Sides(Records):
    __slots__ = ()

    @property
    def feature_a(self) -> Features:
        """Feature of A."""
        return Features(np.asarray(self._raw["feature_a"]))

    @property
    def feature_b(self) -> Features:
        """Feature of B."""
        return Features(np.asarray(self._raw["feature_b"]))


class Separations(_Sides):
    """Distances of shapes apart, or depths of overlaps, as signed gaps."""

    __slots__ = ()
    gap = Column[np.float64]("Distance when apart, minus the depth when overlapping.")
    on_a = Column[np.float64]("Closest or deepest point on A, world frame.")
    on_b = Column[np.float64]("The same on B; gap = dot(normal, on_a - on_b).")
    normal = Column[np.float64]("Unit, from B into A.")
    flags = Column[np.uint32]("1: the normal is not unique and was chosen by rule.")


class Hits(_Sides):
    """What rays or moving shapes hit."""

    __slots__ = ()
    hit = Column[np.bool_]("False: nothing was hit.")
    started_inside = Column[np.bool_]("True: it began inside; the fraction is 0.")
    fraction = Column[np.float64]("Fraction of the way at the hit, 0 to 1; 1 when nothing was hit.")
    point = Column[np.float64]("Point of the hit, world frame.")
    normal = Column[np.float64]("Unit, out of the shape that was hit, or from B into A.")
    iterations = Column[np.int32]("Steps of conservative advancement; 0 for rays.")


class Growths(Records):
    """Growth distances."""

    __slots__ = ()
    alpha = Column[np.float64]("Factor by which both bodies grow about their contraction points until they just touch; below 1 they overlap.")
    alpha_lower = Column[np.float64]("Certified lower bound of alpha.")
    normal = Column[np.float64]("Unit, from B into A.")
    gap = Column[np.float64]("Gap along the normal.")
    touch = Column[np.float64]("Point where the scaled bodies touch.")
    on_a = Column[np.float64]("Surface point of A that moves to `touch`.")
    on_b = Column[np.float64]("Surface point of B that moves to `touch`.")
    contraction_a = Column[np.float64]("Contraction point of A.")
    contraction_b = Column[np.float64]("Contraction point of B.")
    iterations = Column[np.int32]("Support evaluations.")
    normal_chosen = Column[np.bool_]("Several normals are equally valid; one was chosen by rule.")


class Rates(Records):
    """Time derivatives of contacts."""

    __slots__ = ()
    gap_rate = Column[np.float64]("First derivative of the gap.")
    gap_acceleration = Column[np.float64]("Second derivative of the gap, without accelerations of the bodies.")
    bias = Column[np.float64]("Part of gap_acceleration that does not depend on forces.")
    normal_rate = Column[np.float64]("Derivative of the normal.")
    on_a_rate = Column[np.float64]("Velocity of the contact point on A.")
    on_b_rate = Column[np.float64]("Velocity of the contact point on B.")
    flags = Column[np.uint32]("1 the surfaces conform, 2 the normal is held in B, 4 the points are not a local minimum of the distance.")


class Depths(Records):
    """Deformable penetration depths of tetrahedra."""

    __slots__ = ()
    relation = Column[np.int32]("1 disjoint, 2 touching, 3 intersecting.")
    depth = Column[np.float64]("sqrt(weight_a sigma_a + weight_b sigma_b).")
    sigma_a = Column[np.float64]("Square of the object norm of A's displacement.")
    sigma_b = Column[np.float64]("Square of the object norm of B's displacement.")
    normal = Column[np.float64]("Unit, from B into A.")
    offset = Column[np.float64]("Offset of the plane between the displaced bodies.")
    displacement_a = Column[np.float64]("Displacements of A's vertices, (4, 3).")
    displacement_b = Column[np.float64]("Displacements of B's vertices, (4, 3).")
    direction = Column[np.int32]("Features that define the normal: 1 face of A, 2 face of B, 3 edges, 4 a plane, 5 a search.")
    certified = Column[np.bool_]("No other normal separates the pair at less cost.")
    rigid_gap = Column[np.float64]("Greatest gap over all directions; negative: minus the rigid depth.")
    rigid_normal = Column[np.float64]("Direction of this gap.")
