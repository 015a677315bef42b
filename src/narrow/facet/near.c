/*
 * Facet pairs that may touch soon: see near.h. The following shows that no pair is lost.
 *
 * Suppose two facets touch at a point that lies over both triangles. There the surface of A lies inside B's sphere, by at most the overlap
 * of the surfaces, and the surface of B lies inside A's sphere likewise. The depth of a point in a sphere changes by no more than the point
 * moves relative to the sphere's body. So a pair can come into contact within a margin of motion only if two things hold now. The cap of
 * each facet reaches into the other's sphere enlarged by the margin. And the distance of the caps is at most the overlap that the surfaces
 * can then have, plus the margin.
 */
#include "narrow/facet/near.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"

static const double rounding = 1e-12;

/* ---- two facets ---- */

/* The cap lies in the ball around the circumcircle of its corners. The part of its sphere inside the other ball lies, seen along the line
 * of the centres, within the circle in which they meet; or anywhere on the sphere if the other ball contains more than half of it. */
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
    /* All terms are multiplied by the squared distance of the centres. */
    double along = abut_dot(from_foot, way), off = abut_length_squared(from_foot) * square - along * along;
    double circle = real_max(side->radius * side->radius * square - 0.25 * twice * twice, 0.0) + rounding * sum * sum * square;
    double most = sqrt(circle) + side->foot_radius * sqrt(square);
    return off <= (1.0 + 1e-9) * most * most + rounding * abut_length_squared(from_foot) * square;
}

/* Whether a cap comes within `margin` of the half-space of a flat side. */
static bool reaches_below(const facet_side *side, const facet_side *flat, double margin) {
    return abut_dot(flat->normal, abut_sub(side->foot, flat->foot)) <= side->foot_radius + margin;
}

/* Let p and q be the heights of both surfaces over the contact plane, and d_a and d_b the distances of the centres from it, with d_a + d_b
 * = D. For a point x on the surface of A, the overlap p + q is in_b (R_b + |x - c_b|) / (2 d_b + q - p), and likewise with a and b
 * exchanged. One of the two denominators is at least D. */
double facet_overlap_limit(double radius_a, double in_a, double radius_b, double in_b, double distance) {
    return 2.0 * real_max(radius_a * in_a, radius_b * in_b) / distance;
}

/* Upper bound of the overlap of two facets after a motion by the margin: the overlap of their spheres, the bound from the depths of the
 * caps in the spheres, and half of either body's thickness behind the facets. */
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

bool facet_axis_leans(double distance, double moved, double *lean) {
    const double much = 0.5;
    *lean =
        distance > moved ? 2.0 * moved / distance : INFINITY; /* by at most moved in any direction, so by at most asin(moved / distance) */
    return *lean <= much;
}

/* Whether the triangles may lie over each other, and face each other, seen along the line of the centres, after a motion by the margin. Bodies that are almost
 * at one place touch in few of all the pairs of their facets that are near. */
static bool may_lie_over(const facet_side *a, const facet_side *b, double margin, double moved) {
    const abut_vec3 way = abut_sub(b->centre, a->centre), apart = abut_sub(b->foot, a->foot);
    double distance = abut_length(way), lean;
    if (!facet_axis_leans(distance, moved, &lean)) {
        return distance + moved >
               0.5 * FACET_LEAST_APART * (a->radius + b->radius); /* else the spheres stay at one place, without an axis */
    }
    double turned = margin / b->foot_radius, facing = 0.9 * FACET_LEAST_FACING - lean;
    if (abut_dot(a->normal, way) < facing * distance || -abut_dot(b->normal, way) < (facing - turned) * distance) {
        return false;
    }
    double along = abut_dot(apart, way) / distance, off = abut_length_squared(apart) - along * along;
    double reach = (1.0 + 1e-9) * (a->foot_radius + b->foot_radius) + margin + lean * (abut_length(apart) + margin);
    return off <= reach * reach + rounding * abut_length_squared(apart);
}

/* Whether a facet may face a flat one after a motion by the margin. When a body turns, its normals turn by no more than the margin over its reach. */
static bool may_face(const facet_side *a, const facet_side *b, double margin) {
    double turned = margin / real_min(a->foot_radius, b->corner != NULL ? b->foot_radius : INFINITY);
    return -abut_dot(a->normal, b->normal) > 0.9 * FACET_LEAST_FACING - turned;
}

/* How far two facets may overlap, by the limits of either body's thickness. */
static double depth_limit(const facet_side *a, const facet_side *b) {
    return real_min(a->depth > 0.0 ? a->depth : INFINITY, b->depth > 0.0 ? b->depth : INFINITY);
}

/* For a curved side and a flat one. Two facets overlap at most as far as the cap reaches below the plane. */
static bool may_meet_flat(const facet_side *curved, const facet_side *flat, double margin) {
    if (curved->corner == NULL) {
        return facet_reaches(flat, curved->centre, curved->radius + margin);
    }
    double below = abut_dot(flat->normal, abut_sub(flat->foot, curved->foot)) + curved->foot_radius + margin;
    if (!(below >= 0.0) || !may_face(curved, flat, margin)) {
        return false;
    }
    double reach = curved->foot_radius + flat->foot_radius + real_min(below, depth_limit(curved, flat)) + margin;
    return flat->corner == NULL || (facet_reaches(flat, curved->centre, curved->radius + margin) &&
                                    abut_length_squared(abut_sub(curved->foot, flat->foot)) <= reach * reach);
}

/* Whether the cap of a side reaches below the plane that touches the other's sphere over the middle of its circumcircle. */
static bool comes_below(const facet_side *side, const facet_side *other, double margin) {
    double sagitta = other->radius < INFINITY ? other->radius - other->height : 0.0;
    return abut_dot(other->normal, abut_sub(side->foot, other->foot)) <= side->foot_radius + sagitta + margin;
}

/* For two flat facets, or a flat facet and a plane. Each lies in part below the plane of the other, and their distance along the normal between them is at most
 * half of either body's thickness. */
static bool may_meet_flats(const facet_side *a, const facet_side *b, double margin) {
    if (!may_face(a, b, margin) || !reaches_below(a, b, margin)) {
        return false;
    }
    double reach = a->foot_radius + b->foot_radius + depth_limit(a, b) + margin;
    return b->corner == NULL || (reaches_below(b, a, margin) && abut_length_squared(abut_sub(a->foot, b->foot)) <= reach * reach);
}

bool facet_may_meet(const facet_side *a, const facet_side *b, double given) {
    double margin = given + rounding * (abut_length(a->foot) + abut_length(b->foot) + a->foot_radius + b->foot_radius);
    if (facet_is_flat(a) && facet_is_flat(b)) {
        return may_meet_flats(a, b, margin);
    }
    if (facet_is_flat(a) || facet_is_flat(b)) {
        return facet_is_flat(b) ? may_meet_flat(a, b, margin) : may_meet_flat(b, a, margin);
    }
    const double off = margin - given + rounding * (a->radius + b->radius);
    margin = given + off;
    if (b->corner != NULL && !(comes_below(a, b, margin) && comes_below(b, a, margin))) {
        return false;
    }
    /* When a body turns, the centre of a large sphere moves farther than the margin. The body's reach is at least the radius of the facet's
     * circumcircle. */
    double moved = off + given * (b->corner != NULL ? (1.0 + b->radius / b->foot_radius) : 1.0);
    double reach = a->radius + b->radius + moved;
    if (abut_length_squared(abut_sub(a->centre, b->centre)) > reach * reach ||
        (b->corner != NULL && !(caps_are_near(a, b, margin, moved) && may_lie_over(a, b, margin, moved)))) {
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
