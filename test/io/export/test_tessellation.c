/* Triangles of recorded shapes: closed, outward, with unit normals, and with the volume of the shape. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "io/record/recording.h"
#include "support/demo_recording.h"
#include "support/demo_scene.h"
#include "support/files.h"
#include "io/export/tessellation.h"

#define FOLDER ABUT_TEST_SCRATCH_DIR "/folder"
#define RESULT FOLDER "/demo.h5"

static const double pi = 3.14159265358979323846;

static int record_demo(void **state) {
    files_empty_folder(FOLDER);
    *state = demo_recording(RESULT, 0);
    return 0;
}

static int close_demo(void **state) {
    abut_recording_close(*state);
    return 0;
}

static int32_t shape_index(const abut_recording *recording, int32_t body_index) {
    abut_recorded_body body;
    assert_int_equal(abut_recording_body(recording, body_index, &body), ABUT_OK);
    return body.shape;
}

static tessellation triangles_of(const abut_recording *recording, int32_t body_index) {
    tessellation t;
    assert_int_equal(tessellation_create(recording, shape_index(recording, body_index), abut_vec3_make(0, 0, 0), 1.0, &t), ABUT_OK);
    return t;
}

static abut_vec3 vec3_of(const float *cells, size_t index) {
    return abut_vec3_make((double)cells[3 * index], (double)cells[3 * index + 1], (double)cells[3 * index + 2]);
}

/* Checks the properties of a closed surface; returns its volume by the divergence theorem. */
static double check_closed(const tessellation *t) {
    double volume = 0.0, area = 0.0;
    abut_vec3 sum = {0, 0, 0};
    assert_true(t->index_count > 0 && t->index_count % 3 == 0);
    for (size_t i = 0; i < t->vertex_count; i++) {
        assert_true(fabs(abut_length(vec3_of(t->normals, i)) - 1.0) < 1e-6);
    }
    for (size_t i = 0; i < t->index_count; i += 3) {
        abut_vec3 p[3], mean = {0, 0, 0};
        for (size_t k = 0; k < 3; k++) {
            assert_true(t->indices[i + k] < t->vertex_count);
            p[k] = vec3_of(t->positions, t->indices[i + k]);
            mean = abut_add(mean, vec3_of(t->normals, t->indices[i + k]));
        }
        abut_vec3 twice = abut_cross(abut_sub(p[1], p[0]), abut_sub(p[2], p[0]));
        assert_true(abut_dot(abut_unit(twice), abut_unit(mean)) > 0.99);
        volume += abut_dot(p[0], abut_cross(p[1], p[2])) / 6.0;
        area += 0.5 * abut_length(twice);
        sum = abut_add_scaled(sum, 0.5, twice);
    }
    assert_true(abut_length(sum) < 1e-6 * area);
    return volume;
}

static void test_polytopes_have_their_volume(void **state) {
    const struct {
        int32_t body;
        double volume;
        size_t triangles;
    } cases[] = {
        {DEMO_BOX, 0.48, 12},
        {DEMO_HULL, 0.18 * 0.6 / 3.0, 8},                         /* two pyramids over a square with the diagonal 0.6 */
        {DEMO_LIFT, 1.5 * sqrt(3.0) * 0.25 * 0.2, 2 * 4 + 6 * 2}, /* a prism over a hexagon */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tessellation t = triangles_of(*state, cases[i].body);
        assert_true(fabs(check_closed(&t) - cases[i].volume) < 1e-6 * cases[i].volume);
        assert_int_equal(t.index_count, 3 * cases[i].triangles);
        tessellation_release(&t);
    }
}

/* Inscribed in the exact surface: every vertex is on it, and the volume is a few percent smaller. */
static void check_round(const abut_recording *recording, int32_t body, double radius, double half_length) {
    tessellation t = triangles_of(recording, body);
    double volume = 4.0 / 3.0 * pi * radius * radius * radius + 2.0 * pi * radius * radius * half_length, found = check_closed(&t);
    assert_true(found < volume && found > 0.97 * volume);
    for (size_t i = 0; i < t.vertex_count; i++) {
        abut_vec3 p = vec3_of(t.positions, i), n = vec3_of(t.normals, i);
        abut_vec3 middle = abut_vec3_make(0, 0, fmax(-half_length, fmin(half_length, p.z)));
        assert_true(fabs(abut_distance_between(p, middle) - radius) < 1e-6);
        assert_true(abut_dot(n, abut_unit(abut_sub(p, middle))) > 1.0 - 1e-6);
    }
    tessellation_release(&t);
}

static void test_balls_and_capsules_are_round(void **state) {
    check_round(*state, DEMO_BALL, 0.2, 0.0);
    check_round(*state, DEMO_CAPSULE, 0.2, 0.3);
}

static void test_a_compound_is_its_parts(void **state) {
    tessellation t = triangles_of(*state, DEMO_DUMBBELL);
    double box = 0.064, ball = 4.0 / 3.0 * pi * 0.25 * 0.25 * 0.25, found = check_closed(&t);
    assert_true(found < box + ball && found > box + 0.97 * ball);
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < t.vertex_count; i++) {
        least = fmin(least, (double)t.positions[3 * i]);
        most = fmax(most, (double)t.positions[3 * i]);
    }
    assert_true(fabs(least + 0.6) < 1e-6 && fabs(most - 0.65) < 1e-6);
    tessellation_release(&t);
}

static void test_a_plane_is_a_square_below_the_centre(void **state) {
    const abut_recording *recording = *state;
    tessellation t;
    assert_int_equal(tessellation_create(recording, shape_index(recording, DEMO_FLOOR), abut_vec3_make(5, 6, 7), 2.0, &t), ABUT_OK);
    assert_int_equal(t.vertex_count, 4);
    assert_int_equal(t.index_count, 6);
    abut_vec3 mean = {0, 0, 0};
    for (size_t i = 0; i < 4; i++) {
        abut_vec3 p = vec3_of(t.positions, i);
        mean = abut_add_scaled(mean, 0.25, p);
        assert_true(fabs(p.z - 0.25) < 1e-6);
        assert_true(fabs(abut_distance_between(p, abut_vec3_make(5, 6, 0.25)) - 2.0 * sqrt(2.0)) < 1e-5);
        assert_true(vec3_of(t.normals, i).z > 1.0 - 1e-6);
    }
    assert_true(abut_distance_between(mean, abut_vec3_make(5, 6, 0.25)) < 1e-5);
    for (size_t i = 0; i < 6; i += 3) {
        abut_vec3 a = vec3_of(t.positions, t.indices[i]), b = vec3_of(t.positions, t.indices[i + 1]),
                  c = vec3_of(t.positions, t.indices[i + 2]);
        assert_true(fabs(abut_cross(abut_sub(b, a), abut_sub(c, a)).z - 16.0) < 1e-4);
    }
    tessellation_release(&t);
}

static void test_a_shape_that_is_not_there(void **state) {
    tessellation t;
    assert_int_equal(tessellation_create(*state, 1000, abut_vec3_make(0, 0, 0), 1.0, &t), ABUT_ERROR_INVALID_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_polytopes_have_their_volume), cmocka_unit_test(test_balls_and_capsules_are_round),
        cmocka_unit_test(test_a_compound_is_its_parts),     cmocka_unit_test(test_a_plane_is_a_square_below_the_centre),
        cmocka_unit_test(test_a_shape_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, record_demo, close_demo);
}
