/*
 * Separating axis test (SAT) of two boxes in the frame of A: three face normals of each box and nine cross products of edges. Let R hold the axes of B as
 * columns, and t the centre of B. The boxes overlap along A's axis i by a_i + sum_j b_j |R_ij| - |t_i|, and along B's axis j by b_j + sum_i a_i
 * |R_ij| - |t . R_j|. Along a cross product of edges they overlap by a similar sum with two terms of each box.
 */

#include "narrow/normal/box_sat.h"

#include "base/bits.h"
#include "narrow/normal/box_axes.h"
#include "narrow/normal/box_features.h"
#include "narrow/normal/tied_facets.h"

typedef struct box_pair {
    double a[3], b[3]; /* half sizes */
    double r[3][3];    /* r[i][j]: component along A's axis i of B's axis j */
    double t[3];       /* centre of B from the centre of A */
    box_axes axes;
} box_pair;

/* Component by component: data that were just written are read back fast only in pieces of the same size. */
static inline void components(const abut_vec3 *v, double c[3]) {
    c[0] = v->x;
    c[1] = v->y;
    c[2] = v->z;
}

static inline void column(const abut_vec3 *v, int j, double r[3][3]) {
    r[0][j] = v->x;
    r[1][j] = v->y;
    r[2][j] = v->z;
}

static inline void place(box_pair *p, const box_placement *where) {
    components(where->half_a, p->a);
    components(where->half_b, p->b);
    components(where->centre, p->t);
    column(&where->rotation->x, 0, p->r);
    column(&where->rotation->y, 1, p->r);
    column(&where->rotation->z, 2, p->r);
}

static void turn_to_b(const box_pair *p, const double v[3], double turned[3]) {
    for (int j = 0; j < 3; ++j) {
        turned[j] = v[0] * p->r[0][j] + v[1] * p->r[1][j] + v[2] * p->r[2][j];
    }
}

/* ---- features of an axis; sense is the sign of the direction from A to B along it ---- */

/* Returns the vertex of B. */
static int32_t vertex_below_face_of_a(const box_pair *p, int i, double sense) {
    const double in_b[3] = {-sense * p->r[i][0], -sense * p->r[i][1], -sense * p->r[i][2]};
    return box_vertex_along(in_b);
}

static void name_features(abut_feature_kind kind_a, int32_t index_a, abut_feature_kind kind_b, int32_t index_b, abut_feature *feature_a,
                          abut_feature *feature_b) {
    tied_facet_name(feature_a, kind_a, index_a);
    tied_facet_name(feature_b, kind_b, index_b);
}

/* ---- offering facets; in both senses where the centre of B lies nearly in the middle of A along the axis ---- */

static void offer_face_of_a(tied_facets *best, const box_pair *p, int i, double sense, double depth) {
    tied_facet *facet = tied_facets_room(best);
    facet->depth = depth;
    facet->is_face = true;
    facet->direction = abut_vec3_make(i == 0 ? sense : 0.0, i == 1 ? sense : 0.0, i == 2 ? sense : 0.0);
    name_features(ABUT_FEATURE_FACE, box_face_along(i, sense), ABUT_FEATURE_VERTEX, vertex_below_face_of_a(p, i, sense), &facet->feature_a,
                  &facet->feature_b);
    tied_facets_offer(best);
}

static void offer_face_of_b(tied_facets *best, const box_pair *p, int j, double sense, double depth) {
    const double direction[3] = {sense * p->r[0][j], sense * p->r[1][j], sense * p->r[2][j]};
    tied_facet *facet = tied_facets_room(best);
    facet->depth = depth;
    facet->is_face = true;
    facet->direction = abut_vec3_make(direction[0], direction[1], direction[2]);
    name_features(ABUT_FEATURE_VERTEX, box_vertex_along(direction), ABUT_FEATURE_FACE, box_face_along(j, -sense), &facet->feature_a,
                  &facet->feature_b);
    tied_facets_offer(best);
}

static void offer_face(tied_facets *best, const box_pair *p, int axis, double sense, double depth) {
    if (axis < 3) {
        offer_face_of_a(best, p, axis, sense, depth);
    } else {
        offer_face_of_b(best, p, axis - 3, sense, depth);
    }
}

