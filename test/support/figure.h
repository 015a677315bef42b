#pragma once

#include "support/check.h"

/*
 * Convex bodies said in one line, and tables of pairs of them whose contact is known in closed form.
 */

typedef enum figure_kind {
    FIGURE_SPHERE,  /* p: radius */
    FIGURE_CAPSULE, /* p: radius, q: half length of the segment along z */
    FIGURE_BOX,     /* p, q, r: half sizes */
    FIGURE_PRISM,   /* p: radius, q: half height, r: sides; abut_shape_create_cylinder() */
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
/* The body for the referee at any pose; not of a plane. */
oracle_body figure_oracle(const figure *f, abut_pose pose, double scale);
/* Of a box, prism, cone or wedge. */
solid figure_solid(const figure *f, double scale);
/* The radius of a ball about its frame's origin that holds it; 0 of a plane. */
double figure_reach(const figure *f);

/* What is known of a pair. */
typedef struct figure_case {
    const char *name;
    figure a, b;
    double gap;       /* deepest, or the distance */
    abut_vec3 normal; /* zero where several are right */
    int32_t count;    /* of contacts within a margin of 0, or up to the gap; 0 where several are right */
    double area;      /* of the patch; 0 where it is not said */
    double growth;    /* where normals nearly tie: that of the growth distance may be this many times as deep, the least depth's 1 + 1e-9 times;
                         0 for just as deep */
} figure_case;

/*
 * Holds the case to all that must be so, as it stands and moved about, in both orders of the bodies, with either policy of the normal:
 * the referee agrees with the table; contacts when the gap is not above the margin and else none; the deepest gap is the one expected, at
 * any margin, and is the separation along the normal; the invariants of check_contacts(). Gaps are compared to 1e-12 of the larger body.
 */
void figure_check(tally *t, const figure_case *c, double scale);
/* Every case of a table at each scale. */
void figure_check_all(const figure_case *cases, size_t count, const double *scales, size_t scale_count);

#define FIGURE_CHECK_ALL(cases, scales) \
    figure_check_all((cases), sizeof(cases) / sizeof *(cases), (scales), sizeof(scales) / sizeof *(scales))
