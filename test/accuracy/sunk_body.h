#pragma once

#include "accuracy/accuracy.h"
#include "support/random.h"

/*
 * Bodies for tests with meshes: capsules, boxes, hulls, ellipsoids and compounds of them, with closed forms of how far they reach. Many have round sizes.
 */

enum { SUNK_PARTS = 3, SUNK_POINTS = 24 };

typedef enum sunk_kind { SUNK_CAPSULE, SUNK_BOX, SUNK_HULL, SUNK_ELLIPSOID, SUNK_KINDS } sunk_kind;

typedef struct sunk_piece {
    sunk_kind kind;
    abut_vec3 half; /* of a box; semi-axes; for a capsule the radius in x and the half length in y */
    abut_vec3 point[SUNK_POINTS];
    int32_t points;
    abut_pose pose; /* in the body */
} sunk_piece;

typedef struct sunk_body {
    sunk_piece piece[SUNK_PARTS];
    int32_t pieces;
    abut_pose pose;
} sunk_body;

/* The farthest coordinate of the body, or of one part, along a direction. */
double sunk_body_reach(const sunk_body *body, abut_vec3 direction);
double sunk_body_part_reach(const sunk_body *body, int32_t part, abut_vec3 direction);

/* How far the parts that go through the plane z = 0 reach below it; -1 if none does. */
double sunk_body_immersion(const sunk_body *body);

/* A random body at the origin. compound: it may have several parts. */
sunk_body sunk_body_random(random_state *random, bool compound);

/* Multiplies all lengths, and the position. */
void sunk_body_scale(sunk_body *body, double factor);

abut_shape *sunk_body_shape(const sunk_body *body);

/* A number between the bounds; it is often round. */
double sunk_number(random_state *random, double lower, double upper);
