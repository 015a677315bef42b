/*
 * The capillary bridge between two spheres of a wetting liquid of constant volume: the force of C. D. Willett, M. J. Adams, S. A. Johnson, J. P. K. Seville,
 * "Capillary bridges between two spherical bodies", 2000, in its closed form for small volumes, with Derjaguin's radius 2 R for spheres of different sizes; the
 * rupture distance of G. Lian, C. Thornton, M. J. Adams, "A theoretical study of the liquid bridge forces between two rigid spherical bodies", 1993.
 *
 * With s = gap sqrt(2 R / V) the pull is F0 / (1 + 1.05 s + 2.5 s^2). Its integral is an arc tangent. So the energy is exact: 0 where the bridge breaks, and
 * falling with the slope F0 where surfaces overlap.
 */
#include <math.h>

#include "base/elementary.h"
#include "base/real.h"
#include "solve/pressure/pressure.h"

double pressure_rupture(const abut_pressure_law *law) {
    return pressure_law_is_wet(law) ? (1.0 + 0.5 * law->contact_angle) * elementary_cbrt(law->liquid_volume) : 0.0;
}

/* Integral of 1 / (1 + b s + c s^2) from one s to another. */
static double reach_between(double b, double c, double from, double to) {
    double square = 4.0 * c - b * b, root = sqrt(square);
    double turn = elementary_atan2(root * 2.0 * c * (to - from), square + (2.0 * c * from + b) * (2.0 * c * to + b));
    return 2.0 / root * turn;
}

bool pressure_bridge_of(const abut_pressure_law *law, double radius, double gap, pressure_bridge *bridge) {
    const double b = 1.05, c = 2.5;
    double last = pressure_rupture(law);
    if (!(gap <= last) || !(last > 0.0)) {
        return false;
    }
    double whole = 4.0 * REAL_PI * radius * law->surface_tension * elementary_cos(law->contact_angle);
    double unit = sqrt(0.5 * law->liquid_volume / radius), s = real_max(gap, 0.0) / unit;
    bridge->pull = whole / (1.0 + s * (b + c * s));
    bridge->formed = whole * unit * reach_between(b, c, 0.0, last / unit);
    bridge->energy = -whole * (unit * reach_between(b, c, s, last / unit) + real_max(-gap, 0.0));
    return true;
}
