/*
 * Sorts the contacts of two bodies by their names. Forces are summed in this order, so sums do not depend on the order in which contacts
 * were found.
 */
#include <math.h>
#include <stdlib.h>

#include "solve/pressure/pressure.h"

int pressure_compare_surfaces(int32_t a, int32_t b, int32_t other_a, int32_t other_b) {
    return a != other_a ? (a < other_a ? -1 : 1) : b != other_b ? (b < other_b ? -1 : 1) : 0;
}

static int compare(const void *left, const void *right) {
    const abut_pressure_id *p = &((const pressure_named *)left)->id, *q = &((const pressure_named *)right)->id;
    int order = pressure_compare_surfaces(p->surface_a, p->surface_b, q->surface_a, q->surface_b);
    return order != 0 ? order : pressure_compare_surfaces(p->facet_a, p->facet_b, q->facet_a, q->facet_b);
}

static abut_status check_contact(const abut_facet_contact *c) {
    bool finite = abut_vec3_is_finite(c->normal) && abut_vec3_is_finite(c->centre) && abut_vec3_is_finite(c->point) && isfinite(c->radius) &&
                  isfinite(-c->sphere_gap) && isfinite(-c->gap) && isfinite(c->offset);
    if (c->corner_count < 0 || c->corner_count > 6) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    for (int32_t i = 0; i < c->corner_count; ++i) {
        finite = finite && abut_vec3_is_finite(c->corner[i]);
    }
    if (!finite) {
        return ABUT_ERROR_NOT_FINITE;
    }
    bool good = c->radius > 0.0 && c->offset >= 0.0 && fabs(abut_length_squared(c->normal) - 1.0) <= 1e-6;
    return good ? ABUT_OK : ABUT_ERROR_INVALID_ARGUMENT;
}

abut_status pressure_sort(const abut_facet_contact *contacts, const abut_pressure_id *ids, int32_t count, pressure_named *out, int32_t *number) {
    int32_t n = 0;
    for (int32_t i = 0; i < count; ++i) {
        if (contacts[i].status != ABUT_OK || contacts[i].relation != ABUT_FACET_CONTACT) {
            continue;
        }
        abut_status status = check_contact(&contacts[i]);
        if (status != ABUT_OK) {
            return status;
        }
        out[n++] = (pressure_named){ids != NULL ? ids[i] : (abut_pressure_id){i, i, i, i}, &contacts[i]};
    }
    if (n > 1) {
        qsort(out, (size_t)n, sizeof *out, compare);
    }
    for (int32_t i = 1; i < n; ++i) {
        if (compare(&out[i - 1], &out[i]) == 0) {
            return ABUT_ERROR_INVALID_ARGUMENT;
        }
    }
    *number = n;
    return ABUT_OK;
}
