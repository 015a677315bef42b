/* The independent oracle for contact. See oracle.h. World frame; normals n from B into A, facet normals m = -n. */
#include "support/oracle.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

/* Computed from the solid's own coordinates: if thin faces were rotated into the world first, they would lose digits. */
static void make_planes(oracle_body *body, const solid *s, abut_mat3 rotation) {
    for (int32_t f = 0; f < body->face_count; f++) {
        const int32_t *loop = body->face_vertices + body->face_first[f];
        int32_t size = body->face_first[f + 1] - body->face_first[f];
        abut_vec3 origin = s->vertices[loop[0]], sum = {0, 0, 0};
        for (int32_t i = 1; i + 1 < size; i++) {
            sum = abut_add(sum, abut_cross(abut_sub(s->vertices[loop[i]], origin), abut_sub(s->vertices[loop[i + 1]], origin)));
        }
        body->normals[f] = abut_mat3_apply(rotation, abut_unit(sum));
        body->offsets[f] = abut_dot(body->normals[f], body->vertices[loop[0]]);
    }
}

/* Edges are listed by their smaller vertex: last[v] is the newest edge of vertex v, and before[e] is the edge made before e. */
static oracle_edge *find_edge(const oracle_body *body, const int32_t *last, const int32_t *before, int32_t low, int32_t high) {
    for (int32_t e = last[low]; e >= 0; e = before[e]) {
        if (body->edges[e].vertex[1] == high) {
            return &body->edges[e];
        }
    }
    fail_msg("the solid is not closed");
    return NULL;
}

static void make_edges(oracle_body *body, const solid *s, abut_mat3 rotation) {
    int32_t corners = body->face_first[body->face_count];
    int32_t *last = check_memory((size_t)body->vertex_count, sizeof *last), *before = check_memory((size_t)corners, sizeof *before);
    memset(last, -1, (size_t)body->vertex_count * sizeof *last);
    for (int32_t pass = 0; pass < 2; pass++) {
        for (int32_t f = 0; f < body->face_count; f++) {
            const int32_t *loop = body->face_vertices + body->face_first[f];
            int32_t size = body->face_first[f + 1] - body->face_first[f];
            for (int32_t i = 0; i < size; i++) {
                int32_t from = loop[i], to = loop[(i + 1) % size];
                if (pass == 0 && from < to) {
                    abut_vec3 along = abut_mat3_apply(rotation, abut_unit(abut_sub(s->vertices[to], s->vertices[from])));
                    before[body->edge_count] = last[from];
                    last[from] = body->edge_count;
                    body->edges[body->edge_count++] = (oracle_edge){{from, to}, {f, -1}, along};
                } else if (pass == 1 && from > to) {
                    find_edge(body, last, before, to, from)->face[1] = f;
                }
            }
        }
    }
    free(last);
    free(before);
}

oracle_body oracle_solid(const solid *s, abut_pose pose) {
    oracle_body body = {0};
    int32_t corners = 0;
    abut_mat3 rotation = abut_mat3_from_quat(pose.rotation);
    body.vertex_count = s->vertex_count;
    body.vertices = check_memory((size_t)s->vertex_count, sizeof *body.vertices);
    for (int32_t i = 0; i < s->vertex_count; i++) {
        body.vertices[i] = abut_add(abut_mat3_apply(rotation, s->vertices[i]), pose.position);
    }
    body.face_count = s->face_count;
    body.face_first = check_memory((size_t)s->face_count + 1, sizeof *body.face_first);
    for (int32_t f = 0; f < s->face_count; f++) {
        body.face_first[f] = corners;
        corners += s->face_sizes[f];
    }
    body.face_first[s->face_count] = corners;
    body.face_vertices = check_memory((size_t)corners, sizeof *body.face_vertices);
    memcpy(body.face_vertices, s->face_vertices, (size_t)corners * sizeof *body.face_vertices);
    body.normals = check_memory((size_t)s->face_count, sizeof *body.normals);
    body.offsets = check_memory((size_t)s->face_count, sizeof *body.offsets);
    body.edges = check_memory((size_t)corners, sizeof *body.edges);
    make_planes(&body, s, rotation);
    make_edges(&body, s, rotation);
    return body;
}

oracle_body oracle_sphere(double radius, abut_pose pose) { return oracle_capsule(radius, 0.0, pose); }

