/*
 * Bodies of unit cubes that stand in each other's corners, as closed meshes. What they share is counted in whole cubes and their faces, so depths and areas are
 * known without any geometry. Bodies of boxes that are turned and deep in each other are judged by separating axes of their boxes.
 */
#include <abut/mesh.h>
#include <abut/query.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/meshes.h"

/* ---- bodies of unit cubes ---- */

enum { CELLS = 8, PIECES = 4, TRIANGLES = 12 * CELLS * PIECES };

typedef struct cubes {
    int cell[CELLS][3], count;
} cubes;

static bool has_cell(const cubes *of, int x, int y, int z) {
    for (int i = 0; i < of->count; i++) {
        if (of->cell[i][0] == x && of->cell[i][1] == y && of->cell[i][2] == z) {
            return true;
        }
    }
    return false;
}

/* The surfaces of several bodies that are apart. */
typedef struct surface {
    abut_vec3 vertex[3 * TRIANGLES];
    int32_t triangle[TRIANGLES][3], vertices, triangles;
    bool alone; /* every triangle has vertices of its own */
} surface;

static int32_t corner_at(surface *to, int32_t first, abut_vec3 place) {
    for (int32_t i = first; i < to->vertices && !to->alone; i++) {
        if (abut_distance_between(to->vertex[i], place) == 0.0) {
            return i;
        }
    }
    to->vertex[to->vertices] = place;
    return to->vertices++;
}

/* The surface of the union, without the faces between cubes. */
static void add_cubes(surface *to, const cubes *of, const double at[3]) {
    const int32_t first = to->vertices;
    for (int i = 0; i < 6 * of->count; i++) {
        const int *c = of->cell[i / 6];
        int axis = i % 3, side = i / 3 % 2, u = (axis + 1) % 3, v = (axis + 2) % 3, next[3] = {c[0], c[1], c[2]};
        next[axis] += side == 1 ? 1 : -1;
        if (has_cell(of, next[0], next[1], next[2])) {
            continue;
        }
        abut_vec3 corner[4];
        for (int k = 0; k < 4; k++) {
            double place[3] = {at[0] + c[0], at[1] + c[1], at[2] + c[2]};
            place[axis] += side;
            place[u] += k == 1 || k == 2;
            place[v] += k >= 2;
            corner[side == 1 ? k : 3 - k] = abut_vec3_make(place[0], place[1], place[2]);
        }
        for (int k = 0; k < 2; k++) {
            int32_t *triangle = to->triangle[to->triangles++];
            triangle[0] = corner_at(to, first, corner[0]);
            triangle[1] = corner_at(to, first, corner[1 + k]);
            triangle[2] = corner_at(to, first, corner[2 + k]);
        }
    }
}

static abut_shape *mesh_of(const surface *of) {
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = of->vertex;
    def.vertex_count = of->vertices;
    def.triangles = &of->triangle[0][0];
    def.triangle_count = of->triangles;
    abut_trimesh_report report;
    abut_shape *mesh = NULL;
    assert_ok(abut_shape_create_trimesh(&def, &report, &mesh));
    assert_true(report.closed);
    return mesh;
}

static abut_shape *surface_of_cubes(const cubes *of) {
    static surface made;
    made.vertices = made.triangles = 0;
    add_cubes(&made, of, (const double[3]){0.0, 0.0, 0.0});
    return mesh_of(&made);
}

/* Upright, and turned about, where rounding errors decide which of the touching faces go through each other. */
static void check_cubes(const abut_shape *a, const abut_shape *b, abut_vec3 at, double depth, abut_vec3 way, random_state *random) {
    enum { TURNS = 20 };
    for (int turn = 0; turn < TURNS; turn++) {
        abut_pose whole = turn == 0 ? abut_pose_identity() : random_pose(random, 1.0), pose = abut_pose_identity();
        pose.position = at;
        abut_separation s;
        assert_ok(abut_distance(&(abut_pair){a, whole, b, abut_pose_compose(whole, pose)}, NULL, NULL, &s));
        assert_near(s.gap, -depth, turn == 0 ? 1e-14 : 1e-13);
        /* Touching faces of turned bodies overlap by rounding errors. A way that leads out of both overlaps leans by these errors over the depth. */
        double lean = turn == 0 ? 0.0 : 8e-15 / depth;
        assert_near(abut_distance_between(s.normal, abut_quat_rotate(whole.rotation, way)), 0.0, 1e-12 + lean);
    }
}

