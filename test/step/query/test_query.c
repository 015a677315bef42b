/* Queries of a world beside asking every body one by one: the same bits, for random worlds that change between the queries. */
#include <abut/abut.h>

#include "support/allocator.h"
#include "support/bodies.h"
#include "support/check.h"
#include "support/facet_body.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"
#include "support/user_surface.h"

enum { PLAIN = 9, KINDS = 13, MOST = 80 }; /* the kinds from PLAIN on are bodies of rounded triangles */

typedef struct scene {
    abut_world *world;
    abut_shape *shapes[KINDS]; /* with references of the scene */
    abut_shape *plane;
    abut_body_id ids[MOST];
    int32_t count, kinds; /* of shapes that are used */
    double scale;
} scene;

static void make_shapes(scene *s) {
    const double k = s->scale;
    const abut_part parts[] = {{NULL, {{0.3 * k, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}}}, {NULL, {{-0.3 * k, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}}}};
    abut_shape *made[] = {sphere(0.4 * k),
                          capsule(0.1 * k, 0.5 * k),
                          box(0.3 * k, 0.4 * k, 0.5 * k),
                          prism(0.3 * k, 0.4 * k, 6),
                          cylinder(0.3 * k, 0.2 * k),
                          cone(0.3 * k, 0.6 * k),
                          ellipsoid(0.2 * k, 0.3 * k, 0.5 * k)};
    for (int i = 0; i < 7; i++) {
        s->shapes[i] = made[i];
    }
    abut_part two[2] = {parts[0], parts[1]};
    two[0].shape = made[0];
    two[1].shape = made[2];
    assert_ok(abut_shape_create_compound(two, 2, &s->shapes[7]));
    const abut_vec3 vertices[] = {{-k, -k, 0.0}, {k, -k, 0.1 * k}, {k, k, -0.1 * k}, {-k, k, 0.2 * k}};
    const int32_t triangles[] = {0, 1, 2, 0, 2, 3};
    s->shapes[8] = meshes_make(vertices, 4, triangles, 2);
    s->plane = plane(abut_vec3_make(0.0, 0.0, 1.0), 0.0);
}

/* A ball of one sphere, an ellipsoid of many, a torus that is flat where it is concave, and a body of spheres that do not continue each other. */
static void make_rounded(scene *s, random_state *r) {
    const double k = s->scale;
    double radii[20];
    facet_body ellipsoid = facet_body_ball(1), torus = facet_body_torus(0.4 * k, 0.15 * k, 7, 5), stone = facet_body_ball(0);
    facet_body_scale(&ellipsoid, abut_vec3_make(0.2 * k, 0.3 * k, 0.5 * k));
    facet_body_scale(&stone, abut_vec3_make(0.3 * k, 0.5 * k, 0.4 * k));
    s->shapes[PLAIN] = facet_body_meshed_ball(0, 0.4 * k);
    s->shapes[PLAIN + 1] = facet_body_shape(&ellipsoid, NULL);
    s->shapes[PLAIN + 2] = facet_body_shape(&torus, NULL);
    for (int i = 0; i < 20; i++) {
        radii[i] = random_below(r, 4) == 0 ? INFINITY : random_log_range(r, 0.1, 10.0) * k;
    }
    s->shapes[PLAIN + 3] = facet_body_shape(&stone, radii);
    facet_body_free(&ellipsoid);
    facet_body_free(&torus);
    facet_body_free(&stone);
    s->kinds = KINDS;
}

static abut_pose place(random_state *r, double reach) {
    return random_below(r, 2) ? random_pose(r, reach) : (abut_pose){random_vec3(r, -reach, reach), random_tidy_rotation(r)};
}

/* The kinds of worlds with rounded triangles. The skins of round shapes have thousands of facets; test/narrow/query/test_facet_cast.c asks them. */
static const int32_t beside_rounded[] = {0, 2, 3, 7, 8, 9, 10, 11, 12};
enum { BESIDE = sizeof beside_rounded / sizeof *beside_rounded };

