/*
 * Two boxes by separating axes: three face normals of each and nine cross products of edges. Everything in the frame of A: with R the axes of
 * B as columns and t its centre, the boxes overlap along A's axis i by a_i + sum_j b_j |R_ij| - |t_i|, along B's axis j by
 * b_j + sum_i a_i |R_ij| - |t . R_j|.
 */

#include "narrow/boxes.h"

#include "narrow/ties.h"

typedef struct box_pair {
    double a[3], b[3];       /* half sizes */
    double r[3][3];          /* r[i][j]: component along A's axis i of B's axis j */
    double s[3][3];          /* its size */
    double t[3];             /* centre of B from that of A */
    double t_b[3];           /* the same along B's axes */
    double deep_a[3], deep_b[3]; /* overlap along the face normals */
} box_pair;

static void components(abut_vec3 v, double c[3]) {
    c[0] = v.x;
    c[1] = v.y;
    c[2] = v.z;
}

static box_pair place(const convex *a, const convex *b) {
    box_pair p;
    components(a->shape->half, p.a);
    components(b->shape->half, p.b);
    abut_vec3 apart = abut_sub(b->position, a->position);
    components(convex_direction_to_local(a, apart), p.t);
    const abut_vec3 axis[3] = {b->rotation.x, b->rotation.y, b->rotation.z};
    for (int j = 0; j < 3; ++j) {
        double column[3];
        components(convex_direction_to_local(a, axis[j]), column);
        for (int i = 0; i < 3; ++i) {
            p.r[i][j] = column[i];
            p.s[i][j] = fabs(column[i]);
        }
        p.t_b[j] = abut_dot(axis[j], apart);
    }
    return p;
}

static void overlap_of_faces(box_pair *p) {
    for (int i = 0; i < 3; ++i) {
        p->deep_a[i] = p->a[i] + (p->b[0] * p->s[i][0] + p->b[1] * p->s[i][1] + p->b[2] * p->s[i][2]) - fabs(p->t[i]);
        p->deep_b[i] = p->b[i] + (p->a[0] * p->s[0][i] + p->a[1] * p->s[1][i] + p->a[2] * p->s[2][i]) - fabs(p->t_b[i]);
    }
}

static abut_vec3 vector(const double c[3]) {
    return abut_make_vec3(c[0], c[1], c[2]);
}

static abut_vec3 axis_of(const convex *body, int axis) {
    return axis == 0 ? body->rotation.x : axis == 1 ? body->rotation.y : body->rotation.z;
}

/* The vertex of a box farthest along a direction of the pair's frame: see abut_create_box() for its number. */
static int32_t farthest_vertex(const convex *body, abut_vec3 direction) {
    abut_vec3 d = convex_direction_to_local(body, direction);
    return (d.x > 0.0 ? 1 : 0) | (d.y > 0.0 ? 2 : 0) | (d.z > 0.0 ? 4 : 0);
}

/* The number of the edge along an axis that holds the vertex; edges are in ascending order of their vertices. */
static int32_t edge_along(int axis, int32_t vertex) {
    static const int8_t from_lower_end[3][8] = {{0, -1, 5, -1, 8, -1, 11, -1}, {1, 3, -1, -1, 9, 10, -1, -1}, {2, 4, 6, 7, -1, -1, -1, -1}};
    return from_lower_end[axis][vertex & ~(1 << axis)];
}

/* ---- offering facets, in both senses where the centres lie as much to one side as to the other ---- */

static void offer_face(ties *best, const convex *body, const convex *other, int axis, bool of_a, double deep, double towards) {
    abut_vec3 normal = axis_of(body, axis);
    for (int sense = 0; sense < 2; ++sense) {
        double way = sense == 0 ? 1.0 : -1.0; /* of the body's outward normal along its axis */
        double lean = of_a ? way * towards : -way * towards;
        double depth = deep + fabs(towards) - lean;
        if (!(depth <= best->limit)) {
            continue;
        }
        abut_vec3 outward = abut_scale(way, normal);
        abut_feature face = {.kind = ABUT_FEATURE_FACE, .index = 2 * axis + (sense == 0 ? 1 : 0)};
        abut_feature vertex = {.kind = ABUT_FEATURE_VERTEX, .index = farthest_vertex(other, abut_neg(outward))};
        tied_facet facet = {.depth = depth, .direction = of_a ? outward : abut_neg(outward), .is_face = true};
        facet.feature_a = of_a ? face : vertex;
        facet.feature_b = of_a ? vertex : face;
        ties_offer(best, &facet);
    }
}

