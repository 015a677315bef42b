#pragma once

#include <abut/collide.h>

#include "narrow/mesh/set.h"

/*
 * Contacts of a ball with the surface that a set of triangles represents ([T] Terdiman, "Contact generation for meshes", with the
 * corrections listed in docs/methods/meshes.md). The ball's centre is the origin of the set's frame.
 *
 * Every triangle has a point closest to the centre: on its face, on an edge or at a vertex. A face makes a contact. An edge or a vertex
 * makes one only if it is the closest feature of all triangles around it; otherwise a neighbour is at least as near and has the contact.
 * Triangles are therefore processed by distance, faces first. Each processed triangle voids the edges and vertices that it shares with
 * later ones, whether it made a contact or not.
 *
 * Where edges of a mesh are smooth, the face is the part of the smooth surface over the triangle (ball_smooth.h), and smooth edges make no contacts.
 */

typedef struct ball_touch {
    abut_vec3 normal;     /* unit, from the mesh to the ball */
    abut_vec3 on_mesh;    /* closest point of the mesh, relative to the ball's centre */
    double distance;      /* of the centre from the surface, along the normal */
    abut_feature feature; /* of the mesh; part: index of the mesh */
    bool chosen;          /* the centre lies on the surface and the normal is one of several */
} ball_touch;

typedef struct ball_settings {
    double radius, margin;
    double same;     /* points closer than this are one place [length] */
    double rounding; /* rounding error of coordinates in the mesh's frame [length] */
    abut_mesh_rule rule;
    abut_mesh_identity identity;
    double bulge;            /* of the smooth surfaces over the triangles, at most; 0 where no edge is smooth [length] */
    const placed_mesh *mesh; /* [mesh_count] the meshes of the set's triangles, by their `part` */
    int32_t mesh_count;
} ball_settings;

/* Called once for every contact: faces first, then by distance. */
typedef void ball_found(void *context, const ball_touch *touch);

/* Reports the contacts with gap <= margin. False when there is no memory. */
bool mesh_ball(const mesh_set *set, const ball_settings *settings, ball_found *found, void *context);
