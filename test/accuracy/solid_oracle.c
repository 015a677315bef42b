#include "accuracy/solid_oracle.h"

#include "accuracy/rough_triangles.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"

/* ---- bodies ---- */

static int32_t vertex_at(judged_body *body, abut_vec3 p) {
    for (int32_t v = body->vertex_count - 1; v >= 0; --v) {
        if (body->vertex[v].x == p.x && body->vertex[v].y == p.y && body->vertex[v].z == p.z) {
            return v;
        }
    }
    body->vertex[body->vertex_count] = p;
    return body->vertex_count++;
}

static int32_t third_of(const judged_body *body, int32_t t, int32_t from, int32_t to) {
    for (int k = 0; k < 3; ++k) {
        if (body->triangle[t][k] == from && body->triangle[t][(k + 1) % 3] == to) {
            return body->triangle[t][(k + 2) % 3];
        }
    }
    return -1;
}

static void find_edges(judged_body *body) {
    for (int32_t t = 0; t < body->triangle_count; ++t) {
        for (int k = 0; k < 3; ++k) {
            int32_t from = body->triangle[t][k], to = body->triangle[t][(k + 1) % 3], right = -1;
            for (int32_t o = 0; from < to && o < body->triangle_count && right < 0; ++o) {
                right = third_of(body, o, to, from);
            }
            if (from < to) {
                body->edge[body->edge_count++] = (judged_edge){from, to, body->triangle[t][(k + 2) % 3], right};
            }
        }
    }
}

judged_body judged_body_of(const abut_shape *mesh) {
    size_t n = (size_t)abut_shape_triangle_count(mesh);
    judged_body body = {.triangle_count = (int32_t)n};
    body.vertex = check_memory(3 * n, sizeof *body.vertex);
    body.place = check_memory(3 * n, sizeof *body.place);
    body.rough = check_memory(3 * n, sizeof *body.rough);
    body.triangle = check_memory(n, sizeof *body.triangle);
    body.edge = check_memory(3 * n, sizeof *body.edge);
    for (int32_t t = 0; t < body.triangle_count; ++t) {
        abut_triangle at;
        assert_ok(abut_shape_triangle(mesh, t, &at));
        for (int k = 0; k < 3; ++k) {
            const abut_vec3 p = at.corner[k];
            body.triangle[t][k] = vertex_at(&body, p);
            body.size = fmax(body.size, fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))));
        }
    }
    find_edges(&body);
    return body;
}

void judged_body_free(judged_body *body) {
    free(body->vertex);
    free(body->place);
    free(body->rough);
    free(body->triangle);
    free(body->edge);
}

void judged_body_place(judged_body *body, abut_pose pose) {
    for (int32_t v = 0; v < body->vertex_count; ++v) {
        body->place[v] = qvec_place(pose, body->vertex[v]);
        body->rough[v] = qvec_round(body->place[v]);
    }
}

void judged_body_move(judged_body *body, qvec by) {
    for (int32_t v = 0; v < body->vertex_count; ++v) {
        body->place[v] = qvec_add(body->place[v], by);
        body->rough[v] = qvec_round(body->place[v]);
    }
}

/* ---- rough vectors ---- */

static abut_vec3 minus(abut_vec3 p, abut_vec3 q) { return (abut_vec3){p.x - q.x, p.y - q.y, p.z - q.z}; }
static double inner(abut_vec3 p, abut_vec3 q) { return p.x * q.x + p.y * q.y + p.z * q.z; }
static abut_vec3 outer(abut_vec3 p, abut_vec3 q) {
    return (abut_vec3){p.y * q.z - p.z * q.y, p.z * q.x - p.x * q.z, p.x * q.y - p.y * q.x};
}

/* ---- the normals of A - B ---- */

typedef struct candidate {
    int32_t a[3], b[3]; /* a triangle of A or of B; or the ends of two edges */
    bool face_a, face_b;
    qvec normal; /* unit, from A to B */
    abut_vec3 rough;
    int32_t far_a, far_b; /* the extreme vertices */
} candidate;

