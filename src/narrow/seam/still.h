#pragma once

#include <abut/shape.h>

#include "narrow/normal/convex_parts.h"
#include "shape/trimesh.h"

/*
 * Static and kinematic bodies beside another one, as one solid: convex bodies, half-spaces and what lies behind triangles. Here they all stand still: only
 * their places at one moment matter. All in the pair's frame.
 */

/* Called for a body, with its pose in the world. */
typedef void still_visit_body(void *context, const abut_part *body);

/* Visits every other body whose bounds meet the box, and every mesh whose bounds are no farther from it than `reach` along each axis. May visit more. World
 * frame. The order must not matter. */
typedef void still_search(const void *where, abut_aabb box, double reach, still_visit_body *visit, void *context);

/* The bodies beside the still body of a pair, at the moment of the pair's contacts. Static or kinematic; their velocities do not matter here. */
typedef struct still_bodies {
    abut_pose own; /* of the still body of the pair, in the world */
    still_search *search;
    const void *where; /* first argument of `search` */
} still_bodies;

/* Lengths that decide whether two surfaces are one. */
typedef struct still_scale {
    double level; /* surfaces that differ by less are level */
    double crack; /* gaps between bodies that are narrower are closed */
    double reach; /* how far behind a triangle its solid goes on */
} still_scale;

/* One of the bodies, or one part of it. */
typedef struct still_part {
    const abut_shape *shape;
    abut_mat3 rotation; /* its frame to the pair's */
    abut_vec3 position;
    int32_t index;       /* of a part of the still body itself; -1 for other bodies */
    const trimesh *mesh; /* NULL for others */
    convex body;         /* neither mesh nor plane */
    bool is_plane;
    abut_vec3 outward; /* of a plane */
    double offset;
} still_part;

/* Zero-initialise. */
typedef struct still_solid {
    still_scale scale;
    abut_vec3 viewer; /* a point in front of the surfaces, inside the body that touches them */
    still_part *part;
    int32_t count, capacity;
    bool out_of_memory;
    const struct surroundings *around; /* from which the parts near a contact are picked (around.h) */
} still_solid;

/* A plane, a mesh or a convex shape; not a compound. */
still_part still_part_of(const abut_shape *shape, abut_mat3 rotation, abut_vec3 position);
still_part still_part_in(const abut_shape *compound, abut_mat3 rotation, abut_vec3 position, int32_t index);

/* Whether a kind of shape can be one of the still bodies: convex ones, planes, meshes, and compounds of them. */
bool still_is_known(const abut_shape *shape);

/* Whether the part may have to do with a contact at the point, by its bounds. */
bool still_is_near(const still_scale *scale, const still_part *part, abut_vec3 point);

void still_add(still_solid *solid, const still_part *part);

/* Adds a body, as one part for each part of a compound. Leaves out parts that are certainly not near a point of the box, which is in the pair's frame.
 * own: it is the still body itself. */
void still_add_shape(still_solid *solid, const abut_shape *shape, abut_mat3 rotation, abut_vec3 position, bool own, abut_aabb box);
void still_release(still_solid *solid);

/* Whether the part holds the point, or is nearer to it than two surfaces that are level. */
bool still_holds(const still_solid *solid, const still_part *part, abut_vec3 point);

/* Whether the part, which is near the point, rises above the plane through the point with that normal. */
bool still_rises(const still_solid *solid, const still_part *part, abut_vec3 point, abut_vec3 normal);

/* Whether the point lies on the surface of the part, up to rounding. */
bool still_has(const still_part *part, abut_vec3 point, double rounding);

/* The face of the part at that point of its surface whose normal is the direction; -1 for none. */
int32_t still_face(const still_part *part, abut_vec3 point, abut_vec3 outward, double rounding);

/* The triangle of a mesh that is no farther from the point than `near` and whose normal is nearest to the direction; -1 for none. A normal with two sides is
 * turned to the direction's side. */
int32_t still_triangle(const still_part *mesh, abut_vec3 point, double near, abut_vec3 direction, abut_vec3 *normal);

/* Called for a face near a point. normal: unit, out of the part, on the viewer's side; height: of its plane along it. True ends the search. */
typedef bool still_visit(void *context, abut_vec3 normal, double height);

/* Visits the faces of the part that the point would lie on, up to a crack, if it were moved to their planes along their normals, by no more than `far`. Returns
 * whether a visit ended the search. */
bool still_faces(const still_solid *solid, const still_part *part, abut_vec3 point, double far, still_visit *visit, void *context);
