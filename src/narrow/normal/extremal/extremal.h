#pragma once

#include "narrow/normal/convex.h"

/*
 * Extremal pairs (Baraff, "Curved surfaces and coherence for non-penetrating rigid body simulation", section 3): points of two bodies that face each other
 * along a common normal. For convex bodies they are the stationary directions of the support function of the difference, h(d) = max d . (a - b), over the unit
 * sphere. Only the direction is unknown. A local minimum of h is a local maximum of the gap -h. Separated bodies have exactly one, whose gap is the distance.
 * For overlapping bodies the least local minimum is the depth.
 *
 * All values are of the cores, without radii, in the pair's frame. d points from A to B.
 */

/* Points that were moved by no more than this fraction of the size count as those of their direction. */
#define EXTREMAL_UNMOVED 3e-13

typedef struct extremal {
    abut_vec3 direction; /* unit */
    abut_vec3 on_a, on_b;
    double height;                     /* h along the direction: the negative gap of the cores */
    abut_feature feature_a, feature_b; /* of the cores */
    bool moved;                        /* the points are not those of the direction, and may lie off the surfaces */
    bool settled;                      /* a local minimum, found to the last digits; otherwise only a direction and its height are known */
    bool repeated;                     /* the same to the last bit wherever the search began; see extremal_snap() */
    int32_t steps;                     /* number of Newton steps */
    bool apart;                        /* the search stopped because h fell below -enough */
} extremal;

/* One side of a search: a body, or one vertex in its place. */
typedef struct extremal_side {
    const convex *body;
    const abut_vec3 *pin; /* the vertex, pair's frame; NULL for the smooth body itself */
} extremal_side;

/* The input of a search. */
typedef struct extremal_search {
    extremal_side a, b;
    double enough; /* stop when the cores are farther apart than this; INFINITY for never */
    double scale;  /* size of the coordinates, which sets their rounding error */
    int most_steps;
} extremal_search;

/* Newton's method on the sphere from a unit direction. Steps are no longer than 0.6, and h falls in each. */
void extremal_descend(const extremal_search *search, abut_vec3 start, extremal *found);

/* The grid point from which the last steps are repeated. *clear: the direction lies so well inside its cell that the result of any search for the same
 * minimum lies in this cell as well. */
abut_vec3 extremal_snap(abut_vec3 direction, bool *clear);

/* Finds the local minimum that a search from the direction reaches. At least one of the bodies is smooth. */
void extremal_find(const convex *a, const convex *b, abut_vec3 start, double enough, extremal *found);

/* The same for a body p with vertices (a polytope or a segment) and a smooth body s; directions point from p to s. The search begins at the face or edge of
 * p within the angle `near` (a sine) of the direction, or else at a vertex. */
void extremal_walk(const convex *p, const convex *s, abut_vec3 start, double enough, double near, extremal *found);

/* Evaluates a direction: its height, and the points that have this height. */
void extremal_look(const convex *a, const convex *b, abut_vec3 direction, extremal *found);

static inline double extremal_scale(const convex *a, const convex *b) {
    return a->size + b->size + abut_length(abut_sub(b->position, a->position));
}

/* Puts points in the place of those of extremal_look() that were found without its features. They may lie off the surfaces. */
void extremal_put_points(const convex *a, const convex *b, abut_vec3 on_a, abut_vec3 on_b, extremal *found);

/* Whether a point is on the surface of a smooth body, up to rounding error. The height of a pair is wrong by no more than its points are off the surfaces. */
bool extremal_is_on_surface(const convex *body, abut_vec3 point, double scale);

/* Whether the points face each other along the direction, and agree with its height to the last digits. The height of any direction bounds the distance of
 * separated bodies from below, and any two of their points bound it from above. */
bool extremal_is_pair(const extremal *found, double scale);

/* A direction to begin with, from the line between the centres. Returns `otherwise` when the centres coincide. */
abut_vec3 extremal_start(const convex *a, const convex *b, abut_vec3 otherwise);

/* Finds the pair of separated bodies by GJK, which needs no derivatives. It is `settled` when points and direction agree on the distance to the last digits.
 * Returns false and writes nothing when the bodies meet. */
bool extremal_apart(const convex *a, const convex *b, abut_vec3 start, extremal *found);

/* The same by cuts of the sphere of directions (cuts.c). It takes some hundred support points, and finds the last digits however slender the bodies are.
 * Returns false when no direction separates the bodies. */
bool extremal_by_cuts(const convex *a, const convex *b, abut_vec3 start, extremal *found);

/* Finds the last digits of the pair of separated bodies from a direction near it, also where they depend on more digits of the direction than it has
 * (digits.c). The points may lie off the surfaces as far as the height does not show it. */
void extremal_digits(const convex *a, const convex *b, extremal *found);

/* The same for any bodies, from a direction and its height in *found. Replaces *found when it finds a lower height near by. */
void extremal_ease(const convex *a, const convex *b, extremal *found);

/* Finds the local minimum near a direction with its height, or the last digits of a pair that is `settled`, by the three ways here and the one below. */
void extremal_minimum(const convex *a, const convex *b, extremal *found);

/* Computes the last digits of a pair that was found without derivatives, if Newton's method can. */
void extremal_sharpen(const convex *a, const convex *b, extremal *found);

/* Finds a pair from closest points, where Newton's method failed. *found holds any direction with its height, and receives the pair. */
void extremal_without_derivatives(const convex *a, const convex *b, abut_vec3 start, extremal *found);

/* Finds the local minimum that a search from the direction reaches, with derivatives or without. */
void extremal_near(const convex *a, const convex *b, abut_vec3 start, extremal *found);

/* The radius of a ball that touches the surface of A - B from inside at each of its points: a little less than the least radius of curvature. 0 where the
 * surface has edges. */
double extremal_inner_ball(const convex *a, const convex *b);

/* Whether it is proved that no direction is less deep than this local minimum. */
bool extremal_is_least(const convex *a, const convex *b, const extremal *found);

/*
 * Finds the least local minimum of overlapping bodies, by bounds over the whole sphere. It is accurate to 1e-11 of the depth and the rounding error of the
 * sizes, or to 1e-5, 1e-3 or 3e-2 of the depth where so many directions are nearly as good that the search would take too long. *best holds any direction with
 * its height, and receives the result. preferred breaks a tie between opposite directions, and *chosen is then true.
 */
void extremal_least(const convex *a, const convex *b, abut_vec3 preferred, extremal *best, bool *chosen);
