#pragma once

#include "narrow/normal/convex.h"

/*
 * Extremal pairs (Baraff, "Curved surfaces and coherence for non-penetrating rigid body simulation", section 3): points of two bodies that
 * face each other along a common normal. For convex bodies they are the stationary directions of the support function of the difference
 * h(d) = max d . (a - b) over the unit sphere, and only the direction is unknown. A local minimum of h is a local maximum of the gap -h:
 * there is one for bodies apart, and its gap is the distance; for bodies that overlap the least of them is the depth.
 *
 * Cores only; pair frame; d points from A to B.
 */

typedef struct extremal {
    abut_vec3 direction; /* unit */
    abut_vec3 on_a, on_b;
    double height;                     /* h along it: minus the gap of the cores */
    abut_feature feature_a, feature_b; /* of the cores */
    bool settled;                      /* a local minimum, found to the last digits; else only a direction with its height */
    bool repeated;                     /* the same to the last bit wherever the search began: see extremal_snap() */
    int32_t steps;                     /* of Newton's method */
    bool apart;                        /* the search was left when h fell below what was asked for */
} extremal;

/* A body, or one vertex of it for all. */
typedef struct extremal_side {
    const convex *body;
    const abut_vec3 *pin; /* pair frame; NULL for the smooth body itself */
} extremal_side;

/* What is looked for. */
typedef struct extremal_search {
    extremal_side a, b;
    double enough; /* stop where the cores are farther apart than this; INFINITY for never */
    double scale;  /* of the coordinates: their rounding is part of it */
    int most_steps;
} extremal_search;

/* Newton's method on the sphere from a unit direction: step no longer than 0.6, as long as h falls. */
void extremal_descend(const extremal_search *search, abut_vec3 start, extremal *found);

/* The point of the grid from which the last steps are taken again; whether the direction is so well inside its cell that any result of a
 * search for the same minimum is in it, too. */
abut_vec3 extremal_snap(abut_vec3 direction, bool *clear);

/* The local minimum of two bodies of which at least one is smooth, that a search from the direction comes to. */
void extremal_find(const convex *a, const convex *b, abut_vec3 start, double enough, extremal *found);

/* The same where one has vertices: a polytope or segment p and a smooth body s, directions from p to s. It begins at the face or edge of p
 * that is so near the direction (a sine), or else at a vertex. */
void extremal_walk(const convex *p, const convex *s, abut_vec3 start, double enough, double near, extremal *found);

/* The height along a direction and the points that have it. */
void extremal_look(const convex *a, const convex *b, abut_vec3 direction, extremal *found);

static inline double extremal_scale(const convex *a, const convex *b) {
    return a->size + b->size + abut_length(abut_sub(b->position, a->position));
}

/* A direction to begin with, from the line of the middles; `otherwise` when there is none. */
abut_vec3 extremal_start(const convex *a, const convex *b, abut_vec3 otherwise);

/* Bodies apart: by Gilbert, Johnson and Keerthi's method, which needs no derivatives. `settled` when points and direction agree on the
 * distance. False when the bodies meet, and then nothing is written. */
bool extremal_apart(const convex *a, const convex *b, abut_vec3 start, extremal *found);

/* The same for any bodies near a direction with its height: lower, if there is a lower one near by. */
void extremal_ease(const convex *a, const convex *b, extremal *found);

/* The last digits of a pair that was found without derivatives, if Newton's method can bring them out. */
void extremal_sharpen(const convex *a, const convex *b, extremal *found);

/* Where Newton's method found nothing: from the closest points. *found: any direction with its height, and then the pair. */
void extremal_without_derivatives(const convex *a, const convex *b, abut_vec3 start, extremal *found);

/* The local minimum that a search from the direction comes to, with derivatives or without. */
void extremal_near(const convex *a, const convex *b, abut_vec3 start, extremal *found);

/* Whether no direction is less deep than this local minimum, by proof. */
bool extremal_is_least(const convex *a, const convex *b, const extremal *found);

/*
 * The least local minimum of all, for bodies that overlap: by bounds over the whole sphere, to 1e-5 of the depth or, where so many
 * directions are as good that it would take too long, to 3e-2. *best: any direction with its height. preferred: decides between opposite
 * ones; *chosen then.
 */
void extremal_least(const convex *a, const convex *b, abut_vec3 preferred, extremal *best, bool *chosen);
