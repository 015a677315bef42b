/*
 * A ball on a mesh: the cases T1 to T10, in every order of the triangles, with the mesh as either body, rotated and far away; the rules
 * kept for comparison; two-sided meshes.
 */
#include <abut/mesh.h>

#include <stdlib.h>

#include "support/check.h"

enum { MOST_VERTICES = 16, MOST_TRIANGLES = 12, MOST_EXPECTED = 2 };

typedef struct surface {
    abut_vec3 vertex[MOST_VERTICES];
    int32_t triangle[MOST_TRIANGLES][3];
    int32_t vertex_count, triangle_count;
} surface;

typedef struct expected {
    abut_vec3 normal;
    double distance;
    abut_feature_kind kind;
} expected;

typedef struct ball_case {
    const char *name;
    const surface *on;
    abut_vec3 centre;
    double radius, margin;
    int32_t count;
    expected touch[MOST_EXPECTED];
} ball_case;

#define F ABUT_FEATURE_FACE
#define E ABUT_FEATURE_EDGE
#define V ABUT_FEATURE_VERTEX
#define TIE ABUT_FEATURE_NONE /* right over a joint, rounding error decides which feature it is */

static abut_shape *make_mesh(const surface *s, const int32_t *order, double scale, bool mirrored, bool two_sided) {
    int32_t triangles[MOST_TRIANGLES][3];
    for (int32_t i = 0; i < s->triangle_count; i++) {
        for (int k = 0; k < 3; k++) {
            triangles[i][k] = s->triangle[order[i]][k];
        }
    }
    abut_vec3 vertices[MOST_VERTICES];
    for (int32_t v = 0; v < s->vertex_count; v++) {
        vertices[v] = s->vertex[v];
        vertices[v].x *= mirrored ? -1.0 : 1.0;
    }
    if (mirrored) { /* the file has the opposite winding, and the scale restores it */
        for (int32_t i = 0; i < s->triangle_count; i++) {
            int32_t swap = triangles[i][1];
            triangles[i][1] = triangles[i][2];
            triangles[i][2] = swap;
        }
    }
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = vertices;
    def.vertex_count = s->vertex_count;
    def.triangles = &triangles[0][0];
    def.triangle_count = s->triangle_count;
    def.scale = abut_vec3_make(mirrored ? -scale : scale, scale, scale);
    def.two_sided = two_sided;
    abut_shape *mesh = NULL;
    assert_ok(abut_shape_create_trimesh(&def, NULL, &mesh));
    return mesh;
}

static bool next_order(int32_t *order, int32_t count) {
    int32_t i = count - 2;
    while (i >= 0 && order[i] > order[i + 1]) {
        i--;
    }
    if (i < 0) {
        return false;
    }
    int32_t k = count - 1;
    while (order[k] < order[i]) {
        k--;
    }
    int32_t swap = order[i];
    order[i] = order[k];
    order[k] = swap;
    for (int32_t low = i + 1, high = count - 1; low < high; low++, high--) {
        swap = order[low];
        order[low] = order[high];
        order[high] = swap;
    }
    return true;
}

static int32_t ask(const abut_shape *mesh, const ball_case *c, double scale, abut_pose motion, bool swapped,
                   const abut_collide_settings *base, abut_contact *contacts, int32_t capacity) {
    abut_shape *ball = NULL;
    assert_ok(abut_shape_create_sphere(scale * c->radius, &ball));
    abut_collide_settings settings = *base;
    settings.margin = scale * c->margin;
    abut_pose at = abut_pose_compose(motion, (abut_pose){abut_scale(scale, c->centre), abut_quat_about(abut_vec3_make(0, 1, 0), 0.3)});
    int32_t count;
    if (swapped) {
        assert_ok(abut_collide(&(abut_pair){mesh, motion, ball, at}, &settings, NULL, contacts, capacity, &count));
    } else {
        assert_ok(abut_collide(&(abut_pair){ball, at, mesh, motion}, &settings, NULL, contacts, capacity, &count));
    }
    abut_shape_release(ball);
    return count;
}