static void add(scene *s, random_state *r) {
    abut_body_def def = abut_body_def_default();
    bool is_plane = random_below(r, 16) == 0;
    int32_t kind = s->kinds == PLAIN ? random_below(r, PLAIN) : beside_rounded[random_below(r, BESIDE)];
    def.shape = is_plane ? s->plane : s->shapes[kind];
    def.kind = is_plane || kind == 8 ? ABUT_BODY_STATIC : (abut_body_kind)random_below(r, 3);
    def.pose = place(r, 4.0 * s->scale);
    def.pose.position.z -= is_plane ? 4.0 * s->scale : 0.0;
    def.filter.category = UINT64_C(1) << random_below(r, 4);
    def.user = random_next(r);
    def.motion.linear = random_vec3(r, -s->scale, s->scale);
    assert_ok(abut_world_add_body(s->world, &def, &s->ids[s->count++]));
}

/* rounded: with bodies of rounded triangles, and fewer bodies */
static scene make(random_state *r, bool rounded) {
    scene s = {.scale = random_log_range(r, 1e-3, 1e3), .kinds = PLAIN};
    abut_world_def def = abut_world_def_default();
    def.parallel.threads = 1 + random_below(r, 2);
    def.gravity.z *= s.scale;
    assert_ok(abut_world_create(&def, &s.world));
    make_shapes(&s);
    if (rounded) {
        make_rounded(&s, r);
    }
    int32_t count = random_below(r, rounded ? 20 : MOST - 10);
    for (int32_t i = 0; i < count; i++) {
        add(&s, r);
    }
    return s;
}

static void end(scene *s) {
    abut_world_destroy(s->world);
    for (int i = 0; i < s->kinds; i++) {
        abut_shape_release(s->shapes[i]);
    }
    abut_shape_release(s->plane);
}

/* Something that changes which bodies are where. */
static void change(scene *s, random_state *r) {
    int32_t what = random_below(r, 5), at = s->count > 0 ? random_below(r, s->count) : 0;
    if (what == 0 && s->count < MOST) {
        add(s, r);
    } else if (what == 1 && s->count > 0) {
        assert_ok(abut_world_remove_body(s->world, s->ids[at]));
        s->ids[at] = s->ids[--s->count];
    } else if (what == 2 && s->count > 0) {
        assert_ok(abut_world_set_body_pose(s->world, s->ids[at], place(r, 4.0 * s->scale)));
    } else if (what == 3) {
        assert_ok(abut_world_step(s->world, 1.0 / 60.0, NULL));
    }
}

/* ---- the oracle: all bodies in the order of their slots ---- */

typedef struct placed {
    abut_body_id id;
    const abut_shape *shape;
    abut_pose pose;
    uint64_t user, category;
} placed;

static int32_t all(const scene *s, placed *bodies) {
    abut_body_id ids[MOST];
    int32_t count;
    assert_ok(abut_world_body_ids(s->world, ids, MOST, &count));
    for (int32_t i = 0; i < count; i++) {
        abut_body_info info;
        abut_body_state state;
        assert_ok(abut_world_body_info(s->world, ids[i], &info));
        assert_ok(abut_world_body_state(s->world, ids[i], &state));
        bodies[i] = (placed){ids[i], info.shape, state.pose, info.user, info.filter.category};
    }
    return count;
}

static bool even(void *context, abut_body_id body, uint64_t user) {
    (void)body;
    return context == NULL || user % 2 == 0;
}

static bool is_asked(const abut_query_filter *filter, const placed *b) {
    return filter == NULL || ((filter->mask == 0 || (filter->mask & b->category) != 0) &&
                              (filter->accept == NULL || filter->accept(filter->context, b->id, b->user)));
}

static const abut_query_filter *random_filter(random_state *r, abut_query_filter *filter) {
    static int something;
    *filter = (abut_query_filter){.mask = (uint64_t)random_below(r, 16), .accept = random_below(r, 2) ? even : NULL, .context = &something};
    return random_below(r, 2) ? filter : NULL;
}

static bool same_id(abut_body_id a, abut_body_id b) { return a.index == b.index && a.generation == b.generation; }

static void assert_hit(const abut_world_hit *found, const abut_hit *hit, const placed *body) {
    assert_int_equal(found->hit.hit, hit->hit);
    assert_true(found->hit.fraction == hit->fraction);
    assert_memory_equal(&found->hit.point, &hit->point, sizeof hit->point);
    assert_memory_equal(&found->hit.normal, &hit->normal, sizeof hit->normal);
    assert_true(same_id(found->body, body != NULL ? body->id : (abut_body_id){0, 0}));
    assert_true(found->user == (body != NULL ? body->user : 0));
}

