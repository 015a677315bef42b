/* One deforming simplex and a fixed plane: the closed form of along.h for a plane that does not move. */
#include <stddef.h>

#include "base/argument.h"
#include "tetra/along.h"

abut_status abut_simplex_push(const abut_simplex *simplex, abut_vec3 normal, double offset, abut_vec3 *displacement, double *sigma) {
    if (argument_is_null(CALL_NAME, "simplex", simplex) || argument_is_null(CALL_NAME, "displacement", displacement)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_status status = pair_check(simplex, simplex);
    if (status != ABUT_OK) {
        return pair_refuse_one(status, CALL_NAME, "simplex", simplex);
    }
    if (argument_is_no_vector(CALL_NAME, "normal", normal) || argument_is_not_finite(CALL_NAME, "offset", offset)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    abut_vec3 unit = abut_unit(normal);
    if (!(abut_length_squared(unit) > 0.0)) {
        return refuse(ABUT_ERROR_INVALID_ARGUMENT, CALL_NAME, "normal is zero: it must have a direction");
    }
    /* The plane is a static point on it, and the origin is there. */
    double length = abut_dot(unit, normal), half = abut_dot(unit, abut_scale(0.5, normal));
    double distance = isfinite(length) ? offset / length : 0.5 * offset / half;
    abut_simplex plane = {1, {abut_scale(distance, unit)}};
    const abut_depth_settings settings = {.best_k = 1, .weight_a = INFINITY, .weight_b = 1.0, .volume_ratio = -INFINITY};
    pair p;
    status = pair_make(&plane, simplex, &settings, &p);
    if (status != ABUT_OK) {
        return refuse(status, CALL_NAME, "simplex and the plane are too far apart, or too large");
    }
    along found = along_solve(&p, unit, NULL);
    double square = found.cost / p.scale / p.scale;
    if (!isfinite(square)) {
        return refuse(ABUT_ERROR_NOT_FINITE, CALL_NAME, "simplex: the displacement squared overflows");
    }
    for (int i = 0; i < simplex->count; ++i) {
        displacement[i] = abut_scale(found.move[PAIR_B][i] / p.scale, unit);
    }
    if (sigma != NULL) {
        *sigma = square;
    }
    return ABUT_OK;
}
