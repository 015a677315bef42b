/*
 * Convex bodies apart from triangle meshes that are not convex solids, with a margin: open and closed, one- and two-sided. The distance is that of all pairs of
 * features, with 113 bits. No contact is nearer, all points of contacts are on the surfaces, and one contact has the distance as its gap, where the mesh shows
 * its front there.
 */
#include <abut/collide.h>
#include <abut/mesh.h>
#include <abut/shape.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "accuracy/accuracy.h"
#include "accuracy/closed_judge.h"
#include "accuracy/closed_shapes.h"

enum { ROOM = 4096, POINTS = 40 };

typedef struct apart {
    abut_shape *shape[2];  /* mesh, body */
    judged_body judged[2]; /* of a capsule or a ball: the axis */
    abut_pose pose[2];
    double radius, scale;
    bool closed, two_sided;
} apart;

/* ---- meshes ---- */

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

static double step_of(random_state *random, bool tidy) { return tidy ? 0.125 * (1 + random_below(random, 4)) : random_range(random, 0.02, 0.4); }

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
    double slope = (random_below(random, 2) ? 1 : -1) * random_log_range(random, 1e-8, 2), angle = 0.0;
    closed_shape s = room_for(sides + 1, sides - open);
    s.vertex[0] = abut_vec3_make(0, 0, 0);
    for (int32_t i = 0; i < sides; i++) {
        double far = random_range(random, 0.2, 1);
        angle += 6.283185307179586 / sides;
        s.vertex[i + 1] = abut_vec3_make(far * cos(angle), far * sin(angle), -far * slope * random_range(random, 0.5, 1.5));
        if (i < s.triangles) {
            set_triangle(&s, i, 0, i + 1, (i + 1) % sides + 1);
        }
    }
    return s;
}

static void drop_triangles(closed_shape *s, random_state *random) {
    int32_t drop = 1 + random_below(random, 1 + s->triangles / 4);
    for (int32_t i = 0; i < drop && s->triangles > 1; i++) {
        memmove(s->triangle[random_below(random, s->triangles)], s->triangle[s->triangles - 1], sizeof *s->triangle);
        s->triangles--;
    }
}

static void make_mesh(apart *of, random_state *random) {
    int which = random_below(random, 8);
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
    if (random_below(random, 3) == 0) {
        closed_shape_scale(&s, abut_vec3_make(random_log_range(random, 0.1, 3), random_log_range(random, 0.1, 3), random_log_range(random, 0.1, 3)));
    }
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = s.vertex;
    def.vertex_count = s.vertices;
    def.triangles = s.triangle[0];
    def.triangle_count = s.triangles;
    def.two_sided = of->two_sided = random_below(random, 3) == 0;
    abut_trimesh_report report;
    assert_ok(abut_shape_create_trimesh(&def, &report, &of->shape[0]));
    of->closed = report.closed;
    of->judged[0] = judged_body_of(of->shape[0]);
    free(s.vertex);
    free(s.triangle);
}

/* ---- bodies ---- */

static double length_of(random_state *random, double least) {
    double length = random_log_range(random, least, 1.0);
    return random_below(random, 3) ? length : ldexp(ceil(ldexp(length, 4)), -4);
}

static judged_body axis_of(double half) {
    judged_body b = {.vertex_count = 2, .triangle_count = 1, .size = half};
    b.vertex = check_memory(2, sizeof *b.vertex);
    b.place = check_memory(2, sizeof *b.place);
    b.rough = check_memory(2, sizeof *b.rough);
    b.triangle = check_memory(1, sizeof *b.triangle);
    b.vertex[0] = abut_vec3_make(0, 0, -half);
    b.vertex[1] = abut_vec3_make(0, 0, half);
    b.triangle[0][1] = b.triangle[0][2] = 1;
    return b;
}

/* The surface of a polytope, from its faces. */
static judged_body surface_of(const abut_shape *shape) {
    abut_polytope_view view;
    assert_ok(abut_shape_polytope(shape, &view));
    size_t corners = (size_t)view.face_first[view.face_count], points = (size_t)view.vertex_count;
    judged_body b = {.vertex_count = view.vertex_count};
    b.vertex = check_memory(points, sizeof *b.vertex);
    b.place = check_memory(points, sizeof *b.place);
    b.rough = check_memory(points, sizeof *b.rough);
    b.triangle = check_memory(corners, sizeof *b.triangle);
    for (int32_t v = 0; v < view.vertex_count; v++) {
        b.vertex[v] = view.vertices[v];
        b.size = fmax(b.size, abut_length(b.vertex[v]));
    }
    for (int32_t f = 0; f < view.face_count; f++) {
        for (int32_t i = view.face_first[f] + 1; i + 1 < view.face_first[f + 1]; i++) {
            b.triangle[b.triangle_count][0] = view.face_vertices[view.face_first[f]];
            b.triangle[b.triangle_count][1] = view.face_vertices[i];
            b.triangle[b.triangle_count++][2] = view.face_vertices[i + 1];
        }
    }
    return b;
}

