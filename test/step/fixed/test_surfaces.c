/* Several surfaces of one body, and the caller's rule for two of them, against closed forms. */
#include <stdio.h>
#include <stdlib.h>

#include <abut/mesh.h>

#include "support/allocator.h"
#include "support/check.h"
#include "support/random.h"
#include "support/staging.h"

static const double gravity = 9.81, fine = 1.0 / 240.0;

static abut_vec3 vec(double x, double y, double z) { return abut_vec3_make(x, y, z); }

static abut_surface surface(double friction, double restitution) {
    abut_surface s = abut_surface_default();
    s.friction = friction;
    s.restitution = restitution;
    return s;
}

/* ---- compounds ---- */

/* Two runners across the way, of capsules with the axes along y: the front one at x = d. Frame: between their centres. */
static const abut_shape *sled(staging *s, double d, double radius) {
    abut_shape *runner = NULL, *made = NULL;
    assert_ok(abut_shape_create_capsule(radius, 0.3, &runner));
    abut_pose at = {vec(-d, 0, 0), abut_quat_about(vec(1, 0, 0), 0.5 * PI)};
    abut_part parts[2] = {{runner, at}, {runner, at}};
    parts[1].pose.position.x = d;
    assert_ok(abut_shape_create_compound(parts, 2, &made));
    abut_shape_release(runner);
    return staging_keep(s, made);
}

/* One runner is of ice, the other one of rubber. Friction F presses the front one: N front - N back = F h / d with the height h of the centre of mass. So
 * F = (mu back + mu front) m g / 2 / (1 - (mu front - mu back) h / 2 d). */
static void test_sled_of_ice_and_rubber(void **state) {
    (void)state;
    random_state r = random_make(random_seed("test_sled_of_ice_and_rubber", 21));
    int32_t samples = random_runs("test_sled_of_ice_and_rubber", 12);
    double worst = 0.0;
    for (int32_t k = 0; k < samples; k++) {
        abut_world_def world = staging_def(gravity);
        world.fixed.exact = k % 2 == 0;
        staging s = staging_make_with(&world);
        double d = random_range(&r, 0.4, 0.8), h = random_range(&r, 0.05, 0.2),
               mu[2] = {random_range(&r, 0.0, 0.1), random_range(&r, 0.4, 0.8)};
        abut_surface surfaces[2] = {surface(mu[0] * mu[0], 0), surface(mu[1] * mu[1], 0)};
        staging_ground(&s, 1.0);
        abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, sled(&s, d, h), vec(0, 0, h));
        def.surfaces = surfaces;
        def.surface_count = 2;
        double sign = k % 3 == 0 ? -1.0 : 1.0, front = sign > 0 ? mu[1] : mu[0], back = mu[0] + mu[1] - front;
        def.motion.linear = vec(3.0 * sign, 0, 0);
        abut_body_id id = staging_put(&s, &def);
        staging_run(&s, fine, 24); /* the loads settle */
        double before = staging_state(&s, id).motion.linear.x;
        staging_run(&s, fine, 24);
        double deceleration = (before - staging_state(&s, id).motion.linear.x) * sign / 0.1;
        double expected = 0.5 * (front + back) * gravity / (1.0 - (front - back) * 0.5 * h / d);
        worst = fmax(worst, fabs(deceleration / expected - 1.0));
        staging_close(&s);
    }
    printf("sleds of ice and rubber: deceleration off by %.1e\n", worst);
    assert_true(worst < 1e-6);
}

/* ---- meshes ---- */

enum { COLUMNS = 9, CELLS = COLUMNS - 1, TRIANGLES = 4 * CELLS };

