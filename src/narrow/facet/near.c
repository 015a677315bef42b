/*
 * Which facets may touch soon (narrow/facet/near.h).
 *
 * Where two facets touch, at a point over both triangles, the surface of A is within B's sphere by no more than the surfaces overlap there, and that of B
 * within A's. How deep a point is in a sphere changes by no more than the point moves, as the sphere's body sees it. So a pair can only come to touch within a
 * margin where now the cap of each comes into the other's sphere grown by that, and where the caps are no farther apart than the surfaces may
 * overlap then, and the margin.
 */
#include "narrow/facet/near.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"

static const double rounding = 1e-12;

/* ---- two facets ---- */

/* The cap lies in the ball about the circle of its corners, and what of its sphere is in the other ball lies, seen along the line of their centres, within
 * the circle in which they meet; or anywhere on the sphere, when the other ball has more than half of it. */
bool facet_reaches(const facet_side *side, abut_vec3 centre, double reach) {
    double both = reach + side->foot_radius;
    abut_vec3 from_foot = abut_sub(centre, side->foot);
    if (abut_length_squared(from_foot) > both * both) {
        return false;
    }
    if (!(side->radius < INFINITY)) {
        return true;
    }
    abut_vec3 way = abut_sub(centre, side->centre);
    double sum = side->radius + reach, square = abut_length_squared(way), twice = square + (side->radius - reach) * sum;
    if (!(twice > 0.0)) {
        return true;
    }
    /* All times the square of the distance. */
    double along = abut_dot(from_foot, way), off = abut_length_squared(from_foot) * square - along * along;
    double circle = real_max(side->radius * side->radius * square - 0.25 * twice * twice, 0.0) + rounding * sum * sum * square;
    double most = sqrt(circle) + side->foot_radius * sqrt(square);
    return off <= (1.0 + 1e-9) * most * most + rounding * abut_length_squared(from_foot) * square;
}

static bool is_flat(const facet_side *side) { return !(side->radius < INFINITY); }

/* Whether a cap comes within a distance of the half-space of a flat side. */
static bool reaches_below(const facet_side *side, const facet_side *flat, double margin) {
    return abut_dot(flat->normal, abut_sub(side->foot, flat->foot)) <= side->foot_radius + margin;
}

/* With the heights p and q of both surfaces over the contact plane, d_a and d_b of the centres on either side of it, d_a + d_b = D, the overlap p + q is
 * in_b (R_b + |x - c_b|) / (2 d_b + q - p), x on the surface of A; and with a and b exchanged likewise. One of the denominators is D at least. */
double facet_overlap_limit(double radius_a, double in_a, double radius_b, double in_b, double distance) {
    return 2.0 * real_max(radius_a * in_a, radius_b * in_b) / distance;
}

/* How far two facets can overlap, after the margin: as their spheres do, as deep as the caps come into the spheres, and no more than half of either body's
 * thickness behind them. */
static double largest_overlap(const facet_side *a, const facet_side *b, double margin, double moved) {
    double distance = abut_distance_between(a->centre, b->centre), overlap = a->radius + b->radius - distance + moved;
    double in_b = b->radius + a->foot_radius + margin - abut_distance_between(a->foot, b->centre);
    double in_a = a->radius + b->foot_radius + margin - abut_distance_between(b->foot, a->centre);
    if (distance > moved) {
        overlap = real_min(overlap, facet_overlap_limit(a->radius, in_a, b->radius, in_b, distance - moved));
    }
    return a->depth > 0.0 && b->depth > 0.0 ? real_min(overlap, real_min(a->depth, b->depth)) : overlap;
}

static bool caps_are_near(const facet_side *a, const facet_side *b, double margin, double moved) {
    double reach = a->foot_radius + b->foot_radius + real_max(largest_overlap(a, b, margin, moved), 0.0) + margin;
    return abut_length_squared(abut_sub(a->foot, b->foot)) <= reach * reach;
}

/* Of a curved side and a flat one. */
static bool may_meet_flat(const facet_side *curved, const facet_side *flat, double margin) {
    bool above = curved->corner == NULL || reaches_below(curved, flat, margin);
    return above && (flat->corner == NULL || facet_reaches(flat, curved->centre, curved->radius + margin));
}

/* Whether the cap of a side comes below the plane that touches the other's sphere over the middle of its circle. */
static bool comes_below(const facet_side *side, const facet_side *other, double margin) {
    double sagitta = other->radius < INFINITY ? other->radius - other->height : 0.0;
    return abut_dot(other->normal, abut_sub(side->foot, other->foot)) <= side->foot_radius + sagitta + margin;
}

bool facet_may_meet(const facet_side *a, const facet_side *b, double margin) {
    if (is_flat(a) && is_flat(b)) {
        return false;
    }
    margin += rounding * (abut_length(a->foot) + abut_length(b->foot) + a->foot_radius + b->foot_radius);
    if (is_flat(a) || is_flat(b)) {
        return is_flat(b) ? may_meet_flat(a, b, margin) : may_meet_flat(b, a, margin);
    }
    margin += rounding * (a->radius + b->radius);
    if (b->corner != NULL && !(comes_below(a, b, margin) && comes_below(b, a, margin))) {
        return false;
    }
    /* The centre of a large sphere moves farther when the body turns, whose reach is no less than the radius of the facet's circle. */
    double moved = margin * (b->corner != NULL ? (1.0 + b->radius / b->foot_radius) : 1.0);
    double reach = a->radius + b->radius + moved;
    if (abut_length_squared(abut_sub(a->centre, b->centre)) > reach * reach || (b->corner != NULL && !caps_are_near(a, b, margin, moved))) {
        return false;
    }
    return facet_reaches(a, b->centre, b->radius + margin) && (b->corner == NULL || facet_reaches(b, a->centre, a->radius + margin));
}

/* ---- a list of pairs ---- */

void facet_candidates_add(facet_candidates *near, int32_t facet_a, int32_t facet_b) {
    if (!array_extend(&near->pair, &near->capacity, near->count, near->count + 1, sizeof *near->pair)) {
        near->out_of_memory = true;
        return;
    }
    near->pair[near->count++] = (facet_candidate){facet_a, facet_b};
}

static int compare(const void *left, const void *right) {
    const facet_candidate *p = left, *q = right;
    int32_t first = p->b != q->b ? p->b : p->a, other = p->b != q->b ? q->b : q->a;
    return (first > other) - (first < other);
}

void facet_candidates_sort(facet_candidates *near) {
    if (near->count > 1) {
        qsort(near->pair, (size_t)near->count, sizeof *near->pair, compare);
    }
}

void facet_candidates_release(facet_candidates *near) {
    memory_release(near->pair);
    *near = (facet_candidates){.pair = NULL};
}
