/*
 * Bodies that are points up to rounding error: capsules of nearly no length, and bodies smaller than the rounding error of their place in another one. Each has
 * the contacts of a ball in its place, in both orders.
 */
#include <abut/smooth.h>

#include "support/check.h"
#include "support/random.h"
#include "support/shapes.h"

enum { KINDS = 7 }; /* of large bodies */

/* The case that is looked at. */
typedef struct question {
    abut_shape *small, *ball, *large;
    abut_pose pose, pose_large;
    double size; /* of the small body's core: a contact may differ by it from that of the ball */
} question;

/* Of two directions that are equally deep up to 1e-9 of the sizes, either one may be the normal. */
#define TIE 2e-8

static abut_shape *superquadric(abut_vec3 axes, double e1, double e2) {
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_superquadric(axes, e1, e2, &shape));
    return shape;
}

static abut_shape *random_large(random_state *r, int32_t kind) {
    abut_vec3 size = random_vec3(r, 0.5, 4.0);
    double e1 = random_range(r, 0.4, 1.6), e2 = random_range(r, 0.4, 1.6);
    switch (kind) {
    case 0:
        return ellipsoid(size.x, size.y, size.z);
    case 1:
        return superquadric(size, e1, e2);
    case 2:
        return box(size.x, size.y, size.z);
    case 3:
        return prism(size.x, size.y, 3 + random_below(r, 5));
    case 4:
        return cylinder(size.x, size.y);
    case 5:
        return cone(size.x, size.y);
    default:
        return capsule(size.x, size.y);
    }
}

/* From the smallest number to a thousandth, and as often near the rounding error as anywhere else. */
static double random_little(random_state *r) {
    return random_below(r, 2) == 0 ? random_log_range(r, 1e-19, 1e-13) : random_log_range(r, 1e-300, 1e-3);
}

static bool is_in(abut_aabb bounds, abut_vec3 p) {
    const double rounding = 1e-12;
    return p.x >= bounds.lower.x - rounding && p.y >= bounds.lower.y - rounding && p.z >= bounds.lower.z - rounding &&
           p.x <= bounds.upper.x + rounding && p.y <= bounds.upper.y + rounding && p.z <= bounds.upper.z + rounding;
}

/* The least gap; infinite without contacts. Every contact lies within the bounds of both bodies. */
static double deepest(tally *t, const abut_shape *a, abut_pose pose_a, const abut_shape *b, abut_pose pose_b) {
    enum { CAPACITY = 256 };
    abut_contact contact[CAPACITY];
    int32_t count;
    double least = INFINITY;
    assert_ok(abut_collide(&(abut_pair){a, pose_a, b, pose_b}, NULL, NULL, contact, CAPACITY, &count));
    abut_aabb bounds_a = abut_shape_bounds(a, pose_a), bounds_b = abut_shape_bounds(b, pose_b);
    for (int32_t i = 0; i < count; ++i) {
        if (!is_in(bounds_a, contact[i].on_a) || !is_in(bounds_b, contact[i].on_b)) {
            tally_fail(t, "a contact is beside the bodies", "contact %d, gap %.17g", (int)i, contact[i].gap);
        }
        least = contact[i].gap < least ? contact[i].gap : least;
    }
    return least;
}

/* Without contacts the bodies are apart: the gap is above 0. */
static bool agree(double gap, double other, double tolerance) {
    return fabs(gap - other) <= tolerance || (gap == INFINITY && other >= -tolerance) || (other == INFINITY && gap >= -tolerance);
}

static void ask(tally *t, const question *q) {
    double ball = deepest(t, q->ball, q->pose, q->large, q->pose_large);
    double first = deepest(t, q->small, q->pose, q->large, q->pose_large), second = deepest(t, q->large, q->pose_large, q->small, q->pose);
    if (!agree(first, ball, TIE + q->size) || !agree(second, ball, TIE + q->size) || !agree(first, second, TIE)) {
        tally_fail(t, "the gap is not that of a ball", "size %g: gap %.17g, exchanged %.17g, of the ball %.17g", q->size, first, second,
                   ball);
    }
    abut_shape_release(q->small);
    abut_shape_release(q->ball);
    abut_shape_release(q->large);
}

/* The capsule's middle is beside that of the large body, straight across its axis but for a rounding error. There the search begins with the side of the
 * capsule, whose ends are one point in the frame of the large body. */
static void capsules_across(void **state) {
    (void)state;
    tally t = {.kinds = 0};
    int32_t samples = random_samples("capsules across", 40000);
    for (int32_t i = 0; i < samples; ++i) {
        random_state r = random_make((uint64_t)i);
        int32_t kind = random_below(&r, KINDS);
        double radius = random_range(&r, 0.1, 8.0), half = random_little(&r), noise = random_range(&r, -4e-16, 4e-16);
        abut_vec3 beside = random_vec3(&r, -3.0, 3.0);
        beside.z = random_below(&r, 4) > 0 ? noise : beside.z;
        abut_quat turn = random_below(&r, 2) == 0 ? random_tidy_rotation(&r) : random_rotation(&r);
        tally_sample(&t, "sample %d: kind %d", (int)i, (int)kind);
        ask(&t, &(question){.small = capsule(radius, half),
                            .ball = sphere(radius),
                            .large = random_large(&r, kind),
                            .pose = {abut_quat_rotate(turn, beside), turn},
                            .pose_large = {abut_vec3_make(0, 0, 0), turn},
                            .size = half});
    }
    tally_end(&t);
}

static abut_shape *random_small(random_state *r, int32_t kind, double size) {
    abut_vec3 part = abut_scale(size, random_vec3(r, 0.2, 1.0));
    int32_t sides = 3 + random_below(r, 5);
    switch (kind) {
    case 0:
        return box(part.x, part.y, part.z);
    case 1:
        return prism(part.x, part.y, sides);
    case 2:
        return cylinder(part.x, part.y);
    default:
        return cone(part.x, part.y);
    }
}

/* The sides of the small body have no direction in the frame of the large one. */
static void small_bodies_in_large_ones(void **state) {
    (void)state;
    tally t = {.kinds = 0};
    int32_t samples = random_samples("small bodies in large ones", 40000);
    for (int32_t i = 0; i < samples; ++i) {
        random_state r = random_make(1000000u + (uint64_t)i);
        int32_t kind = random_below(&r, KINDS), kind_small = random_below(&r, 4);
        double size = fmax(random_little(&r), 1e-50);
        abut_vec3 place = random_vec3(&r, -1.5, 1.5), place_large = random_vec3(&r, -0.5, 0.5);
        abut_quat turn = random_rotation(&r), turn_large = random_tidy_rotation(&r);
        abut_shape *small = random_small(&r, kind_small, size);
        tally_sample(&t, "sample %d: kind %d in %d", (int)i, (int)kind_small, (int)kind);
        ask(&t, &(question){.small = small,
                            .ball = sphere(size),
                            .large = random_large(&r, kind),
                            .pose = {place, turn},
                            .pose_large = {place_large, turn_large},
                            .size = 3.0 * size});
    }
    tally_end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(capsules_across), cmocka_unit_test(small_bodies_in_large_ones)};
    return cmocka_run_group_tests_name("narrow/nearly_points", tests, NULL, NULL);
}