/* Exactly one contact for every expected one, in any order. */
static void check_touches(const ball_case *c, double scale, abut_pose motion, bool swapped, const abut_contact *contacts, int32_t count) {
    if (count != c->count) {
        print_error("%s: %d contacts, expected %d\n", c->name, (int)count, (int)c->count);
    }
    assert_int_equal(count, c->count);
    double rounding = 1e-9 * scale + 4e-16 * abut_length(motion.position) * 10.0;
    for (int32_t i = 0; i < c->count; i++) {
        bool found = false;
        for (int32_t k = 0; k < count; k++) {
            abut_vec3 n = swapped ? abut_neg(contacts[k].normal) : contacts[k].normal;
            n = abut_quat_rotate_inverse(motion.rotation, n);
            abut_feature feature = swapped ? contacts[k].feature_a : contacts[k].feature_b;
            bool same = abut_distance_between(n, c->touch[i].normal) < 2e-6 &&
                        (c->touch[i].kind == TIE || feature.kind == c->touch[i].kind) &&
                        fabs(contacts[k].gap - scale * (c->touch[i].distance - c->radius)) < rounding;
            found = found || same;
            double gap = abut_dot(contacts[k].normal, abut_sub(contacts[k].on_a, contacts[k].on_b));
            assert_near(gap, contacts[k].gap, rounding);
        }
        if (!found) {
            print_error("%s: not found: %d of %d; first normal (%g %g %g) gap %g kind %d\n", c->name, (int)i, (int)c->count,
                        contacts[0].normal.x, contacts[0].normal.y, contacts[0].normal.z, contacts[0].gap, (int)contacts[0].feature_b.kind);
        }
        assert_true(found);
    }
}

static void check_everywhere(const ball_case *c, const abut_collide_settings *settings, const int32_t *order) {
    static const double scales[] = {1.0, 1e-3, 1e3};
    abut_pose still = abut_pose_identity(), moved = {{1e5, -3e4, 7e3}, abut_quat_about(abut_unit(abut_vec3_make(1, 2, -1)), 1.1)};
    for (int s = 0; s < 3; s++) {
        for (int mirrored = 0; mirrored < 2; mirrored++) {
            abut_shape *mesh = make_mesh(c->on, order, scales[s], mirrored, false);
            for (int swapped = 0; swapped < 2; swapped++) {
                abut_contact contacts[16];
                check_touches(c, scales[s], still, swapped, contacts, ask(mesh, c, scales[s], still, swapped, settings, contacts, 16));
                /* So far away that no point lies exactly on a triangle. */
                if (s == 0 && !(c->count > 0 && c->touch[0].distance == 0.0)) {
                    check_touches(c, 1.0, moved, swapped, contacts, ask(mesh, c, 1.0, moved, swapped, settings, contacts, 16));
                }
            }
            abut_shape_release(mesh);
        }
    }
}

static void check_case(const ball_case *c, const abut_collide_settings *settings) {
    int32_t order[MOST_TRIANGLES];
    for (int32_t i = 0; i < c->on->triangle_count; i++) {
        order[i] = i;
    }
    int tried = 0;
    do {
        check_everywhere(c, settings, order);
    } while (next_order(order, c->on->triangle_count) && ++tried < 200);
}

static const surface quad = {{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}, 4, 2};

#define C30 0.86602540378443865
/* Planes that fall at 30 degrees from the edge x = 0, or rise. */
static const surface ridge = {{{0, -3, 0}, {0, 3, 0}, {-3 * C30, -3, -1.5}, {-3 * C30, 3, -1.5}, {3 * C30, -3, -1.5}, {3 * C30, 3, -1.5}},
                              {{0, 1, 2}, {1, 3, 2}, {0, 4, 1}, {1, 4, 5}},
                              6,
                              4};
static const surface valley = {{{0, -3, 0}, {0, 3, 0}, {-3 * C30, -3, 1.5}, {-3 * C30, 3, 1.5}, {3 * C30, -3, 1.5}, {3 * C30, 3, 1.5}},
                               {{0, 1, 2}, {1, 3, 2}, {0, 4, 1}, {1, 4, 5}},
                               6,
                               4};
/* z = 0 for x < 0, the wall x = 0 down. */
static const surface cliff = {
    {{-3, -3, 0}, {0, -3, 0}, {0, 3, 0}, {-3, 3, 0}, {0, -3, -3}, {0, 3, -3}}, {{0, 1, 2}, {0, 2, 3}, {1, 4, 5}, {1, 5, 2}}, 6, 4};
