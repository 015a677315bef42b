#pragma once

#include <vector>

#include "pair.h"

#include "core/contact.h"
#include "core/material.h"

/*
 * Pair style abut/facetmesh: one shape and one material for each type of atoms, the forces of the library's dem stepper. An atom's position is its body's
 * centre of mass, and its quaternion turns the frame of the shape's file to the world.
 *
 * A pair of atoms on two ranks is computed on both, from the same numbers in the same order, and forces on an atom are added in the order of the partners'
 * tags. So results do not depend on the number of ranks.
 */

namespace abut_lammps {

class FixMemory;

class PairFacetmesh : public LAMMPS_NS::Pair {
  public:
    explicit PairFacetmesh(LAMMPS_NS::LAMMPS *lammps);
    ~PairFacetmesh() override;

    void settings(int count, char **words) override;
    void coeff(int count, char **words) override;
    void init_style() override;
    double init_one(int i, int j) override;
    void compute(int eflag, int vflag) override;
    double memory_usage() override;

    /* ---- for the fixes of the plugin */

    struct Type {
        Shape shape;
        Material material;
        bool given = false;
        double mass = 0.0;
        Inertia inertia{};
    };

    /* NULL with another pair style. */
    static PairFacetmesh *of(LAMMPS_NS::LAMMPS *lammps);
    const Type &type(int type) const { return types_[type]; }
    abut_pressure_mode mode() const { return mode_; }
    FixMemory *remembered() const { return remembered_; }
    Body body_of(int atom) const;
    /* Adds a force at the atom's centre, and a torque. */
    void push(int atom, const abut_vec3 &force, const abut_vec3 &torque) const;
    /* Masses and radii of own atoms, as their shapes have them. */
    void weigh_atoms() const;

  private:
    /* A force on an own atom. */
    struct Push {
        int atom;
        LAMMPS_NS::tagint partner;
        abut_vec3 force, torque;
    };
    struct PairSurface {
        bool friction_given = false, restitution_given = false;
        double friction = 0.0, restitution = 0.0;
    };

    void allocate();
    void coeff_of_type(int type, Words &words);
    void coeff_of_pair(int i, int j, Words &words);
    void check_set_up();
    void press(int i, int j);
    void add_pushes();
    [[noreturn]] void refuse(const std::string &what);

    abut_pressure_mode mode_ = ABUT_PRESSURE_AREA;
    std::vector<Type> types_;
    std::vector<PairSurface> surfaces_;   /* [types + 1][types + 1] */
    std::vector<abut_pressure_law> laws_; /* the same */
    FixMemory *remembered_ = nullptr;
    Press press_;
    std::vector<Place> before_, after_;
    std::vector<Push> pushes_;
    int step_places_ = 0;
};

} // namespace abut_lammps
