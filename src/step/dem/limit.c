/*
 * The longest step at which the dem stepper is stable in a dense bed, with damping.
 *
 * Forces use velocities of half a step before. So an oscillator with the squared frequency w and the damping c, both over its mass, is
 * stable for c h + w h^2 / 2 <= 2 (T. Belytschko, "An overview of semidiscretization and time integration procedures", 1983): more damping
 * requires a shorter step. The two stiffest modes of a bed are a ball that moves, or turns, against all its neighbours while these do the
 * opposite. With Z contacts in all directions, of stiffness k along and k' across the normal,
 *
 *      w = 2 Z / 3 (k + 2 k') / m   and   w = 2 Z 2/3 k' r^2 / (2/5 m r^2),
 *
 * and the same with the dampers for c. The stiffness is proportional to the radius of the contact disc, which is not known in advance. A
 * tenth of the ball's radius is assumed, which corresponds to an overlap of two hundredths of the radius and is more than there should be.
 * The springs against rolling have the stiffness k', too, but act with half of the radius of equal balls, on balls that turn against each
 * other: without friction they are softer than what is assumed here, and with it they add nothing to this mode. A body of triangles counts
 * as the ball with its mass and least moment of inertia.
 */
#include <math.h>

#include "base/real.h"
#include "step/dem/system.h"

/* The limit for a ball of this mass among equal balls. */
static double longest_step(const abut_pressure_law *law, double radius, double mass) {
    const double neighbours = DEM_LIMIT_NEIGHBOURS, disc = DEM_LIMIT_DISC * radius;
    bool slides = law->friction > 0.0, turns = slides || pressure_law_rolls(law);
    bool linear = pressure_is_linear(law);
    double along = linear ? law->stiffness : 2.0 * law->modulus * disc,
           shear = linear ? pressure_linear_shear(law) : 8.0 * law->shear_modulus * disc, across = slides ? shear : 0.0;
    double damper = 2.0 * (linear ? 1.0 : sqrt(5.0 / 6.0)) * law->damping * sqrt(0.5 * mass * along),
           slide_damper = pressure_damper(law, 0.5 * mass, across);
    double moving = 2.0 * neighbours / (3.0 * mass), turning = 2.0 * neighbours / (3.0 * mass) * 5.0, least = INFINITY;
    double square[2] = {moving * (along + 2.0 * across), turns ? turning * shear : 0.0};
    double damping[2] = {moving * (damper + 2.0 * slide_damper), turns ? turning * pressure_damper(law, 0.5 * mass, shear) : 0.0};
    for (int mode = 0; mode < 2; ++mode) {
        double c = damping[mode];
        least = real_min(4.0 / (c + sqrt(c * c + 4.0 * square[mode])), least);
    }
    return least;
}

static double longest_of(const dem_system *s, int32_t i) {
    const dem_body *b = &s->bodies[i];
    double least = INFINITY;
    for (int32_t kind = 0; kind < s->kind_count; ++kind) {
        least = real_min(longest_step(dem_law(s, s->tags[i].kind, kind), dem_inertial_radius(s, i), 1.0 / b->inverse_mass), least);
    }
    return least;
}

double dem_system_longest_step(const dem_system *s) {
    double least = real_min(s->cells.longest, dem_least_bound(s, longest_of));
    /* Contacts and bonds act at once: their squared frequencies add up. */
    double bonds = s->bonds.longest;
    return bonds < INFINITY ? 1.0 / sqrt(1.0 / (least * least) + 1.0 / (bonds * bonds)) : least;
}
