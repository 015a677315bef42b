#pragma once

#include <abut/collide.h>
#include <abut/mesh.h>

#include "support/random.h"

/*
 * Meshes for tests. The test fails if one cannot be made. Release with abut_shape_release().
 */

abut_shape *meshes_make(const abut_vec3 *vertices, int32_t vertex_count, const int32_t *triangles, int32_t triangle_count);

/* The surface of a box or polytope, with faces as fans and every triangle divided into `cells` squared triangles. If `cells` is more than one, neighbouring
 * triangles do not share vertices. */
abut_shape *meshes_surface_of(const abut_shape *solid, int32_t cells);

/* Several meshes as one mesh of several pieces. */
abut_shape *meshes_joined(const abut_part *pieces, int32_t count);

/* A flat square height field that begins at the origin. */
abut_shape *meshes_grid(int32_t cells, double cell);

/* A closed ring about the z axis, extending `thickness` to either side. */
abut_shape *meshes_ring(double radius, double thickness, int32_t around, int32_t across);

/* A random box or hull of about the given size. */
abut_shape *meshes_random_solid(random_state *random, double size);

/* The pose of a solid that comes from afar and overlaps another solid at the origin by the given depth. */
abut_pose meshes_put_into(random_state *random, const abut_shape *body, const abut_shape *solid, double depth);

enum { MESHES_ROOM = 256 };

/* Calls abut_collide() with default settings except the margin; with the bodies exchanged if `swapped`. contacts[MESHES_ROOM] always have the body as A. */
int32_t meshes_ask(const abut_shape *body, abut_pose pose, const abut_shape *mesh, abut_pose at, double margin, bool swapped,
                   abut_contact *contacts);

/* Checks that normals are unit, gaps agree with the points, and ids differ. */
void meshes_check_sound(const abut_contact *contacts, int32_t count);

/* Counts how often a mesh answered like the solid with the same surface. */
typedef struct mesh_likeness {
    int32_t samples;
    int32_t same_depth; /* the deepest contact is as deep as the solids' least depth */
    int32_t alike;      /* in addition, every contact has that normal */
    double worst;       /* largest ratio of the deepest contact to the least depth, for depths above a millionth */
} mesh_likeness;

/* Compares the given contacts with those of the solids by ABUT_NORMAL_MINIMUM, with B at the origin. If the solids have contacts, there must be some. */
void meshes_compare(mesh_likeness *likeness, const abut_shape *solid_a, abut_pose pose, const abut_shape *solid_b,
                    const abut_contact *contacts, int32_t count);