/* They overlap by little along one axis, and touch along others. The layers that rounding makes of the touching faces once joined the overlap to places that
 * are not convex, and a way as long as a cube was told. */
static void bodies_of_cubes_that_also_touch(void **state) {
    (void)state;
    static const struct {
        cubes a, b;
        double offset[3];
        int axis, sign; /* B moves along it into A */
    } cases[] = {
        {{{{-1, 0, 0}, {-1, 1, 0}, {0, 0, 0}, {0, 1, 0}}, 4}, {{{0, 0, -1}, {0, 0, 0}, {0, 1, -1}}, 3}, {0, -1, 0}, 2, 1},
        {{{{-2, 0, 0}, {-1, 0, 0}, {-1, 0, 1}, {0, 0, 0}}, 4}, {{{0, -1, 0}, {0, 0, 0}, {1, 0, 0}}, 3}, {-2.172817754629475, 1, 1}, 1, -1},
        {{{{0, 0, -1}, {0, 0, 0}, {0, 0, 1}}, 3}, {{{0, 0, 0}, {0, 1, 0}, {1, -1, 0}, {1, 0, 0}}, 4}, {-1, -1, -0.7539469596861199}, 1, 1},
        {{{{0, -1, 0}, {0, 0, 0}, {0, 1, 0}, {0, 1, 1}}, 4}, {{{0, -2, 0}, {0, -1, 0}, {0, 0, 0}}, 3}, {0, 0, 1}, 2, -1},
        {{{{-1, -1, 0}, {0, -1, 0}, {0, 0, 0}, {1, 0, 0}}, 4}, {{{0, 0, 0}, {1, 0, -1}, {1, 0, 0}}, 3}, {0, -1, 1}, 2, -1},
    };
    random_state random = random_make(random_seed("bodies_of_cubes_that_also_touch", 1));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        abut_shape *a = surface_of_cubes(&cases[i].a), *b = surface_of_cubes(&cases[i].b);
        for (double deep = 1e-11; deep < 2e-2; deep *= 10.0) {
            const double *o = cases[i].offset;
            double at[3] = {o[0], o[1], o[2]}, way[3] = {0.0, 0.0, 0.0};
            at[cases[i].axis] += cases[i].sign * deep;
            double depth = fabs(at[cases[i].axis] - o[cases[i].axis]);
            way[cases[i].axis] = cases[i].sign; /* the normal points from B to A */
            check_cubes(a, b, abut_vec3_make(at[0], at[1], at[2]), depth, abut_vec3_make(way[0], way[1], way[2]), &random);
        }
        abut_shape_release(a);
        abut_shape_release(b);
    }
}

/* ---- many of them ---- */

