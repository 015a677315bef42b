/* Flat, parallel and degenerate positions of convex polytopes: stacked faces have exactly the overlap of the two polygons; ties,
 * coincidence, containment and slivers give ordinary answers. World frame unless a random motion is applied to both; A above B, normal from
 * B into A. */
#include "support/check.h"
#include "support/shapes.h"

#include <stdio.h>

static const abut_vec3 up = {0, 0, 1};
static check_answer answer;

/* The cross-section of a prism or box, turned by the yaw and moved, counter-clockwise. */
static int32_t section(const solid *s, double yaw, double x, double y, oracle_point2 *polygon) {
    oracle_point2 corner[256];
    int32_t count = 0;
    const int32_t *loop = s->face_vertices;
    for (int32_t f = 0; f < s->face_count; f++) {
        bool top = true;
        for (int32_t i = 0; i < s->face_sizes[f]; i++) {
            top = top && s->vertices[loop[i]].z > 0.0;
        }
        if (top) {
            count = s->face_sizes[f];
            for (int32_t i = 0; i < count; i++) {
                corner[i].x = s->vertices[loop[i]].x;
                corner[i].y = s->vertices[loop[i]].y;
            }
        }
        loop += s->face_sizes[f];
    }
    for (int32_t i = 0; i < count; i++) {
        polygon[i].x = cos(yaw) * corner[i].x - sin(yaw) * corner[i].y + x;
        polygon[i].y = sin(yaw) * corner[i].x + cos(yaw) * corner[i].y + y;
    }
    return count;
}

static solid stackable(random_state *random, int32_t kind, double *half_height) {
    *half_height = random_range(random, 0.2, 0.6);
    if (kind % 3 == 0) {
        return solid_box(abut_vec3_make(random_range(random, 0.3, 0.8), random_range(random, 0.3, 0.8), *half_height));
    }
    return solid_prism(random_range(random, 0.3, 0.8), *half_height, 3 + random_below(random, 62));
}

/* Boxes and prisms of 3 to 64 sides, one on the other with any yaw and offset, sizes 1e-4, 1 and 1e4; every second stack rotated and moved
 * as a whole. The patch has the exact overlap area and one gap. */
