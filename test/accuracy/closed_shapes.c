/* Closed surfaces that are not convex: see closed_shapes.h. */
#include "accuracy/closed_shapes.h"

#include <math.h>
#include <stdlib.h>

#include "support/check.h"
#include "support/meshes.h"

static const double turn = 6.283185307179586;

static closed_shape make_room(int32_t vertices, int32_t triangles) {
    closed_shape shape = {0};
    shape.vertex = check_memory((size_t)vertices, sizeof *shape.vertex);
    shape.triangle = check_memory((size_t)triangles, sizeof *shape.triangle);
    return shape;
}

static int32_t add_vertex(closed_shape *shape, double x, double y, double z) {
    shape->vertex[shape->vertices] = abut_vec3_make(x, y, z);
    return shape->vertices++;
}

static void add_triangle(closed_shape *shape, int32_t p, int32_t q, int32_t r) {
    int32_t *t = shape->triangle[shape->triangles++];
    t[0] = p;
    t[1] = q;
    t[2] = r;
}

static void add_square(closed_shape *shape, int32_t p, int32_t q, int32_t r, int32_t s, bool other_diagonal) {
    if (other_diagonal) {
        add_triangle(shape, p, q, s);
        add_triangle(shape, q, r, s);
    } else {
        add_triangle(shape, p, q, r);
        add_triangle(shape, p, r, s);
    }
}

/* ---- cells of a grid ---- */

enum { MOST = 6 };

typedef struct cells {
    int count[3];
    bool full[MOST][MOST][MOST];
    double at[3][MOST + 1];
} cells;

static bool is_full(const cells *of, const int x[3]) {
    for (int i = 0; i < 3; i++) {
        if (x[i] < 0 || x[i] >= of->count[i]) {
            return false;
        }
    }
    return of->full[x[0]][x[1]][x[2]];
}

static void add_cell_side(closed_shape *shape, const cells *of, int32_t *name, const int x[3], int side, bool other_diagonal) {
    int axis = side / 2, up = side % 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
    int32_t corner[4];
    for (int k = 0; k < 4; k++) {
        int c[3] = {x[0], x[1], x[2]}, round = up ? k : 3 - k;
        c[axis] += up;
        c[u] += round == 1 || round == 2;
        c[v] += round >= 2;
        int32_t *at = &name[(c[0] * (MOST + 1) + c[1]) * (MOST + 1) + c[2]];
        *at = *at < 0 ? add_vertex(shape, of->at[0][c[0]], of->at[1][c[1]], of->at[2][c[2]]) : *at;
        corner[k] = *at;
    }
    add_square(shape, corner[0], corner[1], corner[2], corner[3], other_diagonal);
}

static closed_shape surface_of_cells(const cells *of, random_state *random) {
    closed_shape shape = make_room((MOST + 1) * (MOST + 1) * (MOST + 1), 12 * MOST * MOST * MOST);
    int32_t name[(MOST + 1) * (MOST + 1) * (MOST + 1)];
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        name[i] = -1;
    }
    for (int p = 0; p < MOST * MOST * MOST; p++) {
        int x[3] = {p % MOST, p / MOST % MOST, p / MOST / MOST};
        for (int side = 0; side < 6 && is_full(of, x); side++) {
            int other[3] = {x[0], x[1], x[2]};
            other[side / 2] += side % 2 ? 1 : -1;
            if (!is_full(of, other)) {
                add_cell_side(&shape, of, name, x, side, random_below(random, 2) == 0);
            }
        }
    }
    return shape;
}

static void set_places(cells *of, random_state *random, bool tidy, double step) {
    for (int axis = 0; axis < 3; axis++) {
        of->at[axis][0] = tidy ? -step * (of->count[axis] / 2) : random_range(random, -0.6, -0.4);
        for (int i = 0; i < of->count[axis]; i++) {
            of->at[axis][i + 1] =
                of->at[axis][i] + (tidy ? step * (1 + random_below(random, 2)) : step * random_log_range(random, 0.2, 2.0));
        }
    }
}