/* Whether two cubes share an edge that no other cube is at: there the surface is not one of a solid. */
static bool is_pinched(const cubes *of) {
    for (int i = 0; i < of->count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            int u = (axis + 1) % 3, v = (axis + 2) % 3;
            for (int sign = -1; sign <= 1; sign += 2) {
                int beside[3] = {of->cell[i][0], of->cell[i][1], of->cell[i][2]}, above[3], across[3];
                memcpy(above, beside, sizeof above);
                beside[u]++;
                above[v] += sign;
                memcpy(across, beside, sizeof across);
                across[v] += sign;
                if (has_cell(of, across[0], across[1], across[2]) && !has_cell(of, beside[0], beside[1], beside[2]) &&
                    !has_cell(of, above[0], above[1], above[2])) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* Cubes that hang together by their faces. */
static cubes random_cubes_of(random_state *random, int most) {
    cubes made = {.count = 1};
    for (int wanted = 2 + random_below(random, most - 1); made.count < wanted;) {
        int next[3];
        memcpy(next, made.cell[random_below(random, made.count)], sizeof next);
        next[random_below(random, 3)] += random_below(random, 2) == 0 ? 1 : -1;
        if (!has_cell(&made, next[0], next[1], next[2])) {
            memcpy(made.cell[made.count++], next, sizeof next);
        }
    }
    return made;
}

static cubes random_cubes(random_state *random, int most) {
    cubes made;
    do {
        made = random_cubes_of(random, most);
    } while (is_pinched(&made));
    return made;
}

/* Whether a cube of B, moved by whole cubes, is in A. */
static bool meets_cubes(const cubes *a, const cubes *b, const int by[3]) {
    for (int i = 0; i < b->count; i++) {
        if (has_cell(a, b->cell[i][0] + by[0], b->cell[i][1] + by[1], b->cell[i][2] + by[2])) {
            return true;
        }
    }
    return false;
}

static bool has_depth(const abut_shape *a, const abut_shape *b, abut_pose whole, abut_vec3 at, double depth) {
    abut_pose pose = abut_pose_identity();
    abut_separation s;
    pose.position = at;
    assert_ok(abut_distance(&(abut_pair){a, whole, b, abut_pose_compose(whole, pose)}, NULL, NULL, &s));
    return fabs(s.gap + depth) < 1e-9 * depth + 1e-13;
}

/* The area in which faces of the cubes of two bodies lie on each other along an axis; -1 where it is not one rectangle at each level. B is moved by whole
 * cubes. */
static int shared_area(const cubes *a, const cubes *b, const int by[3], int axis) {
    cubes below = {.count = 0}; /* cubes of A on which one of B stands */
    for (int i = 0; i < b->count; i++) {
        int cell[3] = {b->cell[i][0] + by[0], b->cell[i][1] + by[1], b->cell[i][2] + by[2]};
        cell[axis]--;
        if (has_cell(a, cell[0], cell[1], cell[2])) {
            memcpy(below.cell[below.count++], cell, sizeof cell);
        }
    }
    for (int i = 0; i < below.count; i++) {
        int lower[3], upper[3], area = 1, here = 0;
        memcpy(lower, below.cell[i], sizeof lower);
        memcpy(upper, below.cell[i], sizeof upper);
        for (int j = 0; j < below.count; j++) {
            const int *cell = below.cell[j];
            for (int k = 0; k < 3 && cell[axis] == below.cell[i][axis]; k++) {
                lower[k] = cell[k] < lower[k] ? cell[k] : lower[k];
                upper[k] = cell[k] > upper[k] ? cell[k] : upper[k];
                here += k == 0;
            }
        }
        for (int k = 0; k < 3; k++) {
            area *= upper[k] - lower[k] + 1;
        }
        if (area != here) {
            return -1;
        }
    }
    return below.count;
}

/* Whether the patches whose normal is -axis, from B to A, have that depth and together that area. */
static bool has_area(const abut_shape *a, const abut_shape *b, abut_pose whole, abut_vec3 at, int axis, double depth, int area) {
    enum { ROOM = 256 };
    abut_contact c[ROOM];
    int32_t count = ROOM;
    abut_pose pose = abut_pose_identity();
    double way[3] = {0.0, 0.0, 0.0}, sum = 0.0;
    pose.position = at;
    way[axis] = -1.0;
    abut_vec3 normal = abut_quat_rotate(whole.rotation, abut_vec3_make(way[0], way[1], way[2]));
    assert_ok(abut_collide(&(abut_pair){a, whole, b, abut_pose_compose(whole, pose)}, NULL, NULL, c, ROOM, &count));
    for (int i = 0; i < count; i++) {
        bool counts = abut_dot(c[i].normal, normal) > 0.9 && fabs(c[i].gap + depth) < 1e-3 * depth + 1e-12;
        sum += counts ? c[i].area : 0.0;
    }
    return fabs(sum - area) < 1e-6;
}

typedef struct cubes_tally {
    int32_t pairs, depths, areas, standing; /* wrong ones */
} cubes_tally;

/* B stands flush with A wherever their cubes share a face; then it is moved into A by a little, along one axis. */
static void check_pair_of_cubes(const cubes *a, const cubes *b, const int by[3], int axis, double deep, abut_pose turned,
                                cubes_tally *wrong) {
    double at[3] = {by[0], by[1], by[2]};
    abut_vec3 flush = abut_vec3_make(at[0], at[1], at[2]);
    at[axis] -= deep;
    abut_vec3 place = abut_vec3_make(at[0], at[1], at[2]);
    double depth = by[axis] - at[axis];
    abut_shape *p = surface_of_cubes(a), *q = surface_of_cubes(b);
    for (int turn = 0; turn < 2; turn++) {
        abut_pose whole = turn == 0 ? abut_pose_identity() : turned;
        int area = shared_area(a, b, by, axis);
        wrong->depths += !has_depth(p, q, whole, place, depth);
        wrong->areas += area >= 0 && !has_area(p, q, whole, place, axis, depth, area);
        for (int k = 0; k < 3; k++) {
            area = shared_area(a, b, by, k);
            wrong->standing += area >= 0 && !has_area(p, q, whole, flush, k, 0.0, area);
        }
    }
    abut_shape_release(p);
    abut_shape_release(q);
}

static cubes_tally check_bodies_of_cubes(random_state *random, int most, int32_t pairs) {
    cubes_tally wrong = {.pairs = pairs};
    for (int32_t found = 0; found < pairs;) {
        cubes a = random_cubes(random, most), b = random_cubes(random, most);
        int by[3] = {random_below(random, 5) - 2, random_below(random, 5) - 2, random_below(random, 5) - 2};
        int axis = random_below(random, 3), against[3] = {by[0], by[1], by[2]};
        against[axis]--;
        if (!meets_cubes(&a, &b, by) && meets_cubes(&a, &b, against)) {
            double deep = pow(10.0, random_range(random, -11.0, -0.4));
            check_pair_of_cubes(&a, &b, by, axis, deep, random_pose(random, 1.0), &wrong);
            found++;
        }
    }
    print_message("%d pairs of up to %d cubes, upright and turned: %d depths, %d areas, and %d areas of standing bodies are wrong\n",
                  (int)pairs, most, (int)wrong.depths, (int)wrong.areas, (int)wrong.standing);
    return wrong;
}

/* Depths were those of a whole cube, and patches lacked corners, where faces lie flush: rounding errors decided which of them cross. */
static void random_bodies_of_cubes(void **state) {
    (void)state;
    random_state random = random_make(random_seed("random_bodies_of_cubes", 1));
    int32_t pairs = random_samples("random_bodies_of_cubes", 4000);
    cubes_tally small = check_bodies_of_cubes(&random, 4, pairs), large = check_bodies_of_cubes(&random, CELLS, pairs);
    assert_int_equal(small.depths + small.areas + small.standing + large.depths + large.areas + large.standing, 0);
}

/* Each of them was once told wrong: the depth of a cube, because the way out leads into a tight hole; a depth of 0, which is that of a thin layer; a patch
 * without a corner, because its vertex is beside a side of a flat place; the depth of two cubes, because saddles of both bodies meet; and patches without a
 * corner at a saddle. */
static void bodies_of_cubes_that_were_wrong(void **state) {
    (void)state;
    static const struct {
        cubes a, b;
        int by[3], axis;
        double deep;
    } cases[] = {
        {{{{0, 0, 0}, {0, 0, -1}, {-1, 0, 0}, {-1, 0, -1}, {1, 0, 0}}, 5},
         {{{0, 0, 0}, {0, -1, 0}, {0, -1, 1}, {0, 1, 0}, {0, 1, 1}, {-1, 0, 0}, {0, -1, -1}}, 7},
         {0, 0, -2},
         1,
         0.0036967665161853347},
        {{{{0, 0, 0}, {0, 0, -1}, {0, -1, 0}}, 3}, {{{0, 0, 0}, {0, 0, 1}}, 2}, {1, -1, -1}, 0, 1.8781065591610968e-10},
        {{{{0, 0, 0}, {0, 0, -1}, {-1, 0, -1}, {-1, 0, -2}, {-1, 0, 0}, {-1, -1, 0}}, 6},
         {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, 2, 0}, {1, 2, 0}, {1, 2, 1}, {1, 0, -1}}, 8},
         {-1, -1, 1},
         2,
         8.5581802977685584e-08},
        {{{{0, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 2}, {0, -1, 0}, {-1, 1, 0}, {-1, 0, 0}, {0, -1, 2}}, 8},
         {{{0, 0, 0}, {0, 0, 1}}, 2},
         {-1, 1, 1},
         2,
         1.3124937936481729e-07},
        {{{{0, 0, 0}, {0, -1, 0}, {0, -1, -1}, {-1, -1, -1}}, 4},
         {{{0, 0, 0}, {0, -1, 0}, {0, -1, 1}, {0, 1, 0}, {-1, 1, 0}, {0, 0, -1}, {-1, 0, 0}, {1, 0, -1}}, 8},
         {-1, 0, 0},
         1,
         2.3781148939820291e-09},
        {{{{0, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 1, 1}}, 4},
         {{{0, 0, 0}, {0, -1, 0}, {0, -1, 1}, {0, 0, -1}}, 4},
         {-1, 2, -1},
         1,
         0.33059622388379939},
        {{{{0, 0, 0}, {0, -1, 0}, {0, -1, -1}, {-1, -1, -1}}, 4},
         {{{0, 0, 0}, {-1, 0, 0}, {1, 0, 0}}, 3},
         {-2, 0, -1},
         1,
         0.25865854920501913},
    };
    random_state random = random_make(random_seed("bodies_of_cubes_that_were_wrong", 1));
    cubes_tally wrong = {.pairs = 0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int turn = 0; turn < 8; turn++) {
            check_pair_of_cubes(&cases[i].a, &cases[i].b, cases[i].by, cases[i].axis, cases[i].deep, random_pose(&random, 1.0), &wrong);
        }
    }
    assert_int_equal(wrong.depths + wrong.areas + wrong.standing, 0);
}

