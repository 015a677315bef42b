/* abut_ray_cast(): closed forms; then all convex kinds against a search in long double for the point where the ray enters the shape, which
 * uses no face that is entered or left; rays aimed exactly at vertices, along edges, within faces, tangent to round bodies; compounds; huge
 * and tiny numbers. World frame, normals out of the shape. */
#include <string.h>

#include <abut/query.h>
#include <abut/smooth.h>

#include "support/shapes.h"
#include "support/specimen.h"

static abut_hit cast(const abut_shape *shape, abut_pose pose, abut_vec3 origin, abut_vec3 translation) {
    abut_hit hit;
    memset(&hit, 0x5a, sizeof hit);
    assert_ok(abut_ray_cast(shape, pose, origin, translation, &hit));
    return hit;
}

/* Without a hit, only the fraction has a meaning. */
static void assert_miss(abut_hit hit) {
    assert_false(hit.hit);
    assert_false(hit.started_inside);
    assert_near(hit.fraction, 1.0, 0.0);
    assert_near(abut_length(hit.point) + abut_length(hit.normal), 0.0, 0.0);
    assert_int_equal(hit.feature_a.kind, ABUT_FEATURE_NONE);
    assert_int_equal(hit.feature_b.kind, ABUT_FEATURE_NONE);
    assert_int_equal(hit.iterations, 0);
}

static void assert_hit(abut_hit hit, double fraction, abut_vec3 point, abut_vec3 normal, abut_feature_kind kind, int32_t index) {
    assert_true(hit.hit);
    assert_false(hit.started_inside);
    assert_near(hit.fraction, fraction, 1e-15);
    assert_vec3_near(hit.point, point, 1e-14);
    assert_vec3_near(hit.normal, normal, 1e-14);
    assert_int_equal(hit.feature_a.kind, ABUT_FEATURE_NONE);
    assert_int_equal(hit.feature_b.kind, kind);
    assert_int_equal(hit.feature_b.index, index);
}

static void assert_inside(abut_hit hit, abut_vec3 origin, abut_vec3 along) {
    assert_true(hit.hit && hit.started_inside);
    assert_near(hit.fraction, 0.0, 0.0);
    assert_vec3_near(hit.point, origin, 1e-14);
    assert_vec3_near(hit.normal, abut_neg(along), 1e-15);
    assert_int_equal(hit.feature_b.kind, ABUT_FEATURE_NONE);
}

static const abut_vec3 px = {1, 0, 0}, nx = {-1, 0, 0}, py = {0, 1, 0}, pz = {0, 0, 1}, nz = {0, 0, -1};

/* ---- closed forms ---- */

static void spheres(void **state) {
    (void)state;
    abut_shape *ball = NULL;
    assert_ok(abut_shape_create_sphere(0.5, &ball));
    abut_pose pose = at(1, 2, 3);
    assert_hit(cast(ball, pose, abut_vec3_make(-1, 2, 3), abut_vec3_make(3, 0, 0)), 0.5, abut_vec3_make(0.5, 2, 3), nx, ABUT_FEATURE_SMOOTH,
               0);
    assert_miss(cast(ball, pose, abut_vec3_make(-1, 2, 3), abut_vec3_make(1.4, 0, 0)));
    assert_miss(cast(ball, pose, abut_vec3_make(-1, 2, 3), abut_vec3_make(-3, 0, 0)));
    assert_miss(cast(ball, pose, abut_vec3_make(-1, 2, 3.5 + 1e-12), abut_vec3_make(4, 0, 0)));
    assert_hit(cast(ball, pose, abut_vec3_make(-1, 2, 3), abut_vec3_make(1.5, 0, 0)), 1.0, abut_vec3_make(0.5, 2, 3), nx,
               ABUT_FEATURE_SMOOTH, 0);
    assert_hit(cast(ball, pose, abut_vec3_make(-1, 2, 3.5), abut_vec3_make(4, 0, 0)), 0.5, abut_vec3_make(1, 2, 3.5), pz,
               ABUT_FEATURE_SMOOTH, 0);
    assert_hit(cast(ball, pose, abut_vec3_make(1, 2, 3.5), pz), 0.0, abut_vec3_make(1, 2, 3.5), pz, ABUT_FEATURE_SMOOTH, 0); /* leaving */
    assert_inside(cast(ball, pose, abut_vec3_make(1, 2, 3.4), px), abut_vec3_make(1, 2, 3.4), px);
    assert_inside(cast(ball, pose, abut_vec3_make(1, 2, 3), abut_scale(1e-9, pz)), abut_vec3_make(1, 2, 3), pz);
    abut_shape_release(ball);
}

