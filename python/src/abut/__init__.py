"""Contact between bodies: where they touch, along which normal, how deep, how that changes in time, and which forces follow.

Batches over arrays in, arrays out. ``collide``, ``distance``, ``overlap``, ``growth_distance``, ``ray_cast``, ``shape_cast`` answer questions about pairs of
shapes; ``World`` moves bodies; ``depth`` and ``resolve`` separate tetrahedra. Answers are those of the C library, to the last bit.
"""

from ._core import Cache, Shape, Shapes
from ._errors import ArgumentError, Error, OutOfMemoryError, StaleError, Status
from ._records import Depths, Features, Growths, Hits, Rates, Records, Separations
from ._version import VERSION as __version__
from .depths import DepthSettings, LcpSolution, Mesh, Resolved, depth, depth_gradient, intersections, lcp_solve, resolve
from .pairs import (
    Contacts, Derivatives, FacetContacts, Settings, collide, contact_rates, derivatives, distance, distance_derivatives, facet_contacts, growth_derivatives,
    growth_distance, overlap, pose_gradient, ray_cast, shape_cast,
)  # fmt: skip
from .runs import CommandMissingError, Page, RecordedContacts, Recording, find_command, run, show
from .scenes import Scene, shape_to_json
from .mujoco import from_mujoco
from .urdf import from_urdf
from .usd import from_usd
from .shapes import (
    Mass, bounds, box, capsule, compound, cone, cylinder, ellipsoid, facetmesh, frustum, heightfield, hull, implicit, mass, parametric, plane, polytope, prism,
    pyramid, shapes, sphere, superquadric, support, surface, torus, trimesh, with_contraction, with_mass,
)  # fmt: skip
from .worlds import (
    ALL_BODIES, EVENTS, BodyInfos, BodyStates, BondStates, CellNodes, CellStates, Events, JointStates, Report, World, WorldContacts, WorldHits, Worlds,
)  # fmt: skip

__all__ = [
    "ALL_BODIES", "ArgumentError", "BodyInfos", "BodyStates", "BondStates", "Cache", "CellNodes", "CellStates", "CommandMissingError", "Contacts", "DepthSettings", "Depths", "Derivatives", "EVENTS", "Error",
    "Events", "FacetContacts", "Features", "Growths", "Hits", "JointStates", "LcpSolution", "Mass", "Mesh", "OutOfMemoryError", "Page", "Rates", "RecordedContacts",
    "Recording", "Records", "Report", "Resolved", "Scene", "Separations", "Settings", "Shape", "Shapes", "StaleError", "Status", "World", "WorldContacts",
    "WorldHits", "Worlds", "__version__", "bounds", "box", "capsule", "collide", "compound", "cone", "contact_rates", "cylinder", "depth",
    "depth_gradient", "derivatives", "distance", "distance_derivatives", "ellipsoid", "facet_contacts", "facetmesh", "find_command", "from_mujoco", "from_urdf", "from_usd", "frustum", "growth_derivatives", "growth_distance",
    "heightfield", "hull", "implicit", "intersections", "lcp_solve", "mass", "overlap", "parametric", "plane", "polytope", "pose_gradient", "prism",
    "pyramid", "ray_cast", "resolve", "run", "shape_cast", "shape_to_json", "shapes", "show", "sphere", "superquadric", "support", "surface", "torus",
    "trimesh", "with_contraction", "with_mass",
]  # fmt: skip
