/*
 * Two shapes of any kind, anywhere, and all questions except contacts: distance, overlap, ray casts and shape casts. Every answer must be documented, satisfy
 * the header, and agree with the others.
 */
#include "answer.h"
#include "query_answer.h"
#include "shapes.h"
#include "target.h"

static bool is_unit(abut_vec3 n) { return fabs(abut_length(n) - 1.0) <= 1e-14; }

/* ---- rays ---- */

static void check_ray(const question *q, abut_vec3 origin, abut_vec3 translation) {
    abut_hit hit;
    abut_status status = abut_ray_cast(q->a, q->pose_a, origin, translation, &hit);
    FUZZ_REQUIRE(status == ABUT_OK || status == ABUT_ERROR_INVALID_ARGUMENT || status == ABUT_ERROR_NOT_FINITE, "%s",
                 abut_status_name(status));
    if (status != ABUT_OK || !hit.hit) {
        FUZZ_REQUIRE(status != ABUT_OK || hit.fraction == 1.0, "fraction %.17g of nothing", hit.fraction);
        return;
    }
    FUZZ_REQUIRE(hit.fraction >= 0.0 && hit.fraction <= 1.0 && abut_vec3_is_finite(hit.point) && is_unit(hit.normal),
                 "fraction %g, normal (%g, %g, %g)", hit.fraction, hit.normal.x, hit.normal.y, hit.normal.z);
    FUZZ_REQUIRE(!hit.started_inside || hit.fraction == 0.0, "fraction %g from inside", hit.fraction);
    placed_pair pair = answer_place(q->a, q->pose_a, q->a, q->pose_a);
    double way = abut_length(translation);
    double slack = 1e-9 * pair.sizes + 64.0 * pair.rounding + 1e-14 * (abut_length(origin) + way);
    double off = abut_distance_between(hit.point, abut_add_scaled(origin, hit.fraction, translation));
    FUZZ_REQUIRE(off <= slack, "the point is %g off the ray, allowed %g", off, slack);
}

/* ---- one input ---- */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bytes in = bytes_make(data, size);
    question q = question_read(&in);
    if (q.a != NULL && q.b != NULL && !question_is_big(&q)) {
        abut_aabb bounds = abut_shape_bounds(q.a, abut_pose_identity());
        double length = isfinite(bounds.upper.x - bounds.lower.x) ? bounds.upper.x - bounds.lower.x : 1.0;
        abut_vec3 origin = shapes_read_vec3(&in, length), translation = shapes_read_vec3(&in, length);
        abut_motion motion[2];
        motion[0] = query_read_motion(&in, length);
        motion[1] = query_read_motion(&in, length);
        double tolerance = bytes_byte(&in) < 64 ? fabs(bytes_number(&in)) * length : 0.0;
        query_check_distance(&q);
        query_check_overlap(&q);
        check_ray(&q, abut_add(q.pose_a.position, origin), translation);
        check_ray(&q, q.pose_b.position, abut_sub(q.pose_a.position, q.pose_b.position));
        query_check_cast(&q, motion, tolerance);
    }
    question_release(&q);
    return 0;
}