/* ---- several pieces ---- */

/* A piece of each of two bodies: flush with each other, or the second one moved into the first by a depth along an axis. */
typedef struct couple {
    cubes a, b;
    int by[3], axis;
    double deep;
} couple;

/* The pieces of a body stand far apart, and none has a plane in common with another one. */
static const double apart = 12.0;

static double offset_of(int piece, int axis) { return apart * piece + 0.125 * ((7 * piece + 3 * axis) % 16); }

/* Depths are rounded, so that places are exact. */
static couple random_couple(random_state *random, int most) {
    couple made;
    int against[3];
    do {
        made.a = random_cubes(random, most);
        made.b = random_cubes(random, most);
        for (int k = 0; k < 3; k++) {
            made.by[k] = random_below(random, 5) - 2;
        }
        made.axis = random_below(random, 3);
        memcpy(against, made.by, sizeof against);
        against[made.axis]--;
    } while (meets_cubes(&made.a, &made.b, made.by) || !meets_cubes(&made.a, &made.b, against));
    made.deep = random_below(random, 2) == 0 ? 0.0 : floor(0x1p46 * random_log_range(random, 1e-11, 1e-2)) * 0x1p-46;
    return made;
}

/* The contacts of the piece at whose place they are: the deepest gap, and the area of those along -axis with that depth. */
static int32_t look_at_piece(const abut_contact *c, int32_t count, int piece, const couple *of, abut_pose whole, double *deepest,
                             double *area) {
    const double axis[3] = {of->axis == 0, of->axis == 1, of->axis == 2};
    const abut_vec3 along = abut_quat_rotate(whole.rotation, abut_vec3_make(-axis[0], -axis[1], -axis[2]));
    int32_t own = 0;
    *deepest = INFINITY;
    *area = 0.0;
    for (int32_t i = 0; i < count; i++) {
        if ((int)floor(abut_pose_apply_inverse(whole, c[i].on_a).x / apart + 0.5) == piece) {
            bool counts = abut_dot(c[i].normal, along) > 0.9 && fabs(c[i].gap + of->deep) < 1e-3 * of->deep + 1e-12;
            *deepest = fmin(*deepest, c[i].gap);
            *area += counts ? c[i].area : 0.0;
            own++;
        }
    }
    return own;
}

