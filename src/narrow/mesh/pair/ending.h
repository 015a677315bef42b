#pragma once

#include "narrow/mesh/pair/overlap.h"

/*
 * Moves of A that end a zone: A then crosses B nowhere with a triangle of the zone, and has no corner of one inside, other than in zones that it crosses now.
 * Set frame. rounding: the error of a coordinate.
 */

bool overlap_ends(const overlap *in, int32_t zone, abut_vec3 move, double rounding);

/* Whether A, moved, crosses B nowhere. True where there are several zones: then a way of one of them is no way of the whole body. */
bool overlap_is_free(const overlap *in, abut_vec3 move);

/* A move along one direction. */
typedef struct ending_way {
    abut_vec3 normal; /* unit, from B to A */
    double length;
    abut_vec3 facet;     /* unit, the normal of the plane between the two triangles that leave each other last */
    int32_t triangle[2]; /* of A and B: these */
} ending_way;

/* Finds the shortest move along way->normal that ends the only zone, and by which A crosses B nowhere. False if it is not below the limit. */
bool overlap_way_along(const overlap *in, double limit, double rounding, ending_way *way);
