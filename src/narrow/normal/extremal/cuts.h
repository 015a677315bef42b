#pragma once

#include "narrow/normal/convex.h"

/*
 * Searches for a best direction by cuts of a region of directions (geom/direction_region.h). They need support points only, and take the same number of steps
 * however slender the bodies are. All values are of the cores, without radii, in the pair's frame.
 */

enum { CUTS_MOST = 400 };

/* A support point of A - B. */
typedef struct cut_point {
    abut_vec3 on_a, on_b, w; /* w = on_a - on_b */
} cut_point;

typedef struct cut_search {
    const convex *a, *b;
    cut_point point[CUTS_MOST];
    int32_t count;
} cut_search;

/* Evaluates a direction and keeps its support point, which it returns. */
abut_vec3 cut_search_look(cut_search *search, abut_vec3 direction);

/* The points of A and B whose difference is the point closest to `target` in the hull of all support points. */
void cut_search_closest(const cut_search *search, abut_vec3 target, abut_vec3 *on_a, abut_vec3 *on_b);