static void flat_stacks(void **state) {
    (void)state;
    random_state random = random_make(random_seed("flat_stacks", 41));
    static tally t;
    static const double sizes[3] = {1.0, 1e-4, 1e4};
    double worst_area = 0.0, worst_gap = 0.0;
    for (int i = 0; i < 1500; i++) {
        double size = sizes[(i / 2) % 3], height_a, height_b, depth = i % 7 ? random_log_range(&random, 1e-6, 1e-3) : 0.0;
        solid a = stackable(&random, i, &height_a), b = stackable(&random, i / 3, &height_b);
        double yaw_a = random_range(&random, 0, 2 * PI), yaw_b = random_range(&random, 0, 2 * PI), x = random_range(&random, -0.2, 0.2),
               y = random_range(&random, -0.2, 0.2);
        oracle_point2 p[256], q[256];
        int32_t np = section(&a, yaw_a, x, y, p), nq = section(&b, yaw_b, 0.0, 0.0, q);
        double expected = oracle_overlap_area(p, np, q, nq);
        solid sa = solid_scaled(&a, size), sb = solid_scaled(&b, size);
        abut_pose motion = i % 2 ? random_pose(&random, 2.0 * size) : abut_pose_identity();
        abut_pose pose_a = turned(at(size * x, size * y, size * (height_a + height_b - depth)), up, yaw_a),
                  pose_b = turned(at(0, 0, 0), up, yaw_b);
        pose_a = abut_pose_compose(motion, pose_a);
        pose_b = abut_pose_compose(motion, pose_b);
        abut_vec3 normal = abut_quat_rotate(motion.rotation, up);
        oracle_body oracle_a = oracle_solid(&sa, pose_a), oracle_b = oracle_solid(&sb, pose_b);
        check_pair pair = {.a = solid_shape(&sa),
                           .b = solid_shape(&sb),
                           .pose_a = pose_a,
                           .pose_b = pose_b,
                           .oracle_a = &oracle_a,
                           .oracle_b = &oracle_b,
                           .size = size};
        abut_collide_settings settings = abut_collide_settings_default();
        settings.margin = 1e-9 * size;
        tally_sample(&t, "stack %d: %d on %d sides, yaw %.17g and %.17g, offset (%.17g, %.17g), depth %.17g, size %g%s", i, (int)np,
                     (int)nq, yaw_a, yaw_b, x, y, depth, size, i % 2 ? ", moved" : "");
        check_collide(&t, &pair, &settings, &answer);
        check_contacts(&t, &pair, &answer, settings.margin, true);
        check_certificate(&t, &pair, &answer, settings.margin);
        double area = check_area(&answer) / (size * size);
        worst_area = fmax(worst_area, fabs(area - expected) / expected);
        if (!(fabs(area - expected) <= 1e-9 * expected)) {
            tally_fail(&t, "stack: area is not that of the overlap", "%d contacts, area %.17g, overlap %.17g", (int)answer.count, area,
                       expected);
        }
        for (int32_t k = 0; k < answer.count; k++) {
            worst_gap = fmax(worst_gap, fabs(answer.contacts[k].gap / size + depth));
            if (!(fabs(answer.contacts[k].gap / size + depth) <= 1e-12)) {
                tally_fail(&t, "stack: gaps are not all the depth", "contact %d of %d: %.17g", (int)k, (int)answer.count,
                           answer.contacts[k].gap / size);
            }
            if (!(abut_distance_between(answer.contacts[k].normal, normal) <= 1e-12)) {
                tally_fail(&t, "stack: normal is not vertical", "off by %.3g", abut_distance_between(answer.contacts[k].normal, normal));
            }
        }
        abut_shape_release(pair.a);
        abut_shape_release(pair.b);
        oracle_free(&oracle_a);
        oracle_free(&oracle_b);
        solid_free(&a);
        solid_free(&b);
        solid_free(&sa);
        solid_free(&sb);
    }
    printf("flat_stacks: worst relative error of an area %.2g, of a gap %.2g of the size\n", worst_area, worst_gap);
    tally_end(&t);
}

/* Prisms and boxes that stand on each other edge to edge: sides of both polygons lie on one line. */
static void aligned_sides(void **state) {
    (void)state;
    static tally t;
    abut_shape *cube = box(0.5, 0.5, 0.5), *tall = box(0.5, 0.25, 1.0);
    static const double offsets[5] = {0.0, 0.25, -0.25, 0.5, 0.75};
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 3; j++) {
            double x = offsets[i], y = offsets[j], width = 1.0 - fabs(x), breadth = fmin(0.5, y + 0.25) - fmax(-0.5, y - 0.25);
            check_pair pair = {.a = tall, .b = cube, .pose_a = at(x, y, 1.499), .pose_b = at(0, 0, 0), .size = 1.0};
            tally_sample(&t, "offset (%g, %g)", x, y);
            check_collide(&t, &pair, NULL, &answer);
            check_contacts(&t, &pair, &answer, 0.0, true);
            assert_near(check_area(&answer), width * breadth, 1e-14);
            assert_int_equal(answer.count, 4);
        }
    }
    for (int32_t sides = 3; sides <= 64; sides++) {
        abut_shape *prism = NULL;
        assert_ok(abut_shape_create_prism(1.0, 0.5, sides, &prism));
        check_pair pair = {.a = prism, .b = prism, .pose_a = at(0, 0, 0.999), .pose_b = at(0, 0, 0), .size = 1.0};
        tally_sample(&t, "%d sides", (int)sides);
        check_collide(&t, &pair, NULL, &answer);
        check_contacts(&t, &pair, &answer, 0.0, true);
        assert_int_equal(answer.count, sides);
        assert_near(check_area(&answer), 0.5 * sides * sin(2.0 * PI / sides), 1e-12);
        abut_shape_release(prism);
    }
    tally_end(&t);
    abut_shape_release(cube);
    abut_shape_release(tall);
}

