/*
 * Each cell of the grid is cut into six tetrahedra along its diagonal (H. W. Kuhn, "Some combinatorial lemmas in topology", 1960), which fit those of its
 * neighbours. Where a tetrahedron has points inside and outside, its edges between them have a vertex each, and one or two triangles join these.
 *
 * An edge leads from a grid point by a step of one cell along some axes: bits 1, 2, 4 for x, y, z. Two layers of grid points are kept at a time.
 */
#include "shape/surface/level_set.h"

enum { MOST_CELLS = 32, POINTS = MOST_CELLS + 1, EDGES = 7 };

typedef struct grid {
    const abut_implicit_def *def;
    int cells[3];
    bool inside[2][POINTS][POINTS];
    int32_t vertex[2][POINTS][POINTS][EDGES]; /* 1 + the vertex on the edge from this point; 0 for none yet */
    abut_vec3 *vertices;
    int32_t *corners;
    int32_t vertex_count, triangle_count;
} grid;

typedef struct grid_point {
    int i, j, k;
} grid_point;

static abut_vec3 place_of(const grid *g, grid_point p) {
    abut_vec3 low = g->def->bounds.lower, extent = abut_sub(g->def->bounds.upper, low);
    return abut_vec3_make(low.x + extent.x * p.i / g->cells[0], low.y + extent.y * p.j / g->cells[1], low.z + extent.z * p.k / g->cells[2]);
}

static bool is_below(const grid *g, abut_vec3 point) {
    abut_implicit_point at = {.value = 0.0};
    g->def->function(g->def->context, point, &at);
    return at.value < 0.0;
}

static bool is_inside(const grid *g, grid_point p) { return g->inside[p.k % 2][p.j][p.i]; }

static void fill_layer(grid *g, int k) {
    for (int j = 0; j <= g->cells[1]; j++) {
        for (int i = 0; i <= g->cells[0]; i++) {
            bool border = i == 0 || j == 0 || k == 0 || i == g->cells[0] || j == g->cells[1] || k == g->cells[2];
            g->inside[k % 2][j][i] = !border && is_below(g, place_of(g, (grid_point){i, j, k}));
            for (int e = 0; e < EDGES; e++) {
                g->vertex[k % 2][j][i][e] = 0;
            }
        }
    }
}

static abut_vec3 crossing(const grid *g, grid_point in, grid_point out) {
    enum { HALVINGS = 50 };
    abut_vec3 a = place_of(g, in), b = place_of(g, out), middle = a;
    for (int n = 0; n < HALVINGS; n++) {
        middle = abut_scale(0.5, abut_add(a, b));
        if (is_below(g, middle)) {
            a = middle;
        } else {
            b = middle;
        }
    }
    return middle;
}

/* The vertex between two points of a tetrahedron, one inside and one outside. */
static int32_t vertex_between(grid *g, grid_point in, grid_point out) {
    bool forward = out.i >= in.i && out.j >= in.j && out.k >= in.k;
    grid_point from = forward ? in : out, to = forward ? out : in;
    int32_t *vertex = &g->vertex[from.k % 2][from.j][from.i][(to.i - from.i) + 2 * (to.j - from.j) + 4 * (to.k - from.k) - 1];
    if (*vertex == 0) {
        if (g->vertices) {
            g->vertices[g->vertex_count] = crossing(g, in, out);
        }
        *vertex = ++g->vertex_count;
    }
    return *vertex - 1;
}

static void add_triangle(grid *g, int32_t a, int32_t b, int32_t c, bool turned) {
    if (g->corners) {
        int32_t *corner = g->corners + 3 * g->triangle_count;
        corner[0] = a;
        corner[1] = turned ? c : b;
        corner[2] = turned ? b : c;
    }
    g->triangle_count++;
}

/* One point is alone on its side. The other three follow it in the order of a right-handed tetrahedron. */
static void cut_corner(grid *g, const grid_point *t, const int order[4], bool alone_inside, bool turned) {
    int32_t v[3];
    for (int n = 0; n < 3; n++) {
        grid_point alone = t[order[0]], other = t[order[n + 1]];
        v[n] = alone_inside ? vertex_between(g, alone, other) : vertex_between(g, other, alone);
    }
    add_triangle(g, v[0], v[1], v[2], turned == alone_inside);
}

/* The first two points in the order are inside. */
static void cut_through(grid *g, const grid_point *t, const int order[4], bool turned) {
    const grid_point p = t[order[0]], q = t[order[1]], r = t[order[2]], s = t[order[3]];
    int32_t a = vertex_between(g, p, r), b = vertex_between(g, p, s), c = vertex_between(g, q, s), d = vertex_between(g, q, r);
    add_triangle(g, a, b, c, turned);
    add_triangle(g, a, c, d, turned);
}

/* turned: the tetrahedron is left-handed. */
static void cut_tetrahedron(grid *g, const grid_point t[4], bool turned) {
    static const int corner[4][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
    static const int pair[6][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 2, 0, 3}, {1, 3, 2, 0}, {2, 3, 0, 1}};
    bool in[4];
    int count = 0;
    for (int n = 0; n < 4; n++) {
        in[n] = is_inside(g, t[n]);
        count += in[n];
    }
    for (int n = 0; n < 4 && (count == 1 || count == 3); n++) {
        if (in[n] == (count == 1)) {
            cut_corner(g, t, corner[n], count == 1, turned);
        }
    }
    for (int n = 0; n < 6 && count == 2; n++) {
        if (in[pair[n][0]] && in[pair[n][1]]) {
            cut_through(g, t, pair[n], turned);
        }
    }
}

static void cut_cell(grid *g, grid_point p) {
    static const int axes[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}}; /* the last three are left-handed */
    for (int n = 0; n < 6; n++) {
        grid_point t[4] = {p, p, p, p};
        for (int step = 0; step < 3; step++) {
            for (int m = step + 1; m < 4; m++) {
                t[m].i += axes[n][step] == 0;
                t[m].j += axes[n][step] == 1;
                t[m].k += axes[n][step] == 2;
            }
        }
        cut_tetrahedron(g, t, n >= 3);
    }
}

/* Cells are nearly cubes. */
static void choose_cells(grid *g) {
    abut_vec3 e = abut_sub(g->def->bounds.upper, g->def->bounds.lower);
    const double extent[3] = {e.x, e.y, e.z};
    double longest = e.x > e.y ? e.x : e.y;
    longest = longest > e.z ? longest : e.z;
    for (int i = 0; i < 3; i++) {
        int cells = (int)(MOST_CELLS * (extent[i] / longest) + 0.999);
        g->cells[i] = cells < 8 ? 8 : cells > MOST_CELLS ? MOST_CELLS : cells;
    }
}

void level_set_make(const abut_implicit_def *def, abut_vec3 *vertices, int32_t *corners, int32_t *vertex_count, int32_t *triangle_count) {
    grid g = {.def = def, .vertices = vertices, .corners = corners};
    choose_cells(&g);
    fill_layer(&g, 0);
    for (int k = 0; k < g.cells[2]; k++) {
        fill_layer(&g, k + 1);
        for (int j = 0; j < g.cells[1]; j++) {
            for (int i = 0; i < g.cells[0]; i++) {
                cut_cell(&g, (grid_point){i, j, k});
            }
        }
    }
    *vertex_count = g.vertex_count;
    *triangle_count = g.triangle_count;
}
