/* Hulls of point clouds: which points become corners, no points outside, flat clouds refused, every scale, any thread, and no output on stderr. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/allocator.h"
#include "support/surface.h"

static abut_shape *hull_of(const abut_vec3 *points, int32_t count) {
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_hull(points, count, &shape));
    assert_int_equal(abut_shape_kind(shape), ABUT_SHAPE_POLYTOPE);
    return shape;
}

/* The corners are points of the cloud, bit for bit and in its order, and no point lies outside. */
static void check_corners(const abut_shape *shape, const abut_vec3 *points, int32_t count, double tolerance) {
    const polytope *p = &shape->surface;
    int32_t next = 0;
    for (int32_t i = 0; i < count; i++) {
        if (next < p->vertex_count && memcmp(&points[i], &p->vertices[next], sizeof *points) == 0) {
            next++;
        }
        assert_true(surface_outside(p, points[i]) <= tolerance * p->size);
    }
    assert_int_equal(next, p->vertex_count);
    surface_check_topology(p);
}

static void check_hull(const abut_shape *shape, const abut_vec3 *points, int32_t count, double tolerance) {
    check_corners(shape, points, count, tolerance);
    surface_check(shape, tolerance);
}

/* A point is a corner of the hull if it lies on a plane through three points with all others strictly on one side. */
static void mark_corners(const abut_vec3 *points, int32_t count, bool *corner) {
    for (int32_t i = 0; i < count; i++) {
        for (int32_t j = i + 1; j < count; j++) {
            for (int32_t k = j + 1; k < count; k++) {
                abut_vec3 n = abut_unit(abut_cross(abut_sub(points[j], points[i]), abut_sub(points[k], points[i])));
                double lowest = 0.0, highest = 0.0;
                for (int32_t m = 0; m < count; m++) {
                    double h = m == i || m == j || m == k ? 0.0 : abut_dot(n, abut_sub(points[m], points[i]));
                    lowest = fmin(lowest, h);
                    highest = fmax(highest, h);
                }
                if (lowest == 0.0 || highest == 0.0) {
                    corner[i] = corner[j] = corner[k] = true;
                }
            }
        }
    }
}

static void corners_against_all_planes(void **state) {
    (void)state;
    random_state random = random_make(random_seed("corners_against_all_planes", 21));
    for (int sample = 0; sample < 300; sample++) {
        abut_vec3 points[24];
        bool corner[24] = {false};
        int32_t count = 4 + random_below(&random, 21), corners = 0;
        for (int32_t i = 0; i < count; i++) {
            points[i] = random_vec3(&random, -1, 1);
        }
        mark_corners(points, count, corner);
        abut_shape *shape = hull_of(points, count);
        for (int32_t i = 0; i < count; i++) {
            if (corner[i]) {
                assert_memory_equal(&shape->surface.vertices[corners], &points[i], sizeof *points);
                corners++;
            }
        }
        assert_int_equal(corners, shape->surface.vertex_count);
        assert_int_equal(shape->surface.face_count, 2 * corners - 4);
        check_hull(shape, points, count, 1e-14);
        abut_shape_release(shape);
    }
}

/* A thousand points on a sphere are all corners, and all facets are triangles, at every scale and far from the origin. */
static void points_on_a_sphere(void **state) {
    (void)state;
    random_state random = random_make(random_seed("points_on_a_sphere", 22));
    abut_vec3 points[1000];
    const double scales[] = {1e-9, 1e-4, 1.0, 1e4, 1e9};
    for (int i = 0; i < 10; i++) {
        abut_vec3 centre = i < 5 ? abut_vec3_make(0, 0, 0) : abut_scale(1e5 * scales[i % 5], random_direction(&random));
        for (int k = 0; k < 1000; k++) {
            points[k] = abut_add_scaled(centre, scales[i % 5], random_direction(&random));
        }
        abut_shape *shape = hull_of(points, 1000);
        assert_int_equal(shape->surface.vertex_count, 1000);
        assert_int_equal(shape->surface.face_count, 1996);
        surface_check_topology(&shape->surface);
        surface_check_geometry(&shape->surface, i < 5 ? 1e-14 : 1e-10);
        abut_shape_release(shape);
    }
}

