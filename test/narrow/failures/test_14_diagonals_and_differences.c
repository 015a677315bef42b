/*
 * Failure mode 14: two mistakes that even careful reference codes made. A vertex that projects exactly on the diagonal between two
 * triangles of one coplanar face is lost. A normal is taken from a difference of witness points of 1e-16.
 */
#include "support/figure.h"

#include <string.h>

static const abut_vec3 up = {0, 0, 1};

/* The cube |x| <= 1 of twelve triangles; bit f of `turned` chooses the other diagonal of face f. */
static abut_shape *triangulated_cube(int turned) {
    solid cube = solid_box(abut_vec3_make(1, 1, 1));
    int32_t sizes[12], corners[36], *out = corners;
    for (int f = 0; f < 6; f++) {
        const int32_t *q = cube.face_vertices + 4 * f;
        int from = turned >> f & 1;
        const int32_t triangles[6] = {q[from], q[from + 1], q[from + 2], q[from], q[from + 2], q[(from + 3) % 4]};
        memcpy(out, triangles, sizeof triangles);
        out += 6;
        sizes[2 * f] = sizes[2 * f + 1] = 3;
    }
    abut_polytope_def def = {.vertices = cube.vertices, .vertex_count = 8, .face_sizes = sizes, .face_count = 12, .face_vertices = corners};
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_polytope(&def, NULL, &shape));
    solid_free(&cube);
    return shape;
}

/* A body that comes down with its lowest point `reach` below its frame's origin. */
typedef struct pointed {
    figure figure;
    double reach;
    int32_t count;
} pointed;

static const pointed points[] = {
    {{.kind = FIGURE_SPHERE, .p = 0.25}, 0.25, 1},
    {{.kind = FIGURE_CAPSULE, .p = 0.125, .q = 0.125}, 0.25, 1},
    {{.kind = FIGURE_CONE, .p = 0.25, .q = 1, .r = 8, .turn = {PI, 0, 0}}, 0.75, 1},
    {{.kind = FIGURE_CONE, .p = 0.25, .q = 1, .r = 5, .turn = {0, PI, 0}}, 0.75, 1},
};
static const double gaps[] = {-0x1p-6, -0x1p-20, 0.0, 0x1p-20, 0x1p-6};

static check_answer answer;

static void check_point(tally *t, const check_pair *pair, const pointed *p, double gap) {
    for (int policy = 0; policy < 2; policy++) {
        abut_collide_settings settings = abut_collide_settings_default();
        settings.normal = policy ? ABUT_NORMAL_MINIMUM : ABUT_NORMAL_GROWTH;
        settings.margin = 0x1p-4;
        check_collide(t, pair, &settings, &answer);
        if (answer.count != p->count) {
            tally_fail(t, "number of contacts", "%d, expected %d", (int)answer.count, (int)p->count);
        }
        for (int32_t k = 0; k < answer.count; k++) {
            const abut_contact *c = &answer.contacts[k];
            /* A tip that stands on the seam within rounding error may have the seam's edge as its nearest feature. */
            double turned = gap != 0.0 ? 1e-12 + 1e-15 / fabs(gap) : 1e-9;
            if (!(abut_distance_between(c->normal, up) <= turned) || !(fabs(c->gap - gap) <= 1e-15)) {
                tally_fail(t, "contact on a diagonal", "normal (%.9f, %.9f, %.9f), gap %.17g, expected %.17g", c->normal.x, c->normal.y,
                           c->normal.z, c->gap, gap);
            }
        }
    }
}

/* Points over both diagonals of the upper face, its middle, and places that are on neither. */
static void over_a_diagonal(void **state) {
    (void)state;
    static tally t;
    t = (tally){0};
    for (int turned = 0; turned < 64; turned += 21) { /* no face, faces 0 2 4, faces 1 3 5, all */
        abut_shape *cube = triangulated_cube(turned);
        for (int i = 0; i < 4 * 5 * 49; i++) {
            const pointed *p = &points[i % 4];
            double gap = gaps[i / 4 % 5];
            check_pair pair = {.a = figure_shape(&p->figure, 1.0), .b = cube, .pose_b = abut_pose_identity()};
            pair.pose_a = figure_pose(&p->figure, 1.0);
            pair.pose_a.position = abut_vec3_make(0.25 * (i / 20 % 7 - 3), 0.25 * (i / 140 - 3), 1.0 + p->reach + gap);
            tally_sample(&t, "diagonals %d, point %d at (%g, %g), gap %g", turned, i % 4, pair.pose_a.position.x, pair.pose_a.position.y,
                         gap);
            check_point(&t, &pair, p, gap);
            abut_shape_release(pair.a);
        }
        abut_shape_release(cube);
    }
    tally_end(&t);
}

