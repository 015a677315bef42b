/*
 * abut_distance() and abut_overlap() with meshes: closed forms; then random meshes of all sorts with all kinds of bodies against the
 * enumeration of all triangles, and against abut_collide(), which decides what touches. World frame, normals from B into A.
 */
#include <abut/mesh.h>
#include <abut/query.h>
#include <string.h>

#include "support/mesh_sample.h"
#include "support/shapes.h"

static const abut_vec3 up = {0, 0, 1};

static abut_separation distance_of(const abut_shape *a, abut_pose pose_a, const abut_shape *b, abut_pose pose_b) {
    abut_separation s;
    memset(&s, 0x5a, sizeof s);
    assert_ok(abut_distance(&(abut_pair){a, pose_a, b, pose_b}, NULL, NULL, &s));
    return s;
}

static bool overlap_of(const abut_shape *a, abut_pose pose_a, const abut_shape *b, abut_pose pose_b) {
    bool overlap = false;
    assert_ok(abut_overlap(&(abut_pair){a, pose_a, b, pose_b}, NULL, &overlap));
    return overlap;
}

/* ---- closed forms ---- */

/* Two squares that meet at a right angle along the y axis: a floor z = 0 for x from -2 to 0, and a wall x = 0 for z from 0 to 2 that faces
 * the floor. */
static abut_shape *make_corner(bool two_sided) {
    static const abut_vec3 vertices[6] = {{-2, -1, 0}, {0, -1, 0}, {0, 1, 0}, {-2, 1, 0}, {0, -1, 2}, {0, 1, 2}};
    static const int32_t triangles[12] = {0, 1, 2, 0, 2, 3, 1, 4, 5, 1, 5, 2};
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 6;
    def.triangles = triangles;
    def.triangle_count = 4;
    def.two_sided = two_sided;
    abut_shape *mesh = NULL;
    assert_ok(abut_shape_create_trimesh(&def, NULL, &mesh));
    return mesh;
}

static void a_ball_and_a_corner(void **state) {
    (void)state;
    abut_shape *mesh = make_corner(false), *ball = NULL;
    assert_ok(abut_shape_create_sphere(0.5, &ball));
    abut_separation d = distance_of(ball, at(-1.4, 0.2, 1), mesh, at(0, 0, 0)); /* over the floor's triangle 1 */
    assert_near(d.gap, 0.5, 1e-15);
    assert_vec3_near(d.normal, up, 1e-15);
    assert_vec3_near(d.on_a, abut_vec3_make(-1.4, 0.2, 0.5), 1e-15);
    assert_vec3_near(d.on_b, abut_vec3_make(-1.4, 0.2, 0), 1e-15);
    assert_int_equal(d.feature_a.kind, ABUT_FEATURE_SMOOTH);
    assert_int_equal(d.feature_b.kind, ABUT_FEATURE_FACE);
    assert_int_equal(d.feature_b.index, 1);
    d = distance_of(ball, at(-1.4, 0.2, -1), mesh, at(0, 0, 0)); /* from below: a distance has no sides */
    assert_near(d.gap, 0.5, 1e-15);
    assert_vec3_near(d.normal, abut_neg(up), 1e-15);
    d = distance_of(mesh, at(0, 0, 0), ball, at(0.6, 0.3, -0.8)); /* behind the inner edge, which is side 1 of triangle 0 */
    assert_near(d.gap, 0.5, 1e-15);
    assert_vec3_near(d.normal, abut_vec3_make(-0.6, 0, 0.8), 1e-15);
    assert_int_equal(d.feature_a.kind, ABUT_FEATURE_EDGE);
    assert_int_equal(d.feature_a.index, 1);
    d = distance_of(ball, at(0, 1.6, 2.8), mesh, at(0, 0, 0));
    assert_near(d.gap, 0.5, 1e-15);
    assert_int_equal(d.feature_b.kind, ABUT_FEATURE_VERTEX);
    assert_int_equal(d.feature_b.index, 5);
    d = distance_of(ball, at(-0.3, 0.2, 0.45), mesh, at(0, 0, 0)); /* in both; in the wall deeper */
    assert_near(d.gap, -0.2, 1e-15);
    assert_vec3_near(d.normal, abut_vec3_make(-1, 0, 0), 1e-15);
    assert_true(overlap_of(ball, at(-0.3, 0.2, 0.45), mesh, at(0, 0, 0)));
    d = distance_of(ball, at(-1, 0.2, 0.5), mesh, at(0, 0, 0)); /* just touching */
    assert_near(d.gap, 0.0, 0.0);
    assert_vec3_near(d.normal, up, 1e-15);
    abut_shape_release(mesh);
    abut_shape_release(ball);
}