/* Floor z = 0 for x < 0, z = 0.3 for x > 0. */
static const surface step = {{{-3, -3, 0}, {0, -3, 0}, {0, 3, 0}, {-3, 3, 0}, {0, -3, 0.3}, {0, 3, 0.3}, {3, -3, 0.3}, {3, 3, 0.3}},
                             {{0, 1, 2}, {0, 2, 3}, {1, 4, 5}, {1, 5, 2}, {4, 6, 7}, {4, 7, 5}},
                             8,
                             6};
static const surface figure_7 = {{{0, 0, 0}, {1, 0, 0}, {0.5, 1, 0}, {1.5, 1, 0}, {2, 0, 0}}, {{0, 1, 2}, {1, 3, 2}, {1, 4, 3}}, 5, 3};
/* Six unit triangles about the origin, and one beyond a rim edge. */
static const surface figure_8 = {
    {{0, 0, 0}, {1, 0, 0}, {0.5, C30, 0}, {-0.5, C30, 0}, {-1, 0, 0}, {-0.5, -C30, 0}, {0.5, -C30, 0}, {1.5, C30, 0}},
    {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}, {0, 5, 6}, {0, 6, 1}, {1, 7, 2}},
    8,
    7};
static const surface cube = {
    {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {-1, 1, 1}, {1, 1, 1}},
    {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}},
    8,
    12};
/* The quad in halves that share no vertex, with -0 among the coordinates. */
static const surface halves = {
    {{-1, -1, 0}, {1, -1, -0.0}, {1, 1, 0}, {-1, -1, -0.0}, {1, 1, -0.0}, {-1, 1, 0}}, {{0, 1, 2}, {3, 4, 5}}, 6, 2};
static const surface t_junction = {{{-2, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, 0}, {2, 0, 0}}, {{0, 1, 2}, {1, 4, 3}, {3, 4, 2}}, 5, 3};
/* Floor z = 0 for x < 0, and a wall x = 0 going up that faces it. */
static const surface behind_wall = {
    {{-3, -3, 0}, {0, -3, 0}, {0, 3, 0}, {-3, 3, 0}, {0, -3, 3}, {0, 3, 3}}, {{0, 1, 2}, {0, 2, 3}, {1, 4, 5}, {1, 5, 2}}, 6, 4};

#define UP(d, kind) \
    { {0, 0, 1}, d, kind }

