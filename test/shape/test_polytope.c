/* The surface that polytope_complete() makes of loops: dihedral angles in closed form, orders about the vertices, and loops that are no
 * surface. */
#include "support/allocator.h"
#include "support/solid.h"
#include "support/surface.h"

#define PI 3.14159265358979323846

static void check_angles(const solid *s, double angle) {
    abut_shape *shape = solid_shape(s);
    const polytope *p = &shape->surface;
    surface_check(shape, 1e-15);
    for (int32_t f = 0; f < p->face_count; f++) {
        assert_near(p->face_angles[f], angle, 1e-14);
    }
    abut_shape_release(shape);
}

static void dihedral_angles_of_regular_solids(void **state) {
    (void)state;
    solid tetrahedron =
        solid_tetrahedron(abut_vec3_make(1, 1, 1), abut_vec3_make(1, -1, -1), abut_vec3_make(-1, 1, -1), abut_vec3_make(-1, -1, 1));
    check_angles(&tetrahedron, PI - acos(1.0 / 3.0));
    solid_free(&tetrahedron);
    const abut_vec3 corners[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    solid octahedron = solid_hull(corners, 6);
    check_angles(&octahedron, acos(1.0 / 3.0));
    solid_free(&octahedron);
    solid cube = solid_box(abut_vec3_make(1, 1, 1));
    check_angles(&cube, 0.5 * PI);
    solid_free(&cube);
    double g = 0.5 * (1.0 + sqrt(5.0));
    abut_vec3 golden[12];
    for (int i = 0; i < 12; i++) {
        double a = i & 1 ? 1 : -1, b = i & 2 ? g : -g;
        golden[i] = i < 4 ? abut_vec3_make(0, a, b) : i < 8 ? abut_vec3_make(a, b, 0) : abut_vec3_make(b, 0, a);
    }
    solid icosahedron = solid_hull(golden, 12);
    check_angles(&icosahedron, acos(sqrt(5.0) / 3.0));
    solid_free(&icosahedron);
}

/* Seen from outside, the ends of a vertex's edges come in counter-clockwise order: each turns left from the one before, once round in
 * all. */
static void edges_turn_left_about_vertices(void **state) {
    (void)state;
    random_state random = random_make(random_seed("edges_turn_left_about_vertices", 5));
    solid cloud = solid_cloud(&random, 60, abut_vec3_make(1.0, 0.7, 0.4));
    abut_shape *shape = solid_shape(&cloud);
    const polytope *p = &shape->surface;
    surface_check(shape, 1e-14);
    for (int32_t v = 0; v < p->vertex_count; v++) {
        int32_t first = p->vertex_first[v], degree = p->vertex_first[v + 1] - first;
        abut_vec3 outward = {0, 0, 0};
        for (int32_t i = 0; i < degree; i++) {
            outward = abut_add(outward, p->normals[p->vertex_faces[first + i]]);
        }
        outward = abut_unit(outward);
        double turn = 0.0;
        for (int32_t i = 0; i < degree; i++) {
            abut_vec3 arm[2];
            for (int32_t k = 0; k < 2; k++) {
                const int32_t *ends = p->edges[p->vertex_edges[first + (i + k) % degree]].vertex;
                arm[k] = abut_sub(p->vertices[ends[0] == v ? ends[1] : ends[0]], p->vertices[v]);
                arm[k] = abut_add_scaled(arm[k], -abut_dot(arm[k], outward), outward);
            }
            double angle = atan2(abut_dot(outward, abut_cross(arm[0], arm[1])), abut_dot(arm[0], arm[1]));
            assert_true(angle > 0.0);
            turn += angle;
        }
        assert_near(turn, 2.0 * PI, 1e-9);
    }
    abut_shape_release(shape);
    solid_free(&cloud);
}

/* polytope_complete() on triangles over vertices in general position. */
static abut_status complete(int32_t vertex_count, int32_t face_count, const int32_t *loops) {
    polytope p;
    assert_ok(polytope_allocate(&p, vertex_count, face_count, 3 * face_count));
    for (int32_t v = 0; v < vertex_count; v++) {
        p.vertices[v] = abut_vec3_make(cos(v), sin(2 * v), v);
    }
    for (int32_t f = 0; f < face_count; f++) {
        p.face_first[f + 1] = 3 * (f + 1);
    }
    for (int32_t c = 0; c < 3 * face_count; c++) {
        p.face_vertices[c] = loops[c];
    }
    abut_status status = polytope_complete(&p);
    polytope_release(&p);
    assert_null(p.memory);
    return status;
}

static void loops_that_are_no_surface(void **state) {
    (void)state;
    const int32_t good[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    assert_ok(complete(4, 4, good));
    const int32_t flipped[12] = {0, 1, 2, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    assert_status(complete(4, 4, flipped), ABUT_ERROR_NOT_CLOSED);
    const int32_t unused_vertex[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    assert_status(complete(5, 4, unused_vertex), ABUT_ERROR_NOT_CLOSED);
    const int32_t repeated[12] = {0, 0, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    assert_status(complete(4, 4, repeated), ABUT_ERROR_NOT_CLOSED);
    /* Two tetrahedra that share vertex 3 only: closed, but two fans about it. */
    const int32_t pinched[24] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3, 4, 6, 5, 4, 5, 3, 5, 6, 3, 6, 4, 3};
    assert_status(complete(7, 8, pinched), ABUT_ERROR_NOT_CLOSED);
    /* Two triangles back to back: every vertex has two faces only. */
    const int32_t slit[6] = {0, 1, 2, 0, 2, 1};
    assert_status(complete(3, 2, slit), ABUT_ERROR_NOT_CLOSED);
}

static void out_of_memory(void **state) {
    (void)state;
    counting_allocator memory;
    int64_t refused = 0;
    do {
        memory = (counting_allocator){.refuse_at = refused++};
        counting_allocator_install(&memory);
        polytope p = {0};
        const int32_t loops[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
        abut_status status = polytope_allocate(&p, 4, 4, 12);
        if (status == ABUT_OK) {
            for (int32_t c = 0; c < 12; c++) {
                p.face_vertices[c] = loops[c];
                p.face_first[c / 3 + 1] = 3 * (c / 3 + 1);
            }
            for (int32_t v = 1; v < 4; v++) {
                p.vertices[v] = abut_vec3_make(v == 1, v == 2, v == 3);
            }
            status = polytope_complete(&p);
            abut_mass mass;
            status = status == ABUT_OK ? polytope_measure(&p, &mass) : status;
        }
        polytope_release(&p);
        counting_allocator_remove();
        assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
        assert_int_equal(memory.live, 0);
    } while (memory.refused);
    assert_true(refused > 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dihedral_angles_of_regular_solids),
        cmocka_unit_test(edges_turn_left_about_vertices),
        cmocka_unit_test(loops_that_are_no_surface),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
