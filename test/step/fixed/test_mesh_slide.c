/*
 * Frictionless sliding over a flat mesh with cells of half a metre: nothing slows the body, lifts it or deflects it, however the mesh is made:
 * joined or not, with joints in the middle of sides, mirrored, or as two bodies side by side.
 */
#include <abut/abut.h>

#include <stdlib.h>
#include <string.h>

#include "support/check.h"

enum { CELLS = 60, ACROSS = CELLS + 1, VERTICES = ACROSS * ACROSS, TRIANGLES = 2 * CELLS * CELLS };

#define CELL 0.5

typedef enum making { JOINED, TORN, CUT_ANEW, MIRRORED, TWO_BODIES, GRID, MAKINGS } making;

static const char *const making_names[MAKINGS] = {"joined", "torn", "cut anew", "mirrored", "two bodies", "height field"};

typedef struct sheet {
    abut_vec3 *vertices;
    int32_t (*triangles)[3];
    int32_t vertex_count, triangle_count;
} sheet;

/* Columns of cells from `first` on. */
static sheet make_sheet(int32_t first, int32_t columns) {
    sheet s = {check_memory(2 * VERTICES + 2 * TRIANGLES, sizeof *s.vertices), check_memory(3 * TRIANGLES, sizeof *s.triangles), 0, 0};
    s.vertex_count = (columns + 1) * ACROSS;
    for (int32_t i = 0; i < s.vertex_count; i++) {
        s.vertices[i] = abut_vec3_make(CELL * (first + i % (columns + 1)), CELL * (i / (columns + 1)), 0.0);
    }
    for (int32_t row = 0; row < CELLS; row++) {
        for (int32_t column = 0; column < columns; column++) {
            int32_t a = row * (columns + 1) + column, b = a + 1, d = a + columns + 1, c = d + 1;
            bool turned = (row * 7 + column * 3) % 5 < 2;
            const int32_t two[2][3] = {{a, b, turned ? d : c}, {turned ? b : a, c, d}};
            memcpy(s.triangles[s.triangle_count], two, sizeof two);
            s.triangle_count += 2;
        }
    }
    return s;
}

static void tear(sheet *s) {
    abut_vec3 *torn = check_memory(2 * VERTICES + 6 * TRIANGLES, sizeof *torn);
    for (int32_t i = 0; i < 3 * s->triangle_count; i++) {
        torn[i] = s->vertices[s->triangles[i / 3][i % 3]];
        s->triangles[i / 3][i % 3] = i;
    }
    free(s->vertices);
    s->vertices = torn;
    s->vertex_count = 3 * s->triangle_count;
}

/* Every third triangle is split at the middle of its first side, every third into three at its centroid. */
static void cut(sheet *s) {
    for (int32_t t = 0, count = s->triangle_count; t < count; t++) {
        int32_t a = s->triangles[t][0], b = s->triangles[t][1], c = s->triangles[t][2], m = s->vertex_count;
        if (t % 3 == 0) {
            s->vertices[s->vertex_count++] = abut_lerp(s->vertices[a], s->vertices[b], 0.5);
            memcpy(s->triangles[t], (int32_t[3]){a, m, c}, sizeof s->triangles[t]);
            memcpy(s->triangles[s->triangle_count++], (int32_t[3]){m, b, c}, sizeof s->triangles[t]);
        } else if (t % 3 == 1) {
            s->vertices[s->vertex_count++] = abut_lerp(abut_lerp(s->vertices[a], s->vertices[b], 0.5), s->vertices[c], 0.3);
            memcpy(s->triangles[t], (int32_t[3]){a, b, m}, sizeof s->triangles[t]);
            memcpy(s->triangles[s->triangle_count++], (int32_t[3]){b, c, m}, sizeof s->triangles[t]);
            memcpy(s->triangles[s->triangle_count++], (int32_t[3]){c, a, m}, sizeof s->triangles[t]);
        }
    }
}

static abut_shape *mesh_of(const sheet *s, bool mirrored) {
    abut_trimesh_def def = abut_trimesh_def_default();
    for (int32_t v = 0; v < s->vertex_count && mirrored; v++) {
        s->vertices[v].x = -s->vertices[v].x;
    }
    for (int32_t t = 0; t < s->triangle_count && mirrored; t++) {
        int32_t swap = s->triangles[t][1];
        s->triangles[t][1] = s->triangles[t][2];
        s->triangles[t][2] = swap;
    }
    def.scale.x = mirrored ? -1.0 : 1.0;
    def.vertices = s->vertices;
    def.vertex_count = s->vertex_count;
    def.triangles = &s->triangles[0][0];
    def.triangle_count = s->triangle_count;
    abut_shape *mesh = NULL;
    assert_ok(abut_shape_create_trimesh(&def, NULL, &mesh));
    return mesh;
}

static void add_static(abut_world *world, abut_shape *shape) {
    abut_body_def def = abut_body_def_default();
    def.kind = ABUT_BODY_STATIC;
    def.shape = shape;
    def.friction = 0.0;
    assert_ok(abut_world_add_body(world, &def, NULL));
    abut_shape_release(shape);
}