static const ball_case cases[] = {
    {"T1 flat", &quad, {0.5, -0.3, 0.9}, 1, 0.1, 1, {UP(0.9, F)}},
    {"T2 over the diagonal", &quad, {0.3, 0.3, 0.9}, 1, 0.1, 1, {UP(0.9, TIE)}},
    {"T2 over the corner", &quad, {-1, -1, 0.9}, 1, 0.1, 1, {UP(0.9, TIE)}},
    {"T3 ridge", &ridge, {0.1, 0.3, 0.95}, 1, 0.1, 1, {{{0.104685, 0, 0.994505}, 0.955248659, E}}},
    {"T3 slope", &ridge, {0.9, 0.3, 0.5}, 1, 0.1, 1, {{{0.5, 0, 0.866025}, 0.883012702, F}}},
    {"T4 valley", &valley, {0, 0.3, 1.1}, 1, 0.1, 2, {{{-0.5, 0, 0.866025}, 0.952627944, F}, {{0.5, 0, 0.866025}, 0.952627944, F}}},
    {"T4 valley, aside",
     &valley,
     {0.05, 0.3, 1.1},
     1,
     0.1,
     2,
     {{{-0.5, 0, 0.866025}, 0.927627944, F}, {{0.5, 0, 0.866025}, 0.977627944, F}}},
    {"T5 cliff, top", &cliff, {-0.2, 0.5, 0.9}, 1, 0.1, 1, {UP(0.9, F)}},
    {"T5 cliff, over the edge", &cliff, {0, 0.5, 0.9}, 1, 0.1, 1, {UP(0.9, TIE)}},
    {"T5 cliff, beyond", &cliff, {0.3, 0.5, 0.8}, 1, 0.1, 1, {{{0.351123, 0, 0.936329}, 0.854400375, E}}},
    {"T5 cliff, wall", &cliff, {0.9, 0.5, -0.3}, 1, 0.1, 1, {{{1, 0, 0}, 0.9, F}}},
    {"T5 cliff, within", &cliff, {-0.2, 0.5, -0.9}, 1, 0.1, 0, {{{0, 0, 0}, 0, F}}},
    {"T6 step", &step, {-0.4, 0.5, 0.98}, 1, 0.1, 2, {UP(0.98, F), {{-0.507020, 0, 0.861934}, 0.788923317, E}}},
    {"T6 step, before", &step, {-0.95, 0.5, 0.98}, 1, 0.1, 1, {UP(0.98, F)}},
    {"T7 figure 7", &figure_7, {0.5, 0.4, 0.5}, 0.5, 2, 1, {UP(0.5, F)}},
    {"T8 figure 8", &figure_8, {0, 0, 0.5}, 0.6, 1, 1, {UP(0.5, TIE)}},
    {"T9 corner", &cube, {1.2, 1.3, 1.4}, 0.6, 0.1, 1, {{{0.371391, 0.557086, 0.742781}, 0.538516481, V}}},
    {"T9 edge", &cube, {1.3, 0.2, 1.4}, 0.6, 0.1, 1, {{{0.6, 0, 0.8}, 0.5, E}}},
    {"T9 face", &cube, {0.3, 0.2, 1.4}, 0.6, 0.1, 1, {UP(0.4, F)}},
    {"T10 halves", &halves, {0.5, -0.3, 0.9}, 1, 0.1, 1, {UP(0.9, F)}},
    {"T10 halves, over the joint", &halves, {0.3, 0.3, 0.9}, 1, 0.1, 1, {UP(0.9, TIE)}},
    {"T10 T-junction", &t_junction, {-0.2, 0.4, 0.9}, 1, 0.1, 1, {UP(0.9, F)}},
    {"T10 behind the wall", &behind_wall, {0.2, 0.5, 0.5}, 1, 0.1, 0, {{{0, 0, 0}, 0, F}}},
    {"T10 on the triangle", &quad, {0.5, -0.3, 0}, 1, 0.1, 1, {UP(0, F)}},
};

static void printed_cases(void **state) {
    (void)state;
    abut_collide_settings settings = abut_collide_settings_default();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_case(&cases[i], &settings);
    }
}

/* Identity by index and by position give the same, except for joints that have neither in common. */
static void other_identities(void **state) {
    (void)state;
    abut_collide_settings settings = abut_collide_settings_default();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (cases[i].on != &t_junction && cases[i].on != &halves) {
            settings.baseline.mesh_identity = ABUT_MESH_BY_INDEX;
            check_case(&cases[i], &settings);
        }
        if (cases[i].on != &t_junction) {
            settings.baseline.mesh_identity = ABUT_MESH_BY_POSITION;
            check_case(&cases[i], &settings);
        }
    }
}

static int32_t count_with(const surface *on, abut_vec3 centre, double radius, double margin, abut_mesh_rule rule,
                          abut_mesh_identity identity, bool two_sided, abut_contact *contacts) {
    static const int32_t order[MOST_TRIANGLES] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    abut_collide_settings settings = abut_collide_settings_default();
    settings.baseline.mesh_rule = rule;
    settings.baseline.mesh_identity = identity;
    ball_case c = {.name = "", .on = on, .centre = centre, .radius = radius, .margin = margin};
    abut_shape *mesh = make_mesh(on, order, 1.0, false, two_sided);
    int32_t count = ask(mesh, &c, 1.0, abut_pose_identity(), false, &settings, contacts, 16);
    abut_shape_release(mesh);
    return count;
}