/* Two right triangles side by side, each a prism: together the slab |x|, |y| <= 1, z from -1 to 0. They share the diagonal's wall. */
static abut_shape *two_prisms(void) {
    static const abut_vec3 corners[2][3] = {{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}}, {{-1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}};
    static const int32_t sizes[5] = {3, 3, 4, 4, 4}, loops[18] = {3, 4, 5, 2, 1, 0, 0, 1, 4, 3, 1, 2, 5, 4, 2, 0, 3, 5};
    abut_part parts[2];
    for (int i = 0; i < 2; i++) {
        abut_vec3 vertices[6];
        for (int k = 0; k < 3; k++) {
            vertices[k] = abut_sub(corners[i][k], up);
            vertices[3 + k] = corners[i][k];
        }
        abut_polytope_def def = {.vertices = vertices, .vertex_count = 6, .face_sizes = sizes, .face_count = 5, .face_vertices = loops};
        abut_shape *prism = NULL;
        assert_ok(abut_shape_create_polytope(&def, NULL, &prism));
        parts[i] = (abut_part){prism, abut_pose_identity()};
    }
    abut_shape *compound = NULL;
    assert_ok(abut_shape_create_compound(parts, 2, &compound));
    abut_shape_release(parts[0].shape);
    abut_shape_release(parts[1].shape);
    return compound;
}

static void over_the_seam_of_two_bodies(void **state) {
    (void)state;
    static tally t;
    t = (tally){0};
    abut_shape *slab = two_prisms();
    for (int i = 0; i < 4 * 5 * 49; i++) {
        const pointed *p = &points[i % 4];
        double gap = gaps[i / 4 % 5];
        check_pair pair = {.a = figure_shape(&p->figure, 1.0), .b = slab, .pose_b = abut_pose_identity()};
        pair.pose_a = figure_pose(&p->figure, 1.0);
        pair.pose_a.position = abut_vec3_make(0.25 * (i / 20 % 7 - 3), 0.25 * (i / 140 - 3), p->reach + gap);
        tally_sample(&t, "point %d at (%g, %g), gap %g", i % 4, pair.pose_a.position.x, pair.pose_a.position.y, gap);
        check_point(&t, &pair, p, gap);
        abut_shape_release(pair.a);
    }
    abut_shape_release(slab);
    tally_end(&t);
}

typedef struct near_case {
    const char *name;
    figure a, b;      /* touching, or with coincident cores */
    abut_vec3 normal; /* when A is moved along it by any small way, either sense */
} near_case;

#define CUBE \
    { .kind = FIGURE_BOX, .p = 0.5, .q = 0.5, .r = 0.5 }

/* Bodies whose closest points, or whose cores' closest points, are at most 1e-9 apart: the difference of the two points is mostly rounding
 * error, but the normal is still that of the features. */