static void capsules(void **state) {
    (void)state;
    abut_shape *bar = NULL, *short_bar = NULL;
    assert_ok(abut_shape_create_capsule(0.5, 1.0, &bar));
    assert_ok(abut_shape_create_capsule(0.5, 0.0, &short_bar));
    abut_pose o = at(0, 0, 0);
    assert_hit(cast(bar, o, abut_vec3_make(2, 0, 0.5), abut_vec3_make(-3, 0, 0)), 0.5, abut_vec3_make(0.5, 0, 0.5), px, ABUT_FEATURE_SMOOTH,
               2);
    assert_hit(cast(bar, o, abut_vec3_make(0, 0, 3), abut_vec3_make(0, 0, -3)), 0.5, abut_vec3_make(0, 0, 1.5), pz, ABUT_FEATURE_SMOOTH, 1);
    assert_hit(cast(bar, o, abut_vec3_make(0, 0, -3), abut_vec3_make(0, 0, 3)), 0.5, abut_vec3_make(0, 0, -1.5), nz, ABUT_FEATURE_SMOOTH,
               0);
    /* The upper cap, 0.3 off its middle and so 0.4 up. */
    assert_hit(cast(bar, o, abut_vec3_make(0.3, 0, 3.4), abut_vec3_make(0, 0, -4)), 0.5, abut_vec3_make(0.3, 0, 1.4),
               abut_vec3_make(0.6, 0, 0.8), ABUT_FEATURE_SMOOTH, 1);
    /* Along the side, touching it: first at the lower circle, where cap and side meet. */
    abut_hit along = cast(bar, o, abut_vec3_make(0.5, 0, -3), abut_vec3_make(0, 0, 4));
    assert_true(along.hit);
    assert_vec3_near(along.point, abut_vec3_make(0.5, 0, -1), 1e-14);
    assert_vec3_near(along.normal, px, 1e-14);
    assert_miss(cast(bar, o, abut_vec3_make(0.5 + 1e-12, 0, -3), abut_vec3_make(0, 0, 4)));
    assert_miss(cast(bar, o, abut_vec3_make(2, 0, 1.6), abut_vec3_make(-4, 0, 0)));
    assert_inside(cast(bar, o, abut_vec3_make(0.2, 0.1, 1.2), py), abut_vec3_make(0.2, 0.1, 1.2), py);
    assert_hit(cast(short_bar, o, abut_vec3_make(0, 0, 3), abut_vec3_make(0, 0, -5)), 0.5, abut_vec3_make(0, 0, 0.5), pz,
               ABUT_FEATURE_SMOOTH, 0);
    abut_shape_release(bar);
    abut_shape_release(short_bar);
}

