/*
 * Convex bodies apart from triangle meshes that are not convex solids, with a margin: open and closed, one- and two-sided. The distance is that of all pairs of
 * features, with 113 bits.
 */
#include <abut/shape.h>

#include <math.h>
#include <string.h>

#include "accuracy/apart_mesh.h"

enum { POINTS = 40 };

/* A body with flat faces, a capsule or a ball. */
typedef struct flat_apart {
    apart pair;
    judged_body body; /* of a capsule or a ball: the axis */
    double radius;
} flat_apart;

/* ---- bodies ---- */

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

static bool make_body(flat_apart *of, random_state *random) {
    double least = random_below(random, 4) ? 0.1 : 0.01;
    abut_vec3 half;
    half.x = apart_length(&of->pair, random, least);
    half.y = apart_length(&of->pair, random, least);
    half.z = apart_length(&of->pair, random, least);
    int kind = random_below(random, 8);
    if (kind < 2) {
        of->radius = half.x;
        assert_ok(kind == 0 ? abut_shape_create_sphere(half.x, &of->pair.shape[1])
                            : abut_shape_create_capsule(half.x, half.y, &of->pair.shape[1]));
        of->body = axis_of(kind == 0 ? 0.0 : half.y);
        return true;
    }
    if (kind < 5) {
        assert_ok(abut_shape_create_box(half, &of->pair.shape[1]));
    } else if (kind < 6) {
        assert_ok(abut_shape_create_prism(half.x, half.y, 3 + random_below(random, 20), &of->pair.shape[1]));
    } else {
        of->pair.shape[1] = make_hull(random, half);
        if (of->pair.shape[1] == NULL) {
            return false;
        }
    }
    of->body = surface_of(of->pair.shape[1]);
    return true;
}

static void release(flat_apart *of) {
    abut_shape_release(of->pair.shape[0]);
    abut_shape_release(of->pair.shape[1]);
    judged_body_free(&of->pair.mesh);
    judged_body_free(&of->body);
}

static double off_body(const apart *pair, abut_vec3 point) {
    const flat_apart *of = pair->body;
    double far = of->radius + 1e-9 * pair->scale;
    double core =
        of->body.size > 0.0 ? apart_distance_from(&of->body, point, far) : (double)qvec_length(qvec_sub(qvec_of(point), of->body.place[0]));
    return fabs(core - of->radius);
}

/* ---- places ---- */

static judged_gap gap_at(flat_apart *of, abut_vec3 at) {
    of->pair.pose[1].position = at;
    judged_body_place(&of->body, of->pair.pose[1]);
    return judged_closest(&of->pair.mesh, &of->body);
}

static double below_radius(const flat_apart *of, const judged_gap *gap) { return (double)(gap->distance - (quad)of->radius); }

/* Moves the body from far away towards the mesh, without going through it, until the gap is `wanted`. False if it passes by. */
static bool bring_near(flat_apart *of, random_state *random, double wanted, judged_gap *gap) {
    abut_vec3 way = apart_way_to(&of->pair, random), on_mesh = apart_any_of(&of->pair.mesh, random);
    abut_vec3 aim = abut_sub(on_mesh, apart_any_of(&of->body, random));
    double at = 4.0 * of->pair.scale, near = fmax(wanted, 0.01 * of->pair.scale), g = INFINITY;
    for (int i = 0; i < 40 && g > near; i++) {
        *gap = gap_at(of, abut_add_scaled(aim, at, way));
        g = below_radius(of, gap);
        at -= g > near ? fmax(0.99 * g - 0.3 * near, 0.3 * near) : 0.0;
    }
    if (!(g > 0.0 && g <= near)) {
        return false;
    }
    if (g > wanted) {
        qvec way_in = qvec_unit(qvec_sub(gap->on_a, gap->on_b)), from = qvec_of(of->pair.pose[1].position);
        *gap = gap_at(of, qvec_round(qvec_add(from, qvec_scale((quad)g - (quad)wanted, way_in))));
    }
    return below_radius(of, gap) > 0.0;
}

static bool make_apart(flat_apart *of, random_state *random, judged_gap *gap) {
    memset(of, 0, sizeof *of);
    apart_make_mesh(&of->pair, random);
    if (!make_body(of, random)) {
        return false;
    }
    of->pair.off_body = off_body;
    of->pair.body = of;
    of->pair.at_place = 1e-20;
    of->pair.off_most = 1e-12;
    of->pair.pose[1] = (abut_pose){{0, 0, 0}, apart_turn_nearly(random, of->pair.pose[0].rotation)};
    judged_body_place(&of->body, of->pair.pose[1]);
    double size = 2.0 * (of->pair.mesh.size + of->body.size + of->radius);
    of->pair.scale = size;
    bool near = bring_near(of, random, size * random_log_range(random, 1e-13, 0.1), gap);
    of->pair.scale = size + abut_length(of->pair.pose[0].position);
    return near;
}

static void sample(accuracy *row, uint64_t seed) {
    random_state random = random_make(seed);
    flat_apart of;
    judged_gap gap = {.distance = 0};
    if (make_apart(&of, &random, &gap)) {
        double exact = below_radius(&of, &gap);
        accuracy_next(row, seed);
        double margin = apart_pick_margin(&of.pair, &random, exact);
        apart_judge(row, &of.pair, exact, apart_is_in_front(&of.pair, &gap), margin, random_below(&random, 2));
    }
    release(&of);
}

static void with_margin(void **state) {
    (void)state;
    accuracy *row = accuracy_begin("flat-faced bodies, capsules and balls apart from meshes, with a margin",
                                   "all pairs of features; 113 bits", "|gap - distance| / (distance + 1e-6 sizes)", 1e-8);
    static const uint64_t held[] = {
        UINT64_C(391500000007), UINT64_C(391500000012), UINT64_C(391500000030), UINT64_C(391500000126),
        UINT64_C(391500000663), UINT64_C(391500001528), UINT64_C(391500007063), UINT64_C(391500007691),
        UINT64_C(391500011191), UINT64_C(391500019782), UINT64_C(391500038582), UINT64_C(391500038956),
        UINT64_C(391500040081), UINT64_C(391500041399), UINT64_C(391500068638), UINT64_C(391500094861)}; /* once wrong */
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        sample(row, held[i]);
    }
    int32_t samples = accuracy_samples(103000);
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
