#pragma once

#include <abut/collide.h>

/*
 * Settings and result of the search for the contact normal of two convex bodies. The search uses the direction from A to B, which is the outward normal of
 * A - B. The contact normal n of the public interface points from B into A and is its opposite.
 */

/* How contacts use the points on_a and on_b of a normal. */
typedef enum normal_points {
    NORMAL_FEATURES, /* not at all: contacts are made from the features along the normal */
    NORMAL_PAIR,     /* they are the only contact: an extremal pair */
    NORMAL_WITNESS   /* they are a witness of the depth, as far as it was found */
} normal_points;

typedef struct contact_normal {
    abut_vec3 direction; /* unit, from A to B, pair's frame */
    double gap;          /* gap of the bodies along the direction, radii included: -(h_A(direction) + h_B(-direction)) */
    abut_vec3 on_a; /* witness: points of the cores that are extreme along the direction, as close to each other as the method found them */
    abut_vec3 on_b;
    abut_feature feature_a; /* of the cores: the smallest features that hold the witness points; kind NONE when that is unclear */
    abut_feature feature_b;
    bool extreme; /* both features are extreme along the direction; the direction is the normal of a face among them */
    bool between; /* the mean of several tied facets' normals, and the normal of none of them */
    bool chosen;  /* the normal is not unique; a rule chose it */
    bool moved;   /* of smooth bodies: the points may lie off the surfaces, see extremal.h */
    normal_points pair;
} contact_normal;

/* Gaps are compared with the margin up to this fraction of the bodies' sizes. It covers the rounding error of a contact of bodies that just touch. */
#define CONTACT_ROUNDING 1e-14

/* Settings in the pair's frame. */
typedef struct normal_settings {
    double margin;
    bool cores; /* contract about core points, else about centroids */
    bool refine;
    bool ray_cast;        /* find the growth distance by a ray cast from outside, else by expansion from inside */
    bool minimum;         /* use the normal of least depth, else that of the growth distance */
    abut_feature start_a; /* a facet of A - B, given by its features, where the search for the least depth may begin; kind NONE for none. */
    abut_feature start_b; /* It changes the time and not the answer */
    abut_vec3 previous;   /* direction from A to B in the previous step, or zero */
    abut_vec3 aside;      /* breaks ties that the centres of the bodies leave: reversed when different bodies are exchanged */
    abut_cache *cache;    /* read and written; NULL for none */
} normal_settings;
