/* Convex bodies apart from meshes: see apart_mesh.h. */
#include "accuracy/apart_mesh.h"

#include <abut/mesh.h>
#include <abut/shape.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "accuracy/closed_shapes.h"

enum { ROOM = 4096 };

/* ---- meshes ---- */

double apart_length(const apart *of, random_state *random, double least) {
    double length = random_log_range(random, least, 1.0);
    return of->unit * (random_below(random, 3) ? length : ldexp(ceil(ldexp(length, 4)), -4));
}

static closed_shape room_for(int32_t vertices, int32_t triangles) {
    closed_shape s = {.vertices = vertices, .triangles = triangles};
    s.vertex = check_memory((size_t)vertices, sizeof *s.vertex);
    s.triangle = check_memory((size_t)triangles, sizeof *s.triangle);
    return s;
}

static void set_triangle(closed_shape *s, int32_t t, int32_t a, int32_t b, int32_t c) {
    s->triangle[t][0] = a;
    s->triangle[t][1] = b;
    s->triangle[t][2] = c;
}

static double step_of(random_state *random, bool tidy) {
    return tidy ? 0.125 * (1 + random_below(random, 4)) : random_range(random, 0.02, 0.4);
}

/* A sheet of cells about the origin, flat or with heights. */
static closed_shape make_sheet(random_state *random, bool tidy) {
    int32_t nx = 1 + random_below(random, 5), ny = 1 + random_below(random, 5), n = nx + 1;
    double high = random_below(random, 2) ? 0.0 : random_log_range(random, 1e-9, 0.4), x[8] = {0}, y[8] = {0};
    closed_shape s = room_for(n * (ny + 1), 2 * nx * ny);
    for (int32_t i = 0; i < nx; i++) {
        x[i + 1] = x[i] + step_of(random, tidy);
    }
    for (int32_t k = 0; k < ny; k++) {
        y[k + 1] = y[k] + step_of(random, tidy);
    }
    for (int32_t v = 0; v < s.vertices; v++) {
        s.vertex[v] = abut_vec3_make(x[v % n] - 0.5 * x[nx], y[v / n] - 0.5 * y[ny], high * random_range(random, -1, 1));
    }
    for (int32_t c = 0; c < nx * ny; c++) {
        int32_t v = c / nx * n + c % nx;
        bool other = random_below(random, 2);
        set_triangle(&s, 2 * c, v, v + 1, other ? v + n + 1 : v + n);
        set_triangle(&s, 2 * c + 1, other ? v : v + 1, v + n + 1, v + n);
    }
    return s;
}

/* A ridge, a valley, a peak or a pit; sometimes hardly bent. */
static closed_shape make_fan(random_state *random) {
    int32_t sides = 3 + random_below(random, 6), open = random_below(random, 2);
    double slope = random_log_range(random, 1e-8, 2), angle = 0.0;
    slope = random_below(random, 2) ? slope : -slope;
    closed_shape s = room_for(sides + 1, sides - open);
    s.vertex[0] = abut_vec3_make(0, 0, 0);
    for (int32_t i = 0; i < sides; i++) {
        double far = random_range(random, 0.2, 1);
        angle += 6.283185307179586 / sides;
        double down = far * slope * random_range(random, 0.5, 1.5);
        s.vertex[i + 1] = abut_vec3_make(far * cos(angle), far * sin(angle), -down);
        if (i < s.triangles) {
            set_triangle(&s, i, 0, i + 1, (i + 1) % sides + 1);
        }
    }
    return s;
}

static void drop_triangles(closed_shape *s, random_state *random) {
    int32_t drop = 1 + random_below(random, 1 + s->triangles / 4);
    for (int32_t i = 0; i < drop && s->triangles > 1; i++) {
        int32_t at = random_below(random, s->triangles);
        memmove(s->triangle[at], s->triangle[s->triangles - 1], sizeof *s->triangle);
        s->triangles--;
    }
}