static void check_ray(const scene *s, random_state *r, const placed *bodies, int32_t count) {
    abut_query_filter some;
    const abut_query_filter *filter = random_filter(r, &some);
    abut_ray ray = {random_vec3(r, -5.0 * s->scale, 5.0 * s->scale), random_vec3(r, -8.0 * s->scale, 8.0 * s->scale)};
    if (random_below(r, 3) == 0) {
        ray.translation.x = ray.translation.y = 0.0;
    }
    abut_hit best = {.fraction = 1.0}, hit;
    const placed *first = NULL;
    abut_world_hit expected[MOST], found[MOST], one;
    int32_t hits = 0, listed;
    for (int32_t i = 0; i < count; i++) {
        assert_ok(abut_ray_cast(bodies[i].shape, bodies[i].pose, ray.origin, ray.translation, &hit));
        if (!hit.hit || !is_asked(filter, &bodies[i])) {
            continue;
        }
        if (first == NULL || hit.fraction < best.fraction) {
            best = hit;
            first = &bodies[i];
        }
        int32_t at = hits++;
        for (; at > 0 && expected[at - 1].hit.fraction > hit.fraction; at--) {
            expected[at] = expected[at - 1];
        }
        expected[at] = (abut_world_hit){bodies[i].id, bodies[i].user, hit};
    }
    assert_ok(abut_world_ray_cast(s->world, ray, filter, &one));
    assert_hit(&one, &best, first);
    int32_t room = hits > 1 && random_below(r, 2) ? hits - 1 : MOST;
    assert_status(abut_world_ray_cast_all(s->world, ray, filter, found, room, &listed), room < hits ? ABUT_ERROR_CAPACITY : ABUT_OK);
    assert_int_equal(listed, hits);
    for (int32_t i = 0; i < hits && i < room; i++) {
        assert_true(same_id(found[i].body, expected[i].body) && found[i].hit.fraction == expected[i].hit.fraction);
    }
}

/* A shape to ask with: one of the first `plain`, or of those beside rounded triangles. No mesh. */
static const abut_shape *some_shape(const scene *s, random_state *r, int32_t plain) {
    int32_t kind = s->kinds == PLAIN ? random_below(r, plain) : beside_rounded[random_below(r, BESIDE)];
    return s->shapes[kind == 8 ? 0 : kind];
}

static abut_cast random_cast(const scene *s, random_state *r) {
    abut_cast cast = {.shape = some_shape(s, r, 5), .pose = random_pose(r, 5.0 * s->scale)};
    cast.motion.linear = random_vec3(r, -8.0 * s->scale, 8.0 * s->scale);
    cast.motion.angular = random_below(r, 2) ? random_vec3(r, -3.0, 3.0) : abut_vec3_make(0.0, 0.0, 0.0);
    return cast;
}

static void check_cast(const scene *s, random_state *r, const placed *bodies, int32_t count) {
    const abut_motion still = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    abut_query_filter some;
    const abut_query_filter *filter = random_filter(r, &some);
    abut_cast cast = random_cast(s, r);
    abut_hit best = {.fraction = 1.0}, hit;
    const placed *first = NULL;
    abut_world_hit one;
    for (int32_t i = 0; i < count; i++) {
        assert_ok(abut_shape_cast(&(abut_pair){cast.shape, cast.pose, bodies[i].shape, bodies[i].pose}, cast.motion, still, 0.0, &hit));
        if (hit.hit && is_asked(filter, &bodies[i]) && (first == NULL || hit.fraction < best.fraction)) {
            best = hit;
            first = &bodies[i];
        }
    }
    assert_ok(abut_world_shape_cast(s->world, &cast, filter, &one));
    assert_hit(&one, &best, first);
}

