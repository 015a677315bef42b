/* Regions of coplanar faces: what joins and what stays apart, just below and just above the tolerance. */
#include "shape/build/coplanar.h"

#include <stdlib.h>

#include "support/allocator.h"
#include "support/check.h"

enum {
    cells = 8,
    across = cells + 1,
    point_count = across * across + 1,
    top_faces = 2 * cells * cells,
    face_count = top_faces + 4 * cells
};

/* A sheet of triangles over a grid, the base of a pyramid whose apex hangs below it. */
typedef struct sheet {
    abut_vec3 points[point_count];
    int32_t first[face_count + 1], vertex[3 * face_count];
    loops faces;
    corners map;
} sheet;

/* The grid's border from corner to corner, counter-clockwise seen from above. */
static int32_t border_point(int32_t i) {
    int32_t side = i / cells % 4, step = i % cells;
    const int32_t points[4] = {step, cells + step * across, across * across - 1 - step, (cells - step) * across};
    return points[side];
}

static void make_sheet(sheet *s) {
    for (int32_t cell = 0; cell < cells * cells; cell++) {
        int32_t a = cell / cells * across + cell % cells, b = a + 1, c = a + across + 1, d = a + across;
        const int32_t split[6] = {a, b, c, a, c, d};
        for (int k = 0; k < 6; k++) {
            s->vertex[6 * cell + k] = split[k];
        }
    }
    for (int32_t i = 0; i < 4 * cells; i++) {
        int32_t *side = s->vertex + 3 * (top_faces + i);
        side[0] = border_point(i + 1);
        side[1] = border_point(i);
        side[2] = point_count - 1;
    }
    for (int32_t f = 0; f <= face_count; f++) {
        s->first[f] = 3 * f;
    }
    s->faces = (loops){.face_count = face_count, .first = s->first, .vertex = s->vertex};
    for (int32_t v = 0; v < across * across; v++) {
        s->points[v] = abut_vec3_make((double)(v % across) / cells, (double)(v / across) / cells, 0);
    }
    s->points[point_count - 1] = abut_vec3_make(0.5, 0.5, -1.0);
    assert_ok(corners_make(&s->map, &s->faces, point_count, NULL));
}

static int32_t count_regions(const sheet *s, double tolerance, int32_t *region) {
    int32_t seed[face_count], count = 0;
    assert_ok(coplanar_regions(s->points, &s->faces, &s->map, tolerance, region, seed, &count));
    for (int32_t r = 0; r < count; r++) {
        assert_int_equal(region[seed[r]], r);
    }
    for (int32_t f = 0; f < s->faces.face_count; f++) {
        assert_in_range(region[f], 0, (uintmax_t)count - 1);
    }
    return count;
}

static void five_sides(void **state) {
    (void)state;
    sheet s;
    int32_t region[face_count];
    make_sheet(&s);
    assert_int_equal(count_regions(&s, 1e-12, region), 5);
    for (int32_t f = 0; f < face_count; f++) {
        int32_t first = f < top_faces ? 0 : top_faces + (f - top_faces) / cells * cells;
        assert_int_equal(region[f], region[first]);
    }
    corners_release(&s.map);
}

static void noise_joins_below_the_tolerance(void **state) {
    (void)state;
    random_state random = random_make(random_seed("noise_joins_below_the_tolerance", 61));
    sheet s;
    int32_t region[face_count];
    make_sheet(&s);
    for (int32_t v = 0; v < across * across; v++) {
        s.points[v].z = random_range(&random, -1e-6, 1e-6);
    }
    assert_int_equal(count_regions(&s, 4e-6, region), 5);
    assert_true(count_regions(&s, 1e-8, region) > top_faces / 2);
    corners_release(&s.map);
}

/* A roof with its ridge along the middle: two slopes, two gables that are bent as the ridge is, and two plain sides; flat within a
 * tolerance above its height. */
static void a_ridge_parts_above_the_tolerance(void **state) {
    (void)state;
    sheet s;
    int32_t region[face_count];
    make_sheet(&s);
    for (int32_t v = 0; v < across * across; v++) {
        s.points[v].z = 1e-3 * (0.5 - fabs(s.points[v].x - 0.5));
    }
    assert_int_equal(count_regions(&s, 1e-5, region), 8);
    assert_int_equal(count_regions(&s, 2e-3, region), 5);
    corners_release(&s.map);
}

/* A bend so gentle that every facet lies within the tolerance of its neighbours is not followed round. */
static void a_gentle_bend_is_cut(void **state) {
    (void)state;
    sheet s;
    int32_t region[face_count];
    make_sheet(&s);
    for (int32_t v = 0; v < across * across; v++) {
        s.points[v].z = 0.1 * s.points[v].x * s.points[v].x;
    }
    int32_t count = count_regions(&s, 4e-3, region);
    assert_true(count > 5 && count < top_faces / 2);
    /* No corner of a region is farther than twice the tolerance from its plane, so that 0.1 (width / 2)^2 is at most four tolerances. */
    double lowest[face_count], highest[face_count];
    for (int32_t r = 0; r < count; r++) {
        lowest[r] = INFINITY;
        highest[r] = -INFINITY;
    }
    for (int32_t c = 0; c < 3 * top_faces; c++) {
        int32_t r = region[s.map.face[c]];
        lowest[r] = fmin(lowest[r], s.points[s.vertex[c]].x);
        highest[r] = fmax(highest[r], s.points[s.vertex[c]].x);
    }
    for (int32_t r = 0; r < count; r++) {
        assert_true(highest[r] - lowest[r] <= 0.8);
    }
    corners_release(&s.map);
}

static void out_of_memory(void **state) {
    (void)state;
    sheet s;
    int32_t region[face_count], seed[face_count], count = 0;
    make_sheet(&s);
    for (int64_t refused = 0; refused < 3; refused++) {
        counting_allocator memory = {.refuse_at = refused};
        counting_allocator_install(&memory);
        abut_status status = coplanar_regions(s.points, &s.faces, &s.map, 1e-9, region, seed, &count);
        counting_allocator_remove();
        assert_status(status, ABUT_ERROR_OUT_OF_MEMORY);
        assert_int_equal(memory.live, 0);
    }
    corners_release(&s.map);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_sides),
        cmocka_unit_test(noise_joins_below_the_tolerance),
        cmocka_unit_test(a_ridge_parts_above_the_tolerance),
        cmocka_unit_test(a_gentle_bend_is_cut),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
