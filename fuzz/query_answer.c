#include "query_answer.h"

#include <abut/mesh.h>

#include "answer.h"
#include "shapes.h"
#include "target.h"

static void require_status(const char *what, abut_status status, bool limited) {
    FUZZ_REQUIRE(status == ABUT_OK || status == ABUT_ERROR_INVALID_ARGUMENT || status == ABUT_ERROR_NOT_FINITE ||
                     status == ABUT_ERROR_UNSUPPORTED_PAIR || (limited && status == ABUT_ERROR_ITERATION_LIMIT),
                 "%s: %s", what, abut_status_name(status));
}

static bool is_unit(abut_vec3 n) { return fabs(abut_length(n) - 1.0) <= 1e-14; }

static bool is_convex(const abut_shape *shape) {
    abut_kind kind = abut_shape_kind(shape);
    return kind != ABUT_SHAPE_PLANE && kind != ABUT_SHAPE_COMPOUND && kind != ABUT_SHAPE_TRIMESH;
}

/* ---- distance and overlap ---- */

static abut_status ask_distance(const question *q, abut_cache *cache, abut_separation *separation) {
    memset(separation, 0x5a, sizeof *separation);
    abut_status status = abut_distance(&(abut_pair){q->a, q->pose_a, q->b, q->pose_b}, &q->settings, cache, separation);
    require_status("distance", status, false);
    return status;
}

static void require_same_distance(const question *q, const char *how, abut_cache *cache, const abut_separation *expected) {
    abut_separation again;
    FUZZ_REQUIRE(ask_distance(q, cache, &again) == ABUT_OK, "%s", how);
    size_t written = offsetof(abut_separation, flags) + sizeof again.flags; /* padding follows */
    FUZZ_REQUIRE(memcmp(&again, expected, written) == 0, "%s: distance %.17g, not %.17g", how, again.gap, expected->gap);
}

/* The deepest gap of the contacts with margin 0; infinite if there are none. */
static double deepest_of_contacts(const question *q, const abut_collide_settings *settings, bool *found) {
    enum { MOST_CONTACTS = 1 << 14 };
    static abut_contact contacts[MOST_CONTACTS];
    abut_collide_settings touching = *settings;
    touching.margin = 0.0;
    int32_t count;
    abut_status status = abut_collide(&(abut_pair){q->a, q->pose_a, q->b, q->pose_b}, &touching, NULL, contacts, MOST_CONTACTS, &count);
    FUZZ_REQUIRE(status == ABUT_OK || status == ABUT_ERROR_CAPACITY, "%s", abut_status_name(status));
    *found = count > 0;
    return answer_deepest(contacts, count < MOST_CONTACTS ? count : MOST_CONTACTS);
}

static void check_separation(const placed_pair *pair, const question *q, const abut_separation *s) {
    FUZZ_REQUIRE(isfinite(s->gap) && abut_vec3_is_finite(s->on_a) && abut_vec3_is_finite(s->on_b) && is_unit(s->normal),
                 "distance %g, normal (%g, %g, %g)", s->gap, s->normal.x, s->normal.y, s->normal.z);
    double slack = 2e-9 * pair->sizes + 16.0 * pair->rounding, along = abut_dot(s->normal, abut_sub(s->on_a, s->on_b));
    FUZZ_REQUIRE(fabs(along - s->gap) <= slack, "distance %.17g, of the points %.17g, allowed %g", s->gap, along, slack);
    if (pair->coarse) {
        return;
    }
    bool found;
    double deepest = deepest_of_contacts(q, &q->settings, &found);
    FUZZ_REQUIRE(found == (s->gap <= 0.0), "distance %.17g, deepest contact %.17g", s->gap, deepest);
    if (found) {
        FUZZ_REQUIRE(s->gap == fmin(deepest, 0.0), "distance %.17g, deepest contact %.17g", s->gap, deepest);
    } else if (is_convex(pair->a) && is_convex(pair->b)) {
        double separation = answer_separation(pair, s->normal);
        FUZZ_REQUIRE(fabs(separation - s->gap) <= 1e-9 * pair->sizes + 16.0 * pair->rounding, "distance %.17g, separation %.17g", s->gap,
                     separation);
    }
}

void query_check_distance(const question *q) {
    abut_cache cold = {.axis = {0, 0, 0}}, foreign = q->cache;
    abut_separation separation;
    if (ask_distance(q, &cold, &separation) != ABUT_OK) {
        return;
    }
    if (!question_is_slow(q)) { /* compounds use no cache */
        abut_cache stale = question_stale_cache(q);
        require_same_distance(q, "no cache", NULL, &separation);
        require_same_distance(q, "warm cache", &cold, &separation);
        require_same_distance(q, "stale cache", &stale, &separation);
        require_same_distance(q, "foreign cache", &foreign, &separation);
    }
    placed_pair pair = answer_place(q->a, q->pose_a, q->b, q->pose_b);
    check_separation(&pair, q, &separation);
}