typedef enum box_cloud { ON_FACES, ON_EDGES, ON_CORNERS, LATTICE, box_clouds } box_cloud;

/* The corners of a box and many other points of its surface, in random order. */
static void fill_box_cloud(random_state *random, box_cloud kind, abut_vec3 half, abut_vec3 *points, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        double c[3];
        int32_t side = random_below(random, 3), other = (side + 1) % 3;
        for (int k = 0; k < 3; k++) {
            bool fixed = kind == ON_CORNERS || i < 8 || k == side || (kind == ON_EDGES && k == other);
            double end = i < 8 ? (i >> k & 1 ? 1 : -1) : random_below(random, 2) ? 1 : -1;
            c[k] = kind == LATTICE && i >= 8 ? random_below(random, 7) / 3.0 - 1.0 : fixed ? end : random_range(random, -1, 1);
        }
        points[i] = abut_vec3_make(half.x * c[0], half.y * c[1], half.z * c[2]);
    }
    for (int32_t i = count - 1; i > 0; i--) {
        int32_t j = random_below(random, i + 1);
        abut_vec3 t = points[i];
        points[i] = points[j];
        points[j] = t;
    }
}

static void boxes_of_many_points_have_eight_corners(void **state) {
    (void)state;
    random_state random = random_make(random_seed("boxes_of_many_points_have_eight_corners", 23));
    const abut_vec3 halves[] = {{1, 1, 1}, {1, 0.5, 0.1}, {1, 1, 1e-4}, {1, 1e-4, 1e-4}, {1, 1e-2, 1e-4}};
    abut_vec3 points[1000];
    for (int sample = 0; sample < 200; sample++) {
        box_cloud kind = (box_cloud)(sample % box_clouds);
        abut_vec3 half = halves[sample / box_clouds % 5];
        fill_box_cloud(&random, kind, half, points, 1000);
        int placing = sample / 20 % 3;
        abut_pose pose = random_pose(&random, placing == 2 ? 1e5 : 0.0);
        double scale = random_log_range(&random, 1e-9, 1e9);
        for (int i = 0; i < 1000 && placing > 0; i++) {
            points[i] = abut_scale(scale, abut_pose_apply(pose, points[i]));
        }
        abut_shape *shape = hull_of(points, 1000);
        assert_int_equal(shape->surface.vertex_count, 8);
        assert_int_equal(shape->surface.face_count, 6);
        check_hull(shape, points, 1000, placing == 2 ? 1e-9 : 2e-15);
        abut_shape_release(shape);
    }
}

/* The hull of a cylinder's corners is the cylinder, also when circles of thousands of points lie in two planes. */
static void points_on_circles(void **state) {
    (void)state;
    const int32_t sides[] = {3, 7, 64, 4096};
    for (int i = 0; i < 4; i++) {
        abut_shape *cylinder;
        assert_ok(abut_shape_create_prism(1.0, 0.25, sides[i], &cylinder));
        abut_shape *shape = hull_of(cylinder->surface.vertices, 2 * sides[i]);
        assert_int_equal(shape->surface.vertex_count, 2 * sides[i]);
        assert_int_equal(shape->surface.face_count, sides[i] + 2);
        surface_check_topology(&shape->surface);
        assert_near(shape->unit_mass.volume, cylinder->unit_mass.volume, 1e-13);
        abut_shape_release(shape);
        abut_shape_release(cylinder);
    }
}

