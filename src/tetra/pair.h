#pragma once

#include <abut/tetra.h>

/*
 * Two prepared simplices: relative to a vertex of A, in units that can be squared, with the weights of their displacements.
 *
 * Heights *towards the other body* make both bodies symmetric. With the normal n from B into A, a vertex q of B has the height n . q, and a
 * vertex p of A has the height -n . p. A body does not cross the plane when its heights are at most those of the plane.
 */

enum { PAIR_A, PAIR_B };

typedef struct pair_body {
    int count;           /* m, 1 .. 4 */
    abut_vec3 vertex[4]; /* relative to the pair's origin, scaled; entries beyond count repeat the first vertex */
    abut_vec3 edge[6];   /* (0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3), scaled; zero if a vertex is missing */
} pair_body;

/* The cost of displacing a body: share (sum u^2 + (sum u)^2) for moves u along the normal. Weights are divided by the larger one. */
typedef struct pair_cost {
    double share;    /* W / (m (m + 1)); 0 for a static body */
    double pull;     /* m / W, 0 for a static body: the free vertices of a body move by pull tau against the pushed ones */
    double slope[4]; /* (m + 1 - k) / k for k = 1 .. m pushed vertices */
} pair_cost;

typedef struct pair {
    const abut_simplex *given[2]; /* the caller's, which outlive the pair */
    abut_vec3 origin;             /* the first vertex of A */
    double scale;                 /* the scale of lengths: a power of two */
    double size;                  /* the largest coordinate, scaled */
    pair_body body[2];
    pair_cost cost[2];
    double coupling[4][4]; /* [k - 1][l - 1] for k pushed vertices of A and l of B: depth^2 per square of the distance of their means */
    double weight;         /* the larger of the finite weights */
    double volume_ratio;   /* lower bound of the volume ratio */
    bool all;              /* both are tetrahedra: the case of the kernels */
} pair;

/* The vertices of an edge, numbered as in abut_rigid_depth. */
extern const int pair_edge_ends[6][2];

/* Checks that the arguments are numbers in range. */
abut_status pair_check(const abut_simplex *a, const abut_simplex *b);
abut_status pair_check_settings(const abut_depth_settings *settings);

/* Says why one of the checks above, pair_make() or the result gave that status, in the name of a public function whose arguments they are; returns
 * the status. The simplices are a and b, or a[index] and b[index] when index is 0 or more. */
abut_status pair_refuse(abut_status status, const char *call, int32_t index, const abut_simplex *a, const abut_simplex *b);
abut_status pair_refuse_one(abut_status status, const char *call, const char *argument, const abut_simplex *simplex);
/* What a least volume ratio must be. */
#define PAIR_RATIO_RANGE "at least 0 and below 1, or -infinity for no bound"

/* The settings alone: ABUT_ERROR_INVALID_ARGUMENT. */
abut_status pair_refuse_settings(const char *call, const abut_depth_settings *settings);

/* For checked arguments; settings may be NULL. ABUT_ERROR_NOT_FINITE when the distance of the bodies overflows. */
abut_status pair_make(const abut_simplex *a, const abut_simplex *b, const abut_depth_settings *settings, pair *made);

/* A bound of the rounding error of an overlap; smaller overlaps count as 0 (scaled). */
static inline double pair_rounding(const pair *p) { return 32.0 * 2.220446049250313e-16 * p->size; }