/* Two rows of squares with sides of 1 m from x = -4 to 4, y = -1 to 1, at z = 0. */
static const abut_shape *mesh_floor(staging *s, int kind) {
    abut_vec3 vertices[3 * COLUMNS + 3 * COLUMNS];
    int32_t triangles[3 * (2 * TRIANGLES + 8 * COLUMNS)], count = 0;
    double heights[3 * COLUMNS] = {0.0};
    abut_shape *made = NULL;
    if (kind == 1) {
        const abut_heightfield_def grid = {heights, COLUMNS, 3, 1.0, 1.0, false};
        assert_ok(abut_shape_create_heightfield(&grid, &made));
        return staging_keep(s, made);
    }
    for (int i = 0; i < 6 * COLUMNS; i++) {
        vertices[i] = vec(i % COLUMNS, i / COLUMNS % 3, i < 3 * COLUMNS ? 0.0 : -1.0);
    }
    for (int layer = 0; layer < (kind == 2 ? 2 : 1); layer++) {
        for (int cell = 0; cell < 2 * CELLS; cell++) {
            int32_t v = 3 * COLUMNS * layer + cell / CELLS * COLUMNS + cell % CELLS, w = v + COLUMNS + 1;
            const int32_t corners[6] = {v, layer ? w : v + 1, layer ? v + 1 : w, v, layer ? w - 1 : w, layer ? w : w - 1};
            for (int c = 0; c < 6; c++) {
                triangles[count++] = corners[c];
            }
        }
    }
    int32_t rim[4 * COLUMNS], rims = 0;
    for (int32_t i = 0; i < CELLS; i++) {
        rim[rims++] = i;
    }
    rim[rims++] = CELLS;
    rim[rims++] = CELLS + COLUMNS;
    for (int32_t i = CELLS; i > 0; i--) {
        rim[rims++] = 2 * COLUMNS + i;
    }
    rim[rims++] = 2 * COLUMNS;
    rim[rims++] = COLUMNS;
    for (int32_t i = 0; i < rims && kind == 2; i++) {
        int32_t a = rim[i], b = rim[(i + 1) % rims];
        const int32_t corners[6] = {b, a, a + 3 * COLUMNS, b, a + 3 * COLUMNS, b + 3 * COLUMNS};
        for (int c = 0; c < 6; c++) {
            triangles[count++] = corners[c];
        }
    }
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = vertices;
    def.vertex_count = kind == 2 ? 6 * COLUMNS : 3 * COLUMNS;
    def.triangles = triangles;
    def.triangle_count = count / 3;
    abut_trimesh_report report;
    assert_ok(abut_shape_create_trimesh(&def, &report, &made));
    assert_true(report.closed == (kind == 2));
    return staging_keep(s, made);
}

/* Left of x = 4 of the mesh one surface, right of it another one. */
static int32_t fill_surfaces(const abut_shape *mesh, abut_surface left, abut_surface right, abut_surface *surfaces) {
    int32_t count = abut_shape_triangle_count(mesh);
    for (int32_t i = 0; i < count; i++) {
        abut_triangle t;
        assert_ok(abut_shape_triangle(mesh, i, &t));
        surfaces[i] = t.corner[0].x + t.corner[1].x + t.corner[2].x < 12.0 ? left : right;
    }
    return count;
}

static abut_body_id put_floor(staging *s, int kind, abut_surface left, abut_surface right) {
    abut_surface surfaces[256];
    abut_body_def def = staging_body(ABUT_BODY_STATIC, mesh_floor(s, kind), vec(-4, -1, 0));
    def.surface_count = fill_surfaces(def.shape, left, right, surfaces);
    def.surfaces = surfaces;
    return staging_put(s, &def);
}

static double deceleration_at(int kind, double x, double turned) {
    staging s = staging_make(gravity);
    put_floor(&s, kind, surface(0.01, 0), surface(0.36, 0));
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, staging_box(&s, 0.4, 0.3, 0.05), vec(x, 0.1, 0.05));
    def.pose.rotation = abut_quat_about(vec(0, 0, 1), turned);
    def.motion.linear = vec(2, 0, 0);
    def.friction = 1.0;
    abut_body_id id = staging_put(&s, &def);
    staging_run(&s, fine, 48);
    double lost = 2.0 - staging_state(&s, id).motion.linear.x;
    staging_close(&s);
    return lost / 0.2;
}