/* A body that crosses a one-sided triangle from behind does not touch it, and its distance is the smallest number above 0. Two-sided
 * triangles have no back. */
static void from_behind(void **state) {
    (void)state;
    abut_shape *mesh = make_corner(false), *sheets = make_corner(true), *ball = NULL, *box = NULL;
    assert_ok(abut_shape_create_sphere(0.5, &ball));
    assert_ok(abut_shape_create_box(abut_vec3_make(0.5, 0.4, 0.3), &box));
    abut_separation d = distance_of(ball, at(-1, 0, -0.25), mesh, at(0, 0, 0));
    assert_true(d.gap > 0.0 && d.gap < 1e-300);
    assert_false(overlap_of(ball, at(-1, 0, -0.25), mesh, at(0, 0, 0)));
    d = distance_of(ball, at(-1, 0, -0.25), sheets, at(0, 0, 0));
    assert_near(d.gap, -0.25, 1e-15);
    assert_vec3_near(d.normal, abut_neg(up), 1e-15);
    d = distance_of(box, at(-1, 0, -0.2), mesh, at(0, 0, 0)); /* a part of it is in front */
    assert_near(d.gap, -0.5, 1e-15);
    assert_vec3_near(d.normal, up, 1e-15);
    d = distance_of(box, at(-1, 0, -0.2), sheets, at(0, 0, 0));
    assert_near(d.gap, -0.1, 1e-15);
    abut_shape_release(mesh);
    abut_shape_release(sheets);
    abut_shape_release(ball);
    abut_shape_release(box);
}

static void a_box_and_a_corner(void **state) {
    (void)state;
    abut_shape *mesh = make_corner(false), *box = NULL;
    assert_ok(abut_shape_create_box(abut_vec3_make(0.5, 0.4, 0.3), &box));
    abut_separation d = distance_of(box, at(-0.7, 0, 0.55), mesh, at(0, 0, 0));
    assert_near(d.gap, 0.2, 1e-15);
    assert_vec3_near(d.normal, abut_vec3_make(-1, 0, 0), 1e-15);
    assert_near(d.on_a.x, -0.2, 1e-15);
    assert_near(d.on_b.x, 0.0, 1e-15);
    d = distance_of(box, at(-0.9, 0, 0.45), mesh, at(0, 0, 0));
    assert_near(d.gap, 0.15, 1e-15);
    assert_vec3_near(d.normal, up, 1e-15);
    d = distance_of(box, at(0.5 + 0.3, 1.4 + 0.4, 2.3), mesh, at(0, 0, 0)); /* vertex to vertex */
    assert_near(d.gap, 0.5, 1e-15);
    assert_int_equal(d.feature_a.kind, ABUT_FEATURE_VERTEX);
    assert_int_equal(d.feature_b.kind, ABUT_FEATURE_VERTEX);
    assert_int_equal(d.feature_b.index, 5);
    abut_shape_release(mesh);
    abut_shape_release(box);
}