static void add_ground(abut_world *world, making how) {
    if (how == GRID) {
        double *heights = check_memory(VERTICES, sizeof *heights);
        abut_heightfield_def def = {.heights = heights, .columns = ACROSS, .rows = ACROSS, .spacing_x = CELL, .spacing_y = CELL};
        abut_shape *grid = NULL;
        assert_ok(abut_shape_create_heightfield(&def, &grid));
        free(heights);
        add_static(world, grid);
        return;
    }
    for (int32_t half = 0; half < (how == TWO_BODIES ? 2 : 1); half++) {
        sheet s = how == TWO_BODIES ? make_sheet(half * CELLS / 2, CELLS / 2) : make_sheet(0, CELLS);
        if (how == TORN) {
            tear(&s);
        } else if (how == CUT_ANEW) {
            cut(&s);
        }
        add_static(world, mesh_of(&s, how == MIRRORED));
        free(s.vertices);
        free(s.triangles);
    }
}

/* ---- bodies ---- */

typedef struct slider {
    const char *name;
    abut_shape *shape;
    abut_quat rotation;
    double height;
} slider;

/* A hull on one of its faces: the largest. */
static slider make_hull(void) {
    random_state random = random_make(421);
    abut_vec3 points[32];
    for (int i = 0; i < 32; i++) {
        abut_vec3 u = random_direction(&random);
        points[i] = abut_vec3_make(0.5 * u.x, 0.4 * u.y, 0.3 * u.z);
    }
    slider made = {.name = "hull"};
    assert_ok(abut_shape_create_hull(points, 32, &made.shape));
    abut_polytope_view view;
    assert_ok(abut_shape_polytope(made.shape, &view));
    abut_mass mass;
    assert_ok(abut_shape_mass(made.shape, 1.0, &mass));
    int32_t best = 0;
    double nearest = INFINITY; /* it stands on the face that is nearest to its centre of mass */
    for (int32_t f = 0; f < view.face_count; f++) {
        abut_vec3 corner = view.vertices[view.face_vertices[view.face_first[f]]];
        double distance = abut_dot(view.face_normals[f], abut_sub(corner, mass.centre));
        best = distance < nearest ? f : best;
        nearest = fmin(nearest, distance);
    }
    abut_vec3 n = view.face_normals[best], down = {0, 0, -1}, axis = abut_unit(abut_cross(n, down));
    made.rotation = abut_quat_about(axis, acos(abut_dot(n, down)));
    made.height = abut_dot(n, view.vertices[view.face_vertices[view.face_first[best]]]);
    return made;
}

static slider make_slider(int kind) {
    slider made = {.rotation = abut_quat_identity()};
    switch (kind) {
    case 0:
        made.name = "sphere";
        made.height = 0.3;
        assert_ok(abut_shape_create_sphere(0.3, &made.shape));
        return made;
    case 1:
        made.name = "capsule";
        made.height = 0.25;
        made.rotation = abut_quat_about(abut_vec3_make(1, 0, 0), 1.5707963267948966);
        assert_ok(abut_shape_create_capsule(0.25, 0.4, &made.shape));
        return made;
    case 2:
        made.name = "box";
        made.height = 0.3;
        made.rotation = abut_quat_about(abut_vec3_make(0, 0, 1), 0.3);
        assert_ok(abut_shape_create_box(abut_vec3_make(0.5, 0.4, 0.3), &made.shape));
        return made;
    default:
        return make_hull();
    }
}

static void slide(int kind, making how) {
    const double speed = 8.5, drift = 0.31;
    abut_world_def def = abut_world_def_default();
    def.fixed.sleeping = false;
    abut_world *world = NULL;
    assert_ok(abut_world_create(&def, &world));
    add_ground(world, how);
    slider s = make_slider(kind);
    abut_body_def body = abut_body_def_default();
    body.shape = s.shape;
    body.friction = 0.0;
    body.pose = (abut_pose){{3.0, 13.1, s.height}, s.rotation};
    body.motion.linear = abut_vec3_make(speed, drift, 0.0);
    abut_body_id id;
    assert_ok(abut_world_add_body(world, &body, &id));
    for (int step = 0; step < 150; step++) {
        assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
        abut_body_state state;
        assert_ok(abut_world_body_state(world, id, &state));
        bool kept = fabs(state.motion.linear.x - speed) <= 1e-3 * speed && fabs(state.motion.linear.y - drift) <= 1e-3 * speed &&
                    fabs(state.pose.position.z - s.height) <= 1e-6 * s.height;
        if (!kept) {
            print_error("%s, %s, step %d: velocity (%.9g %.9g %.9g), height off by %.3g\n", s.name, making_names[how], step,
                        state.motion.linear.x, state.motion.linear.y, state.motion.linear.z, state.pose.position.z - s.height);
        }
        assert_true(kept);
    }
    abut_shape_release(s.shape);
    abut_world_destroy(world);
}

static void flat_meshes_are_flat(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        for (int how = 0; how < MAKINGS; how++) {
            slide(kind, (making)how);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(flat_meshes_are_flat)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
