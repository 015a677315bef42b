/* Flat surfaces: see flat_mesh.h. */
#include "accuracy/flat_mesh.h"

#include <abut/mesh.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

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

/* ---- strips ---- */

enum { KNOTS = 60 };

#define NARROWEST 2e-7 /* of the area's width */

/* The points of one line across the area, in order; some are close together. */
typedef struct knots {
    double x[KNOTS], y;
    int32_t count;
} knots;

static int by_size(const void *left, const void *right) {
    const double *p = left, *q = right;
    return (*p > *q) - (*p < *q);
}

static knots random_knots(random_state *random, flat_area a, double y) {
    knots k = {.x = {a.x0, a.x1}, .y = y, .count = 2};
    for (int32_t more = random_below(random, KNOTS - 1); more > 0; more--) {
        double x = random_range(random, a.x0, a.x1), near = k.x[random_below(random, k.count)];
        bool close = random_below(random, 3) == 0;
        x = close ? near + random_log_range(random, NARROWEST, 1e-2) * (a.x1 - a.x0) : x;
        k.x[k.count] = x < a.x1 ? x : 0.5 * (a.x0 + a.x1);
        ++k.count;
    }
    qsort(k.x, (size_t)k.count, sizeof *k.x, by_size);
    int32_t kept = 1;
    for (int32_t i = 1; i < k.count; i++) {
        bool last = i + 1 == k.count;
        if (k.x[i] - k.x[kept - 1] >= 0.5 * NARROWEST * (a.x1 - a.x0) && (last || a.x1 - k.x[i] >= 0.5 * NARROWEST * (a.x1 - a.x0))) {
            k.x[kept++] = k.x[i];
        }
    }
    k.count = kept;
    return k;
}

/* Adds a triangle, or two that share the middle of its first side, which no other triangle has. */
static void add_cut(flat_mesh *m, random_state *random, const double p[6], bool shared) {
    if (random_below(random, 4) != 0) {
        add_triangle(m, p, shared);
        return;
    }
    int32_t side = random_below(random, 3), next = (side + 1) % 3, last = (side + 2) % 3;
    double x = 0.5 * (p[2 * side] + p[2 * next]), y = 0.5 * (p[2 * side + 1] + p[2 * next + 1]);
    add_triangle(m, (double[6]){p[2 * side], p[2 * side + 1], x, y, p[2 * last], p[2 * last + 1]}, shared);
    add_triangle(m, (double[6]){x, y, p[2 * next], p[2 * next + 1], p[2 * last], p[2 * last + 1]}, shared);
}

/* Joins two lines by triangles that lead from knot to knot. */
static void add_strip(flat_mesh *m, random_state *random, const knots *low, const knots *high, bool shared) {
    int32_t i = 0, k = 0;
    while (i + 1 < low->count || k + 1 < high->count) {
        bool below = k + 1 >= high->count || (i + 1 < low->count && random_below(random, 2) == 0);
        if (below) {
            add_cut(m, random, (double[6]){low->x[i], low->y, low->x[i + 1], low->y, high->x[k], high->y}, shared);
        } else {
            add_cut(m, random, (double[6]){low->x[i], low->y, high->x[k + 1], high->y, high->x[k], high->y}, shared);
        }
        *(below ? &i : &k) += 1;
    }
}

void flat_mesh_fill_strips(flat_mesh *m, random_state *random, flat_area a) {
    m->vertices = m->triangles = 0;
    bool shared = random_below(random, 2) == 0;
    int32_t strips = 1 + random_below(random, 4);
    knots low = random_knots(random, a, a.y0);
    for (int32_t i = 1; i <= strips; i++) {
        knots high = random_knots(random, a, i < strips ? a.y0 + (a.y1 - a.y0) * i / strips : a.y1);
        add_strip(m, random, &low, &high, shared);
        low = high;
    }
}

void flat_mesh_shake(flat_mesh *m, random_state *random, double size) {
    for (int32_t i = 0; i < m->vertices; i++) {
        m->vertex[i].z = DBL_EPSILON * size * (random_below(random, 3) - 1);
    }
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
