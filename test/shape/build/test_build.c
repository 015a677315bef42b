/* The local frame and the span of a set of points. Malformed surfaces are refused without damage. */
#include "shape/build/build.h"

#include <stdlib.h>
#include <string.h>

#include "support/allocator.h"
#include "support/check.h"

static void frames_scale_by_powers_of_two(void **state) {
    (void)state;
    random_state random = random_make(random_seed("frames_scale_by_powers_of_two", 71));
    for (int sample = 0; sample < 1000; sample++) {
        double size = random_log_range(&random, 1e-55, 1e55);
        abut_vec3 lower = abut_scale(size, random_vec3(&random, -1e3, 1e3));
        abut_vec3 extent = abut_scale(size, random_vec3(&random, 0.0, 1.0));
        abut_aabb bounds = {lower, abut_add(lower, extent)};
        build_frame frame;
        assert_true(build_make_frame(bounds, &frame));
        int exponent;
        assert_near(frexp(frame.scale, &exponent), 0.5, 0.0);
        abut_vec3 a = build_to_local(frame, bounds.lower), b = build_to_local(frame, bounds.upper);
        double largest = fmax(b.x - a.x, fmax(b.y - a.y, b.z - a.z));
        assert_true(largest >= 0.99 && largest <= 2.01);
        assert_true(frame.rounding > 0.0 && frame.rounding < 1e-8);
    }
    build_frame frame;
    assert_false(build_make_frame((abut_aabb){{0, 0, 0}, {0, 0, 0}}, &frame));
    assert_false(build_make_frame((abut_aabb){{0, 0, 0}, {1e100, 0, 0}}, &frame));
    assert_false(build_make_frame((abut_aabb){{0, 0, 0}, {1e-100, 0, 0}}, &frame));
    assert_false(build_make_frame((abut_aabb){{-1.7e308, 0, 0}, {1.7e308, 0, 0}}, &frame));
}

static void spans_of_boxes(void **state) {
    (void)state;
    random_state random = random_make(random_seed("spans_of_boxes", 72));
    for (int sample = 0; sample < 200; sample++) {
        abut_vec3 half = {1.0, random_log_range(&random, 1e-4, 1.0), 0};
        half.z = random_log_range(&random, 1e-8, half.y);
        abut_pose pose = random_pose(&random, 0.1);
        abut_vec3 points[8];
        for (int i = 0; i < 8; i++) {
            points[i] = abut_vec3_make(i & 1 ? 1 : -1, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
            points[i] = abut_pose_apply(pose, points[i]);
        }
        build_span span = build_find_span(points, NULL, 8);
        assert_true(span.extent[0] >= 2.0 && span.extent[0] < 3.5);
        assert_true(span.extent[1] >= half.y && span.extent[1] < 4.0 * half.y + 1e-15);
        assert_true(span.extent[2] >= 0.5 * half.z && span.extent[2] < 4.0 * half.z + 1e-15);
        for (int k = 0; k < 3; k++) {
            assert_near(abut_length(span.axis[k]), 1.0, 1e-15);
            assert_near(abut_dot(span.axis[k], span.axis[(k + 1) % 3]), 0.0, 1e-7);
        }
        assert_near(abut_dot(span.axis[2], abut_cross(span.axis[0], span.axis[1])), 1.0, 1e-14);
    }
}

static void flat_points(void **state) {
    (void)state;
    abut_vec3 points[9];
    for (int i = 0; i < 9; i++) {
        points[i] = abut_vec3_make(i % 3 - 1, i / 3 - 1, 0.3 * (i % 3) - 0.7 * (i / 3));
    }
    build_frame frame = {.scale = 1.0, .rounding = 16.0 * 2.2e-16 * 2.0};
    build_span span = build_find_span(points, NULL, 9);
    assert_true(build_is_flat(frame, &span));
    points[4].z += 1e-12;
    span = build_find_span(points, NULL, 9);
    assert_false(build_is_flat(frame, &span));
    const int32_t line[3] = {0, 4, 8};
    span = build_find_span(points, line, 3);
    assert_true(build_is_flat(frame, &span));
}

/* Random loops over random points; some are closed by chance. They never crash, and a surface is returned only with ABUT_OK. */
static void rubbish(void **state) {
    (void)state;
    random_state random = random_make(random_seed("rubbish", 73));
    counting_allocator memory = {.refuse_at = -1};
    counting_allocator_install(&memory);
    int32_t made = 0;
    for (int sample = 0; sample < 20000; sample++) {
        abut_vec3 points[6];
        int32_t count = 4 + random_below(&random, 3), faces = 4 + random_below(&random, 5), first[10] = {0}, corners[40];
        for (int32_t i = 0; i < count; i++) {
            points[i] = random_below(&random, 4) ? random_vec3(&random, -1, 1) : abut_vec3_make(random_below(&random, 3), 0, 1e-12 * i);
        }
        bool whole = random_below(&random, 2);
        const int32_t good[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
        faces = whole ? 4 : faces;
        for (int32_t f = 0; f < faces; f++) {
            first[f + 1] = first[f] + (whole ? 3 : 3 + random_below(&random, 2));
            for (int32_t c = first[f]; c < first[f + 1]; c++) {
                corners[c] = whole ? good[c] : random_below(&random, count);
            }
        }
        build_source source = {points, count, first, corners, faces, random_below(&random, 2) ? 1e-9 : 0.1, random_below(&random, 2), NULL};
        polytope surface = {0};
        abut_mass mass;
        abut_polytope_report report;
        abut_status status = build_polytope(&source, &report, &surface, &mass);
        assert_true((status == ABUT_OK) == (surface.memory != NULL));
        assert_true(report.dent >= 0.0 && report.face >= -1 && report.face < faces && report.vertex >= -1 && report.vertex < count);
        made += status == ABUT_OK;
        polytope_release(&surface);
        assert_int_equal(memory.live, 0);
    }
    counting_allocator_remove();
    assert_true(made > 1000 && made < 10000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_scale_by_powers_of_two),
        cmocka_unit_test(spans_of_boxes),
        cmocka_unit_test(flat_points),
        cmocka_unit_test(rubbish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