/* Returns how many pieces are told wrong. */
static int check_couples(const couple *of, int count, abut_pose whole, bool alone) {
    enum { ROOM = 1024 };
    static surface body[2];
    abut_contact c[ROOM];
    int32_t found;
    int wrong = 0;
    for (int side = 0; side < 2; side++) {
        body[side] = (surface){.alone = alone};
    }
    for (int i = 0; i < count; i++) {
        double at[3], moved[3];
        for (int k = 0; k < 3; k++) {
            at[k] = offset_of(i, k);
            moved[k] = at[k] + of[i].by[k] - (k == of[i].axis ? of[i].deep : 0.0);
        }
        add_cubes(&body[0], &of[i].a, at);
        add_cubes(&body[1], &of[i].b, moved);
    }
    abut_shape *a = mesh_of(&body[0]), *b = mesh_of(&body[1]);
    assert_ok(abut_collide(&(abut_pair){a, whole, b, whole}, NULL, NULL, c, ROOM, &found));
    meshes_check_sound(c, found);
    for (int i = 0; i < count; i++) {
        double deepest, area;
        int32_t own = look_at_piece(c, found, i, &of[i], whole, &deepest, &area);
        int expected = shared_area(&of[i].a, &of[i].b, of[i].by, of[i].axis);
        wrong += own == 0 || fabs(deepest + of[i].deep) > 1e-9 * of[i].deep + 2e-13 || (expected >= 0 && fabs(area - expected) > 1e-6);
    }
    abut_shape_release(a);
    abut_shape_release(b);
    return wrong;
}

