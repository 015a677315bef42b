/* A closed convex mesh has the contacts, the overlap and the distance of its solid, with names of the mesh. */
#include "narrow/solids.h"

#include <math.h>
#include <string.h>

#include <abut/query.h>
#include <abut/smooth.h>

#include "support/check.h"
#include "support/meshes.h"
#include "support/oracle.h"
#include "support/solid.h"

static const abut_vec3 up = {0, 0, 1};

/* A box of the given half extents as a mesh, every side cut into triangles. */
static abut_shape *box_mesh(abut_vec3 half, int32_t cells) {
    abut_shape *box, *mesh;
    assert_ok(abut_shape_create_box(half, &box));
    mesh = meshes_surface_of(box, cells);
    abut_shape_release(box);
    return mesh;
}

static abut_pose at(double x, double y, double z) { return (abut_pose){{x, y, z}, abut_quat_identity()}; }

static int32_t ask(const abut_shape *a, abut_pose pose, const abut_shape *mesh, abut_contact *contacts) {
    return meshes_ask(a, pose, mesh, abut_pose_identity(), 0.0, false, contacts);
}

enum { BODIES = 8 };

static void make_bodies(abut_shape *body[BODIES]) {
    assert_ok(abut_shape_create_sphere(0.3, &body[0]));
    assert_ok(abut_shape_create_capsule(0.2, 0.3, &body[1]));
    assert_ok(abut_shape_create_box(abut_vec3_make(0.3, 0.2, 0.25), &body[2]));
    assert_ok(abut_shape_create_prism(0.3, 0.2, 7, &body[3]));
    assert_ok(abut_shape_create_cylinder(0.3, 0.2, &body[4]));
    assert_ok(abut_shape_create_cone(0.3, 0.5, &body[5]));
    assert_ok(abut_shape_create_ellipsoid(abut_vec3_make(0.3, 0.2, 0.25), &body[6]));
    const abut_part parts[2] = {{body[0], at(0.2, 0, 0)}, {body[2], at(-0.2, 0, 0)}};
    assert_ok(abut_shape_create_compound(parts, 2, &body[7]));
}

static void release_bodies(abut_shape *body[BODIES]) {
    for (int i = 0; i < BODIES; i++) {
        abut_shape_release(body[i]);
    }
}

/* A cube's mesh of 12 triangles has the vertices of the cube's polytope: the contacts of all bodies are those of that polytope. */
static void test_like_the_polytope(void **state) {
    (void)state;
    static abut_contact of_mesh[MESHES_ROOM], of_solid[MESHES_ROOM];
    random_state random = random_make(random_seed("narrow.solids", 7));
    solid cube = solid_box(abut_vec3_make(1.0, 0.7, 0.8));
    abut_shape *body[BODIES], *polytope = solid_shape(&cube), *mesh = meshes_surface_of(polytope, 1);
    make_bodies(body);
    for (int i = 0; i < 4000; i++) {
        const abut_shape *a = body[i % BODIES];
        abut_pose pose = random_pose(&random, 1.2), where = random_pose(&random, 0.1);
        double margin = i % 3 == 0 ? 0.1 : 0.0;
        bool swapped = i % 2 == 0;
        int32_t count = meshes_ask(a, pose, mesh, where, margin, swapped, of_mesh);
        assert_int_equal(meshes_ask(a, pose, polytope, where, margin, swapped, of_solid), count);
        for (int32_t k = 0; k < count; k++) {
            assert_near(of_mesh[k].gap, of_solid[k].gap, 1e-13);
            assert_vec3_near(of_mesh[k].normal, of_solid[k].normal, 1e-12);
            assert_near(of_mesh[k].area, of_solid[k].area, 1e-12);
            assert_int_equal(of_mesh[k].feature_b.kind, of_solid[k].feature_b.kind);
        }
    }
    release_bodies(body);
    abut_shape_release(mesh);
    abut_shape_release(polytope);
    solid_free(&cube);
}