/* A box slides on the ice of a mesh, a height field and a closed convex mesh, and on their rubber. */
static void test_mesh_of_ice_and_rubber(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        double ice = deceleration_at(kind, -2.7, 0.3), rubber = deceleration_at(kind, 1.3, 0.3);
        printf("floor %d: deceleration off by %.1e on ice, %.1e on rubber\n", kind, ice / (0.1 * gravity) - 1.0,
               rubber / (0.6 * gravity) - 1.0);
        assert_near(ice, 0.1 * gravity, 1e-6);
        assert_near(rubber, 0.6 * gravity, 1e-6);
    }
}

/* A box that straddles the border, with half of its corners on either side: the mean of both. It does not turn, because the border is across its way. */
static void test_box_across_a_border(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        staging s = staging_make(gravity);
        put_floor(&s, kind, surface(0.0, 0), surface(0.16, 0));
        abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, staging_box(&s, 0.5, 0.5, 1e-3), vec(0, 0, 1e-3));
        def.motion.linear = vec(0.01, 0, 0);
        def.friction = 1.0;
        abut_body_id id = staging_put(&s, &def);
        staging_run(&s, 1e-4, 20);
        assert_near(0.01 - staging_state(&s, id).motion.linear.x, 0.2 * gravity * 2e-3, 5e-5);
        const abut_world_contact *contacts;
        int32_t count, patches = 0;
        assert_ok(abut_world_contacts(s.world, &contacts, &count));
        for (int32_t i = 0; i < count; i++) {
            patches = contacts[i].contact.patch + 1 > patches ? contacts[i].contact.patch + 1 : patches;
            bool slips = contacts[i].contact.on_b.x > 0.0; /* the corners on rubber have friction, the others none */
            double friction = abut_length(contacts[i].friction_force);
            assert_true(slips ? friction > 0.0 : friction == 0.0);
        }
        assert_int_equal(patches, 2);
        staging_close(&s);
    }
}

/* Balls bounce off one half of the floor, and not off the other. */
static void test_restitution_of_triangles(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        staging s = staging_make(gravity);
        put_floor(&s, kind, surface(0.5, 0.8), surface(0.5, 0));
        abut_body_id balls[2];
        for (int i = 0; i < 2; i++) {
            balls[i] = staging_add(&s, ABUT_BODY_DYNAMIC, staging_sphere(&s, 0.2), vec(i == 0 ? -2.3 : 2.3, 0.2, 1.2));
        }
        double fastest[2] = {0.0, 0.0}, struck = sqrt(2.0 * gravity * 1.0);
        for (int i = 0; i < 180; i++) {
            staging_run(&s, fine, 1);
            for (int k = 0; k < 2; k++) {
                abut_body_state at = staging_state(&s, balls[k]); /* the speed that it had at the floor */
                double v = at.motion.linear.z, square = v * v + 2.0 * gravity * (at.pose.position.z - 0.2);
                fastest[k] = v > 1e-6 ? fmax(fastest[k], sqrt(square)) : fastest[k];
            }
        }
        assert_near(fastest[0], 0.8 * struck, 1e-3);
        assert_near(fastest[1], 0.0, 1e-6);
        staging_close(&s);
    }
}

/* ---- the caller's rule ---- */

typedef struct rule_notes {
    int wrong; /* meetings that are not as they should be */
} rule_notes;

/* Bodies of user value 7 slide without friction; 8 has a coefficient of its own; 9 says nonsense. */
static void meet(void *context, const abut_surface_meeting *m, abut_surface *pair) {
    rule_notes *notes = context;
    uint64_t user = m->bodies.user_a > m->bodies.user_b ? m->bodies.user_a : m->bodies.user_b;
    if (notes != NULL) {
        notes->wrong += m->bodies.a.index >= m->bodies.b.index || fabs(pair->friction - sqrt(m->a.friction * m->b.friction)) > 1e-15;
        notes->wrong += m->index_a != -1 || m->index_b != -1;
    }
    if (user == 7) {
        pair->friction = 0.0;
    } else if (user == 8) {
        *pair = surface(0.25, 1.0);
    } else if (user == 9) {
        *pair = surface(NAN, 2.0);
    }
}