static closed_shape pick_cells(random_state *random, bool tidy) {
    cells of = {.count = {1, 1, 1}};
    int kind = random_below(random, 5);
    of.count[0] = 3 + random_below(random, kind == 0 ? 1 : 4);
    of.count[1] = kind == 0 ? 1 : 1 + random_below(random, kind == 2 ? 3 : 4);
    of.count[2] = kind == 1 ? 1 : 2 + random_below(random, 3);
    int hole = random_below(random, 3);
    for (int x = 0; x < of.count[0]; x++) {
        for (int y = 0; y < of.count[1]; y++) {
            int height = kind == 0   ? (x == 1 ? 1 : of.count[2])             /* U */
                         : kind == 2 ? (x % 2 == 0 ? of.count[2] : 1)         /* a comb */
                         : kind == 3 ? (x == 0 || y == 0 ? of.count[2] : 1)   /* an L or a corner */
                                     : 1 + random_below(random, of.count[2]); /* columns */
            for (int z = 0; z < height; z++) {
                of.full[x][y][z] = true;
            }
            if (kind == 1) { /* a plate with holes */
                of.full[x][y][0] =
                    !(x % 2 == 1 && y % 2 == 1 && y + 1 < of.count[1] && x + 1 < of.count[0]) || random_below(random, 4) == hole;
            }
        }
    }
    set_places(&of, random, tidy, tidy ? 0.125 : 0.25);
    if (kind == 1 && !tidy) {
        of.at[2][1] = of.at[2][0] + random_log_range(random, 0.003, 0.3);
    }
    return surface_of_cells(&of, random);
}

/* ---- boxes and balls with dents ---- */

/* A box from -half to half, its sides cut into n by n squares. */
static closed_shape cut_box(random_state *random, int n, abut_vec3 half) {
    cells of = {.count = {1, 1, 1}};
    for (int axis = 0; axis < 3; axis++) {
        of.count[axis] = n;
        for (int i = 0; i <= n; i++) {
            of.at[axis][i] = (&half.x)[axis] * (2.0 * i / n - 1.0);
        }
    }
    for (int p = 0; p < MOST * MOST * MOST; p++) {
        of.full[p % MOST][p / MOST % MOST][p / MOST / MOST] = true;
    }
    return surface_of_cells(&of, random);
}

static closed_shape dent_box(random_state *random, bool tidy) {
    abut_vec3 half = tidy ? abut_vec3_make(0.5, 0.5, 0.5) : random_vec3(random, 0.2, 0.6);
    closed_shape shape = cut_box(random, tidy ? 4 : 2 + random_below(random, 3), half);
    double most = random_log_range(random, 1e-3, 0.3);
    int part = 1 + random_below(random, 3);
    for (int32_t v = 0; v < shape.vertices; v++) {
        double *x = &shape.vertex[v].x, h[3] = {half.x, half.y, half.z};
        int on = 0, axis = 0;
        for (int i = 0; i < 3; i++) {
            bool is = fabs(fabs(x[i]) - h[i]) < 1e-12;
            on += is;
            axis = is ? i : axis;
        }
        if (on == 1 && random_below(random, part) == 0) {
            double in = tidy ? 0.125 : random_range(random, 0.0, most) * h[axis];
            x[axis] -= x[axis] > 0.0 ? in : -in;
        }
    }
    return shape;
}

static closed_shape dent_ball(random_state *random) {
    closed_shape shape = cut_box(random, 2 + random_below(random, 3), abut_vec3_make(1, 1, 1));
    abut_vec3 towards = random_direction(random);
    double cap = random_range(random, 0.3, 0.95), bumps = random_below(random, 2) == 0 ? 0.0 : random_log_range(random, 1e-6, 0.3);
    bool flat = random_below(random, 2) == 0;
    for (int32_t v = 0; v < shape.vertices; v++) {
        abut_vec3 p = abut_scale(0.5 * (1.0 - random_range(random, 0.0, 1.0) * bumps), abut_unit(shape.vertex[v]));
        double over = abut_dot(p, towards) - 0.5 * cap;
        shape.vertex[v] =
            over > 0.0 ? abut_add_scaled(p, (flat ? -1.3 : -2.0) * over, towards) : p; /* mirrored at a plane: a spherical dent */
    }
    return shape;
}

