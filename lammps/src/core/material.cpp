/* Materials, and the laws of pairs of them. */
#include "core/material.h"

#include <algorithm>
#include <cmath>

namespace abut_lammps {

Surface surface_of(const Material &a, const Material &b) {
    return {std::sqrt(a.friction * b.friction), std::max(a.restitution, b.restitution)};
}

bool read_material(Words &words, Material &material, bool with_density) {
    const std::string word = words.peek();
    if (word == "density" && with_density) {
        words.text(word);
        material.density = words.positive("density");
    } else if (word == "young") {
        words.text(word);
        material.elastic.young = words.positive("young (Young's modulus)");
    } else if (word == "poisson") {
        words.text(word);
        material.elastic.poisson = words.between("poisson (Poisson's ratio)", -0.999, 0.5);
    } else if (word == "friction") {
        words.text(word);
        material.friction = words.not_negative("friction");
    } else if (word == "restitution") {
        words.text(word);
        material.restitution = words.between("restitution", 0.0, 1.0);
    } else {
        return false;
    }
    return true;
}

abut_pressure_law law_of(const Material &a, const Material &b, const Surface &surface, abut_pressure_mode mode) {
    abut_pressure_law law;
    abut_status status = abut_pressure_law_make(&a.elastic, &b.elastic, &law);
    if (status != ABUT_OK) {
        throw Mistake("the force law of Young's moduli " + written(a.elastic.young) + " and " + written(b.elastic.young) + ": " +
                      abut_status_message(status));
    }
    /* A restitution of 0 would need infinite damping: the least is that of the library's stepper. */
    const double least_restitution = 0.01;
    law.mode = mode;
    law.friction = surface.friction;
    status = abut_pressure_damping(std::max(surface.restitution, least_restitution), law.damping_pulls, &law.damping);
    if (status != ABUT_OK) {
        throw Mistake("restitution " + written(surface.restitution) + ": " + abut_status_message(status));
    }
    return law;
}

} // namespace abut_lammps
