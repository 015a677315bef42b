#include "surfaces.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/random.h"

#define TURN 6.283185307179586

enum { SEED = 20, FLOORS = 8, WAVES = 12 };

static surface make(int32_t vertices, int32_t triangles) {
    surface s = {.vertices = calloc((size_t)vertices, sizeof *s.vertices), .corners = calloc(3 * (size_t)triangles, sizeof *s.corners)};
    if (s.vertices == NULL || s.corners == NULL) {
        fputs("bench_many: out of memory\n", stderr);
        exit(1);
    }
    return s;
}

void surface_free(surface *s) {
    free(s->vertices);
    free(s->corners);
}

static void add_vertex(surface *s, double x, double y, double z) { s->vertices[s->vertex_count++] = abut_vec3_make(x, y, z); }

static void add_triangle(surface *s, int32_t a, int32_t b, int32_t c) {
    int32_t *corner = &s->corners[3 * (size_t)s->triangle_count++];
    corner[0] = a;
    corner[1] = b;
    corner[2] = c;
}

/* Two triangles for each cell of a grid whose vertices begin at `first`. */
static void add_cells(surface *s, int32_t first, int32_t columns, int32_t rows, bool turned) {
    for (int32_t cell = 0; cell < columns * rows; cell++) {
        int32_t a = first + cell / columns * (columns + 1) + cell % columns, b = a + 1, c = b + columns + 1, d = a + columns + 1;
        add_triangle(s, a, turned ? c : b, turned ? b : c);
        add_triangle(s, a, turned ? d : c, turned ? c : d);
    }
}

static double place(int32_t i, int32_t cells) { return 2.0 * i / cells - 1.0; }

static surface make_sheet(int32_t columns, int32_t rows, double bumps) {
    random_state random = random_make(SEED);
    surface s = make((columns + 1) * (rows + 1), 2 * columns * rows);
    for (int32_t v = 0; v < (columns + 1) * (rows + 1); v++) {
        add_vertex(&s, place(v % (columns + 1), columns), place(v / (columns + 1), rows), bumps * random_range(&random, -1.0, 1.0));
    }
    add_cells(&s, 0, columns, rows, false);
    return s;
}

static int32_t cells_of(int32_t triangles) { return (int32_t)(sqrt(0.5 * triangles) + 0.5); }

static surface make_flat(int32_t triangles) { return make_sheet(cells_of(triangles), cells_of(triangles), 0.0); }

/* Slopes of up to 7 degrees. */
static surface make_bumpy(int32_t triangles) { return make_sheet(cells_of(triangles), cells_of(triangles), 0.24 / cells_of(triangles)); }

static surface make_strips(int32_t triangles) { return make_sheet(triangles / 2, 1, 0.0); }

static surface make_fan_of(int32_t triangles, double height) {
    surface s = make(triangles + 1, triangles);
    add_vertex(&s, 0.0, 0.0, height);
    for (int32_t i = 0; i < triangles; i++) {
        add_vertex(&s, cos(TURN * i / triangles), sin(TURN * i / triangles), 0.0);
        add_triangle(&s, 0, 1 + i, 1 + (i + 1) % triangles);
    }
    return s;
}

static surface make_fan(int32_t triangles) { return make_fan_of(triangles, 0.0); }

static surface make_roof(int32_t triangles) { return make_fan_of(triangles, 0.4); }

/* A sheet folded by waves that grow shorter, through itself. */
static surface make_cloth(int32_t triangles) {
    random_state random = random_make(SEED);
    int32_t cells = cells_of(triangles);
    double phase[WAVES][2], angle[WAVES];
    for (int k = 0; k < WAVES; k++) {
        angle[k] = random_range(&random, 0.0, TURN);
        phase[k][0] = random_range(&random, 0.0, TURN);
        phase[k][1] = random_range(&random, 0.0, TURN);
    }
    surface s = make((cells + 1) * (cells + 1), 2 * cells * cells);
    for (int32_t v = 0; v < (cells + 1) * (cells + 1); v++) {
        double x = place(v % (cells + 1), cells), y = place(v / (cells + 1), cells), moved[3] = {0.0, 0.0, 0.0};
        for (int k = 0; k < WAVES; k++) {
            double rate = 3.0 * pow(1.5, k / 3.0), along = x * cos(angle[k]) + y * sin(angle[k]);
            double across = y * cos(angle[k]) - x * sin(angle[k]);
            moved[k % 3] += 0.5 / rate * (sin(rate * along + phase[k][0]) + 0.6 * sin(1.7 * rate * across + phase[k][1]));
        }
        add_vertex(&s, 0.5 * x + moved[0], 0.5 * y + moved[1], moved[2]);
    }
    add_cells(&s, 0, cells, cells, false);
    return s;
}

/* Triangles anywhere in a cube, so small that each crosses few others. */
static surface make_soup(int32_t triangles) {
    random_state random = random_make(SEED);
    surface s = make(3 * triangles, triangles);
    double size = 1.5 / sqrt(triangles);
    for (int32_t t = 0; t < triangles; t++) {
        abut_vec3 middle = random_vec3(&random, -1.0, 1.0);
        for (int i = 0; i < 3; i++) {
            abut_vec3 p = abut_add(middle, random_vec3(&random, -size, size));
            add_vertex(&s, p.x, p.y, p.z);
        }
        add_triangle(&s, 3 * t, 3 * t + 1, 3 * t + 2);
    }
    return s;
}

/* A ball with waves of 2 % of the radius: a cube that was blown up. */
static surface make_closed(int32_t triangles) {
    int32_t cells = (int32_t)(sqrt(triangles / 12.0) + 0.5);
    surface s = make(6 * (cells + 1) * (cells + 1), 12 * cells * cells);
    for (int side = 0; side < 6; side++) {
        int32_t first = s.vertex_count, axis = side / 2;
        for (int32_t v = 0; v < (cells + 1) * (cells + 1); v++) {
            double c[3];
            c[axis] = side % 2 == 0 ? -1.0 : 1.0;
            c[(axis + 1) % 3] = place(v % (cells + 1), cells);
            c[(axis + 2) % 3] = place(v / (cells + 1), cells);
            double radius = 1.0 + 0.02 * sin(17.0 * c[0] + 11.0 * c[1] + 5.0 * c[2]);
            abut_vec3 p = abut_scale(radius, abut_unit(abut_vec3_make(c[0], c[1], c[2])));
            add_vertex(&s, p.x, p.y, p.z);
        }
        add_cells(&s, first, cells, cells, side % 2 == 0);
    }
    return s;
}

static surface make_floors(int32_t triangles) {
    int32_t cells = cells_of(triangles / FLOORS);
    surface s = make(FLOORS * (cells + 1) * (cells + 1), FLOORS * 2 * cells * cells);
    for (int floor = 0; floor < FLOORS; floor++) {
        int32_t first = s.vertex_count;
        for (int32_t v = 0; v < (cells + 1) * (cells + 1); v++) {
            add_vertex(&s, place(v % (cells + 1), cells), place(v / (cells + 1), cells), -0.1 * floor / FLOORS);
        }
        add_cells(&s, first, cells, cells, false);
    }
    return s;
}

const surface_kind surface_kinds[] = {{"flat", false, make_flat},  {"bumpy", false, make_bumpy}, {"strips", false, make_strips},
                                      {"fan", false, make_fan},    {"roof", false, make_roof},   {"floors", false, make_floors},
                                      {"cloth", true, make_cloth}, {"soup", true, make_soup},    {"closed", true, make_closed}};
const int surface_kind_count = sizeof surface_kinds / sizeof *surface_kinds;