struct judged_normals {
    const judged_body *a, *b;
    candidate *all;
    int32_t count, room;
};

static int32_t farthest(const judged_body *body, qvec exact, abut_vec3 along) {
    double most = -INFINITY, size = 0.0;
    for (int32_t v = 0; v < body->vertex_count; ++v) {
        double h = inner(along, body->rough[v]);
        most = h > most ? h : most;
        size = fmax(size, fabs(body->rough[v].x) + fabs(body->rough[v].y) + fabs(body->rough[v].z));
    }
    int32_t best = -1;
    quad highest = 0;
    for (int32_t v = 0; v < body->vertex_count; ++v) {
        if (inner(along, body->rough[v]) >= most - 1e-14 * size) {
            quad h = qvec_dot(exact, body->place[v]);
            if (best < 0 || h > highest) {
                best = v;
                highest = h;
            }
        }
    }
    return best;
}

static void add_normal(judged_normals *of, qvec normal) {
    quad length = qvec_length(normal);
    if (!(length > 0)) {
        return;
    }
    if (of->count == of->room) {
        of->room = 2 * of->room + 64;
        of->all = realloc(of->all, (size_t)of->room * sizeof *of->all);
        assert_non_null(of->all);
    }
    candidate *c = &of->all[of->count++];
    memset(c, 0, sizeof *c);
    c->normal = qvec_scale(1 / length, normal);
    c->rough = qvec_round(c->normal);
    qvec back = qvec_scale(-1, c->normal);
    c->far_a = farthest(of->a, c->normal, c->rough);
    c->far_b = farthest(of->b, back, qvec_round(back));
}

static void add_faces(judged_normals *of, const judged_body *body, int sign) {
    for (int32_t t = 0; t < body->triangle_count; ++t) {
        const int32_t *v = body->triangle[t];
        qvec u = qvec_sub(body->place[v[1]], body->place[v[0]]), w = qvec_sub(body->place[v[2]], body->place[v[0]]);
        add_normal(of, qvec_scale(sign, qvec_cross(u, w)));
    }
}

/* Whether both triangles at an edge lie below it along a direction, or nearly. */
static bool is_crest(const judged_body *body, const judged_edge *e, abut_vec3 along, double nearly) {
    abut_vec3 from = body->rough[e->from];
    return inner(along, minus(body->rough[e->left], from)) <= nearly &&
           (e->right < 0 || inner(along, minus(body->rough[e->right], from)) <= nearly);
}

static void add_edges(judged_normals *of) {
    const judged_body *a = of->a, *b = of->b;
    const double nearly = 1e-9;
    for (int32_t i = 0; i < a->edge_count; ++i) {
        const judged_edge *e = &a->edge[i];
        abut_vec3 u = minus(a->rough[e->to], a->rough[e->from]);
        for (int32_t k = 0; k < b->edge_count; ++k) {
            const judged_edge *f = &b->edge[k];
            abut_vec3 n = outer(u, minus(b->rough[f->to], b->rough[f->from]));
            double length = sqrt(inner(n, n)), slack = nearly * length * (a->size + b->size);
            abut_vec3 m = {-n.x, -n.y, -n.z};
            bool along = is_crest(a, e, n, slack) && is_crest(b, f, m, slack), back = is_crest(a, e, m, slack) && is_crest(b, f, n, slack);
            if (along || back) {
                qvec exact = qvec_cross(qvec_sub(a->place[e->to], a->place[e->from]), qvec_sub(b->place[f->to], b->place[f->from]));
                if (along) {
                    add_normal(of, exact);
                }
                if (back) {
                    add_normal(of, qvec_scale(-1, exact));
                }
            }
        }
    }
}

judged_normals *judged_normals_make(const judged_body *a, const judged_body *b) {
    judged_normals *of = check_memory(1, sizeof *of);
    of->a = a;
    of->b = b;
    add_faces(of, a, 1);
    add_faces(of, b, -1);
    add_edges(of);
    return of;
}

void judged_normals_free(judged_normals *of) {
    free(of->all);
    free(of);
}

static double rough_depth(const judged_normals *of, const candidate *c) {
    return inner(c->rough, minus(of->a->rough[c->far_a], of->b->rough[c->far_b]));
}

