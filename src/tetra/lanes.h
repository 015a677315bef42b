#pragma once

#include "tetra/pair.h"

/*
 * The directions of a pair, side by side for vector lanes: four faces of A, four of B, and 36 pairs of edges, each with heights, overlaps
 * and costs along it. Lanes without a direction have a zero vector.
 */

enum { LANES_FACES_A = 0, LANES_FACES_B = 4, LANES_EDGES = 8, LANES_USED = 44, LANES = 48 };

/* Edges are nearly parallel when their squared cross product is below this share of their squares: it has lost half its digits. */
#define LANES_PARALLEL 1e-8

/* Directions with a smaller square are ignored. They come from features of 1e-70 of the pair's size and would lose their digits when
 * squared. */
#define LANES_LEAST 1e-280

/* A direction d stands for two normals: d itself (sense 0), with A above, and -d (sense 1). Measured directions point where the overlap is
 * smaller. */
enum { LANES_SENSES = 2 };

typedef struct lanes {
    _Alignas(64) double x[LANES]; /* components of the directions, of any length */
    _Alignas(64) double y[LANES];
    _Alignas(64) double z[LANES];
    _Alignas(64) double square[LANES];             /* squared length */
    _Alignas(64) double height[2][4][LANES];       /* heights of A's and B's vertices along d */
    _Alignas(64) double span[LANES_SENSES][LANES]; /* overlap along the unit normal times its absolute value; infinite for no direction */
    _Alignas(64) double cost[LANES_SENSES][LANES]; /* smallest depth^2 along the unit normal; infinite for no direction */
} lanes;

/* Sets the directions of a pair, and nothing else. */
void lanes_set_directions(const pair *p, lanes *l);

/* Computes heights and spans. Needs directions, and reverses some of them. */
void lanes_measure(const pair *p, lanes *l);

/* Computes costs. Needs heights and spans. Without `all`, only the minimum and ties are guaranteed; other costs may be infinite. */
void lanes_find_costs(const pair *p, lanes *l, bool all);

/* A normal among the lanes. */
typedef struct lane_choice {
    int lane, sense;
} lane_choice;

/* Values closer than this, relatively, are ties. A tie between a face and two edges goes to the face, which is the better name for the
 * direction. */
#define LANES_TIE 1e-13

/* The minimum; on ties faces first, then the lowest lane, then sense 0. Lane -1 when all are infinite. */
lane_choice lanes_least(const double values[LANES_SENSES][LANES]);

static inline abut_vec3 lanes_direction(const lanes *l, lane_choice c) {
    double sign = c.sense == 0 ? 1.0 : -1.0;
    return abut_vec3_make(sign * l->x[c.lane], sign * l->y[c.lane], sign * l->z[c.lane]);
}

/* A face by its vertices. Returns the number of corners, 0 if the face does not exist. */
int lanes_face(const pair_body *body, int face, int corner[3]);

/* The component of a vector perpendicular to a unit vector. It subtracts twice, because the parallel component may be much larger. */
static inline abut_vec3 lanes_across(abut_vec3 v, abut_vec3 unit) {
    abut_vec3 across = abut_add_scaled(v, -abut_dot(v, unit), unit);
    return abut_add_scaled(across, -abut_dot(across, unit), unit);
}
