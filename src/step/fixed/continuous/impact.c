/* Where fast bodies will meet. The casts are those of step/fixed/continuous/path.h; a body keeps its velocities until it meets something. */
#include "step/fixed/continuous/impact.h"

#include "base/real.h"
#include "shape/shape.h"
#include "step/fixed/margin.h"
#include "step/fixed/continuous/path.h"

/* A dynamic body stops before another dynamic one whose size is larger than its own by this factor. */
static const double much_larger = 4.0;

/* Bodies that touch at the start of the step meet anew where they get this deep, relative to the radius of the ball inside. */
static const double noticed_depth = 0.02;

static bool is_dynamic(const body *body) { return body->kind == ABUT_BODY_DYNAMIC; }

bool impact_stops_first(const body *a, const body *b) {
    return is_dynamic(a) && (!is_dynamic(b) || a->continuous || b->size > much_larger * a->size);
}

bool impact_counts(const body *a, const body *b) { return impact_stops_first(a, b) || impact_stops_first(b, a); }

/* Of bodies that touch at the start. */
static abut_status find_depth(const moving_body motion[2], const body *a, const body *b, double *fraction) {
    double found, core = real_min(is_dynamic(a) ? a->core : INFINITY, is_dynamic(b) ? b->core : INFINITY);
    int first = impact_stops_first(a, b) ? 0 : 1;
    abut_status status = shape_cast_to_depth(&motion[first], &motion[1 - first], noticed_depth * core, 0.0, &found);
    *fraction = status == ABUT_OK && found <= 1.0 ? found : 0.0;
    return status == ABUT_ERROR_OUT_OF_MEMORY ? status : ABUT_OK;
}

abut_status impact_find(const abut_world *world, const body *a, const body *b, double dt, double *fraction) {
    *fraction = 0.0;
    if (!impact_counts(a, b) || !margin_falls_short(world, a, b, dt)) {
        return ABUT_OK;
    }
    const moving_body motion[2] = {path_expected(world, a, dt), path_expected(world, b, dt)};
    abut_hit hit;
    abut_status status = shape_cast_find(&motion[0], &motion[1], 0.0, &hit);
    if (status != ABUT_OK && status != ABUT_ERROR_ITERATION_LIMIT) {
        /* The narrow phase tells what is wrong with the pair, if anything is. */
        return status == ABUT_ERROR_OUT_OF_MEMORY ? status : ABUT_OK;
    }
    bool met = hit.hit || status == ABUT_ERROR_ITERATION_LIMIT;
    if (met && hit.fraction <= 0.0) {
        return find_depth(motion, a, b, fraction);
    }
    *fraction = met && hit.fraction > 0.0 ? hit.fraction : 0.0;
    return ABUT_OK;
}

void impact_poses(const abut_world *world, const body *a, const body *b, double dt, double fraction, abut_pose poses[2]) {
    poses[0] = a->pose;
    poses[1] = b->pose;
    if (fraction > 0.0) {
        const moving_body motion[2] = {path_expected(world, a, dt), path_expected(world, b, dt)};
        poses[0] = shape_cast_pose(&motion[0], fraction);
        poses[1] = shape_cast_pose(&motion[1], fraction);
    }
}