static void check_overlap(const scene *s, random_state *r, const placed *bodies, int32_t count) {
    abut_query_filter some;
    const abut_query_filter *filter = random_filter(r, &some);
    const abut_shape *shape = random_below(r, 8) == 0 ? s->plane : some_shape(s, r, 8);
    abut_pose pose = place(r, 4.0 * s->scale);
    abut_body_id found[MOST];
    int32_t listed, expected = 0;
    assert_ok(abut_world_overlap_shape(s->world, shape, pose, filter, found, MOST, &listed));
    for (int32_t i = 0; i < count; i++) {
        bool overlap = false;
        assert_ok(abut_overlap(&(abut_pair){shape, pose, bodies[i].shape, bodies[i].pose}, NULL, &overlap));
        if (overlap && is_asked(filter, &bodies[i])) {
            assert_true(expected < listed && same_id(found[expected], bodies[i].id));
            expected++;
        }
    }
    assert_int_equal(listed, expected);
}

static bool bounds_meet(const placed *b, abut_aabb box) {
    abut_aabb own = abut_shape_bounds(b->shape, b->pose);
    if (abut_shape_kind(b->shape) == ABUT_SHAPE_PLANE) { /* the corners of the box */
        for (int corner = 0; corner < 8; corner++) {
            abut_vec3 p = {corner & 1 ? box.lower.x : box.upper.x, corner & 2 ? box.lower.y : box.upper.y,
                           corner & 4 ? box.lower.z : box.upper.z};
            if (abut_pose_apply_inverse(b->pose, p).z <= 0.0) {
                return true;
            }
        }
        return false;
    }
    return own.lower.x <= box.upper.x && own.upper.x >= box.lower.x && own.lower.y <= box.upper.y && own.upper.y >= box.lower.y &&
           own.lower.z <= box.upper.z && own.upper.z >= box.lower.z;
}

static void check_box(const scene *s, random_state *r, const placed *bodies, int32_t count) {
    abut_vec3 p = random_vec3(r, -5.0 * s->scale, 5.0 * s->scale), q = random_vec3(r, -5.0 * s->scale, 5.0 * s->scale);
    abut_aabb box = {{fmin(p.x, q.x), fmin(p.y, q.y), fmin(p.z, q.z)}, {fmax(p.x, q.x), fmax(p.y, q.y), fmax(p.z, q.z)}};
    abut_body_id found[MOST];
    int32_t listed, expected = 0;
    assert_ok(abut_world_overlap_box(s->world, box, NULL, found, MOST, &listed));
    for (int32_t i = 0; i < count; i++) {
        if (bounds_meet(&bodies[i], box)) {
            assert_true(expected < listed && same_id(found[expected], bodies[i].id));
            expected++;
        }
    }
    assert_int_equal(listed, expected);
}

static void check_closest(const scene *s, random_state *r, const placed *bodies, int32_t count) {
    abut_query_filter some;
    const abut_query_filter *filter = random_filter(r, &some);
    const abut_shape *shape = some_shape(s, r, 8);
    abut_pose pose = place(r, 5.0 * s->scale);
    double farthest = random_below(r, 2) ? INFINITY : random_range(r, -0.5, 2.0) * s->scale;
    abut_world_near near;
    const placed *best = NULL;
    abut_separation least = {.gap = farthest};
    for (int32_t i = 0; i < count; i++) {
        abut_separation at;
        assert_ok(abut_distance(&(abut_pair){shape, pose, bodies[i].shape, bodies[i].pose}, NULL, NULL, &at));
        if (is_asked(filter, &bodies[i]) && (at.gap < least.gap || (best == NULL && at.gap <= least.gap))) {
            best = &bodies[i];
            least = at;
        }
    }
    assert_ok(abut_world_closest(s->world, shape, pose, farthest, filter, &near));
    assert_true(same_id(near.body, best != NULL ? best->id : (abut_body_id){0, 0}));
    if (best != NULL) {
        assert_true(near.separation.gap == least.gap && near.user == best->user);
        assert_memory_equal(&near.separation.on_b, &least.on_b, sizeof least.on_b);
    }
}

static void check_worlds(random_state *r, int32_t runs, int rounds, bool rounded) {
    for (int32_t run = 0; run < runs; run++) {
        scene s = make(r, rounded);
        for (int round = 0; round < rounds; round++) {
            placed bodies[MOST];
            int32_t count = all(&s, bodies);
            check_ray(&s, r, bodies, count);
            check_ray(&s, r, bodies, count);
            check_cast(&s, r, bodies, count);
            check_overlap(&s, r, bodies, count);
            check_box(&s, r, bodies, count);
            check_closest(&s, r, bodies, count);
            change(&s, r);
        }
        end(&s);
    }
}

