/* ABUT_NORMAL_MINIMUM on prisms of 3 to 64 sides: in any position, and stacked, flat or tilted by up to 0.01 rad. The patch of a stack is
 * complete: its area is the overlap of the two faces seen along the normal, computed by the oracle. World frame, A above B. */
#include "support/exact.h"

#include <stdio.h>

static const double full_turn = 6.283185307179586;

static solid random_prism(random_state *random, double half_height) {
    double radius = random_range(random, 0.3, 0.8);
    return solid_prism(radius, half_height, 3 + random_below(random, 62));
}

static void prism_pairs(void **state) {
    (void)state;
    enum { PLACES = 10 };
    random_state random = random_make(random_seed("prism_pairs", 121));
    int32_t pairs = random_samples("prism_pairs", 5000) / PLACES;
    static exact_record record;
    for (int32_t i = 0; i < pairs; i++) {
        exact_body a = exact_polytope(random_prism(&random, random_log_range(&random, 0.02, 1.0)));
        exact_body b = exact_polytope(random_prism(&random, random_log_range(&random, 0.02, 1.0)));
        exact_pair pair = exact_open_at_random(a, b, &random);
        for (int32_t kind = 0; kind < PLACES; kind++) {
            exact_put(&pair, exact_random_position(&pair, &random, kind));
            tally_sample(&record.failures, "pair %d place %d: %d and %d vertices, separation %.17g", (int)i, (int)kind,
                         (int)a.surface.vertex_count, (int)b.surface.vertex_count, pair.least.separation);
            exact_check(&record, &pair);
            if ((i + kind) % 10 == 0) {
                exact_symmetries(&record, &pair, &random);
            }
        }
        exact_close(&pair);
    }
    exact_end("prism_pairs", &record);
}

/* A face seen along n, counter-clockwise about it; `turned` if the face looks against n. */
static int32_t seen_along(const oracle_body *body, int32_t face, abut_vec3 origin, abut_vec3 n, bool turned, oracle_point2 *polygon) {
    abut_vec3 u, v;
    abut_tangent_frame(n, &u, &v);
    int32_t count = body->face_first[face + 1] - body->face_first[face];
    for (int32_t i = 0; i < count; i++) {
        int32_t corner = body->face_vertices[body->face_first[face] + (turned ? count - 1 - i : i)];
        abut_vec3 p = abut_sub(body->vertices[corner], origin);
        polygon[i] = (oracle_point2){abut_dot(u, p), abut_dot(v, p)};
    }
    return count;
}

/* The lower end face of a box or prism is the last but one, the upper end face the last. */
static double faces_overlap(const exact_pair *pair, abut_vec3 n) {
    oracle_point2 p[64], q[64];
    abut_vec3 origin = pair->pose_b.position;
    int32_t np = seen_along(&pair->oracle_a, pair->oracle_a.face_count - 2, origin, n, true, p);
    int32_t nq = seen_along(&pair->oracle_b, pair->oracle_b.face_count - 1, origin, n, false, q);
    return oracle_overlap_area(p, np, q, nq);
}

static check_answer answer;

/* Returns the relative error of the area. `tilt` in rad; at 0 all gaps are the depth. */
static double check_stack(tally *t, const exact_pair *pair, abut_normal_policy policy, abut_vec3 up, double tilt, double depth) {
    abut_collide_settings settings = abut_collide_settings_default();
    settings.normal = policy;
    settings.margin = pair->size;
    check_pair p = {.a = pair->shape_a, .b = pair->shape_b, .pose_a = pair->pose_a, .pose_b = pair->pose_b, .size = pair->size};
    check_collide(t, &p, &settings, &answer);
    if (answer.count == 0) {
        tally_fail(t, "stack: no contact", "depth %.17g", depth);
        return INFINITY;
    }
    abut_vec3 n = answer.contacts[0].normal;
    /* Two edges of tilted faces may have the least depth; a normal within the feature angle of both faces gives the whole faces. */
    if (!(abut_distance_between(n, up) <= (tilt == 0.0 ? 1e-12 : 0.02))) {
        tally_fail(t, "stack: normal is not that of the faces", "off by %.3g rad", abut_distance_between(n, up));
    }
    for (int32_t i = 0; i < answer.count && tilt == 0.0; i++) {
        if (!(fabs(answer.contacts[i].gap + depth) <= 1e-13)) {
            tally_fail(t, "stack: gaps are not all the depth", "contact %d of %d: %.17g", (int)i, (int)answer.count,
                       answer.contacts[i].gap);
        }
    }
    double overlap = faces_overlap(pair, n), error = fabs(check_area(&answer) - overlap) / overlap;
    if (!(error <= 1e-12)) {
        tally_fail(t, tilt == 0.0 ? "flat stack: area" : "tilted stack: area", "%d contacts, area %.17g, faces overlap by %.17g",
                   (int)answer.count, check_area(&answer), overlap);
    }
    return error;
}

