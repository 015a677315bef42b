#pragma once

#include "narrow/mesh/convex/met.h"
#include "narrow/mesh/convex/ways.h"

/*
 * The search for a way out of a surface that is less deep than the least deep one so far.
 */

enum { SHORTENING_ACROSS = 8, SHORTENING_CELLS = 6 * SHORTENING_ACROSS * SHORTENING_ACROSS };

/* Of the ways in one cell of directions: the triangle that the last of them did not take the body out of. */
typedef struct shortening_hold {
    int32_t met; /* -1: none */
    int32_t searches;
} shortening_hold;

typedef struct shortening {
    convex_work *work;
    const met_triangle *of;                 /* a way must take the body out of this triangle; NULL: out of all that it meets */
    met_triangle least;                     /* the least deep way so far */
    double shortest;                        /* no shorter way takes the body out of the triangle, or out of each alone */
    shortening_hold held[SHORTENING_CELLS]; /* for all triangles */
    mesh_ways_known known;
    mesh_edges *edges; /* of triangles beside those that are tried */
} shortening;

/* Begins with a way that takes the body out of all triangles that it meets. */
void shortening_of_all(shortening *s, convex_work *work, const met_triangle *way);

/* Begins with a triangle's own way. */
void shortening_of_one(shortening *s, convex_work *work, const met_triangle *of);

/* Looks for a way out over the edges and corners of a triangle. */
void shortening_try_ways(shortening *s, const mesh_triangle *t);

/* Whether a triangle has sides that are not flat joints. */
bool shortening_is_outer(shortening *s, const mesh_triangle *t);

/* Looks for a way out along the triangle's own normal. */
void shortening_try_own(shortening *s, const mesh_triangle *t);

/* Looks for a way out over the edges and corners of a triangle's neighbours, at its corners near the body. Of those in its plane none is tried. */
void shortening_try_about(shortening *s, const met_triangle *met);