static void test_random_worlds(void **state) {
    (void)state;
    random_state r = random_make(random_seed("random_worlds", 31));
    check_worlds(&r, random_samples("random_worlds", 2000), 12, false);
}

static void test_worlds_with_rounded_triangles(void **state) {
    (void)state;
    random_state r = random_make(random_seed("rounded_worlds", 34));
    check_worlds(&r, random_samples("rounded_worlds", 100), 4, true);
}

/* ---- balls of rounded triangles beside closed forms of balls; rays see their flat triangles ---- */

typedef struct ball {
    abut_vec3 centre;
    double radius;
    const abut_shape *shape;
    abut_pose pose;
} ball;

/* Where the ray enters a triangle from its front; INFINITY where it does not. */
static double enter_triangle(const ball *b, int32_t index, abut_ray ray) {
    abut_triangle triangle;
    abut_vec3 p[3];
    assert_ok(abut_shape_triangle(b->shape, index, &triangle));
    for (int i = 0; i < 3; i++) {
        p[i] = abut_pose_apply(b->pose, triangle.corner[i]);
    }
    abut_vec3 n = abut_cross(abut_sub(p[1], p[0]), abut_sub(p[2], p[0]));
    double along = abut_dot(n, ray.translation), t = abut_dot(n, abut_sub(p[0], ray.origin)) / along;
    abut_vec3 at = abut_add_scaled(ray.origin, t, ray.translation);
    for (int i = 0; i < 3; i++) {
        if (abut_dot(n, abut_cross(abut_sub(p[(i + 1) % 3], p[i]), abut_sub(at, p[i]))) < 0.0) {
            return INFINITY;
        }
    }
    return along < 0.0 && t >= 0.0 && t <= 1.0 ? t : INFINITY;
}

/* When a ball that moves along a line comes to the gap; INFINITY for never. */
static double time_of_gap(abut_vec3 start, abut_vec3 way, abut_vec3 centre, double distance) {
    abut_vec3 from = abut_sub(start, centre);
    double a = abut_dot(way, way), b = abut_dot(from, way), c = abut_dot(from, from) - distance * distance, d = b * b - a * c;
    double t = d > 0.0 ? (-b - sqrt(d)) / a : INFINITY;
    return t >= 0.0 && t <= 1.0 ? t : INFINITY;
}

static void ask_for_balls(const abut_world *world, random_state *r, const ball *balls, int count, double k) {
    const double radius = 0.3 * k, tolerance = 1e-6 * k;
    abut_vec3 point = random_vec3(r, -4.0 * k, 4.0 * k), way = random_vec3(r, -8.0 * k, 8.0 * k);
    abut_ray ray = {point, way};
    double least = INFINITY, entered = INFINITY, early = INFINITY, late = INFINITY;
    int nearest = -1, overlaps = 0;
    bool is_near_tie = false;
    for (int i = 0; i < count; i++) {
        double gap = abut_distance_between(point, balls[i].centre) - balls[i].radius;
        nearest = gap < least ? i : nearest;
        least = fmin(least, gap);
        overlaps += gap <= radius;
        is_near_tie = is_near_tie || fabs(gap - radius) < 1e-9 * k;
        early = fmin(early, time_of_gap(point, way, balls[i].centre, balls[i].radius + radius + tolerance));
        late = fmin(late, time_of_gap(point, way, balls[i].centre, balls[i].radius + radius - 1e-9 * k));
        for (int32_t t = 0; t < abut_shape_triangle_count(balls[i].shape); t++) {
            entered = fmin(entered, enter_triangle(&balls[i], t, ray));
        }
    }
    if (least < 0.0 || is_near_tie) {
        return;
    }
    abut_world_near near;
    abut_world_hit hit;
    abut_body_id ids[MOST];
    int32_t listed;
    assert_ok(abut_world_closest_to_point(world, point, INFINITY, NULL, &near));
    assert_near(near.separation.gap, least, 1e-9 * k);
    assert_int_equal(near.user, nearest);
    abut_vec3 out = abut_unit(abut_sub(point, balls[nearest].centre));
    assert_vec3_near(near.separation.on_b, abut_add_scaled(balls[nearest].centre, balls[nearest].radius, out), 1e-6 * k);
    abut_shape *asked = sphere(radius);
    assert_ok(abut_world_overlap_shape(world, asked, (abut_pose){point, {0, 0, 0, 1}}, NULL, ids, MOST, &listed));
    assert_int_equal(listed, overlaps);
    assert_ok(abut_world_ray_cast(world, ray, NULL, &hit));
    assert_int_equal(hit.hit.hit, entered < INFINITY);
    assert_true(entered == INFINITY || fabs(hit.hit.fraction - entered) < 1e-9);
    if (overlaps == 0) {
        abut_cast cast = {.shape = asked, .pose = {point, random_rotation(r)}, .motion.linear = way, .tolerance = tolerance};
        assert_ok(abut_world_shape_cast(world, &cast, NULL, &hit));
        assert_true(late == INFINITY || hit.hit.hit);
        assert_true(!hit.hit.hit || (hit.hit.fraction >= early - 1e-9 && hit.hit.fraction <= late));
    }
    abut_shape_release(asked);
}