/* ---- stars and gears ---- */

static void profile_of_star(random_state *random, int points, double *radius, double *angle) {
    bool gear = random_below(random, 2) == 0;
    double inner = random_range(random, 0.15, 0.45), wide = random_range(random, 0.1, 0.9), off = random_range(random, 0.0, turn);
    for (int i = 0; i < points; i++) {
        bool out = gear ? i / 2 % 2 == 0 : i % 2 == 0;
        radius[i] = out ? 0.5 : inner;
        angle[i] = off + turn * (gear ? i / 2 + wide * (i % 2) : (double)i) / (gear ? 0.5 * points : points);
    }
}

/* Over a polygon that is seen whole from its middle. */
static closed_shape pick_star(random_state *random) {
    enum { ROOM = 48 };
    double radius[ROOM], angle[ROOM], half = random_log_range(random, 0.01, 0.5);
    int points = 4 * (2 + random_below(random, 8));
    profile_of_star(random, points, radius, angle);
    closed_shape shape = make_room(2 * points + 2, 4 * points);
    for (int i = 0; i < 2 * points; i++) {
        int k = i % points;
        add_vertex(&shape, radius[k] * cos(angle[k]), radius[k] * sin(angle[k]), i < points ? -half : half);
    }
    int32_t low = add_vertex(&shape, 0, 0, -half), high = add_vertex(&shape, 0, 0, half);
    for (int i = 0; i < points; i++) {
        int k = (i + 1) % points;
        add_triangle(&shape, low, k, i);
        add_triangle(&shape, high, points + i, points + k);
        add_square(&shape, i, k, points + k, points + i, random_below(random, 2) == 0);
    }
    return shape;
}

/* ---- round about the z axis ---- */

typedef struct profile {
    double r[24], z[24]; /* from the lower to the upper end with the inside on the left; ends at r = 0, or the last joins the first */
    int count;
    bool ring;
} profile;

static void add_point(profile *of, double r, double z) {
    of->r[of->count] = r;
    of->z[of->count++] = z;
}

static closed_shape turn_profile(const profile *of, int around, random_state *random) {
    closed_shape shape = make_room(of->count * around, 2 * of->count * around);
    int32_t first[24];
    double off = random_below(random, 2) == 0 ? 0.0 : random_range(random, 0.0, 1.0);
    for (int i = 0; i < of->count; i++) {
        first[i] = shape.vertices;
        for (int k = 0; k < (of->r[i] > 0.0 ? around : 1); k++) {
            double angle = turn * (k + off) / around;
            add_vertex(&shape, of->r[i] * cos(angle), of->r[i] * sin(angle), of->z[i]);
        }
    }
    for (int i = 0; i < of->count - (of->ring ? 0 : 1); i++) {
        int next = (i + 1) % of->count;
        for (int k = 0; k < around; k++) {
            int m = (k + 1) % around;
            if (!(of->r[i] > 0.0)) {
                add_triangle(&shape, first[i], first[next] + m, first[next] + k);
            } else if (!(of->r[next] > 0.0)) {
                add_triangle(&shape, first[i] + k, first[i] + m, first[next]);
            } else {
                add_square(&shape, first[i] + k, first[i] + m, first[next] + m, first[next] + k, random_below(random, 2) == 0);
            }
        }
    }
    return shape;
}

