#pragma once

#include <abut/rates.h>

/* abut_contact_rates() in the name of `call`; NULL: the log is not told why it refuses. */
abut_status contact_rates_find(const char *call, const abut_contact *contact, const abut_curvature *surface_a,
                               const abut_curvature *surface_b, const abut_kinematics *motion_a, const abut_kinematics *motion_b,
                               abut_rates *rates);