static void test_meshed_balls_have_the_answers_of_balls(void **state) {
    (void)state;
    enum { COUNT = 12 };
    random_state r = random_make(random_seed("meshed_balls", 35));
    int32_t runs = random_samples("meshed_balls", 800);
    for (int32_t run = 0; run < runs; run++) {
        const double k = random_log_range(&r, 1e-3, 1e3);
        abut_world *world;
        ball balls[COUNT];
        assert_ok(abut_world_create(NULL, &world));
        for (int i = 0; i < COUNT; i++) {
            double radius = random_range(&r, 0.2, 0.8) * k;
            abut_body_def def = abut_body_def_default();
            abut_body_id id;
            abut_shape *shape = facet_body_meshed_ball(random_below(&r, 3), radius);
            def.kind = ABUT_BODY_STATIC;
            def.shape = shape;
            def.pose = random_pose(&r, 4.0 * k);
            def.user = (uint64_t)i;
            balls[i] = (ball){def.pose.position, radius, shape, def.pose};
            assert_ok(abut_world_add_body(world, &def, &id));
            abut_shape_release(shape);
        }
        for (int ask = 0; ask < 10; ask++) {
            ask_for_balls(world, &r, balls, COUNT, k);
        }
        abut_world_destroy(world);
    }
}

/* Many questions at once have the answers of single ones, on any number of threads. */
static void test_batches(void **state) {
    (void)state;
    enum { COUNT = 300 };
    random_state r = random_make(random_seed("batches", 32));
    for (int run = 0; run < 4; run++) {
        scene s = make(&r, run == 3);
        static abut_ray rays[COUNT];
        static abut_cast casts[COUNT];
        static abut_world_hit hits[COUNT], moved[COUNT];
        for (int i = 0; i < COUNT; i++) {
            rays[i] = (abut_ray){random_vec3(&r, -5.0 * s.scale, 5.0 * s.scale), random_vec3(&r, -8.0 * s.scale, 8.0 * s.scale)};
            casts[i] = random_cast(&s, &r);
        }
        assert_ok(abut_world_ray_cast_batch(s.world, rays, COUNT, NULL, hits));
        assert_ok(abut_world_shape_cast_batch(s.world, casts, COUNT, NULL, moved));
        for (int i = 0; i < COUNT; i++) {
            abut_world_hit one;
            assert_ok(abut_world_ray_cast(s.world, rays[i], NULL, &one));
            assert_true(same_id(one.body, hits[i].body) && one.hit.fraction == hits[i].hit.fraction);
            assert_ok(abut_world_shape_cast(s.world, &casts[i], NULL, &one));
            assert_true(same_id(one.body, moved[i].body) && one.hit.fraction == moved[i].hit.fraction);
        }
        rays[7].translation = abut_vec3_make(0.0, 0.0, 0.0);
        rays[9].origin.x = NAN;
        assert_status(abut_world_ray_cast_batch(s.world, rays, COUNT, NULL, hits), ABUT_ERROR_INVALID_ARGUMENT);
        end(&s);
    }
}

