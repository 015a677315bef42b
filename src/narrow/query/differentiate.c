/* Derivatives of a contact by the motions of its bodies: its rates are linear in the velocities, so each unit velocity gives one derivative. */
#include <abut/rates.h>

#include "base/argument.h"
#include "narrow/query/rates.h"

enum { COORDINATES = 12 };

/* The motions with velocity 1 along coordinate k, and 0 along the others. */
static void set_unit(abut_kinematics *a, abut_kinematics *b, int k) {
    double unit[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    unit[k % 6] = 1.0;
    abut_motion moving = {{unit[0], unit[1], unit[2]}, {unit[3], unit[4], unit[5]}}, rest = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    a->velocity = k < 6 ? moving : rest;
    b->velocity = k < 6 ? rest : moving;
}

abut_status abut_contact_differentiate(const abut_contact *contact, const abut_curvature *surface_a, const abut_curvature *surface_b,
                                       abut_vec3 centre_a, abut_vec3 centre_b, abut_contact_derivatives *derivatives) {
    if (argument_is_null(CALL_NAME, "derivatives", derivatives)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (argument_is_no_vector(CALL_NAME, "centre_a", centre_a) || argument_is_no_vector(CALL_NAME, "centre_b", centre_b)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    abut_kinematics a = {.centre = centre_a}, b = {.centre = centre_b};
    abut_contact_derivatives found = {.flags = 0};
    for (int k = 0; k < COORDINATES; k++) {
        abut_rates rates;
        set_unit(&a, &b, k);
        abut_status status = contact_rates_find(CALL_NAME, contact, surface_a, surface_b, &a, &b, &rates);
        if (status != ABUT_OK) {
            return status;
        }
        found.gap[k] = rates.gap_rate;
        found.normal[k] = rates.normal_rate;
        found.on_a[k] = rates.on_a_rate;
        found.on_b[k] = rates.on_b_rate;
        found.flags |= rates.flags;
    }
    *derivatives = found;
    return ABUT_OK;
}
