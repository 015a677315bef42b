#pragma once

#include "fix.h"

#include "core/contact.h"
#include "core/material.h"

/*
 * A wall that the atoms of a group touch: a plane, or the closed surface of a mesh file, at rest or moving as the input script says. Forces do not move it.
 *
 * fix ID group abut/wall plane NX NY NZ OFFSET [keywords]          the half-space dot(n, x) <= OFFSET, n the unit normal, out of the wall
 * fix ID group abut/wall mesh FILE [scale S] [radius R|flat|estimated] [radii GROUP R|flat|estimated]... [keywords]
 * fix ID group abut/wall surface FILE [scale S] [sides 1|2] [keywords]     open or closed, of flat triangles
 *
 * young E, poisson NU, friction MU, restitution E    material, with the defaults of the pair style
 * position X Y Z             where the origin of the file stands when the fix is defined
 * velocity VX VY VZ          motion along a line
 * rotate X Y Z AX AY AZ W    rotation by W radians a time unit about the axis A through X, which moves with the velocity
 *
 * f_ID is the elastic energy of its contacts; f_ID[1] to f_ID[3] the force on the wall, f_ID[4] to f_ID[6] the torque about the origin, f_ID[7] the energy of
 * its springs of friction, f_ID[8] the number of places where it is touched, f_ID[9] and f_ID[10] the works of damping and
 * of friction since the fix was defined.
 */

namespace abut_lammps {

class PairFacetmesh;

class FixWall : public LAMMPS_NS::Fix {
  public:
    FixWall(LAMMPS_NS::LAMMPS *lammps, int count, char **words);
    ~FixWall() override;
    int setmask() override;
    void init() override;
    void reset_dt() override;
    void setup(int vflag) override { post_force(vflag); }
    void post_force(int vflag) override;
    double compute_scalar() override;
    double compute_vector(int k) override;
    void write_restart(FILE *file) override;
    void restart(char *in) override;

  private:
    enum { ENERGY, FORCE, TORQUE = FORCE + 3, SPRINGS = TORQUE + 3, PLACES, DAMPING_WORK, FRICTION_WORK, MEASURES };
    enum { RESTART_NUMBERS = 5 };

    void read(Words &words);
    double time_now() const; /* since the fix was defined */
    Body wall_now() const;
    void press(int atom, const Body &wall);
    void sum_up();

    Shape shape_;
    Material material_;
    abut_vec3 position_{0, 0, 0}, velocity_{0, 0, 0}, pivot_{0, 0, 0}, axis_{0, 0, 1};
    double rate_ = 0.0;        /* [rad / time] */
    double passed_ = 0.0;      /* [time] from the definition of the fix to the step at_ */
    LAMMPS_NS::bigint at_ = 0; /* step since which the time step is time_step_ */
    double time_step_ = 0.0;   /* [time] */
    int64_t name_ = 0;         /* the wall as a partner of atoms: negative */

    PairFacetmesh *pair_ = nullptr;
    std::vector<abut_pressure_law> laws_; /* by type */
    Press press_;
    std::vector<Place> before_, after_;
    double own_[MEASURES]{}, sum_[MEASURES]{}; /* of this rank, and of all */
    bool summed_ = false;
};

} // namespace abut_lammps