/* Points by closed forms, outside and inside. */
static void test_points(void **state) {
    (void)state;
    abut_world *world;
    abut_world_near near;
    assert_ok(abut_world_create(NULL, &world));
    assert_ok(abut_world_closest_to_point(world, abut_vec3_make(0.0, 0.0, 0.0), INFINITY, NULL, &near));
    assert_int_equal(near.body.index, 0);
    put(world, ABUT_BODY_STATIC, sphere(1.0), at(3.0, 0.0, 0.0));
    put(world, ABUT_BODY_STATIC, box(1.0, 1.0, 1.0), at(-4.0, 0.0, 0.0));
    assert_ok(abut_world_closest_to_point(world, abut_vec3_make(0.0, 0.0, 0.0), INFINITY, NULL, &near));
    assert_int_equal(near.body.index, 1);
    assert_near(near.separation.gap, 2.0, 1e-15);
    assert_vec3_near(near.separation.on_b, abut_vec3_make(2.0, 0.0, 0.0), 1e-15);
    assert_ok(abut_world_closest_to_point(world, abut_vec3_make(-4.0, 0.0, 0.75), INFINITY, NULL, &near));
    assert_int_equal(near.body.index, 2);
    assert_near(near.separation.gap, -0.25, 1e-15);
    assert_ok(abut_world_closest_to_point(world, abut_vec3_make(0.0, 0.0, 0.0), 1.5, NULL, &near));
    assert_int_equal(near.body.index, 0);
    abut_world_destroy(world);
}

/* A body that cannot be asked, because it is too thin for a mesh, fails the query where it may lie before the first hit, and only there. */
static void test_bodies_that_cannot_be_asked(void **state) {
    (void)state;
    abut_world *world;
    abut_world_hit hit, hits[4];
    abut_world_near near;
    user_torus of = {2.0, 0.03};
    abut_implicit_def def = user_torus_implicit(&of);
    abut_shape *torus;
    int32_t count = -1;
    assert_ok(abut_shape_create_implicit(&def, &torus));
    assert_ok(abut_world_create(NULL, &world));
    put(world, ABUT_BODY_STATIC, sphere(1.0), at(0.0, 0.0, 0.0));
    put(world, ABUT_BODY_STATIC, torus, at(6.0, 0.0, 0.0));
    const abut_ray through = {{-5.0, 0.0, 0.0}, {20.0, 0.0, 0.0}}, behind = {{2.0, 0.0, 0.0}, {20.0, 0.0, 0.0}},
                   above = {{0.0, 0.0, 9.0}, {9.0, 0.0, 0.0}};
    assert_ok(abut_world_ray_cast(world, through, NULL, &hit));
    assert_int_equal(hit.body.index, 1);
    assert_status(abut_world_ray_cast(world, behind, NULL, &hit), ABUT_ERROR_NOT_CONVEX);
    assert_status(abut_world_ray_cast_all(world, through, NULL, hits, 4, &count), ABUT_ERROR_NOT_CONVEX);
    assert_int_equal(count, -1);
    assert_ok(abut_world_ray_cast(world, above, NULL, &hit));
    assert_false(hit.hit.hit);
    assert_ok(abut_world_closest_to_point(world, abut_vec3_make(-3.0, 0.0, 0.0), INFINITY, NULL, &near));
    assert_status(abut_world_closest_to_point(world, abut_vec3_make(6.0, 0.0, 5.0), INFINITY, NULL, &near), ABUT_ERROR_UNSUPPORTED_PAIR);
    abut_world_destroy(world);
}

