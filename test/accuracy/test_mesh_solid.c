/*
 * Convex bodies against the surface of a convex solid: the answer is that of the solid. The oracle takes the least depth over all face normals and cross
 * products of edges of both. Triangles that share no vertices do not make a closed mesh, and get the answer of the rules for triangles.
 */
#include <abut/collide.h>
#include <abut/mesh.h>
#include <abut/query.h>

#include <math.h>
#include <stdlib.h>

#include "accuracy/accuracy.h"
#include "accuracy/closed_mesh.h"
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

/* Whether the least depth is along a normal within a degree of that of a face, and the answer no deeper than along that of the face: such normals are replaced
 * by those of faces. */
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

/* ---- closed meshes ---- */

typedef struct question {
    specimen body, solid;
    closed_mesh mesh;
    abut_pose pose, at; /* of the body and of the mesh */
    oracle_body a, b;
    double scale; /* sizes and distances from the origin, of which the answer has rounding errors */
    double right; /* distance, or minus the least depth */
    bool swapped;
} question;

static double round_number(random_state *random) { return 0.25 * (1 + random_below(random, 8)); }

static abut_quat round_rotation(random_state *random) {
    static const abut_vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double eighth = 0.78539816339744830962;
    abut_quat q = abut_quat_identity();
    for (int i = random_below(random, 3); i > 0; i--) {
        q = abut_quat_unit(abut_quat_mul(abut_quat_about(axis[random_below(random, 3)], eighth * random_below(random, 8)), q));
    }
    return q;
}

/* A box, or a prism of few sides, or a tetrahedron, or a ball or capsule if wished. */
static specimen round_specimen(random_state *random, bool faces) {
    const double p = round_number(random), q = round_number(random), r = round_number(random);
    specimen s = {.kind = (specimen_kind[]){SPECIMEN_BOX, SPECIMEN_PRISM, SPECIMEN_TETRAHEDRON, SPECIMEN_SPHERE,
                                            SPECIMEN_CAPSULE}[random_below(random, faces ? 3 : 5)]};
    s.size = p + q + r;
    switch (s.kind) {
    case SPECIMEN_BOX:
        s.half = abut_vec3_make(p, q, r);
        s.surface = solid_box(s.half);
        break;
    case SPECIMEN_PRISM:
        s.surface = solid_prism(p, q, 3 + random_below(random, 10));
        break;
    case SPECIMEN_TETRAHEDRON:
        s.surface = solid_tetrahedron(abut_vec3_make(0, 0, 0), abut_vec3_make(p, 0, 0), abut_vec3_make(0, q, 0), abut_vec3_make(0, 0, r));
        break;
    default:
        s.radius = p;
        s.half_length = s.kind == SPECIMEN_CAPSULE ? q : 0.0;
    }
    specimen made = specimen_scaled(&s, 1.0);
    if (s.surface.vertex_count > 0) {
        solid_free(&s.surface);
    }
    return made;
}

static double gap_to_make(random_state *random, double size) {
    switch (random_below(random, 8)) {
    case 0:
        return random_log_range(random, 1e-9, 3.0) * size;
    case 1:
        return random_log_range(random, 1e-13, 1e-6) * size * (random_below(random, 2) == 0 ? 1.0 : -1.0);
    case 2:
        return 0.0;
    case 3:
    case 4:
        return -random_log_range(random, 1e-6, 0.1) * size;
    default:
        return -random_range(random, 0.1, 2.0) * size;
    }
}

/* The position of the body's frame in that of the mesh's solid at which the gap is about as wished. */
static void place_body(random_state *random, question *q, bool tidy) {
    abut_vec3 way = random_direction(random), aside = random_vec3(random, -0.5, 0.5);
    abut_pose inner = abut_pose_compose(q->at, q->mesh.inner);
    q->pose = (abut_pose){inner.position, tidy ? abut_quat_mul(inner.rotation, round_rotation(random)) : random_rotation(random)};
    q->pose.rotation = abut_quat_unit(q->pose.rotation);
    double size = fmin(q->body.size, q->solid.size);
    if (tidy) {
        abut_vec3 by = {round_number(random) - 1.0, round_number(random) - 1.0, round_number(random) - 1.0};
        q->pose.position = abut_pose_apply(inner, by);
        return;
    }
    q->pose.position = abut_add_scaled(q->pose.position, size, aside);
    oracle_body a = specimen_oracle(&q->body, q->pose), b = specimen_oracle(&q->solid, inner);
    oracle_facets facets = oracle_minkowski_swept(&a, &b);
    double gap = gap_to_make(random, size), before = oracle_separation(&facets, abut_vec3_make(0, 0, 0)).separation;
    double move = gap > before ? oracle_place(&facets, way, gap) : 0.0;
    q->pose.position = abut_add_scaled(q->pose.position, move, way);
    oracle_free_facets(&facets);
    oracle_free(&a);
    oracle_free(&b);
}

