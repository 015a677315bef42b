/*
 * abut_shape_cast() with meshes: closed forms of falls, slides and turns; then random motions of all kinds of bodies, of planes and of
 * meshes against the enumeration of all triangles at many moments. None of them shows a touch that was missed, and at the returned fraction
 * the body is within the tolerance. World frame, normals from B into A.
 */
#include <abut/mesh.h>
#include <abut/query.h>
#include <string.h>

#include "support/mesh_sample.h"
#include "support/shapes.h"

static const abut_motion still = {{0, 0, 0}, {0, 0, 0}};

static abut_motion moving(double x, double y, double z) { return (abut_motion){{x, y, z}, {0, 0, 0}}; }

static abut_hit cast(const abut_shape *a, abut_pose pose_a, abut_motion motion_a, const abut_shape *b, abut_pose pose_b,
                     abut_motion motion_b, double tolerance) {
    abut_hit hit;
    memset(&hit, 0x5a, sizeof hit);
    assert_ok(abut_shape_cast(&(abut_pair){a, pose_a, b, pose_b}, motion_a, motion_b, tolerance, &hit));
    return hit;
}

static void check_hit_at(abut_hit hit, double fraction, double slack, abut_vec3 point, abut_vec3 normal, int line) {
    if (!hit.hit || !(fabs(hit.fraction - fraction) <= slack)) {
        fail_msg("line %d: hit %d at %.17g instead of %.17g", line, hit.hit, hit.fraction, fraction);
    }
    assert_vec3_near(hit.normal, normal, 1e-4);
    assert_vec3_near(hit.point, point, 1e-4);
}

#define assert_hit(hit, fraction, slack, point, normal) check_hit_at((hit), (fraction), (slack), (point), (normal), __LINE__)
#define assert_miss(found) assert_false((found).hit)

/* A floor of n by n cells of 1 m about the origin. If `walled`, also a wall on the floor, along y at x = wall, facing -x. Every triangle
 * may have vertices of its own. */
static abut_shape *make_floor(int32_t n, double wall, bool walled, bool torn) {
    enum { MOST = 512 };
    static abut_vec3 vertices[3 * MOST];
    static int32_t triangles[3 * MOST];
    int32_t count = 0, columns = n + 1;
    abut_trimesh_def def = abut_trimesh_def_default();
    for (int32_t i = 0; i < columns * columns; i++) {
        vertices[i] = abut_vec3_make(i % columns - 0.5 * n, i / columns - 0.5 * n, 0.0);
    }
    for (int32_t cell = 0; cell < n * n; cell++) {
        int32_t a = cell / n * columns + cell % n, two[6] = {a, a + 1, a + columns + 1, a, a + columns + 1, a + columns};
        memcpy(&triangles[3 * count], two, sizeof two);
        count += 2;
    }
    def.vertex_count = columns * columns;
    if (walled) {
        const double y = 0.5 * n;
        const abut_vec3 corner[4] = {{wall, -y, 0}, {wall, y, 0}, {wall, y, 3}, {wall, -y, 3}};
        const int32_t v = def.vertex_count, two[6] = {v, v + 2, v + 1, v, v + 3, v + 2};
        memcpy(&vertices[v], corner, sizeof corner);
        memcpy(&triangles[3 * count], two, sizeof two);
        def.vertex_count += 4;
        count += 2;
    }
    if (torn) {
        static abut_vec3 own[3 * MOST];
        for (int32_t i = 0; i < 3 * count; i++) {
            own[i] = vertices[triangles[i]];
        }
        for (int32_t i = 0; i < 3 * count; i++) {
            vertices[i] = own[i];
            triangles[i] = i;
        }
        def.vertex_count = 3 * count;
    }
    def.vertices = vertices;
    def.triangles = triangles;
    def.triangle_count = count;
    abut_shape *mesh = NULL;
    assert_ok(abut_shape_create_trimesh(&def, NULL, &mesh));
    return mesh;
}

/* ---- closed forms ---- */

static void falls(void **state) {
    (void)state;
    abut_shape *mesh = make_floor(6, 2.0, true, false), *ball = NULL, *box = NULL;
    assert_ok(abut_shape_create_sphere(0.5, &ball));
    assert_ok(abut_shape_create_box(abut_vec3_make(0.5, 0.4, 0.3), &box));
    const double tolerance = 1e-9;
    const abut_vec3 up = {0, 0, 1}, back = {-1, 0, 0};
    abut_hit hit = cast(ball, at(0.3, 0.2, 2.5), moving(0, 0, -4), mesh, at(0, 0, 0), still, tolerance);
    assert_hit(hit, 0.5, tolerance, abut_vec3_make(0.3, 0.2, 0), up);
    assert_int_equal(hit.feature_a.kind, ABUT_FEATURE_SMOOTH);
    assert_int_equal(hit.feature_b.kind, ABUT_FEATURE_FACE);
    /* The result is the same over every kind of joint, with the mesh as A, and with the mesh moving. */
    for (int i = 0; i < 16; i++) {
        abut_vec3 over = {0.25 * (i % 4), 0.25 * (i / 4), 0};
        hit = cast(ball, at(over.x, over.y, 2.5), moving(0, 0, -4), mesh, at(0, 0, 0), still, tolerance);
        assert_hit(hit, 0.5, tolerance, over, up);
        hit = cast(mesh, at(0, 0, 0), moving(0, 0, 4), ball, at(over.x, over.y, 2.5), still, tolerance);
        assert_hit(hit, 0.5, tolerance, abut_vec3_make(over.x, over.y, 2.0), abut_neg(up));
    }
    hit = cast(ball, at(0, 0, 1), moving(6, 0, 0), mesh, at(0, 0, 0), still, tolerance);
    assert_hit(hit, 0.25, tolerance, abut_vec3_make(2, 0, 1), back);
    hit = cast(box, at(0, 0, 0.7), moving(4, 0, -4), mesh, at(0, 0, 0), still, tolerance);
    assert_true(hit.hit);
    assert_near(hit.fraction, 0.1, tolerance);
    assert_vec3_near(hit.normal, up, 1e-12);
    assert_near(hit.point.z, 0.0, 1e-12);
    assert_miss(cast(ball, at(0, 0, 1), moving(1.4, 0, -0.4), mesh, at(0, 0, 0), still, tolerance));
    assert_miss(cast(ball, at(0, 0, 1), moving(0, 0, 9), mesh, at(0, 0, 0), still, tolerance));
    assert_true(cast(ball, at(0, 0, 0.4), moving(0, 0, 9), mesh, at(0, 0, 0), still, tolerance).started_inside);
    /* At any speed. */
    for (double speed = 1e1; speed < 1e12; speed *= 10.0) {
        hit = cast(ball, at(0.3, 0.2, 1.5), moving(0, 0, -speed), mesh, at(0, 0, 0), still, 1e-6);
        assert_true(hit.hit);
        assert_near(hit.fraction * speed, 1.0, 1.01e-6);
    }
    abut_shape_release(mesh);
    abut_shape_release(ball);
    abut_shape_release(box);
}

