/*
 * Tests whether some plane has room between the fixed points of two sides. It searches the point nearest to the origin among all
 * differences of a point of side 1 and a point of side -1 (E. G. Gilbert, D. W. Johnson, S. S. Keerthi, 1988). It ends when the current
 * direction is a normal with room, or the nearest point leaves no room.
 */
#include "tetra/mesh/parting_fixed.h"

#include "geom/closest.h"

enum { CORNERS = 4, STEPS = 400 };

typedef struct hull {
    abut_vec3 corner[CORNERS];
    int count;
} hull;

/* The difference with the smallest component along v. */
static abut_vec3 least_along(const parting_points *p, abut_vec3 v) {
    double lower = INFINITY, upper = -INFINITY;
    int32_t above = 0, below = 0;
    for (int32_t i = 0; i < p->count; i++) {
        if (p->mass[i] < INFINITY) {
            continue;
        }
        double height = abut_dot(v, p->at[i]);
        if (p->side[i] > 0 && height < lower) {
            lower = height;
            above = i;
        } else if (p->side[i] < 0 && height > upper) {
            upper = height;
            below = i;
        }
    }
    return abut_sub(p->at[above], p->at[below]);
}

/* The point of a face nearest to the origin, and the corners that span it. */
static abut_vec3 nearest_of_face(const hull *h, int i, int j, int k, hull *of) {
    const abut_vec3 origin = {0.0, 0.0, 0.0}, corner[3] = {h->corner[i], h->corner[j], h->corner[k]};
    double weight[3];
    closest_on_triangle(origin, corner[0], corner[1], corner[2], weight);
    abut_vec3 nearest = origin;
    of->count = 0;
    for (int c = 0; c < 3; c++) {
        if (weight[c] > 0.0) {
            nearest = abut_add_scaled(nearest, weight[c], corner[c]);
            of->corner[of->count++] = corner[c];
        }
    }
    return nearest;
}

/* True when the origin lies on the same side of a face as the opposite corner. */
static bool within_face(const hull *h, int i, int j, int k, int opposite) {
    abut_vec3 n = abut_cross(abut_sub(h->corner[j], h->corner[i]), abut_sub(h->corner[k], h->corner[i]));
    double origin = -abut_dot(n, h->corner[i]), inner = abut_dot(n, abut_sub(h->corner[opposite], h->corner[i]));
    return inner > 0.0 ? origin >= 0.0 : inner < 0.0 && origin <= 0.0;
}

/* The point of the hull nearest to the origin. Keeps only the corners that span it. With fewer than three corners, the last one stands for
 * the missing ones. */
static abut_vec3 reduce(hull *h) {
    if (h->count < CORNERS) {
        hull of;
        abut_vec3 nearest = nearest_of_face(h, 0, h->count > 1 ? 1 : 0, h->count - 1, &of);
        *h = of;
        return nearest;
    }
    static const int face[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
    abut_vec3 best = {0.0, 0.0, 0.0};
    hull kept = {.count = 0};
    double least = INFINITY;
    bool inside = true;
    for (int f = 0; f < 4; f++) {
        hull of;
        abut_vec3 nearest = nearest_of_face(h, face[f][0], face[f][1], face[f][2], &of);
        inside = inside && within_face(h, face[f][0], face[f][1], face[f][2], face[f][3]);
        if (abut_length_squared(nearest) < least) {
            least = abut_length_squared(nearest);
            best = nearest;
            kept = of;
        }
    }
    *h = kept;
    return inside ? abut_vec3_make(0.0, 0.0, 0.0) : best;
}

bool parting_between_fixed(const parting_points *p, abut_vec3 *normal) {
    hull h = {.corner = {least_along(p, abut_vec3_make(0, 0, 1))}, .count = 1};
    double before = INFINITY;
    for (int step = 0; step < STEPS; step++) {
        abut_vec3 nearest = reduce(&h), way = abut_unit(nearest), next = least_along(p, way);
        double distance = abut_length(nearest);
        if (!(distance > 0.0) || distance >= before || h.count == CORNERS) {
            return false;
        }
        before = distance;
        if (abut_dot(way, next) > 2.0 * p->gap) {
            *normal = way;
            return true;
        }
        h.corner[h.count++] = next;
    }
    return false;
}
