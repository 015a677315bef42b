#pragma once

#include "narrow/mesh/point.h"
#include "narrow/mesh/set.h"

/*
 * The surface of several placed meshes together, which need not be convex: how deep is a point in it, and may a normal act at a point of it? Set frame.
 */

typedef struct mesh_surface {
    const placed_mesh *mesh;
    int32_t count;
    double same; /* points nearer to each other than this are one place [length] */
} mesh_surface;

/* A point, and where the way out of the surface leads from there. */
typedef struct sounding {
    mesh_point at;
    abut_vec3 normal; /* of the surface there */
    double gap;       /* to the surface; negative inside */
} sounding;

/* A surface that has no inside is looked at from the middle of the mesh that the point belongs to. False when that is behind it. */
bool mesh_surface_sound(const mesh_surface *surface, const placed_mesh *from, abut_vec3 point, sounding *s);

/* Whether something in a ball may be on the surface, or inside it by no more than `deepest`. */
bool mesh_surface_is_near(const mesh_surface *surface, const placed_mesh *from, abut_vec3 centre, double radius, double deepest);

/* All triangles that have something in a cube of that half width. */
void mesh_surface_gather(const mesh_surface *surface, abut_vec3 middle, double half, mesh_set *set);

/* Whether a normal may act at a point of the surface: no triangle there rises above it by more than the sine, and some triangle looks that way. Sets
 * out_of_memory if there is none. */
bool mesh_surface_admits(const mesh_surface *surface, abut_vec3 point, abut_vec3 normal, double sine, bool *out_of_memory);

/* From the mesh's frame to the set's. */
static inline abut_vec3 mesh_place_point(const placed_mesh *mesh, abut_vec3 point) {
    return abut_mat3_apply(mesh->rotation, abut_sub(point, mesh->centre));
}