static abut_shape *make_hull(random_state *random, abut_vec3 half) {
    abut_vec3 point[POINTS];
    int32_t count = 4 + random_below(random, POINTS - 4);
    bool round = random_below(random, 2);
    for (int32_t i = 0; i < count; i++) {
        abut_vec3 p = round ? random_direction(random) : random_vec3(random, -1, 1);
        point[i] = abut_vec3_make(half.x * p.x, half.y * p.y, half.z * p.z);
    }
    abut_shape *hull = NULL;
    return abut_shape_create_hull(point, count, &hull) == ABUT_OK ? hull : NULL;
}

static bool make_body(apart *of, random_state *random) {
    double least = random_below(random, 4) ? 0.1 : 0.01;
    abut_vec3 half = {length_of(random, least), length_of(random, least), length_of(random, least)};
    int kind = random_below(random, 8);
    if (kind < 2) {
        of->radius = half.x;
        assert_ok(kind == 0 ? abut_shape_create_sphere(half.x, &of->shape[1]) : abut_shape_create_capsule(half.x, half.y, &of->shape[1]));
        of->judged[1] = axis_of(kind == 0 ? 0.0 : half.y);
        return true;
    }
    if (kind < 5) {
        assert_ok(abut_shape_create_box(half, &of->shape[1]));
    } else if (kind < 6) {
        assert_ok(abut_shape_create_prism(half.x, half.y, 3 + random_below(random, 20), &of->shape[1]));
    } else {
        of->shape[1] = make_hull(random, half);
        if (of->shape[1] == NULL) {
            return false;
        }
    }
    of->judged[1] = surface_of(of->shape[1]);
    return true;
}

static void release(apart *of) {
    for (int i = 0; i < 2; i++) {
        abut_shape_release(of->shape[i]);
        judged_body_free(&of->judged[i]);
    }
}

/* ---- places ---- */

static judged_gap gap_at(apart *of, abut_vec3 at) {
    of->pose[1].position = at;
    judged_body_place(&of->judged[1], of->pose[1]);
    return judged_closest(&of->judged[0], &of->judged[1]);
}

static double below_radius(const apart *of, const judged_gap *gap) { return (double)(gap->distance - (quad)of->radius); }

static abut_quat turn_nearly(random_state *random, abut_quat turn) {
    if (random_below(random, 2)) {
        return random_rotation(random);
    }
    abut_quat lean = abut_quat_about(random_direction(random), random_below(random, 3) ? random_log_range(random, 1e-9, 0.4) : 0.0);
    return abut_quat_unit(abut_quat_mul(turn, abut_quat_mul(lean, random_tidy_rotation(random))));
}

static abut_vec3 any_of(const judged_body *b, random_state *random) {
    const int32_t *t = b->triangle[random_below(random, b->triangle_count)];
    double u = random_range(random, 0, 1), v = random_below(random, 3) ? random_range(random, 0, 1) : 0.0;
    abut_vec3 p = abut_lerp(b->rough[t[0]], b->rough[t[1]], random_below(random, 3) ? u : 0.0);
    return abut_lerp(p, b->rough[t[2]], v);
}

static abut_vec3 way_to(const apart *of, random_state *random) {
    const judged_body *b = &of->judged[0];
    const int32_t *t = b->triangle[random_below(random, b->triangle_count)];
    abut_vec3 n = abut_unit(abut_cross(abut_sub(b->rough[t[1]], b->rough[t[0]]), abut_sub(b->rough[t[2]], b->rough[t[0]])));
    int which = random_below(random, 4);
    if (which == 0 || !(abut_length(n) > 0.5)) {
        return random_direction(random);
    }
    n = which == 1 ? n : abut_unit(abut_add_scaled(n, random_log_range(random, 1e-3, 1), random_direction(random)));
    return of->two_sided && random_below(random, 2) ? abut_neg(n) : n;
}

/* Moves the body from far away towards the mesh, without going through it, until the gap is `wanted`. False if it passes by. */
static bool bring_near(apart *of, random_state *random, double wanted, judged_gap *gap) {
    abut_vec3 way = way_to(of, random), aim = abut_sub(any_of(&of->judged[0], random), any_of(&of->judged[1], random));
    double at = 4.0 * of->scale, near = fmax(wanted, 1e-5 * of->scale), g = INFINITY;
    for (int i = 0; i < 40 && g > near; i++) {
        *gap = gap_at(of, abut_add_scaled(aim, at, way));
        g = below_radius(of, gap);
        at -= g > near ? fmax(0.99 * g - 0.3 * near, 0.3 * near) : 0.0;
    }
    if (!(g > 0.0 && g <= near)) {
        return false;
    }
    if (g > wanted) {
        qvec way_in = qvec_unit(qvec_sub(gap->on_a, gap->on_b));
        abut_vec3 place = qvec_round(qvec_add(qvec_of(of->pose[1].position), qvec_scale((quad)g - (quad)wanted, way_in)));
        *gap = gap_at(of, place);
    }
    return below_radius(of, gap) > 0.0;
}

