/* Overlaps of two boxes along fifteen axes: by supports along each axis, and the same bits with every instruction set. Frame of A. */
#include "narrow/normal/box_axes.h"

#include <string.h>

#include "support/check.h"

typedef struct pair {
    abut_vec3 half_a, half_b, centre;
    abut_mat3 rotation;
} pair;

static pair draw_pair(random_state *random) {
    pair p = {.half_a = random_vec3(random, 0.1, 0.7), .half_b = random_vec3(random, 0.1, 0.7)};
    abut_quat turn = random_below(random, 2) == 0 ? random_rotation(random) : random_tidy_rotation(random);
    double angle = random_below(random, 2) == 0 ? 0.0 : random_log_range(random, 1e-16, 1e-2);
    p.rotation = abut_mat3_from_quat(abut_quat_mul(abut_quat_about(random_direction(random), angle), turn));
    p.centre = abut_scale(random_range(random, 0.0, 1.4), random_direction(random));
    return p;
}

static box_placement placement_of(const pair *p) { return (box_placement){&p->half_a, &p->half_b, &p->rotation, &p->centre}; }

static abut_vec3 axis_of(const abut_mat3 *m, int i) { return i == 0 ? m->x : i == 1 ? m->y : m->z; }

/* How far a box reaches along a direction of any length. */
static double reach(const abut_mat3 *axes, abut_vec3 half, abut_vec3 along) {
    return half.x * fabs(abut_dot(axes->x, along)) + half.y * fabs(abut_dot(axes->y, along)) + half.z * fabs(abut_dot(axes->z, along));
}

static double overlap_along(const pair *p, abut_vec3 along) {
    abut_mat3 aligned = abut_mat3_identity();
    return reach(&aligned, p->half_a, along) + reach(&p->rotation, p->half_b, along) - fabs(abut_dot(p->centre, along));
}

static void expect(tally *t, const char *what, double found, double expected) {
    if (!(fabs(found - expected) <= 4e-15)) {
        tally_fail(t, what, "%.17g, not %.17g", found, expected);
    }
}

static void overlaps_by_supports(void **state) {
    (void)state;
    static tally t;
    const double rounding = 4e-16;
    random_state random = random_make(random_seed("overlaps_by_supports", 31));
    int32_t separated = 0, shallow = 0;
    for (int32_t s = 0; s < 20000; s++) {
        pair p = draw_pair(&random);
        box_placement where = placement_of(&p);
        abut_mat3 aligned = abut_mat3_identity();
        box_axes axes;
        box_axes_find(&where, rounding, 10.0, &axes);
        tally_sample(&t, "sample %d", (int)s);
        double least = INFINITY;
        for (int i = 0; i < BOX_FACE_AXES; i++) {
            expect(&t, "face", axes.deep[i], overlap_along(&p, i < 3 ? axis_of(&aligned, i) : axis_of(&p.rotation, i - 3)));
            least = fmin(least, axes.deep[i]);
        }
        expect(&t, "least", axes.least, least);
        for (int i = 0; i < BOX_EDGE_AXES; i++) {
            abut_vec3 across = abut_cross(axis_of(&aligned, i / 3), axis_of(&p.rotation, i % 3));
            double deep = overlap_along(&p, across), square = abut_length_squared(across);
            expect(&t, "edges", axes.deep_across[i], deep);
            expect(&t, "square", axes.square[i], square);
            expect(&t, "towards", axes.towards[i], abut_dot(p.centre, across));
            bool clear = square > 1e-12 && fabs(deep) > 1e-14, separates = (axes.separating >> i & 1u) != 0;
            if (clear && separates != (deep < 0.0)) {
                tally_fail(&t, "separating", "axis %d with overlap %.17g", i, deep);
            }
            if (clear && least > 0.0 && deep < least * sqrt(square) && (axes.shallow >> i & 1u) == 0) {
                tally_fail(&t, "shallow", "axis %d with overlap %.17g, of faces %.17g", i, deep / sqrt(square), least);
            }
        }
        separated += axes.separating != 0;
        shallow += least > 0.0 && axes.separating == 0 && axes.shallow != 0;
    }
    tally_end(&t);
    assert_true(separated > 1000 && shallow > 1000);
}

/* Numbers that the kernel leaves alone keep a pattern. */
static void find_with(instruction_set set, const pair *p, double apart, box_axes *axes) {
    box_placement where = placement_of(p);
    memset(axes, 0x5a, sizeof *axes);
    assert_true(box_axes_use(set));
    box_axes_find(&where, 4e-16 * 2.0, apart, axes);
}

static bool is_same(const box_axes *p, const box_axes *q) {
    return memcmp(p->t_b, q->t_b, 3 * sizeof p->t_b[0]) == 0 && memcmp(p->deep, q->deep, 6 * sizeof p->deep[0]) == 0 &&
           memcmp(p->square, q->square, 9 * sizeof p->square[0]) == 0 && memcmp(p->towards, q->towards, 9 * sizeof p->towards[0]) == 0 &&
           memcmp(p->deep_across, q->deep_across, 9 * sizeof p->deep_across[0]) == 0 &&
           memcmp(&p->least, &q->least, sizeof p->least) == 0 && p->separating == q->separating && p->shallow == q->shallow;
}

static void same_bits_with_every_set(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("same_bits_with_every_set", 37));
    const instruction_set first = instruction_set_is_here(INSTRUCTIONS_SCALAR) ? INSTRUCTIONS_SCALAR : instruction_set_best();
    for (int32_t s = 0; s < 20000; s++) {
        pair p = draw_pair(&random);
        box_axes expected, found;
        double apart = random_below(&random, 2) == 0 ? 0.01 : 10.0;
        find_with(first, &p, apart, &expected);
        tally_sample(&t, "sample %d", (int)s);
        for (instruction_set set = INSTRUCTIONS_SCALAR; set < INSTRUCTION_SETS; set++) {
            if (instruction_set_is_here(set)) {
                find_with(set, &p, apart, &found);
                if (!is_same(&found, &expected)) {
                    tally_fail(&t, "set", "%d: least %.17g, not %.17g", (int)set, found.least, expected.least);
                }
            }
        }
    }
    assert_true(box_axes_use(instruction_set_best()));
    tally_end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(overlaps_by_supports), cmocka_unit_test(same_bits_with_every_set)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