static void planes(void **state) {
    (void)state;
    abut_shape *mesh = make_corner(false), *ground = NULL;
    assert_ok(abut_shape_create_plane(up, 1.0, &ground));
    abut_pose tilted = at(3, 4, 4.0);
    tilted.rotation = abut_quat_about(abut_vec3_make(0, 1, 0), 0.5); /* the far edge of the floor rises, the inner edge stays low */
    abut_separation d = distance_of(mesh, tilted, ground, at(0, 0, 0));
    assert_near(d.gap, 3.0, 1e-14);
    assert_vec3_near(d.normal, up, 1e-15);
    assert_near(d.on_a.z, 4.0, 1e-14);
    assert_near(d.on_b.z, 1.0, 1e-14);
    assert_int_equal(d.feature_a.kind, ABUT_FEATURE_VERTEX);
    assert_int_equal(d.feature_a.index, 1);
    assert_false(overlap_of(mesh, tilted, ground, at(0, 0, 0)));
    d = distance_of(ground, at(0, 0, 4), mesh, tilted);
    assert_near(d.gap, -1.0, 1e-14);
    assert_vec3_near(d.normal, abut_neg(up), 1e-15);
    assert_true(overlap_of(ground, at(0, 0, 4), mesh, tilted));
    d = distance_of(mesh, at(0, 0, 1), ground, at(0, 0, 0)); /* its floor on the ground */
    assert_near(d.gap, 0.0, 0.0);
    assert_true(overlap_of(mesh, at(0, 0, 1), ground, at(0, 0, 0)));
    abut_shape_release(mesh);
    abut_shape_release(ground);
}

static void two_corners(void **state) {
    (void)state;
    abut_shape *mesh = make_corner(false);
    abut_separation d = distance_of(mesh, at(0.3, 0.1, 0.4), mesh, at(0, 0, 0)); /* its floor comes through the other's wall */
    assert_true(d.gap <= 0.0);
    assert_true(overlap_of(mesh, at(0.3, 0.1, 0.4), mesh, at(0, 0, 0)));
    d = distance_of(mesh, at(-0.3, 0.1, 0.4), mesh, at(0, 0, 0)); /* inside the corner: walls are the nearer ones */
    assert_near(d.gap, 0.3, 1e-15);
    assert_vec3_near(d.normal, abut_vec3_make(-1, 0, 0), 1e-15);
    assert_false(overlap_of(mesh, at(-0.3, 0.1, 0.4), mesh, at(0, 0, 0)));
    d = distance_of(mesh, at(0, 5, 0), mesh, at(0, 0, 0)); /* side by side */
    assert_near(d.gap, 3.0, 1e-15);
    assert_vec3_near(d.normal, abut_vec3_make(0, 1, 0), 1e-15);
    abut_shape_release(mesh);
}

/* ---- samples ---- */

enum { MOST_PARTS = 3, MOST_CONTACTS = 4096 };

/* A convex body, or a compound. */
typedef struct body_sample {
    specimen part[MOST_PARTS];
    abut_pose place[MOST_PARTS];
    int32_t count;
    abut_shape *shape;
} body_sample;

static abut_shape *compound_of(const body_sample *b) {
    abut_part parts[MOST_PARTS];
    abut_shape *shape = NULL;
    for (int32_t i = 0; i < b->count; i++) {
        parts[i] = (abut_part){b->part[i].shape, b->place[i]};
    }
    assert_ok(abut_shape_create_compound(parts, b->count, &shape));
    return shape;
}

static body_sample random_body(random_state *random, double size) {
    body_sample b = {.count = random_below(random, 5) == 0 ? MOST_PARTS : 1};
    for (int32_t i = 0; i < b.count; i++) {
        b.part[i] = specimen_random(random, b.count > 1 ? 0.4 * size : size);
        b.place[i] = b.count > 1 ? random_pose(random, 0.5 * size) : abut_pose_identity();
    }
    b.shape = b.count > 1 ? compound_of(&b) : (abut_shape *)(uintptr_t)abut_shape_retain(b.part[0].shape);
    return b;
}

static body_sample scaled_body(const body_sample *b, double factor) {
    body_sample s = {.count = b->count};
    for (int32_t i = 0; i < b->count; i++) {
        s.part[i] = specimen_scaled(&b->part[i], factor);
        s.place[i] = b->place[i];
        s.place[i].position = abut_scale(factor, b->place[i].position);
    }
    s.shape = s.count > 1 ? compound_of(&s) : (abut_shape *)(uintptr_t)abut_shape_retain(s.part[0].shape);
    return s;
}