oracle_body oracle_capsule(double radius, double half_length, abut_pose pose) {
    oracle_body body = {0};
    body.radius = radius;
    body.vertex_count = half_length > 0.0 ? 2 : 1;
    body.vertices = check_memory(2, sizeof *body.vertices);
    body.vertices[0] = abut_pose_apply(pose, abut_vec3_make(0, 0, -half_length));
    body.vertices[1] = abut_pose_apply(pose, abut_vec3_make(0, 0, half_length));
    if (half_length > 0.0) {
        oracle_edge edge = {{0, 1}, {-1, -1}, abut_quat_rotate(pose.rotation, abut_vec3_make(0, 0, 1))};
        body.edges = check_memory(1, sizeof *body.edges);
        body.edges[0] = edge;
        body.edge_count = 1;
    }
    return body;
}

void oracle_free(oracle_body *body) {
    free(body->vertices);
    free(body->face_first);
    free(body->face_vertices);
    free(body->normals);
    free(body->offsets);
    free(body->edges);
}

static double core_support(const oracle_body *body, abut_vec3 direction) {
    double best = abut_dot(direction, body->vertices[0]);
    for (int32_t i = 1; i < body->vertex_count; i++) {
        double value = abut_dot(direction, body->vertices[i]);
        best = value > best ? value : best;
    }
    return best;
}

double oracle_support(const oracle_body *body, abut_vec3 direction) { return core_support(body, direction) + body->radius; }

double oracle_gap_along(const oracle_body *a, const oracle_body *b, abut_vec3 n) {
    return -(oracle_support(a, abut_neg(n)) + oracle_support(b, n));
}

abut_vec3 oracle_on_segment(abut_vec3 p, abut_vec3 a, abut_vec3 b) {
    abut_vec3 along = abut_sub(b, a);
    double square = abut_length_squared(along);
    double t = square > 0.0 ? abut_dot(abut_sub(p, a), along) / square : 0.0;
    return abut_lerp(a, b, fmin(1.0, fmax(0.0, t)));
}

abut_vec3 oracle_on_triangle(abut_vec3 p, abut_vec3 a, abut_vec3 b, abut_vec3 c) {
    abut_vec3 corner[3] = {a, b, c}, normal = abut_unit(abut_cross(abut_sub(b, a), abut_sub(c, a)));
    bool over = abut_length_squared(normal) > 0.0;
    abut_vec3 best = a;
    double least = DBL_MAX;
    for (int i = 0; i < 3; i++) {
        abut_vec3 from = corner[i], to = corner[(i + 1) % 3];
        abut_vec3 q = oracle_on_segment(p, from, to);
        double d = abut_distance_between(p, q);
        if (d < least) {
            least = d;
            best = q;
        }
        over = over && abut_dot(abut_cross(abut_sub(to, from), abut_sub(p, from)), normal) >= 0.0;
    }
    return over ? abut_add_scaled(p, -abut_dot(normal, abut_sub(p, a)), normal) : best;
}

static double distance_to_body(const oracle_body *body, abut_vec3 p) {
    double least = abut_distance_between(p, body->vertices[0]);
    for (int32_t e = 0; e < body->edge_count; e++) {
        const int32_t *v = body->edges[e].vertex;
        least = fmin(least, abut_distance_between(p, oracle_on_segment(p, body->vertices[v[0]], body->vertices[v[1]])));
    }
    for (int32_t f = 0; f < body->face_count; f++) {
        const int32_t *loop = body->face_vertices + body->face_first[f];
        int32_t size = body->face_first[f + 1] - body->face_first[f];
        for (int32_t i = 1; i + 1 < size; i++) {
            abut_vec3 q = oracle_on_triangle(p, body->vertices[loop[0]], body->vertices[loop[i]], body->vertices[loop[i + 1]]);
            least = fmin(least, abut_distance_between(p, q));
        }
    }
    return least;
}

double oracle_outside(const oracle_body *body, abut_vec3 point) {
    double highest = -DBL_MAX;
    for (int32_t f = 0; f < body->face_count; f++) {
        highest = fmax(highest, abut_dot(body->normals[f], point) - body->offsets[f]);
    }
    if (body->face_count > 0 && highest <= 0.0) {
        return highest - body->radius;
    }
    return distance_to_body(body, point) - body->radius;
}

abut_vec3 oracle_across(abut_vec3 u, abut_vec3 v) {
    abut_vec3 m = abut_unit(abut_cross(u, v));
    for (int i = 0; i < 2; i++) {
        m = abut_unit(abut_add_scaled(m, -abut_dot(m, u), u));
    }
    return m;
}

oracle_facets oracle_no_facets(const oracle_body *a, const oracle_body *b) { return (oracle_facets){.radius = a->radius + b->radius}; }