/* A piece that overlaps a little once took a corner out of the patch of another piece, in 1 pair of 10. Where triangles shared no vertices, flush pieces had no
 * contact, or the depth of a cube. */
static void random_pieces_of_cubes(void **state) {
    (void)state;
    random_state random = random_make(random_seed("random_pieces_of_cubes", 1));
    const int32_t samples = random_samples("random_pieces_of_cubes", 2000);
    int wrong = 0;
    for (int32_t sample = 0; sample < samples; sample++) {
        couple couples[PIECES];
        const int count = 2 + random_below(&random, PIECES - 1);
        for (int i = 0; i < count; i++) {
            couples[i] = random_couple(&random, 3);
        }
        wrong += check_couples(couples, count, random_below(&random, 4) == 0 ? abut_pose_identity() : random_pose(&random, 1.0),
                               sample % 2 == 1);
    }
    print_message("%d of the pieces of %d pairs are told wrong\n", wrong, (int)samples);
    assert_int_equal(wrong, 0);
}

/* The second piece is 1e-11 deep along another axis. */
static void corner_beside_a_thin_overlap(void **state) {
    (void)state;
    static const couple couples[2] = {
        {{{{0, 0, 0}, {1, 0, 0}, {-1, 0, 0}}, 3}, {{{0, 0, 0}, {1, 0, 0}, {1, -1, 0}}, 3}, {-2, 0, 1}, 2, 0x1p-25},
        {{{{0, 0, 0}, {0, 1, 0}}, 2}, {{{0, 0, 0}, {0, 0, -1}, {0, 0, 1}}, 3}, {0, 2, -1}, 1, 0x1p-36},
    };
    random_state random = random_make(random_seed("corner_beside_a_thin_overlap", 1));
    for (int turn = 0; turn < 20; turn++) {
        assert_int_equal(check_couples(couples, 2, turn == 0 ? abut_pose_identity() : random_pose(&random, 1.0), turn % 2 == 1), 0);
    }
}

/* ---- deep in each other ---- */

/* A body of cubes, stretched: plane i of an axis lies at line[axis][i + PLANES]. */
enum { PLANES = 10 };

typedef struct stretched {
    cubes of;
    double line[3][2 * PLANES];
} stretched;

static stretched random_stretched(random_state *random, int most) {
    stretched made = {.of = random_cubes(random, most)};
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 1; i < 2 * PLANES; i++) {
            made.line[axis][i] = made.line[axis][i - 1] + random_range(random, 0.3, 1.5);
        }
    }
    return made;
}

static double line_at(const stretched *of, int axis, int plane) { return of->line[axis][plane + PLANES] - of->line[axis][PLANES]; }

static abut_shape *surface_of_stretched(const stretched *of) {
    static surface made;
    made.vertices = made.triangles = 0;
    add_cubes(&made, &of->of, (const double[3]){0.0, 0.0, 0.0});
    for (int32_t i = 0; i < made.vertices; i++) {
        abut_vec3 *v = &made.vertex[i];
        *v = abut_vec3_make(line_at(of, 0, (int)v->x), line_at(of, 1, (int)v->y), line_at(of, 2, (int)v->z));
    }
    return mesh_of(&made);
}

typedef struct turned_box {
    abut_vec3 middle, axis[3];
    double half[3];
} turned_box;

static turned_box box_of(const stretched *of, int cell, abut_pose pose) {
    turned_box made;
    const abut_mat3 turn = abut_mat3_from_quat(pose.rotation);
    double middle[3];
    for (int k = 0; k < 3; k++) {
        double lower = line_at(of, k, of->of.cell[cell][k]), upper = line_at(of, k, of->of.cell[cell][k] + 1);
        middle[k] = 0.5 * (lower + upper);
        made.half[k] = 0.5 * (upper - lower);
    }
    made.middle = abut_pose_apply(pose, abut_vec3_make(middle[0], middle[1], middle[2]));
    made.axis[0] = turn.x;
    made.axis[1] = turn.y;
    made.axis[2] = turn.z;
    return made;
}

static double reach_of(const turned_box *of, abut_vec3 along) {
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        sum += of->half[k] * fabs(abut_dot(of->axis[k], along));
    }
    return sum;
}