static const candidate *least_of(const judged_normals *of, quad *depth) {
    double least = INFINITY;
    for (int32_t i = 0; i < of->count; ++i) {
        least = fmin(least, rough_depth(of, &of->all[i]));
    }
    const candidate *best = NULL;
    double nearly = 1e-12 * (of->a->size + of->b->size) + 1e-12 * fabs(least);
    for (int32_t i = 0; i < of->count; ++i) {
        const candidate *c = &of->all[i];
        if (rough_depth(of, c) <= least + nearly) {
            quad exact = qvec_dot(c->normal, qvec_sub(of->a->place[c->far_a], of->b->place[c->far_b]));
            if (best == NULL || exact < *depth) {
                *depth = exact;
                best = c;
            }
        }
    }
    return best;
}

quad judged_depth(const judged_normals *of) {
    quad depth = 0;
    (void)least_of(of, &depth);
    return depth;
}

abut_vec3 judged_direction(const judged_normals *of) {
    quad depth = 0;
    return least_of(of, &depth)->rough;
}

double judged_way(const judged_normals *of, abut_vec3 direction) {
    double way = INFINITY;
    for (int32_t i = 0; i < of->count; ++i) {
        const candidate *c = &of->all[i];
        double along = inner(c->rough, direction);
        if (along > 1e-6) {
            way = fmin(way, rough_depth(of, c) / along);
        }
    }
    return way;
}

quad judged_depth_along(const judged_body *a, const judged_body *b, abut_vec3 direction) {
    qvec n = qvec_unit(qvec_of(direction));
    quad high = 0, low = 0;
    for (int32_t v = 0; v < a->vertex_count; ++v) {
        quad h = qvec_dot(n, a->place[v]);
        high = v == 0 || h > high ? h : high;
    }
    for (int32_t v = 0; v < b->vertex_count; ++v) {
        quad h = qvec_dot(n, b->place[v]);
        low = v == 0 || h < low ? h : low;
    }
    return high - low;
}

/* ---- distance ---- */