static void free_body(body_sample *b) {
    for (int32_t i = 0; i < b->count; i++) {
        specimen_free(&b->part[i]);
    }
    abut_shape_release(b->shape);
}

typedef struct sample {
    body_sample body;
    mesh_sample mesh;
    abut_pose pose, mesh_pose;
    double size; /* of both together */
} sample;

static sample random_sample(random_state *random, double size) {
    sample s;
    double ratio = random_log_range(random, 0.05, 3.0);
    s.body = random_body(random, size * ratio);
    s.mesh = mesh_sample_random(random, (mesh_sort)random_below(random, MESH_SORTS), size);
    s.mesh_pose = random_pose(random, size);
    s.pose = random_pose(random, size);
    const abut_vec3 *corner = s.mesh.corner[random_below(random, s.mesh.count)];
    abut_vec3 near = abut_lerp(corner[0], corner[1 + random_below(random, 2)], random_range(random, 0.0, 1.0));
    double away = size * (1.0 + ratio) * (random_below(random, 4) ? random_range(random, 0.0, 1.0) : random_range(random, 0.0, 4.0));
    s.pose.position = abut_add_scaled(abut_pose_apply(s.mesh_pose, near), away, random_direction(random));
    s.size = size * (1.0 + ratio);
    return s;
}

static void free_sample(sample *s) {
    free_body(&s->body);
    mesh_sample_free(&s->mesh);
}

static void describe(tally *t, const sample *s, int i) {
    tally_sample(t, "%d: %s of %d parts, %s of %d triangles", i, specimen_name(&s->body.part[0]), (int)s->body.count,
                 mesh_sample_name(&s->mesh), (int)s->mesh.count);
}

static double expected_distance(const sample *s, double *outside_a, abut_vec3 on_a) {
    double least = INFINITY;
    *outside_a = INFINITY;
    for (int32_t i = 0; i < s->body.count; i++) {
        oracle_body body = specimen_oracle(&s->body.part[i], abut_pose_compose(s->pose, s->body.place[i]));
        for (int32_t k = 0; k < s->mesh.count; k++) {
            oracle_body triangle = mesh_sample_triangle(&s->mesh, k, s->mesh_pose);
            least = fmin(least, mesh_sample_distance(&body, &triangle));
            oracle_free(&triangle);
        }
        *outside_a = fmin(*outside_a, fabs(oracle_outside(&body, on_a)));
        oracle_free(&body);
    }
    return least;
}

static double outside_mesh(const sample *s, abut_vec3 p) {
    abut_vec3 local = abut_pose_apply_inverse(s->mesh_pose, p);
    double least = INFINITY;
    for (int32_t k = 0; k < s->mesh.count; k++) {
        const abut_vec3 *c = s->mesh.corner[k];
        least = fmin(least, abut_distance_between(local, oracle_on_triangle(local, c[0], c[1], c[2])));
    }
    return least;
}

static int32_t touching, apart;