static void test_rule(void **state) {
    (void)state;
    rule_notes notes = {0};
    abut_world_def world = staging_def(gravity);
    world.parallel.threads = 1;
    world.surfaces.meet = meet;
    world.surfaces.context = &notes;
    staging s = staging_make_with(&world);
    staging_ground(&s, 0.5);
    abut_body_id ids[4];
    for (int i = 0; i < 4; i++) {
        abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, staging_box(&s, 0.5, 0.4, 0.05), vec(0, 2.0 * i, 0.05));
        def.motion.linear = vec(3, 0, 0);
        def.user = (uint64_t)(6 + i);
        ids[i] = staging_put(&s, &def);
    }
    staging_run(&s, fine, 48);
    const double mu[4] = {0.5, 0.0, 0.25, 0.5};
    for (int i = 0; i < 4; i++) {
        assert_near(staging_state(&s, ids[i]).motion.linear.x, 3.0 - mu[i] * gravity * 0.2, 1e-6);
    }
    assert_int_equal(notes.wrong, 0);
    staging_close(&s);
}

static void leave_as_it_is(void *context, const abut_surface_meeting *m, abut_surface *pair) {
    (void)context;
    (void)m;
    (void)pair;
}

/* A heap of compounds. */
static uint64_t hash_of_heap(int threads, bool asks, bool exact, bool restores) {
    abut_world_def world = staging_def(gravity);
    world.parallel.threads = threads;
    world.fixed.exact = exact;
    world.surfaces.meet = asks ? leave_as_it_is : NULL;
    staging s[2];
    for (int w = 0; w < 2; w++) {
        random_state r = random_make(3);
        s[w] = staging_make_with(&world);
        staging_ground(&s[w], 0.5);
        const abut_shape *shape = sled(&s[w], 0.4, 0.2);
        for (int i = 0; i < 20; i++) {
            const abut_surface surfaces[2] = {surface(0.1 * (i % 3), 0), surface(0.9, i % 4 == 0 ? 0.5 : 0.0)};
            abut_body_def def =
                staging_body(ABUT_BODY_DYNAMIC, i % 2 == 0 ? shape : s[w].box, vec(0.9 * (i % 5), 0.8 * (i / 5), 0.6 + 0.5 * (i % 3)));
            def.pose.rotation = random_rotation(&r);
            def.surfaces = i % 2 == 0 ? surfaces : NULL;
            def.surface_count = i % 2 == 0 ? 2 : 0;
            staging_put(&s[w], &def);
        }
    }
    staging_run(&s[0], 1.0 / 60.0, 20);
    if (restores) {
        size_t size = 0;
        (void)abut_world_save(s[0].world, NULL, 0, &size);
        unsigned char *saved = malloc(size);
        assert_ok(abut_world_save(s[0].world, saved, size, &size));
        assert_ok(abut_world_restore(s[1].world, saved, size));
        free(saved);
    }
    staging *last = &s[restores ? 1 : 0];
    staging_run(last, 1.0 / 60.0, 20);
    uint64_t hash = abut_world_hash(last->world);
    staging_close(&s[0]);
    staging_close(&s[1]);
    return hash;
}

static void test_threads_rules_and_saved_states(void **state) {
    (void)state;
    for (int exact = 0; exact < 2; exact++) {
        uint64_t hash = hash_of_heap(1, false, exact, false);
        assert_true(hash == hash_of_heap(2, false, exact, false));
        assert_true(hash == hash_of_heap(8, false, exact, true));
        assert_true(hash_of_heap(1, true, exact, false) == hash_of_heap(8, true, exact, true));
    }
}

/* ---- definitions ---- */

