/*
 * The separating directions of two simplices: normals of faces and cross products of edges (J. Kim, Y. J. Kim, section IV: 44 for two
 * tetrahedra). They are not normalised. All quantities are homogeneous in the direction; one division at the end is cheaper and loses less.
 */
#include "tetra/lanes.h"

#include "geom/exact.h"
#include "tetra/along.h"
#include "tetra/kernel.h"

static void set(lanes *l, int lane, abut_vec3 direction) {
    l->x[lane] = direction.x;
    l->y[lane] = direction.y;
    l->z[lane] = direction.z;
}

int lanes_face(const pair_body *body, int face, int corner[3]) {
    int count = 0;
    for (int i = 0; i < 4 && body->count >= 3; ++i) {
        if (i < body->count && (i != face || body->count == 3)) {
            corner[count++] = i;
        }
    }
    return body->count == 4 || (body->count == 3 && face == 0) ? count : 0;
}

/* The cross product of two nearly parallel edges with all its digits, from the coordinates as given. Those of the pair are rounded, by amounts that depend on
 * which body is A. */
static abut_vec3 cross_exactly(const pair *p, int body_i, int i, int body_j, int j) {
    const abut_vec3 *u = p->given[body_i]->vertex, *v = p->given[body_j]->vertex;
    return exact_cross_scaled(p->scale, u[pair_edge_ends[i][0]], u[pair_edge_ends[i][1]], v[pair_edge_ends[j][0]], v[pair_edge_ends[j][1]]);
}

/* The edges of the faces of a tetrahedron, face i opposite vertex i. A triangle uses the last row. */
static const int face_edges[4][3] = {{3, 4, 5}, {1, 2, 5}, {0, 2, 4}, {0, 1, 3}};

/* From the two shorter edges, which lose least; exactly for needles, because all corners must have the same height. */
static abut_vec3 face_normal(const pair *p, int b, int face) {
    const pair_body *body = &p->body[b];
    double square[3];
    int longest = 0;
    for (int k = 0; k < 3; ++k) {
        square[k] = abut_length_squared(body->edge[face_edges[face][k]]);
        longest = square[k] > square[longest] ? k : longest;
    }
    int first = (longest + 1) % 3, second = (longest + 2) % 3, i = face_edges[face][first], j = face_edges[face][second];
    abut_vec3 normal = abut_cross(body->edge[i], body->edge[j]);
    double lengths = square[first] * square[second];
    return abut_length_squared(normal) <= LANES_PARALLEL * lengths ? cross_exactly(p, b, i, b, j) : normal;
}

static void set_faces(const pair *p, int b, int first, lanes *l) {
    const pair_body *body = &p->body[b];
    const abut_vec3 none = {0.0, 0.0, 0.0};
    for (int face = 0; face < 4; ++face) {
        int corner[3];
        bool there = lanes_face(body, face, corner) == 3;
        set(l, first + face, there ? face_normal(p, b, body->count == 4 ? face : 3) : none);
    }
}

static abut_vec3 sum_between(const pair *p, const abut_vec3 a[2], const abut_vec3 b[2]) {
    return abut_add(abut_scale(p->scale, abut_sub(b[0], a[0])), abut_scale(p->scale, abut_sub(b[1], a[1])));
}

/* From the middle of an edge of A to the middle of an edge of B, four times. The order of the vertices does not change a bit. */
static abut_vec3 between_middles(const pair *p, int i, int j) {
    const abut_vec3 *a = p->given[PAIR_A]->vertex, *b = p->given[PAIR_B]->vertex;
    const abut_vec3 of_a[2] = {a[pair_edge_ends[i][0]], a[pair_edge_ends[i][1]]},
                    of_b[2] = {b[pair_edge_ends[j][0]], b[pair_edge_ends[j][1]]};
    const abut_vec3 reversed[2] = {of_b[1], of_b[0]};
    return abut_add(sum_between(p, of_a, of_b), sum_between(p, of_a, reversed));
}

/* The mean direction of two nearly parallel edges, which may point opposite ways. */
static abut_vec3 mean_direction(abut_vec3 e, abut_vec3 f) {
    abut_vec3 u = abut_unit(e), v = abut_unit(f);
    return abut_unit(abut_dot(u, v) < 0.0 ? abut_sub(u, v) : abut_add(u, v));
}

