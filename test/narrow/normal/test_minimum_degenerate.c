/* ABUT_NORMAL_MINIMUM in positions that random sampling does not reach: one body inside the other, the same body twice, edges along edges,
 * vertices on vertices, faces on faces, and all positions on a grid; exactly, within rounding error, and nearby. B's frame; then both
 * bodies are moved together. */
#include "support/exact.h"

static const double full_turn = 6.283185307179586;

static solid random_solid(random_state *random) {
    double p = random_range(random, 0.3, 0.7), q = random_range(random, 0.3, 0.7), r = random_range(random, 0.3, 0.7);
    switch (random_below(random, 4)) {
    case 0:
        return solid_box(abut_vec3_make(p, q, r));
    case 1:
        return solid_prism(p, q, 3 + random_below(random, 62));
    case 2:
        return solid_pyramid(p, q, 3 + random_below(random, 30));
    default:
        return solid_cloud(random, 6 + random_below(random, 60), abut_vec3_make(p, q, r));
    }
}

/* A target of the placements: a feature's point, the way out there, and a direction within the feature. */
typedef struct place {
    abut_vec3 point, out, along;
} place;

static place of_edge(const oracle_body *body, random_state *random) {
    oracle_edge edge = body->edges[random_below(random, body->edge_count)];
    return (place){abut_lerp(body->vertices[edge.vertex[0]], body->vertices[edge.vertex[1]], random_range(random, 0.1, 0.9)),
                   abut_unit(abut_add(body->normals[edge.face[0]], body->normals[edge.face[1]])), edge.direction};
}

static place of_vertex(const oracle_body *body, random_state *random) {
    int32_t vertex = random_below(random, body->vertex_count);
    abut_vec3 out = {0, 0, 0}, second;
    for (int32_t f = 0; f < body->face_count; f++) {
        for (int32_t i = body->face_first[f]; i < body->face_first[f + 1]; i++) {
            out = body->face_vertices[i] == vertex ? abut_add(out, body->normals[f]) : out;
        }
    }
    place p = {.point = body->vertices[vertex], .out = abut_unit(out)};
    abut_tangent_frame(p.out, &p.along, &second);
    return p;
}

static place of_face(const oracle_body *body, random_state *random) {
    int32_t face = random_below(random, body->face_count), first = body->face_first[face], size = body->face_first[face + 1] - first;
    place p = {.out = body->normals[face]};
    for (int32_t i = 0; i < size; i++) {
        p.point = abut_add_scaled(p.point, 1.0 / size, body->vertices[body->face_vertices[first + i]]);
    }
    p.along = abut_unit(abut_sub(body->vertices[body->face_vertices[first]], p.point));
    p.along = abut_unit(abut_add_scaled(p.along, -abut_dot(p.along, p.out), p.out));
    return p;
}

typedef place place_chooser(const oracle_body *body, random_state *random);

/* The smallest rotation that takes one unit vector into another. */
static abut_quat turn_into(abut_vec3 from, abut_vec3 to) {
    abut_vec3 axis = abut_cross(from, to), second;
    double sine = abut_length(axis);
    if (sine < 1e-12) {
        abut_tangent_frame(from, &axis, &second);
    }
    return abut_quat_about(abut_unit(axis), atan2(sine, abut_dot(from, to)));
}

/* The rotation after which A's feature faces B's, with both directions `along` parallel. */
static abut_quat turn_against(place a, place b) {
    abut_vec3 axis = abut_neg(b.out);
    abut_quat first = turn_into(a.out, axis);
    abut_vec3 along = abut_quat_rotate(first, a.along);
    double angle = atan2(abut_dot(abut_cross(along, b.along), axis), abut_dot(along, b.along));
    return abut_quat_mul(abut_quat_about(axis, angle), first);
}

/* Zero, rounding, or any smaller number up to `most`. */
static double nearly_zero(random_state *random, double most) {
    return random_below(random, 3) ? random_log_range(random, 1e-16, most) : 0.0;
}

/* Of five, three overlap, one touches and one is apart. */
static double random_depth(random_state *random, int32_t i) {
    return i % 5 == 0 ? 0.0 : i % 5 == 1 ? -random_log_range(random, 1e-12, 0.1) : random_log_range(random, 1e-12, 0.1);
}