static void clouds_of_random_shapes(void **state) {
    (void)state;
    random_state random = random_make(random_seed("clouds_of_random_shapes", 24));
    abut_vec3 points[400];
    for (int sample = 0; sample < 400; sample++) {
        int32_t count = 8 + random_below(&random, 392);
        double thin = random_log_range(&random, 1e-6, 1.0), narrow = random_log_range(&random, thin, 1.0);
        abut_pose pose = random_pose(&random, 1.0);
        double scale = random_log_range(&random, 1e-9, 1e9);
        for (int32_t i = 0; i < count; i++) {
            abut_vec3 p = sample % 3 == 0 ? random_direction(&random) : random_vec3(&random, -1, 1);
            /* Points that are repeated exactly or nearly. */
            p = i > 4 && random_below(&random, 4) == 0 ? points[random_below(&random, i)] : abut_vec3_make(p.x, narrow * p.y, thin * p.z);
            points[i] = random_below(&random, 8) ? p : abut_add_scaled(p, 1e-14 * thin, random_direction(&random));
        }
        for (int32_t i = 0; i < count; i++) {
            points[i] = abut_scale(scale, abut_pose_apply(pose, points[i]));
        }
        abut_shape *shape = hull_of(points, count);
        check_hull(shape, points, count, 1e-12);
        abut_shape_release(shape);
    }
}

/* Points of a flat side, of rings and of a slightly curved cap, whose noise is about as large as the tolerance for merging. A face merged of them can lean so
 * far that other points lie beyond it; then less is merged. */
static void noise_as_large_as_what_is_merged(void **state) {
    (void)state;
    random_state random = random_make(random_seed("noise_as_large_as_what_is_merged", 28));
    abut_vec3 points[800];
    for (int sample = 0; sample < 1500; sample++) {
        int32_t count = 100 + random_below(&random, 700), sides = 8 + random_below(&random, 40), kind = sample % 3;
        double noise = random_log_range(&random, kind == 1 ? 1e-9 : 1e-11, 1e-8), thin = random_log_range(&random, 1e-6, 1.0);
        for (int32_t i = 0; i < count; i++) {
            abut_vec3 p = random_vec3(&random, -1, 1);
            if (kind == 0) {
                p.z = i % 2 ? 1.0 : p.z;
            } else if (kind == 1) {
                double angle = 2.0 * PI * random_below(&random, sides) / sides;
                p = abut_vec3_make(cos(angle), sin(angle), i % 2 ? 1.0 : -1.0);
            } else {
                p.z = i % 50 == 0 ? -1.0 : -1e3 * noise * (p.x * p.x + p.y * p.y);
            }
            p = abut_add(p, random_vec3(&random, -noise, noise));
            points[i] = abut_vec3_make(p.x, p.y, thin * p.z);
        }
        abut_shape *shape = hull_of(points, count);
        check_corners(shape, points, count, 1e-9);
        abut_shape_release(shape);
    }
}

static void clouds_without_volume(void **state) {
    (void)state;
    random_state random = random_make(random_seed("clouds_without_volume", 25));
    abut_vec3 points[100];
    for (int sample = 0; sample < 200; sample++) {
        int32_t count = 4 + random_below(&random, 97), spans = random_below(&random, 3);
        abut_vec3 origin = random_vec3(&random, -1, 1), u = random_direction(&random), v = random_direction(&random);
        double scale = random_log_range(&random, 1e-9, 1e9);
        for (int32_t i = 0; i < count; i++) {
            points[i] = spans > 0 ? abut_add_scaled(origin, random_range(&random, -1, 1), u) : origin;
            points[i] = spans > 1 ? abut_add_scaled(points[i], random_range(&random, -1, 1), v) : points[i];
            points[i] = abut_scale(scale, points[i]);
        }
        abut_shape *shape = NULL;
        assert_status(abut_shape_create_hull(points, count, &shape), ABUT_ERROR_DEGENERATE);
        assert_null(shape);
    }
    /* Many points at only three places. */
    for (int i = 0; i < 100; i++) {
        points[i] = abut_vec3_make(i % 3 == 0, i % 3 == 1, i % 3 == 2);
    }
    abut_shape *shape = NULL;
    assert_status(abut_shape_create_hull(points, 100, &shape), ABUT_ERROR_DEGENERATE);
}