void oracle_add_facet(oracle_facets *facets, const oracle_body *a, const oracle_body *b, abut_vec3 m) {
    if (facets->count == facets->capacity) {
        facets->capacity = facets->capacity ? 2 * facets->capacity : 64;
        facets->m = realloc(facets->m, (size_t)facets->capacity * sizeof *facets->m);
        facets->extent = realloc(facets->extent, (size_t)facets->capacity * sizeof *facets->extent);
        assert_non_null(facets->m);
        assert_non_null(facets->extent);
    }
    facets->m[facets->count] = m;
    facets->extent[facets->count] = core_support(a, m) + core_support(b, abut_neg(m));
    facets->count++;
}

void oracle_add_faces(oracle_facets *facets, const oracle_body *a, const oracle_body *b) {
    for (int32_t f = 0; f < a->face_count; f++) {
        oracle_add_facet(facets, a, b, a->normals[f]);
    }
    for (int32_t f = 0; f < b->face_count; f++) {
        oracle_add_facet(facets, a, b, abut_neg(b->normals[f]));
    }
}

/* dots[e * b->face_count + f] = direction of a's edge e . normal of b's face f */
static double *edge_face_dots(const oracle_body *a, const oracle_body *b) {
    double *dots = check_memory((size_t)a->edge_count * (size_t)b->face_count + 1, sizeof *dots);
    double *out = dots;
    for (int32_t e = 0; e < a->edge_count; e++) {
        abut_vec3 u = a->edges[e].direction;
        for (int32_t f = 0; f < b->face_count; f++) {
            *out++ = abut_dot(u, b->normals[f]);
        }
    }
    return dots;
}

/* Whether an edge's arc may cross another arc, given the sides of its face normals relative to the other arc's great circle. In doubt, yes. */
static bool may_cross(const double *row, oracle_edge edge) {
    if (edge.face[0] < 0) {
        return true;
    }
    double s = row[edge.face[0]], t = row[edge.face[1]];
    return !((s > 1e-9 && t > 1e-9) || (s < -1e-9 && t < -1e-9));
}

/* The midpoint of an edge's arc; zero for a segment, where the arc is a whole circle. */
static abut_vec3 arc_middle(const oracle_body *body, oracle_edge edge) {
    if (edge.face[0] < 0) {
        return abut_vec3_make(0, 0, 0);
    }
    return abut_add(body->normals[edge.face[0]], body->normals[edge.face[1]]);
}

static oracle_facets enumerate(const oracle_body *a, const oracle_body *b, bool all) {
    oracle_facets facets = oracle_no_facets(a, b);
    oracle_add_faces(&facets, a, b);
    double *ab = edge_face_dots(a, b), *ba = edge_face_dots(b, a);
    for (int32_t i = 0; i < a->edge_count; i++) {
        for (int32_t j = 0; j < b->edge_count; j++) {
            oracle_edge p = a->edges[i], q = b->edges[j];
            if (!all && !(may_cross(ab + i * b->face_count, q) && may_cross(ba + j * a->face_count, p))) {
                continue;
            }
            abut_vec3 m = oracle_across(p.direction, q.direction);
            if (!(abut_length_squared(m) > 0.0)) {
                continue;
            }
            double side_a = abut_dot(m, arc_middle(a, p)), side_b = -abut_dot(m, arc_middle(b, q));
            if (all || (side_a >= -1e-9 && side_b >= -1e-9)) {
                oracle_add_facet(&facets, a, b, m);
            }
            if (all || (side_a <= 1e-9 && side_b <= 1e-9)) {
                oracle_add_facet(&facets, a, b, abut_neg(m));
            }
        }
    }
    free(ab);
    free(ba);
    return facets;
}

oracle_facets oracle_minkowski(const oracle_body *a, const oracle_body *b) { return enumerate(a, b, false); }

oracle_facets oracle_minkowski_all(const oracle_body *a, const oracle_body *b) { return enumerate(a, b, true); }

void oracle_free_facets(oracle_facets *facets) {
    free(facets->m);
    free(facets->extent);
}

oracle_axis oracle_separation(const oracle_facets *facets, abut_vec3 shift) {
    oracle_axis best = {-DBL_MAX, {0, 0, 0}, -1};
    for (int32_t k = 0; k < facets->count; k++) {
        double separation = -(facets->extent[k] + abut_dot(facets->m[k], shift)) - facets->radius;
        if (separation > best.separation) {
            best.separation = separation;
            best.normal = abut_neg(facets->m[k]);
            best.facet = k;
        }
    }
    return best;
}