/* One-sided triangles can be crossed from behind; two-sided ones cannot. */
static void from_behind(void **state) {
    (void)state;
    abut_shape *mesh = make_floor(4, 0, false, false), *ball = NULL, *box = NULL, *field = NULL;
    const double heights[4] = {0, 0, 0, 0};
    abut_heightfield_def def = {.heights = heights, .columns = 2, .rows = 2, .spacing_x = 4, .spacing_y = 4, .two_sided = true};
    assert_ok(abut_shape_create_heightfield(&def, &field));
    assert_ok(abut_shape_create_sphere(0.5, &ball));
    assert_ok(abut_shape_create_box(abut_vec3_make(0.5, 0.4, 0.3), &box));
    assert_miss(cast(ball, at(0.3, 0.2, -2), moving(0, 0, 4), mesh, at(0, 0, 0), still, 1e-9));
    assert_miss(cast(box, at(0.3, 0.2, -2), moving(0, 0, 4), mesh, at(0, 0, 0), still, 1e-9));
    assert_miss(cast(ball, at(0.3, 0.2, -0.2), moving(0, 0, 4), mesh, at(0, 0, 0), still, 1e-9)); /* began in it */
    assert_true(cast(box, at(0.3, 0.2, -0.2), moving(0.4, 0.3, 4), mesh, at(0, 0, 0), still, 1e-9).started_inside);
    abut_hit hit = cast(ball, at(0.3, 0.2, -2), moving(0, 0, 4), field, at(0, 0, 0), still, 1e-9);
    assert_hit(hit, 0.375, 1e-9, abut_vec3_make(0.3, 0.2, 0), abut_vec3_make(0, 0, -1));
    abut_shape_release(mesh);
    abut_shape_release(field);
    abut_shape_release(ball);
    abut_shape_release(box);
}

/* A body on a floor can be pushed along it: joints do not stop it, the wall does. */
static void slides(void **state) {
    (void)state;
    abut_shape *shape[4] = {NULL};
    assert_ok(abut_shape_create_sphere(0.5, &shape[0]));
    assert_ok(abut_shape_create_box(abut_vec3_make(0.5, 0.5, 0.5), &shape[1]));
    assert_ok(abut_shape_create_prism(0.5, 0.5, 12, &shape[2]));
    assert_ok(abut_shape_create_capsule(0.5, 0.5, &shape[3]));
    random_state random = random_make(random_seed("slides", 2201));
    for (int torn = 0; torn < 2; torn++) {
        abut_shape *floor = make_floor(12, 0, false, torn), *walled = make_floor(12, 4.0, true, torn);
        for (int i = 0; i < 200; i++) {
            const abut_shape *body = shape[i % 4];
            double height = (i % 4 == 3 ? 1.0 : 0.5) + (i % 3 == 0 ? 0.0 : random_range(&random, 0, 1e-6));
            abut_motion motion = moving(random_range(&random, 2, 4), random_range(&random, -0.5, 0.5), 0);
            abut_pose place = at(random_range(&random, -5, -1), random_range(&random, -2, 2), height);
            place.rotation = abut_quat_about(abut_vec3_make(0, 0, 1), random_range(&random, -3, 3));
            abut_pose frame = {{0, 0, 0}, abut_quat_identity()};
            if (i % 2) { /* the same, anywhere */
                frame = random_pose(&random, 10.0);
                motion.linear = abut_quat_rotate(frame.rotation, motion.linear);
            }
            place = abut_pose_compose(frame, place);
            assert_miss(cast(body, place, motion, floor, frame, still, 1e-6));
            assert_miss(cast(floor, frame, still, body, place, motion, 1e-6));
            abut_hit hit = cast(body, place, (abut_motion){abut_scale(5.0, motion.linear), {0, 0, 0}}, walled, frame, still, 1e-6);
            assert_true(hit.hit);
            assert_false(hit.started_inside);
            assert_vec3_near(hit.normal, abut_quat_rotate(frame.rotation, abut_vec3_make(-1, 0, 0)), 1e-6);
            assert_near(abut_pose_apply_inverse(frame, hit.point).x, 4.0, 1e-9);
        }
        abut_shape_release(floor);
        abut_shape_release(walled);
    }
    for (int i = 0; i < 4; i++) {
        abut_shape_release(shape[i]);
    }
}