static void check_against_all(tally *t, const sample *s) {
    static abut_contact contacts[MOST_CONTACTS];
    int32_t count;
    double outside;
    abut_separation d = distance_of(s->body.shape, s->pose, s->mesh.shape, s->mesh_pose);
    assert_ok(abut_collide(&(abut_pair){s->body.shape, s->pose, s->mesh.shape, s->mesh_pose}, NULL, NULL, contacts, MOST_CONTACTS, &count));
    double expected = expected_distance(s, &outside, d.on_a), deepest = INFINITY, tiny = 1e-12 * s->size;
    for (int32_t i = 0; i < count; i++) {
        deepest = fmin(deepest, contacts[i].gap);
    }
    if ((count > 0) != (d.gap <= 0.0) || (count > 0) != overlap_of(s->body.shape, s->pose, s->mesh.shape, s->mesh_pose)) {
        tally_fail(t, "disagreement", "%d contacts, distance %.17g", (int)count, d.gap);
    }
    if (!(fabs(abut_length(d.normal) - 1.0) <= 1e-14)) {
        tally_fail(t, "normal", "length %.17g", abut_length(d.normal));
    }
    if (count > 0) {
        touching++;
        if (d.gap != fmin(deepest, 0.0)) {
            tally_fail(t, "not the deepest gap", "%.17g, %.17g", d.gap, deepest);
        }
        return;
    }
    apart += expected > 0.0;
    if (!(fabs(d.gap - fmax(expected, 0.0)) <= tiny)) {
        tally_fail(t, "distance", "%.17g instead of %.17g", d.gap, expected);
    }
    if (!(fabs(abut_dot(d.normal, abut_sub(d.on_a, d.on_b)) - d.gap) <= tiny)) {
        tally_fail(t, "distance is not n . (a - b)", "%.17g", d.gap);
    }
    if (!(outside_mesh(s, d.on_b) <= tiny) || (expected > 0.0 && !(outside <= tiny))) {
        tally_fail(t, "witness off its surface", "%.3g, %.3g", outside, outside_mesh(s, d.on_b));
    }
    if (!mesh_sample_has(&s->mesh, s->mesh_pose, d.feature_b, d.on_b, 1e-9 * s->size)) {
        tally_fail(t, "feature", "kind %d, index %d does not have the point", (int)d.feature_b.kind, (int)d.feature_b.index);
    }
}

static void against_all_triangles(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("against_all_triangles", 2101));
    int32_t samples = random_samples("against_all_triangles", 4000);
    for (int i = 0; i < samples; i++) {
        sample s = random_sample(&random, random_log_range(&random, 0.1, 10.0));
        describe(&t, &s, i);
        check_against_all(&t, &s);
        /* The same again slightly apart, or slightly overlapping. */
        abut_separation d = distance_of(s.body.shape, s.pose, s.mesh.shape, s.mesh_pose);
        double gap = random_log_range(&random, 1e-15, 1e-3) * s.size;
        s.pose.position = abut_add_scaled(s.pose.position, (i % 2 ? -gap : gap) - d.gap, d.normal);
        check_against_all(&t, &s);
        free_sample(&s);
    }
    print_message("against_all_triangles: %d touching, %d apart\n", (int)touching, (int)apart);
    assert_true(touching > samples / 4 && apart > samples / 4);
    tally_end(&t);
}

/* ---- the same, represented differently ---- */

static void check_like(tally *t, const char *what, const abut_separation *d, double distance, abut_vec3 normal, double size) {
    if (!(fabs(d->gap - distance) <= 1e-12 * size)) {
        tally_fail(t, what, "distance %.17g instead of %.17g", d->gap, distance);
    }
    /* Two triangles at the same distance may be exchanged. */
    if (distance > 1e-6 * size && !(abut_distance_between(d->normal, normal) <= 1e-7)) {
        tally_fail(t, what, "normal off by %.3g at the distance %.3g", abut_distance_between(d->normal, normal), distance);
    }
}