/* One normal out of several equally valid ones: whichever it is, the answer is valid. */
static void sound(const solid *a, abut_pose pose_a, const solid *b, abut_pose pose_b, const char *name, double expected_depth,
                  double size) {
    static tally t;
    t.kinds = 0;
    oracle_body oracle_a = oracle_solid(a, pose_a), oracle_b = oracle_solid(b, pose_b);
    check_pair pair = {.a = solid_shape(a),
                       .b = solid_shape(b),
                       .pose_a = pose_a,
                       .pose_b = pose_b,
                       .oracle_a = &oracle_a,
                       .oracle_b = &oracle_b,
                       .size = size};
    tally_sample(&t, "%s", name);
    check_collide(&t, &pair, NULL, &answer);
    if (answer.count == 0) {
        tally_fail(&t, "missed overlap", "least depth %g", -oracle_signed_distance(&oracle_a, &oracle_b));
    }
    check_contacts(&t, &pair, &answer, 0.0, false);
    check_certificate(&t, &pair, &answer, 0.0);
    if (answer.count > 0 && !(fabs(check_deepest(&answer) + expected_depth) <= 1e-9 * size)) {
        tally_fail(&t, "not the least depth", "deepest %.17g, expected %.17g, normal (%.6f, %.6f, %.6f)", check_deepest(&answer),
                   -expected_depth, answer.contacts[0].normal.x, answer.contacts[0].normal.y, answer.contacts[0].normal.z);
    }
    abut_shape_release(pair.a);
    abut_shape_release(pair.b);
    oracle_free(&oracle_a);
    oracle_free(&oracle_b);
    tally_end(&t);
}

static void coincident(void **state) {
    (void)state;
    static const double sizes[3] = {1.0, 1e-4, 1e4};
    for (int i = 0; i < 3; i++) {
        double size = sizes[i];
        solid cube = solid_box(abut_vec3_make(0.5 * size, 0.5 * size, 0.5 * size)),
              brick = solid_box(abut_vec3_make(0.5 * size, 0.4 * size, 0.3 * size));
        sound(&cube, at(0, 0, 0), &cube, at(0, 0, 0), "coincident cubes", size, size);
        assert_int_equal(answer.contacts[0].flags & ABUT_CONTACT_NORMAL_CHOSEN, ABUT_CONTACT_NORMAL_CHOSEN);
        assert_near(check_area(&answer), size * size, 1e-9 * size * size);
        sound(&brick, at(0, 0, 0), &brick, at(0, 0, 0), "coincident bricks", 0.6 * size, size);
        assert_int_equal(answer.contacts[0].flags & ABUT_CONTACT_NORMAL_CHOSEN, ABUT_CONTACT_NORMAL_CHOSEN);
        assert_near(fabs(answer.contacts[0].normal.z), 1.0, 1e-12);
        assert_near(check_area(&answer), 0.8 * size * size, 1e-9 * size * size);
        solid_free(&cube);
        solid_free(&brick);
    }
    solid prism = solid_prism(0.5, 0.2, 32), pyramid = solid_pyramid(0.5, 0.7, 32);
    sound(&prism, at(0, 0, 0), &prism, at(0, 0, 0), "coincident cylinders", 0.4, 1.0);
    oracle_body p = oracle_solid(&pyramid, at(0, 0, 0));
    sound(&pyramid, at(0, 0, 0), &pyramid, at(0, 0, 0), "coincident cones", -oracle_signed_distance(&p, &p), 1.0);
    oracle_free(&p);
    solid_free(&prism);
    solid_free(&pyramid);
}

