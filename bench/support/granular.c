#include "support/granular.h"

#include <math.h>

const double bed_young = 1e7, bed_poisson = 0.3, bed_density = 2500.0, bed_gravity = 9.81, bed_radius = 5e-3, bed_spread = 0.05,
             bed_skin = 0.3;

static const double pi = 3.14159265358979323846;

/* Steps of the integration in one step of the world. */
enum { TOGETHER = 100 };

double granular_mass(void) { return bed_density * 4.0 / 3.0 * pi * pow(bed_radius, 3.0); }

double granular_in_weights(double energy, int32_t count) { return energy / (count * granular_mass() * bed_gravity * bed_radius); }

double granular_time_step(double radius) {
    double shear = bed_young / (2.0 * (1.0 + bed_poisson));
    return 0.1 * pi * radius * sqrt(bed_density / shear) / (0.1631 * bed_poisson + 0.8766);
}

static bool add_wall(abut_world *world, abut_vec3 normal, double offset, abut_body_def def) {
    abut_shape *shape = NULL;
    def.kind = ABUT_BODY_STATIC;
    bool fine = abut_shape_create_plane(normal, offset, &shape) == ABUT_OK;
    def.shape = shape;
    fine = fine && abut_world_add_body(world, &def, NULL) == ABUT_OK;
    abut_shape_release(shape);
    return fine;
}

bool granular_add_walls(abut_world *world, double side, abut_body_def def) {
    return add_wall(world, abut_vec3_make(0, 0, 1), 0.0, def) && add_wall(world, abut_vec3_make(1, 0, 0), 0.0, def) &&
           add_wall(world, abut_vec3_make(-1, 0, 0), -side, def) && add_wall(world, abut_vec3_make(0, 1, 0), 0.0, def) &&
           add_wall(world, abut_vec3_make(0, -1, 0), -side, def);
}

abut_status granular_run(abut_world *world, double step, int32_t steps, granular_progress *made) {
    for (int32_t done = 0; done < steps; done += TOGETHER) {
        int32_t now = steps - done < TOGETHER ? steps - done : TOGETHER;
        abut_status status = abut_world_step(world, now * step, &made->last);
        if (status != ABUT_OK) {
            return status;
        }
        if (made->last.dem.steps != now) {
            return ABUT_ERROR_INTERNAL;
        }
        made->lists += made->last.dem.lists;
    }
    return ABUT_OK;
}