double oracle_runner_up(const oracle_facets *facets, abut_vec3 shift, oracle_axis axis) {
    double best = -DBL_MAX;
    for (int32_t k = 0; k < facets->count; k++) {
        double separation = -(facets->extent[k] + abut_dot(facets->m[k], shift)) - facets->radius;
        if (separation > best && abut_length(abut_add(axis.normal, facets->m[k])) > 1e-6) {
            best = separation;
        }
    }
    return best;
}

double oracle_place(const oracle_facets *facets, abut_vec3 direction, double target) {
    assert_true(oracle_separation(facets, abut_vec3_make(0, 0, 0)).separation < target);
    /* The separation is a convex, piecewise linear function of the displacement, so Newton's method from the far side converges to the right piece. */
    double way = 0.0;
    for (int32_t k = 0; k < facets->count; k++) {
        way = fmax(way, 4.0 * (fabs(facets->extent[k]) + facets->radius + fabs(target)));
    }
    while (oracle_separation(facets, abut_scale(way, direction)).separation < target) {
        way *= 2.0;
    }
    int32_t last = -1;
    for (int i = 0; i < 100; i++) {
        int32_t k = oracle_separation(facets, abut_scale(way, direction)).facet;
        if (k == last) {
            break;
        }
        last = k;
        way = -(facets->extent[k] + facets->radius + target) / abut_dot(facets->m[k], direction);
    }
    return way;
}

double oracle_growth(const oracle_facets *facets, abut_vec3 shift, abut_vec3 pa, abut_vec3 pb, abut_vec3 *normal, double *runner_up) {
    abut_vec3 q = abut_sub(pb, pa);
    double best = -DBL_MAX, second = -DBL_MAX;
    for (int32_t k = 0; k < facets->count; k++) {
        double along = abut_dot(facets->m[k], q);
        double value = along / (facets->extent[k] + abut_dot(facets->m[k], shift) + along);
        if (value > best) {
            best = value;
            *normal = abut_neg(facets->m[k]);
        }
    }
    for (int32_t k = 0; k < facets->count; k++) {
        double along = abut_dot(facets->m[k], q);
        double value = along / (facets->extent[k] + abut_dot(facets->m[k], shift) + along);
        if (abut_length(abut_add(*normal, facets->m[k])) > 1e-6) {
            second = fmax(second, value);
        }
    }
    *runner_up = second;
    return best;
}

double oracle_growth_along(const oracle_body *a, const oracle_body *b, abut_vec3 pa, abut_vec3 pb, abut_vec3 n) {
    abut_vec3 m = abut_neg(n);
    double half_widths = oracle_support(a, m) - abut_dot(m, pa) + oracle_support(b, n) - abut_dot(n, pb);
    return abut_dot(m, abut_sub(pb, pa)) / half_widths;
}

double oracle_segment_distance(abut_vec3 a, abut_vec3 b, abut_vec3 c, abut_vec3 d) {
    double least = fmin(abut_distance_between(a, oracle_on_segment(a, c, d)), abut_distance_between(b, oracle_on_segment(b, c, d)));
    least = fmin(least, abut_distance_between(c, oracle_on_segment(c, a, b)));
    least = fmin(least, abut_distance_between(d, oracle_on_segment(d, a, b)));
    /* The common perpendicular, if its feet lie inside both segments. */
    abut_vec3 u = abut_sub(b, a), v = abut_sub(d, c), w = abut_sub(c, a), normal = abut_cross(u, v);
    double square = abut_length_squared(normal);
    if (square > 1e-24 * abut_length_squared(u) * abut_length_squared(v)) {
        double s = abut_dot(abut_cross(w, v), normal) / square, t = abut_dot(abut_cross(w, u), normal) / square;
        if (s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0) {
            least = fmin(least, fabs(abut_dot(w, oracle_across(abut_unit(u), abut_unit(v)))));
        }
    }
    return least;
}

double oracle_core_distance(const oracle_body *a, const oracle_body *b) {
    double least = DBL_MAX;
    for (int32_t i = 0; i < a->vertex_count; i++) {
        least = fmin(least, distance_to_body(b, a->vertices[i]));
    }
    for (int32_t i = 0; i < b->vertex_count; i++) {
        least = fmin(least, distance_to_body(a, b->vertices[i]));
    }
    for (int32_t i = 0; i < a->edge_count; i++) {
        const int32_t *p = a->edges[i].vertex;
        for (int32_t j = 0; j < b->edge_count; j++) {
            const int32_t *q = b->edges[j].vertex;
            least = fmin(least, oracle_segment_distance(a->vertices[p[0]], a->vertices[p[1]], b->vertices[q[0]], b->vertices[q[1]]));
        }
    }
    return least;
}