static void contained(void **state) {
    (void)state;
    solid room = solid_box(abut_vec3_make(5, 5, 5)), slab = solid_box(abut_vec3_make(5, 5, 0.5)),
          cube = solid_box(abut_vec3_make(0.5, 0.5, 0.5)), crumb = solid_box(abut_vec3_make(0.1, 0.1, 0.1));
    sound(&cube, at(0, 0, 4), &room, at(0, 0, 0), "cube inside a room below its ceiling", 1.5, 5.0);
    assert_vec3_near(answer.contacts[0].normal, up, 1e-12);
    assert_near(check_area(&answer), 1.0, 1e-9);
    sound(&room, at(0, 0, 0), &cube, at(-3.5, 0.2, 0.1), "room about a cube near a wall", 2.0, 5.0);
    assert_vec3_near(answer.contacts[0].normal, abut_vec3_make(1, 0, 0), 1e-12);
    sound(&crumb, at(0.3, 0.2, 0.05), &slab, at(0, 0, 0), "crumb inside a slab", 0.55, 5.0);
    assert_vec3_near(answer.contacts[0].normal, up, 1e-12);
    sound(&crumb, at(0, 0, 0), &slab, at(0, 0, 0), "crumb in the middle of a slab", 0.6, 5.0);
    assert_near(fabs(answer.contacts[0].normal.z), 1.0, 1e-12);
    solid_free(&room);
    solid_free(&slab);
    solid_free(&cube);
    solid_free(&crumb);
}

/* Two cubes, each with an edge down or up along x: over each other, and moved aside so that two parallel faces meet. */
static void parallel_edges(void **state) {
    (void)state;
    solid cube = solid_box(abut_vec3_make(0.5, 0.5, 0.5));
    abut_pose lower = turned(at(0, 0, 0), abut_vec3_make(1, 0, 0), PI / 4);
    abut_pose upper = turned(at(0.3, 0, sqrt(2.0) - 0.02), abut_vec3_make(1, 0, 0), PI / 4);
    /* The vertical and both face normals tie for the growth distance; the faces overlap less. */
    sound(&cube, upper, &cube, lower, "edge over parallel edge", 0.02 / sqrt(2.0), 1.0);
    assert_int_equal(answer.contacts[0].flags & ABUT_CONTACT_NORMAL_CHOSEN, ABUT_CONTACT_NORMAL_CHOSEN);
    upper.position.y = 0.01;
    double along = (0.01 + upper.position.z) / sqrt(2.0), across = (upper.position.z - 0.01) / sqrt(2.0);
    sound(&cube, upper, &cube, lower, "edge beside parallel edge", 1.0 - along, 1.0);
    assert_vec3_near(answer.contacts[0].normal, abut_vec3_make(0, sqrt(0.5), sqrt(0.5)), 1e-12);
    assert_int_equal(answer.count, 4);
    assert_near(check_area(&answer), 0.7 * (1.0 - across), 1e-12);
    solid_free(&cube);
}

/* An edge that lies along another body's edge only within rounding, and within the feature angle. */
static void nearly_parallel_edges(void **state) {
    (void)state;
    static tally t;
    solid cube = solid_box(abut_vec3_make(0.5, 0.5, 0.5));
    static const double angles[6] = {1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 0.02};
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 3; j++) {
            abut_pose pose_b = turned(at(0, 0, 0), abut_vec3_make(1, 0, 0), PI / 4);
            abut_pose pose_a =
                turned(at(0.2, j == 1 ? 0.02 : 0.0, sqrt(2.0) - 0.03), abut_vec3_make(1, 0, 0), PI / 4 + (j == 2 ? 0.3 : 0.0));
            pose_a = turned(pose_a, up, angles[i]);
            oracle_body a = oracle_solid(&cube, pose_a), b = oracle_solid(&cube, pose_b);
            check_pair pair = {.a = solid_shape(&cube),
                               .b = solid_shape(&cube),
                               .pose_a = pose_a,
                               .pose_b = pose_b,
                               .oracle_a = &a,
                               .oracle_b = &b,
                               .size = 1.0};
            tally_sample(&t, "angle %g, variant %d", angles[i], j);
            check_collide(&t, &pair, NULL, &answer);
            check_contacts(&t, &pair, &answer, 0.0, false);
            check_certificate(&t, &pair, &answer, 0.0);
            double least = oracle_signed_distance(&a, &b);
            if ((answer.count == 0) != (least > 0.0)) {
                tally_fail(&t, "nearly parallel edges: wrong overlap", "%d contacts, least %.17g", (int)answer.count, least);
            }
            if (answer.count > 0 && !(check_deepest(&answer) >= 1.5 * least - 1e-9)) {
                tally_fail(&t, "nearly parallel edges: a depth far above the least one", "deepest %.17g, least %.17g",
                           check_deepest(&answer), least);
            }
            abut_shape_release(pair.a);
            abut_shape_release(pair.b);
            oracle_free(&a);
            oracle_free(&b);
        }
    }
    tally_end(&t);
    solid_free(&cube);
}

