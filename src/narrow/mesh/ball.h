#pragma once

#include <abut/collide.h>

#include "narrow/mesh/set.h"

/*
 * A ball about the origin of a set of triangles: where it touches the surface that they depict ([T] Terdiman, "Contact generation for meshes", mended
 * as docs/meshes.md tells).
 *
 * Every triangle has a point closest to the ball's centre: on its face, on an edge or at a vertex. A face touches. An edge or a vertex does only if
 * it is the closest feature of all triangles around it; else a neighbour is at least as near, and has the contact. So triangles are taken by
 * distance, and each one that was taken voids the edges and vertices it has in common with later ones, whether it made a contact or not.
 */

typedef struct ball_touch {
    abut_vec3 normal;     /* unit, from the mesh to the ball */
    abut_vec3 on_mesh;    /* as the set is seen: from the ball's centre */
    double distance;      /* of the centre, along the normal */
    abut_feature feature; /* of the mesh; part says which mesh */
    bool chosen;          /* the centre lies on the surface: the normal is one of several */
} ball_touch;

typedef struct ball_settings {
    double radius, margin;
    double same;     /* points nearer to each other than this are one place [length] */
    double rounding; /* of coordinates, before they were seen from the centre [length] */
    abut_mesh_rule rule;
    abut_mesh_identity identity;
} ball_settings;

/* Called for every contact, faces first, then by distance. */
typedef void ball_found(void *context, const ball_touch *touch);

/* Contacts no farther from the ball than the margin. False when there is no memory. */
bool mesh_ball(const mesh_set *set, const ball_settings *settings, ball_found *found, void *context);