static void symmetries(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("symmetries", 2102));
    int32_t samples = random_samples("symmetries", 4000);
    for (int i = 0; i < samples; i++) {
        sample s = random_sample(&random, 1.0);
        const abut_shape *body = s.body.shape, *mesh = s.mesh.shape;
        describe(&t, &s, i);
        abut_separation d = distance_of(body, s.pose, mesh, s.mesh_pose);
        if (d.gap <= 1e-9 * s.size) { /* contacts have tests of their own */
            free_sample(&s);
            continue;
        }
        abut_separation other = distance_of(mesh, s.mesh_pose, body, s.pose);
        check_like(&t, "swap", &other, d.gap, abut_neg(d.normal), s.size);
        abut_pose motion = random_pose(&random, 3.0);
        other = distance_of(body, abut_pose_compose(motion, s.pose), mesh, abut_pose_compose(motion, s.mesh_pose));
        check_like(&t, "rigid motion", &other, d.gap, abut_quat_rotate(motion.rotation, d.normal), s.size);
        const double factors[2] = {1e-3, 1e3};
        for (int k = 0; k < 2; k++) {
            double f = factors[k];
            body_sample scaled = scaled_body(&s.body, f);
            mesh_sample larger = mesh_sample_moved(&s.mesh, f, abut_vec3_make(0, 0, 0));
            abut_pose pose = s.pose, mesh_pose = s.mesh_pose;
            pose.position = abut_scale(f, pose.position);
            mesh_pose.position = abut_scale(f, mesh_pose.position);
            other = distance_of(scaled.shape, pose, larger.shape, mesh_pose);
            check_like(&t, k ? "scale 1e3" : "scale 1e-3", &other, f * d.gap, d.normal, f * s.size);
            free_body(&scaled);
            mesh_sample_free(&larger);
        }
        /* 1e5 away in the world, and in the mesh's own frame. */
        const abut_vec3 away = {65536.0, -131072.0, 98304.0};
        abut_pose far = s.pose, far_mesh = s.mesh_pose;
        far.position = abut_add(far.position, away);
        far_mesh.position = abut_add(far_mesh.position, away);
        far.position = abut_sub(far.position, away); /* with the rounding error there */
        far_mesh.position = abut_sub(far_mesh.position, away);
        abut_separation near = distance_of(body, far, mesh, far_mesh);
        far.position = abut_add(far.position, away);
        far_mesh.position = abut_add(far_mesh.position, away);
        other = distance_of(body, far, mesh, far_mesh);
        check_like(&t, "far away", &other, near.gap, near.normal, s.size);
        mesh_sample moved = mesh_sample_moved(&s.mesh, 1.0, away);
        abut_pose there = {abut_sub(s.mesh_pose.position, abut_quat_rotate(s.mesh_pose.rotation, away)), s.mesh_pose.rotation};
        other = distance_of(body, s.pose, moved.shape, there);
        if (!(fabs(other.gap - d.gap) <= 1e-9)) {
            tally_fail(&t, "far away in its own frame", "distance %.17g instead of %.17g", other.gap, d.gap);
        }
        mesh_sample_free(&moved);
        free_sample(&s);
    }
    tally_end(&t);
}

/* ---- planes and meshes ---- */

static void random_planes(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("random_planes", 2103));
    for (int i = 0; i < 2000; i++) {
        mesh_sample mesh = mesh_sample_random(&random, (mesh_sort)random_below(&random, MESH_SORTS), random_log_range(&random, 0.1, 10));
        abut_shape *plane = NULL;
        abut_vec3 outward = random_direction(&random);
        double offset = random_range(&random, -3, 3), lowest = INFINITY, size = 40.0;
        assert_ok(abut_shape_create_plane(outward, offset, &plane));
        abut_pose pose = random_pose(&random, 10.0), plane_pose = random_pose(&random, 3.0);
        abut_vec3 n = abut_quat_rotate(plane_pose.rotation, outward);
        for (int32_t k = 0; k < 3 * mesh.count; k++) {
            abut_vec3 p = abut_sub(abut_pose_apply(pose, mesh.corner[k / 3][k % 3]), plane_pose.position);
            lowest = fmin(lowest, abut_dot(n, p) - offset);
        }
        tally_sample(&t, "%d: %s", i, mesh_sample_name(&mesh));
        abut_separation d = distance_of(mesh.shape, pose, plane, plane_pose), other = distance_of(plane, plane_pose, mesh.shape, pose);
        if (!(fabs(d.gap - lowest) <= 1e-14 * size) || !(abut_distance_between(d.normal, n) <= 1e-14)) {
            tally_fail(&t, "plane", "%.17g instead of %.17g", d.gap, lowest);
        }
        if (!(fabs(other.gap - lowest) <= 1e-14 * size) || !(abut_distance_between(abut_neg(other.normal), n) <= 1e-14)) {
            tally_fail(&t, "plane as A", "%.17g instead of %.17g", other.gap, lowest);
        }
        if (!mesh_sample_has(&mesh, pose, d.feature_a, d.on_a, 1e-12 * size)) {
            tally_fail(&t, "feature", "index %d", (int)d.feature_a.index);
        }
        if (overlap_of(mesh.shape, pose, plane, plane_pose) != (d.gap <= 0.0)) {
            tally_fail(&t, "overlap", "at %.17g", d.gap);
        }
        mesh_sample_free(&mesh);
        abut_shape_release(plane);
    }
    tally_end(&t);
}