/* The errors of the rules kept for comparison, with the figures of the design. */
static void baselines(void **state) {
    (void)state;
    abut_contact c[16];
    abut_vec3 over = {0.5, -0.3, 0.9};
    assert_int_equal(count_with(&quad, over, 1, 0.1, ABUT_MESH_CLOSEST_POINTS, ABUT_MESH_BY_INDEX, false, c), 2);
    int ghost = c[0].normal.z < 0.9 ? 0 : 1;
    assert_vec3_near(c[ghost].on_b, abut_vec3_make(0.1, 0.1, 0), 1e-12);
    assert_vec3_near(c[ghost].normal, abut_vec3_make(0.376288, -0.376288, 0.846649), 1e-6);
    assert_near(c[ghost].gap, 0.063014581, 1e-9);
    assert_int_equal(count_with(&quad, over, 1, 0.1, ABUT_MESH_TRIANGLE_NORMALS, ABUT_MESH_BY_INDEX, false, c), 2);
    assert_vec3_near(c[0].normal, abut_vec3_make(0, 0, 1), 1e-12);
    assert_vec3_near(c[1].normal, abut_vec3_make(0, 0, 1), 1e-12);
    assert_int_equal(count_with(&quad, over, 1, 0.1, ABUT_MESH_PUBLISHED, ABUT_MESH_BY_INDEX, false, c), 1);
    /* Figure 8: one contact, with the vertex. */
    assert_int_equal(count_with(&figure_8, abut_vec3_make(0, 0, 0.5), 0.6, 1.0, ABUT_MESH_PUBLISHED, ABUT_MESH_BY_INDEX, false, c), 1);
    assert_int_equal(c[0].feature_b.kind, ABUT_FEATURE_VERTEX);
    assert_int_equal(c[0].feature_b.index, 0);
    assert_near(c[0].gap, -0.1, 1e-15);
    assert_vec3_near(c[0].normal, abut_vec3_make(0, 0, 1), 1e-15);
    /* Its first version takes the edge of T7 before the vertex. */
    assert_int_equal(count_with(&figure_8, abut_vec3_make(0, 0, 0.5), 0.6, 1.0, ABUT_MESH_THREE_PASSES, ABUT_MESH_BY_INDEX, false, c), 2);
    assert_vec3_near(c[1].on_b, abut_vec3_make(0.75, 0.433013, 0), 1e-6);
    /* The triangles at a T-junction have no vertex in common. */
    assert_int_equal(count_with(&t_junction, abut_vec3_make(-0.2, 0.4, 0.9), 1, 0.1, ABUT_MESH_PUBLISHED, ABUT_MESH_BY_INDEX, false, c), 2);
    ghost = c[0].normal.z < 0.99 ? 0 : 1;
    assert_vec3_near(c[ghost].normal, abut_vec3_make(-0.216930, 0, 0.976187), 1e-6);
    assert_near(c[ghost].gap, 0.921954446 - 1.0, 1e-9);
    /* A wall seen from behind. */
    assert_int_equal(count_with(&behind_wall, abut_vec3_make(0.2, 0.5, 0.5), 1, 0.1, ABUT_MESH_PUBLISHED, ABUT_MESH_BY_INDEX, false, c), 1);
    assert_vec3_near(c[0].normal, abut_vec3_make(0.371391, 0, 0.928477), 1e-6);
}

static void two_sides(void **state) {
    (void)state;
    abut_contact c[16];
    abut_vec3 under = {0.5, -0.3, -0.4};
    assert_int_equal(count_with(&quad, under, 0.5, 0.0, ABUT_MESH_SURFACE, ABUT_MESH_BY_PLACE, false, c), 0);
    assert_int_equal(count_with(&quad, under, 0.5, 0.0, ABUT_MESH_SURFACE, ABUT_MESH_BY_PLACE, true, c), 1);
    assert_vec3_near(c[0].normal, abut_vec3_make(0, 0, -1), 1e-12);
    assert_near(c[0].gap, -0.1, 1e-12);
    assert_int_equal(count_with(&behind_wall, abut_vec3_make(0.2, 0.5, 0.5), 1, 0.1, ABUT_MESH_SURFACE, ABUT_MESH_BY_PLACE, true, c), 1);
    assert_vec3_near(c[0].normal, abut_vec3_make(1, 0, 0), 1e-12);
}

/* Over every face, edge and vertex of a grid, and between: one contact, with a vertical normal. */
static void ties_on_a_grid(void **state) {
    (void)state;
    enum { N = 5 };
    double heights[N * N] = {0};
    abut_heightfield_def def = {.heights = heights, .columns = N, .rows = N, .spacing_x = 1.0, .spacing_y = 1.0};
    abut_shape *grid = NULL, *ball = NULL;
    assert_ok(abut_shape_create_heightfield(&def, &grid));
    assert_ok(abut_shape_create_sphere(0.7, &ball));
    for (int i = 0; i < 24; i++) {
        for (int k = 0; k < 24; k++) {
            abut_pose at = {{0.5 + i * 0.125, 0.5 + k * 0.125, 0.6}, abut_quat_identity()};
            abut_contact c[8];
            int32_t count;
            assert_ok(abut_collide(&(abut_pair){ball, at, grid, abut_pose_identity()}, NULL, NULL, c, 8, &count));
            assert_int_equal(count, 1);
            assert_vec3_near(c[0].normal, abut_vec3_make(0, 0, 1), 1e-12);
            assert_near(c[0].gap, -0.1, 1e-12);
        }
    }
    abut_shape_release(grid);
    abut_shape_release(ball);
}