static abut_shape *make_heights(const apart *of, random_state *random) {
    enum { MOST = 6 };
    double high = random_below(random, 3) ? random_log_range(random, 1e-9, 0.4) : 0.0, heights[MOST * MOST];
    abut_heightfield_def def = {.heights = heights, .two_sided = of->two_sided};
    def.columns = 2 + random_below(random, MOST - 1);
    def.rows = 2 + random_below(random, MOST - 1);
    def.spacing_x = apart_length(of, random, 0.02);
    def.spacing_y = apart_length(of, random, 0.02);
    for (int32_t i = 0; i < def.columns * def.rows; i++) {
        heights[i] = of->unit * high * random_range(random, -1, 1);
    }
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_heightfield(&def, &shape));
    return shape;
}

static abut_shape *make_triangles(apart *of, random_state *random, int which) {
    bool tidy = random_below(random, 2);
    closed_shape s = which < 3   ? make_sheet(random, tidy)
                     : which < 4 ? make_fan(random)
                     : which < 5 ? closed_shape_pick_convex(random, tidy)
                                 : closed_shape_pick(random, tidy);
    if (which == 4 || which == 5) {
        drop_triangles(&s, random);
    } else if (which > 5 && random_below(random, 3) == 0) {
        closed_shape_cut(&s, random, 1 + random_below(random, 4));
    }
    abut_vec3 by = {of->unit, of->unit, of->unit};
    if (random_below(random, 3) == 0) {
        by.x = apart_length(of, random, 0.1);
        by.y = apart_length(of, random, 0.1);
        by.z = apart_length(of, random, 0.1);
    }
    closed_shape_scale(&s, by);
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = s.vertex;
    def.vertex_count = s.vertices;
    def.triangles = s.triangle[0];
    def.triangle_count = s.triangles;
    def.two_sided = of->two_sided;
    abut_trimesh_report report;
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_trimesh(&def, &report, &shape));
    of->closed = report.closed;
    free(s.vertex);
    free(s.triangle);
    return shape;
}

void apart_make_mesh(apart *of, random_state *random) {
    int which = random_below(random, 8);
    of->unit = random_below(random, 4) ? 1.0 : random_log_range(random, 1e-5, 1e5);
    of->two_sided = random_below(random, 3) == 0;
    of->shape[0] = which == 0 ? make_heights(of, random) : make_triangles(of, random, which);
    of->mesh = judged_body_of(of->shape[0]);
    of->pose[0] = random_below(random, 3) ? abut_pose_identity() : random_pose(random, of->unit * (random_below(random, 2) ? 1 : 50));
    judged_body_place(&of->mesh, of->pose[0]);
}

/* ---- places ---- */

abut_quat apart_turn_nearly(random_state *random, abut_quat turn) {
    if (random_below(random, 2)) {
        return random_rotation(random);
    }
    abut_vec3 about = random_direction(random);
    abut_quat lean = abut_quat_about(about, random_below(random, 3) ? random_log_range(random, 1e-9, 0.4) : 0.0);
    return abut_quat_unit(abut_quat_mul(turn, abut_quat_mul(lean, random_tidy_rotation(random))));
}

abut_vec3 apart_any_of(const judged_body *b, random_state *random) {
    const int32_t *t = b->triangle[random_below(random, b->triangle_count)];
    double u = random_range(random, 0, 1), v = random_below(random, 3) ? random_range(random, 0, 1) : 0.0;
    abut_vec3 p = abut_lerp(b->rough[t[0]], b->rough[t[1]], random_below(random, 3) ? u : 0.0);
    return abut_lerp(p, b->rough[t[2]], v);
}

abut_vec3 apart_way_to(const apart *of, random_state *random) {
    const judged_body *b = &of->mesh;
    const int32_t *t = b->triangle[random_below(random, b->triangle_count)];
    abut_vec3 n = abut_unit(abut_cross(abut_sub(b->rough[t[1]], b->rough[t[0]]), abut_sub(b->rough[t[2]], b->rough[t[0]])));
    abut_vec3 any = random_direction(random);
    int which = random_below(random, 4);
    if (which == 0 || !(abut_length(n) > 0.5)) {
        return any;
    }
    n = which == 1 ? n : abut_unit(abut_add_scaled(n, random_log_range(random, 1e-3, 1), any));
    return of->two_sided && random_below(random, 2) ? abut_neg(n) : n;
}

double apart_pick_margin(const apart *of, random_state *random, double gap) {
    const double more[4] = {1e-6 * gap, gap, 0.01 * of->scale, 0.1 * of->scale};
    return gap + more[random_below(random, 4)] + 1e-13 * of->scale;
}

