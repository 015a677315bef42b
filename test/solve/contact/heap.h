#pragma once

/*
 * Contacts for the solver's tests, without shapes: unit cubes in a row or a heap, touching at the corners of their faces.
 */

#include "support/check.h"
#include "support/random.h"

#include "solve/contact/contact.h"
#include "solve/contact/plan.h"

enum { HEAP_BODIES = 64, HEAP_PAIRS = 256, HEAP_POINTS = 1024 };

typedef struct heap {
    solver_body bodies[HEAP_BODIES]; /* 0 is the ground */
    abut_vec3 centre[HEAP_BODIES];
    solver_pair pairs[HEAP_PAIRS];
    solver_patch patches[HEAP_PAIRS];
    solver_point points[HEAP_POINTS];
    solver_anchor anchors[HEAP_POINTS];
    int32_t body_count;
    solver_contacts set;
} heap;

/* An empty heap. */
static inline void heap_begin(heap *h) {
    h->bodies[0] = (solver_body){.axes = abut_mat3_identity(), .rotation = abut_quat_identity()};
    h->centre[0] = abut_vec3_make(0.0, 0.0, -0.5);
    h->body_count = 1;
    h->set = (solver_contacts){.bodies = h->bodies, .pairs = h->pairs, .patches = h->patches, .points = h->points, .anchors = h->anchors};
    h->set.body_count = 1;
}

/* Adds a cube of 1 m with the given mass. Returns its body. */
static inline int32_t heap_add(heap *h, abut_vec3 centre, double mass) {
    int32_t body = h->body_count++;
    h->set.body_count = h->body_count;
    double inertia = mass / 6.0;
    abut_mat3 inverse = {{1.0 / inertia, 0, 0}, {0, 1.0 / inertia, 0}, {0, 0, 1.0 / inertia}};
    h->bodies[body] = (solver_body){
        .inverse_mass = 1.0 / mass, .inverse_inertia = inverse, .axes = abut_mat3_identity(), .rotation = abut_quat_identity()};
    h->centre[body] = centre;
    return body;
}

/* Body a stands on b: the corners of a rectangle of the given half sizes about `middle`, all with the gap. */
static inline solver_patch *heap_touch(heap *h, int32_t a, int32_t b, abut_vec3 middle, double half_x, double half_y, double gap,
                                       double friction) {
    solver_contacts *set = &h->set;
    solver_pair *pair = &h->pairs[set->pair_count++];
    *pair = (solver_pair){.a = a, .b = b, .first = set->patch_count, .count = 1, .touch = 1e-4};
    pair->offset = abut_sub(h->centre[a], h->centre[b]);
    solver_patch *patch = &h->patches[set->patch_count++];
    *patch = (solver_patch){.first = set->point_count, .count = 4, .friction = friction};
    const abut_vec3 centre[2] = {h->centre[a], h->centre[b]};
    const double radius[2] = {0.0, 0.0};
    for (int i = 0; i < 4; i++) {
        abut_contact contact = {
            .normal = {0, 0, 1}, .gap = gap, .feature_a = {ABUT_FEATURE_VERTEX, i, 0}, .feature_b = {ABUT_FEATURE_FACE, 0, 0}};
        contact.on_b = abut_add(middle, abut_vec3_make(i == 0 || i == 3 ? -half_x : half_x, i < 2 ? -half_y : half_y, 0.0));
        contact.on_a = abut_add(contact.on_b, abut_vec3_make(0.0, 0.0, gap));
        h->anchors[set->point_count++] = solver_begin_point(set, pair, centre, radius, &contact);
    }
    solver_begin_patch(set, patch, abut_vec3_make(0.0, 0.0, 1.0));
    return patch;
}

/* A tower of cubes, each shifted relative to the one below. */
static inline void heap_tower(heap *h, int32_t cubes, double shift, double friction) {
    heap_begin(h);
    for (int32_t i = 0; i < cubes; i++) {
        double x = shift * (i % 2), below = i > 0 ? shift * ((i - 1) % 2) : x;
        int32_t body = heap_add(h, abut_vec3_make(x, 0.0, 0.5 + i), 1000.0);
        double half = 0.5 - 0.5 * fabs(x - below);
        heap_touch(h, body, i > 0 ? body - 1 : 0, abut_vec3_make(0.5 * (x + below), 0.0, i), half, 0.5, 0.0, friction);
    }
    solver_refresh(&h->set);
}

/* Gives all bodies this downward speed. */
static inline void heap_drop(heap *h, double speed) {
    for (int32_t i = 1; i < h->body_count; i++) {
        h->bodies[i].velocity = abut_vec3_make(0.0, 0.0, -speed);
        h->bodies[i].angular_velocity = abut_vec3_make(0.0, 0.0, 0.0);
    }
}

/* Sum of the normal impulses of a patch. */
static inline double heap_load(const heap *h, const solver_patch *patch) {
    double sum = 0.0;
    for (int32_t i = patch->first; i < patch->first + patch->count; i++) {
        sum += h->points[i].impulse.normal;
    }
    return sum;
}

/* The largest speed of any body. */
static inline double heap_speed(const heap *h) {
    double speed = 0.0;
    for (int32_t i = 1; i < h->body_count; i++) {
        speed = fmax(speed, abut_length(h->bodies[i].velocity) + abut_length(h->bodies[i].angular_velocity));
    }
    return speed;
}