static void boxes(void **state) {
    (void)state;
    abut_shape *box = NULL;
    assert_ok(abut_shape_create_box(abut_vec3_make(1, 2, 3), &box));
    abut_pose o = at(0, 0, 0);
    assert_hit(cast(box, o, abut_vec3_make(-3, 0.5, 0.5), abut_vec3_make(4, 0, 0)), 0.5, abut_vec3_make(-1, 0.5, 0.5), nx,
               ABUT_FEATURE_FACE, 0);
    assert_hit(cast(box, o, abut_vec3_make(0, 0, 5), abut_vec3_make(0, 0, -4)), 0.5, abut_vec3_make(0, 0, 3), pz, ABUT_FEATURE_FACE, 5);
    /* Within the plane of the top, and along its edge: entered through the end face. */
    assert_hit(cast(box, o, abut_vec3_make(-3, 0.5, 3), abut_vec3_make(8, 0, 0)), 0.25, abut_vec3_make(-1, 0.5, 3), nx, ABUT_FEATURE_FACE,
               0);
    assert_hit(cast(box, o, abut_vec3_make(-3, 2, 3), abut_vec3_make(8, 0, 0)), 0.25, abut_vec3_make(-1, 2, 3), nx, ABUT_FEATURE_FACE, 0);
    assert_miss(cast(box, o, abut_vec3_make(-3, 2, 3 + 1e-12), abut_vec3_make(8, 0, 0)));
    /* Past an edge and past a vertex, touching them only. */
    abut_hit edge = cast(box, o, abut_vec3_make(-1, 0.5, 5), abut_vec3_make(4, 0, -4));
    assert_true(edge.hit);
    assert_vec3_near(edge.point, abut_vec3_make(1, 0.5, 3), 1e-14);
    assert_vec3_near(edge.normal, pz, 0.0); /* of the faces there, the one that faces the ray */
    abut_hit vertex = cast(box, o, abut_vec3_make(0, 3, 3.5), abut_vec3_make(2, -2, -1));
    assert_true(vertex.hit);
    assert_vec3_near(vertex.point, abut_vec3_make(1, 2, 3), 1e-14);
    /* From the surface: hit at once, also if the ray leaves. */
    assert_hit(cast(box, o, abut_vec3_make(0, 0, 3), pz), 0.0, abut_vec3_make(0, 0, 3), pz, ABUT_FEATURE_FACE, 5);
    assert_hit(cast(box, o, abut_vec3_make(0, 0, 3), nz), 0.0, abut_vec3_make(0, 0, 3), pz, ABUT_FEATURE_FACE, 5);
    assert_inside(cast(box, o, abut_vec3_make(0.5, 1, 2.999), pz), abut_vec3_make(0.5, 1, 2.999), pz);
    assert_miss(cast(box, o, abut_vec3_make(0, 0, 5), pz));
    assert_miss(cast(box, o, abut_vec3_make(0, 0, 5), abut_vec3_make(0, 0, -1.999)));
    abut_shape_release(box);
}

static void planes(void **state) {
    (void)state;
    abut_shape *ground = NULL;
    assert_ok(abut_shape_create_plane(pz, 1.0, &ground));
    assert_hit(cast(ground, at(0, 0, 0), abut_vec3_make(4, 5, 3), abut_vec3_make(0, 4, -4)), 0.5, abut_vec3_make(4, 7, 1), pz,
               ABUT_FEATURE_FACE, 0);
    assert_miss(cast(ground, at(0, 0, 0), abut_vec3_make(4, 5, 3), abut_vec3_make(1e9, 0, 0)));
    assert_miss(cast(ground, at(0, 0, 0), abut_vec3_make(4, 5, 3), abut_vec3_make(0, 0, 1)));
    assert_miss(cast(ground, at(0, 0, 0), abut_vec3_make(4, 5, 3), abut_vec3_make(0, 0, -1.999)));
    assert_hit(cast(ground, at(0, 0, 0), abut_vec3_make(4, 5, 1), px), 0.0, abut_vec3_make(4, 5, 1), pz, ABUT_FEATURE_FACE, 0); /* within */
    assert_inside(cast(ground, at(0, 0, 0), abut_vec3_make(4, 5, 0.9), pz), abut_vec3_make(4, 5, 0.9), pz);
    abut_shape_release(ground);
}

static void compounds(void **state) {
    (void)state;
    abut_shape *box = NULL, *ball = NULL, *row = NULL;
    assert_ok(abut_shape_create_box(abut_vec3_make(0.5, 0.5, 0.5), &box));
    assert_ok(abut_shape_create_sphere(0.5, &ball));
    abut_part parts[3] = {{ball, at(3, 0, 0)}, {box, at(0, 0, 0)}, {box, at(1, 0, 0)}};
    assert_ok(abut_shape_create_compound(parts, 3, &row));
    abut_pose turned = at(0, 0, 10);
    turned.rotation = abut_quat_about(py, -1.5707963267948966); /* x becomes z */
    abut_hit hit = cast(row, turned, abut_vec3_make(0, 0, 20), abut_vec3_make(0, 0, -20));
    assert_hit(hit, 6.5 / 20.0, abut_vec3_make(0, 0, 13.5), pz, ABUT_FEATURE_SMOOTH, 0);
    assert_int_equal(hit.feature_b.part, 0);
    hit = cast(row, turned, abut_vec3_make(5, 0, 11), abut_vec3_make(-10, 0, 0));
    assert_hit(hit, 0.45, abut_vec3_make(0.5, 0, 11), px, ABUT_FEATURE_FACE, 4);
    assert_int_equal(hit.feature_b.part, 2);
    hit = cast(row, turned, abut_vec3_make(0, 0, 11.2), nz); /* inside a part that is not the first on the way */
    assert_inside(hit, abut_vec3_make(0, 0, 11.2), nz);
    assert_int_equal(hit.feature_b.part, 2);
    assert_miss(cast(row, turned, abut_vec3_make(5, 0, 12), abut_vec3_make(-10, 0, 0)));
    abut_shape_release(box);
    abut_shape_release(ball);
    abut_shape_release(row);
}

