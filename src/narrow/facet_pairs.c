/* Contacts of rounded triangles with each other, with whole spheres and with half-spaces, one by one and many at a time. */
#include <stddef.h>

#include "narrow/facet.h"

static bool is_finite(const abut_facet_contact *c) {
    return isfinite(c->sphere_overlap) && isfinite(c->overlap) && isfinite(c->area) && abut_is_finite_vec3(c->point) &&
           abut_is_finite_vec3(c->centre);
}

static abut_status finish(const facet_side *a, const facet_side *b, abut_vec3 origin, double reach, abut_facet_contact *contact) {
    abut_facet_contact found = facet_meet(a, b, origin, reach);
    if (!is_finite(&found)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    *contact = found;
    return ABUT_OK;
}

abut_status abut_facet_collide(const abut_facet *a, const abut_facet *b, abut_facet_contact *contact) {
    return abut_facet_collide_within(a, b, 0.0, contact);
}

abut_status abut_facet_collide_within(const abut_facet *a, const abut_facet *b, double reach, abut_facet_contact *contact) {
    if (a == NULL || b == NULL || contact == NULL || !(reach >= 0.0)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (isinf(reach)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    facet_side side_a, side_b;
    abut_status status = facet_make_side(a, a->corner[0], &side_a);
    status = status != ABUT_OK ? status : facet_make_side(b, a->corner[0], &side_b);
    return status != ABUT_OK ? status : finish(&side_a, &side_b, a->corner[0], reach, contact);
}

abut_status abut_facet_collide_sphere(const abut_facet *a, abut_vec3 centre, double radius, abut_facet_contact *contact) {
    return abut_facet_collide_sphere_within(a, centre, radius, 0.0, contact);
}

abut_status abut_facet_collide_sphere_within(const abut_facet *a, abut_vec3 centre, double radius, double reach, abut_facet_contact *contact) {
    if (a == NULL || contact == NULL || !(radius > 0.0) || !(reach >= 0.0)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (!abut_is_finite_vec3(centre) || !(radius < INFINITY) || isinf(reach)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    facet_side side_a, side_b = {.centre = abut_sub(centre, a->corner[0]), .radius = radius};
    abut_status status = facet_make_side(a, a->corner[0], &side_a);
    return status != ABUT_OK ? status : finish(&side_a, &side_b, a->corner[0], reach, contact);
}

abut_status abut_facet_collide_plane(const abut_facet *a, abut_vec3 normal, double offset, abut_facet_contact *contact) {
    return abut_facet_collide_plane_within(a, normal, offset, 0.0, contact);
}

abut_status abut_facet_collide_plane_within(const abut_facet *a, abut_vec3 normal, double offset, double reach, abut_facet_contact *contact) {
    if (a == NULL || contact == NULL || !(reach >= 0.0)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_vec3 unit = abut_unit(normal);
    if (!abut_is_finite_vec3(normal) || !isfinite(offset) || isinf(reach)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (!(abut_length_squared(unit) > 0.0)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    /* The point of the plane that is nearest to the first corner of A. */
    double height = abut_dot(unit, a->corner[0]) - offset / abut_dot(unit, normal);
    facet_side side_a, side_b = {.radius = INFINITY, .normal = unit, .foot = abut_scale(-height, unit)};
    abut_status status = facet_make_side(a, a->corner[0], &side_a);
    return status != ABUT_OK ? status : finish(&side_a, &side_b, a->corner[0], reach, contact);
}

typedef struct batch {
    const abut_facet *a, *b;
    abut_facet_contact *contacts;
} batch;

static void run(void *argument, int32_t begin, int32_t end) {
    const batch *job = argument;
    for (int32_t i = begin; i < end; ++i) {
        abut_status status = abut_facet_collide(&job->a[i], &job->b[i], &job->contacts[i]);
        if (status != ABUT_OK) {
            job->contacts[i] = (abut_facet_contact){.status = status};
        }
    }
}

abut_status abut_facet_collide_batch(const abut_facet *a, const abut_facet *b, int32_t count, const abut_parallel *parallel,
                                     abut_facet_contact *contacts) {
    enum { GRAIN = 128 };
    if (count < 0 || (count > 0 && (a == NULL || b == NULL || contacts == NULL))) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    batch job = {a, b, contacts};
    abut_parallel_for(parallel, count, GRAIN, run, &job);
    return ABUT_OK;
}
