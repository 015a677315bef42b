"""The triangles of the figures in Terdiman's "Contact generation for meshes", and the surfaces on which the rules for contacts are compared.

draw/meshes.py draws them, and in scenes/mesh_figures.json (scenes.py) balls roll over them. Each surface is (vertices, triangles):
points [x, y, z], z up, and corners as indices from 0, counter-clockwise seen from outside. The paper gives no coordinates: these are ours.
"""

COS30, SIN30 = 0.866025404, 0.5

# Figure 1: a triangle in reach, and one beyond it. Figures 2, 3, 5: one triangle. Its corners are V1, V2, V3.
REACH = ([[-1, -0.8, 0], [0.9, -0.8, 0], [-0.1, 1, 0], [1.15, -0.6, 0.15], [2.05, -0.2, 0.45], [1.3, 1, 0.35]], [[0, 1, 2], [3, 4, 5]])
TRIANGLE = ([[-1, -0.8, 0], [1.1, -0.7, 0], [0, 1, 0]], [[0, 1, 2]])
# Figure 4: a square of two triangles.
SQUARE = ([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], [[0, 1, 2], [0, 2, 3]])
# Figure 6: T1 has V3, V4, V5; T2 has V1, V2, V3.
CORNER = ([[-1.5, 0.6, 0], [-1.4, -0.9, 0], [0, 0, 0], [0.8, -1.2, 0], [1.7, 0, 0]], [[2, 3, 4], [0, 1, 2]])
# Figure 7: T1, T2, T3 side by side.
STRIP = ([[0, 0, 0], [1, 0, 0], [0.5, 1, 0], [1.5, 1, 0], [2, 0, 0]], [[0, 1, 2], [1, 3, 2], [1, 4, 3]])
# Figure 8: six triangles about V1, and T7 beyond one of their outer edges.
FAN = (
    [[0, 0, 0], [1, 0, 0], [0.5, COS30, 0], [-0.5, COS30, 0], [-1, 0, 0], [-0.5, -COS30, 0], [0.5, -COS30, 0], [1.5, COS30, 0]],
    [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5], [0, 5, 6], [0, 6, 1], [1, 7, 2]],
)


def profile(outline, half=3):
    """The surface over a line in the plane of x and z, from left to right: a strip of two triangles, 2 half wide, for each of its pieces."""
    vertices = [[x, y, z] for x, z in outline for y in (-half, half)]
    triangles = []
    for i in range(len(outline) - 1):
        a, b, c, d = 2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1
        triangles += [[a, b, c], [a, c, d]]
    return vertices, triangles


# Surfaces under a ball, in profile: (x, z) of the corners. The slopes have 30 degrees.
PROFILES = {
    "flat": [(-2, 0), (0, 0), (2, 0)],
    "ridge": [(-2 * COS30, -2 * SIN30), (0, 0), (2 * COS30, -2 * SIN30)],
    "valley": [(-2 * COS30, 2 * SIN30), (0, 0), (2 * COS30, 2 * SIN30)],
    "cliff": [(-2, 0), (0, 0), (0, -1.3)],
    "step": [(-2, 0), (0, 0), (0, 0.3), (2, 0.3)],
}
