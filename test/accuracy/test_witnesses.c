/* Witness points of abut_distance() at size ratios up to 1e12. The answer certifies itself: the gap along the normal bounds the distance from below, and two points
 * of the bodies bound it from above. Both are evaluated with 256 bits from the definition of the shapes. World frame. */
#include <math.h>

#include "accuracy/accuracy.h"
#include "accuracy/big_body.h"

/* The rounding of a world coordinate, relative to the limit of the rows. */
#define COORDINATE 2e-4
#define LIMIT 1e-12

typedef struct sample {
    big_body body[2];
    abut_shape *shape[2];
    abut_pose pose[2];
    double larger; /* the size of the larger body */
} sample;

/* ---- shapes ---- */

static double share(random_state *random, double decades) {
    return random_below(random, 2) ? 1.0 : pow(10.0, -random_range(random, 0.0, decades));
}

static void add_point(big_body *body, double x, double y, double z) { body->point[body->point_count++] = abut_vec3_make(x, y, z); }

/* Points of an ellipsoid, a prism, a grid, or a simplex or so. */
static void fill_points(random_state *random, big_body *body) {
    const abut_vec3 h = body->half;
    int form = random_below(random, 4), count = form == 1 ? 3 + random_below(random, 7) : 4 + random_below(random, form == 3 ? 3 : 12);
    for (int i = 0; i < count; ++i) {
        abut_vec3 p = form == 0 ? random_direction(random) : random_vec3(random, -1.0, 1.0);
        if (form == 1) {
            double angle = 2.0 * PI * i / count;
            add_point(body, cos(angle) * h.x, sin(angle) * h.y, -h.z);
            p = abut_vec3_make(cos(angle), sin(angle), 1.0);
        } else if (form == 2) {
            p = abut_vec3_make(0.25 * round(4.0 * p.x), 0.25 * round(4.0 * p.y), 0.25 * round(4.0 * p.z));
        }
        add_point(body, p.x * h.x, p.y * h.y, p.z * h.z);
    }
}

static big_body random_body(random_state *random, big_kind kind, double size, double decades) {
    big_body body = {.kind = kind, .size = size};
    abut_vec3 h = {share(random, decades), share(random, decades), share(random, decades)};
    if (random_below(random, 4) == 0) {
        h = abut_vec3_make(0.125 * ceil(8.0 * h.x), 0.125 * ceil(8.0 * h.y), 0.125 * ceil(8.0 * h.z));
    }
    body.half = kind == BIG_PLANE ? random_direction(random) : abut_scale(0.5 * size, h);
    body.radius = 0.5 * size * share(random, decades);
    body.half_length = 0.5 * size * share(random, decades);
    body.e1 = random_range(random, 0.2, 1.8);
    body.e2 = random_range(random, 0.2, 1.8);
    if (kind == BIG_POINTS) {
        fill_points(random, &body);
    }
    return body;
}

/* ---- poses ---- */

static abut_quat nearly(random_state *random, abut_quat rotation) {
    double sine = pow(10.0, -random_range(random, 2.0, 17.0));
    abut_vec3 axis = random_direction(random);
    abut_quat turn = {sine * axis.x, sine * axis.y, sine * axis.z, 1.0};
    return abut_quat_unit(abut_quat_mul(rotation, turn));
}

static abut_vec3 axis_of(random_state *random, abut_quat rotation) {
    static const abut_vec3 axis[6] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    return abut_quat_rotate(rotation, axis[random_below(random, 6)]);
}

/* From B to A: any direction, an axis of either body, or nearly one. */
static abut_vec3 random_normal(random_state *random, const sample *s) {
    abut_vec3 normal = random_below(random, 2) ? random_direction(random) : axis_of(random, s->pose[random_below(random, 2)].rotation);
    if (random_below(random, 4) == 0) {
        normal = abut_unit(abut_add_scaled(normal, pow(10.0, -random_range(random, 2.0, 16.0)), random_direction(random)));
    }
    return s->body[1].kind == BIG_PLANE ? abut_quat_rotate(s->pose[1].rotation, s->body[1].half) : normal;
}

