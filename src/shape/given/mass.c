/*
 * Shapes with a mass distribution of the caller. A rigid body with the principal moments A, B and C has second moments (B + C - A) / 2 and so on along its
 * principal axes, which are sums of squares: the matrix trace(I) / 2 - I must not be negative. Inertias of files are rounded, so a little less than 0 is taken.
 */
#include "base/argument.h"
#include "base/real.h"
#include "geom/eigen.h"
#include "shape/given/share.h"

/* How far rounded numbers may be from an inertia that a body can have, relative to the trace. */
static const double roundness = 1e-6;

/* The symmetric part. */
static sym3 symmetric(abut_mat3 m) {
    return (sym3){m.x.x, m.y.y, m.z.z, 0.5 * (m.x.y + m.y.x), 0.5 * (m.x.z + m.z.x), 0.5 * (m.y.z + m.z.y)};
}

static abut_mat3 matrix_of(sym3 m) {
    return abut_mat3_make(abut_vec3_make(m.xx, m.xy, m.xz), abut_vec3_make(m.xy, m.yy, m.yz), abut_vec3_make(m.xz, m.yz, m.zz));
}

static sym3 scaled(double s, sym3 m) { return (sym3){s * m.xx, s * m.yy, s * m.zz, s * m.xy, s * m.xz, s * m.yz}; }

static bool is_symmetric(abut_mat3 m, double trace) {
    const double most = roundness * trace;
    return fabs(m.x.y - m.y.x) <= most && fabs(m.x.z - m.z.x) <= most && fabs(m.y.z - m.z.y) <= most;
}

/* Whether a body can have this inertia. unit: its symmetric part over its trace */
static bool is_inertia(sym3 unit) {
    const sym3 second = {0.5 - unit.xx, 0.5 - unit.yy, 0.5 - unit.zz, -unit.xy, -unit.xz, -unit.yz};
    return eigen_is_above(unit, 0.0) && eigen_is_above(second, -roundness);
}

static bool is_finite_matrix(abut_mat3 m) { return abut_vec3_is_finite(m.x) && abut_vec3_is_finite(m.y) && abut_vec3_is_finite(m.z); }

static abut_status check_mass(const char *call, const abut_mass *mass) {
    if (argument_is_not_finite(call, "mass->mass", mass->mass) || argument_is_no_vector(call, "mass->centre", mass->centre)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (!is_finite_matrix(mass->inertia)) {
        return refuse(ABUT_ERROR_NOT_FINITE, call, "mass->inertia is not finite");
    }
    if (argument_is_not_positive(call, "mass->mass", mass->mass)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    const abut_mat3 *i = &mass->inertia;
    double trace = i->x.x + i->y.y + i->z.z;
    bool fine = trace > 0.0 && isfinite(1.0 / trace) && is_symmetric(*i, trace) && is_inertia(scaled(1.0 / trace, symmetric(*i)));
    return fine ? ABUT_OK
                : refuse(ABUT_ERROR_INVALID_ARGUMENT, call,
                         "mass->inertia is that of no body: it must be symmetric and positive, and no principal moment above the sum of "
                         "the other two");
}

/* For density 1, and for the squares and cubes that bodies compute from the distance of the centre. */
static bool stays_in_range(const sym3 *unit, abut_vec3 centre) {
    double far = fabs(centre.x) + fabs(centre.y) + fabs(centre.z), cube = far * far * far;
    return isnormal(unit->xx) && isnormal(unit->yy) && isnormal(unit->zz) && isfinite(unit->xy) && isfinite(unit->xz) &&
           isfinite(unit->yz) && isfinite(cube * cube);
}

abut_status abut_shape_create_with_mass(const abut_shape *shape, const abut_mass *mass, abut_shape **made) {
    if (argument_is_null(CALL_NAME, "shape", shape) || argument_is_null(CALL_NAME, "mass", mass) ||
        argument_is_null(CALL_NAME, "made", made)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (shape->kind == ABUT_SHAPE_PLANE || shape->kind == ABUT_SHAPE_FACETMESH) {
        return shape_refuse_kind(CALL_NAME, "shape", shape, "bounded, and no facetmesh");
    }
    if (!(shape->unit_mass.volume > 0.0)) {
        return refuse(ABUT_ERROR_NOT_CLOSED, CALL_NAME, "shape is a mesh without an inside");
    }
    abut_status status = check_mass(CALL_NAME, mass);
    if (status != ABUT_OK) {
        return status;
    }
    sym3 unit = scaled(shape->unit_mass.volume / mass->mass, symmetric(mass->inertia));
    if (!stays_in_range(&unit, mass->centre)) {
        return refuse(ABUT_ERROR_INVALID_ARGUMENT, CALL_NAME,
                      "mass: its centre, or its inertia over its mass, leaves the range of numbers");
    }
    abut_shape *copy = shape_share(shape);
    if (copy == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    copy->weighted = true;
    copy->unit_mass.centre = mass->centre;
    copy->unit_mass.inertia = matrix_of(unit);
    *made = copy;
    return ABUT_OK;
}