static void offer_senses(tied_facets *best, const box_pair *p, int axis) {
    double towards = axis < 3 ? p->t[axis] : p->axes.t_b[axis - 3], deep = p->axes.deep[axis];
    double sense = towards < 0.0 ? -1.0 : 1.0, other = deep + 2.0 * fabs(towards);
    offer_face(best, p, axis, sense, deep);
    if (other <= best->limit) {
        offer_face(best, p, axis, -sense, other);
    }
}

/* Offers the cross product of edge i of A and edge j of B. It is normalised first, and the overlap is measured along the unit vector, so that the rounding
 * error of the direction does not matter. */
static void offer_edges(tied_facets *best, const box_pair *p, int i, int j) {
    int k = (i + 1) % 3, l = (i + 2) % 3;
    double length = sqrt(p->axes.square[3 * i + j]), across[3] = {0, 0, 0}, in_b[3], reach = 0.0, towards = 0.0;
    across[k] = -p->r[l][j] / length;
    across[l] = p->r[k][j] / length;
    turn_to_b(p, across, in_b);
    in_b[j] = 0.0;
    for (int m = 0; m < 3; ++m) {
        reach += p->a[m] * fabs(across[m]) + p->b[m] * fabs(in_b[m]);
        towards += p->t[m] * across[m];
    }
    for (int sense = -1; sense <= 1; sense += 2) {
        double depth = reach - sense * towards;
        if (!(depth <= best->limit)) {
            continue;
        }
        const double direction[3] = {sense * across[0], sense * across[1], sense * across[2]};
        const double inward[3] = {-sense * in_b[0], -sense * in_b[1], -sense * in_b[2]};
        tied_facet *facet = tied_facets_room(best);
        facet->depth = depth;
        facet->is_face = false;
        facet->direction = abut_vec3_make(direction[0], direction[1], direction[2]);
        tied_facet_name(&facet->feature_a, ABUT_FEATURE_EDGE, box_edge_along(i, box_vertex_along(direction)));
        tied_facet_name(&facet->feature_b, ABUT_FEATURE_EDGE, box_edge_along(j, box_vertex_along(inward)));
        tied_facets_offer(best);
    }
}

/* ---- axes ---- */

/* The boxes are farther apart than `apart` along this axis. */
static bool apart_along(abut_vec3 axis, double towards, double gap, contact_normal *normal) {
    normal->direction = towards < 0.0 ? abut_neg(axis) : axis;
    normal->gap = gap;
    return false;
}

static abut_vec3 cross_axis(const box_pair *p, int i, int j) {
    double across[3] = {0, 0, 0};
    across[(i + 1) % 3] = -p->r[(i + 2) % 3][j];
    across[(i + 2) % 3] = p->r[(i + 1) % 3][j];
    return abut_vec3_make(across[0], across[1], across[2]);
}

/* ---- boxes apart ---- */

static int widest_face(const box_pair *p) {
    int widest = 0;
    for (int i = 1; i < 6; ++i) {
        widest = p->axes.deep[i] < p->axes.deep[widest] ? i : widest;
    }
    return widest;
}

/* The feature of a box that is nearest to a point outside, box frame. Returns its index. */
static int32_t nearest_feature(const double half[3], const double point[3], abut_feature_kind *kind) {
    int outside = 0, beyond = 0, within = 0;
    for (int i = 0; i < 3; ++i) {
        bool is_beyond = fabs(point[i]) > half[i];
        outside += is_beyond;
        *(is_beyond ? &beyond : &within) = i;
    }
    *kind = outside == 1 ? ABUT_FEATURE_FACE : outside == 2 ? ABUT_FEATURE_EDGE : ABUT_FEATURE_VERTEX;
    return outside == 1   ? box_face_along(beyond, point[beyond])
           : outside == 2 ? box_edge_along(within, box_vertex_along(point))
                          : box_vertex_along(point);
}

/* The vertex of B that is lowest over a face of A, and the feature of A that is nearest to it. */
static void propose_vertex_of_b(const box_pair *p, int i, abut_feature *feature_a, abut_feature *feature_b) {
    int32_t vertex = vertex_below_face_of_a(p, i, p->t[i] < 0.0 ? -1.0 : 1.0);
    double point[3];
    for (int k = 0; k < 3; ++k) {
        point[k] = p->t[k];
        for (int j = 0; j < 3; ++j) {
            point[k] += (vertex >> j & 1 ? p->b[j] : -p->b[j]) * p->r[k][j];
        }
    }
    abut_feature_kind kind;
    int32_t index = nearest_feature(p->a, point, &kind);
    name_features(kind, index, ABUT_FEATURE_VERTEX, vertex, feature_a, feature_b);
}