/* ---- judging ---- */

bool apart_is_in_front(const apart *of, const judged_gap *gap) {
    if (of->closed || of->two_sided) {
        return true;
    }
    qvec way = qvec_sub(gap->on_b, gap->on_a);
    for (int32_t t = 0; t < of->mesh.triangle_count; t++) {
        judged_body one = of->mesh;
        one.triangle = &of->mesh.triangle[t];
        one.triangle_count = 1;
        const qvec *p = &one.place[one.triangle[0][0]], *q = &one.place[one.triangle[0][1]], *r = &one.place[one.triangle[0][2]];
        double height = (double)qvec_dot(qvec_unit(qvec_cross(qvec_sub(*q, *p), qvec_sub(*r, *p))), way);
        if (height > 1e-12 * of->scale && height > 1e-6 * (double)gap->distance &&
            judged_distance_from(&one, gap->on_a) <= of->at_place * of->scale) {
            return true;
        }
    }
    return false;
}

static bool is_beside(double x, double p, double q, double r, double far) {
    return x < fmin(p, fmin(q, r)) - far || x > fmax(p, fmax(q, r)) + far;
}

/* The distance of a point from a surface, if it is less than `far`; larger otherwise. */
double apart_distance_from(const judged_body *b, abut_vec3 point, double far) {
    int32_t(*near)[3] = check_memory((size_t)b->triangle_count, sizeof *near);
    judged_body part = *b;
    part.triangle = near;
    part.triangle_count = 0;
    for (int32_t t = 0; t < b->triangle_count; t++) {
        const abut_vec3 *p = &b->rough[b->triangle[t][0]], *q = &b->rough[b->triangle[t][1]], *r = &b->rough[b->triangle[t][2]];
        if (!is_beside(point.x, p->x, q->x, r->x, far) && !is_beside(point.y, p->y, q->y, r->y, far) &&
            !is_beside(point.z, p->z, q->z, r->z, far)) {
            memcpy(near[part.triangle_count++], b->triangle[t], sizeof *near);
        }
    }
    double distance = judged_distance_from(&part, qvec_of(point));
    free(near);
    return distance;
}

static void judge_points(accuracy *row, const apart *of, const abut_contact *c, int mesh) {
    abut_vec3 on_mesh = mesh == 0 ? c->on_a : c->on_b, on_body = mesh == 0 ? c->on_b : c->on_a;
    double rounding = of->off_most * of->scale, off = apart_distance_from(&of->mesh, on_mesh, 1e3 * rounding),
           out = of->off_body(of, on_body);
    double beside = fabs(abut_dot(c->normal, abut_sub(c->on_a, c->on_b)) - c->gap);
    if (!(off <= rounding && out <= rounding && beside <= 1e-13 * of->scale)) {
        accuracy_wrong(row, "off the mesh %.3g, the body %.3g, the gap %.3g; gap %.17g, flags %u", off, out, beside, c->gap,
                       (unsigned)c->flags);
    }
}

void apart_judge(accuracy *row, const apart *of, double exact, bool must, double margin, int mesh) {
    static abut_contact c[ROOM];
    int32_t count = 0;
    double unit = exact + 1e-6 * of->scale, least = INFINITY;
    abut_collide_settings settings = abut_collide_settings_default();
    settings.margin = margin;
    const abut_pair pair = {of->shape[mesh], of->pose[mesh], of->shape[1 - mesh], of->pose[1 - mesh]};
    abut_status status = abut_collide(&pair, &settings, NULL, c, ROOM, &count);
    if (status != ABUT_OK) {
        accuracy_wrong(row, "status %d", (int)status);
        return;
    }
    for (int32_t i = 0; i < count; i++) {
        least = fmin(least, c[i].gap);
        judge_points(row, of, &c[i], mesh);
    }
    if (count > 0) {
        accuracy_error(row, fmax(exact - least, 0.0) / unit, "too near: gap %.17g, distance %.17g, margin %.3g", least, exact, margin);
    }
    if (must) {
        double error = count > 0 ? (least - exact) / unit : INFINITY;
        accuracy_error(row, fmax(error, 0.0), "nearest is missing: gap %.17g of %d, distance %.17g, margin %.3g", least, (int)count, exact,
                       margin);
    }
}
