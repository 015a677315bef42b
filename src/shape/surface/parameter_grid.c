/* Grids of parameters: which sides meet, which are poles, and the triangles between the points. */
#include "shape/surface/parameter_grid.h"

/* Cells along u and v. */
enum { CELLS_U = 64, CELLS_V = 32 };

/* The point at shares 0 to 1 of the ranges. */
static abut_vec3 point_at(const abut_parametric_def *def, double u, double v) {
    abut_parametric_point at = {.s = {0, 0, 0}};
    def->function(def->context, def->u_range[0] + u * (def->u_range[1] - def->u_range[0]),
                  def->v_range[0] + v * (def->v_range[1] - def->v_range[0]), &at);
    return at.s;
}

static abut_vec3 along(const abut_parametric_def *def, bool side_of_u, double side, double share) {
    return side_of_u ? point_at(def, side, share) : point_at(def, share, side);
}

/* The largest distance between two sides of the ranges, or, for a pole, from the beginning of one side. */
static double apart(const abut_parametric_def *def, bool side_of_u, double first, double second, bool pole) {
    int cells = side_of_u ? CELLS_V : CELLS_U;
    double most = 0.0;
    for (int i = 0; i <= cells; i++) {
        abut_vec3 a = along(def, side_of_u, first, (double)i / cells), b = along(def, side_of_u, second, pole ? 0.0 : (double)i / cells);
        double distance = abut_distance_between(a, b);
        most = distance > most ? distance : most;
    }
    return most;
}

static double size_of(const abut_parametric_def *def) {
    abut_vec3 first = point_at(def, 0.0, 0.0);
    double size = 0.0;
    for (int i = 0; i < CELLS_U * CELLS_V; i++) {
        double distance = abut_distance_between(first, point_at(def, (i % CELLS_U + 0.5) / CELLS_U, (i / CELLS_U + 0.5) / CELLS_V));
        size = distance > size ? distance : size;
    }
    return size;
}

parameter_grid parameter_grid_plan(const abut_parametric_def *def) {
    parameter_grid g = {.def = *def};
    double near = 1e-6 * size_of(def);
    bool wraps_u = def->u_periodic || apart(def, true, 0.0, 1.0, false) <= near;
    bool wraps_v = def->v_periodic || apart(def, false, 0.0, 1.0, false) <= near;
    g.swapped = !wraps_u && (apart(def, true, 0.0, 0.0, true) <= near || apart(def, true, 1.0, 1.0, true) <= near);
    bool wraps_rows = g.swapped ? wraps_u : wraps_v, wraps_columns = g.swapped ? wraps_v : wraps_u;
    for (int i = 0; i < 2; i++) {
        g.pole[i] = !wraps_rows && apart(def, g.swapped, i, i, true) <= near;
    }
    g.strips = g.swapped ? CELLS_U : CELLS_V;
    g.cells = g.swapped ? CELLS_V : CELLS_U;
    g.rows = wraps_rows ? g.strips : g.strips + 1;
    g.columns = wraps_columns ? g.cells : g.cells + 1;
    g.vertex_count = g.rows * g.columns - (g.pole[0] + g.pole[1]) * (g.columns - 1);
    g.triangle_count = 2 * g.strips * g.cells - (g.pole[0] + g.pole[1]) * g.cells;
    return g;
}

static bool is_pole(const parameter_grid *g, int32_t row) { return (row == 0 && g->pole[0]) || (row == g->strips && g->pole[1]); }

static int32_t vertex_of(const parameter_grid *g, int32_t row, int32_t column) {
    row %= g->rows;
    int32_t first = row == 0 ? 0 : (g->pole[0] ? 1 : g->columns) + (row - 1) * g->columns;
    return is_pole(g, row) ? first : first + column % g->columns;
}

static void add(int32_t **corners, int32_t a, int32_t b, int32_t c) {
    (*corners)[0] = a;
    (*corners)[1] = b;
    (*corners)[2] = c;
    *corners += 3;
}

/* Turns the triangles over if they enclose a negative volume. */
static void face_outward(const parameter_grid *g, const abut_vec3 *vertices, int32_t *corners) {
    double volume = 0.0;
    for (int32_t t = 0; t < g->triangle_count; t++) {
        const int32_t *c = corners + 3 * t;
        abut_vec3 a = abut_sub(vertices[c[0]], vertices[0]), b = abut_sub(vertices[c[1]], vertices[0]);
        volume += abut_dot(abut_sub(vertices[c[2]], vertices[0]), abut_cross(a, b));
    }
    for (int32_t t = 0; t < g->triangle_count && volume < 0.0; t++) {
        int32_t swap = corners[3 * t];
        corners[3 * t] = corners[3 * t + 1];
        corners[3 * t + 1] = swap;
    }
}

void parameter_grid_make(const parameter_grid *g, abut_vec3 *vertices, int32_t *corners) {
    for (int32_t r = 0; r < g->rows; r++) {
        for (int32_t c = 0; c < (is_pole(g, r) ? 1 : g->columns); c++) {
            vertices[vertex_of(g, r, c)] = along(&g->def, g->swapped, (double)r / g->strips, (double)c / g->cells);
        }
    }
    int32_t *next = corners;
    for (int32_t r = 0; r < g->strips; r++) {
        for (int32_t c = 0; c < g->cells; c++) {
            int32_t a = vertex_of(g, r, c), b = vertex_of(g, r, c + 1), d = vertex_of(g, r + 1, c), e = vertex_of(g, r + 1, c + 1);
            if (!is_pole(g, r)) {
                add(&next, a, b, e);
            }
            if (!is_pole(g, r + 1)) {
                add(&next, a, e, d);
            }
        }
    }
    face_outward(g, vertices, corners);
}

static void write_middle(const parameter_grid *g, int32_t row, int32_t column, double **next) {
    const double *u = g->def.u_range, *v = g->def.v_range;
    double along_rows = (row + 0.5) / g->strips, along_columns = (column + 0.5) / g->cells;
    (*next)[0] = u[0] + (u[1] - u[0]) * (g->swapped ? along_rows : along_columns);
    (*next)[1] = v[0] + (v[1] - v[0]) * (g->swapped ? along_columns : along_rows);
    *next += 2;
}

void parameter_grid_middles(const parameter_grid *g, double *middles) {
    for (int32_t r = 0; r < g->strips; r++) {
        for (int32_t c = 0; c < g->cells; c++) {
            if (!is_pole(g, r)) {
                write_middle(g, r, c, &middles);
            }
            if (!is_pole(g, r + 1)) {
                write_middle(g, r, c, &middles);
            }
        }
    }
}