static void propose_vertex_of_a(const box_pair *p, int j, abut_feature *feature_a, abut_feature *feature_b) {
    double sense = p->axes.t_b[j] < 0.0 ? -1.0 : 1.0;
    const double direction[3] = {sense * p->r[0][j], sense * p->r[1][j], sense * p->r[2][j]};
    int32_t vertex = box_vertex_along(direction);
    double apart[3], point[3];
    for (int k = 0; k < 3; ++k) {
        apart[k] = (vertex >> k & 1 ? p->a[k] : -p->a[k]) - p->t[k];
    }
    turn_to_b(p, apart, point);
    abut_feature_kind kind;
    int32_t index = nearest_feature(p->b, point, &kind);
    name_features(ABUT_FEATURE_VERTEX, vertex, kind, index, feature_a, feature_b);
}

static void propose_edges(const box_pair *p, int at, abut_feature *feature_a, abut_feature *feature_b) {
    int i = at / 3, j = at % 3, k = (i + 1) % 3, l = (i + 2) % 3;
    double sense = p->axes.towards[at] < 0.0 ? -1.0 : 1.0, direction[3] = {0, 0, 0}, inward[3];
    direction[k] = -sense * p->r[l][j];
    direction[l] = sense * p->r[k][j];
    turn_to_b(p, direction, inward);
    for (int m = 0; m < 3; ++m) {
        inward[m] = -inward[m];
    }
    name_features(ABUT_FEATURE_EDGE, box_edge_along(i, box_vertex_along(direction)), ABUT_FEATURE_EDGE,
                  box_edge_along(j, box_vertex_along(inward)), feature_a, feature_b);
}

/* The features of the axis that separates the boxes most are often the closest ones. */
static void propose(const box_pair *p, abut_feature *feature_a, abut_feature *feature_b) {
    const box_axes *axes = &p->axes;
    int face = widest_face(p), edges = -1;
    double widest = -axes->deep[face] > 0.0 ? -axes->deep[face] : 0.0;
    for (int i = 0; i < BOX_EDGE_AXES; ++i) {
        double apart = -axes->deep_across[i];
        if (axes->square[i] > BOX_PARALLEL && apart > 0.0 && apart * apart > widest * widest * axes->square[i]) {
            widest = apart / sqrt(axes->square[i]);
            edges = i;
        }
    }
    if (edges >= 0) {
        propose_edges(p, edges, feature_a, feature_b);
    } else if (face < 3) {
        propose_vertex_of_b(p, face, feature_a, feature_b);
    } else {
        propose_vertex_of_a(p, face - 3, feature_a, feature_b);
    }
}

/* The boxes are apart, but no axis separates them by more than `apart`. The distance decides later, so any direction will do here. */
static bool apart_by(double gap, const box_pair *p, contact_normal *normal) {
    propose(p, &normal->feature_a, &normal->feature_b);
    normal->direction = abut_vec3_make(p->t[0], p->t[1], p->t[2]);
    normal->gap = gap;
    return true;
}

/* ---- boxes that overlap ---- */

/* Bits of the face axes along which the overlap is no larger than the limit. */
static inline unsigned faces_no_deeper(const box_axes *axes, double limit) {
    unsigned bits = 0;
    for (int i = 0; i < BOX_FACE_AXES; ++i) {
        bits |= (unsigned)(axes->deep[i] <= limit) << i;
    }
    return bits;
}

/* The same for edge axes, up to rounding error. */
static inline unsigned edges_no_deeper(const box_axes *axes, double limit, double rounding) {
    unsigned bits = 0;
    for (unsigned left = axes->shallow; left != 0u; left &= left - 1u) {
        int i = bits_lowest(left);
        double deep = axes->deep_across[i] - rounding;
        bits |= (unsigned)((deep <= 0.0) | (deep * deep <= limit * limit * axes->square[i])) << i;
    }
    return bits;
}

