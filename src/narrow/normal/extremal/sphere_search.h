#pragma once

#include "narrow/normal/extremal/extremal.h"

/* A search of the whole sphere of directions for the least depth. */
typedef struct sphere_search {
    const convex *a, *b;
    extremal *best;
    double tolerance; /* relative: a direction that is less deep by no more than this may be missed */
    double rounding;  /* error of a height */
    double ball;      /* a ball of this radius touches the surface of A - B from inside at each of its points; 0 for none */
    int32_t left;     /* evaluations left */
} sphere_search;

/* Evaluates a direction, and follows it to its local minimum if it is the best so far. */
void sphere_search_look(sphere_search *search, abut_vec3 direction, extremal *here);

/* Bounds the depth by cuts of regions. False when the search takes too long. */
bool sphere_search_regions(sphere_search *search);