static exact_body stackable(random_state *random, double *half_height) {
    *half_height = random_range(random, 0.2, 0.6);
    if (random_below(random, 3) == 0) {
        double x = random_range(random, 0.3, 0.8), y = random_range(random, 0.3, 0.8);
        return exact_box(abut_vec3_make(x, y, *half_height));
    }
    return exact_polytope(random_prism(random, *half_height));
}

/* A stack: any yaws, both bodies moved about together. The tilt turns A about a horizontal axis; its lowest point lies `depth` below B's
 * upper face. */
typedef struct stack {
    exact_pair pair;
    abut_pose motion;
    double lowest; /* of A below its frame's origin */
    double top;    /* of B above its frame's origin */
    double tilt;
} stack;

static stack make_stack(random_state *random, double tilt) {
    stack s = {.tilt = tilt};
    double height_a, heading = random_range(random, 0, full_turn);
    exact_body a = stackable(random, &height_a), b = stackable(random, &s.top);
    abut_vec3 vertical = {0, 0, 1}, axis = {cos(heading), sin(heading), 0};
    abut_pose turned = {.rotation =
                            abut_quat_mul(abut_quat_about(axis, tilt), abut_quat_about(vertical, random_range(random, 0, full_turn)))};
    abut_pose pose_b = {.rotation = abut_quat_about(vertical, random_range(random, 0, full_turn))};
    s.motion = random_below(random, 2) ? random_pose(random, 2.0) : abut_pose_identity();
    s.lowest = height_a;
    if (tilt > 0.0) {
        oracle_body body = oracle_solid(&a.surface, turned);
        s.lowest = oracle_support(&body, abut_neg(vertical));
        oracle_free(&body);
    }
    s.pair = exact_open(a, abut_quat_mul(s.motion.rotation, turned.rotation), b, abut_pose_compose(s.motion, pose_b));
    return s;
}

static void put_on_top(stack *s, random_state *random, double depth) {
    double x = random_range(random, -0.2, 0.2), y = random_range(random, -0.2, 0.2);
    exact_put(&s->pair, abut_pose_apply(s->motion, abut_vec3_make(x, y, s->lowest + s->top - depth)));
}

static void stacks(const char *name, uint64_t seed, double least_tilt, double most_tilt) {
    enum { PLACES = 5 };
    random_state random = random_make(random_seed(name, seed));
    int32_t count = random_samples(name, 5000) / PLACES;
    static exact_record record;
    record = (exact_record){0};
    double worst = 0.0;
    for (int32_t i = 0; i < count; i++) {
        double tilt = most_tilt > 0.0 ? random_log_range(&random, least_tilt, most_tilt) : 0.0;
        stack s = make_stack(&random, tilt);
        abut_vec3 up = abut_quat_rotate(s.motion.rotation, abut_vec3_make(0, 0, 1));
        for (int32_t k = 0; k < PLACES; k++) {
            double depth = k == 0 ? 0.0 : random_log_range(&random, 1e-9, 1e-3);
            put_on_top(&s, &random, depth);
            tally_sample(&record.failures, "stack %d place %d: %d on %d vertices, tilt %.17g, depth %.17g", (int)i, (int)k,
                         (int)s.pair.oracle_a.vertex_count, (int)s.pair.oracle_b.vertex_count, tilt, depth);
            worst = fmax(worst, check_stack(&record.failures, &s.pair, ABUT_NORMAL_MINIMUM, up, tilt, depth));
            worst = fmax(worst, check_stack(&record.failures, &s.pair, ABUT_NORMAL_GROWTH, up, tilt, depth));
            exact_check(&record, &s.pair);
            if ((i + k) % 10 == 1) {
                exact_symmetries(&record, &s.pair, &random);
            }
        }
        exact_close(&s.pair);
    }
    printf("%s: worst relative error of an area %.2g\n", name, worst);
    exact_end(name, &record);
}

static void flat_stacks(void **state) {
    (void)state;
    stacks("flat_stacks", 122, 0.0, 0.0);
}

static void tilted_stacks(void **state) {
    (void)state;
    stacks("tilted_stacks", 123, 1e-16, 0.01);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prism_pairs),
        cmocka_unit_test(flat_stacks),
        cmocka_unit_test(tilted_stacks),
    };
    return cmocka_run_group_tests_name("narrow/normal/minimum_prisms", tests, NULL, NULL);
}
