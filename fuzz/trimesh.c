/*
 * Any small mesh or height field, and a shape of any kind or the same mesh again, anywhere. The target creates the mesh and asks for contacts (both orders of
 * the bodies, and two meshes at once), rays, distances, overlap and moving shapes. Statuses must be documented, and every answer must satisfy what the headers
 * promise.
 */
#include <abut/mesh.h>
#include <float.h>

#include "answer.h"
#include "mesh_question.h"
#include "query_answer.h"
#include "shapes.h"
#include "target.h"

enum { MOST_CONTACTS = 1 << 14, MOST_OF_SHAPE = 150 };

/* ---- contacts ---- */

static void require_collide(abut_status status, int32_t count, int32_t capacity) {
    FUZZ_REQUIRE(status == ABUT_OK || status == ABUT_ERROR_CAPACITY || status == ABUT_ERROR_INVALID_ARGUMENT ||
                     status == ABUT_ERROR_NOT_FINITE || status == ABUT_ERROR_UNSUPPORTED_PAIR,
                 "%s", abut_status_name(status));
    FUZZ_REQUIRE(count >= 0 && (status == ABUT_OK || status == ABUT_ERROR_CAPACITY || count == 0), "%s, count %d", abut_status_name(status),
                 (int)count);
    FUZZ_REQUIRE((status == ABUT_ERROR_CAPACITY) == (count > capacity), "%s, count %d", abut_status_name(status), (int)count);
}

static abut_status ask(const mesh_question *q, bool mesh_first, abut_cache *cache, abut_contact *contacts, int32_t capacity,
                       int32_t *count) {
    const abut_shape *a = mesh_first ? q->mesh : q->shape, *b = mesh_first ? q->shape : q->mesh;
    abut_pose pose_a = mesh_first ? q->mesh_pose : q->pose, pose_b = mesh_first ? q->pose : q->mesh_pose;
    *count = -7;
    abut_status status = abut_collide(&(abut_pair){a, pose_a, b, pose_b}, &q->settings, cache, contacts, capacity, count);
    require_collide(status, *count, capacity);
    return status;
}

static void require_same(const char *how, const abut_contact *p, const abut_contact *q, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        FUZZ_REQUIRE(memcmp(&p[i], &q[i], sizeof *p) == 0, "%s: contact %d of %d differs, gap %.17g and %.17g", how, (int)i, (int)count,
                     p[i].gap, q[i].gap);
    }
}

static void check_again(const mesh_question *q, bool mesh_first, const abut_contact *expected, int32_t count, abut_contact *room) {
    abut_cache cache = {.axis = {0, 0, 0}};
    int32_t found;
    for (int turn = 0; turn < 2; turn++) {
        ask(q, mesh_first, &cache, room, MOST_CONTACTS, &found);
        FUZZ_REQUIRE(found == count, "%d contacts, again %d", (int)count, (int)found);
        require_same("again", room, expected, count);
    }
    ask(q, mesh_first, NULL, room, count / 2, &found);
    FUZZ_REQUIRE(found == count, "%d contacts, with less room %d", (int)count, (int)found);
    require_same("less room", room, expected, count / 2);
}

static placed_pair place(const mesh_question *q, bool mesh_first) {
    return mesh_first ? answer_place(q->mesh, q->mesh_pose, q->shape, q->pose) : answer_place(q->shape, q->pose, q->mesh, q->mesh_pose);
}

static void check_numbers(const abut_contact *contacts, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        const abut_contact *c = &contacts[i];
        FUZZ_REQUIRE(abut_vec3_is_finite(c->on_a) && abut_vec3_is_finite(c->on_b) && isfinite(c->gap) && isfinite(c->area), "gap %g",
                     c->gap);
        FUZZ_REQUIRE(fabs(abut_length(c->normal) - 1.0) <= 1e-14, "length of the normal %.17g", abut_length(c->normal));
    }
}

static void check_contacts(const mesh_question *q, bool mesh_first, abut_contact *contacts, abut_contact *room, int32_t *count) {
    abut_status status = ask(q, mesh_first, NULL, contacts, MOST_CONTACTS, count);
    if (status != ABUT_OK) {
        *count = 0;
        return;
    }
    check_again(q, mesh_first, contacts, *count, room);
    placed_pair pair = place(q, mesh_first);
    check_numbers(contacts, *count);
    if (!mesh_question_has_needles(q, pair.sizes)) {
        answer_check(&pair, &q->settings, contacts, *count);
    }
}