/* Bodies that rest on the floor, in it or above it by rounding error or a little more, are pressed down. None goes through: whether it is inside at the start
 * is judged alike everywhere. */
static void pressed_down(void **state) {
    (void)state;
    enum { KINDS = 5 };
    abut_shape *shape[KINDS] = {NULL};
    const double lowest[KINDS] = {0.637, 0.5, 0.5, 1.0, 0.5};
    assert_ok(abut_shape_create_sphere(lowest[0], &shape[0]));
    assert_ok(abut_shape_create_box(abut_vec3_make(0.5, 0.7, lowest[1]), &shape[1]));
    assert_ok(abut_shape_create_prism(0.5, lowest[2], 12, &shape[2]));
    assert_ok(abut_shape_create_capsule(0.5, 0.5, &shape[3]));
    assert_ok(abut_shape_create_cylinder(0.3, lowest[4], &shape[4]));
    random_state random = random_make(random_seed("pressed_down", 2207));
    int32_t samples = random_samples("pressed_down", 200000);
    abut_shape *floor[2] = {make_floor(12, 0, false, false), make_floor(12, 0, false, true)};
    for (int32_t i = 0; i < samples; i++) {
        int32_t kind = random_below(&random, KINDS), torn = random_below(&random, 2);
        double depth = lowest[kind] * random_log_range(&random, 1e-17, 1e-5) * (random_below(&random, 2) ? 1.0 : -1.0);
        abut_pose place = at(random_range(&random, -4, 4), random_range(&random, -4, 4), lowest[kind] - depth), frame = at(0, 0, 0);
        place.rotation = abut_quat_about(abut_vec3_make(0, 0, 1), random_range(&random, -3, 3));
        double fall = random_log_range(&random, 1e-2, 3);
        abut_motion motion = moving(random_range(&random, -0.5, 0.5), random_range(&random, -0.5, 0.5), -fall);
        if (random_below(&random, 2)) { /* the same, anywhere */
            frame = random_pose(&random, 10.0);
            motion.linear = abut_quat_rotate(frame.rotation, motion.linear);
        }
        place = abut_pose_compose(frame, place);
        abut_hit hit = random_below(&random, 2) ? cast(shape[kind], place, motion, floor[torn], frame, still, 0.0)
                                                : cast(floor[torn], frame, still, shape[kind], place, motion, 0.0);
        if (!hit.hit || hit.fraction * fall > fmax(-depth, 0.0) + 2e-6) {
            fail_msg("sample %d: kind %d, depth %.17g: hit %d at %g of %g", (int)i, (int)kind, depth, hit.hit, hit.fraction, fall);
        }
    }
    for (int i = 0; i < KINDS; i++) {
        abut_shape_release(shape[i]);
    }
    abut_shape_release(floor[0]);
    abut_shape_release(floor[1]);
}

/* A bar that turns about its middle hits the floor; a sheet that turns hits a ball. */
static void turns(void **state) {
    (void)state;
    abut_shape *mesh = make_floor(8, 0, false, false), *bar = NULL, *ball = NULL;
    assert_ok(abut_shape_create_capsule(0.1, 1.0, &bar));
    assert_ok(abut_shape_create_sphere(0.5, &ball));
    abut_pose level = at(0, 0, 0.7);
    level.rotation = abut_quat_about(abut_vec3_make(0, 1, 0), 1.5707963267948966);
    double angle = asin(0.6);
    abut_hit hit = cast(bar, level, (abut_motion){{0, 0, 0}, {0, 1.5, 0}}, mesh, at(0, 0, 0), still, 1e-9);
    assert_hit(hit, angle / 1.5, 2e-9, abut_vec3_make(cos(angle), 0, 0), abut_vec3_make(0, 0, 1));
    /* The floor tilts about the y axis until it meets a ball at (-3, 0, 2): 3 sin + 0.5 = 2 cos. */
    angle = atan2(2.0, 3.0) - asin(0.5 / sqrt(13.0));
    hit = cast(ball, at(-3, 0, 2), still, mesh, at(0, 0, 0), (abut_motion){{0, 0, 0}, {0, 1, 0}}, 1e-9);
    assert_hit(hit, angle, 2e-9, abut_vec3_make(-3.0 - 0.5 * sin(angle), 0, 2.0 - 0.5 * cos(angle)),
               abut_vec3_make(sin(angle), 0, cos(angle)));
    abut_shape_release(mesh);
    abut_shape_release(bar);
    abut_shape_release(ball);
}

/* A ball lying on the floor swings up about an axis on the floor, and down on the other side: it is hit where it comes down, not on the way
 * up. */
static void comes_back(void **state) {
    (void)state;
    abut_shape *mesh = make_floor(8, 0, false, false), *ball = NULL, *pendulum = NULL;
    assert_ok(abut_shape_create_sphere(0.5, &ball));
    abut_part part = {ball, at(-2, 0, 0.5)};
    assert_ok(abut_shape_create_compound(&part, 1, &pendulum));
    abut_hit hit = cast(pendulum, at(0.3, 0.2, 0), (abut_motion){{0, 0, 0}, {0, PI, 0}}, mesh, at(0, 0, 0), still, 1e-7);
    assert_false(hit.started_inside);
    assert_hit(hit, 1.0 - 2.0 * atan2(0.5, 2.0) / PI, 1e-6, abut_vec3_make(2.3, 0.2, 0), abut_vec3_make(0, 0, 1));
    assert_miss(cast(pendulum, at(0.3, 0.2, 0), (abut_motion){{0, 0, 0}, {0, 0.8 * PI, 0}}, mesh, at(0, 0, 0), still, 1e-7));
    abut_shape_release(mesh);
    abut_shape_release(ball);
    abut_shape_release(pendulum);
}

