/* Contacts of an edge or a vertex of a box in closed form. Beside other methods they are tested in test_collide.c. */
#include "narrow/box/sharp.h"

#include "narrow/box/collide.h"
#include "support/check.h"

static int32_t collide(abut_vec3 half_a, abut_pose pose_a, abut_vec3 half_b, abut_pose pose_b, abut_contact contacts[BOX_CONTACTS]) {
    abut_shape *a, *b;
    const abut_collide_settings settings = abut_collide_settings_default();
    assert_ok(abut_shape_create_box(half_a, &a));
    assert_ok(abut_shape_create_box(half_b, &b));
    const abut_placed body_a = collide_place_body(a, &pose_a), body_b = collide_place_body(b, &pose_b);
    const box_terms terms = box_terms_of(&settings);
    box_task task = {.terms = &terms, .contacts = contacts, .capacity = BOX_CONTACTS};
    box_task_place(&task, &body_a, &body_b);
    box_tasks_run(&task, 1);
    assert_true(task.decided);
    abut_shape_release(a);
    abut_shape_release(b);
    return task.count;
}

static void expect_point(abut_vec3 found, double x, double y, double z) {
    assert_true(abut_distance_between(found, abut_vec3_make(x, y, z)) <= 1e-14);
}

static void expect_names(const abut_contact *contact, abut_feature_kind kind_a, abut_feature_kind kind_b) {
    assert_int_equal(contact->feature_a.kind, kind_a);
    assert_int_equal(contact->feature_b.kind, kind_b);
}

static abut_pose at(double x, double y, double z, abut_quat rotation) { return (abut_pose){abut_vec3_make(x, y, z), rotation}; }

static abut_quat on_edge(void) { return abut_quat_about(abut_vec3_make(0, 1, 0), 0.25 * PI); }

/* A cube that stands on a vertex, 0.01 deep in a slab. */
static void a_vertex_on_a_face(void **state) {
    (void)state;
    abut_contact c[BOX_CONTACTS];
    const abut_vec3 cube = {0.5, 0.5, 0.5}, slab = {2.0, 2.0, 0.5};
    double height = sqrt(0.75) - 0.01;
    abut_quat on_vertex = abut_quat_about(abut_unit(abut_vec3_make(1, -1, 0)), atan2(sqrt(2.0), 1.0));
    assert_int_equal(collide(cube, at(0.1, 0.2, 0.5 + height, on_vertex), slab, at(0, 0, 0, abut_quat_identity()), c), 1);
    expect_point(c[0].on_a, 0.1, 0.2, 0.49);
    expect_point(c[0].on_b, 0.1, 0.2, 0.5);
    expect_point(c[0].normal, 0.0, 0.0, 1.0);
    assert_true(fabs(c[0].gap + 0.01) <= 1e-14);
    expect_names(&c[0], ABUT_FEATURE_VERTEX, ABUT_FEATURE_FACE);
}

/* A cube that lies on an edge along y, 0.01 deep in a slab. The slab ends below the edge. */
static void an_edge_on_a_face(void **state) {
    (void)state;
    abut_contact c[BOX_CONTACTS];
    const abut_vec3 cube = {0.5, 0.5, 0.5}, slab = {2.0, 0.4, 0.5};
    assert_int_equal(collide(slab, at(0, 0, 0, abut_quat_identity()), cube, at(0.1, 0.2, 0.49 + sqrt(0.5), on_edge()), c), 2);
    const abut_contact *low = c[0].on_a.y < c[1].on_a.y ? &c[0] : &c[1], *high = low == &c[0] ? &c[1] : &c[0];
    expect_point(low->on_a, 0.1, -0.3, 0.5);
    expect_point(low->on_b, 0.1, -0.3, 0.49);
    expect_names(low, ABUT_FEATURE_FACE, ABUT_FEATURE_VERTEX);
    expect_point(high->on_a, 0.1, 0.4, 0.5);
    expect_point(high->on_b, 0.1, 0.4, 0.49);
    expect_names(high, ABUT_FEATURE_EDGE, ABUT_FEATURE_EDGE);
    expect_point(high->normal, 0.0, 0.0, -1.0);
    assert_true(low->id != high->id && low->area == 0.0 && high->area == 0.0);
}

/* Two cubes that cross with edges, one along y and one along x. */
static void two_edges(void **state) {
    (void)state;
    abut_contact c[BOX_CONTACTS];
    const abut_vec3 cube = {0.5, 0.5, 0.5};
    abut_quat along_x = abut_quat_about(abut_vec3_make(1, 0, 0), 0.25 * PI);
    assert_int_equal(collide(cube, at(0, 0, 0, on_edge()), cube, at(0.1, 0.2, 2.0 * sqrt(0.5) - 0.01, along_x), c), 1);
    expect_point(c[0].on_a, 0.0, 0.2, sqrt(0.5));
    expect_point(c[0].on_b, 0.0, 0.2, sqrt(0.5) - 0.01);
    expect_point(c[0].normal, 0.0, 0.0, -1.0);
    assert_true(fabs(c[0].gap + 0.01) <= 1e-14);
    expect_names(&c[0], ABUT_FEATURE_EDGE, ABUT_FEATURE_EDGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_vertex_on_a_face), cmocka_unit_test(an_edge_on_a_face),
                                       cmocka_unit_test(two_edges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
