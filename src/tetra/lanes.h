#pragma once

#include "tetra/pair.h"

/*
 * The directions of a pair, side by side for vector lanes: four faces of A, four of B, and 36 pairs of edges, each with what the bodies look
 * like along it. Lanes without a direction have a zero vector.
 */

enum { LANES_FACES_A = 0, LANES_FACES_B = 4, LANES_EDGES = 8, LANES_USED = 44, LANES = 48 };

/* Edges whose cross product squared is below this share of their squares are nearly parallel: it has lost half of its digits. */
#define LANES_PARALLEL 1e-8

/* Directions whose square is less are none: made of features of 1e-70 of the pair's size, they would lose their digits when squared. */
#define LANES_LEAST 1e-280

/* A direction d stands for two normals: d itself (sense 0), with A above, and -d (sense 1). Measured directions point where the bodies overlap less. */
enum { LANES_SENSES = 2 };

typedef struct lanes {
    _Alignas(64) double x[LANES];     /* of the directions, of any length */
    _Alignas(64) double y[LANES];
    _Alignas(64) double z[LANES];
    _Alignas(64) double square[LANES]; /* of the length */
    _Alignas(64) double height[2][4][LANES]; /* of A's and B's vertices along d */
    _Alignas(64) double span[LANES_SENSES][LANES]; /* overlap along the unit normal, times its own size; infinite for none */
    _Alignas(64) double cost[LANES_SENSES][LANES]; /* least depth^2 along the unit normal; infinite for none */
} lanes;

/* The directions of a pair, and nothing else yet. */
void lanes_set_directions(const pair *p, lanes *l);

/* Heights and spans; needs directions, some of which it turns round. */
void lanes_measure(const pair *p, lanes *l);

/* Costs; needs heights and spans. All of them, or, if that is enough, the least one and those that stand beside it: of others, infinity may be said. */
void lanes_find_costs(const pair *p, lanes *l, bool all);

/* A normal among them. */
typedef struct lane_choice {
    int lane, sense;
} lane_choice;

/* Values closer than this, relatively, are equal: a face that lies as well as two edges is the better name for a direction. */
#define LANES_TIE 1e-13

/* Where values are least; of equals faces, then the first lane, and the sense 0. Lane -1 when none is below infinity. */
lane_choice lanes_least(const double values[LANES_SENSES][LANES]);

static inline abut_vec3 lanes_direction(const lanes *l, lane_choice c) {
    double sign = c.sense == 0 ? 1.0 : -1.0;
    return abut_vec3_make(sign * l->x[c.lane], sign * l->y[c.lane], sign * l->z[c.lane]);
}

/* Faces by the vertices that span them. Returns how many of the body's corners of a face there are: 0 for a face that is none. */
int lanes_face(const pair_body *body, int face, int corner[3]);

/* The part of a vector across a unit vector; taken away twice, because the line may be long beside what is across it. */
static inline abut_vec3 lanes_across(abut_vec3 v, abut_vec3 unit) {
    abut_vec3 across = abut_add_scaled(v, -abut_dot(v, unit), unit);
    return abut_add_scaled(across, -abut_dot(across, unit), unit);
}
