#include "facet/inputs.h"

static const double turn = 6.283185307179586;

/* A triangle in a circle about `foot` with this normal. */
static abut_facet triangle(random_state *random, abut_vec3 foot, abut_vec3 normal, double circle, double radius) {
    abut_vec3 u, v;
    abut_facet f = {.radius = radius};
    abut_tangent_frame(normal, &u, &v);
    double first = random_range(random, 0.0, turn), gap[3], sum = 0.0;
    for (int i = 0; i < 3; i++) {
        gap[i] = random_range(random, 1.0, 2.5);
        sum += gap[i];
    }
    for (int i = 0; i < 3; i++) {
        f.corner[i] = abut_add(foot, abut_add(abut_scale(circle * cos(first), u), abut_scale(circle * sin(first), v)));
        first += turn * gap[i] / sum;
    }
    return f;
}

static abut_facet random_piece(random_state *random, abut_vec3 top, abut_vec3 normal) {
    double circle = random_range(random, 0.3, 0.6), radius = random_log_range(random, 1.0, 3.0);
    double sagitta = radius - sqrt(radius * radius - circle * circle);
    return triangle(random, abut_add_scaled(top, -sagitta, normal), normal, circle, radius);
}

static void throw(random_state * random, abut_facet_relation wanted, abut_facet *a, abut_facet *b) {
    abut_vec3 top = random_vec3(random, -1.0, 1.0), normal = random_direction(random), facing = abut_neg(normal);
    double aside = wanted == ABUT_FACET_BESIDE ? 2.0 : 0.5;
    double apart = wanted == ABUT_FACET_APART ? random_log_range(random, 1e-4, 0.5) : -random_log_range(random, 1e-3, 0.1);
    facing = wanted == ABUT_FACET_TURNED ? random_direction(random) : abut_unit(abut_add(facing, random_vec3(random, -0.2, 0.2)));
    abut_vec3 u, v, other = abut_add_scaled(top, apart, normal);
    abut_tangent_frame(normal, &u, &v);
    other =
        abut_add(other, abut_add(abut_scale(random_range(random, -aside, aside), u), abut_scale(random_range(random, -aside, aside), v)));
    *a = random_piece(random, top, normal);
    *b = random_piece(random, other, facing);
}

static void make(random_state *random, abut_facet_relation wanted, abut_facet *a, abut_facet *b) {
    abut_facet_contact found;
    do {
        throw(random, wanted, a, b);
    } while (abut_facet_collide(a, b, &found) != ABUT_OK || found.relation != wanted);
}

void inputs_fill(random_state *random, abut_facet_relation wanted, int32_t count, abut_facet *a, abut_facet *b) {
    for (int32_t i = 0; i < count; i++) {
        make(random, wanted, &a[i], &b[i]);
    }
}

void inputs_mix(random_state *random, int32_t count, abut_facet *a, abut_facet *b) {
    static const abut_facet_relation mix[8] = {ABUT_FACET_CONTACT, ABUT_FACET_BESIDE,  ABUT_FACET_BESIDE, ABUT_FACET_APART,
                                               ABUT_FACET_BESIDE,  ABUT_FACET_CONTACT, ABUT_FACET_TURNED, ABUT_FACET_BESIDE};
    /* In random order, so that neither branch prediction nor lanes benefit from the order. */
    for (int32_t i = 0; i < count; i++) {
        abut_facet_relation kind = mix[i % 8];
        make(random, kind, &a[i], &b[i]);
        int32_t other = random_below(random, i + 1);
        abut_facet swap_a = a[i], swap_b = b[i];
        a[i] = a[other];
        b[i] = b[other];
        a[other] = swap_a;
        b[other] = swap_b;
    }
}