/* Also where the middle of the body, or all of it, is inside. */
static void test_inside(void **state) {
    (void)state;
    abut_contact contacts[MESHES_ROOM];
    abut_shape *body[BODIES], *mesh = box_mesh(abut_vec3_make(5, 4, 3), 1);
    make_bodies(body);
    for (int i = 0; i < BODIES; i++) {
        abut_separation s;
        bool overlap;
        abut_pair pair = {body[i], at(0, 0, 1.5), mesh, abut_pose_identity()};
        int32_t count = ask(body[i], pair.pose_a, mesh, contacts);
        assert_true(count > 0);
        assert_vec3_near(contacts[0].normal, up, 1e-12);
        assert_true(contacts[0].gap < -1.5);
        assert_ok(abut_distance(&pair, NULL, NULL, &s));
        assert_near(s.gap, contacts[0].gap, 0.0);
        assert_int_equal(s.feature_b.index, contacts[0].feature_b.index);
        assert_ok(abut_overlap(&pair, NULL, &overlap));
        assert_true(overlap);
    }
    int32_t count = ask(body[0], at(0, 0, 1.5), mesh, contacts);
    assert_int_equal(count, 1);
    assert_near(contacts[0].gap, -1.8, 1e-14);
    release_bodies(body);
    abut_shape_release(mesh);
}

static double off_triangle(const abut_shape *mesh, int32_t index, abut_vec3 point) {
    abut_triangle t;
    assert_ok(abut_shape_triangle(mesh, index, &t));
    return abut_distance_between(point, oracle_on_triangle(point, t.corner[0], t.corner[1], t.corner[2]));
}

/* While a body slides over many triangles of one side, names follow the triangles and ids stay. */
static void test_ids_stay(void **state) {
    (void)state;
    abut_contact contacts[MESHES_ROOM];
    abut_shape *box, *mesh = box_mesh(abut_vec3_make(2, 2, 1), 8);
    assert_ok(abut_shape_create_box(abut_vec3_make(0.2, 0.2, 0.2), &box));
    uint64_t id[4] = {0};
    int32_t first = -1, others = 0;
    for (int i = 0; i < 50; i++) {
        assert_int_equal(ask(box, at(-1.5 + 0.06 * i, 0.31, 1.19), mesh, contacts), 4);
        first = i == 0 ? contacts[0].feature_b.index : first;
        others += contacts[0].feature_b.index != first;
        for (int k = 0; k < 4 && i == 0; k++) {
            id[k] = contacts[k].id;
        }
        for (int k = 0; k < 4; k++) {
            assert_true(contacts[k].id == id[0] || contacts[k].id == id[1] || contacts[k].id == id[2] || contacts[k].id == id[3]);
            assert_int_equal(contacts[k].feature_b.kind, ABUT_FEATURE_FACE);
            assert_true(off_triangle(mesh, contacts[k].feature_b.index, contacts[k].on_b) < 1e-12);
        }
    }
    assert_true(others > 10);
    abut_shape_release(box);
    abut_shape_release(mesh);
}

/* The rules that exist to compare with stay rules for triangles: a ball whose centre is behind all of them touches none. */
static void test_other_rules(void **state) {
    (void)state;
    abut_contact contacts[4];
    int32_t count;
    abut_shape *ball, *mesh = box_mesh(abut_vec3_make(1, 1, 1), 1);
    abut_collide_settings settings = abut_collide_settings_default();
    assert_ok(abut_shape_create_sphere(0.3, &ball));
    abut_pair pair = {ball, at(0.1, 0, 0.9), mesh, abut_pose_identity()};
    assert_ok(abut_collide(&pair, &settings, NULL, contacts, 4, &count));
    assert_int_equal(count, 1);
    settings.baseline.mesh_rule = ABUT_MESH_PUBLISHED;
    assert_ok(abut_collide(&pair, &settings, NULL, contacts, 4, &count));
    assert_int_equal(count, 0);
    settings.baseline.mesh_rule = ABUT_MESH_SURFACE;
    settings.baseline.mesh_identity = ABUT_MESH_BY_INDEX;
    assert_ok(abut_collide(&pair, &settings, NULL, contacts, 4, &count));
    assert_int_equal(count, 0);
    abut_shape_release(ball);
    abut_shape_release(mesh);
}

/* Several meshes in reach are one surface. One in reach is a solid, whatever others are far away. */
static void test_groups(void **state) {
    (void)state;
    abut_contact contacts[8], alone[8];
    int32_t count;
    abut_shape *box, *mesh = box_mesh(abut_vec3_make(1, 1, 1), 1);
    assert_ok(abut_shape_create_box(abut_vec3_make(0.3, 0.3, 0.3), &box));
    const abut_part apart[3] = {{mesh, at(5, 0, 0)}, {mesh, at(0, 0, 0)}, {mesh, at(-5, 0, 0)}};
    abut_pose inside = at(0.1, 0, 0.2);
    assert_ok(abut_collide_meshes(box, inside, apart, 3, NULL, contacts, 8, &count));
    assert_int_equal(count, ask(box, inside, mesh, alone));
    for (int32_t i = 0; i < count; i++) {
        assert_int_equal(contacts[i].feature_b.part, 1);
        contacts[i].feature_b.part = 0;
        assert_near(contacts[i].gap, alone[i].gap, 0.0);
        assert_true(contacts[i].id == alone[i].id);
    }
    const abut_part floor[2] = {{mesh, at(-1, 0, 0)}, {mesh, at(1, 0, 0)}};
    assert_ok(abut_collide_meshes(box, at(0.1, 0, 1.2), floor, 2, NULL, contacts, 8, &count));
    assert_true(count > 0);
    for (int32_t i = 0; i < count; i++) {
        assert_vec3_near(contacts[i].normal, up, 1e-12);
        assert_near(contacts[i].gap, -0.1, 1e-12);
    }
    abut_shape_release(box);
    abut_shape_release(mesh);
}