/* ---- the oracle: how far a point of the ray is outside, in long double ---- */

typedef struct vector {
    long double x, y, z;
} vector;

static vector wide(abut_vec3 v) { return (vector){v.x, v.y, v.z}; }

static long double dot(vector a, vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static vector ray_at(abut_vec3 origin, abut_vec3 translation, long double t) {
    return (vector){origin.x + t * translation.x, origin.y + t * translation.y, origin.z + t * translation.z};
}

static vector minus(vector a, vector b) { return (vector){a.x - b.x, a.y - b.y, a.z - b.z}; }

/* A convex function of the point, zero on the surface: the largest height over a face plane, or the distance from the axis minus the
 * radius. */
static long double outside(const oracle_body *body, vector p) {
    if (body->face_count > 0) {
        long double highest = -INFINITY;
        for (int32_t f = 0; f < body->face_count; f++) {
            vector corner = wide(body->vertices[body->face_vertices[body->face_first[f]]]);
            highest = fmaxl(highest, dot(wide(body->normals[f]), minus(p, corner)));
        }
        return highest;
    }
    vector a = wide(body->vertices[0]), q = minus(p, a);
    if (body->vertex_count > 1) {
        vector along = minus(wide(body->vertices[1]), a);
        long double s = fminl(1.0L, fmaxl(0.0L, dot(q, along) / dot(along, along)));
        q = minus(q, (vector){s * along.x, s * along.y, s * along.z});
    }
    return sqrtl(dot(q, q)) - (long double)body->radius;
}

typedef struct passage {
    double lowest; /* how far outside the ray stays; negative when it goes in */
    double place;  /* where that is, as a fraction */
    double entry;  /* the first fraction at which it is not outside; 2 for none */
} passage;

/* Golden-section search for the minimum of the convex function, and bisection for its first zero. */
static passage follow(const oracle_body *body, abut_vec3 origin, abut_vec3 translation) {
    const long double section = 0.6180339887498948482L;
    long double low = 0.0L, high = 1.0L;
    for (int i = 0; i < 120; i++) {
        long double s = high - section * (high - low), t = low + section * (high - low);
        if (outside(body, ray_at(origin, translation, s)) <= outside(body, ray_at(origin, translation, t))) {
            high = t;
        } else {
            low = s;
        }
    }
    long double place = 0.5L * (low + high);
    long double lowest = outside(body, ray_at(origin, translation, place));
    passage p = {(double)lowest, (double)place, 2.0};
    if (lowest <= 0.0L) {
        low = 0.0L;
        high = place;
        for (int i = 0; i < 120 && outside(body, ray_at(origin, translation, 0.0L)) > 0.0L; i++) {
            long double middle = 0.5L * (low + high);
            *(outside(body, ray_at(origin, translation, middle)) > 0.0L ? &low : &high) = middle;
        }
        p.entry = low == 0.0L ? 0.0 : (double)high;
    }
    return p;
}

/* Checks an answer against the true passage; `rounding`: error of lengths. `aimed`: the ray touches the body by construction. */
static void check_ray(tally *t, const specimen *s, abut_pose pose, abut_vec3 origin, abut_vec3 translation, double rounding, bool aimed) {
    oracle_body body = specimen_oracle(s, pose);
    passage p = follow(&body, origin, translation);
    abut_hit hit = cast(s->shape, pose, origin, translation);
    abut_vec3 along = abut_unit(translation);
    double start = (double)outside(&body, wide(origin));
    if (!hit.hit) {
        if (aimed || p.lowest < -rounding) {
            tally_fail(t, "missed", "lowest %.3g at %.17g", p.lowest, p.place);
        }
    } else if (p.lowest > rounding) {
        tally_fail(t, "false hit", "lowest %.3g at %.17g, fraction %.17g", p.lowest, p.place, hit.fraction);
    } else if (hit.started_inside) {
        if (start > rounding || hit.fraction != 0.0 || abut_distance_between(hit.normal, abut_neg(along)) > 1e-14) {
            tally_fail(t, "not inside", "starts %.3g outside", start);
        }
    } else {
        double height = (double)outside(&body, ray_at(origin, translation, hit.fraction));
        if (start < -rounding) {
            tally_fail(t, "started inside", "by %.3g", -start);
        }
        if (!(fabs(height) <= rounding)) {
            tally_fail(t, "hit off the surface", "by %.3g at %.17g, entry %.17g", height, hit.fraction, p.entry);
        }
        if (hit.fraction > p.place && (double)outside(&body, ray_at(origin, translation, p.place)) < -rounding) {
            tally_fail(t, "hit where it leaves", "%.17g, lowest at %.17g", hit.fraction, p.place);
        }
        /* A steep ray determines the place; a grazing ray does not, nor one that stays within the surface. */
        double length = abut_length(translation), slope = -abut_dot(hit.normal, along);
        if (p.lowest < -100.0 * rounding && slope > 0.0 && !(fabs(hit.fraction - p.entry) * length * slope <= 20.0 * rounding)) {
            tally_fail(t, "fraction", "%.17g instead of %.17g", hit.fraction, p.entry);
        }
        if (!(fabs((double)outside(&body, wide(hit.point))) <= rounding + 4e-16 * abut_length(hit.point))) {
            tally_fail(t, "point off the surface", "by %.3g", (double)outside(&body, wide(hit.point)));
        }
        double support = oracle_support(&body, hit.normal);
        if (!(fabs(abut_length(hit.normal) - 1.0) <= 1e-14) ||
            !(fabs(support - abut_dot(hit.normal, hit.point)) <= 2.0 * rounding + 4e-16 * abut_length(hit.point))) {
            tally_fail(t, "normal does not support the body at the point", "off by %.3g", support - abut_dot(hit.normal, hit.point));
        }
        if (start > rounding && !(slope >= -1e-7)) {
            tally_fail(t, "normal along the ray", "by %.3g", -slope);
        }
    }
    oracle_free(&body);
}

static void describe(tally *t, const specimen *s, int i, abut_vec3 origin, abut_vec3 translation) {
    tally_sample(t, "ray %d at a %s of %.3g, from %.3g, %.3g long", i, specimen_name(s), s->size, abut_length(origin),
                 abut_length(translation));
}

static void random_rays(void **state) {
    (void)state;
    random_state random = random_make(random_seed("random_rays", 541));
    static tally t;
    for (int i = 0; i < 3000; i++) {
        double size = random_log_range(&random, 1e-3, 1e3);
        specimen s = specimen_random(&random, size);
        abut_pose pose = random_pose(&random, size);
        abut_vec3 origin = abut_add_scaled(pose.position, size * random_log_range(&random, 1e-2, 1e2), random_direction(&random));
        abut_vec3 target = abut_add_scaled(pose.position, 0.7 * s.size, random_vec3(&random, -1, 1));
        abut_vec3 translation = abut_scale(random_log_range(&random, 0.3, 1e3), abut_sub(target, origin));
        double reach = abut_distance_between(origin, pose.position) + s.size + abut_length(pose.position);
        describe(&t, &s, i, origin, translation);
        check_ray(&t, &s, pose, origin, translation, 4e-15 * reach + 2e-14 * s.size, false);
        specimen_free(&s);
    }
    tally_end(&t);
}

/* Rays through given points of the surface: vertices, points of edges and of faces. They come from any side, so some enter elsewhere first;
 * some end exactly at the point. */
static void aimed_rays(void **state) {
    (void)state;
    random_state random = random_make(random_seed("aimed_rays", 542));
    static tally t;
    for (int i = 0; i < 3000; i++) {
        specimen s = specimen_of_kind(&random, (specimen_kind)(SPECIMEN_BOX + i % 5), 1.0);
        abut_pose pose = random_pose(&random, 1.0);
        abut_polytope_view view;
        assert_ok(abut_shape_polytope(s.shape, &view));
        int32_t e = random_below(&random, view.edge_count);
        abut_vec3 from = abut_pose_apply(pose, view.vertices[view.edge_vertices[2 * e]]),
                  to = abut_pose_apply(pose, view.vertices[view.edge_vertices[2 * e + 1]]);
        abut_vec3 target = i % 3 == 0 ? from : abut_lerp(from, to, random_range(&random, 0.0, 1.0));
        abut_vec3 origin = abut_add_scaled(target, random_log_range(&random, 0.1, 100.0), random_direction(&random));
        abut_vec3 translation = abut_scale(i % 2 ? 1.0 : 2.0, abut_sub(target, origin));
        describe(&t, &s, i, origin, translation);
        check_ray(&t, &s, pose, origin, translation, 1e-14 * (abut_length(origin) + 3.0), true);
        specimen_free(&s);
    }
    tally_end(&t);
}

/* Rays that run along an edge, beginning before it; and within a face's plane. */
static void rays_within_the_surface(void **state) {
    (void)state;
    random_state random = random_make(random_seed("rays_within_the_surface", 543));
    static tally t;
    for (int i = 0; i < 3000; i++) {
        specimen s = specimen_of_kind(&random, (specimen_kind)(SPECIMEN_BOX + i % 5), 1.0);
        abut_pose pose = random_pose(&random, 1.0);
        abut_polytope_view view;
        assert_ok(abut_shape_polytope(s.shape, &view));
        int32_t f = random_below(&random, view.face_count);
        const int32_t *loop = &view.face_vertices[view.face_first[f]];
        int32_t corners = view.face_first[f + 1] - view.face_first[f], k = 1 + random_below(&random, corners - 1);
        /* Two corners of one face: an edge, or a line across it. */
        abut_vec3 first = abut_pose_apply(pose, view.vertices[loop[0]]), second = abut_pose_apply(pose, view.vertices[loop[k]]);
        double before = random_log_range(&random, 0.1, 10.0);
        abut_vec3 origin = abut_lerp(first, second, -before);
        abut_vec3 translation = abut_scale(before + 2.0, abut_sub(second, first));
        describe(&t, &s, i, origin, translation);
        abut_hit hit = cast(s.shape, pose, origin, translation);
        double rounding = 1e-14 * (abut_length(origin) + 3.0);
        check_ray(&t, &s, pose, origin, translation, rounding, true);
        if (hit.hit &&
            !(abut_distance_between(hit.point, first) * fmax(-abut_dot(hit.normal, abut_unit(translation)), 1e-3) <= 10.0 * rounding)) {
            tally_fail(&t, "enters elsewhere than at the corner", "off by %.3g", abut_distance_between(hit.point, first));
        }
        specimen_free(&s);
    }
    tally_end(&t);
}

static void rays_that_touch_round_bodies(void **state) {
    (void)state;
    random_state random = random_make(random_seed("rays_that_touch_round_bodies", 544));
    static tally t;
    for (int i = 0; i < 3000; i++) {
        specimen s = specimen_of_kind(&random, i % 2 ? SPECIMEN_SPHERE : SPECIMEN_CAPSULE, 1.0);
        abut_pose pose = random_pose(&random, 1.0);
        oracle_body body = specimen_oracle(&s, pose);
        abut_vec3 outward = random_direction(&random), first, second;
        if (i % 4 == 0) {
            outward = abut_unit(abut_cross(outward, abut_quat_rotate(pose.rotation, pz))); /* the side */
        }
        abut_tangent_frame(outward, &first, &second);
        abut_vec3 core = body.vertices[0];
        if (body.vertex_count > 1) {
            double d = abut_dot(outward, abut_sub(body.vertices[1], body.vertices[0]));
            core = fabs(d) < 1e-12 ? abut_lerp(body.vertices[0], body.vertices[1], random_range(&random, 0, 1)) : body.vertices[d > 0.0];
        }
        abut_vec3 touch = abut_add_scaled(core, s.radius, outward);
        double back = random_log_range(&random, 0.01, 10.0);
        abut_vec3 along = abut_add_scaled(abut_scale(cos(0.1 * i), first), sin(0.1 * i), second);
        abut_vec3 origin = abut_add_scaled(touch, -back, along), translation = abut_scale(2.0 * back, along);
        describe(&t, &s, i, origin, translation);
        check_ray(&t, &s, pose, origin, translation, 1e-14 * (back + 3.0), true);
        origin = abut_add_scaled(origin, 1e-11 * (back + 3.0), outward);
        if (cast(s.shape, pose, origin, translation).hit) {
            tally_fail(&t, "false hit", " ");
        }
        oracle_free(&body);
        specimen_free(&s);
    }
    tally_end(&t);
}

/* A million metres from the origin: the ray is evaluated relative to the shape. */
static void far_from_the_origin(void **state) {
    (void)state;
    random_state random = random_make(random_seed("far_from_the_origin", 545));
    const abut_vec3 offset = {1e6, -2e6, 3e6};
    for (int i = 0; i < 1200; i++) {
        specimen s = specimen_random(&random, 1.0);
        abut_pose pose = random_pose(&random, 1.0), far_pose = pose;
        abut_vec3 origin = abut_scale(4.0, random_direction(&random)), target = random_vec3(&random, -0.5, 0.5);
        far_pose.position = abut_add(pose.position, offset);
        abut_vec3 far_origin = abut_add(origin, offset);
        pose.position = abut_sub(far_pose.position, offset); /* exactly what it is out there */
        origin = abut_sub(far_origin, offset);
        abut_vec3 translation = abut_scale(2.0, abut_sub(target, origin));
        abut_hit near = cast(s.shape, pose, origin, translation), far = cast(s.shape, far_pose, far_origin, translation);
        assert_true(near.hit == far.hit);
        assert_near(far.fraction, near.fraction, 0.0);
        assert_vec3_near(far.normal, near.normal, 0.0);
        assert_vec3_near(abut_sub(far.point, offset), near.point, near.hit ? 1e-9 : 1e7);
        specimen_free(&s);
    }
}

/* The nearest hit over all parts, by the oracle. */
static void random_compounds(void **state) {
    (void)state;
    enum { PARTS = 20 };
    random_state random = random_make(random_seed("random_compounds", 546));
    int32_t hits = 0, inside = 0;
    for (int i = 0; i < 300; i++) {
        specimen part[PARTS];
        abut_part parts[PARTS];
        abut_shape *shape = NULL;
        for (int k = 0; k < PARTS; k++) {
            part[k] = specimen_random(&random, 0.5);
            parts[k] = (abut_part){part[k].shape, random_pose(&random, 1.0)};
        }
        assert_ok(abut_shape_create_compound(parts, PARTS, &shape));
        abut_pose pose = random_pose(&random, 2.0);
        for (int r = 0; r < 10; r++) {
            abut_vec3 origin = abut_add_scaled(pose.position, random_range(&random, 0.0, 2.0), random_direction(&random));
            abut_vec3 translation = abut_scale(2.0, abut_sub(abut_add(pose.position, random_vec3(&random, -0.5, 0.5)), origin));
            double first = 2.0;
            int first_part = -1;
            bool within = false;
            for (int k = 0; k < PARTS; k++) {
                oracle_body body = specimen_oracle(&part[k], abut_pose_compose(pose, parts[k].pose));
                double entry = follow(&body, origin, translation).entry;
                within = within || outside(&body, wide(origin)) < 0.0L;
                if (entry < first) {
                    first = entry;
                    first_part = k;
                }
                oracle_free(&body);
            }
            abut_hit hit = cast(shape, pose, origin, translation);
            assert_true(hit.hit == (first_part >= 0));
            assert_true(hit.started_inside == within);
            if (hit.hit) {
                assert_near(hit.fraction, first, 1e-9); /* grazing rays fix it no better */
                assert_true(within || hit.feature_b.part == first_part);
                hits++;
                inside += within;
            }
        }
        abut_shape_release(shape);
        for (int k = 0; k < PARTS; k++) {
            specimen_free(&part[k]);
        }
    }
    print_message("random_compounds: %d of 3000 hits, %d from inside\n", (int)hits, (int)inside);
    assert_true(hits > 1000 && inside > 100);
}

/* Lengths whose squares overflow, and shapes far smaller or larger than 1. */
static void extreme_numbers(void **state) {
    (void)state;
    static const double sizes[] = {1e-50, 1e-3, 1.0, 1e3, 1e50}, lengths[] = {1e-3, 1e3, 1e80, 1e160, 1.5e308};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        double r = sizes[i];
        abut_shape *shape[3] = {NULL, NULL, NULL};
        assert_ok(abut_shape_create_sphere(r, &shape[0]));
        assert_ok(abut_shape_create_capsule(r, r, &shape[1]));
        assert_ok(abut_shape_create_box(abut_vec3_make(r, r, r), &shape[2]));
        for (int k = 0; k < 3; k++) {
            for (size_t j = 0; j < sizeof lengths / sizeof *lengths; j++) {
                double length = lengths[j] * (lengths[j] < 1e100 ? r : 1.0);
                abut_hit hit = cast(shape[k], at(0, 0, 0), abut_vec3_make(-2.0 * r, 0, 0), abut_vec3_make(length, 0, 0));
                assert_true(hit.hit == (length >= r));
                assert_near(hit.fraction, hit.hit ? r / length : 1.0, 4e-15 * r / length);
                assert_vec3_near(hit.normal, hit.hit ? nx : abut_vec3_make(0, 0, 0), 1e-15);
                abut_hit away = cast(shape[k], at(0, 0, 0), abut_vec3_make(0, length, 0), abut_vec3_make(0, length, 0));
                assert_true(away.hit == (length <= r) && away.started_inside == (length < r));
                assert_false(cast(shape[k], at(0, 0, 0), abut_vec3_make(0, 1.5 * r, 0), abut_vec3_make(0, length, 0)).hit);
            }
            abut_shape_release(shape[k]);
        }
    }
}

