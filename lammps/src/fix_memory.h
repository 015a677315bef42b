#pragma once

#include <vector>

#include "fix.h"

#include "core/contact.h"

/*
 * What the atoms carry from step to step, from rank to rank and in restart files: the places where they touch others, with the springs of friction, and the
 * velocities that the last forces were computed with. The pair style creates this fix; nobody else does.
 */

namespace abut_lammps {

class FixMemory : public LAMMPS_NS::Fix {
  public:
    static constexpr const char *ID = "abut_memory";

    FixMemory(LAMMPS_NS::LAMMPS *lammps, int count, char **words);
    ~FixMemory() override;
    int setmask() override;
    void init() override;
    /* Atoms that fixes have inserted get the masses of their shapes. */
    void pre_neighbor() override;
    void end_of_step() override;

    /* ---- places. Partners are the tags of atoms, and negative names of walls. */

    /* The places of an own atom with this partner. */
    void recall(int atom, int64_t partner, std::vector<Place> &places) const;
    /* Replaces them. */
    void replace(int atom, int64_t partner, const std::vector<Place> &places);
    /* Drops all places of a partner, of every own atom. */
    void forget(int64_t partner);
    /* Collects the places of a step, and replaces those with all other atoms by them. */
    void begin_next();
    void add_next(int atom, const Place &place) { next_[atom].push_back(place); }
    void take_next();

    /* ---- velocities. LAMMPS computes forces at the velocities of the step's middle. When a run begins, it computes them again; they are the same only with
     * these velocities. */

    /* The velocity of an own or a ghost atom for the forces of this moment. */
    abut_motion motion(int atom) const;
    /* The velocities of a set-up, also for ghosts. */
    void bring_back_motions();
    /* Remembers the present velocities as those of the forces. */
    void note_motions();

    /* Work at the contacts of atoms since the first step: what this rank has added. */
    double damping_work = 0.0, friction_work = 0.0;

    void grow_arrays(int most) override;
    void copy_arrays(int from, int to, int del) override;
    void set_arrays(int atom) override;
    void pre_exchange() override;
    void setup_pre_exchange() override { pre_exchange(); }
    int pack_exchange(int atom, double *out) override;
    int unpack_exchange(int atom, double *in) override;
    int pack_forward_comm(int count, int *list, double *out, int, int *) override;
    void unpack_forward_comm(int count, int first, double *in) override;
    void write_restart(FILE *file) override;
    void restart(char *in) override;
    int pack_restart(int atom, double *out) override;
    void unpack_restart(int atom, int which) override;
    int size_restart(int atom) override;
    int maxsize_restart() override { return longest_; }
    double memory_usage() override;

  private:
    /* Velocities of the last forces, and those at the end of that step. A difference to the present ones tells that somebody has changed them since. */
    struct Motions {
        bool known;
        abut_motion of_forces, at_end;
    };

    int packed_size(int atom) const;
    int pack(int atom, double *out) const;
    int unpack(int atom, const double *in);
    abut_motion present(int atom) const;

    std::vector<std::vector<Place>> places_, next_;
    std::vector<Motions> motions_;
    std::vector<abut_motion> set_up_; /* of own atoms and ghosts */
    int longest_ = 0;                 /* of the packed atoms of all ranks */
};

} // namespace abut_lammps