static double least_depth(const solid *a, abut_pose pose_a, const solid *b, abut_pose pose_b) {
    oracle_body p = oracle_solid(a, pose_a), q = oracle_solid(b, pose_b);
    double depth = -oracle_signed_distance(&p, &q);
    oracle_free(&p);
    oracle_free(&q);
    return depth;
}

/* The vertical is no facet of the difference here, only the mean of those around it: the depth is at most that of the vertical overlap. */
static void tip_on_tip(const solid *a, abut_pose pose_a, const solid *b, abut_pose pose_b, const char *name) {
    static tally t;
    t.kinds = 0;
    oracle_body oracle_a = oracle_solid(a, pose_a), oracle_b = oracle_solid(b, pose_b);
    check_pair pair = {.a = solid_shape(a),
                       .b = solid_shape(b),
                       .pose_a = pose_a,
                       .pose_b = pose_b,
                       .oracle_a = &oracle_a,
                       .oracle_b = &oracle_b,
                       .size = 1.0};
    double depth = least_depth(a, pose_a, b, pose_b);
    tally_sample(&t, "%s", name);
    check_collide(&t, &pair, NULL, &answer);
    check_contacts(&t, &pair, &answer, 0.0, false);
    check_certificate(&t, &pair, &answer, 0.0);
    if ((answer.count == 0) != (depth < 0.0)) {
        tally_fail(&t, "tip on tip: wrong overlap", "%d contacts, least depth %.17g", (int)answer.count, depth);
    }
    double vertical = -oracle_gap_along(&oracle_a, &oracle_b, up);
    if (answer.count > 0 && !(-check_deepest(&answer) >= depth - 1e-12 && -check_deepest(&answer) <= vertical + 1e-12)) {
        tally_fail(&t, "tip on tip: depth not between the least and the vertical one", "deepest %.17g, least depth %.17g, vertical %.17g",
                   check_deepest(&answer), depth, vertical);
    }
    abut_shape_release(pair.a);
    abut_shape_release(pair.b);
    oracle_free(&oracle_a);
    oracle_free(&oracle_b);
    tally_end(&t);
}

static void vertex_on_vertex(void **state) {
    (void)state;
    solid cube = solid_box(abut_vec3_make(0.5, 0.5, 0.5)), cone = solid_pyramid(0.4, 1.0, 32);
    abut_pose corner = turned(turned(at(0, 0, 0), abut_vec3_make(0, 1, 0), PI / 4), abut_vec3_make(1, 0, 0), atan(1.0 / sqrt(2.0)));
    abut_pose upper = corner;
    upper.position.z = sqrt(3.0) - 0.01;
    tip_on_tip(&cube, upper, &cube, corner, "corner over corner");
    upper.position.x = 1e-3;
    tip_on_tip(&cube, upper, &cube, corner, "corner beside corner");
    upper.position = abut_vec3_make(0, 0, sqrt(3.0) + 0.01);
    tip_on_tip(&cube, upper, &cube, corner, "corner above corner");
    abut_pose hanging = turned(at(0, 0, 1.5 - 0.01), abut_vec3_make(1, 0, 0), PI);
    tip_on_tip(&cone, hanging, &cone, at(0, 0, 0), "apex over apex");
    hanging.position = abut_vec3_make(2e-3, 1e-3, 1.5 - 0.03);
    tip_on_tip(&cone, hanging, &cone, at(0, 0, 0), "apex beside apex");
    hanging.position = abut_vec3_make(0, 0, 1.51);
    tip_on_tip(&cone, hanging, &cone, at(0, 0, 0), "apex above apex");
    solid_free(&cube);
    solid_free(&cone);
}