/* From so far away that squares overflow, and beyond: what leads away hits nothing, and what is aimed along an axis hits. */
static void extreme_distances(void **state) {
    (void)state;
    random_state random = random_make(random_seed("extreme_distances", 547));
    abut_shape *shapes[] = {sphere(0.5),
                            capsule(0.2, 0.4),
                            box(0.3, 0.4, 0.5),
                            prism(0.5, 0.4, 5),
                            cylinder(0.3, 0.5),
                            cone(0.609, 0.8125),
                            cone(0.1, 2.0),
                            truncated(0.5, 0.2, 1.0),
                            NULL,
                            ellipsoid(0.2, 0.3, 0.5)};
    assert_ok(abut_shape_create_superquadric(abut_vec3_make(0.3, 0.4, 0.5), 0.7, 1.2, &shapes[8]));
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        for (int i = 0; i < 500; i++) {
            abut_pose pose = {random_vec3(&random, -4, 4), random_tidy_rotation(&random)};
            double distance = random_log_range(&random, 1e12, 1e308), length = random_log_range(&random, 1e-3, 1e17);
            abut_vec3 way = random_direction(&random), beside = random_vec3(&random, -1, 1);
            double aside = random_below(&random, 2) ? random_log_range(&random, 1e-20, 0.5) : 0.0;
            abut_vec3 away = abut_add_scaled(abut_scale(length, way), aside * length, beside);
            pose.position.z *= random_below(&random, 4) == 0 ? 1e60 : 1.0;
            abut_vec3 origin = abut_add_scaled(pose.position, distance, way);
            assert_miss(cast(shapes[k], pose, origin, away));
            double end = random_below(&random, 2) ? 1.0 : -1.0, from = fmin(distance, 1e9);
            abut_hit hit = cast(shapes[k], at(0, 0, 0), abut_vec3_make(0, 0, end * from), abut_vec3_make(0, 0, -2.0 * end * from));
            assert_true(hit.hit && fabs(hit.fraction - 0.5) <= 2.0 / from);
        }
        abut_shape_release(shapes[k]);
    }
}