/* The cross product of edge i of A and edge j of B, exactly: as a unit vector, whose own rounding does not count. */
static void offer_edges(ties *best, const box_pair *p, const convex *a, const convex *b, int i, int j, double square) {
    int k = (i + 1) % 3, l = (i + 2) % 3;
    double length = sqrt(square), across[3] = {0, 0, 0}, reach = 0.0, towards = 0.0;
    across[k] = -p->r[l][j] / length;
    across[l] = p->r[k][j] / length;
    for (int m = 0; m < 3; ++m) {
        double along_b = p->r[0][m] * across[0] + p->r[1][m] * across[1] + p->r[2][m] * across[2];
        reach += p->a[m] * fabs(across[m]) + (m == j ? 0.0 : p->b[m] * fabs(along_b));
        towards += p->t[m] * across[m];
    }
    for (int sense = 0; sense < 2; ++sense) {
        double way = sense == 0 ? 1.0 : -1.0, depth = reach - way * towards;
        if (!(depth <= best->limit)) {
            continue;
        }
        abut_vec3 direction = abut_scale(way, convex_direction_to_pair(a, vector(across)));
        tied_facet facet = {.depth = depth, .direction = direction};
        int32_t va = farthest_vertex(a, direction), vb = farthest_vertex(b, abut_neg(direction));
        facet.feature_a = (abut_feature){.kind = ABUT_FEATURE_EDGE, .index = edge_along(i, va)};
        facet.feature_b = (abut_feature){.kind = ABUT_FEATURE_EDGE, .index = edge_along(j, vb)};
        ties_offer(best, &facet);
    }
}

/* ---- axes ---- */

/* Apart, but not by more than was asked: along which axis does not matter, the distance decides. */
static bool apart_by(double gap, contact_normal *normal) {
    *normal = (contact_normal){.gap = gap};
    return true;
}

static bool apart_along(const convex *a, abut_vec3 local_axis, double towards, double gap, contact_normal *normal) {
    abut_vec3 direction = abut_unit(convex_direction_to_pair(a, local_axis));
    *normal = (contact_normal){.direction = towards < 0.0 ? abut_neg(direction) : direction, .gap = gap};
    return false;
}

static bool faces_part(const box_pair *p, const convex *a, double apart, contact_normal *normal) {
    for (int i = 0; i < 3; ++i) {
        if (-p->deep_a[i] > apart) {
            const double axis[3] = {i == 0, i == 1, i == 2};
            return !apart_along(a, vector(axis), p->t[i], -p->deep_a[i], normal);
        }
        if (-p->deep_b[i] > apart) {
            const double axis[3] = {p->r[0][i], p->r[1][i], p->r[2][i]};
            return !apart_along(a, vector(axis), p->t_b[i], -p->deep_b[i], normal);
        }
    }
    return false;
}

static void offer_faces(ties *best, const box_pair *p, const convex *a, const convex *b) {
    for (int i = 0; i < 3; ++i) {
        if (p->deep_a[i] <= best->limit) {
            offer_face(best, a, b, i, true, p->deep_a[i], p->t[i]);
        }
        if (p->deep_b[i] <= best->limit) {
            offer_face(best, b, a, i, false, p->deep_b[i], p->t_b[i]);
        }
    }
}

bool boxes_normal(const convex *a, const convex *b, const normal_settings *settings, double apart, contact_normal *normal) {
    const double parallel = 1e-18; /* square of the sine of the angle of edges that are as good as parallel: the faces do then */
    box_pair p = place(a, b);
    overlap_of_faces(&p);
    if (faces_part(&p, a, apart, normal)) {
        return false;
    }
    double scale = a->size + b->size, rounding = 4e-16 * scale, least = INFINITY;
    for (int i = 0; i < 3; ++i) {
        least = p.deep_a[i] < least ? p.deep_a[i] : least;
        least = p.deep_b[i] < least ? p.deep_b[i] : least;
    }
    if (least <= rounding) {
        return apart_by(-least, normal);
    }
    ties best;
    ties_begin(&best, least, scale);
    offer_faces(&best, &p, a, b);
    for (int i = 0; i < 3; ++i) {
        int k = (i + 1) % 3, l = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            int m = (j + 1) % 3, n = (j + 2) % 3;
            double square = p.r[k][j] * p.r[k][j] + p.r[l][j] * p.r[l][j];
            double towards = p.t[l] * p.r[k][j] - p.t[k] * p.r[l][j];
            /* Overlap along the cross product, times its length. */
            double deep = p.a[k] * p.s[l][j] + p.a[l] * p.s[k][j] + p.b[m] * p.s[i][n] + p.b[n] * p.s[i][m] - fabs(towards);
            if (square <= parallel) {
                continue;
            }
            double gap = -deep - rounding; /* at least, times the length */
            if (gap > 0.0) {
                double across[3] = {0, 0, 0};
                across[k] = -p.r[l][j];
                across[l] = p.r[k][j];
                return gap * gap > apart * apart * square ? apart_along(a, vector(across), towards, -deep / sqrt(square), normal)
                                                          : apart_by(gap / sqrt(square), normal);
            }
            double at_best = deep - rounding;
            if (at_best <= 0.0 || at_best * at_best <= best.limit * best.limit * square) {
                offer_edges(&best, &p, a, b, i, j, square);
            }
        }
    }
    *normal = (contact_normal){.extreme = true};
    const tied_facet *facet = ties_pick(&best, settings, &normal->chosen);
    normal->direction = facet->direction;
    normal->gap = -facet->depth;
    normal->feature_a = facet->feature_a;
    normal->feature_b = facet->feature_b;
    convex_support(a, normal->direction, &normal->on_a);
    convex_support(b, abut_neg(normal->direction), &normal->on_b);
    return true;
}
