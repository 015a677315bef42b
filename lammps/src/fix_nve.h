#pragma once

#include "fix.h"

#include "core/inertia.h"

/*
 * Moves the atoms of a group as rigid bodies with the masses and inertia tensors of their shapes, by velocity-Verlet, as the library's dem stepper does.
 *
 * fix ID group abut/nve [damping LINEAR ANGULAR]     rates at which the surroundings slow bodies down [1 / time]
 *
 * f_ID is the kinetic energy of rotation. f_ID[1] is that of translation, f_ID[2] that of rotation, f_ID[3] to f_ID[5] the momentum, f_ID[6] to f_ID[8] the
 * angular momentum about the origin.
 */

namespace abut_lammps {

class PairFacetmesh;

class FixNVE : public LAMMPS_NS::Fix {
  public:
    FixNVE(LAMMPS_NS::LAMMPS *lammps, int count, char **words);
    int setmask() override;
    void init() override;
    void initial_integrate(int) override;
    void final_integrate() override;
    double compute_scalar() override;
    double compute_vector(int k) override;

  private:
    void kick(int atom, double time) const;
    void drift(int atom, double time) const;
    void measure();

    PairFacetmesh *pair_ = nullptr;
    double linear_damping_ = 0.0, angular_damping_ = 0.0;
    double measured_[8]{};
    LAMMPS_NS::bigint measured_at_ = -1;
};

} // namespace abut_lammps