static void refused_arguments(void **state) {
    (void)state;
    abut_vec3 points[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.1, 0.1, 0.1}};
    abut_shape *shape = NULL;
    assert_status(abut_shape_create_hull(NULL, 5, &shape), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_hull(points, 3, &shape), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_hull(points, -1, &shape), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_hull(points, 5, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    points[4].y = NAN;
    assert_status(abut_shape_create_hull(points, 5, &shape), ABUT_ERROR_NOT_FINITE);
    points[4].y = -INFINITY;
    assert_status(abut_shape_create_hull(points, 5, &shape), ABUT_ERROR_NOT_FINITE);
    points[4].y = 1e300;
    assert_status(abut_shape_create_hull(points, 5, &shape), ABUT_ERROR_INVALID_ARGUMENT);
    for (int i = 0; i < 5; i++) {
        points[i] = abut_scale(1e-200, points[i]);
    }
    assert_status(abut_shape_create_hull(points, 4, &shape), ABUT_ERROR_INVALID_ARGUMENT);
    assert_null(shape);
}

/* Scaling by a power of two changes only the exponents. */
static void scaling_by_two_scales_the_hull(void **state) {
    (void)state;
    random_state random = random_make(random_seed("scaling_by_two_scales_the_hull", 26));
    abut_vec3 points[200], scaled[200];
    for (int i = 0; i < 200; i++) {
        points[i] = random_vec3(&random, -1, 1);
        scaled[i] = abut_scale(ldexp(1.0, -40), points[i]);
    }
    abut_shape *one = hull_of(points, 200), *other = hull_of(scaled, 200);
    assert_int_equal(one->surface.face_count, other->surface.face_count);
    assert_memory_equal(one->surface.face_vertices, other->surface.face_vertices, (size_t)one->surface.edge_count * 2 * sizeof(int32_t));
    assert_memory_equal(one->surface.normals, other->surface.normals, (size_t)one->surface.face_count * sizeof(abut_vec3));
    abut_shape_release(one);
    abut_shape_release(other);
}

enum { thread_count = 4, thread_clouds = 24, thread_points = 300 };

static void *build_hulls(void *argument) {
    abut_shape **shapes = argument;
    for (int cloud = 0; cloud < thread_clouds; cloud++) {
        random_state random = random_make((uint64_t)cloud);
        abut_vec3 points[thread_points];
        for (int i = 0; i < thread_points; i++) {
            points[i] = cloud % 2 ? random_direction(&random) : abut_vec3_make(random_below(&random, 5), random_below(&random, 5), i % 5);
        }
        shapes[cloud] = NULL;
        abut_shape_create_hull(points, thread_points, &shapes[cloud]);
    }
    return NULL;
}

static void threads_get_the_same_bits(void **state) {
    (void)state;
    abut_shape *shapes[thread_count][thread_clouds];
    pthread_t threads[thread_count];
    for (int t = 0; t < thread_count; t++) {
        assert_int_equal(pthread_create(&threads[t], NULL, build_hulls, shapes[t]), 0);
    }
    for (int t = 0; t < thread_count; t++) {
        assert_int_equal(pthread_join(threads[t], NULL), 0);
    }
    for (int cloud = 0; cloud < thread_clouds; cloud++) {
        for (int t = 0; t < thread_count; t++) {
            assert_non_null(shapes[t][cloud]);
            assert_true(surface_equal(&shapes[0][cloud]->surface, &shapes[t][cloud]->surface));
        }
    }
    for (int t = 0; t < thread_count; t++) {
        for (int cloud = 0; cloud < thread_clouds; cloud++) {
            abut_shape_release(shapes[t][cloud]);
        }
    }
}

/* qhull writes messages about difficult points; none may appear. */
static void nothing_is_printed(void **state) {
    (void)state;
    fflush(stdout);
    fflush(stderr);
    FILE *caught = tmpfile();
    assert_non_null(caught);
    int out = dup(1), err = dup(2);
    dup2(fileno(caught), 1);
    dup2(fileno(caught), 2);
    abut_vec3 points[512];
    abut_shape *shape = NULL;
    for (int kind = 0; kind < 4; kind++) {
        for (int i = 0; i < 512; i++) {
            points[i] = abut_vec3_make(i % 8, i / 8 % 8,
                                       kind == 0   ? 0
                                       : kind == 1 ? i / 64
                                       : kind == 2 ? 1e-9 * (i / 64)
                                                   : 1e-14 * (i % 3));
        }
        abut_shape_create_hull(points, 512, &shape);
        abut_shape_release(shape);
        shape = NULL;
    }
    fflush(stdout);
    fflush(stderr);
    dup2(out, 1);
    dup2(err, 2);
    close(out);
    close(err);
    assert_int_equal(lseek(fileno(caught), 0, SEEK_END), 0);
    fclose(caught);
}

static void out_of_memory(void **state) {
    (void)state;
    abut_vec3 points[64];
    for (int i = 0; i < 64; i++) {
        points[i] = abut_vec3_make(i % 4, i / 4 % 4, i / 16);
    }
    counting_allocator memory;
    int64_t refused = 0;
    do {
        memory = (counting_allocator){.refuse_at = refused++};
        counting_allocator_install(&memory);
        abut_shape *shape = NULL;
        abut_status status = abut_shape_create_hull(points, 64, &shape);
        bool made = shape != NULL;
        abut_shape_release(shape);
        counting_allocator_remove();
        assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
        assert_int_equal(made, !memory.refused);
        assert_int_equal(memory.live, 0);
    } while (memory.refused);
    assert_true(refused > 10);
}

static void unsupported_without_qhull(void **state) {
    (void)state;
    const abut_vec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    abut_shape *shape = NULL;
    assert_status(abut_shape_create_hull(points, 4, &shape), ABUT_ERROR_UNSUPPORTED);
    assert_status(abut_shape_create_hull(points, 3, &shape), ABUT_ERROR_INVALID_ARGUMENT);
    assert_null(shape);
}

static double of_any_size(random_state *random) {
    double x = random_range(random, 0, 1) * (random_below(random, 4) == 0 ? pow(10.0, random_below(random, 17)) : 10.0);
    return random_below(random, 4) == 0 ? floor(x) : x;
}

/* Coordinates of very different sizes: needles and plates with a thickness of a few rounding errors of their length. Whether such points span a volume is
 * not defined. The library must not fail on them. */
static void thin_as_their_rounding(void **state) {
    (void)state;
    const abut_vec3 needle[4] = {{3.5401458775345915, 1, 0.096838736486080448},
                                 {9, 0.92401824189537118, 8.6146919515983633},
                                 {0.73686062206367986, 7323068635223, 7239024782198.958},
                                 {1.1503965599231405, 7.17021310570194, 0.60345678804603253}};
    abut_shape *shape = NULL;
    assert_status(abut_shape_create_hull(needle, 4, &shape), ABUT_ERROR_DEGENERATE);
    random_state random = random_make(random_seed("thin_as_their_rounding", 44));
    for (int sample = 0; sample < 30000; sample++) {
        abut_vec3 points[12];
        int32_t count = 4 + random_below(&random, 9);
        for (int32_t i = 0; i < count; i++) {
            points[i] = abut_vec3_make(of_any_size(&random), of_any_size(&random), of_any_size(&random));
        }
        abut_status status = abut_shape_create_hull(points, count, &shape);
        assert_true(status == ABUT_OK || status == ABUT_ERROR_DEGENERATE);
        if (status == ABUT_OK) {
            abut_shape_release(shape);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners_against_all_planes),
        cmocka_unit_test(points_on_a_sphere),
        cmocka_unit_test(boxes_of_many_points_have_eight_corners),
        cmocka_unit_test(points_on_circles),
        cmocka_unit_test(clouds_of_random_shapes),
        cmocka_unit_test(noise_as_large_as_what_is_merged),
        cmocka_unit_test(clouds_without_volume),
        cmocka_unit_test(thin_as_their_rounding),
        cmocka_unit_test(refused_arguments),
        cmocka_unit_test(scaling_by_two_scales_the_hull),
        cmocka_unit_test(threads_get_the_same_bits),
        cmocka_unit_test(nothing_is_printed),
        cmocka_unit_test(out_of_memory),
    };
    const struct CMUnitTest without[] = {cmocka_unit_test(unsupported_without_qhull)};
    return abut_has(ABUT_CAPABILITY_HULL) ? cmocka_run_group_tests(tests, NULL, NULL) : cmocka_run_group_tests(without, NULL, NULL);
}