/* Puts A's features against B's: rotated by nearly nothing, moved sideways by nearly nothing or along both features, and sunk in. */
static void features_meet(const char *name, uint64_t seed, place_chooser *choose, bool twist) {
    enum { PLACES = 5 };
    random_state random = random_make(random_seed(name, seed));
    int32_t pairs = random_samples(name, 5000) / PLACES;
    static exact_record record;
    record = (exact_record){0};
    for (int32_t i = 0; i < pairs; i++) {
        exact_body a = exact_polytope(random_solid(&random)), b = exact_polytope(random_solid(&random));
        oracle_body local_a = oracle_solid(&a.surface, abut_pose_identity()), local_b = oracle_solid(&b.surface, abut_pose_identity());
        place pa = choose(&local_a, &random), pb = choose(&local_b, &random);
        double tilt = nearly_zero(&random, 0.03), roll = twist ? random_range(&random, 0, full_turn) : nearly_zero(&random, 0.03);
        abut_quat rotation = abut_quat_mul(abut_quat_about(pb.out, roll), turn_against(pa, pb));
        rotation = abut_quat_mul(abut_quat_about(random_direction(&random), tilt), rotation);
        abut_pose motion = i % 4 ? random_pose(&random, 1.0) : abut_pose_identity();
        exact_pair pair = exact_open(a, abut_quat_mul(motion.rotation, rotation), b, motion);
        pair.delicate = true;
        for (int32_t k = 0; k < PLACES; k++) {
            double depth = random_depth(&random, k), aside = nearly_zero(&random, 0.05);
            abut_vec3 position = abut_sub(pb.point, abut_quat_rotate(rotation, pa.point));
            position = abut_add_scaled(position, -depth, pb.out);
            position = abut_add_scaled(position, aside, abut_cross(pb.out, random_direction(&random)));
            exact_put(&pair, abut_pose_apply(motion, position));
            tally_sample(&record.failures,
                         "pair %d place %d: %d and %d vertices, tilt %.17g roll %.17g aside %.17g depth %.17g, least %.17g", (int)i, (int)k,
                         (int)a.surface.vertex_count, (int)b.surface.vertex_count, tilt, roll, aside, depth, -pair.least.separation);
            exact_check(&record, &pair);
            if ((i + k) % 10 == 0) {
                exact_symmetries(&record, &pair, &random);
            }
        }
        oracle_free(&local_a);
        oracle_free(&local_b);
        exact_close(&pair);
    }
    exact_end(name, &record);
}

static void edges_along_edges(void **state) {
    (void)state;
    features_meet("edges_along_edges", 131, of_edge, false);
}

static void vertices_on_vertices(void **state) {
    (void)state;
    features_meet("vertices_on_vertices", 132, of_vertex, true);
}

static void faces_on_faces(void **state) {
    (void)state;
    features_meet("faces_on_faces", 133, of_face, true);
}

/* A small body anywhere inside a large one, also in its very middle. */
static void contained(void **state) {
    (void)state;
    enum { PLACES = 5 };
    random_state random = random_make(random_seed("contained", 134));
    int32_t pairs = random_samples("contained", 5000) / PLACES;
    static exact_record record;
    for (int32_t i = 0; i < pairs; i++) {
        solid whole = random_solid(&random), small = solid_scaled(&whole, random_log_range(&random, 1e-3, 0.3));
        solid_free(&whole);
        exact_body a = exact_polytope(small), b = exact_polytope(random_solid(&random));
        abut_pose pose_b = random_pose(&random, 1.0);
        exact_pair pair = exact_open(a, i % 2 ? random_rotation(&random) : pose_b.rotation, b, pose_b);
        pair.delicate = i % 2 == 0;
        for (int32_t k = 0; k < PLACES; k++) {
            int32_t v = random_below(&random, b.surface.vertex_count);
            abut_vec3 towards = abut_sub(pair.oracle_b.vertices[v], abut_pose_apply(pose_b, solid_centroid(&b.surface)));
            double way = k == 0 ? 0.0 : random_range(&random, 0.0, 0.7);
            exact_put(&pair, abut_add_scaled(pair.reference, way, towards));
            tally_sample(&record.failures, "pair %d place %d: %d vertices of size %.3g in %d, least depth %.17g", (int)i, (int)k,
                         (int)a.surface.vertex_count, solid_reach(&a.surface), (int)b.surface.vertex_count, -pair.least.separation);
            exact_check(&record, &pair);
            if ((i + k) % 10 == 0) {
                exact_symmetries(&record, &pair, &random);
            }
        }
        exact_close(&pair);
    }
    exact_end("contained", &record);
}

/* The same body twice: in the same place, within rounding error of it, moved along a diagonal, rotated by nearly nothing or by half a
 * turn. */
