/* One deforming simplex and a fixed plane: the closed form of along.h for a plane that does not move. */
#include <stddef.h>

#include "tetra/along.h"

abut_status abut_simplex_push(const abut_simplex *simplex, abut_vec3 normal, double offset, abut_vec3 *displacement, double *sigma) {
    if (simplex == NULL || displacement == NULL) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_status status = pair_check(simplex, simplex);
    abut_vec3 unit = abut_unit(normal);
    status = status == ABUT_OK && !(abut_vec3_is_finite(normal) && isfinite(offset)) ? ABUT_ERROR_NOT_FINITE : status;
    status = status == ABUT_OK && !(abut_length_squared(unit) > 0.0) ? ABUT_ERROR_INVALID_ARGUMENT : status;
    if (status != ABUT_OK) {
        return status;
    }
    /* The plane is a static point on it, and the origin is there. */
    double length = abut_dot(unit, normal);
    abut_simplex plane = {1, {abut_scale(offset / length, unit)}};
    const abut_depth_settings settings = {.best_k = 1, .weight_a = INFINITY, .weight_b = 1.0, .volume_ratio = -INFINITY};
    pair p;
    status = pair_make(&plane, simplex, &settings, &p);
    if (status != ABUT_OK) {
        return status;
    }
    along found = along_solve(&p, unit, NULL);
    double square = found.cost / p.scale / p.scale;
    if (!isfinite(square)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    for (int i = 0; i < simplex->count; ++i) {
        displacement[i] = abut_scale(found.move[PAIR_B][i] / p.scale, unit);
    }
    if (sigma != NULL) {
        *sigma = square;
    }
    return ABUT_OK;
}
