/* Contraction points of the caller: which are taken, what the shape keeps, and who owns its memory. */
#include <abut/smooth.h>

#include "shape/given/contraction.h"
#include "shape/digest.h"
#include "support/allocator.h"
#include "support/check.h"
#include "support/shapes.h"
#include "support/user_surface.h"

static abut_status give(const abut_shape *shape, double x, double y, double z, abut_shape **made) {
    return abut_shape_create_with_contraction(shape, abut_vec3_make(x, y, z), made);
}

/* One shape of every kind, and a point of its surface to which the way from `inside` leads straight. */
typedef struct sample {
    abut_shape *shape;
    abut_vec3 inside, border;
} sample;

enum { SAMPLES = 11 };

static void make_samples(sample *s, double size, double shift) {
    const abut_vec3 corners[4] = {{shift, 0, 0}, {shift + size, 0, 0}, {shift, size, 0}, {shift, 0, size}};
    const int32_t sizes[4] = {3, 3, 3, 3}, faces[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
    const abut_polytope_def def = {.vertices = corners, .vertex_count = 4, .face_sizes = sizes, .face_count = 4, .face_vertices = faces};
    static user_ellipsoid egg; /* the context of callbacks */
    abut_shape *tetrahedron, *squared, *implicit, *parametric;
    assert_ok(abut_shape_create_polytope(&def, NULL, &tetrahedron));
    assert_ok(abut_shape_create_superquadric(abut_vec3_make(size, size, size), 0.5, 0.5, &squared));
    egg = (user_ellipsoid){{size, 2.0 * size, size}, {shift, 0, 0}};
    const abut_implicit_def level = user_ellipsoid_implicit(&egg);
    const abut_parametric_def net = user_ellipsoid_parametric(&egg);
    assert_ok(abut_shape_create_implicit(&level, &implicit));
    assert_ok(abut_shape_create_parametric(&net, &parametric));
    const sample all[SAMPLES] = {
        {sphere(size), {0, 0, 0.5 * size}, {0, 0, size}},
        {capsule(size, size), {0, 0, 1.2 * size}, {0, 0, 2.0 * size}},
        {box(size, 2 * size, 3 * size), {0.5 * size, 0, 0}, {size, 0, 0}},
        {tetrahedron, {shift + 0.1 * size, 0.1 * size, 0.1 * size}, {shift, 0.1 * size, 0.1 * size}},
        {ellipsoid(size, 2 * size, size), {0, size, 0}, {0, 2 * size, 0}},
        {squared, {0, 0, 0.5 * size}, {0, 0, size}},
        {cylinder(size, size), {0.5 * size, 0, 0.9 * size}, {0.5 * size, 0, size}},
        {cone(size, 4 * size), {0, 0, 2 * size}, {0, 0, 3 * size}},
        {implicit, {shift, size, 0}, {shift, 2 * size, 0}},
        {parametric, {shift, 0, 0.5 * size}, {shift, 0, size}},
        {prism(size, size, 6), {0, 0, -0.5 * size}, {0, 0, -size}},
    };
    for (int i = 0; i < SAMPLES; i++) {
        s[i] = all[i];
    }
}

/* Points up to a hair inside are taken; points on the surface and outside are not, in any size and far from the origin. */
static void inside_only(void **state) {
    (void)state;
    static const double sizes[4] = {1.0, 1e-4, 1e4, 1e-40}, shifts[4] = {0.0, 1.0, -7.0, 0.0};
    for (int k = 0; k < 4; k++) {
        sample s[SAMPLES];
        make_samples(s, sizes[k], shifts[k]);
        for (int i = 0; i < SAMPLES; i++) {
            abut_vec3 way = abut_sub(s[i].border, s[i].inside), point;
            abut_shape *made = NULL, *none = NULL;
            assert_false(abut_shape_contraction(s[i].shape, &point));
            assert_ok(abut_shape_create_with_contraction(s[i].shape, s[i].inside, &made));
            assert_true(abut_shape_contraction(made, &point));
            assert_true(abut_shape_contraction(made, NULL));
            assert_vec3_near(point, s[i].inside, 0.0);
            assert_int_equal(abut_shape_kind(made), abut_shape_kind(s[i].shape));
            abut_shape_release(made);
            assert_ok(abut_shape_create_with_contraction(s[i].shape, abut_add_scaled(s[i].inside, 1.0 - 1e-7, way), &made));
            abut_shape_release(made);
            static const double refused[4] = {1.0, 1.0 + 1e-12, 1.1, 1e6};
            for (int r = 0; r < 4; r++) {
                assert_status(abut_shape_create_with_contraction(s[i].shape, abut_add_scaled(s[i].inside, refused[r], way), &none),
                              ABUT_ERROR_INVALID_ARGUMENT);
            }
            assert_null(none);
            abut_shape_release(s[i].shape);
        }
    }
}

static void refused_arguments(void **state) {
    (void)state;
    abut_shape *cube = box(1, 1, 1), *ground = plane(abut_vec3_make(0, 0, 1), 0.0), *union_of, *none = NULL;
    const abut_part part = {cube, abut_pose_identity()};
    assert_ok(abut_shape_create_compound(&part, 1, &union_of));
    assert_status(give(NULL, 0, 0, 0, &none), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(give(cube, 0, 0, 0, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(give(cube, NAN, 0, 0, &none), ABUT_ERROR_NOT_FINITE);
    assert_status(give(cube, 0, INFINITY, 0, &none), ABUT_ERROR_NOT_FINITE);
    assert_status(give(cube, 0, 0, 1e300, &none), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(give(ground, 0, 0, -1, &none), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(give(union_of, 0, 0, 0, &none), ABUT_ERROR_INVALID_ARGUMENT);
    assert_null(none);
    assert_false(abut_shape_contraction(NULL, NULL));
    abut_shape_release(union_of);
    abut_shape_release(ground);
    abut_shape_release(cube);
}

/* A body as thin as its rounding error has no point inside. */
static void flake(void **state) {
    (void)state;
    abut_shape *thin = box(1, 1, 1e-15), *made = NULL;
    assert_status(give(thin, 0, 0, 0, &made), ABUT_ERROR_INVALID_ARGUMENT);
    abut_shape_release(thin);
    thin = box(1, 1, 1e-10);
    assert_ok(give(thin, 0.5, 0, 0, &made));
    abut_shape_release(made);
    abut_shape_release(thin);
}

/* The new shape keeps the old one alive. A point replaces an earlier one, and the chain does not grow. */
static void owners(void **state) {
    (void)state;
    counting_allocator memory = {.refuse_at = -1};
    counting_allocator_install(&memory);
    abut_shape *hull = prism(1, 1, 7), *first, *second;
    int64_t blocks = memory.live;
    assert_ok(give(hull, 0.1, 0, 0, &first));
    assert_int_equal(memory.live, blocks + 1);
    assert_ok(give(first, 0, 0.2, 0, &second));
    abut_shape_release(first);
    abut_shape_release(hull);
    assert_int_equal(memory.live, blocks + 1);
    assert_ptr_equal(second->base, hull);
    abut_vec3 point, farthest;
    assert_true(abut_shape_contraction(second, &point));
    assert_vec3_near(point, abut_vec3_make(0, 0.2, 0), 0.0);
    assert_ok(abut_shape_support(second, abut_vec3_make(0, 0, 1), &farthest, NULL));
    assert_near(farthest.z, 1.0, 1e-15);
    abut_shape_release(second);
    assert_int_equal(memory.live, 0);
    counting_allocator_remove();
}

static void without_memory(void **state) {
    (void)state;
    counting_allocator memory = {.refuse_at = -1};
    counting_allocator_install(&memory);
    abut_shape *ball = sphere(1), *none = NULL;
    memory.refuse_at = memory.requests;
    assert_status(give(ball, 0, 0, 0, &none), ABUT_ERROR_OUT_OF_MEMORY);
    assert_null(none);
    abut_shape_release(ball);
    assert_int_equal(memory.live, 0);
    counting_allocator_remove();
}

/* Saved states tell shapes apart by their digests: the point counts, equal points are equal. */
static void digests(void **state) {
    (void)state;
    abut_shape *cube = box(1, 1, 1), *same = box(1, 1, 1), *middle, *off, *twin;
    assert_ok(give(cube, 0, 0, 0, &middle));
    assert_ok(give(cube, 0, 0, 0.5, &off));
    assert_ok(give(same, 0, 0, 0.5, &twin));
    assert_true(shape_digest(cube) == shape_digest(same));
    assert_true(shape_digest(off) == shape_digest(twin));
    assert_true(shape_digest(cube) != shape_digest(middle));
    assert_true(shape_digest(middle) != shape_digest(off));
    abut_shape *all[] = {cube, same, middle, off, twin};
    for (int i = 0; i < 5; i++) {
        abut_shape_release(all[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(inside_only), cmocka_unit_test(refused_arguments), cmocka_unit_test(flake),
                                       cmocka_unit_test(owners),      cmocka_unit_test(without_memory),    cmocka_unit_test(digests)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