static question make_question(uint64_t seed) {
    random_state random = random_make(seed);
    question q = {.scale = 1.0};
    bool tidy = random_below(&random, 3) == 0;
    double unit = random_below(&random, 2) == 0 ? 1.0 : random_log_range(&random, 1e-3, 1e3), ratio = 1.0;
    if (!tidy) {
        ratio = random_below(&random, 4) == 0 ? random_log_range(&random, 1e-3, 1e3) : random_log_range(&random, 0.1, 2.0);
    }
    q.solid = tidy ? round_specimen(&random, true) : faced(&random, unit);
    q.body = tidy ? round_specimen(&random, false) : specimen_random(&random, unit * ratio);
    q.mesh = closed_mesh_of(&random, &q.solid.surface, random_below(&random, q.solid.surface.face_count > 12 ? 2 : 4));
    q.at = tidy ? abut_pose_identity() : random_pose(&random, q.solid.size);
    if (random_below(&random, 4) == 0) {
        q.at.position = abut_scale(random_log_range(&random, 1.0, 1e4) * q.solid.size, random_direction(&random));
    }
    place_body(&random, &q, tidy);
    q.swapped = random_below(&random, 2) == 0;
    q.scale = q.body.size + q.solid.size + abut_length(q.pose.position) + abut_length(q.at.position) + abut_length(q.mesh.inner.position);
    q.a = specimen_oracle(&q.body, q.pose);
    q.b = specimen_oracle(&q.solid, abut_pose_compose(q.at, q.mesh.inner));
    q.right = oracle_signed_distance(&q.a, &q.b);
    return q;
}

static void free_question(question *q) {
    oracle_free(&q->a);
    oracle_free(&q->b);
    abut_shape_release(q->mesh.shape);
    specimen_free(&q->body);
    specimen_free(&q->solid);
}

static void judge_contacts(accuracy *row, const question *q, const abut_contact *contact, int32_t count) {
    double least = INFINITY;
    for (int32_t i = 0; i < count; i++) {
        const abut_contact *c = &contact[i];
        double along = oracle_gap_along(&q->a, &q->b, c->normal), apart = abut_dot(c->normal, abut_sub(c->on_a, c->on_b));
        least = fmin(least, c->gap);
        accuracy_error(row, fabs(along - q->right) / q->scale, "%s: contact %d of %d, gap along the normal %.17g, right %.17g",
                       specimen_name(&q->body), (int)i, (int)count, along, q->right);
        accuracy_error(row, fabs(apart - c->gap) / q->scale, "gap %.17g, of the points %.17g", c->gap, apart);
        accuracy_error(row, fmax(0.0, q->right - c->gap) / q->scale, "contact %d of %d: gap %.17g, right %.17g", (int)i, (int)count, c->gap,
                       q->right);
        /* The point of a witness need not lie on the feature, and corners nearer than the weld distance are one. */
        double off = closed_mesh_off(q->mesh.shape, c->feature_b, abut_pose_apply_inverse(q->at, c->on_b));
        if (off > 2e-6 * q->scale && (c->flags & ABUT_CONTACT_WITNESS) == 0) {
            accuracy_wrong(row, "contact %d of %d: %g off its feature (kind %d, index %d)", (int)i, (int)count, off, (int)c->feature_b.kind,
                           (int)c->feature_b.index);
        }
    }
    accuracy_error(row, count > 0 ? fabs(least - q->right) / q->scale : 0.0, "%s: least gap of %d contacts %.17g, right %.17g",
                   specimen_name(&q->body), (int)count, least, q->right);
}

static void judge(accuracy *row, const question *q) {
    static abut_contact contact[MESHES_ROOM];
    const abut_pair pair =
        q->swapped ? (abut_pair){q->mesh.shape, q->at, q->body.shape, q->pose} : (abut_pair){q->body.shape, q->pose, q->mesh.shape, q->at};
    abut_separation s;
    bool overlap;
    assert_ok(abut_distance(&pair, NULL, NULL, &s));
    assert_ok(abut_overlap(&pair, NULL, &overlap));
    accuracy_error(row, fabs(s.gap - q->right) / q->scale, "%s in %s: distance %.17g, right %.17g", specimen_name(&q->body),
                   specimen_name(&q->solid), s.gap, q->right);
    int32_t count = meshes_ask(q->body.shape, q->pose, q->mesh.shape, q->at, 0.0, q->swapped, contact);
    if ((count > 0) != (s.gap <= 0.0) || overlap != (count > 0)) {
        accuracy_wrong(row, "%d contacts, overlap %d, distance %.17g, right %.17g", (int)count, (int)overlap, s.gap, q->right);
    }
    judge_contacts(row, q, contact, count);
    if (s.gap > 0.0) {
        count = meshes_ask(q->body.shape, q->pose, q->mesh.shape, q->at, 1.5 * s.gap, q->swapped, contact);
        accuracy_error(row, count > 0 ? 0.0 : INFINITY, "no contact within the margin, gap %.17g", s.gap);
        judge_contacts(row, q, contact, count);
    }
}

static void closed_sample(accuracy *row, uint64_t seed) {
    question q = make_question(seed);
    accuracy_next(row, seed);
    judge(row, &q);
    free_question(&q);
}

static void in_closed_meshes(void **state) {
    (void)state;
    accuracy *row = accuracy_begin("balls, capsules and polytopes beside and in closed convex meshes",
                                   "all face normals and edge pairs, all pairs of features", "gaps / (sizes + distances)", 1e-13);
    static const uint64_t held[] = {UINT64_C(180500000552), UINT64_C(180500018171)}; /* once wrong */
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        closed_sample(row, held[i]);
    }
    for (int32_t i = 0; i < accuracy_samples(100000); i++) {
        closed_sample(row, UINT64_C(180500000000) + (uint64_t)i);
    }
    accuracy_end(row);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_solids), cmocka_unit_test(in_closed_meshes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
