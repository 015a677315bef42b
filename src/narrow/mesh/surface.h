#pragma once

#include "narrow/mesh/among.h"
#include "narrow/mesh/point.h"
#include "narrow/normal/convex.h"

/*
 * The surface of several placed meshes together; it need not be convex. Answers how deep a point lies in it and whether a normal may act at
 * one of its points. Set frame.
 */

/* A point's closest point on the surface, with gap and normal. */
typedef struct sounding {
    mesh_point at;
    abut_vec3 normal; /* unit, out of the surface at the closest point */
    double gap;       /* of the point from the surface; negative inside */
} sounding;

/* An open surface is seen from the middle of the mesh `from`, to which the point belongs. False if it is seen from behind. */
bool mesh_surface_sound(const mesh_surface *surface, const placed_mesh *from, abut_vec3 point, sounding *s);

/* The same; also false if the surface is farther away than the limit. */
bool mesh_surface_sound_within(const mesh_surface *surface, const placed_mesh *from, abut_vec3 point, double limit, sounding *s);

/* Whether a closed mesh winds round a point. Takes time for every triangle; those without a face do not matter, nor does what is at the closest point. */
bool mesh_surface_winds_round(const placed_mesh *placed, abut_vec3 point);

/* Whether some point of a ball may be on the surface, or inside it at most `deepest` deep. */
bool mesh_surface_is_near(const mesh_surface *surface, const placed_mesh *from, abut_vec3 centre, double radius, double deepest);

/* Gathers all triangles whose bounds meet a cube with that half width. */
void mesh_surface_gather(const mesh_surface *surface, abut_vec3 middle, double half, mesh_set *set);

/* Gathers all triangles within `more` of a body, and possibly others. */
void mesh_surface_gather_about(const mesh_surface *surface, const convex *body, double more, mesh_set *set);

/* A point of a segment that lies inside the body's bounds along the axes of each mesh, by `slack` at least; false if none is found. The triangles
 * gathered about the body are all that are there. */
bool mesh_surface_find_about(const mesh_surface *surface, const convex *body, double slack, abut_vec3 from, abut_vec3 to, abut_vec3 *point);

/* Whether a normal may act at a point of the surface: no triangle there rises above it by more than the sine, and at least one triangle
 * faces it. Sets out_of_memory if memory runs out. */
bool mesh_surface_admits(const mesh_surface *surface, abut_vec3 point, abut_vec3 normal, double sine, bool *out_of_memory);

/* From the mesh's frame to the set's frame. */
static inline abut_vec3 mesh_place_point(const placed_mesh *mesh, abut_vec3 point) {
    return abut_mat3_apply(mesh->rotation, abut_sub(point, mesh->centre));
}
