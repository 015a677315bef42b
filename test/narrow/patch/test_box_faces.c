/* Faces of boxes on each other: the contacts are those of polytopes with the same vertices, to the last bit. Frame of A. */
#include "narrow/patch/box_faces.h"

#include <stdio.h>
#include <string.h>

#include "narrow/normal/normal.h"
#include "support/check.h"
#include "support/shapes.h"

/* A box, and the same body as a polytope, which takes the way of polytopes. */
typedef struct twin {
    abut_shape *box;
    abut_shape polytope;
    polytope_face face[6];
} twin;

static void make_twin(abut_vec3 half, twin *t) {
    t->box = box(half.x, half.y, half.z);
    t->polytope = *t->box;
    t->polytope.kind = ABUT_SHAPE_POLYTOPE;
    for (int i = 0; i < 6; i++) {
        t->face[i] = t->box->surface.face[i];
        t->face[i].offset = t->box->surface.offsets[i];
    }
    t->polytope.surface.face = t->face;
}

typedef struct placement {
    abut_mat3 rotation;
    abut_vec3 position;
} placement;

/* B on a side of A, a depth below it, beside its middle, turned about the normal and leaning a little. */
static placement draw_placement(random_state *random, abut_vec3 half_a, abut_vec3 half_b) {
    const double shifts[6] = {0.0, 0.5, 1.0, -1.0, random_range(random, -1.0, 1.0), random_range(random, -1.5, 1.5)};
    const double depths[5] = {0.0, 1e-4, 1e-12, -1e-3, random_range(random, 0.0, 0.05)};
    abut_quat turn = random_below(random, 2) == 0
                         ? abut_quat_identity()
                         : abut_quat_about(abut_vec3_make(0, 0, 1), 0.39269908169872414 * random_range(random, 0.0, 16.0));
    abut_quat lean = abut_quat_about(random_direction(random), random_below(random, 3) == 0 ? 0.0 : random_log_range(random, 1e-15, 2e-2));
    double side = random_below(random, 2) == 0 ? 1.0 : -1.0, depth = depths[random_below(random, 5)];
    double x = shifts[random_below(random, 6)], y = shifts[random_below(random, 6)];
    abut_vec3 position = abut_vec3_make(x * half_a.x, y * half_a.y, side * (half_a.z + half_b.z - depth));
    return (placement){abut_mat3_from_quat(abut_quat_mul(lean, turn)), position};
}

static void build_list(const convex *a, const convex *b, const contact_normal *normal, const patch_settings *settings, contact_list *list) {
    memset(list->few, 0, sizeof list->few);
    contact_list_init(list, 0, abut_vec3_make(0.31, 0.47, 0.83));
    patch_build(a, b, normal, settings, 0, list);
}

/* Of points and lines, the two ways may pick different features that are equally good. Returns the number of contacts. */
static int32_t compare(tally *t, const twin *first, const twin *second, const placement *where, const patch_settings *settings) {
    abut_mat3 aligned = abut_mat3_identity();
    abut_vec3 origin = abut_vec3_make(0, 0, 0);
    convex a, b, general_a, general_b;
    convex_set(&a, first->box, &aligned, &origin, 0);
    convex_set(&b, second->box, &where->rotation, &where->position, 3);
    convex_set(&general_a, &first->polytope, &aligned, &origin, 0);
    convex_set(&general_b, &second->polytope, &where->rotation, &where->position, 3);
    normal_settings how = {.margin = settings->margin, .minimum = true, .aside = {0.31, 0.47, 0.83}};
    contact_normal normal;
    if (!contact_normal_find(&a, &b, &how, &normal)) {
        return 0;
    }
    static contact_list found, expected;
    build_list(&a, &b, &normal, settings, &found);
    build_list(&general_a, &general_b, &normal, settings, &expected);
    bool faces = found.count > 2 || expected.count > 2;
    if (found.count != expected.count) {
        tally_fail(t, "count", "%d contacts, not %d", (int)found.count, (int)expected.count);
    } else if (faces && memcmp(found.items, expected.items, (size_t)found.count * sizeof *found.items) != 0) {
        tally_fail(t, "contacts", "%d contacts, not with the same bits", (int)found.count);
    }
    return found.count;
}

static void same_as_polytopes(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("same_as_polytopes", 811));
    int32_t samples = random_samples("same_as_polytopes", 200000), with[16] = {0};
    for (int32_t i = 0; i < samples; i++) {
        const double margins[3] = {0.0, 0.01, 0.1}, welds[4] = {1e-6, 0.0, 0.01, 1e-9};
        abut_vec3 half_a = random_vec3(&random, 0.2, 0.6), half_b = random_below(&random, 3) == 0 ? half_a : random_vec3(&random, 0.2, 0.6);
        twin a, b;
        make_twin(half_a, &a);
        make_twin(half_b, &b);
        placement where = draw_placement(&random, half_a, half_b);
        patch_settings settings = {margins[random_below(&random, 3)], 0.0349, welds[random_below(&random, 4)],
                                   random_below(&random, 8) == 0};
        tally_sample(&t, "sample %d", (int)i);
        int32_t count = compare(&t, &a, &b, &where, &settings);
        ++with[count < 15 ? count : 15];
        abut_shape_release(a.box);
        abut_shape_release(b.box);
    }
    tally_end(&t);
    printf("same_as_polytopes: none %d, points or lines %d, quadrilaterals %d, more %d\n", (int)with[0], (int)(with[1] + with[2]),
           (int)with[4], (int)(with[5] + with[6] + with[7] + with[8]));
    assert_true(with[3] > 0 && with[4] > samples / 4 && with[5] > 0 && with[6] > 0 && with[7] > 0 && with[8] > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_as_polytopes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