/* An upper bound of the least overlap along any axis. The rounding error grows as two edges become parallel. */
static inline double least_overlap(const box_axes *axes, double rounding) {
    double least = axes->least;
    for (unsigned left = axes->shallow; left != 0u; left &= left - 1u) {
        int i = bits_lowest(left);
        double deep = (axes->deep_across[i] + rounding) / sqrt(axes->square[i]);
        least = deep < least ? deep : least;
    }
    return least;
}

static void pick(const tied_facets *best, contact_normal *normal) {
    const tied_facet *facet = tied_facets_pick(best, &normal->chosen);
    normal->direction = facet->direction;
    normal->gap = -facet->depth;
    normal->feature_a = facet->feature_a;
    normal->feature_b = facet->feature_b;
    normal->extreme = true;
    normal->pair = NORMAL_FEATURES;
}

/* The least depth over all axes, for boxes that overlap along each axis. Edges that are only as good as a face are skipped, because the face is preferred. */
static void find_least(const box_pair *p, const normal_settings *settings, double scale, contact_normal *normal) {
    double rounding = 4e-16 * scale, least = p->axes.least, nearly = least_overlap(&p->axes, rounding);
    tied_facets best;
    tied_facets_begin(&best, settings, abut_vec3_make(p->t[0], p->t[1], p->t[2]), least, scale);
    double limit = nearly + 4.0 * tied_facets_width(&best, nearly);
    for (unsigned bits = faces_no_deeper(&p->axes, limit); bits != 0u; bits &= bits - 1u) {
        offer_senses(&best, p, bits_lowest(bits));
    }
    double worth = best.face_found ? best.least - tied_facets_width(&best, best.least) : limit;
    for (unsigned bits = edges_no_deeper(&p->axes, worth, rounding); bits != 0u; bits &= bits - 1u) {
        int at = bits_lowest(bits);
        offer_edges(&best, p, at / 3, at % 3);
    }
    pick(&best, normal);
}

/* The boxes are farther apart than `apart` along the face axis of the least overlap. */
static bool apart_along_face(const box_placement *where, const box_axes *axes, contact_normal *normal) {
    const abut_vec3 *r[3] = {&where->rotation->x, &where->rotation->y, &where->rotation->z};
    const double t[3] = {where->centre->x, where->centre->y, where->centre->z};
    int i = 0;
    while (axes->deep[i] != axes->least && axes->deep[3 + i] != axes->least) {
        ++i;
    }
    return axes->deep[i] == axes->least ? apart_along(abut_vec3_make(i == 0, i == 1, i == 2), t[i], -axes->least, normal)
                                        : apart_along(abut_vec3_make(r[i]->x, r[i]->y, r[i]->z), axes->t_b[i], -axes->least, normal);
}

/* Whether the edge axis separates the boxes by no more than `apart`. */
static bool apart_along_edges(const box_pair *p, int axis, double apart, double rounding, contact_normal *normal) {
    double square = p->axes.square[axis], gap = -p->axes.deep_across[axis] - rounding;
    return gap * gap > apart * apart * square
               ? apart_along(cross_axis(p, axis / 3, axis % 3), p->axes.towards[axis], -p->axes.deep_across[axis] / sqrt(square), normal)
               : apart_by(gap / sqrt(square), p, normal);
}

bool box_sat_normal(const box_placement *where, const normal_settings *settings, double scale, double apart, contact_normal *normal) {
    box_pair p;
    double rounding = 4e-16 * scale;
    box_axes_find(where, rounding, apart, &p.axes);
    *normal = (contact_normal){.gap = 0.0};
    if (p.axes.least < -apart) {
        return apart_along_face(where, &p.axes, normal);
    }
    place(&p, where);
    if (p.axes.least <= rounding) {
        return apart_by(-p.axes.least, &p, normal);
    }
    if (p.axes.separating != 0u) { /* the first axis is unpredictable, so all axes are tested before this branch */
        return apart_along_edges(&p, bits_lowest(p.axes.separating), apart, rounding, normal);
    }
    find_least(&p, settings, scale, normal);
    return true;
}

void box_sat_guess(const box_placement *where, double scale, abut_feature *feature_a, abut_feature *feature_b) {
    box_pair p;
    box_axes_find(where, 4e-16 * scale, INFINITY, &p.axes);
    place(&p, where);
    propose(&p, feature_a, feature_b);
}