static void test_refused_arguments(void **state) {
    (void)state;
    abut_world *world;
    abut_world_hit hit;
    abut_world_near near;
    abut_body_id ids[1];
    int32_t count;
    abut_shape *ball = sphere(1.0);
    assert_ok(abut_world_create(NULL, &world));
    const abut_ray ray = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}}, none = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}},
                   nan = {{NAN, 0.0, 0.0}, {1.0, 0.0, 0.0}}, huge = {{0.0, 0.0, 0.0}, {1.7e308, 1.7e308, 0.0}};
    assert_status(abut_world_ray_cast(NULL, ray, NULL, &hit), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_ray_cast(world, ray, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_ray_cast(world, none, NULL, &hit), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_ray_cast(world, nan, NULL, &hit), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_world_ray_cast(world, huge, NULL, &hit), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_world_ray_cast_all(world, ray, NULL, NULL, 1, &count), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_ray_cast_all(world, ray, NULL, &hit, -1, &count), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_ray_cast_batch(world, NULL, 1, NULL, &hit), ABUT_ERROR_INVALID_ARGUMENT);
    assert_ok(abut_world_ray_cast_batch(world, NULL, 0, NULL, NULL));
    abut_cast cast = {.shape = ball, .pose = abut_pose_identity(), .motion = {{1.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}};
    assert_ok(abut_world_shape_cast(world, &cast, NULL, &hit));
    assert_false(hit.hit.hit);
    assert_status(abut_world_shape_cast(world, NULL, NULL, &hit), ABUT_ERROR_INVALID_ARGUMENT);
    cast.tolerance = -1.0;
    assert_status(abut_world_shape_cast(world, &cast, NULL, &hit), ABUT_ERROR_INVALID_ARGUMENT);
    cast.tolerance = INFINITY;
    assert_status(abut_world_shape_cast(world, &cast, NULL, &hit), ABUT_ERROR_NOT_FINITE);
    const abut_aabb empty = {{1.0, 0.0, 0.0}, {0.0, 1.0, 1.0}}, whole = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    assert_status(abut_world_overlap_box(world, empty, NULL, ids, 1, &count), ABUT_ERROR_INVALID_ARGUMENT);
    assert_ok(abut_world_overlap_box(world, whole, NULL, ids, 1, &count));
    assert_int_equal(count, 0);
    put(world, ABUT_BODY_STATIC, sphere(1.0), at(0.0, 0.0, 0.0));
    put(world, ABUT_BODY_STATIC, plane(abut_vec3_make(0.0, 0.6, 0.8), 1.0), at(0.0, 0.0, 0.0));
    assert_status(abut_world_overlap_box(world, whole, NULL, ids, 1, &count), ABUT_ERROR_CAPACITY);
    assert_int_equal(count, 2);
    assert_int_equal(ids[0].index, 1);
    assert_status(abut_world_overlap_shape(world, NULL, abut_pose_identity(), NULL, ids, 1, &count), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_closest(world, ball, abut_pose_identity(), NAN, NULL, &near), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_closest_to_point(world, abut_vec3_make(NAN, 0.0, 0.0), 1.0, NULL, &near), ABUT_ERROR_NOT_FINITE);
    abut_shape_release(ball);
    abut_world_destroy(world);
}

/* A query that runs out of memory changes nothing, and the next one answers. */
static void test_refused_memory(void **state) {
    (void)state;
    random_state r = random_make(random_seed("refused_memory", 33));
    abut_world *world;
    abut_world_hit hit, hits[2];
    int32_t count;
    assert_ok(abut_world_create(NULL, &world));
    for (int i = 0; i < 20; i++) {
        put(world, ABUT_BODY_STATIC, sphere(0.5), at(random_range(&r, -3.0, 3.0), 0.0, 0.0));
    }
    const abut_ray ray = {{-9.0, 0.0, 0.0}, {20.0, 0.0, 0.0}};
    counting_allocator memory;
    int64_t refused = 0;
    do {
        memory = (counting_allocator){.refuse_at = refused++};
        counting_allocator_install(&memory);
        abut_status status = abut_world_ray_cast(world, ray, NULL, &hit);
        counting_allocator_remove();
        assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
    } while (memory.refused);
    assert_true(refused > 2);
    assert_true(hit.hit.hit);
    assert_status(abut_world_ray_cast_all(world, ray, NULL, hits, 2, &count), ABUT_ERROR_CAPACITY);
    assert_int_equal(count, 20);
    abut_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_worlds),
        cmocka_unit_test(test_worlds_with_rounded_triangles),
        cmocka_unit_test(test_meshed_balls_have_the_answers_of_balls),
        cmocka_unit_test(test_batches),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_bodies_that_cannot_be_asked),
        cmocka_unit_test(test_refused_arguments),
        cmocka_unit_test(test_refused_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