/* A bowl that holds a ball of the given radius about the origin. */
static closed_shape make_bowl(random_state *random, double radius, double thick) {
    profile of = {0};
    int steps = 2 + random_below(random, 4), around = 4 + random_below(random, 8);
    double rim = random_range(random, -0.3, 0.6); /* height of the rim over the centre, in radii */
    double last = acos(-rim);
    add_point(&of, 0.0, -radius - thick);
    for (int i = 1; i <= steps; i++) {
        double angle = last * i / steps;
        add_point(&of, (radius + thick) * sin(angle), -(radius + thick) * cos(angle));
    }
    for (int i = steps; i >= 1; i--) {
        double angle = last * i / steps;
        add_point(&of, radius * sin(angle), -radius * cos(angle));
    }
    add_point(&of, 0.0, -radius);
    return turn_profile(&of, around, random);
}

static closed_shape pick_round(random_state *random) {
    profile of = {0};
    int kind = random_below(random, 4), around = 3 + random_below(random, 9);
    double a = random_range(random, 0.05, 0.3), b = random_range(random, 0.05, 0.45);
    if (kind == 0) {
        return make_bowl(random, random_range(random, 0.2, 0.5), random_log_range(random, 0.005, 0.3));
    }
    if (kind == 1) { /* a spool */
        const double z[4] = {-0.5, -0.5 + a, 0.5 - a, 0.5};
        add_point(&of, 0.0, z[0]);
        for (int i = 0; i < 6; i++) {
            add_point(&of, i == 2 || i == 3 ? b : 0.5, z[(i + 1) / 2]);
        }
        add_point(&of, 0.0, z[3]);
    } else if (kind == 2) { /* a pipe */
        of.ring = true;
        add_point(&of, 0.5, -b);
        add_point(&of, 0.5, b);
        add_point(&of, 0.5 - a, b);
        add_point(&of, 0.5 - a, -b);
    } else { /* a ring */
        int across = 3 + random_below(random, 4);
        of.ring = true;
        for (int i = 0; i < across; i++) {
            add_point(&of, 0.5 - 0.5 * a + 0.5 * a * cos(turn * i / across), 0.5 * a * sin(turn * i / across));
        }
    }
    return turn_profile(&of, around, random);
}

/* ---- any ---- */

closed_shape closed_shape_pick(random_state *random, bool tidy) {
    switch (random_below(random, 6)) {
    case 0:
        return dent_box(random, tidy);
    case 1:
        return tidy ? pick_cells(random, tidy) : dent_ball(random);
    case 2:
        return tidy ? pick_cells(random, tidy) : pick_star(random);
    case 3:
        return pick_round(random);
    default:
        return pick_cells(random, tidy);
    }
}

/* ---- pairs that fit ---- */

static closed_shape make_block(random_state *random, abut_vec3 lower, abut_vec3 upper) {
    cells of = {.count = {1, 1, 1}, .full = {{{true}}}};
    for (int axis = 0; axis < 3; axis++) {
        of.at[axis][0] = (&lower.x)[axis];
        of.at[axis][1] = (&upper.x)[axis];
    }
    return surface_of_cells(&of, random);
}