/* All pairs of triangles: the least distance, or 0 if two have a common point. */
static double distance_of_all(const mesh_sample *p, abut_pose pose_p, const mesh_sample *q, abut_pose pose_q) {
    double least = INFINITY;
    for (int32_t i = 0; i < p->count; i++) {
        oracle_body a = mesh_sample_triangle(p, i, pose_p);
        for (int32_t k = 0; k < q->count && least > 0.0; k++) {
            oracle_body b = mesh_sample_triangle(q, k, pose_q);
            least = fmin(least, fmax(mesh_sample_distance(&a, &b), 0.0));
            oracle_free(&b);
        }
        oracle_free(&a);
    }
    return least;
}

static void check_two_meshes(tally *t, const abut_shape *a, abut_pose pose_a, const abut_shape *b, abut_pose pose_b, double expected,
                             const abut_separation *d) {
    static abut_contact contacts[MOST_CONTACTS];
    double deepest = INFINITY, tiny = 1e-12 * 10.0;
    int32_t count;
    assert_ok(abut_collide(&(abut_pair){a, pose_a, b, pose_b}, NULL, NULL, contacts, MOST_CONTACTS, &count));
    for (int32_t i = 0; i < count; i++) {
        deepest = fmin(deepest, contacts[i].gap);
    }
    if ((count > 0) != (d->gap <= 0.0) || (count > 0) != overlap_of(a, pose_a, b, pose_b)) {
        tally_fail(t, "disagreement", "%d contacts, distance %.17g", (int)count, d->gap);
    } else if (count > 0 ? d->gap != fmin(deepest, 0.0) : !(fabs(d->gap - expected) <= tiny)) {
        tally_fail(t, "distance", "%.17g, deepest of %d contacts %.17g, surfaces %.17g apart", d->gap, (int)count, deepest, expected);
    }
    if (!(fabs(abut_dot(d->normal, abut_sub(d->on_a, d->on_b)) - d->gap) <= tiny) || !(fabs(abut_length(d->normal) - 1.0) <= 1e-14)) {
        tally_fail(t, "distance is not n . (a - b)", "%.17g", d->gap);
    }
}

static void random_meshes(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("random_meshes", 2104));
    int32_t samples = random_samples("random_meshes", 1000), met = 0;
    for (int i = 0; i < samples; i++) {
        double ratio = random_log_range(&random, 0.2, 2.0), size = 1.0 + ratio;
        mesh_sample p = mesh_sample_random(&random, (mesh_sort)random_below(&random, MESH_SORTS), 1.0);
        mesh_sample q = mesh_sample_random(&random, (mesh_sort)random_below(&random, MESH_SORTS), ratio);
        abut_pose pose_p = random_pose(&random, 2.0), pose_q = random_pose(&random, 2.0);
        double expected = distance_of_all(&p, pose_p, &q, pose_q);
        tally_sample(&t, "%d: %s of %d and %s of %d", i, mesh_sample_name(&p), (int)p.count, mesh_sample_name(&q), (int)q.count);
        abut_separation d = distance_of(p.shape, pose_p, q.shape, pose_q), other = distance_of(q.shape, pose_q, p.shape, pose_p);
        met += expected <= 0.0;
        check_two_meshes(&t, p.shape, pose_p, q.shape, pose_q, expected, &d);
        check_two_meshes(&t, q.shape, pose_q, p.shape, pose_p, expected, &other);
        bool both_apart = d.gap > 0.0 && other.gap > 0.0;
        if (both_apart && expected > 1e-6 && !(abut_distance_between(d.normal, abut_neg(other.normal)) <= 1e-7)) {
            tally_fail(&t, "normal", "off by %.3g at %.3g", abut_distance_between(d.normal, abut_neg(other.normal)), expected);
        }
        bool sided = (!p.two_sided && p.sort != MESH_BALL) || (!q.two_sided && q.sort != MESH_BALL);
        if (!sided && expected <= 0.0 && d.gap > 0.0) {
            tally_fail(&t, "through each other without a contact", "%.17g", d.gap);
        }
        if (d.gap > 0.0 && expected > 0.0 &&
            (!mesh_sample_has(&p, pose_p, d.feature_a, d.on_a, 1e-9) || !mesh_sample_has(&q, pose_q, d.feature_b, d.on_b, 1e-9))) {
            tally_fail(&t, "feature", "%d and %d", (int)d.feature_a.index, (int)d.feature_b.index);
        }
        abut_pose motion = random_pose(&random, 3.0);
        other = distance_of(p.shape, abut_pose_compose(motion, pose_p), q.shape, abut_pose_compose(motion, pose_q));
        if (other.gap > 0.0 && !(fabs(other.gap - expected) <= 1e-12 * (size + 10.0))) {
            tally_fail(&t, "rigid motion", "%.17g instead of %.17g", other.gap, expected);
        }
        mesh_sample_free(&p);
        mesh_sample_free(&q);
    }
    print_message("random_meshes: %d of %d meet\n", (int)met, (int)samples);
    assert_in_range(met, samples / 20, 19 * samples / 20);
    tally_end(&t);
}