static void edge_and_corner_on_a_face(void **state) {
    (void)state;
    solid cube = solid_box(abut_vec3_make(0.5, 0.5, 0.5));
    abut_pose pose = turned(at(0.5, 0.1, 0.5 + sqrt(0.5) - 0.01), abut_vec3_make(1, 0, 0), PI / 4);
    sound(&cube, pose, &cube, at(0, 0, 0), "edge that leaves over a side", 0.01, 1.0);
    assert_int_equal(answer.count, 2);
    double low = fmin(answer.contacts[0].on_b.x, answer.contacts[1].on_b.x),
           high = fmax(answer.contacts[0].on_b.x, answer.contacts[1].on_b.x);
    assert_near(low, 0.0, 1e-12);
    assert_near(high, 0.5, 1e-12);
    assert_near(answer.contacts[0].on_b.y, 0.1, 1e-12);
    assert_near(check_area(&answer), 0.0, 0.0);
    solid_free(&cube);
}

/* Thin plates, needles and sliver triangles behave like any other body. */
static void slivers(void **state) {
    (void)state;
    solid plate = solid_box(abut_vec3_make(1, 1, 1e-6)), slab = solid_box(abut_vec3_make(2, 2, 0.5)),
          needle = solid_box(abut_vec3_make(1, 1e-6, 1e-6));
    sound(&plate, at(0.2, 0.1, 0.5 + 0.5e-6), &slab, at(0, 0, 0), "plate on a slab", 0.5e-6, 1e-6);
    assert_int_equal(answer.count, 4);
    assert_near(check_area(&answer), 4.0, 1e-9);
    sound(&plate, turned(at(0.2, 0.1, 1e-6), up, 0.3), &plate, at(0, 0, 0), "plate on a plate", 1e-6, 1e-6);
    assert_true(answer.count >= 4);
    sound(&needle, at(0.2, 0.1, 0.5 + 0.5e-6), &slab, at(0, 0, 0), "needle on a slab", 0.5e-6, 1e-6);
    assert_near(check_area(&answer), 4e-6, 1e-14);
    solid wedge =
        solid_tetrahedron(abut_vec3_make(0, 0, 0), abut_vec3_make(1, 0, 0), abut_vec3_make(0.5, 1e-6, 0), abut_vec3_make(0.5, 0.5e-6, 1.0));
    sound(&wedge, at(0, 0, 0.5 - 1e-7), &slab, at(0, 0, 0), "sliver triangle on a slab", 1e-7, 1e-6);
    assert_int_equal(answer.count, 3);
    assert_near(check_area(&answer), 0.5e-6, 1e-14);
    solid_free(&plate);
    solid_free(&slab);
    solid_free(&needle);
    solid_free(&wedge);
}

/* Sides so short and flat that a corner lies near the lines of several: each contact lies on exactly the feature that it names. */
static void many_sides(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("many_sides", 43));
    for (int32_t sides = 64; sides <= 1024; sides *= 4) {
        abut_shape *prism = NULL, *slab = box(0.7, 0.7, 0.5);
        assert_ok(abut_shape_create_prism(1.0, 0.5, sides, &prism));
        for (int i = 0; i < 20; i++) {
            abut_pose pose =
                turned(at(random_range(&random, -0.3, 0.3), random_range(&random, -0.3, 0.3), 0.999), up, random_range(&random, 0, PI));
            check_pair pair = {.a = slab, .b = prism, .pose_a = pose, .pose_b = at(0, 0, 0), .size = 1.0};
            tally_sample(&t, "%d sides, sample %d", (int)sides, i);
            check_collide(&t, &pair, NULL, &answer);
            check_contacts(&t, &pair, &answer, 0.0, true);
        }
        abut_shape_release(prism);
        abut_shape_release(slab);
    }
    tally_end(&t);
}