/* ---- random motions ---- */

static abut_pose pose_after(abut_pose pose, abut_motion motion, double t) {
    abut_vec3 axis = abut_unit(motion.angular);
    abut_quat turn = abut_quat_about(axis, t * abut_length(motion.angular));
    return (abut_pose){abut_add_scaled(pose.position, t, motion.linear), abut_quat_unit(abut_quat_mul(turn, pose.rotation))};
}

/* A is a convex body, B a mesh. */
typedef struct sample {
    specimen body;
    mesh_sample mesh;
    abut_pose pose, mesh_pose;
    abut_motion motion, mesh_motion;
    double tolerance;
} sample;

static sample random_sample(random_state *random) {
    sample s;
    s.mesh = mesh_sample_random(random, (mesh_sort)random_below(random, MESH_SORTS), random_log_range(random, 0.3, 2.0));
    /* Triangles of a one-sided mesh need a body with a known middle. */
    specimen_kind kind = (specimen_kind)random_below(random, s.mesh.two_sided ? SPECIMEN_KINDS : SPECIMEN_PRISM + 1);
    s.body = specimen_of_kind(random, kind, random_log_range(random, 0.1, 1.0));
    s.pose = random_pose(random, 0.5);
    s.mesh_pose = random_pose(random, 0.5);
    s.mesh_pose.position = abut_add_scaled(s.pose.position, random_range(random, 0.3, 4.0), random_direction(random));
    const abut_vec3 *corner = s.mesh.corner[random_below(random, s.mesh.count)];
    abut_vec3 goal = abut_lerp(abut_lerp(corner[0], corner[1], random_range(random, 0, 1)), corner[2], random_range(random, 0, 1));
    abut_vec3 towards = abut_sub(abut_pose_apply(s.mesh_pose, goal), s.pose.position);
    s.motion = (abut_motion){abut_scale(random_range(random, 0.5, 2.0), towards), {0, 0, 0}};
    s.mesh_motion = (abut_motion){random_vec3(random, -0.2, 0.2), {0, 0, 0}};
    int32_t turning = random_below(random, 4);
    if (turning & 1) {
        s.motion.angular = abut_scale(random_range(random, 0.0, 6.0), random_direction(random));
    }
    if (turning & 2) {
        s.mesh_motion.angular = abut_scale(random_range(random, 0.0, 6.0), random_direction(random));
    }
    if (random_below(random, 6) == 0) {
        s.motion.linear = s.mesh_motion.linear = abut_vec3_make(0, 0, 0);
    }
    s.tolerance = random_log_range(random, 1e-9, 1e-3);
    return s;
}

static void free_sample(sample *s) {
    specimen_free(&s->body);
    mesh_sample_free(&s->mesh);
}

static void describe(tally *t, const sample *s, int i) {
    tally_sample(t, "%d: %s of %.3g, %s of %d and %.3g, way %.3g, turns %.3g and %.3g, tolerance %.3g", i, specimen_name(&s->body),
                 s->body.size, mesh_sample_name(&s->mesh), (int)s->mesh.count, s->mesh.size, abut_length(s->motion.linear),
                 abut_length(s->motion.angular), abut_length(s->mesh_motion.angular), s->tolerance);
}

/* Of one triangle at a fraction: its gap, and the height of the body's middle over it. */
static double distance_after(const sample *s, int32_t triangle, double t, double *height) {
    abut_pose pose = pose_after(s->pose, s->motion, t), mesh_pose = pose_after(s->mesh_pose, s->mesh_motion, t);
    oracle_body body = specimen_oracle(&s->body, pose), flat = mesh_sample_triangle(&s->mesh, triangle, mesh_pose);
    double distance = mesh_sample_distance(&body, &flat);
    const abut_vec3 *c = s->mesh.corner[triangle];
    abut_vec3 normal = abut_unit(abut_cross(abut_sub(c[1], c[0]), abut_sub(c[2], c[0])));
    *height = s->mesh.two_sided ? 1.0 : abut_dot(normal, abut_sub(abut_pose_apply_inverse(mesh_pose, pose.position), c[0]));
    oracle_free(&body);
    oracle_free(&flat);
    return distance;
}

/* No triangle is reached from its front before the hit. Triangles crossed at the start, or approached from behind, do not stop the
 * motion. */
static void check_moments(tally *t, const sample *s, const abut_hit *hit, int moments) {
    double end = hit->hit ? hit->fraction : 1.0, rounding = 1e-12 * (1.0 + abut_length(s->motion.linear));
    for (int32_t k = 0; k < s->mesh.count; k++) {
        double before = 1.0;
        for (int i = 0; i < moments; i++) {
            double height, distance = distance_after(s, k, end * i / moments, &height);
            if (distance < 0.49 * s->tolerance - rounding) {
                if (i > 0 && height > 0.0 && before > 0.0) {
                    tally_fail(t, "a touch was passed by", "triangle %d: distance %.3g at %.6g, end %.6g", (int)k, distance,
                               end * i / moments, end);
                }
                break;
            }
            before = height;
        }
    }
}

