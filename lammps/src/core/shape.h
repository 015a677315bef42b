#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include <abut/shape.h>

#include "core/inertia.h"
#include "core/words.h"

/*
 * Shapes of grains and walls: bodies of rounded triangles and surfaces from mesh files, balls and planes. Shape frame: that of the file. The centre of a ball
 * and the foot of a plane are its origin.
 */

namespace abut_lammps {

using Handle = std::shared_ptr<const abut_shape>;

struct Shape {
    Handle handle;
    abut_kind kind = ABUT_SHAPE_SPHERE;
    std::string name;                /* the file, or the kind */
    double radius = 0.0;             /* of a ball [length] */
    abut_vec3 normal{0.0, 0.0, 1.0}; /* of a plane */
    double volume = 0.0;             /* 0 for a plane [length^3] */
    double layer = 0.0;              /* side of the cube with this volume; infinite for a plane [length] */
    abut_vec3 centre{0.0, 0.0, 0.0}; /* centre of mass [length] */
    double reach = 0.0;              /* no point of the surface is farther from the centre of mass; infinite for a plane [length] */
    double extent =
        0.0; /* a coarser bound of the distance to the origin, as the library's stepper has it: it measures how far a place may move */
    Inertia unit{}; /* at density 1 */
    std::vector<std::array<int, 3>>
        facets; /* the corners of each triangle; corners at equal positions have equal numbers. Empty for balls and planes */

    bool has_facets() const { return kind == ABUT_SHAPE_FACETMESH || kind == ABUT_SHAPE_TRIMESH; }
};

/* "sphere R", or "mesh FILE [scale S] [radius R|flat|estimated] [radii GROUP R|flat|estimated]...". Throws Mistake. */
Shape read_shape(Words &words);
/* "FILE [scale S] [sides 1|2]", a surface that need not be closed, for walls: every triangle is flat, and is touched from both sides or from outside only. */
Shape read_surface(Words &words);
/* "NX NY NZ", the normal of a plane through the origin of its frame. It points out of the wall. */
Shape read_plane(Words &words);

} // namespace abut_lammps