/* Whether a ball's centre is so little behind a triangle that rounding decides the side. A centre in the plane counts as in front. */
static bool is_hardly_behind(const mesh_question *q) {
    abut_vec3 centre = abut_pose_apply_inverse(q->mesh_pose, q->pose.position);
    for (int32_t t = 0; t < abut_shape_triangle_count(q->mesh); t++) {
        abut_triangle triangle;
        abut_shape_triangle(q->mesh, t, &triangle);
        const abut_vec3 *corner = triangle.corner;
        abut_vec3 normal = abut_unit(abut_cross(abut_sub(corner[1], corner[0]), abut_sub(corner[2], corner[0])));
        double size = abut_length(centre) + abut_length(corner[0]) + abut_length(corner[1]) + abut_length(corner[2]);
        double height = abut_dot(normal, abut_sub(centre, corner[0])), rounding = DBL_EPSILON * size;
        if (height < -0.1 * rounding && height > -100.0 * rounding) {
            return true;
        }
    }
    return false;
}

/* Compares both orders of the bodies. For a body with corners, the patches may depend on the order when two ways out are equally long. Whether the bodies
 * touch, and the contacts of a ball, may not. */
static void check_both_sides(const mesh_question *q, abut_contact *contacts, abut_contact *room) {
    static abut_contact swapped[MOST_CONTACTS];
    int32_t count, other;
    check_contacts(q, true, contacts, room, &count);
    mesh_question turned = *q;
    turned.settings.previous_normal = abut_neg(q->settings.previous_normal);
    check_contacts(&turned, false, swapped, room, &other);
    placed_pair pair = place(q, true);
    if (pair.coarse || mesh_question_has_needles(q, pair.sizes) || is_hardly_behind(q)) {
        return;
    }
    double gap = answer_deepest(contacts, count), back = answer_deepest(swapped, other), slack = 1e-9 * pair.sizes + 32.0 * pair.rounding;
    if ((count == 0) != (other == 0)) {
        FUZZ_REQUIRE(fabs(fmin(gap, back) - q->settings.margin) <= 1e-6 * pair.sizes + 16.0 * pair.rounding,
                     "%d contacts, swapped %d, gap %.17g", (int)count, (int)other, fmin(gap, back));
    } else if (count > 0 && abut_shape_kind(q->shape) == ABUT_SHAPE_SPHERE) {
        FUZZ_REQUIRE(fabs(gap - back) <= slack, "gap %.17g, swapped %.17g, allowed %g", gap, back, slack);
    }
}

/* Two meshes at once. The part number in the features on B tells them apart. */
static void check_several(const mesh_question *q, abut_contact *contacts) {
    const abut_part meshes[2] = {{q->mesh, q->mesh_pose}, {q->mesh, q->other_pose}};
    int32_t count = -7;
    abut_status status = abut_collide_meshes(q->shape, q->pose, meshes, 2, &q->settings, contacts, MOST_CONTACTS, &count);
    require_collide(status, count, MOST_CONTACTS);
    check_numbers(contacts, status == ABUT_OK ? count : 0);
    for (int32_t i = 0; i < count && status == ABUT_OK; i++) {
        FUZZ_REQUIRE(contacts[i].feature_b.part == 0 || contacts[i].feature_b.part == 1, "part %d", (int)contacts[i].feature_b.part);
    }
}

/* ---- rays ---- */

static void check_ray(const mesh_question *q, bytes *in, double scale) {
    abut_vec3 origin = shapes_read_vec3(in, scale), way = shapes_read_vec3(in, scale);
    abut_hit hit;
    abut_status status = abut_ray_cast(q->mesh, q->mesh_pose, origin, way, &hit);
    FUZZ_REQUIRE(status == ABUT_OK || status == ABUT_ERROR_INVALID_ARGUMENT || status == ABUT_ERROR_NOT_FINITE, "%s",
                 abut_status_name(status));
    if (status == ABUT_OK) {
        FUZZ_REQUIRE(hit.fraction >= 0.0 && hit.fraction <= 1.0 && abut_vec3_is_finite(hit.point), "fraction %.17g", hit.fraction);
        FUZZ_REQUIRE(!hit.hit || fabs(abut_length(hit.normal) - 1.0) <= 1e-14, "length of the normal %.17g", abut_length(hit.normal));
    }
}

/* ---- other questions ---- */

/* Distance from a point to a triangle: from the plane or from the sides. */
static double distance_to(abut_vec3 p, const abut_vec3 corner[3]) {
    abut_vec3 across = abut_cross(abut_sub(corner[1], corner[0]), abut_sub(corner[2], corner[0])), normal = abut_unit(across);
    bool over = abut_length_squared(across) > 0.0;
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        abut_vec3 side = abut_sub(corner[(i + 1) % 3], corner[i]), way = abut_sub(p, corner[i]);
        double square = abut_length_squared(side), t = square > 0.0 ? fmin(fmax(abut_dot(way, side) / square, 0.0), 1.0) : 0.0;
        least = fmin(least, abut_length(abut_add_scaled(way, -t, side)));
        over = over && abut_dot(abut_cross(normal, side), way) > 0.0;
    }
    return over ? fmin(least, fabs(abut_dot(normal, abut_sub(p, corner[0])))) : least;
}

