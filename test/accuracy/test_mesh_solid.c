/*
 * Convex bodies against the closed surface of a convex solid: the answer is that of the solid. The oracle takes the least depth over all face normals and cross
 * products of edges of both.
 */
#include <abut/collide.h>
#include <abut/mesh.h>

#include <math.h>
#include <stdlib.h>

#include "accuracy/accuracy.h"
#include "support/meshes.h"
#include "support/oracle.h"
#include "support/specimen.h"

enum { ROOM = 4096 };

static specimen faced(random_state *random, double size) {
    static const specimen_kind kinds[5] = {SPECIMEN_BOX, SPECIMEN_PRISM, SPECIMEN_PYRAMID, SPECIMEN_TETRAHEDRON, SPECIMEN_CLOUD};
    return specimen_of_kind(random, kinds[random_below(random, 5)], size);
}

/* The pose at which the body is about as deep in the solid as wished. */
static abut_pose place(random_state *random, const specimen *body, const specimen *solid, double depth) {
    abut_pose pose = random_pose(random, 0.1);
    abut_vec3 way = random_direction(random);
    oracle_body b = specimen_oracle(solid, abut_pose_identity());
    double from = 0.0, to = 2.0 * (body->size + solid->size);
    for (int round = 0; round < 40; round++) {
        double middle = 0.5 * (from + to);
        abut_pose at = {abut_add_scaled(pose.position, middle, way), pose.rotation};
        oracle_body a = specimen_oracle(body, at);
        *(-oracle_signed_distance(&a, &b) > depth ? &from : &to) = middle;
        oracle_free(&a);
    }
    oracle_free(&b);
    pose.position = abut_add_scaled(pose.position, from, way);
    return pose;
}

/* Whether the least depth is along a normal within a degree of that of a face, and the answer no deeper than along that of the face: such normals are replaced by
 * those of faces. */
static bool is_nearly_a_face(const specimen *body, abut_pose pose, const oracle_body *a, const oracle_body *b, double depth) {
    const double degree = 0.0175, step = 1e-7 * body->size;
    double slope[3];
    for (int i = 0; i < 3; i++) {
        double at[2];
        for (int k = 0; k < 2; k++) {
            abut_pose moved = pose;
            *(i == 0 ? &moved.position.x : i == 1 ? &moved.position.y : &moved.position.z) += k ? step : -step;
            oracle_body there = specimen_oracle(body, moved);
            at[k] = oracle_signed_distance(&there, b);
            oracle_free(&there);
        }
        slope[i] = at[1] - at[0];
    }
    abut_vec3 normal = abut_unit(abut_vec3_make(slope[0], slope[1], slope[2]));
    for (int32_t f = 0; f < b->face_count; f++) {
        double turned = abut_length(abut_cross(normal, b->normals[f]));
        if (abut_dot(normal, b->normals[f]) > 0.0 && turned < degree && depth <= -oracle_gap_along(a, b, b->normals[f]) + 1e-9) {
            return true;
        }
    }
    return false;
}

static void sample(accuracy *row, uint64_t seed, double shallowest, double deepest) {
    random_state random = random_make(seed);
    specimen solid = faced(&random, 1.0), body = specimen_random(&random, random_log_range(&random, 0.1, 2.0));
    while (body.kind == SPECIMEN_SPHERE) {
        specimen_free(&body);
        body = specimen_random(&random, 1.0);
    }
    double size = fmin(solid.size, body.size);
    abut_pose pose = place(&random, &body, &solid, size * random_log_range(&random, shallowest, deepest));
    oracle_body a = specimen_oracle(&body, pose), b = specimen_oracle(&solid, abut_pose_identity());
    double depth = -oracle_signed_distance(&a, &b), least = INFINITY, other = 0.0;
    abut_shape *mesh = meshes_surface_of(solid.shape, 1 + random_below(&random, 3));
    static abut_contact contacts[MESHES_ROOM];
    accuracy_next(row, seed);
    bool within = true; /* the solid; then it meets no triangle, and touches nothing */
    for (int32_t i = 0; i < a.vertex_count; i++) {
        within = within && oracle_outside(&b, a.vertices[i]) < -a.radius;
    }
    if (depth > 0.0 && !within) {
        int32_t count = meshes_ask(body.shape, pose, mesh, abut_pose_identity(), 0.0, random_below(&random, 2) == 0, contacts);
        for (int32_t i = 0; i < count; i++) {
            least = fmin(least, contacts[i].gap);
            other = fmax(other, -oracle_gap_along(&a, &b, contacts[i].normal) - depth);
        }
        if (count == 0) {
            accuracy_wrong(row, "%s in %s: missed, %g deep", specimen_name(&body), specimen_name(&solid), depth);
        } else if (fabs(-least - depth) <= 1e-9 * (body.size + solid.size) || !is_nearly_a_face(&body, pose, &a, &b, -least)) {
            accuracy_error(row, fabs(-least - depth) / (body.size + solid.size), "%s in %s: gap %g, right %g (%g of the size)",
                           specimen_name(&body), specimen_name(&solid), least, -depth, depth / size);
            accuracy_error(row, other / (body.size + solid.size), "%s in %s: a normal along which the depth is %g, right %g",
                           specimen_name(&body), specimen_name(&solid), depth + other, depth);
        }
    }
    oracle_free(&a);
    oracle_free(&b);
    abut_shape_release(mesh);
    specimen_free(&solid);
    specimen_free(&body);
}

static void in_solids(void **state) {
    (void)state;
    accuracy *row = accuracy_begin("convex bodies in the surfaces of convex solids", "all face normals and edge pairs",
                                   "depth, against the sizes", 1e-9);
    static const uint64_t held[] = {UINT64_C(180400000002), UINT64_C(180400000218), UINT64_C(180400000263), UINT64_C(180400000495),
                                    UINT64_C(180400000732), UINT64_C(180400000820), UINT64_C(180400000832), UINT64_C(180400002285),
                                    UINT64_C(180400005391), UINT64_C(180400006683)}; /* once wrong */
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        sample(row, held[i], 1e-6, 0.5);
    }
    for (int32_t i = 0; i < accuracy_samples(100000); i++) {
        sample(row, UINT64_C(180400000000) + (uint64_t)i, 1e-6, 0.5);
    }
    accuracy_end(row);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_solids)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