static void check_hit(tally *t, const sample *s, const abut_hit *hit) {
    double rounding = 1e-12 * (1.0 + abut_length(s->motion.linear)), found = INFINITY, off = INFINITY;
    abut_pose mesh_pose = pose_after(s->mesh_pose, s->mesh_motion, hit->fraction);
    oracle_body body = specimen_oracle(&s->body, pose_after(s->pose, s->motion, hit->fraction));
    for (int32_t k = 0; k < s->mesh.count; k++) {
        double height, distance = distance_after(s, k, hit->fraction, &height);
        const abut_vec3 *c = s->mesh.corner[k];
        abut_vec3 local = abut_pose_apply_inverse(mesh_pose, hit->point);
        bool here = abut_distance_between(local, oracle_on_triangle(local, c[0], c[1], c[2])) <= rounding;
        if (here && height >= -rounding && distance >= -rounding) { /* of several triangles, the one whose distance the normal gives */
            oracle_body flat = mesh_sample_triangle(&s->mesh, k, mesh_pose);
            double missing = fabs(oracle_gap_along(&body, &flat, hit->normal) - distance);
            found = missing < off ? distance : found;
            off = fmin(off, missing);
            oracle_free(&flat);
        }
    }
    if (!(found <= s->tolerance + rounding) || !(found >= 0.49 * s->tolerance - rounding || hit->fraction == 0.0)) {
        tally_fail(t, "gap at the hit", "%.3g, tolerance %.3g, fraction %.17g", found, s->tolerance, hit->fraction);
    } else if (!(off <= rounding)) {
        tally_fail(t, "gap along the normal", "off by %.3g, distance %.17g", off, found);
    }
    if (!(fabs(abut_length(hit->normal) - 1.0) <= 1e-14) || !(oracle_outside(&body, hit->point) <= s->tolerance + rounding)) {
        tally_fail(t, "point off the body", "%.3g", oracle_outside(&body, hit->point));
    }
    if (!mesh_sample_has(&s->mesh, mesh_pose, hit->feature_b, hit->point, 1e-7)) {
        tally_fail(t, "feature", "kind %d, index %d", (int)hit->feature_b.kind, (int)hit->feature_b.index);
    }
    oracle_free(&body);
}

static void random_motions(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("random_motions", 2202));
    int32_t samples = random_samples("random_motions", 1500), hits = 0, misses = 0, inside = 0, limits = 0;
    int64_t steps = 0;
    for (int i = 0; i < samples; i++) {
        sample s = random_sample(&random);
        abut_hit hit;
        describe(&t, &s, i);
        abut_status status =
            abut_shape_cast(&(abut_pair){s.body.shape, s.pose, s.mesh.shape, s.mesh_pose}, s.motion, s.mesh_motion, s.tolerance, &hit);
        if (status != ABUT_OK) {
            limits++;
            tally_fail(&t, "status", "%s at %.17g", abut_status_name(status), hit.fraction);
        } else if (hit.started_inside) {
            inside++;
        } else {
            *(hit.hit ? &hits : &misses) += 1;
            check_moments(&t, &s, &hit, 40);
            if (hit.hit) {
                check_hit(&t, &s, &hit);
            }
        }
        steps += hit.iterations;
        free_sample(&s);
    }
    print_message("random_motions: %d hits, %d misses, %d inside; %.1f steps each\n", (int)hits, (int)misses, (int)inside,
                  (double)steps / samples);
    assert_true(hits > samples / 4 && misses > samples / 10);
    tally_end(&t);
}

/* ---- the same, represented differently ---- */

static void check_like(tally *t, const char *what, const abut_hit *hit, const abut_hit *expected, double speed, double slack) {
    if (hit->hit != expected->hit || hit->started_inside != expected->started_inside) {
        tally_fail(t, what, "hit %d instead of %d at %.17g", hit->hit, expected->hit, expected->fraction);
    } else if (!(fabs(hit->fraction - expected->fraction) * speed <= slack)) {
        tally_fail(t, what, "fraction %.17g instead of %.17g", hit->fraction, expected->fraction);
    }
}

static abut_motion turned_motion(abut_quat turn, abut_motion motion) {
    return (abut_motion){abut_quat_rotate(turn, motion.linear), abut_quat_rotate(turn, motion.angular)};
}

static void symmetries(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("symmetries", 2203));
    int32_t samples = random_samples("symmetries", 2000);
    for (int i = 0; i < samples; i++) {
        sample s = random_sample(&random);
        s.tolerance = 1e-7;
        describe(&t, &s, i);
        const abut_shape *body = s.body.shape, *mesh = s.mesh.shape;
        abut_hit plain = cast(body, s.pose, s.motion, mesh, s.mesh_pose, s.mesh_motion, s.tolerance), other;
        double speed = abut_distance_between(s.motion.linear, s.mesh_motion.linear) + abut_length(s.motion.angular) * s.body.size +
                       abut_length(s.mesh_motion.angular) * 3.0 * s.mesh.size;
        double slack = 100.0 * s.tolerance; /* as for convex bodies */
        other = cast(mesh, s.mesh_pose, s.mesh_motion, body, s.pose, s.motion, s.tolerance);
        check_like(&t, "swap", &other, &plain, speed, slack);
        abut_pose frame = random_pose(&random, 3.0);
        other = cast(body, abut_pose_compose(frame, s.pose), turned_motion(frame.rotation, s.motion), mesh,
                     abut_pose_compose(frame, s.mesh_pose), turned_motion(frame.rotation, s.mesh_motion), s.tolerance);
        check_like(&t, "rigid motion", &other, &plain, speed, slack);
        abut_pose far = s.pose, far_mesh = s.mesh_pose;
        const abut_vec3 away = {1e5, -2e5, 3e5};
        far.position = abut_add(far.position, away);
        far_mesh.position = abut_add(far_mesh.position, away);
        other = cast(body, far, s.motion, mesh, far_mesh, s.mesh_motion, s.tolerance);
        check_like(&t, "far from the origin", &other, &plain, speed, slack);
        for (int k = 0; k < 2; k++) {
            double f = k ? 1e3 : 1e-3;
            specimen larger = specimen_scaled(&s.body, f);
            mesh_sample large_mesh = mesh_sample_moved(&s.mesh, f, abut_vec3_make(0, 0, 0));
            abut_pose pose = {abut_scale(f, s.pose.position), s.pose.rotation},
                      mesh_pose = {abut_scale(f, s.mesh_pose.position), s.mesh_pose.rotation};
            abut_motion motion = {abut_scale(f, s.motion.linear), s.motion.angular};
            abut_motion mesh_motion = {abut_scale(f, s.mesh_motion.linear), s.mesh_motion.angular};
            other = cast(larger.shape, pose, motion, large_mesh.shape, mesh_pose, mesh_motion, f * s.tolerance);
            check_like(&t, k ? "scale 1e3" : "scale 1e-3", &other, &plain, speed, slack);
            specimen_free(&larger);
            mesh_sample_free(&large_mesh);
        }
        free_sample(&s);
    }
    tally_end(&t);
}

