/* Features of boxes by closed forms: they are those of the box's surface. Box frame. */
#include "narrow/normal/box_features.h"

#include "narrow/normal/feature.h"
#include "support/check.h"
#include "support/shapes.h"

static convex place(const abut_shape *shape, abut_quat turn) {
    abut_mat3 rotation = abut_mat3_from_quat(turn);
    abut_vec3 position = abut_vec3_make(1, 2, 3);
    convex body;
    convex_set(&body, shape, &rotation, &position, 0);
    return body;
}

static void edges_and_faces(void **state) {
    (void)state;
    abut_shape *shape = box(1, 2, 3);
    for (int32_t vertex = 0; vertex < 8; vertex++) {
        for (int axis = 0; axis < 3; axis++) {
            const int32_t *ends = shape->surface.edges[box_edge_along(axis, vertex)].vertex;
            assert_true((ends[0] == vertex || ends[1] == vertex) && (ends[0] ^ ends[1]) == 1 << axis);
        }
    }
    const abut_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int axis = 0; axis < 3; axis++) {
        assert_near(abut_dot(shape->surface.normals[box_face_along(axis, 1.0)], axes[axis]), 1.0, 0.0);
        assert_near(abut_dot(shape->surface.normals[box_face_along(axis, -1.0)], axes[axis]), -1.0, 0.0);
    }
    abut_shape_release(shape);
}

/* A face that takes part comes before an edge, and an edge before the vertex. */
static int32_t pick(const convex *box, abut_vec3 outward, double sine, abut_feature_kind *kind) {
    abut_vec3 local = convex_direction_to_local(box, outward);
    const double d[3] = {local.x, local.y, local.z};
    int face = box_face_axis(box, local, sine), edge = box_edge_axis(local, sine);
    if (face >= 0) {
        *kind = ABUT_FEATURE_FACE;
        return box_face_along(face, d[face]);
    }
    *kind = edge >= 0 ? ABUT_FEATURE_EDGE : ABUT_FEATURE_VERTEX;
    return edge >= 0 ? box_edge_along(edge, box_vertex_along(d)) : box_vertex_along(d);
}

/* Directions near faces, near edges and anywhere: feature_pick() picks the same. */
static void same_as_any_body(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("same_as_any_body", 71));
    int32_t seen[ABUT_FEATURE_SMOOTH + 1] = {0};
    for (int32_t i = 0; i < 20000; i++) {
        abut_vec3 half = random_vec3(&random, 0.1, 1.0), d = random_direction(&random);
        double flat_y = random_below(&random, 2) == 0 ? 1.0 : random_log_range(&random, 1e-9, 1.0);
        double flat_z = random_below(&random, 2) == 0 ? 1.0 : random_log_range(&random, 1e-9, 1.0);
        abut_shape *shape = box(half.x, half.y, half.z);
        convex body = place(shape, random_rotation(&random));
        abut_vec3 outward = convex_direction_to_pair(&body, abut_unit(abut_vec3_make(d.x, flat_y * d.y, flat_z * d.z)));
        double sine = random_log_range(&random, 1e-7, 0.5);
        abut_feature_kind kind;
        int32_t index = pick(&body, outward, sine, &kind);
        abut_feature picked = feature_pick(&body, outward, sine);
        tally_sample(&t, "sample %d", (int)i);
        if (kind != picked.kind || index != picked.index) {
            tally_fail(&t, "feature", "%d %d, not %d %d", (int)kind, (int)index, (int)picked.kind, (int)picked.index);
        }
        ++seen[kind];
        abut_shape_release(shape);
    }
    tally_end(&t);
    assert_true(seen[ABUT_FEATURE_FACE] > 1000 && seen[ABUT_FEATURE_EDGE] > 1000 && seen[ABUT_FEATURE_VERTEX] > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(edges_and_faces), cmocka_unit_test(same_as_any_body)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