static quad clamp(quad x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

static quad square_of(qvec v) { return qvec_dot(v, v); }

/* The closest pair of points so far. */
static void offer(judged_gap *least, qvec on_a, qvec on_b) {
    quad square = square_of(qvec_sub(on_a, on_b));
    if (square < least->distance) {
        *least = (judged_gap){square, on_a, on_b};
    }
}

static void offer_segment(judged_gap *least, qvec p, qvec from, qvec to, bool p_of_a) {
    qvec way = qvec_sub(to, from);
    quad s = clamp(qvec_dot(way, qvec_sub(p, from)) / square_of(way));
    qvec q = qvec_add(from, qvec_scale(s, way));
    offer(least, p_of_a ? p : q, p_of_a ? q : p);
}

/* A point and the inside of a triangle, where its foot is there. */
static void offer_face(judged_gap *least, qvec p, const qvec corner[3], bool p_of_a) {
    qvec n = qvec_cross(qvec_sub(corner[1], corner[0]), qvec_sub(corner[2], corner[0]));
    for (int k = 0; k < 3; ++k) {
        qvec side = qvec_sub(corner[(k + 1) % 3], corner[k]);
        if (qvec_dot(qvec_cross(n, side), qvec_sub(p, corner[k])) < 0) {
            return;
        }
    }
    quad nn = square_of(n);
    if (nn > 0) {
        qvec q = qvec_sub(p, qvec_scale(qvec_dot(n, qvec_sub(p, corner[0])) / nn, n));
        offer(least, p_of_a ? p : q, p_of_a ? q : p);
    }
}

/* The inner points of two segments. */
static void offer_segments(judged_gap *least, const qvec p[2], const qvec q[2]) {
    qvec u = qvec_sub(p[1], p[0]), v = qvec_sub(q[1], q[0]), w = qvec_sub(q[0], p[0]), n = qvec_cross(u, v);
    quad nn = square_of(n);
    if (nn > 0) {
        quad s = qvec_dot(qvec_cross(w, v), n) / nn, t = qvec_dot(qvec_cross(w, u), n) / nn;
        if (s >= 0 && s <= 1 && t >= 0 && t <= 1) {
            offer(least, qvec_add(p[0], qvec_scale(s, u)), qvec_add(q[0], qvec_scale(t, v)));
        }
    }
}

static double longest(double length, qvec v) { return fmax(length, fabs((double)v.x) + fabs((double)v.y) + fabs((double)v.z)); }

/* Bound of the rounding error, with 113 bits, of the volume that a triangle and an end of a segment span. */
static double noise_of(const qvec p[2], const qvec corner[3]) {
    double length = 0.0, size = longest(0.0, corner[0]);
    length = longest(longest(length, qvec_sub(corner[1], corner[0])), qvec_sub(corner[2], corner[0]));
    length = longest(longest(length, qvec_sub(p[0], corner[0])), qvec_sub(p[1], corner[0]));
    return 1e-32 * (size + length) * length * length;
}

/* Whether a segment goes through a triangle. In its plane, up to rounding errors, it does not. clearly: nor through its border. */
static bool goes_through(const qvec p[2], const qvec corner[3], bool clearly) {
    qvec n = qvec_cross(qvec_sub(corner[1], corner[0]), qvec_sub(corner[2], corner[0]));
    quad h = qvec_dot(n, qvec_sub(p[0], corner[0])), g = qvec_dot(n, qvec_sub(p[1], corner[0])), noise = 0;
    if (!((h > 0 && g < 0) || (h < 0 && g > 0))) {
        return false;
    }
    noise = noise_of(p, corner);
    if ((h < 0 ? -h : h) <= noise || (g < 0 ? -g : g) <= noise) {
        return false;
    }
    for (int k = 0; k < 3; ++k) {
        qvec q = corner[k], r = corner[(k + 1) % 3];
        quad volume = qvec_dot(qvec_cross(qvec_sub(q, p[0]), qvec_sub(r, p[0])), qvec_sub(p[1], p[0]));
        if (h > 0 ? volume > 0 : volume < 0) {
            return false;
        }
        if (clearly && (volume < 0 ? -volume : volume) <= 1e10 * noise) {
            return false;
        }
    }
    return true;
}

typedef struct box {
    abut_vec3 lower, upper;
} box;

static box box_of(const judged_body *body, int32_t t) {
    box b = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int k = 0; k < 3; ++k) {
        abut_vec3 p = body->rough[body->triangle[t][k]];
        b.lower = (abut_vec3){fmin(b.lower.x, p.x), fmin(b.lower.y, p.y), fmin(b.lower.z, p.z)};
        b.upper = (abut_vec3){fmax(b.upper.x, p.x), fmax(b.upper.y, p.y), fmax(b.upper.z, p.z)};
    }
    return b;
}

static double outside(double lower, double upper, double other_lower, double other_upper) {
    double below = other_lower - upper, above = lower - other_upper, most = below > above ? below : above;
    return most > 0.0 ? most : 0.0;
}

static double between(const box *p, const box *q) {
    double x = outside(p->lower.x, p->upper.x, q->lower.x, q->upper.x), y = outside(p->lower.y, p->upper.y, q->lower.y, q->upper.y);
    double z = outside(p->lower.z, p->upper.z, q->lower.z, q->upper.z);
    return sqrt(x * x + y * y + z * z);
}

static void rough_corners(const judged_body *body, int32_t t, abut_vec3 corner[3]) {
    for (int k = 0; k < 3; ++k) {
        corner[k] = body->rough[body->triangle[t][k]];
    }
}

/* Whether two triangles are farther apart than `most`, with `slack` as the bound of rounding errors. */
static bool are_far(const judged_body *a, int32_t i, const judged_body *b, int32_t k, double most, double slack) {
    abut_vec3 p[3], q[3];
    rough_corners(a, i, p);
    rough_corners(b, k, q);
    return rough_are_far(p, q, most * (1.0 + 1e-9) + slack);
}

