/* Random triangle meshes. See mesh_sample.h. */
#include "support/mesh_sample.h"

#include <abut/mesh.h>
#include <stdlib.h>
#include <string.h>

typedef struct raw_mesh {
    abut_vec3 vertex[768];
    int32_t triangle[256][3];
    int32_t vertices, triangles;
} raw_mesh;

static void add(raw_mesh *m, int32_t a, int32_t b, int32_t c) {
    int32_t *t = m->triangle[m->triangles++];
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

static void make_sheet(raw_mesh *m, random_state *random) {
    int32_t n = 2 + random_below(random, 6), k = 2 + random_below(random, 6);
    double rough = random_below(random, 3) ? random_log_range(random, 1e-3, 0.7) : 0.0;
    m->vertices = n * k;
    for (int32_t i = 0; i < n * k; i++) {
        double x = 2.0 * (i % n) / (n - 1) - 1.0, y = 2.0 * (i / n) / (k - 1) - 1.0;
        m->vertex[i] = abut_vec3_make(x, y, rough * random_range(random, -1, 1));
    }
    for (int32_t cell = 0; cell < (n - 1) * (k - 1); cell++) {
        int32_t a = cell / (n - 1) * n + cell % (n - 1), c = a + n + 1;
        add(m, a, a + 1, c);
        add(m, a, c, a + n);
    }
}

static void make_ball(raw_mesh *m, random_state *random) {
    int32_t around = 4 + random_below(random, 5), rings = 2 + random_below(random, 4);
    double rough = random_log_range(random, 1e-3, 0.4);
    m->vertex[0] = abut_vec3_make(0, 0, -1);
    m->vertex[1] = abut_vec3_make(0, 0, 1);
    m->vertices = 2 + around * rings;
    for (int32_t i = 0; i < around * rings; i++) {
        double longitude = 6.283185307179586 * (i % around) / around, latitude = 3.141592653589793 * (1 + i / around) / (rings + 1);
        double r = 1.0 + rough * random_range(random, -1, 1);
        m->vertex[2 + i] = abut_vec3_make(r * sin(latitude) * cos(longitude), r * sin(latitude) * sin(longitude), -r * cos(latitude));
    }
    for (int32_t i = 0; i < around; i++) {
        int32_t k = (i + 1) % around, last = 2 + around * (rings - 1);
        add(m, 0, 2 + k, 2 + i);
        add(m, 1, last + i, last + k);
        for (int32_t ring = 0; ring + 1 < rings; ring++) {
            int32_t a = 2 + ring * around + i, b = 2 + ring * around + k;
            add(m, a, b, b + around);
            add(m, a, b + around, a + around);
        }
    }
}

static void make_soup(raw_mesh *m, random_state *random) {
    int32_t triangles = 1 + random_below(random, 24);
    for (int32_t t = 0; t < triangles; t++) {
        abut_vec3 middle = random_vec3(random, -0.8, 0.8);
        double size = random_log_range(random, 0.1, 1.0);
        for (int i = 0; i < 3; i++) {
            m->vertex[m->vertices++] = abut_add_scaled(middle, size, random_direction(random));
        }
        add(m, 3 * t, 3 * t + 1, 3 * t + 2);
    }
}

/* Follows the definition without the library: scale, then pose. A mirroring scale reverses the winding. */
static mesh_sample make_shape(const raw_mesh *m, abut_vec3 scale, abut_pose pose, bool two_sided) {
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = m->vertex;
    def.vertex_count = m->vertices;
    def.triangles = &m->triangle[0][0];
    def.triangle_count = m->triangles;
    def.scale = scale;
    def.pose = pose;
    def.two_sided = two_sided;
    mesh_sample s = {.count = m->triangles, .two_sided = two_sided};
    assert_ok(abut_shape_create_trimesh(&def, NULL, &s.shape));
    s.corner = check_memory((size_t)m->triangles, sizeof *s.corner);
    bool mirrored = scale.x * scale.y * scale.z < 0.0;
    for (int32_t t = 0; t < m->triangles; t++) {
        for (int i = 0; i < 3; i++) {
            abut_vec3 p = m->vertex[m->triangle[t][mirrored ? (3 - i) % 3 : i]];
            s.corner[t][i] = abut_pose_apply(pose, abut_vec3_make(scale.x * p.x, scale.y * p.y, scale.z * p.z));
        }
    }
    return s;
}

static mesh_sample make_field(random_state *random, double size) {
    double heights[64];
    int32_t n = 2 + random_below(random, 7), k = 2 + random_below(random, 7);
    double rough = random_below(random, 3) ? size * random_log_range(random, 1e-3, 0.7) : 0.0;
    for (int32_t i = 0; i < n * k; i++) {
        heights[i] = rough * random_range(random, -1, 1);
    }
    abut_heightfield_def def = {.heights = heights, .columns = n, .rows = k, .two_sided = random_below(random, 2) == 0};
    def.spacing_x = 2.0 * size / (n - 1);
    def.spacing_y = 2.0 * size / (k - 1);
    mesh_sample s = {.count = 2 * (n - 1) * (k - 1), .two_sided = def.two_sided};
    assert_ok(abut_shape_create_heightfield(&def, &s.shape));
    s.corner = check_memory((size_t)s.count, sizeof *s.corner);
    for (int32_t t = 0; t < s.count; t++) {
        static const int32_t x[2][3] = {{0, 1, 1}, {0, 1, 0}}, y[2][3] = {{0, 0, 1}, {0, 1, 1}};
        for (int i = 0; i < 3; i++) {
            int32_t column = t / 2 % (n - 1) + x[t % 2][i], row = t / 2 / (n - 1) + y[t % 2][i];
            s.corner[t][i] = abut_vec3_make(def.spacing_x * column, def.spacing_y * row, heights[n * row + column]);
        }
    }
    return s;
}

mesh_sample mesh_sample_random(random_state *random, mesh_sort sort, double size) {
    raw_mesh m = {.vertices = 0};
    mesh_sample s;
    abut_vec3 scale = {size, size, size};
    abut_pose pose = abut_pose_identity();
    switch (sort) {
    case MESH_BALL:
        make_ball(&m, random);
        break;
    case MESH_SOUP:
        make_soup(&m, random);
        break;
    default:
        make_sheet(&m, random);
    }
    if (sort == MESH_MIRRORED) {
        scale = abut_vec3_make(-0.7 * size, 0.9 * size, 1.1 * size);
        pose = random_pose(random, size);
    }
    s = sort == MESH_FIELD ? make_field(random, size) : make_shape(&m, scale, pose, sort == MESH_SOUP);
    s.sort = sort;
    s.size = size;
    return s;
}

mesh_sample mesh_sample_of(const abut_vec3 (*corner)[3], int32_t count, bool two_sided) {
    raw_mesh *m = check_memory(1, sizeof *m);
    assert_true(3 * count <= (int32_t)(sizeof m->vertex / sizeof *m->vertex));
    for (int32_t t = 0; t < count; t++) {
        for (int i = 0; i < 3; i++) {
            m->vertex[m->vertices++] = corner[t][i];
        }
        add(m, 3 * t, 3 * t + 1, 3 * t + 2);
    }
    mesh_sample s = make_shape(m, abut_vec3_make(1, 1, 1), abut_pose_identity(), two_sided);
    free(m);
    return s;
}

mesh_sample mesh_sample_moved(const mesh_sample *s, double factor, abut_vec3 shift) {
    abut_vec3(*moved)[3] = check_memory((size_t)s->count, sizeof *moved);
    for (int32_t i = 0; i < 3 * s->count; i++) {
        moved[i / 3][i % 3] = abut_add(abut_scale(factor, s->corner[i / 3][i % 3]), shift);
    }
    mesh_sample other = mesh_sample_of((const abut_vec3(*)[3])moved, s->count, s->two_sided);
    other.sort = s->sort;
    other.size = factor * s->size;
    free(moved);
    return other;
}

void mesh_sample_free(mesh_sample *s) {
    abut_shape_release(s->shape);
    free(s->corner);
}

const char *mesh_sample_name(const mesh_sample *s) {
    static const char *const names[MESH_SORTS] = {"terrain", "ball", "soup", "height field", "mirrored terrain"};
    return names[s->sort];
}

oracle_body mesh_sample_triangle(const mesh_sample *s, int32_t index, abut_pose pose) {
    int32_t sizes[2] = {3, 3}, loops[6] = {0, 1, 2, 0, 2, 1};
    solid flat = {.vertex_count = 3, .vertices = s->corner[index], .face_count = 2, .face_sizes = sizes, .face_vertices = loops};
    return oracle_solid(&flat, pose);
}

double mesh_sample_distance(const oracle_body *body, const oracle_body *triangle) {
    double radius = body->radius + triangle->radius, apart = oracle_core_distance(body, triangle) - radius;
    if (body->vertex_count == 1) {
        return apart;
    }
    oracle_facets facets = oracle_minkowski_all(body, triangle); /* for a flat body every pair of edges may give a facet */
    double separation = oracle_separation(&facets, abut_vec3_make(0, 0, 0)).separation;
    oracle_free_facets(&facets);
    return separation + radius <= 0.0 ? separation : apart; /* whether the cores meet */
}

bool mesh_sample_has(const mesh_sample *s, abut_pose pose, abut_feature feature, abut_vec3 point, double near) {
    abut_vec3 local = abut_pose_apply_inverse(pose, point), found;
    abut_triangle t;
    int32_t triangle = feature.kind == ABUT_FEATURE_EDGE ? feature.index / 3 : feature.index;
    if (feature.kind == ABUT_FEATURE_VERTEX) {
        for (int32_t i = 0; i < 3 * s->count; i++) {
            assert_ok(abut_shape_triangle(s->shape, i / 3, &t));
            if (t.vertex[i % 3] == feature.index) {
                return abut_distance_between(local, s->corner[i / 3][i % 3]) <= near;
            }
        }
        return false;
    }
    if (triangle < 0 || triangle >= s->count || feature.part != 0) {
        return false;
    }
    const abut_vec3 *p = s->corner[triangle];
    int side = feature.index % 3;
    found = feature.kind == ABUT_FEATURE_EDGE ? oracle_on_segment(local, p[side], p[(side + 1) % 3])
                                              : oracle_on_triangle(local, p[0], p[1], p[2]);
    return abut_distance_between(local, found) <= near;
}