static void coincident(void **state) {
    (void)state;
    static const double offsets[6] = {0.0, 1e-16, 1e-15, 1e-12, 1e-6, 1e-2};
    random_state random = random_make(random_seed("coincident", 135));
    int32_t pairs = random_samples("coincident", 5000) / 6;
    static exact_record record;
    for (int32_t i = 0; i < pairs; i++) {
        solid s = random_solid(&random);
        exact_body a = exact_polytope(solid_scaled(&s, 1.0)), b = exact_polytope(s);
        abut_pose pose_b = i % 2 ? random_pose(&random, 1.0) : abut_pose_identity();
        abut_quat turn = abut_quat_identity();
        if (i % 3 == 1) {
            abut_vec3 axis = random_direction(&random);
            turn = abut_quat_about(axis, nearly_zero(&random, 1e-2));
        } else if (i % 3 == 2) {
            turn = abut_quat_about(abut_vec3_make(0, 0, 1), 0.5 * full_turn);
        }
        exact_pair pair = exact_open(a, abut_quat_mul(pose_b.rotation, turn), b, pose_b);
        pair.delicate = true;
        for (int32_t k = 0; k < 6; k++) {
            exact_put(&pair, abut_add_scaled(pose_b.position, offsets[k], random_direction(&random)));
            tally_sample(&record.failures, "pair %d of %d vertices, turn %d, moved by %g, least depth %.17g", (int)i, (int)s.vertex_count,
                         (int)(i % 3), offsets[k], -pair.least.separation);
            exact_check(&record, &pair);
            if ((i + k) % 10 == 0) {
                exact_symmetries(&record, &pair, &random);
            }
        }
        exact_close(&pair);
    }
    exact_end("coincident", &record);
}

/* One of the 24 turns of a cube, half of the time followed by an eighth of a turn about an axis. */
static abut_quat grid_rotation(random_state *random) {
    const double eighth = 0.125 * full_turn;
    static const abut_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    abut_quat q = abut_quat_identity();
    for (int i = 0; i < 3; i++) {
        q = abut_quat_mul(abut_quat_about(axes[i], 2.0 * eighth * random_below(random, 4)), q);
    }
    return random_below(random, 2) ? q : abut_quat_mul(abut_quat_about(axes[random_below(random, 3)], eighth), q);
}

static exact_body grid_body(random_state *random) {
    static const double sizes[4] = {0.25, 0.5, 0.75, 1.0};
    double p = sizes[random_below(random, 4)], q = sizes[random_below(random, 4)], r = sizes[random_below(random, 4)];
    switch (random_below(random, 5)) {
    case 0:
        return exact_polytope(solid_prism(p, q, random_below(random, 2) ? 6 : 8));
    case 1:
        return exact_polytope(
            solid_tetrahedron(abut_vec3_make(0, 0, 0), abut_vec3_make(p, 0, 0), abut_vec3_make(0, q, 0), abut_vec3_make(0, 0, r)));
    case 2:
        return exact_hull(solid_box(abut_vec3_make(p, q, r)));
    default:
        return exact_box(abut_vec3_make(p, q, r));
    }
}

/* Sizes, places and turns on a grid: coplanar faces, parallel edges, vertices on edges, equal depths and exact touching in most pairs. */
static void on_a_grid(void **state) {
    (void)state;
    enum { PLACES = 10 };
    random_state random = random_make(random_seed("on_a_grid", 136));
    int32_t pairs = random_samples("on_a_grid", 20000) / PLACES;
    static exact_record record;
    for (int32_t i = 0; i < pairs; i++) {
        exact_body a = grid_body(&random), b = grid_body(&random);
        abut_quat rotation_a = grid_rotation(&random), rotation_b = grid_rotation(&random);
        exact_pair pair = exact_open(a, rotation_a, b, (abut_pose){.rotation = rotation_b});
        pair.delicate = true;
        for (int32_t k = 0; k < PLACES; k++) {
            int32_t x = random_below(&random, 7), y = random_below(&random, 7), z = random_below(&random, 7);
            abut_vec3 p = {0.25 * x, 0.25 * y, 0.25 * z};
            exact_put(&pair, p);
            tally_sample(&record.failures, "pair %d: %d and %d vertices, A at (%g, %g, %g), separation %.17g", (int)i,
                         (int)a.surface.vertex_count, (int)b.surface.vertex_count, p.x, p.y, p.z, pair.least.separation);
            exact_check(&record, &pair);
            if ((i + k) % 10 == 0) {
                exact_symmetries(&record, &pair, &random);
            }
        }
        exact_close(&pair);
    }
    exact_end("on_a_grid", &record);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_along_edges), cmocka_unit_test(vertices_on_vertices), cmocka_unit_test(faces_on_faces),
        cmocka_unit_test(contained),         cmocka_unit_test(coincident),           cmocka_unit_test(on_a_grid),
    };
    return cmocka_run_group_tests_name("narrow/normal/minimum_degenerate", tests, NULL, NULL);
}
