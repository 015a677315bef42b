#pragma once

#include <abut/collide.h>

/*
 * What the search for the contact normal of two convex bodies takes and gives. Inside, the direction from A to B is used (the outward normal of A - B); the
 * contact normal n of the public interface, from B into A, is its opposite.
 */

/* What the points of a normal are to a contact. */
typedef enum normal_points {
    NORMAL_FEATURES, /* nothing: contacts are made from the features along the normal */
    NORMAL_PAIR,     /* they are the one contact: an extremal pair */
    NORMAL_WITNESS   /* they show the depth, as far as it was found */
} normal_points;

typedef struct contact_normal {
    abut_vec3 direction; /* unit, from A to B, pair frame */
    double gap;          /* separation of the bodies along it, radii included: -(h_A(direction) + h_B(-direction)) */
    abut_vec3 on_a;      /* witness: points of the cores that are extreme along the direction, as close as the method found them */
    abut_vec3 on_b;
    abut_feature feature_a; /* of the cores: the smallest that hold the witness points; kind NONE when that is unclear */
    abut_feature feature_b;
    bool extreme;        /* both features are extreme along the direction; a face has it as its normal */
    bool between;        /* the middle of several facets' normals, which is none of them */
    bool chosen;         /* not unique; chosen by rule */
    normal_points pair;
} contact_normal;

/* Gaps are compared with the margin up to this much of the bodies' sizes: what rounding does to a contact of bodies that just touch. */
#define CONTACT_ROUNDING 1e-14

/* Settings in the pair's frame. */
typedef struct normal_settings {
    double margin;
    bool cores;               /* contraction about core points, else about centroids */
    bool refine;
    bool ray_cast;            /* the growth distance by a ray cast from outside, else from inside */
    bool minimum;             /* the least depth, else the growth distance's normal */
    abut_feature start_a;     /* a facet of A - B, as its features, where the search for the least depth may begin; of kind NONE for none: */
    abut_feature start_b;     /* it changes the time, not the answer */
    abut_vec3 previous;       /* direction (A to B) of the step before, or zero */
    abut_vec3 aside;          /* decides between equals: turns round when the bodies are exchanged */
    abut_cache *cache;        /* read and written; NULL for none */
} normal_settings;