/* For two nearly parallel edges: their cross product, or, where it vanishes, the perpendicular of both in the plane that they span. Where the lines nearly
 * coincide, their last digits turn it, so both edges and all four vertices count alike: the depth does not depend on which body or vertex comes first. */
static abut_vec3 across_parallel(const pair *p, int i, int j, double lengths) {
    abut_vec3 direction = cross_exactly(p, PAIR_A, i, PAIR_B, j);
    if (abut_length_squared(direction) > 1e-20 * lengths) {
        return direction;
    }
    abut_vec3 between = between_middles(p, i, j);
    direction = lanes_across(between, mean_direction(p->body[PAIR_A].edge[i], p->body[PAIR_B].edge[j]));
    bool one_line = !(abut_length_squared(direction) > 1e-20 * abut_length_squared(between));
    return one_line ? abut_vec3_make(0.0, 0.0, 0.0) : direction;
}

static void mend_parallel(const pair *p, lanes *l) {
    for (int i = 0; i < 6; ++i) {
        double own = abut_length_squared(p->body[PAIR_A].edge[i]);
        for (int j = 0; j < 6; ++j) {
            int lane = LANES_EDGES + 6 * i + j;
            double lengths = own * abut_length_squared(p->body[PAIR_B].edge[j]);
            if (abut_length_squared(lanes_direction(l, (lane_choice){lane, 0})) <= LANES_PARALLEL * lengths && lengths > 0.0) {
                set(l, lane, across_parallel(p, i, j, lengths));
            }
        }
    }
}

void lanes_set_directions(const pair *p, lanes *l) {
    set_faces(p, PAIR_A, LANES_FACES_A, l);
    set_faces(p, PAIR_B, LANES_FACES_B, l);
    if (kernel_get()->cross_edges(p, l)) {
        mend_parallel(p, l);
    }
    for (int i = LANES_USED; i < LANES; ++i) {
        set(l, i, abut_vec3_make(0.0, 0.0, 0.0));
    }
}

/* Simplices with fewer vertices process one direction at a time. */

/* The unit normal of a lane; zero if it has no direction. */
static abut_vec3 unit_normal(const lanes *l, lane_choice c) {
    abut_vec3 direction = lanes_direction(l, c), none = {0.0, 0.0, 0.0};
    return abut_length_squared(direction) > LANES_LEAST ? abut_unit(direction) : none;
}

static void measure_each(const pair *p, lanes *l) {
    for (int i = 0; i < LANES; ++i) {
        abut_vec3 normal = unit_normal(l, (lane_choice){i, 0});
        bool there = abut_length_squared(normal) > 0.0;
        double overlap[LANES_SENSES] = {along_overlap(p, normal), along_overlap(p, abut_neg(normal))};
        bool turned = overlap[0] > overlap[1];
        set(l, i, lanes_direction(l, (lane_choice){i, turned ? 1 : 0}));
        for (int sense = 0; sense < LANES_SENSES; ++sense) {
            double o = overlap[turned ? 1 - sense : sense];
            l->span[sense][i] = there ? o * fabs(o) : INFINITY;
        }
        for (int v = 0; v < 4; ++v) {
            l->height[PAIR_A][v][i] = abut_dot(lanes_direction(l, (lane_choice){i, 0}), p->body[PAIR_A].vertex[v]);
            l->height[PAIR_B][v][i] = abut_dot(lanes_direction(l, (lane_choice){i, 0}), p->body[PAIR_B].vertex[v]);
        }
    }
}

static void find_each_cost(const pair *p, lanes *l) {
    for (int i = 0; i < LANES; ++i) {
        for (int sense = 0; sense < LANES_SENSES; ++sense) {
            abut_vec3 normal = unit_normal(l, (lane_choice){i, sense});
            l->cost[sense][i] = abut_length_squared(normal) > 0.0 ? along_solve(p, normal, NULL).cost : INFINITY;
        }
    }
}

void lanes_measure(const pair *p, lanes *l) {
    if (p->all) {
        kernel_get()->measure(p, l);
    } else {
        measure_each(p, l);
    }
}

void lanes_find_costs(const pair *p, lanes *l, bool all) {
    if (p->all) {
        kernel_get()->find_costs(p, l, all);
    } else {
        find_each_cost(p, l);
    }
}

lane_choice lanes_least(const double values[LANES_SENSES][LANES]) { return kernel_get()->least(values); }