/* Bound of the errors of rounded heights. */
static double slack_of(const judged_body *a, const judged_body *b) {
    double size = 0.0;
    for (int32_t v = 0; v < a->vertex_count; ++v) {
        size = fmax(size, sqrt(inner(a->rough[v], a->rough[v])));
    }
    for (int32_t v = 0; v < b->vertex_count; ++v) {
        size = fmax(size, sqrt(inner(b->rough[v], b->rough[v])));
    }
    return rough_slack(size);
}

static void corners_of(const judged_body *body, int32_t t, qvec corner[3]) {
    for (int k = 0; k < 3; ++k) {
        corner[k] = body->place[body->triangle[t][k]];
    }
}

static void offer_triangles(judged_gap *least, const qvec p[3], const qvec q[3]) {
    for (int i = 0; i < 3; ++i) {
        offer_face(least, p[i], q, true);
        offer_face(least, q[i], p, false);
        const qvec side_p[2] = {p[i], p[(i + 1) % 3]};
        for (int k = 0; k < 3; ++k) {
            const qvec side_q[2] = {q[k], q[(k + 1) % 3]};
            offer_segment(least, p[i], side_q[0], side_q[1], true);
            offer_segment(least, q[k], side_p[0], side_p[1], false);
            offer_segments(least, side_p, side_q);
        }
    }
}

static bool cross(const qvec p[3], const qvec q[3], bool clearly) {
    for (int i = 0; i < 3; ++i) {
        const qvec side_p[2] = {p[i], p[(i + 1) % 3]}, side_q[2] = {q[i], q[(i + 1) % 3]};
        if (goes_through(side_p, q, clearly) || goes_through(side_q, p, clearly)) {
            return true;
        }
    }
    return false;
}

static box *boxes_of(const judged_body *body) {
    box *all = check_memory((size_t)body->triangle_count, sizeof *all);
    for (int32_t t = 0; t < body->triangle_count; ++t) {
        all[t] = box_of(body, t);
    }
    return all;
}

/* An upper bound of the distance: between the corners of triangles. */
static double rough_distance(const judged_body *a, const judged_body *b) {
    double least = INFINITY;
    for (int32_t v = 0; v < a->vertex_count; ++v) {
        for (int32_t w = 0; w < b->vertex_count; ++w) {
            abut_vec3 d = minus(a->rough[v], b->rough[w]);
            least = fmin(least, inner(d, d));
        }
    }
    return sqrt(least);
}

/* The triangles of one body whose boxes are within reach of the box of the other body. */
typedef struct in_reach {
    int32_t *index;
    int32_t count;
    box *of; /* boxes of all triangles */
    box whole;
} in_reach;

static in_reach reach_begin(const judged_body *body) {
    in_reach r = {.index = check_memory((size_t)body->triangle_count, sizeof *r.index), .of = boxes_of(body)};
    r.whole = r.of[0];
    for (int32_t t = 1; t < body->triangle_count; ++t) {
        const box *b = &r.of[t];
        r.whole.lower =
            (abut_vec3){fmin(r.whole.lower.x, b->lower.x), fmin(r.whole.lower.y, b->lower.y), fmin(r.whole.lower.z, b->lower.z)};
        r.whole.upper =
            (abut_vec3){fmax(r.whole.upper.x, b->upper.x), fmax(r.whole.upper.y, b->upper.y), fmax(r.whole.upper.z, b->upper.z)};
    }
    return r;
}

static void reach_free(in_reach *r) {
    free(r->index);
    free(r->of);
}

static void reach_limit(in_reach *r, const judged_body *body, const box *other, double reach) {
    r->count = 0;
    for (int32_t t = 0; t < body->triangle_count; ++t) {
        if (between(&r->of[t], other) <= reach) {
            r->index[r->count++] = t;
        }
    }
}