static int separating_axes(const turned_box *p, const turned_box *q, abut_vec3 axis[15]) {
    int count = 0;
    for (int i = 0; i < 3; i++) {
        axis[count++] = p->axis[i];
        axis[count++] = q->axis[i];
        for (int k = 0; k < 3; k++) {
            abut_vec3 across = abut_cross(p->axis[i], q->axis[k]);
            if (abut_length(across) > 1e-7) {
                axis[count++] = abut_unit(across);
            }
        }
    }
    return count;
}

/* How deep the deepest two boxes of two bodies are in each other after a move of A; negative where all are apart. */
static double deepest_after(const turned_box *a, int a_count, const turned_box *b, int b_count, abut_vec3 move) {
    double deepest = -INFINITY;
    for (int i = 0; i < a_count * b_count; i++) {
        const turned_box *p = &a[i % a_count], *q = &b[i / a_count];
        abut_vec3 axis[15], apart_by = abut_sub(abut_add(p->middle, move), q->middle);
        double depth = INFINITY;
        for (int k = separating_axes(p, q, axis) - 1; k >= 0; k--) {
            depth = fmin(depth, reach_of(p, axis[k]) + reach_of(q, axis[k]) - fabs(abut_dot(apart_by, axis[k])));
        }
        deepest = fmax(deepest, depth);
    }
    return deepest;
}

/* The move that all contacts ask for. */
static abut_vec3 move_of(const abut_contact *c, int32_t count) {
    abut_vec3 move = {0.0, 0.0, 0.0};
    for (int round = 0; round < 1000; round++) {
        for (int32_t i = 0; i < count; i++) {
            double missing = 1e-9 - c[i].gap - abut_dot(move, c[i].normal);
            move = c[i].gap < 0.0 && missing > 0.0 ? abut_add_scaled(move, missing, c[i].normal) : move;
        }
    }
    return move;
}

/* Overlap is told, and the contacts lead out. In 1 pair of 50 they did not: they were those of the triangles deepest in each other. Contacts of several places
 * together do not always lead out, and some oppose each other. */
static void turned_bodies_deep_in_each_other(void **state) {
    (void)state;
    enum { ROOM = 512 };
    random_state random = random_make(random_seed("turned_bodies_deep_in_each_other", 1));
    const int32_t samples = random_samples("turned_bodies_deep_in_each_other", 1500);
    int32_t deep = 0, opposed = 0, left = 0;
    for (int32_t sample = 0; sample < samples; sample++) {
        const stretched body[2] = {random_stretched(&random, 4), random_stretched(&random, 4)};
        turned_box boxes[2][CELLS];
        abut_pose pose = {{0, 0, 0}, random_rotation(&random)};
        pose.position = abut_sub(box_of(&body[0], 0, abut_pose_identity()).middle, box_of(&body[1], 0, pose).middle);
        pose.position = abut_add(pose.position, random_vec3(&random, -1.0, 1.0));
        for (int side = 0; side < 2; side++) {
            for (int i = 0; i < body[side].of.count; i++) {
                boxes[side][i] = box_of(&body[side], i, side == 0 ? abut_pose_identity() : pose);
            }
        }
        abut_shape *a = surface_of_stretched(&body[0]), *b = surface_of_stretched(&body[1]);
        abut_contact c[ROOM];
        int32_t count;
        assert_ok(abut_collide(&(abut_pair){a, abut_pose_identity(), b, pose}, NULL, NULL, c, ROOM, &count));
        double before = deepest_after(boxes[0], body[0].of.count, boxes[1], body[1].of.count, abut_vec3_make(0, 0, 0));
        abut_vec3 move = move_of(c, count);
        double after = deepest_after(boxes[0], body[0].of.count, boxes[1], body[1].of.count, move);
        bool against = false;
        for (int32_t i = 0; i < count; i++) {
            against = against || (c[i].gap < 0.0 && abut_dot(move, c[i].normal) < -c[i].gap);
        }
        assert_int_equal(count > 0, before > 0.0);
        left += !against && after >= 1e-7;
        deep += before > 0.0;
        opposed += against;
        abut_shape_release(a);
        abut_shape_release(b);
    }
    print_message("%d of %d pairs have contacts that do not lead out, %d have opposed ones\n", (int)left, (int)deep, (int)opposed);
    assert_true(left <= 2 + deep / 250 && opposed <= 2 + deep / 200);
}

