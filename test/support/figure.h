#pragma once

#include "support/check.h"

/*
 * Convex bodies described in one line, and tables of pairs of them with contacts known in closed form.
 */

typedef enum figure_kind {
    FIGURE_SPHERE,  /* p: radius */
    FIGURE_CAPSULE, /* p: radius, q: half length of the segment along z */
    FIGURE_BOX,     /* p, q, r: half sizes */
    FIGURE_PRISM,   /* p: radius, q: half height, r: sides; abut_shape_create_prism() */
    FIGURE_CONE,    /* p: radius, q: height, r: sides; base at z = -q / 4 */
    FIGURE_WEDGE,   /* the tetrahedron with corners (0, 0, 0), (p, 0, 0), (0, q, 0), (0, 0, r) */
    FIGURE_PLANE    /* z <= 0 */
} figure_kind;

typedef struct figure {
    figure_kind kind;
    double p, q, r;
    abut_vec3 at;
    abut_vec3 turn; /* [rad] about the fixed axis x, then y, then z */
} figure;

/* All lengths times `scale`. */
abut_pose figure_pose(const figure *f, double scale);
abut_shape *figure_shape(const figure *f, double scale);
/* The body for the oracle at any pose; not for a plane. */
oracle_body figure_oracle(const figure *f, abut_pose pose, double scale);
/* For a box, prism, cone or wedge. */
solid figure_solid(const figure *f, double scale);
/* Radius of a ball about the origin of the frame that contains the figure; 0 for a plane. */
double figure_reach(const figure *f);

/* The known contact of a pair. */
typedef struct figure_case {
    const char *name;
    figure a, b;
    double gap;       /* deepest, or the distance */
    abut_vec3 normal; /* zero if several are correct */
    int32_t count;    /* number of contacts within a margin of 0, or up to the gap; 0 if several are correct */
    double area;      /* area of the patch; 0 if unknown */
    double
        growth; /* for nearly tied normals: the depth along the growth distance's normal may be this many times the least depth, whose factor is
                         1 + 1e-9; 0 for no extra factor */
} figure_case;

/*
 * Checks a case in its given position and in others, in both orders of the bodies, with either policy of the normal. The oracle agrees with the table. There
 * are contacts exactly if the gap is not above the margin. The deepest gap is the expected one for any margin, and equals the separation along the normal. The
 * invariants of check_contacts() hold. Gaps are compared to 1e-12 of the larger body.
 */
void figure_check(tally *t, const figure_case *c, double scale);
/* Checks every case of a table at each scale. */
void figure_check_all(const figure_case *cases, size_t count, const double *scales, size_t scale_count);

#define FIGURE_CHECK_ALL(cases, scales) \
    figure_check_all((cases), sizeof(cases) / sizeof *(cases), (scales), sizeof(scales) / sizeof *(scales))
