/* Polytopes on planes: closed forms of the corners, their gaps, feet, names and area. Frame of the polytope, which is A unless said otherwise. */
#include "narrow/patch/corners_on_plane.h"

#include "support/check.h"
#include "support/shapes.h"

static contact_list *build(const convex *body, const whole_plane *plane, double margin) {
    static contact_list list;
    const patch_settings settings = {.margin = margin, .feature_sine = 0.0349, .weld = 0.0};
    contact_list_init(&list, 0, abut_vec3_make(0.31, 0.47, 0.83));
    patch_build_plane(body, plane->outward, plane->offset, plane->is_a, &settings, 0, &list);
    return &list;
}

static convex place(const abut_shape *shape) {
    abut_mat3 aligned = abut_mat3_identity();
    abut_vec3 origin = abut_vec3_make(0, 0, 0);
    convex body;
    convex_set(&body, shape, &aligned, &origin, 0);
    return body;
}

static abut_vec3 vertex_of(const abut_shape *shape, int32_t index) {
    abut_polytope_view view;
    assert_ok(abut_shape_polytope(shape, &view));
    return view.vertices[index];
}

/* Each contact is a vertex and its foot. */
static void check_contact(tally *t, const abut_shape *shape, const whole_plane *plane, const abut_contact *c, double scale) {
    abut_feature corner = plane->is_a ? c->feature_b : c->feature_a, whole = plane->is_a ? c->feature_a : c->feature_b;
    abut_vec3 vertex = vertex_of(shape, corner.index), on_body = plane->is_a ? c->on_b : c->on_a, foot = plane->is_a ? c->on_a : c->on_b;
    double gap = abut_dot(plane->outward, vertex) - plane->offset, rounding = 1e-14 * scale;
    if (corner.kind != ABUT_FEATURE_VERTEX || whole.kind != ABUT_FEATURE_FACE || whole.index != 0) {
        tally_fail(t, "names", "%d and %d", (int)corner.kind, (int)whole.kind);
    }
    if (abut_distance_between(on_body, vertex) != 0.0 || fabs(c->gap - gap) > rounding) {
        tally_fail(t, "gap", "%.17g at the vertex with %.17g", c->gap, gap);
    }
    if (abut_distance_between(foot, abut_add_scaled(vertex, -gap, plane->outward)) > rounding) {
        tally_fail(t, "foot", "off by %.3g", abut_distance_between(foot, abut_add_scaled(vertex, -gap, plane->outward)));
    }
}

static double area_of(const contact_list *list) {
    double area = 0.0;
    for (int32_t i = 0; i < list->count; i++) {
        area += list->items[i].area;
    }
    return area;
}

/* The normal of the plane leans from a face of the box by less than the feature angle: all four corners, those within the margin. */
static void face_of_a_box(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("face_of_a_box", 91));
    for (int32_t i = 0; i < 2000; i++) {
        abut_vec3 half = random_vec3(&random, 0.1, 2.0);
        abut_shape *shape = box(half.x, half.y, half.z);
        convex body = place(shape);
        double lean = random_below(&random, 4) == 0 ? 0.0 : random_log_range(&random, 1e-16, 0.03);
        abut_vec3 outward = abut_quat_rotate(abut_quat_about(abut_vec3_make(cos(i), sin(i), 0), lean), abut_vec3_make(0, 0, 1));
        double deepest = -(half.x * fabs(outward.x) + half.y * fabs(outward.y) + half.z * fabs(outward.z));
        whole_plane plane = {outward, deepest + random_range(&random, 0.0, 1e-3), i % 2 == 0};
        const contact_list *list = build(&body, &plane, 10.0);
        tally_sample(&t, "sample %d", (int)i);
        for (int32_t k = 0; k < list->count; k++) {
            check_contact(&t, shape, &plane, &list->items[k], abut_length(half));
        }
        double area = 4.0 * half.x * half.y * outward.z; /* of the face, seen along the normal */
        if (list->count != 4 || fabs(area_of(list) - area) > 1e-13 * area) {
            tally_fail(&t, "face", "%d corners, area %.17g, not %.17g", (int)list->count, area_of(list), area);
        }
        const contact_list *near = build(&body, &plane, 0.0);
        for (int32_t k = 0; k < near->count; k++) {
            if (!(near->items[k].gap <= 1e-12)) {
                tally_fail(&t, "margin", "gap %.17g", near->items[k].gap);
            }
        }
        abut_shape_release(shape);
    }
    tally_end(&t);
}

/* The corners run counter-clockwise about the normal from B into A, whichever body is the plane. */
static void order_of_corners(void **state) {
    (void)state;
    abut_shape *shape = box(1, 2, 3);
    convex body = place(shape);
    for (int side = 0; side < 2; side++) {
        whole_plane plane = {{0, 0, 1}, -2.9, side == 1};
        const contact_list *list = build(&body, &plane, 0.0);
        assert_int_equal(list->count, 4);
        for (int32_t i = 0; i < 4; i++) {
            abut_vec3 p = list->items[i].on_b, q = list->items[(i + 1) % 4].on_b, normal = list->items[i].normal;
            assert_near(normal.z, plane.is_a ? -1.0 : 1.0, 0.0);
            assert_true(abut_dot(normal, abut_cross(p, q)) > 0.0);
            assert_near(list->items[i].gap, -0.1, 1e-15);
        }
    }
    abut_shape_release(shape);
}

/* An edge below gives two contacts, and a vertex one. */
static void edge_and_vertex(void **state) {
    (void)state;
    abut_shape *shape = box(1, 1, 1);
    convex body = place(shape);
    const double half = sqrt(0.5), third = sqrt(1.0 / 3.0);
    whole_plane below_edge = {{0, half, half}, -2.0 * half + 1e-3, false},
                below_vertex = {{third, third, third}, -3.0 * third + 1e-3, false};
    const contact_list *list = build(&body, &below_edge, 0.0);
    assert_int_equal(list->count, 2);
    assert_near(list->items[0].gap, -1e-3, 1e-15);
    assert_near(abut_distance_between(list->items[0].on_b, list->items[1].on_b), 2.0, 1e-15);
    list = build(&body, &below_vertex, 0.0);
    assert_int_equal(list->count, 1);
    assert_int_equal(list->items[0].feature_a.index, 0);
    assert_near(list->items[0].gap, -1e-3, 1e-15);
    abut_shape_release(shape);
}

/* A face with more corners than fit on the stack. */
static void face_with_many_corners(void **state) {
    (void)state;
    enum { SIDES = 200 };
    abut_shape *shape = prism(1.0, 0.5, SIDES);
    convex body = place(shape);
    whole_plane plane = {{0, 0, 1}, -0.499, false};
    contact_list *list = build(&body, &plane, 0.0);
    assert_int_equal(list->count, SIDES);
    assert_near(area_of(list), 0.5 * SIDES * sin(6.283185307179586 / SIDES), 1e-12);
    contact_list_free(list);
    abut_shape_release(shape);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(face_of_a_box),
        cmocka_unit_test(order_of_corners),
        cmocka_unit_test(edge_and_vertex),
        cmocka_unit_test(face_with_many_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