/* A vertex, or a point of an edge or inside of a triangle. */
static abut_vec3 some_point(const mesh_sample *s, random_state *random) {
    const abut_vec3 *corner = s->corner[random_below(random, s->count)];
    int kind = random_below(random, 3);
    double x = kind == 0 ? 0.0 : random_range(random, 0.0, 1.0), y = kind < 2 ? 0.0 : random_range(random, 0.0, 1.0) * (1.0 - x);
    return abut_add_scaled(abut_add_scaled(corner[0], x, abut_sub(corner[1], corner[0])), y, abut_sub(corner[2], corner[0]));
}

/* Two meshes with a common point, up to rounding errors: in general directions, or turned alike, so that parts of sheets lie in one plane. Distance, overlap
 * and contacts tell the same. */
static void meshes_with_a_common_point(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("common_point", 2105));
    int32_t samples = random_samples("common_point", 4000), met = 0;
    for (int i = 0; i < samples; i++) {
        mesh_sample p = mesh_sample_random(&random, (mesh_sort)random_below(&random, MESH_SORTS), 1.0);
        bool same = random_below(&random, 4) == 0;
        mesh_sample q = same ? p : mesh_sample_random(&random, (mesh_sort)random_below(&random, MESH_SORTS), 0.5);
        abut_pose pose_p = random_pose(&random, 10.0), pose_q = random_below(&random, 2) ? random_pose(&random, 1.0) : pose_p;
        abut_vec3 on_p = abut_pose_apply(pose_p, some_point(&p, &random)), on_q = abut_pose_apply(pose_q, some_point(&q, &random));
        pose_q.position = abut_add(pose_q.position, abut_sub(on_p, on_q));
        tally_sample(&t, "%d: %s of %d and %s of %d", i, mesh_sample_name(&p), (int)p.count, mesh_sample_name(&q), (int)q.count);
        abut_separation d = distance_of(p.shape, pose_p, q.shape, pose_q);
        met += d.gap <= 0.0;
        check_two_meshes(&t, p.shape, pose_p, q.shape, pose_q, d.gap, &d);
        if (!same) {
            mesh_sample_free(&q);
        }
        mesh_sample_free(&p);
    }
    print_message("common_point: %d of %d meet\n", (int)met, (int)samples);
    tally_end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_and_a_corner), cmocka_unit_test(from_behind),
        cmocka_unit_test(a_box_and_a_corner),  cmocka_unit_test(planes),
        cmocka_unit_test(two_corners),         cmocka_unit_test(against_all_triangles),
        cmocka_unit_test(symmetries),          cmocka_unit_test(random_planes),
        cmocka_unit_test(random_meshes),       cmocka_unit_test(meshes_with_a_common_point),
    };
    return cmocka_run_group_tests_name("narrow/mesh_distance", tests, NULL, NULL);
}
