#pragma once

#include "accuracy/accuracy.h"
#include "accuracy/closed_judge.h"

/*
 * Convex bodies apart from triangle meshes, and what the library says of them with a margin: no contact is nearer than the distance, all points of contacts
 * are on the surfaces, and one contact has the distance as its gap, where the mesh shows its front there.
 */

typedef struct apart apart;

struct apart {
    abut_shape *shape[2]; /* mesh, body */
    judged_body mesh;
    abut_pose pose[2];
    double unit;  /* about the size of the mesh */
    double scale; /* of lengths and coordinates */
    bool closed, two_sided;
    double at_place;                                      /* how near to a triangle the closest point on it is found, over the scale */
    double off_most;                                      /* how far points of contacts may be off the surfaces, over the scale */
    double (*off_body)(const apart *of, abut_vec3 point); /* the distance of a point from the body's surface */
    const void *body;                                     /* for that function */
};

/* A mesh that is open, or closed and mostly not convex: sheets, fans, solids, solids with holes; flat places are cut. Placed. */
void apart_make_mesh(apart *of, random_state *random);

/* A length between `least` and 1 units; it may be round. */
double apart_length(const apart *of, random_state *random, double least);

/* Any rotation, or one that leans by little from flush faces. */
abut_quat apart_turn_nearly(random_state *random, abut_quat turn);

/* A point of a surface, often on an edge. */
abut_vec3 apart_any_of(const judged_body *b, random_state *random);

/* A direction from the mesh, often along a normal. */
abut_vec3 apart_way_to(const apart *of, random_state *random);

/* A margin that the gap is within. */
double apart_pick_margin(const apart *of, random_state *random, double gap);

/* The distance of a point from a surface, if it is less than `far`; larger otherwise. */
double apart_distance_from(const judged_body *b, abut_vec3 point, double far);

/* Whether a triangle at the closest point shows its front to the body, so that the mesh must touch there. gap: the closest points, on the mesh and on the body
 * or its axis. */
bool apart_is_in_front(const apart *of, const judged_gap *gap);

/* Judges the contacts. exact: the distance; must: one contact has it as its gap; mesh: 0 if the mesh is A. */
void apart_judge(accuracy *row, const apart *of, double exact, bool must, double margin, int mesh);