/* A box whose faces are divided, with all vertices moved at random by up to `rough`. */
static abut_shape *bumpy_box(random_state *random, abut_vec3 half, int cells, double rough) {
    enum { MOST = 8 };
    static abut_vec3 vertex[6 * MOST * MOST];
    static int32_t corner[6 * 6 * MOST * MOST];
    int32_t vertices = 0, corners = 0, number[MOST][MOST];
    for (int face = 0; face < 6; face++) {
        const int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3, sign = face % 2 == 0 ? -1 : 1;
        for (int i = 0; i <= cells; i++) {
            for (int k = 0; k <= cells; k++) {
                double place[3];
                place[axis] = sign;
                place[u] = sign * (2.0 * i / cells - 1.0);
                place[v] = 2.0 * k / cells - 1.0;
                abut_vec3 at = abut_vec3_make(half.x * place[0], half.y * place[1], half.z * place[2]);
                int32_t same = 0;
                while (same < vertices && abut_distance_between(vertex[same], at) > 1e-6) {
                    same++;
                }
                vertex[same] = at;
                vertices = same == vertices ? same + 1 : vertices;
                number[i][k] = same;
            }
        }
        for (int i = 0; i < cells * cells; i++) {
            const int x = i % cells, y = i / cells;
            const int32_t four[4] = {number[x][y], number[x + 1][y], number[x + 1][y + 1], number[x][y + 1]};
            for (int k = 0; k < 6; k++) {
                corner[corners++] = four[k < 3 ? k : (k - 2) % 4 == 1 ? 0 : k - 2];
            }
        }
    }
    for (int32_t i = 0; i < vertices; i++) {
        vertex[i] = abut_add_scaled(vertex[i], rough * random_range(random, 0.0, 1.0), random_direction(random));
    }
    return meshes_make(vertex, vertices, corner, corners / 3);
}

/* Bumps make valleys, so such bodies are not convex. Their depth was up to five times that of the boxes, or a fifth of it. None is now too small. */
static void bumpy_boxes(void **state) {
    (void)state;
    enum { ROOM = 512 };
    const double rough = 1e-9;
    random_state random = random_make(random_seed("bumpy_boxes", 1));
    const int32_t samples = random_samples("bumpy_boxes", 1500);
    int32_t deep = 0, longer = 0;
    for (int32_t sample = 0; sample < samples; sample++) {
        abut_pose pose[2] = {abut_pose_identity(), {random_vec3(&random, -1.0, 1.0), random_rotation(&random)}};
        turned_box box[2];
        abut_shape *mesh[2];
        for (int side = 0; side < 2; side++) {
            abut_vec3 half = random_vec3(&random, 0.2, 1.0);
            const abut_mat3 turn = abut_mat3_from_quat(pose[side].rotation);
            box[side] = (turned_box){pose[side].position, {turn.x, turn.y, turn.z}, {half.x, half.y, half.z}};
            mesh[side] = bumpy_box(&random, half, 1 + random_below(&random, 4), rough);
        }
        double depth = deepest_after(&box[0], 1, &box[1], 1, abut_vec3_make(0, 0, 0));
        abut_separation s;
        assert_ok(abut_distance(&(abut_pair){mesh[0], pose[0], mesh[1], pose[1]}, NULL, NULL, &s));
        assert_true((s.gap < 0.0) == (depth > 0.0) || fabs(depth) < 4.0 * rough);
        if (depth > 4.0 * rough) {
            assert_true(-s.gap > depth - 100.0 * rough && -s.gap < 1.2 * depth + 100.0 * rough);
            deep++;
            longer += -s.gap > 1.01 * depth + 100.0 * rough;
        }
        abut_shape_release(mesh[0]);
        abut_shape_release(mesh[1]);
    }
    print_message("%d of %d depths are more than one percent too large\n", (int)longer, (int)deep);
    assert_true(longer <= 2 + deep / 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_of_cubes_that_also_touch),
        cmocka_unit_test(bodies_of_cubes_that_were_wrong),
        cmocka_unit_test(random_bodies_of_cubes),
        cmocka_unit_test(random_pieces_of_cubes),
        cmocka_unit_test(corner_beside_a_thin_overlap),
        cmocka_unit_test(turned_bodies_deep_in_each_other),
        cmocka_unit_test(bumpy_boxes),
    };
    return cmocka_run_group_tests_name("narrow/mesh/cubes", tests, NULL, NULL);
}