/* A cylinder lying on a slab, at any roll angle: it rests on a facet or on an edge, and the answer changes continuously between them. */
static void rolling_cylinder(void **state) {
    (void)state;
    static tally t;
    solid slab = solid_box(abut_vec3_make(2, 2, 0.5));
    for (int32_t sides = 8; sides <= 64; sides *= 2) {
        solid prism = solid_prism(0.5, 0.6, sides);
        abut_shape *shape = solid_shape(&prism), *ground = solid_shape(&slab);
        for (int i = 0; i < 60; i++) {
            double roll = 2.0 * PI / sides * i / 40.0;
            abut_pose pose = turned(turned(at(0.1, 0.2, 0), up, roll), abut_vec3_make(0, 1, 0), PI / 2);
            oracle_body b = oracle_solid(&slab, at(0, 0, 0)), a = oracle_solid(&prism, pose);
            pose.position.z = 0.5 + oracle_support(&a, abut_vec3_make(0, 0, -1)) - 1e-4;
            oracle_free(&a);
            a = oracle_solid(&prism, pose);
            check_pair pair = {.a = shape, .b = ground, .pose_a = pose, .pose_b = at(0, 0, 0), .oracle_a = &a, .oracle_b = &b, .size = 1.0};
            abut_collide_settings settings = abut_collide_settings_default();
            settings.margin = 0.05;
            tally_sample(&t, "%d sides, roll %d/40 of a facet", (int)sides, i);
            check_collide(&t, &pair, &settings, &answer);
            check_contacts(&t, &pair, &answer, settings.margin, true);
            check_certificate(&t, &pair, &answer, settings.margin);
            if (answer.count != 2 && answer.count != 4) {
                tally_fail(&t, "rolling cylinder: neither an edge nor a facet", "%d contacts", (int)answer.count);
            }
            for (int32_t k = 0; k < answer.count; k++) {
                if (!(abut_distance_between(answer.contacts[k].normal, up) <= 1e-12)) {
                    tally_fail(&t, "rolling cylinder: normal", "off by %.3g", abut_distance_between(answer.contacts[k].normal, up));
                }
            }
            oracle_free(&a);
            oracle_free(&b);
        }
        abut_shape_release(shape);
        abut_shape_release(ground);
        solid_free(&prism);
    }
    tally_end(&t);
    solid_free(&slab);
}

/* Faces that are not quite parallel, within the feature angle: one gap per corner, each its own height above the other face. */
static void tilted_face(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("tilted_face", 42));
    solid cube = solid_box(abut_vec3_make(0.5, 0.5, 0.5)), slab = solid_box(abut_vec3_make(2, 2, 0.5));
    abut_shape *a = solid_shape(&cube), *b = solid_shape(&slab);
    for (int i = 0; i < 200; i++) {
        double tilt = random_log_range(&random, 1e-12, 1.9 * PI / 180.0), direction = random_range(&random, 0, 2 * PI);
        abut_pose pose = turned(at(0.1, 0.2, 0), up, random_range(&random, 0, 2 * PI));
        pose = turned(pose, abut_vec3_make(cos(direction), sin(direction), 0), tilt);
        oracle_body oracle_a = oracle_solid(&cube, pose), oracle_b = oracle_solid(&slab, at(0, 0, 0));
        pose.position.z = 0.5 + oracle_support(&oracle_a, abut_vec3_make(0, 0, -1)) - 1e-4;
        oracle_free(&oracle_a);
        oracle_a = oracle_solid(&cube, pose);
        check_pair pair = {
            .a = a, .b = b, .pose_a = pose, .pose_b = at(0, 0, 0), .oracle_a = &oracle_a, .oracle_b = &oracle_b, .size = 1.0};
        abut_collide_settings settings = abut_collide_settings_default();
        settings.margin = 0.1;
        tally_sample(&t, "tilt %.17g about %.17g", tilt, direction);
        check_collide(&t, &pair, &settings, &answer);
        check_contacts(&t, &pair, &answer, settings.margin, true);
        check_certificate(&t, &pair, &answer, settings.margin);
        if (answer.count != 4 || !(abut_distance_between(answer.contacts[0].normal, up) <= 1e-12)) {
            tally_fail(&t, "tilted face: not the whole face", "%d contacts, normal off by %.3g", (int)answer.count,
                       abut_distance_between(answer.contacts[0].normal, up));
        }
        oracle_free(&oracle_a);
        oracle_free(&oracle_b);
    }
    tally_end(&t);
    abut_shape_release(a);
    abut_shape_release(b);
    solid_free(&cube);
    solid_free(&slab);
}