static void normals_across_tiny_gaps(void **state) {
    (void)state;
    static const near_case cases[] = {
        {"face on face", {.kind = FIGURE_BOX, .p = 0.3, .q = 0.2, .r = 0.25, .at = {0.1, 0.2, 0.75}, .turn = {0, 0, 0.3}}, CUBE, {0, 0, 1}},
        {"edge on face",
         {.kind = FIGURE_BOX, .p = 0.3, .q = 0.5, .r = 0.5, .at = {0.1, 0, 0.5 + 0.7071067811865476}, .turn = {PI / 4, 0, 0}},
         CUBE,
         {0, 0, 1}},
        {"apex on face", {.kind = FIGURE_CONE, .p = 0.25, .q = 1, .r = 9, .at = {0.1, 0.2, 1.25}, .turn = {PI, 0, 0}}, CUBE, {0, 0, 1}},
        {"crossed edges",
         {.kind = FIGURE_BOX, .p = 0.5, .q = 0.5, .r = 0.5, .at = {0.1, 0.2, 1.4142135623730951}, .turn = {PI / 4, 0, 0}},
         {.kind = FIGURE_BOX, .p = 0.5, .q = 0.5, .r = 0.5, .turn = {0, PI / 4, 0}},
         {0, 0, 1}},
        {"edges that cross at 0.01",
         {.kind = FIGURE_BOX, .p = 0.5, .q = 0.5, .r = 0.5, .at = {0, 0, 1.4142135623730951}, .turn = {PI / 4, 0, 0.01}},
         {.kind = FIGURE_BOX, .p = 0.5, .q = 0.5, .r = 0.5, .turn = {PI / 4, 0, 0}},
         {0, 0, 0}},
        {"ball's centre on a face", {.kind = FIGURE_SPHERE, .p = 0.25, .at = {0.1, 0.2, 0.5}}, CUBE, {0, 0, 1}},
        {"capsule's axis in a face",
         {.kind = FIGURE_CAPSULE, .p = 0.25, .q = 0.3, .at = {0.1, 0.2, 0.5}, .turn = {PI / 2, 0, 0}},
         CUBE,
         {0, 0, 1}},
        {"capsule's end on a face", {.kind = FIGURE_CAPSULE, .p = 0.25, .q = 0.25, .at = {0.1, 0.2, 0.75}}, CUBE, {0, 0, 1}},
        {"axes that cross",
         {.kind = FIGURE_CAPSULE, .p = 0.25, .q = 0.5, .at = {0.1, 0.2, 0}, .turn = {PI / 2, 0, 0}},
         {.kind = FIGURE_CAPSULE, .p = 0.25, .q = 0.5, .turn = {0, PI / 2, 0}},
         {0, 0, 1}},
        {"balls touching", {.kind = FIGURE_SPHERE, .p = 0.25, .at = {0, 0, 0.75}}, {.kind = FIGURE_SPHERE, .p = 0.5}, {0, 0, 1}},
    };
    static const double ways[] = {0.0, 1e-17, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9};
    enum { WAYS = sizeof ways / sizeof *ways, CASES = sizeof cases / sizeof *cases };
    static tally t;
    t = (tally){0};
    for (int i = 0; i < CASES * WAYS * 8; i++) {
        const near_case *c = &cases[i / (WAYS * 8)];
        double way = (i & 1 ? -1.0 : 1.0) * ways[i / 8 % WAYS];
        bool moved = i & 2;
        abut_pose motion =
            moved ? (abut_pose){{1, -2, 0.5}, abut_quat_about(abut_unit(abut_vec3_make(1, 2, -1)), 1.0)} : abut_pose_identity();
        check_pair pair = {.a = figure_shape(&c->a, 1.0), .b = figure_shape(&c->b, 1.0), .size = 1.0, .weld = 1e-6};
        pair.pose_a = figure_pose(&c->a, 1.0);
        pair.pose_a.position.z += way;
        pair.pose_a = abut_pose_compose(motion, pair.pose_a);
        pair.pose_b = abut_pose_compose(motion, figure_pose(&c->b, 1.0));
        abut_collide_settings settings = abut_collide_settings_default();
        settings.normal = i & 4 ? ABUT_NORMAL_MINIMUM : ABUT_NORMAL_GROWTH;
        settings.margin = 1e-6;
        tally_sample(&t, "%s, moved up by %g%s, policy %d", c->name, way, moved ? ", elsewhere" : "", (int)settings.normal);
        check_collide(&t, &pair, &settings, &answer);
        check_contacts(&t, &pair, &answer, settings.margin, false);
        if (answer.count == 0) {
            tally_fail(&t, "no contact", "within the margin");
            continue;
        }
        abut_vec3 n = answer.contacts[0].normal, expected = abut_quat_rotate(motion.rotation, c->normal);
        if (c->b.kind == FIGURE_CAPSULE && abut_dot(n, expected) < 0.0) {
            expected = abut_neg(expected); /* axes that cross may be separated either way; axes that pass each other, in that direction */
        }
        if (abut_length(c->normal) > 0.0 && !(abut_distance_between(n, expected) <= 1e-9)) {
            tally_fail(&t, "normal", "off by %.3g", abut_distance_between(n, expected));
        }
        abut_shape_release(pair.a);
        abut_shape_release(pair.b);
    }
    tally_end(&t);
}

/* Parallel axes at a distance that is mostly rounding error: the chosen direction is perpendicular to the axes, and the certificate
 * holds. */
static void normals_of_parallel_axes(void **state) {
    (void)state;
    static tally t;
    t = (tally){0};
    random_state random = random_make(random_seed("normals_of_parallel_axes", 191));
    figure bar = {.kind = FIGURE_CAPSULE, .p = 0.25, .q = 0.5};
    abut_shape *shape = figure_shape(&bar, 1.0);
    for (int i = 0; i < 400; i++) {
        double way = random_log_range(&random, 1e-17, 1e-6);
        abut_pose pose = random_pose(&random, 1.0), moved = pose;
        moved.position = abut_add_scaled(pose.position, way, random_direction(&random));
        oracle_body a = figure_oracle(&bar, moved, 1.0), b = figure_oracle(&bar, pose, 1.0);
        check_pair pair = {.a = shape, .b = shape, .pose_a = moved, .pose_b = pose, .oracle_a = &a, .oracle_b = &b, .size = 1.0};
        tally_sample(&t, "sample %d, moved by %.3g", i, way);
        check_collide(&t, &pair, NULL, &answer);
        check_contacts(&t, &pair, &answer, 0.0, false);
        check_certificate(&t, &pair, &answer, 0.0);
        abut_vec3 axis = abut_quat_rotate(pose.rotation, up);
        double lean = answer.count > 0 ? fabs(abut_dot(answer.contacts[0].normal, axis)) : 1.0;
        if (!(lean <= 1e-9)) {
            tally_fail(&t, "normal not square to parallel axes", "%d contacts, lean %.3g", (int)answer.count, lean);
        }
        oracle_free(&a);
        oracle_free(&b);
    }
    abut_shape_release(shape);
    tally_end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(over_a_diagonal),
        cmocka_unit_test(over_the_seam_of_two_bodies),
        cmocka_unit_test(normals_across_tiny_gaps),
        cmocka_unit_test(normals_of_parallel_axes),
    };
    return cmocka_run_group_tests_name("narrow/failures/diagonals_and_differences", tests, NULL, NULL);
}