static double reach_along(const sample *s, int i, abut_vec3 direction) {
    big_pose pose = big_pose_of(s->pose[i]);
    return s->body[i].kind == BIG_PLANE ? 0.0 : big_double(big_body_support(&s->body[i], &pose, bigv_of(direction)));
}

/* Places A beside B, apart along a normal, with an offset aside; sometimes far from the origin. */
static void place(random_state *random, sample *s, double smaller) {
    s->pose[0] = s->pose[1] = abut_pose_identity();
    s->pose[0].rotation = random_below(random, 3) ? random_rotation(random) : abut_quat_identity();
    int turned = random_below(random, 3);
    s->pose[1].rotation = turned == 0   ? random_rotation(random)
                          : turned == 1 ? s->pose[0].rotation
                                        : nearly(random, s->pose[0].rotation);
    abut_vec3 normal = random_normal(random, s), u, v;
    abut_tangent_frame(normal, &u, &v);
    double gap = pow(10.0, random_range(random, -5.0, 1.0)) * (random_below(random, 2) ? s->larger : smaller);
    double side = random_below(random, 4) == 0 ? 0.0 : 0.6 * (random_below(random, 2) ? s->larger : smaller);
    double height = reach_along(s, 0, abut_neg(normal)) + reach_along(s, 1, normal) + gap;
    abut_vec3 aside = abut_add(abut_scale(side * random_range(random, -1.0, 1.0), u), abut_scale(side * random_range(random, -1.0, 1.0), v));
    abut_vec3 origin = random_below(random, 3) ? abut_vec3_make(0, 0, 0)
                                               : abut_scale(s->larger * pow(10.0, random_range(random, 0.0, 6.0)), random_vec3(random, -1.0, 1.0));
    s->pose[1].position = origin;
    s->pose[0].position = abut_add(origin, abut_add_scaled(aside, height, normal));
}

/* ---- the oracle ---- */

/* The errors of an answer, relative to the larger size; the rounding of world coordinates counts as part of the size. */
static void judge(accuracy *row, const sample *s, const abut_separation *found, bool swapped) {
    int a = swapped ? 1 : 0, b = 1 - a;
    big_pose pose_a = big_pose_of(s->pose[a]), pose_b = big_pose_of(s->pose[b]);
    bigv normal = bigv_of(found->normal), on_a = bigv_of(found->on_a), on_b = bigv_of(found->on_b), apart = bigv_sub(on_a, on_b);
    double coordinates = abut_length(s->pose[0].position) + abut_length(s->pose[1].position) + abut_length(found->on_a) + abut_length(found->on_b);
    double scale = s->larger + COORDINATE * (s->larger + coordinates);
    bool plane = s->body[1].kind == BIG_PLANE;
    big lower = big_of(found->gap), gap = big_of(found->gap);
    if (!plane) {
        big reach = big_add(big_body_support(&s->body[a], &pose_a, bigv_scale(big_of(-1.0), normal)), big_body_support(&s->body[b], &pose_b, normal));
        lower = big_sub(big_of(0.0), reach);
    }
    if (!(found->gap > 0.0)) {
        if (big_double(lower) > LIMIT * scale) {
            accuracy_wrong(row, "touching, and %.3g apart", big_double(lower));
        }
        return;
    }
    double along = fabs(big_double(big_sub(bigv_dot(normal, apart), gap))) / scale;
    double aside = big_double(bigv_length(bigv_sub(apart, bigv_scale(gap, normal)))) / scale;
    double below = fabs(big_double(big_sub(lower, gap))) / scale;
    double off_a = fabs(big_body_outside(&s->body[a], &pose_a, on_a)) / scale, off_b = fabs(big_body_outside(&s->body[b], &pose_b, on_b)) / scale;
    double worst = fmax(fmax(along, aside), fmax(below, fmax(off_a, off_b)));
    accuracy_error(row, isfinite(off_a + off_b) ? worst : NAN, "%s: along %.2g, aside %.2g, below %.2g, off A %.2g, off B %.2g; gap %.17g",
                   swapped ? "swapped" : "as given", along, aside, below, off_a, off_b, found->gap);
}