/* A pair of triangles whose boxes are nearest: taken first, it gives a bound that leaves out most others. */
static void offer_first(judged_gap *least, const judged_body *a, const in_reach *of_a, const judged_body *b, const in_reach *of_b) {
    double nearest = INFINITY;
    int32_t first[2] = {0, 0};
    for (int32_t i = 0; i < of_a->count; ++i) {
        for (int32_t k = 0; k < of_b->count; ++k) {
            double apart = between(&of_a->of[of_a->index[i]], &of_b->of[of_b->index[k]]);
            if (apart < nearest) {
                nearest = apart;
                first[0] = of_a->index[i];
                first[1] = of_b->index[k];
            }
        }
    }
    qvec p[3], q[3];
    corners_of(a, first[0], p);
    corners_of(b, first[1], q);
    offer_triangles(least, p, q);
}

judged_gap judged_closest(const judged_body *a, const judged_body *b) {
    in_reach of_a = reach_begin(a), of_b = reach_begin(b);
    double slack = slack_of(a, b), bound = rough_distance(a, b) * (1.0 + 1e-9) + slack;
    judged_gap least = {.distance = (quad)bound * bound * 1.001};
    reach_limit(&of_a, a, &of_b.whole, bound + slack);
    reach_limit(&of_b, b, &of_a.whole, bound + slack);
    offer_first(&least, a, &of_a, b, &of_b);
    bound = fmin(bound, sqrt((double)least.distance) * (1.0 + 1e-12));
    for (int32_t i = 0; i < of_a.count; ++i) {
        for (int32_t k = 0; k < of_b.count; ++k) {
            int32_t t = of_a.index[i], u = of_b.index[k];
            if (between(&of_a.of[t], &of_b.of[u]) > bound + slack || are_far(a, t, b, u, bound, slack)) {
                continue;
            }
            qvec p[3], q[3];
            corners_of(a, t, p);
            corners_of(b, u, q);
            if (cross(p, q, false)) {
                least = (judged_gap){0, p[0], p[0]};
                bound = -1.0;
            } else {
                offer_triangles(&least, p, q);
                bound = fmin(bound, sqrt((double)least.distance) * (1.0 + 1e-12));
            }
        }
    }
    reach_free(&of_a);
    reach_free(&of_b);
    least.distance = quad_sqrt(least.distance);
    return least;
}

double judged_distance_from(const judged_body *body, qvec point) {
    judged_gap least = {.distance = INFINITY};
    for (int32_t t = 0; t < body->triangle_count; ++t) {
        qvec corner[3];
        corners_of(body, t, corner);
        offer_face(&least, point, corner, true);
        for (int k = 0; k < 3; ++k) {
            offer_segment(&least, point, corner[k], corner[(k + 1) % 3], true);
        }
    }
    return sqrt((double)least.distance);
}

/* ---- overlap ---- */

/* The number of times that a surface winds round a point, rounded, by solid angles. */
static int winding(const judged_body *body, qvec point) {
    double sum = 0.0;
    for (int32_t t = 0; t < body->triangle_count; ++t) {
        abut_vec3 r[3];
        double l[3];
        for (int k = 0; k < 3; ++k) {
            r[k] = qvec_round(qvec_sub(body->place[body->triangle[t][k]], point));
            l[k] = sqrt(inner(r[k], r[k]));
        }
        sum += 2.0 * atan2(inner(r[0], outer(r[1], r[2])),
                           l[0] * l[1] * l[2] + inner(r[0], r[1]) * l[2] + inner(r[1], r[2]) * l[0] + inner(r[2], r[0]) * l[1]);
    }
    return (int)lround(sum / 12.566370614359172);
}

/* The pairs of triangles that may share a point. */
typedef struct near_pairs {
    int32_t (*pair)[2];
    int32_t count, room;
} near_pairs;

static near_pairs find_near_pairs(const judged_body *a, const judged_body *b) {
    near_pairs near = {.count = 0};
    in_reach of_a = reach_begin(a), of_b = reach_begin(b);
    double slack = slack_of(a, b);
    reach_limit(&of_a, a, &of_b.whole, slack);
    reach_limit(&of_b, b, &of_a.whole, slack);
    for (int32_t i = 0; i < of_a.count; ++i) {
        for (int32_t k = 0; k < of_b.count; ++k) {
            int32_t t = of_a.index[i], u = of_b.index[k];
            if (between(&of_a.of[t], &of_b.of[u]) > slack || are_far(a, t, b, u, 0.0, slack)) {
                continue;
            }
            if (near.count == near.room) {
                near.room = 2 * near.room + 64;
                near.pair = realloc(near.pair, (size_t)near.room * sizeof *near.pair);
                assert_non_null(near.pair);
            }
            near.pair[near.count][0] = t;
            near.pair[near.count++][1] = u;
        }
    }
    reach_free(&of_a);
    reach_free(&of_b);
    return near;
}