/* ---- planes, meshes, compounds ---- */

/* The lowest vertex of a mesh over a plane that moves, too. */
static void random_planes(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("random_planes", 2204));
    int32_t hits = 0, misses = 0, samples = random_samples("random_planes", 1000);
    for (int i = 0; i < samples; i++) {
        mesh_sample mesh = mesh_sample_random(&random, (mesh_sort)random_below(&random, MESH_SORTS), random_log_range(&random, 0.3, 2.0));
        abut_shape *plane = NULL;
        abut_vec3 local = random_direction(&random);
        double offset = random_range(&random, -2, 2), tolerance = random_log_range(&random, 1e-9, 1e-4);
        assert_ok(abut_shape_create_plane(local, offset, &plane));
        abut_pose pose = random_pose(&random, 3.0), plane_pose = random_pose(&random, 3.0);
        abut_motion motion = {random_vec3(&random, -2, 2),
                              abut_scale(random_range(&random, 0, 3) * (i % 3 != 0), random_direction(&random))};
        abut_motion plane_motion = {random_vec3(&random, -2, 2),
                                    abut_scale(random_range(&random, 0, 2) * (i % 4 != 0), random_direction(&random))};
        abut_hit hit;
        abut_status status =
            i % 2 ? abut_shape_cast(&(abut_pair){mesh.shape, pose, plane, plane_pose}, motion, plane_motion, tolerance, &hit)
                  : abut_shape_cast(&(abut_pair){plane, plane_pose, mesh.shape, pose}, plane_motion, motion, tolerance, &hit);
        tally_sample(&t, "%d: %s, hit %d inside %d at %.6g", i, mesh_sample_name(&mesh), hit.hit, hit.started_inside, hit.fraction);
        if (status != ABUT_OK) {
            tally_fail(&t, "status", "%s", abut_status_name(status));
        }
        *(hit.hit ? &hits : &misses) += 1;
        for (int k = 0; k <= 100 && !(hit.started_inside && k == 100); k++) {
            double moment = hit.fraction * k / 100.0, gap = INFINITY;
            abut_pose place = pose_after(plane_pose, plane_motion, moment), mesh_place = pose_after(pose, motion, moment);
            abut_vec3 outward = abut_quat_rotate(place.rotation, local);
            for (int32_t v = 0; v < 3 * mesh.count; v++) {
                abut_vec3 p = abut_sub(abut_pose_apply(mesh_place, mesh.corner[v / 3][v % 3]), place.position);
                gap = fmin(gap, abut_dot(outward, p) - offset);
            }
            if (hit.started_inside ? k == 0 && gap > 1e-13 : gap < 0.49 * tolerance - 1e-13) {
                tally_fail(&t, "inside, or passed by", "gap %.3g at %.6g", gap, moment);
                break;
            }
            if (hit.hit && !hit.started_inside && k == 100) {
                abut_vec3 normal = i % 2 ? outward : abut_neg(outward);
                if (gap > tolerance + 1e-13 || !(abut_distance_between(normal, hit.normal) <= 1e-12)) {
                    tally_fail(&t, "gap or normal at the hit", "%.3g instead of %.3g", gap, tolerance);
                }
                abut_feature feature = i % 2 ? hit.feature_a : hit.feature_b;
                abut_vec3 point = i % 2 ? abut_add_scaled(hit.point, gap, outward) : hit.point;
                if (!mesh_sample_has(&mesh, mesh_place, feature, point, 1e-9)) {
                    tally_fail(&t, "feature", "kind %d, index %d", (int)feature.kind, (int)feature.index);
                }
            }
        }
        abut_shape_release(plane);
        mesh_sample_free(&mesh);
    }
    print_message("random_planes: %d hits, %d misses\n", (int)hits, (int)misses);
    assert_true(hits > samples / 5 && misses > samples / 5);
    tally_end(&t);
}

/* The middle of the vertices' bounding box, and whether a point is in front of a triangle. */
static abut_vec3 middle_of(const mesh_sample *s) {
    abut_aabb box = {s->corner[0][0], s->corner[0][0]};
    for (int32_t i = 0; i < 3 * s->count; i++) {
        abut_vec3 p = s->corner[i / 3][i % 3];
        box.lower = abut_vec3_make(fmin(box.lower.x, p.x), fmin(box.lower.y, p.y), fmin(box.lower.z, p.z));
        box.upper = abut_vec3_make(fmax(box.upper.x, p.x), fmax(box.upper.y, p.y), fmax(box.upper.z, p.z));
    }
    return abut_lerp(box.lower, box.upper, 0.5);
}