/* The surface is within rounding error of the centre, where the gauge has no slope and so gives no normal. */
static void from_the_centre_of_a_very_flat_ellipsoid(void **state) {
    (void)state;
    const abut_vec3 px = {1, 0, 0};
    abut_shape *flat = NULL;
    assert_ok(abut_shape_create_ellipsoid(abut_vec3_make(5.75, 1e-14, 5.75), &flat));
    assert_inside(cast(flat, at(4.75, 4.75, 4.75), abut_vec3_make(4.75, 4.75, 4.75), px), abut_vec3_make(4.75, 4.75, 4.75), px);
    abut_shape_release(flat);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres),
        cmocka_unit_test(capsules),
        cmocka_unit_test(boxes),
        cmocka_unit_test(planes),
        cmocka_unit_test(compounds),
        cmocka_unit_test(random_rays),
        cmocka_unit_test(aimed_rays),
        cmocka_unit_test(rays_within_the_surface),
        cmocka_unit_test(rays_that_touch_round_bodies),
        cmocka_unit_test(far_from_the_origin),
        cmocka_unit_test(random_compounds),
        cmocka_unit_test(extreme_numbers),
        cmocka_unit_test(extreme_distances),
        cmocka_unit_test(from_the_centre_of_a_very_flat_ellipsoid),
    };
    return cmocka_run_group_tests_name("narrow/ray", tests, NULL, NULL);
}