static bool make_apart(apart *of, random_state *random, judged_gap *gap) {
    memset(of, 0, sizeof *of);
    make_mesh(of, random);
    of->pose[0] = random_below(random, 3) ? abut_pose_identity() : random_pose(random, random_below(random, 2) ? 1 : 50);
    if (!make_body(of, random)) {
        return false;
    }
    of->pose[1] = (abut_pose){{0, 0, 0}, turn_nearly(random, of->pose[0].rotation)};
    judged_body_place(&of->judged[0], of->pose[0]);
    judged_body_place(&of->judged[1], of->pose[1]);
    double size = 2.0 * (of->judged[0].size + of->judged[1].size + of->radius);
    of->scale = size;
    bool near = bring_near(of, random, size * random_log_range(random, 1e-13, 0.1), gap);
    of->scale = size + abut_length(of->pose[0].position);
    return near;
}

/* ---- judging ---- */

/* Whether a triangle at the closest point shows its front to the body, so that the mesh must touch there. */
static bool is_in_front(const apart *of, const judged_gap *gap) {
    if (of->closed || of->two_sided) {
        return true;
    }
    const judged_body *mesh = &of->judged[0];
    qvec way = qvec_sub(gap->on_b, gap->on_a);
    for (int32_t t = 0; t < mesh->triangle_count; t++) {
        const int32_t *c = mesh->triangle[t];
        judged_body one = *mesh;
        one.triangle = (int32_t(*)[3])(uintptr_t)c;
        one.triangle_count = 1;
        qvec n = qvec_unit(qvec_cross(qvec_sub(mesh->place[c[1]], mesh->place[c[0]]), qvec_sub(mesh->place[c[2]], mesh->place[c[0]])));
        double height = (double)qvec_dot(n, way);
        if (height > 1e-12 * of->scale && height > 1e-6 * (double)gap->distance && judged_distance_from(&one, gap->on_a) <= 1e-20 * of->scale) {
            return true;
        }
    }
    return false;
}

static double off_body(const apart *of, abut_vec3 point) {
    double core = of->judged[1].size > 0.0 ? judged_distance_from(&of->judged[1], qvec_of(point))
                                           : (double)qvec_length(qvec_sub(qvec_of(point), of->judged[1].place[0]));
    return fabs(core - of->radius);
}

static void judge_points(accuracy *row, const apart *of, const abut_contact *c, int mesh) {
    abut_vec3 on_mesh = mesh == 0 ? c->on_a : c->on_b, on_body = mesh == 0 ? c->on_b : c->on_a;
    double rounding = 1e-12 * of->scale, off = judged_distance_from(&of->judged[0], qvec_of(on_mesh)), out = off_body(of, on_body);
    double beside = fabs(abut_dot(c->normal, abut_sub(c->on_a, c->on_b)) - c->gap);
    if (!(off <= rounding && out <= rounding && beside <= 0.1 * rounding)) {
        accuracy_wrong(row, "off the mesh %.3g, the body %.3g, the gap %.3g; gap %.17g, flags %u", off, out, beside, c->gap, (unsigned)c->flags);
    }
}

static void judge(accuracy *row, const apart *of, const judged_gap *gap, double margin, int mesh) {
    static abut_contact c[ROOM];
    int32_t count = 0;
    double exact = below_radius(of, gap), unit = exact + 1e-6 * of->scale, least = INFINITY;
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
    if (is_in_front(of, gap)) {
        double error = count > 0 ? (least - exact) / unit : INFINITY;
        accuracy_error(row, fmax(error, 0.0), "nearest is missing: gap %.17g of %d, distance %.17g, margin %.3g", least, (int)count, exact, margin);
    }
}

static void sample(accuracy *row, uint64_t seed) {
    random_state random = random_make(seed);
    apart of;
    judged_gap gap = {.distance = 0};
    if (make_apart(&of, &random, &gap)) {
        double exact = below_radius(&of, &gap), rounding = 1e-13 * of.scale;
        const double more[4] = {1e-6 * exact, exact, 0.01 * of.scale, 0.1 * of.scale};
        accuracy_next(row, seed);
        judge(row, &of, &gap, exact + more[random_below(&random, 4)] + rounding, random_below(&random, 2));
    }
    release(&of);
}

static void with_margin(void **state) {
    (void)state;
    accuracy *row = accuracy_begin("bodies apart from meshes, with a margin", "113 bits, all features", "gap, over (gap + 1e-6 sizes)", 1e-8);
    static const uint64_t held[] = {0}; /* once wrong */
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        sample(row, held[i]);
    }
    int32_t samples = accuracy_samples(200000);
    uint64_t seed = random_seed("mesh_apart", UINT64_C(391500000000));
    for (int32_t i = 0; i < samples; i++) {
        sample(row, seed + (uint64_t)i);
    }
    accuracy_end(row);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(with_margin)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
