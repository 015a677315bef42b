/*
 * The proofs about a growth distance.
 */

#include "narrow/normal/growth/certificate.h"

#include "base/real.h"

double growth_rounding(const ray_cast *cast) {
    return 4e-16 * (cast->a->size + cast->b->size + abut_length(abut_sub(cast->a->position, cast->b->position)));
}

double growth_factor_beyond(const ray_cast *cast, double inside, double distance) {
    return 1.0 + real_max(distance - growth_rounding(cast), 0.0) / (0.5 * inside);
}

void growth_certify(const ray_cast *cast, double inside, double upper, growth_result *result) {
    double lower = result->alpha_lower, width = abut_dot(result->normal.direction, cast->way.ray) / lower;
    bool meaningful = growth_rounding(cast) <= 1e-3 * width;
    upper = real_min(upper, abut_length(cast->way.ray) / (0.5 * inside)); /* where the ball alone reaches the end of the ray */
    result->alpha_lower = meaningful ? real_min(lower, upper) : 0.0;
    double most = meaningful ? real_max(lower, upper) : upper; /* rounding error may exchange the bounds */
    result->converged = most - result->alpha_lower <= 1e-9 * most;
    result->alpha = result->converged ? result->alpha : most;
}