static bool cross_somewhere(const judged_body *a, const judged_body *b, const near_pairs *near, bool clearly) {
    bool meet = false;
    for (int32_t i = 0; i < near->count && !meet; ++i) {
        qvec p[3], q[3];
        corners_of(a, near->pair[i][0], p);
        corners_of(b, near->pair[i][1], q);
        meet = cross(p, q, clearly);
    }
    return meet;
}

/* For surfaces in general position. */
static bool overlap_somewhere(const judged_body *a, const judged_body *b, const near_pairs *near) {
    return cross_somewhere(a, b, near, false) || winding(b, a->place[0]) != 0 || winding(a, b->place[0]) != 0;
}

bool judged_overlap(judged_body *a, const judged_body *b) {
    static const double aside[4][3] = {{1.13, 0.71, 0.37}, {-1.13, -0.51, 0.83}, {0.69, -1.07, -0.59}, {-0.43, 0.97, -0.89}};
    near_pairs near = find_near_pairs(a, b);
    bool all = true;
    for (int i = 0; i < 4 && all; ++i) {
        quad unit = (quad)1e-22 * (a->size + b->size);
        qvec by = {unit * aside[i][0], unit * aside[i][1], unit * aside[i][2]};
        judged_body_move(a, by);
        all = overlap_somewhere(a, b, &near);
        judged_body_move(a, qvec_scale(-1, by));
    }
    free(near.pair);
    return all;
}

static bool finds_point_under(const judged_body *of, const judged_body *other, int32_t triangle, double inwards) {
    enum { PARTS = 9 };
    qvec p[3];
    corners_of(of, triangle, p);
    qvec u = qvec_sub(p[1], p[0]), v = qvec_sub(p[2], p[0]), start = qvec_sub(p[0], qvec_scale(inwards, qvec_unit(qvec_cross(u, v))));
    bool found = false;
    for (int i = 1; i < PARTS && !found; ++i) {
        for (int k = 1; k < PARTS - i && !found; ++k) {
            qvec point = qvec_add(start, qvec_add(qvec_scale((quad)i / PARTS, u), qvec_scale((quad)k / PARTS, v)));
            found = winding(other, point) != 0 && winding(of, point) != 0;
        }
    }
    return found;
}

bool judged_overlap_clearly(const judged_body *a, const judged_body *b, double inwards) {
    near_pairs near = find_near_pairs(a, b);
    bool found = cross_somewhere(a, b, &near, true);
    free(near.pair);
    for (int32_t i = 0; i < a->triangle_count && !found; ++i) {
        found = finds_point_under(a, b, i, inwards);
    }
    for (int32_t i = 0; i < b->triangle_count && !found; ++i) {
        found = finds_point_under(b, a, i, inwards);
    }
    return found;
}

static bool share_vertex(const judged_body *body, int32_t i, int32_t k) {
    for (int v = 0; v < 9; ++v) {
        if (body->triangle[i][v / 3] == body->triangle[k][v % 3]) {
            return true;
        }
    }
    return false;
}

bool judged_is_simple(const judged_body *body) {
    box *of = boxes_of(body);
    double slack = slack_of(body, body);
    bool simple = true;
    for (int32_t i = 0; i < body->triangle_count && simple; ++i) {
        for (int32_t k = 0; k < i && simple; ++k) {
            if (between(&of[i], &of[k]) <= slack && !share_vertex(body, i, k) && !are_far(body, i, body, k, 0.0, slack)) {
                qvec p[3], q[3];
                corners_of(body, i, p);
                corners_of(body, k, q);
                simple = !cross(p, q, false);
            }
        }
    }
    free(of);
    return simple;
}