double oracle_signed_distance(const oracle_body *a, const oracle_body *b) {
    double radius = a->radius + b->radius;
    if (a->face_count > 0 || b->face_count > 0) {
        oracle_facets facets = oracle_minkowski(a, b);
        double separation = oracle_separation(&facets, abut_vec3_make(0, 0, 0)).separation;
        oracle_free_facets(&facets);
        if (separation + radius <= 0.0) {
            return separation;
        }
    }
    return oracle_core_distance(a, b) - radius;
}

typedef struct line2 {
    double nx, ny, offset; /* outward unit normal; inside: nx x + ny y <= offset */
} line2;

static int32_t border_lines(const oracle_point2 *p, int32_t count, line2 *lines) {
    int32_t made = 0;
    for (int32_t i = 0; i < count; i++) {
        oracle_point2 from = p[i], to = p[(i + 1) % count];
        double dx = to.x - from.x, dy = to.y - from.y, length = hypot(dx, dy);
        if (length > 0.0) {
            line2 line = {dy / length, -dx / length, 0.0};
            line.offset = line.nx * from.x + line.ny * from.y;
            lines[made++] = line;
        }
    }
    return made;
}

static int compare_points(const void *left, const void *right) {
    const oracle_point2 *p = left, *q = right;
    if (p->x != q->x) {
        return p->x < q->x ? -1 : 1;
    }
    return p->y < q->y ? -1 : p->y > q->y;
}

static double turn(oracle_point2 p, oracle_point2 q, oracle_point2 r) { return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x); }

double oracle_polygon_area(const oracle_point2 *p, int32_t count) {
    double twice = 0.0;
    for (int32_t i = 1; i + 1 < count; i++) {
        twice += turn(p[0], p[i], p[i + 1]);
    }
    return 0.5 * twice;
}

double oracle_hull_area(const oracle_point2 *points, int32_t count) {
    if (count < 3) {
        return 0.0;
    }
    oracle_point2 *sorted = check_memory((size_t)count, sizeof *sorted);
    oracle_point2 *hull = check_memory(2 * (size_t)count, sizeof *hull);
    memcpy(sorted, points, (size_t)count * sizeof *points);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_points);
    int32_t size = 0;
    for (int32_t i = 0; i < count; i++) {
        while (size >= 2 && turn(hull[size - 2], hull[size - 1], sorted[i]) <= 0.0) {
            size--;
        }
        hull[size++] = sorted[i];
    }
    int32_t lower = size + 1;
    for (int32_t i = count - 2; i >= 0; i--) {
        while (size >= lower && turn(hull[size - 2], hull[size - 1], sorted[i]) <= 0.0) {
            size--;
        }
        hull[size++] = sorted[i];
    }
    double area = oracle_polygon_area(hull, size - 1);
    free(sorted);
    free(hull);
    return area;
}

double oracle_overlap_area(const oracle_point2 *p, int32_t p_count, const oracle_point2 *q, int32_t q_count) {
    line2 *lines = check_memory((size_t)(p_count + q_count), sizeof *lines);
    int32_t count = border_lines(p, p_count, lines);
    count += border_lines(q, q_count, lines + count);
    oracle_point2 *inside = check_memory((size_t)count * (size_t)count, sizeof *inside);
    int32_t found = 0;
    double reach = 0.0;
    for (int32_t i = 0; i < p_count; i++) {
        reach = fmax(reach, fabs(p[i].x - p[0].x) + fabs(p[i].y - p[0].y));
    }
    for (int32_t i = 0; i < count; i++) {
        for (int32_t j = i + 1; j < count; j++) {
            double det = lines[i].nx * lines[j].ny - lines[i].ny * lines[j].nx;
            if (det == 0.0) {
                continue;
            }
            oracle_point2 x = {(lines[i].offset * lines[j].ny - lines[j].offset * lines[i].ny) / det,
                               (lines[i].nx * lines[j].offset - lines[j].nx * lines[i].offset) / det};
            bool kept = true;
            for (int32_t k = 0; k < count && kept; k++) {
                kept = k == i || k == j || lines[k].nx * x.x + lines[k].ny * x.y - lines[k].offset <= 1e-13 * reach;
            }
            if (kept) {
                inside[found++] = x;
            }
        }
    }
    double area = oracle_hull_area(inside, found);
    free(lines);
    free(inside);
    return area;
}
