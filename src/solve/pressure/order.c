/*
 * Sorts the contacts of two bodies by their names. Forces are summed in this order, so sums do not depend on the order in which contacts
 * were found.
 */
#include <math.h>
#include <stdlib.h>

#include "base/argument.h"
#include "solve/pressure/pressure.h"

int pressure_compare_surfaces(int32_t a, int32_t b, int32_t other_a, int32_t other_b) {
    return a != other_a ? (a < other_a ? -1 : 1) : b != other_b ? (b < other_b ? -1 : 1) : 0;
}

static int compare(const void *left, const void *right) {
    const abut_pressure_id *p = &((const pressure_named *)left)->id, *q = &((const pressure_named *)right)->id;
    int order = pressure_compare_surfaces(p->surface_a, p->surface_b, q->surface_a, q->surface_b);
    return order != 0 ? order : pressure_compare_surfaces(p->facet_a, p->facet_b, q->facet_a, q->facet_b);
}

static bool has_good_saddle(const abut_facet_contact *c) { return !(c->radius < INFINITY) || abut_length(c->saddle) * c->radius < 1.0; }

static abut_status check_contact(const abut_facet_contact *c) {
    bool finite = abut_vec3_is_finite(c->normal) && abut_vec3_is_finite(c->centre) && abut_vec3_is_finite(c->point) && !isnan(c->radius) &&
                  abut_vec3_is_finite(c->tilt) && isfinite(-c->sphere_gap) && isfinite(-c->gap) && isfinite(c->offset) &&
                  abut_vec3_is_finite(c->saddle) && abut_vec3_is_finite(c->summit) && isfinite(c->summit_gap);
    if (c->corner_count < 0 || c->corner_count > 6) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    for (int32_t i = 0; i < c->corner_count; ++i) {
        finite = finite && abut_vec3_is_finite(c->corner[i]);
    }
    if (!finite) {
        return ABUT_ERROR_NOT_FINITE;
    }
    bool good = c->radius > 0.0 && c->offset >= 0.0 && fabs(abut_length_squared(c->normal) - 1.0) <= 1e-6 && has_good_saddle(c);
    return good ? ABUT_OK : ABUT_ERROR_INVALID_ARGUMENT;
}

/* Words for what check_contact() found. */
static abut_status refuse_contact(abut_status status, const char *call, const abut_facet_contact *c, int32_t index) {
    const char *why = status == ABUT_ERROR_NOT_FINITE              ? "has a number that is not finite"
                      : c->corner_count < 0 || c->corner_count > 6 ? "has a corner_count that is not between 0 and 6"
                      : !(c->radius > 0.0)                         ? "has a radius that is not above 0"
                      : !(c->offset >= 0.0)                        ? "has an offset below 0"
                      : !has_good_saddle(c)                        ? "has a saddle of 1 / radius or more"
                                                                   : "has a normal that is no unit vector";
    return refuse(status, call, "contacts[%d] %s", (int)index, why);
}

abut_status pressure_sort(const char *call, const abut_facet_contact *contacts, const abut_pressure_id *ids, int32_t count,
                          pressure_named *out, int32_t *number) {
    int32_t n = 0;
    for (int32_t i = 0; i < count; ++i) {
        if (contacts[i].status != ABUT_OK || contacts[i].relation != ABUT_FACET_CONTACT) {
            continue;
        }
        abut_status status = check_contact(&contacts[i]);
        if (status != ABUT_OK) {
            return refuse_contact(status, call, &contacts[i], i);
        }
        out[n++] = (pressure_named){ids != NULL ? ids[i] : (abut_pressure_id){i, i, i, i}, &contacts[i]};
    }
    if (n > 1) {
        qsort(out, (size_t)n, sizeof *out, compare);
    }
    for (int32_t i = 1; i < n; ++i) {
        if (compare(&out[i - 1], &out[i]) == 0) {
            return refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "ids: two contacts have the surfaces %d and %d and the facets %d and %d",
                          (int)out[i].id.surface_a, (int)out[i].id.surface_b, (int)out[i].id.facet_a, (int)out[i].id.facet_b);
        }
    }
    *number = n;
    return ABUT_OK;
}