void query_check_overlap(const question *q) {
    bool overlap = false, again = false, found;
    abut_cache foreign = q->cache;
    abut_status status = abut_overlap(&(abut_pair){q->a, q->pose_a, q->b, q->pose_b}, NULL, &overlap);
    require_status("overlap", status, false);
    FUZZ_REQUIRE(abut_overlap(&(abut_pair){q->a, q->pose_a, q->b, q->pose_b}, &foreign, &again) == status && again == overlap,
                 "with a cache %d", again);
    bool planes = abut_shape_kind(q->a) == ABUT_SHAPE_PLANE && abut_shape_kind(q->b) == ABUT_SHAPE_PLANE;
    if (status == ABUT_OK && !planes && !question_is_slow(q)) {
        abut_collide_settings defaults = abut_collide_settings_default();
        double deepest = deepest_of_contacts(q, &defaults, &found);
        FUZZ_REQUIRE(found == overlap, "overlap %d, deepest contact %.17g", overlap, deepest);
    }
}

/* ---- casts ---- */

static abut_pose moved_by(abut_pose pose, abut_motion motion, double t) {
    double angle = abut_length(motion.angular);
    pose.position = abut_add_scaled(pose.position, t, motion.linear);
    if (angle > 0.0) {
        abut_quat turn = abut_quat_about(abut_unit(motion.angular), t * angle);
        pose.rotation = abut_quat_unit(abut_quat_mul(turn, abut_quat_unit(pose.rotation)));
    }
    return pose;
}

/* The distance at a fraction of the motion; infinite if there is no answer. */
static double distance_at(const question *q, const abut_motion motion[2], double t) {
    question there = *q;
    there.settings = abut_collide_settings_default();
    there.pose_a = moved_by(q->pose_a, motion[0], t);
    there.pose_b = moved_by(q->pose_b, motion[1], t);
    abut_separation separation;
    return ask_distance(&there, NULL, &separation) == ABUT_OK ? separation.gap : INFINITY;
}

/* How deep a motion may lead before it counts as a hit. A body that rests on a mesh may sink by a tenth of the tolerance, whose default is a millionth of the
 * smaller size. */
static double sunk_before_hit(const question *q, const placed_pair *pair, double tolerance) {
    bool rests = abut_shape_triangle_count(q->a) > 0 || abut_shape_triangle_count(q->b) > 0;
    return rests ? fmax(tolerance, 1e-7 * pair->sizes) : tolerance;
}

void query_check_cast(const question *q, const abut_motion motion[2], double tolerance) {
    abut_hit hit;
    for (int i = 0; i < 2 && fuzz_describes(); i++) {
        abut_vec3 way = motion[i].linear, turn = motion[i].angular;
        fprintf(stderr, "  motion {{%.17g, %.17g, %.17g}, {%.17g, %.17g, %.17g}}, tolerance %.17g\n", way.x, way.y, way.z, turn.x, turn.y,
                turn.z, tolerance);
    }
    abut_status status = abut_shape_cast(&(abut_pair){q->a, q->pose_a, q->b, q->pose_b}, motion[0], motion[1], tolerance, &hit);
    require_status("cast", status, true);
    if (status != ABUT_OK && status != ABUT_ERROR_ITERATION_LIMIT) {
        return;
    }
    placed_pair pair = answer_place(q->a, q->pose_a, q->b, q->pose_b);
    double way = abut_length(motion[0].linear) + abut_length(motion[1].linear);
    double turn = (abut_length(motion[0].angular) + abut_length(motion[1].angular)) * pair.sizes;
    double slack = 1e-8 * pair.sizes + 64.0 * pair.rounding + 1e-13 * (way + turn);
    FUZZ_REQUIRE(hit.fraction >= 0.0 && hit.fraction <= 1.0, "fraction %g", hit.fraction);
    if (hit.hit) {
        FUZZ_REQUIRE(abut_vec3_is_finite(hit.point) && is_unit(hit.normal), "normal (%g, %g, %g)", hit.normal.x, hit.normal.y,
                     hit.normal.z);
        double gap = distance_at(q, motion, hit.fraction);
        double allowed = fmax(tolerance, 1e-6 * pair.sizes) + slack;
        FUZZ_REQUIRE(gap <= allowed, "hit at %.17g, where the gap is %.17g, allowed %g", hit.fraction, gap, allowed);
    }
    if (hit.started_inside || pair.coarse || q->one_sided) {
        return;
    }
    /* Until the hit, or until the end of the motion, the shapes do not overlap. At the beginning they may touch. */
    double sunk = sunk_before_hit(q, &pair, tolerance);
    const int moments = question_is_slow(q) ? 1 : 4;
    for (int i = 1; i <= moments; i++) {
        double t = 0.25 * i * hit.fraction, gap = distance_at(q, motion, t);
        FUZZ_REQUIRE(gap >= -slack - sunk, "before the hit at %.17g the gap at %.17g is %.17g", hit.fraction, t, gap);
    }
}

/* ---- motions ---- */

abut_motion query_read_motion(bytes *in, double size) {
    abut_motion motion = {.linear = {0, 0, 0}};
    uint8_t how = bytes_byte(in);
    if (how & 1) {
        motion.linear = shapes_read_vec3(in, size);
    }
    if (how & 2) {
        motion.angular = shapes_read_vec3(in, 1.0);
    }
    return motion;
}
