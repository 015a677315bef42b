/* A torus about the z axis as a parametric body: u turns about the axis, v about the middle of the tube. Shape frame. */

#include <abut/smooth.h>

#include "base/argument.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/real.h"
#include "shape/user.h"

typedef struct torus {
    double ring, tube;
} torus;

static void surface(void *context, double u, double v, abut_parametric_point *at) {
    const torus *t = context;
    double cu, su, cv, sv;
    elementary_sin_cos(u, &su, &cu);
    elementary_sin_cos(v, &sv, &cv);
    double x = t->tube * cv, z = t->tube * sv, rho = t->ring + x;
    at->s = abut_vec3_make(rho * cu, rho * su, z);
    at->su = abut_vec3_make(-rho * su, rho * cu, 0.0);
    at->sv = abut_vec3_make(-z * cu, -z * su, x);
    at->suu = abut_vec3_make(-rho * cu, -rho * su, 0.0);
    at->suv = abut_vec3_make(z * su, -z * cu, 0.0);
    at->svv = abut_vec3_make(-x * cu, -x * su, -z);
}

abut_status abut_shape_create_torus(double ring_radius, double tube_radius, abut_shape **shape) {
    if (argument_is_not_finite(CALL_NAME, "ring_radius", ring_radius) || argument_is_not_finite(CALL_NAME, "tube_radius", tube_radius)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (argument_is_not_positive(CALL_NAME, "tube_radius", tube_radius) ||
        (!(ring_radius > tube_radius) && refused(CALL_NAME, "ring_radius is %.9g: it must be above tube_radius", ring_radius)) ||
        argument_is_null(CALL_NAME, "shape", shape)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    torus *t = memory_allocate(1, sizeof *t);
    if (t == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    *t = (torus){ring_radius, tube_radius};
    const abut_parametric_def def = {.function = surface,
                                     .context = t,
                                     .u_range = {0.0, 2.0 * REAL_PI},
                                     .v_range = {0.0, 2.0 * REAL_PI},
                                     .u_periodic = true,
                                     .v_periodic = true};
    abut_status status = parametric_create(&(user_call){CALL_NAME, NULL}, &def, t, NULL, shape);
    if (status != ABUT_OK) {
        memory_release(t);
    }
    return status;
}