static void test_definitions(void **state) {
    (void)state;
    staging s = staging_make(gravity);
    abut_surface surfaces[3] = {surface(1, 0), surface(1, 0), surface(1, 0)};
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, sled(&s, 0.5, 0.1), vec(0, 0, 5)), bad;
    def.surfaces = surfaces;
    def.surface_count = 2;
    abut_body_id id = staging_put(&s, &def);
    bad = def;
    bad.surface_count = 3;
    assert_status(abut_world_add_body(s.world, &bad, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    bad = def;
    bad.surfaces = NULL;
    assert_status(abut_world_add_body(s.world, &bad, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    bad = def;
    bad.shape = s.box;
    assert_status(abut_world_add_body(s.world, &bad, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    surfaces[1].friction = -1.0;
    assert_status(abut_world_add_body(s.world, &def, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    surfaces[1].friction = NAN;
    assert_status(abut_world_add_body(s.world, &def, NULL), ABUT_ERROR_NOT_FINITE);
    surfaces[1] = surface(1, 1.5);
    assert_status(abut_world_add_body(s.world, &def, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    surfaces[1] = surface(1, 0);
    abut_part parts[3];
    for (int i = 0; i < 3; i++) {
        parts[i] = (abut_part){s.box, {vec(i, 0, 0), abut_quat_identity()}};
    }
    abut_shape *three = NULL;
    assert_ok(abut_shape_create_compound(parts, 3, &three));
    staging_keep(&s, three);
    assert_status(abut_world_set_body_shape(s.world, id, three), ABUT_ERROR_INVALID_ARGUMENT);
    assert_ok(abut_world_set_body_shape(s.world, id, def.shape));
    assert_ok(abut_world_remove_body(s.world, id));
    staging_close(&s);
}

/* Memory is refused at every request in turn while a body with surfaces is added. Afterwards nothing is left of it. */
static void test_no_memory(void **state) {
    (void)state;
    const abut_surface surfaces[2] = {surface(1, 0), surface(0, 0)};
    counting_allocator memory;
    int64_t refused = 0;
    do {
        memory = (counting_allocator){.refuse_at = -1};
        counting_allocator_install(&memory);
        staging s = staging_make(gravity);
        abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, sled(&s, 0.5, 0.1), vec(0, 0, 5));
        def.surfaces = surfaces;
        def.surface_count = 2;
        memory.refuse_at = memory.requests + refused++;
        abut_status status = abut_world_add_body(s.world, &def, NULL);
        assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
        memory.refuse_at = -1;
        staging_close(&s);
        counting_allocator_remove();
        assert_int_equal(memory.live, 0);
    } while (memory.refused);
    assert_true(refused > 1);
}

/* A world with other surfaces is another world. */
static void test_digests(void **state) {
    (void)state;
    unsigned char saved[1 << 15];
    size_t size = 0;
    for (int w = 0; w < 3; w++) {
        staging s = staging_make(gravity);
        const abut_surface surfaces[2] = {surface(1, 0), surface(w == 1 ? 0.5 : 1.0, 0)};
        abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, sled(&s, 0.5, 0.1), vec(0, 0, 5));
        def.surfaces = w == 2 ? NULL : surfaces;
        def.surface_count = w == 2 ? 0 : 2;
        staging_put(&s, &def);
        if (w == 0) {
            assert_ok(abut_world_save(s.world, saved, sizeof saved, &size));
        }
        assert_status(abut_world_restore(s.world, saved, size), w == 0 ? ABUT_OK : ABUT_ERROR_FOREIGN);
        staging_close(&s);
    }
}

static void test_other_steppers(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        abut_world_def def = staging_def(gravity);
        def.stepper = i == 0 ? ABUT_STEPPER_EVENT : ABUT_STEPPER_DEM;
        staging s = staging_make_with(&def);
        const abut_surface surfaces[2] = {surface(1, 0), surface(1, 0)};
        abut_body_def body = staging_body(ABUT_BODY_DYNAMIC, sled(&s, 0.5, 0.1), vec(0, 0, 5));
        body.surfaces = surfaces;
        body.surface_count = 2;
        assert_status(abut_world_add_body(s.world, &body, NULL), ABUT_ERROR_UNSUPPORTED);
        def.surfaces.meet = meet;
        abut_world *world = NULL;
        assert_status(abut_world_create(&def, &world), ABUT_ERROR_UNSUPPORTED);
        staging_close(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sled_of_ice_and_rubber),
        cmocka_unit_test(test_mesh_of_ice_and_rubber),
        cmocka_unit_test(test_box_across_a_border),
        cmocka_unit_test(test_restitution_of_triangles),
        cmocka_unit_test(test_rule),
        cmocka_unit_test(test_threads_rules_and_saved_states),
        cmocka_unit_test(test_definitions),
        cmocka_unit_test(test_digests),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_other_steppers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