static closed_shape make_corner(void) {
    static const int32_t corner[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    closed_shape shape = make_room(4, 4);
    add_vertex(&shape, 0, 0, 0);
    add_vertex(&shape, 0.5, 0, 0);
    add_vertex(&shape, 0, 0.5, 0);
    add_vertex(&shape, 0, 0, 0.5);
    for (int t = 0; t < 4; t++) {
        add_triangle(&shape, corner[t][0], corner[t][1], corner[t][2]);
    }
    return shape;
}

closed_shape closed_shape_pick_convex(random_state *random, bool tidy) {
    int kind = random_below(random, 3);
    if (kind == 0) {
        return make_corner();
    }
    if (kind == 1 && !tidy) {
        closed_shape ball = cut_box(random, 2 + random_below(random, 3), abut_vec3_make(1, 1, 1));
        for (int32_t v = 0; v < ball.vertices; v++) {
            ball.vertex[v] = abut_scale(0.5, abut_unit(ball.vertex[v]));
        }
        return ball;
    }
    abut_vec3 half = random_vec3(random, 0.05, 0.5);
    half = tidy ? abut_vec3_make(0.125 * (1 + random_below(random, 4)), 0.25, 0.125 * (1 + random_below(random, 4))) : half;
    return make_block(random, abut_neg(half), half);
}

/* A plate with a square hole, or a box with a pit, and a peg with some clearance. */
static void make_peg(random_state *random, bool tidy, closed_shape of[2]) {
    double hole = tidy ? 0.25 : random_range(random, 0.1, 0.3), depth = tidy ? 0.25 : random_range(random, 0.05, 0.4);
    double clear = random_below(random, 3) == 0 ? (tidy ? 0.0 : 1e-12) : random_log_range(random, 1e-9, 0.3 * hole);
    cells plate = {.count = {3, 3, 2}};
    const double x[4] = {-0.5, -hole, hole, 0.5};
    bool through = random_below(random, 2) == 0;
    for (int i = 0; i < 4; i++) {
        plate.at[0][i] = plate.at[1][i] = x[i];
    }
    plate.at[2][0] = -depth - 0.25;
    plate.at[2][1] = -depth;
    plate.at[2][2] = 0.0;
    for (int p = 0; p < 18; p++) {
        plate.full[p % 3][p / 3 % 3][p / 9] = !(p % 9 == 4 && (through || p / 9 == 1));
    }
    double wide = hole - clear, foot = through ? -depth - 0.5 : -depth + clear;
    of[0] = surface_of_cells(&plate, random);
    of[1] = make_block(random, abut_vec3_make(-wide, -wide, foot), abut_vec3_make(wide, wide, 0.25));
}

/* Two combs, one with its teeth between those of the other. */
static void make_combs(random_state *random, bool tidy, closed_shape of[2]) {
    double step = tidy ? 0.125 : 0.15, clear = tidy ? 0.0 : random_log_range(random, 1e-10, 0.05),
           deep = tidy ? 0.25 : random_range(random, 0.1, 0.4);
    int teeth = 2 + random_below(random, 2);
    for (int k = 0; k < 2; k++) {
        cells comb = {.count = {2 * teeth - 1, 1, 2}};
        for (int i = 0; i <= comb.count[0]; i++) {
            double shrink = i % 2 == 0 ? 0.5 * clear : -0.5 * clear; /* a tooth goes from an even place to an odd one */
            comb.at[0][i] = step * (i + k) + shrink;
        }
        comb.at[1][0] = -0.125;
        comb.at[1][1] = 0.125;
        comb.at[2][0] = k == 0 ? -0.125 : 0.0;
        comb.at[2][1] = k == 0 ? 0.0 : deep - clear;
        comb.at[2][2] = k == 0 ? deep - clear : deep + 0.125;
        for (int i = 0; i < comb.count[0]; i++) {
            comb.full[i][0][k == 0 ? 0 : 1] = true;
            comb.full[i][0][k == 0 ? 1 : 0] = i % 2 == 0;
        }
        of[k] = surface_of_cells(&comb, random);
    }
}

void closed_shape_pick_fitting(random_state *random, bool tidy, closed_shape of[2], abut_vec3 *place) {
    *place = abut_vec3_make(0, 0, 0);
    int kind = random_below(random, 3);
    if (kind == 0) {
        make_peg(random, tidy, of);
    } else if (kind == 1) {
        make_combs(random, tidy, of);
        *place = abut_vec3_make(0, 0, tidy ? 0.0 : 1e-9);
    } else {
        double radius = random_range(random, 0.2, 0.5), own = random_range(random, 0.3, 0.95);
        of[0] = make_bowl(random, radius, random_log_range(random, 0.005, 0.3));
        of[1] = random_below(random, 2) == 0 ? cut_box(random, 2, abut_vec3_make(1, 1, 1)) : dent_ball(random);
        for (int32_t v = 0; v < of[1].vertices; v++) {
            abut_vec3 p = of[1].vertex[v];
            of[1].vertex[v] = abut_scale(0.6 * own * radius, abut_length(p) > 0.75 ? abut_unit(p) : abut_scale(2.0, p));
        }
    }
}

/* ---- cuts ---- */

static void grow(closed_shape *shape, int32_t vertices, int32_t triangles) {
    shape->vertex = realloc(shape->vertex, (size_t)(shape->vertices + vertices) * sizeof *shape->vertex);
    shape->triangle = realloc(shape->triangle, (size_t)(shape->triangles + triangles) * sizeof *shape->triangle);
    assert_non_null(shape->vertex);
    assert_non_null(shape->triangle);
}

/* The triangle with a side in that direction, and the side's number. */
static int32_t find_side(const closed_shape *shape, int32_t from, int32_t to, int *side) {
    for (int32_t t = 0; t < shape->triangles; t++) {
        for (int k = 0; k < 3; k++) {
            if (shape->triangle[t][k] == from && shape->triangle[t][(k + 1) % 3] == to) {
                *side = k;
                return t;
            }
        }
    }
    return -1;
}

static double pick_fraction(random_state *random) {
    double at = random_below(random, 2) == 0 ? random_range(random, 0.1, 0.9) : random_log_range(random, 1e-7, 0.5);
    return random_below(random, 4) == 0 ? 0.5 : at;
}

/* A new vertex on a side splits both its triangles. */
static void split_side(closed_shape *shape, int32_t t, int k, int32_t v) {
    int32_t from = shape->triangle[t][k], to = shape->triangle[t][(k + 1) % 3], third = shape->triangle[t][(k + 2) % 3];
    (void)from;
    shape->triangle[t][(k + 1) % 3] = v;
    add_triangle(shape, v, to, third);
}

static void cut_side(closed_shape *shape, random_state *random) {
    int32_t t = random_below(random, shape->triangles), other;
    int k = random_below(random, 3), m = 0;
    int32_t from = shape->triangle[t][k], to = shape->triangle[t][(k + 1) % 3];
    other = find_side(shape, to, from, &m);
    if (other >= 0) {
        abut_vec3 p = abut_lerp(shape->vertex[from], shape->vertex[to], pick_fraction(random));
        int32_t v = add_vertex(shape, p.x, p.y, p.z);
        split_side(shape, t, k, v);
        split_side(shape, other, m, v);
    }
}

static void cut_face(closed_shape *shape, random_state *random) {
    int32_t t = random_below(random, shape->triangles), p = shape->triangle[t][0], q = shape->triangle[t][1], r = shape->triangle[t][2];
    abut_vec3 on = abut_lerp(shape->vertex[p], shape->vertex[q], random_range(random, 0.1, 0.9));
    abut_vec3 at = abut_lerp(on, shape->vertex[r], pick_fraction(random));
    int32_t v = add_vertex(shape, at.x, at.y, at.z);
    shape->triangle[t][2] = v;
    add_triangle(shape, q, r, v);
    add_triangle(shape, r, p, v);
}

void closed_shape_cut(closed_shape *shape, random_state *random, int32_t count) {
    grow(shape, count, 2 * count);
    for (int32_t i = 0; i < count; i++) {
        (random_below(random, 2) == 0 ? cut_side : cut_face)(shape, random);
    }
}

/* ---- the mesh ---- */

void closed_shape_scale(closed_shape *shape, abut_vec3 by) {
    for (int32_t v = 0; v < shape->vertices; v++) {
        abut_vec3 p = shape->vertex[v];
        shape->vertex[v] = abut_vec3_make(by.x * p.x, by.y * p.y, by.z * p.z);
    }
}

abut_shape *closed_shape_mesh(closed_shape *shape) {
    abut_shape *mesh = meshes_make(shape->vertex, shape->vertices, &shape->triangle[0][0], shape->triangles);
    free(shape->vertex);
    free(shape->triangle);
    *shape = (closed_shape){0};
    return mesh;
}