static bool is_front(const mesh_sample *s, abut_pose pose, int32_t triangle, abut_vec3 point) {
    const abut_vec3 *c = s->corner[triangle];
    abut_vec3 normal = abut_cross(abut_sub(c[1], c[0]), abut_sub(c[2], c[0]));
    bool open = !s->two_sided && s->sort != MESH_BALL;
    return !open || abut_dot(normal, abut_sub(abut_pose_apply_inverse(pose, point), c[0])) > 0.0;
}

typedef struct mesh_motion {
    mesh_sample p, q;
    abut_pose pose_p, pose_q;
    abut_motion motion_p, motion_q;
    double tolerance;
} mesh_motion;

/* No two triangles that face each other touch before the hit; returns the least distance of such triangles at the end. */
static double least_of_meshes(tally *t, const mesh_motion *m, double end, int moments) {
    double least = INFINITY, rounding = 1e-12 * (1.0 + abut_length(m->motion_p.linear));
    abut_vec3 middle_p = middle_of(&m->p), middle_q = middle_of(&m->q);
    for (int32_t pair = 0; pair < m->p.count * m->q.count; pair++) {
        int32_t i = pair / m->q.count, k = pair % m->q.count;
        bool before = true, open = true;
        for (int moment = 0; moment <= moments && open; moment++) {
            abut_pose pose_p = pose_after(m->pose_p, m->motion_p, end * moment / moments);
            abut_pose pose_q = pose_after(m->pose_q, m->motion_q, end * moment / moments);
            oracle_body a = mesh_sample_triangle(&m->p, i, pose_p), b = mesh_sample_triangle(&m->q, k, pose_q);
            bool front = is_front(&m->q, pose_q, k, abut_pose_apply(pose_p, middle_p)) &&
                         is_front(&m->p, pose_p, i, abut_pose_apply(pose_q, middle_q));
            double distance = mesh_sample_distance(&a, &b);
            open = distance >= 0.49 * m->tolerance - rounding;
            if (!open && moment > 0 && moment < moments && before && front) {
                tally_fail(t, "passed by", "%d and %d: gap %.3g at %.6g", (int)i, (int)k, distance, end * moment / moments);
            }
            least = moment == moments && (open || front) ? fmin(least, distance) : least;
            before = front;
            oracle_free(&a);
            oracle_free(&b);
        }
    }
    return least;
}

static mesh_motion random_mesh_motion(random_state *random, bool turning) {
    mesh_motion m;
    m.p = mesh_sample_random(random, (mesh_sort)random_below(random, MESH_SORTS), random_log_range(random, 0.3, 1.0));
    m.q = mesh_sample_random(random, (mesh_sort)random_below(random, MESH_SORTS), random_log_range(random, 0.3, 1.0));
    m.pose_p = random_pose(random, 0.5);
    m.pose_q = random_pose(random, 0.5);
    m.pose_q.position = abut_add_scaled(m.pose_p.position, random_range(random, 1.0, 4.0), random_direction(random));
    abut_vec3 goal = abut_pose_apply(m.pose_q, m.q.corner[0][0]), from = abut_pose_apply(m.pose_p, m.p.corner[0][0]);
    m.motion_p = (abut_motion){abut_scale(random_range(random, 0.5, 2.0), abut_sub(goal, from)), {0, 0, 0}};
    m.motion_q = (abut_motion){random_vec3(random, -0.2, 0.2), {0, 0, 0}};
    if (turning) {
        m.motion_p.angular = random_vec3(random, -2, 2);
        m.motion_q.angular = random_vec3(random, -1, 1);
    }
    m.tolerance = random_log_range(random, 1e-8, 1e-3);
    return m;
}

/* The surface of a cube of size 1. Without its lid at +x it has no inside. Bit 0 of a vertex selects its x, bits 1 and 2 its y and z. */
static abut_shape *make_cube(bool lid) {
    static const int32_t triangles[] = {0, 4, 6, 0, 6, 2, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3,
                                        0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 1, 3, 7, 1, 7, 5};
    abut_vec3 vertices[8];
    for (int v = 0; v < 8; v++) {
        vertices[v] = abut_vec3_make(v & 1 ? 0.5 : -0.5, v & 2 ? 0.5 : -0.5, v & 4 ? 0.5 : -0.5);
    }
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 8;
    def.triangles = triangles;
    def.triangle_count = lid ? 12 : 10;
    abut_shape *mesh = NULL;
    assert_ok(abut_shape_create_trimesh(&def, NULL, &mesh));
    return mesh;
}

/* A solid mesh that stands on another mesh and is pressed into it is hit at once, though its lowest triangles lie flat in those below. When it slides or leaves
 * it is not. Also from above: it comes down. */