/* A cache changes the time and not the answer. */
static void test_caches(void **state) {
    (void)state;
    static abut_contact warm[MESHES_ROOM], cold[MESHES_ROOM];
    random_state random = random_make(random_seed("narrow.solids", 11));
    abut_shape *body[BODIES], *mesh = box_mesh(abut_vec3_make(1, 0.7, 0.8), 1);
    make_bodies(body);
    abut_cache cache[BODIES];
    memset(cache, 0, sizeof cache);
    for (int i = 0; i < 4000; i++) {
        abut_pair pair = {body[i % BODIES], random_pose(&random, 1.2), mesh, abut_pose_identity()};
        abut_separation p, q;
        bool overlap;
        int32_t count, again;
        abut_cache *used = &cache[(i + i / 100) % BODIES];
        assert_ok(abut_collide(&pair, NULL, NULL, cold, MESHES_ROOM, &count));
        assert_ok(abut_collide(&pair, NULL, used, warm, MESHES_ROOM, &again));
        assert_int_equal(count, again);
        assert_memory_equal(cold, warm, (size_t)count * sizeof *cold);
        assert_ok(abut_distance(&pair, NULL, NULL, &p));
        assert_ok(abut_distance(&pair, NULL, used, &q));
        assert_near(p.gap, q.gap, 0.0);
        assert_ok(abut_overlap(&pair, used, &overlap));
        assert_true(overlap == (count > 0) && overlap == (p.gap <= 0.0));
    }
    release_bodies(body);
    abut_shape_release(mesh);
}

/* A cast from within begins inside. One that begins on the surface slides and leaves freely, and is stopped by nothing behind. */
static void test_casts(void **state) {
    (void)state;
    abut_hit hit;
    abut_shape *body[BODIES], *mesh = box_mesh(abut_vec3_make(1, 1, 1), 2);
    const abut_motion rest = {{0, 0, 0}, {0, 0, 0}}, off = {{0, 0, 3}, {0, 0, 0}}, along = {{0.5, 0.2, 0}, {0, 0, 0}},
                      down = {{0, 0, -3}, {0, 0, 0}};
    make_bodies(body);
    for (int i = 0; i < BODIES; i++) {
        abut_separation s;
        abut_pair pair = {body[i], at(0, 0, 0.1), mesh, abut_pose_identity()};
        assert_ok(abut_shape_cast(&pair, off, rest, 0.0, &hit));
        assert_true(hit.hit && hit.started_inside && hit.fraction == 0.0);
        pair.pose_a = at(0, 0, 2.5);
        assert_ok(abut_shape_cast(&pair, down, rest, 0.0, &hit));
        assert_true(hit.hit && !hit.started_inside);
        assert_vec3_near(hit.normal, up, 1e-6);
        assert_ok(abut_distance(&pair, NULL, NULL, &s));
        assert_near(3.0 * hit.fraction, s.gap, 2e-6);
        pair.pose_a.position.z -= s.gap;
        assert_ok(abut_shape_cast(&pair, off, rest, 0.0, &hit));
        assert_false(hit.hit);
        assert_ok(abut_shape_cast(&pair, along, rest, 0.0, &hit));
        assert_false(hit.hit);
        assert_ok(abut_shape_cast(&pair, down, rest, 0.0, &hit));
        assert_true(hit.hit);
        assert_near(hit.fraction, 0.0, 1e-6);
    }
    release_bodies(body);
    abut_shape_release(mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_like_the_polytope),
                                       cmocka_unit_test(test_inside),
                                       cmocka_unit_test(test_ids_stay),
                                       cmocka_unit_test(test_other_rules),
                                       cmocka_unit_test(test_groups),
                                       cmocka_unit_test(test_caches),
                                       cmocka_unit_test(test_casts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
