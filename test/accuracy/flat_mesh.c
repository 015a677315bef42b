/* Flat surfaces: see flat_mesh.h. */
#include "accuracy/flat_mesh.h"

#include <abut/mesh.h>

static int32_t vertex_of(flat_mesh *m, double x, double y, bool shared) {
    for (int32_t i = 0; i < m->vertices && shared; i++) {
        if (m->vertex[i].x == x && m->vertex[i].y == y) {
            return i;
        }
    }
    assert_true(m->vertices < FLAT_VERTICES);
    m->vertex[m->vertices] = abut_vec3_make(x, y, 0.0);
    return m->vertices++;
}

static void add_triangle(flat_mesh *m, const double p[6], bool shared) {
    assert_true(m->triangles < FLAT_TRIANGLES);
    for (int i = 0; i < 3; i++) {
        m->triangle[m->triangles][i] = vertex_of(m, p[2 * i], p[2 * i + 1], shared);
    }
    ++m->triangles;
}

/* Cuts a rectangle into rectangles, whose corners need not meet, and these into two or four triangles. */
void flat_mesh_add(flat_mesh *m, random_state *random, flat_area a, int depth, bool shared) {
    double w = a.x1 - a.x0, h = a.y1 - a.y0;
    if (depth > 0) {
        bool across = random_below(random, 4) == 0 ? random_below(random, 2) == 0 : w > h;
        double cut = random_below(random, 2) == 0 ? 0.5 : 0.125 * (1 + random_below(random, 7));
        flat_area left = a, right = a;
        *(across ? &left.x1 : &left.y1) = *(across ? &right.x0 : &right.y0) = across ? a.x0 + cut * w : a.y0 + cut * h;
        flat_mesh_add(m, random, left, depth - 1 - random_below(random, 2), shared);
        flat_mesh_add(m, random, right, depth - 1 - random_below(random, 2), shared);
        return;
    }
    double x = 0.5 * (a.x0 + a.x1), y = 0.5 * (a.y0 + a.y1);
    switch (random_below(random, 3)) {
    case 0:
        add_triangle(m, (double[6]){a.x0, a.y0, a.x1, a.y0, a.x1, a.y1}, shared);
        add_triangle(m, (double[6]){a.x0, a.y0, a.x1, a.y1, a.x0, a.y1}, shared);
        return;
    case 1:
        add_triangle(m, (double[6]){a.x0, a.y0, a.x1, a.y0, a.x0, a.y1}, shared);
        add_triangle(m, (double[6]){a.x1, a.y0, a.x1, a.y1, a.x0, a.y1}, shared);
        return;
    default:
        add_triangle(m, (double[6]){a.x0, a.y0, a.x1, a.y0, x, y}, shared);
        add_triangle(m, (double[6]){a.x1, a.y0, a.x1, a.y1, x, y}, shared);
        add_triangle(m, (double[6]){a.x1, a.y1, a.x0, a.y1, x, y}, shared);
        add_triangle(m, (double[6]){a.x0, a.y1, a.x0, a.y0, x, y}, shared);
    }
}

void flat_mesh_fill(flat_mesh *m, random_state *random, flat_area a, int cuts) {
    m->vertices = m->triangles = 0;
    flat_mesh_add(m, random, a, cuts, random_below(random, 2) == 0);
}

abut_shape *flat_mesh_shape(const flat_mesh *m, int32_t first, int32_t count, double scale, abut_pose pose, bool two_sided) {
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = m->vertex;
    def.vertex_count = m->vertices;
    def.triangles = &m->triangle[first][0];
    def.triangle_count = count;
    def.scale = abut_vec3_make(scale, scale, scale);
    def.pose = pose;
    def.two_sided = two_sided;
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_trimesh(&def, NULL, &shape));
    return shape;
}