static void try_sample(accuracy *row, uint64_t seed, const big_kind *kinds, int kind_count) {
    random_state random = random_make(seed);
    int first = random_below(&random, kind_count), second = random_below(&random, kind_count + 1);
    sample s;
    big_kind kind_b = second < kind_count ? kinds[second] : BIG_PLANE;
    bool curved = kinds[first] >= BIG_ELLIPSOID || (kind_b >= BIG_ELLIPSOID && kind_b != BIG_PLANE);
    double decades = curved ? 2.0 : random_below(&random, 2) ? 1.0 : 5.0, unit = pow(10.0, random_range(&random, -3.0, 3.0));
    double ratio = pow(10.0, random_range(&random, 0.0, 12.0));
    bool large_first = random_below(&random, 2) == 0;
    s.body[0] = random_body(&random, kinds[first], large_first ? unit * ratio : unit, decades);
    s.body[1] = random_body(&random, kind_b, large_first ? unit : unit * ratio, decades);
    s.larger = kind_b == BIG_PLANE ? s.body[0].size : unit * ratio;
    s.shape[0] = big_body_make(&s.body[0]);
    s.shape[1] = big_body_make(&s.body[1]);
    if (s.shape[0] != NULL && s.shape[1] != NULL) {
        accuracy_next(row, seed);
        place(&random, &s, kind_b == BIG_PLANE ? s.larger : unit);
        for (int swapped = 0; swapped < 2; ++swapped) {
            abut_separation found;
            abut_pair pair = {s.shape[swapped], s.pose[swapped], s.shape[1 - swapped], s.pose[1 - swapped]};
            abut_status status = abut_distance(&pair, NULL, NULL, &found);
            if (status != ABUT_OK) {
                accuracy_wrong(row, "status %d", (int)status);
            } else {
                judge(row, &s, &found, swapped == 1);
            }
        }
    }
    abut_shape_release(s.shape[0]);
    abut_shape_release(s.shape[1]);
}

static void run(const char *what, uint64_t first, const uint64_t *held, int held_count, int32_t full, const big_kind *kinds, int kind_count) {
    accuracy *row = accuracy_begin(what, "256 bits: support functions and surfaces", "(points aside or off the surface, gap off the bound) / larger size", LIMIT);
    for (int i = 0; i < held_count; ++i) {
        try_sample(row, held[i], kinds, kind_count);
    }
    int32_t count = accuracy_samples(full);
    for (int32_t i = 0; i < count; ++i) {
        try_sample(row, first + (uint64_t)i, kinds, kind_count);
    }
    accuracy_end(row);
}

static void flat_and_round(void **state) {
    (void)state;
    static const big_kind kinds[] = {BIG_BALL, BIG_CAPSULE, BIG_BOX, BIG_POINTS};
    static const uint64_t held[] = {1};
    run("witness points: balls, capsules, boxes, hulls, planes", 1000000, held, 1, 100000, kinds, 4);
}

static void with_smooth(void **state) {
    (void)state;
    static const big_kind kinds[] = {BIG_ELLIPSOID, BIG_SUPERQUADRIC, BIG_BALL, BIG_BOX, BIG_POINTS, BIG_CAPSULE};
    static const uint64_t held[] = {1};
    run("witness points: ellipsoids, superquadrics and the same", 2000000, held, 1, 100000, kinds, 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(flat_and_round), cmocka_unit_test(with_smooth)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