/* Two triangles with one closest vertex. The one seen from behind has an edge perpendicular to the direction of the ball. Rounding error
 * decides whether that edge or the vertex is its closest feature, but must not decide the contact. */
static void a_vertex_that_may_be_an_edge(void **state) {
    (void)state;
    const double r = 1.7585861263796687;
    const abut_vec3 vertices[4] = {{0, 0, 9.5687806606292725e-05}, {0.375, 0, 15.5}, {0, 0.375, 0}, {0.375, 0.375, -0.15639484487473965}};
    const int32_t triangles[6] = {0, 1, 3, 0, 3, 2};
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 4;
    def.triangles = triangles;
    def.triangle_count = 2;
    def.pose.position = abut_vec3_make(9.5687806606292738e-05, -0.78445124439895153, -1.375);
    abut_shape *mesh = NULL, *ball = NULL;
    assert_ok(abut_shape_create_trimesh(&def, NULL, &mesh));
    assert_ok(abut_shape_create_sphere(r, &ball));
    abut_pose mesh_pose = {{15.5, 1.1807461762800813, 0.03910053800791502}, {0, 0.70710678118654757, 0, 0.70710678118654757}};
    abut_pose pose = {{14.125095687806606, 0.39629493188112885, 1.7975909765809788}, {0, 0, -0.36627252908604757, 0.93050762191231418}};
    abut_collide_settings settings = abut_collide_settings_default();
    settings.margin = 0.8;
    random_state random = random_make(random_seed("a_vertex_that_may_be_an_edge", 17));
    for (int i = 0; i < 200; i++) {
        abut_contact c[8];
        int32_t count;
        assert_ok(abut_collide(&(abut_pair){mesh, mesh_pose, ball, pose}, &settings, NULL, c, 8, &count));
        assert_int_equal(count, 1);
        assert_near(c[0].gap, 0.0, 1e-13);
        assert_ok(abut_collide(&(abut_pair){ball, pose, mesh, mesh_pose}, &settings, NULL, c, 8, &count));
        assert_int_equal(count, 1);
        assert_near(c[0].gap, 0.0, 1e-13);
        abut_pose motion = random_pose(&random, 1.0);
        mesh_pose = abut_pose_compose(motion, mesh_pose);
        pose = abut_pose_compose(motion, pose);
        mesh_pose.rotation = abut_quat_unit(mesh_pose.rotation);
        if (i % 20 == 19) {
            pose.position = abut_pose_apply(mesh_pose, abut_add(vertices[0], abut_vec3_make(-r, 0, 0)));
            pose.position = abut_add(pose.position, abut_quat_rotate(mesh_pose.rotation, def.pose.position));
        }
    }
    abut_shape_release(mesh);
    abut_shape_release(ball);
}

