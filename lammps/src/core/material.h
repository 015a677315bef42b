#pragma once

#include <abut/pressure.h>

#include "core/words.h"

/* The material of a body, and the force law of two materials: as in the dem stepper of the library. */

namespace abut_lammps {

struct Material {
    double density = 0.0; /* 0: not given; walls have none [mass / length^3] */
    abut_material elastic{1e7, 0.3};
    double friction = 0.5;
    double restitution = 0.0;
};

/* What two materials have in common at a contact: by default the geometric mean of friction and the larger restitution. */
struct Surface {
    double friction, restitution;
};

Surface surface_of(const Material &a, const Material &b);

/* "young E", "poisson NU", "friction MU", "restitution E" or, if there is room for it, "density D". False: the next word is none of these. Throws Mistake. */
bool read_material(Words &words, Material &material, bool with_density);

/* The law without the layer of flat facets, which depends on the bodies. Throws Mistake. */
abut_pressure_law law_of(const Material &a, const Material &b, const Surface &surface, abut_pressure_mode mode);

} // namespace abut_lammps
