#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <abut/world.h>

/*
 * What the benchmarks of granular matter have in common: the material of beds, their box, and how the dem stepper runs them. SI units.
 */

extern const double bed_young, bed_poisson, bed_density, bed_gravity;
extern const double bed_radius; /* of the middle ball [m] */
extern const double bed_spread; /* of radii about the middle one, to either side */
extern const double bed_skin;   /* over the radius of the smallest ball */

/* Mass of the middle ball [kg]. */
double granular_mass(void);
/* An energy for each of `count` bodies, over the middle ball's weight times its radius. */
double granular_in_weights(double energy, int32_t count);
/* A tenth of the time of a Rayleigh wave over a ball [s]. The dem stepper chooses the same for its smallest ball. */
double granular_time_step(double radius);

/* A floor at 0 and four walls: 0 to side along x and y. def: their material. */
bool granular_add_walls(abut_world *world, double side, abut_body_def def);

/* What granular_run() reports: the last step of the world, and how often near pairs were listed in all. */
typedef struct granular_progress {
    abut_step_report last;
    int64_t lists;
} granular_progress;

/* Steps of the integration, many in one step of the world. Adds its lists to those in `made`. ABUT_ERROR_INTERNAL when the world took
 * another number of steps. */
abut_status granular_run(abut_world *world, double step, int32_t steps, granular_progress *made);