/* The previous normal is kept among ties, and only among ties. */
static void previous_normal(void **state) {
    (void)state;
    abut_shape *cube = box(0.5, 0.5, 0.5);
    static const abut_vec3 directions[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    for (int i = 0; i < 6; i++) {
        abut_collide_settings settings = abut_collide_settings_default();
        settings.previous_normal = directions[i];
        abut_contact contacts[8];
        int32_t count;
        assert_ok(abut_collide(&(abut_pair){cube, at(0, 0, 0), cube, at(0, 0, 0)}, &settings, NULL, contacts, 8, &count));
        assert_int_equal(count, 4);
        assert_vec3_near(contacts[0].normal, directions[i], 1e-12);
        assert_ok(abut_collide(&(abut_pair){cube, at(0.1, 0.2, 0.99), cube, at(0, 0, 0)}, &settings, NULL, contacts, 8, &count));
        assert_vec3_near(contacts[0].normal, up, 1e-12);
    }
    abut_shape_release(cube);
}

/* Sizes 1e-4 and 1e4 give the answer of size 1, also for a small body on a large one and far from the origin. */
static void any_size(void **state) {
    (void)state;
    static const double sizes[4] = {1e-4, 1.0, 1e4, 1e-7};
    for (int i = 0; i < 4; i++) {
        double size = sizes[i];
        abut_shape *small = box(0.5 * size, 0.5 * size, 0.5 * size), *large = box(200 * size, 200 * size, 5 * size);
        abut_contact contacts[8];
        int32_t count;
        assert_ok(abut_collide(&(abut_pair){small, at(37 * size, -12 * size, 5.499 * size), large, at(0, 0, 0)}, NULL, NULL, contacts, 8,
                               &count));
        assert_int_equal(count, 4);
        for (int32_t k = 0; k < count; k++) {
            assert_near(contacts[k].gap, -1e-3 * size, 1e-12 * size);
            assert_near(contacts[k].area, 0.25 * size * size, 1e-12 * size * size);
            assert_vec3_near(contacts[k].normal, up, 1e-12);
        }
        /* 2^20 sizes away, on numbers that stay exact. */
        double far = 0x1p20 * size, height = 5.5 * size - 0x1p-10 * size;
        assert_ok(abut_collide(&(abut_pair){small, at(far, far, far + height), large, at(far, far, far)}, NULL, NULL, contacts, 8, &count));
        assert_int_equal(count, 4);
        for (int32_t k = 0; k < count; k++) {
            assert_near(contacts[k].gap, far + height - far - 5.5 * size, 1e-12 * size);
            assert_vec3_near(contacts[k].normal, up, 1e-12);
        }
        abut_shape_release(small);
        abut_shape_release(large);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_stacks),      cmocka_unit_test(aligned_sides),  cmocka_unit_test(coincident),
        cmocka_unit_test(contained),        cmocka_unit_test(parallel_edges), cmocka_unit_test(nearly_parallel_edges),
        cmocka_unit_test(vertex_on_vertex), cmocka_unit_test(slivers),        cmocka_unit_test(edge_and_corner_on_a_face),
        cmocka_unit_test(rolling_cylinder), cmocka_unit_test(tilted_face),    cmocka_unit_test(previous_normal),
        cmocka_unit_test(any_size),         cmocka_unit_test(many_sides),
    };
    return cmocka_run_group_tests_name("narrow/stacks", tests, NULL, NULL);
}