static void solids_on_meshes(void **state) {
    (void)state;
    abut_shape *solid = make_cube(true), *lower[2] = {make_cube(true), make_cube(false)};
    const abut_vec3 up = {0, 0, 1};
    const abut_pose places[] = {at(0, 0, 1), at(0.11, 0.07, 1), turned(at(0, 0, 1), up, 0.3), turned(at(0.1, 0.2, 1), up, 0.3)};
    for (int i = 0; i < 8; i++) {
        const abut_shape *mesh = lower[i / 4];
        abut_pose on = places[i % 4], above = on, origin = at(0, 0, 0);
        above.position.z += 0.25;
        const abut_motion down = moving(0, 0, -0.5), rises = moving(0, 0, 0.5), slides_off = moving(3, 0, 0);
        abut_hit hit = cast(solid, on, down, mesh, origin, still, 0.0), swapped = cast(mesh, origin, still, solid, on, down, 0.0);
        assert_true(hit.hit && swapped.hit);
        assert_near(hit.fraction, 0.0, 2e-6);
        assert_near(swapped.fraction, 0.0, 2e-6);
        assert_vec3_near(hit.normal, up, 1e-9);
        assert_vec3_near(swapped.normal, abut_neg(up), 1e-9);
        hit = cast(solid, above, down, mesh, origin, still, 0.0);
        assert_near(hit.fraction, 0.5, 4e-6);
        assert_near(hit.point.z, 0.5, 2e-6);
        assert_true(hit.feature_a.index >= 0 && hit.feature_b.index >= 0);
        assert_miss(cast(solid, on, rises, mesh, origin, still, 0.0));
        assert_miss(cast(solid, on, slides_off, mesh, origin, still, 0.0));
    }
    abut_shape_release(solid);
    abut_shape_release(lower[0]);
    abut_shape_release(lower[1]);
}

static void random_meshes(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("random_meshes", 2205));
    int32_t hits = 0, misses = 0, samples = random_samples("random_meshes", 500);
    for (int i = 0; i < samples; i++) {
        mesh_motion m = random_mesh_motion(&random, i % 2);
        double rounding = 1e-12 * (1.0 + abut_length(m.motion_p.linear));
        abut_hit hit, other;
        abut_status status =
            abut_shape_cast(&(abut_pair){m.p.shape, m.pose_p, m.q.shape, m.pose_q}, m.motion_p, m.motion_q, m.tolerance, &hit);
        tally_sample(&t, "%d: %s of %d and %s of %d, tolerance %.3g, hit %d at %.6g", i, mesh_sample_name(&m.p), (int)m.p.count,
                     mesh_sample_name(&m.q), (int)m.q.count, m.tolerance, hit.hit, hit.fraction);
        if (status != ABUT_OK) {
            tally_fail(&t, "status", "%s", abut_status_name(status));
        }
        *(hit.hit ? &hits : &misses) += 1;
        double gap = hit.started_inside ? 0.0 : least_of_meshes(&t, &m, hit.fraction, 20);
        if (hit.hit && gap > m.tolerance + rounding) {
            tally_fail(&t, "gap at the hit", "%.3g", gap);
        }
        bool named = mesh_sample_has(&m.q, pose_after(m.pose_q, m.motion_q, hit.fraction), hit.feature_b, hit.point, 1e-7);
        if (hit.hit && !hit.started_inside && !named) {
            tally_fail(&t, "feature of B", "kind %d, index %d", (int)hit.feature_b.kind, (int)hit.feature_b.index);
        }
        status = abut_shape_cast(&(abut_pair){m.q.shape, m.pose_q, m.p.shape, m.pose_p}, m.motion_q, m.motion_p, m.tolerance, &other);
        if (status == ABUT_OK) {
            double speed = abut_distance_between(m.motion_p.linear, m.motion_q.linear) + 6.0;
            check_like(&t, "swap", &other, &hit, speed, 100.0 * m.tolerance);
        }
        mesh_sample_free(&m.p);
        mesh_sample_free(&m.q);
    }
    print_message("random_meshes: %d hits, %d misses\n", (int)hits, (int)misses);
    assert_true(hits > samples / 5 && misses > samples / 20);
    tally_end(&t);
}

/* A compound's cast is the earliest of those of its parts. */
static void random_compounds(void **state) {
    (void)state;
    enum { PARTS = 4 };
    random_state random = random_make(random_seed("random_compounds", 2206));
    int32_t hits = 0;
    for (int i = 0; i < 200; i++) {
        sample s = random_sample(&random);
        abut_part parts[PARTS];
        abut_shape *whole = NULL, *single[PARTS];
        specimen part[PARTS];
        for (int p = 0; p < PARTS; p++) {
            part[p] = specimen_random(&random, 0.4);
            parts[p] = (abut_part){part[p].shape, random_pose(&random, 0.7)};
            assert_ok(abut_shape_create_compound(&parts[p], 1, &single[p]));
        }
        assert_ok(abut_shape_create_compound(parts, PARTS, &whole));
        abut_hit hit = cast(whole, s.pose, s.motion, s.mesh.shape, s.mesh_pose, s.mesh_motion, 1e-9);
        double first = INFINITY;
        int32_t which = -1;
        for (int32_t p = 0; p < PARTS; p++) {
            abut_hit found = cast(single[p], s.pose, s.motion, s.mesh.shape, s.mesh_pose, s.mesh_motion, 1e-9);
            if (found.hit && found.fraction < first) {
                first = found.fraction;
                which = p;
            }
            abut_shape_release(single[p]);
            specimen_free(&part[p]);
        }
        assert_true(hit.hit == (first <= 1.0));
        if (hit.hit) {
            hits++;
            assert_near(hit.fraction, first, 1e-6);
            assert_true(hit.started_inside || hit.feature_a.part == which || first > 0.0);
        }
        abut_shape_release(whole);
        free_sample(&s);
    }
    print_message("random_compounds: %d hits\n", (int)hits);
    assert_true(hits > 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_back),       cmocka_unit_test(falls),         cmocka_unit_test(from_behind),
        cmocka_unit_test(slides),           cmocka_unit_test(pressed_down),  cmocka_unit_test(turns),
        cmocka_unit_test(random_motions),   cmocka_unit_test(symmetries),    cmocka_unit_test(random_planes),
        cmocka_unit_test(solids_on_meshes), cmocka_unit_test(random_meshes), cmocka_unit_test(random_compounds),
    };
    return cmocka_run_group_tests_name("narrow/mesh_cast", tests, NULL, NULL);
}