/* The distance of a ball is that of its centre from the nearest triangle, less the radius. */
static void check_ball(const mesh_question *q, double distance) {
    placed_pair pair = place(q, false);
    if (abut_shape_kind(q->shape) != ABUT_SHAPE_SPHERE || pair.coarse || mesh_question_has_needles(q, pair.sizes)) {
        return;
    }
    abut_vec3 centre = abut_pose_apply_inverse(q->mesh_pose, q->pose.position);
    double least = INFINITY, slack = 1e-12 * pair.sizes + 32.0 * pair.rounding;
    for (int32_t t = 0; t < abut_shape_triangle_count(q->mesh); t++) {
        abut_triangle triangle;
        abut_shape_triangle(q->mesh, t, &triangle);
        least = fmin(least, distance_to(centre, triangle.corner));
    }
    least = fmax(least - abut_shape_radius(q->shape), 0.0);
    FUZZ_REQUIRE(distance <= 0.0 || fabs(distance - least) <= slack, "distance %.17g instead of %.17g, allowed %g", distance, least, slack);
    FUZZ_REQUIRE(distance > 0.0 || least <= slack, "distance %.17g instead of %.17g, allowed %g", distance, least, slack);
}

/* For bodies apart, the distance is the same when they are exchanged. */
static void check_swapped_distance(const mesh_question *q, const question *asked) {
    question turned = question_swapped(asked);
    abut_separation s, other;
    placed_pair pair = answer_place(asked->a, asked->pose_a, asked->b, asked->pose_b);
    if (abut_distance(&(abut_pair){asked->a, asked->pose_a, asked->b, asked->pose_b}, &asked->settings, NULL, &s) != ABUT_OK ||
        abut_distance(&(abut_pair){turned.a, turned.pose_a, turned.b, turned.pose_b}, &turned.settings, NULL, &other) != ABUT_OK ||
        pair.coarse || mesh_question_has_needles(q, pair.sizes)) {
        return;
    }
    double slack = 1e-9 * pair.sizes + 32.0 * pair.rounding;
    bool apart = s.gap > 0.0 && other.gap > 0.0;
    FUZZ_REQUIRE(!apart || fabs(s.gap - other.gap) <= slack, "distance %.17g, swapped %.17g, allowed %g", s.gap, other.gap, slack);
    if (asked->b == q->shape) {
        check_ball(q, s.gap);
    }
}

/* The queries with the shape, and with a second mesh, in both orders. */
static void check_queries(const mesh_question *q, const abut_motion motion[2], double tolerance) {
    enum { MOST_PAIRS = 400 };
    int32_t triangles = abut_shape_triangle_count(q->mesh), most = triangles * triangles;
    question asked = {.a = q->mesh, .b = q->shape, .pose_a = q->mesh_pose, .pose_b = q->pose, .settings = q->settings};
    asked.one_sided = !q->two_sided;
    for (int second = 0; second < 2 && (second == 0 || most <= MOST_PAIRS); second++) { /* for time */
        for (int swapped = 0; swapped < 2; swapped++) {
            question from = swapped ? question_swapped(&asked) : asked;
            placed_pair pair = answer_place(from.a, from.pose_a, from.b, from.pose_b);
            query_check_distance(&from);
            query_check_overlap(&from);
            if (!mesh_question_has_needles(q, pair.sizes)) {
                query_check_cast(&from, motion, tolerance);
            }
        }
        check_swapped_distance(q, &asked);
        asked.b = q->mesh;
        asked.pose_b = q->other_pose;
        asked.one_sided = true; /* one mesh may enter the other without a touch, past an open side */
    }
}

/* ---- one input ---- */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static abut_contact contacts[MOST_CONTACTS], room[MOST_CONTACTS];
    bytes in = bytes_make(data, size);
    double scale;
    mesh_question q = mesh_question_read(&in, &scale);
    if (q.mesh != NULL) {
        mesh_question_check_mesh(q.mesh);
        check_ray(&q, &in, scale);
    }
    if (q.mesh != NULL && q.shape != NULL && shapes_vertex_count(q.shape) <= MOST_OF_SHAPE) {
        abut_motion motion[2];
        motion[0] = query_read_motion(&in, scale);
        motion[1] = query_read_motion(&in, scale);
        double tolerance = bytes_byte(&in) < 64 ? fabs(bytes_number(&in)) * scale : 0.0;
        check_both_sides(&q, contacts, room);
        check_several(&q, contacts);
        check_queries(&q, motion, tolerance);
    }
    abut_shape_release(q.mesh);
    abut_shape_release(q.shape);
    return 0;
}
