#pragma once

#include <abut/collide.h>
#include <abut/mesh.h>

#include "support/random.h"

/*
 * Meshes for tests. The test fails when one cannot be made; release with abut_shape_release().
 */

abut_shape *meshes_make(const abut_vec3 *vertices, int32_t vertex_count, const int32_t *triangles, int32_t triangle_count);

/* The surface of a box or polytope, its faces as fans and every triangle cut into `cells` squared ones. Vertices of neighbouring triangles are repeated
 * when there is more than one. */
abut_shape *meshes_surface_of(const abut_shape *solid, int32_t cells);

/* A flat square height field from the origin on. */
abut_shape *meshes_grid(int32_t cells, double cell);

/* A closed ring about the z axis, thick by `thickness` on either side. */
abut_shape *meshes_ring(double radius, double thickness, int32_t around, int32_t across);

/* A random box or hull about as large as `size`. */
abut_shape *meshes_random_solid(random_state *random, double size);

/* Where a solid that comes from afar is when it is so much in another one, which is at the origin. */
abut_pose meshes_put_into(random_state *random, const abut_shape *body, const abut_shape *solid, double depth);

enum { MESHES_ROOM = 256 };

/* abut_collide() with default settings but the margin, and with the bodies exchanged if `swapped`: contacts[MESHES_ROOM] are those with the body as A. */
int32_t meshes_ask(const abut_shape *body, abut_pose pose, const abut_shape *mesh, abut_pose at, double margin, bool swapped,
                   abut_contact *contacts);

/* Unit normals, gaps as the points say, ids that differ. */
void meshes_check_sound(const abut_contact *contacts, int32_t count);

/* How often a mesh answered as the solid whose surface it is. */
typedef struct mesh_likeness {
    int32_t samples;
    int32_t same_depth; /* the deepest contact is as deep as the solids' least depth */
    int32_t alike;      /* and every contact has that normal */
    double worst;       /* the deepest contact over the least depth, of those above a millionth */
} mesh_likeness;

/* The contacts asked for against the contacts of the solids by ABUT_NORMAL_MINIMUM, with B at the origin: there are some where those have some. */
void meshes_compare(mesh_likeness *likeness, const abut_shape *solid_a, abut_pose pose, const abut_shape *solid_b,
                    const abut_contact *contacts, int32_t count);