/* A centre in a triangle's plane, within rounding error, counts as in front of it: beside its border, and in the middle of it. */
static void centres_in_the_plane(void **state) {
    (void)state;
    random_state random = random_make(random_seed("centres_in_the_plane", 18));
    const int32_t triangle[3] = {0, 1, 2};
    for (int i = 0; i < 2000; i++) {
        double far = random_log_range(&random, 1e-3, 1e3);
        abut_vec3 vertices[3] = {{0, 0, 0}, {random_range(&random, 1, 9), 0, 0}, {0, random_range(&random, 1, 9), 0}};
        abut_trimesh_def def = abut_trimesh_def_default();
        def.vertices = vertices;
        def.vertex_count = 3;
        def.triangles = triangle;
        def.triangle_count = 1;
        def.two_sided = i % 4 == 0;
        abut_shape *mesh = NULL, *ball = NULL;
        assert_ok(abut_shape_create_trimesh(&def, NULL, &mesh));
        assert_ok(abut_shape_create_sphere(1.0, &ball));
        abut_pose at = random_pose(&random, far), pose = {{0, 0, 0}, random_rotation(&random)};
        at.rotation = far > 1.0 ? abut_quat_identity() : at.rotation; /* otherwise rounding would place the centre behind */
        bool beside = i % 2 == 0;
        pose.position = abut_pose_apply(at, beside ? abut_vec3_make(0.3, -0.5, 0) : abut_vec3_make(0.3, 0.4, 0));
        for (int order = 0; order < 2; order++) {
            abut_contact c[4];
            int32_t count;
            assert_ok(order ? abut_collide(&(abut_pair){mesh, at, ball, pose}, NULL, NULL, c, 4, &count)
                            : abut_collide(&(abut_pair){ball, pose, mesh, at}, NULL, NULL, c, 4, &count));
            assert_int_equal(count, 1);
            assert_near(c[0].gap, beside ? -0.5 : -1.0, 1e-12 * (1.0 + far));
            abut_vec3 normal = abut_quat_rotate(at.rotation, beside ? abut_vec3_make(0, -1, 0) : abut_vec3_make(0, 0, 1));
            assert_vec3_near(c[0].normal, order ? abut_neg(normal) : normal, 1e-12 * (1.0 + far));
        }
        abut_shape_release(mesh);
        abut_shape_release(ball);
    }
}

/* A centre in the plane of triangle 1 and right over the edge shared with triangle 2, which is perpendicular to it. The closest feature is
 * the face of 2 or that edge, which 1 voids. Rounding error must not decide the contact. */
static void a_face_that_ends_below_the_centre(void **state) {
    (void)state;
    const abut_vec3 vertices[8] = {{2.125, 2.125, 2.125},  {-2.125, 2.125, 2.125},  {11.375, -4.75, -4.75},  {-2.125, -2.125, 2.125},
                                   {2.125, 2.125, -2.125}, {-2.125, 2.125, -2.125}, {2.125, -2.125, -2.125}, {-2.125, -2.125, -2.125}};
    const int32_t triangles[12] = {0, 2, 3, 0, 3, 1, 0, 1, 5, 0, 5, 4};
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 8;
    def.triangles = triangles;
    def.triangle_count = 4;
    def.scale = abut_vec3_make(-4.75, 1.0980424685403705, -4.75);
    def.pose = (abut_pose){{11.374999999999998, 13.25, 0.25}, {0.27569696552916134, 0, 0, 0.96124460112814802}};
    abut_shape *mesh = NULL, *ball = NULL;
    assert_ok(abut_shape_create_trimesh(&def, NULL, &mesh));
    assert_ok(abut_shape_create_sphere(12.0, &ball));
    abut_pose mesh_pose = {{0, -0.25098056625574827, -2.125}, {0, 0.70710678118654757, 0, 0.70710678118654757}};
    abut_pose pose = {{-9.5460493662632242, 16.370322235065409, -11.594004999999999}, abut_quat_identity()};
    random_state random = random_make(random_seed("a_face_that_ends_below_the_centre", 19));
    for (int i = 0; i < 200; i++) {
        abut_pose motion = i > 0 ? random_pose(&random, 1.0) : abut_pose_identity();
        abut_pose at = abut_pose_compose(motion, mesh_pose), place = abut_pose_compose(motion, pose);
        abut_contact c[8];
        int32_t count;
        assert_ok(abut_collide(&(abut_pair){mesh, at, ball, place}, NULL, NULL, c, 8, &count));
        assert_int_equal(count, 1);
        assert_near(c[0].gap, 4.6666804912965771 - 12.0, 1e-12);
        assert_ok(abut_collide(&(abut_pair){ball, place, mesh, at}, NULL, NULL, c, 8, &count));
        assert_int_equal(count, 1);
        assert_near(c[0].gap, 4.6666804912965771 - 12.0, 1e-12);
    }
    abut_shape_release(mesh);
    abut_shape_release(ball);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(printed_cases),
        cmocka_unit_test(other_identities),
        cmocka_unit_test(baselines),
        cmocka_unit_test(two_sides),
        cmocka_unit_test(ties_on_a_grid),
        cmocka_unit_test(a_vertex_that_may_be_an_edge),
        cmocka_unit_test(centres_in_the_plane),
        cmocka_unit_test(a_face_that_ends_below_the_centre),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
