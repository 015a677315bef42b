/* The memory of contacts, per atom. */
#include "fix_memory.h"

#include <algorithm>
#include <cstring>

#include <mpi.h>

#include "atom.h"
#include "comm.h"
#include "error.h"
#include "update.h"

#include "pair_facetmesh.h"

namespace abut_lammps {
namespace {

enum { SPRING_NUMBERS = 7, PLACE_NUMBERS = 1 + SPRING_NUMBERS + 3 + 1 + SPRING_NUMBERS, MOTION_NUMBERS = 13, HEAD = 2 };

double *put(double *out, const abut_vec3 &v) {
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
    return out + 3;
}

const double *get(const double *in, abut_vec3 &v) {
    v = abut_vec3_make(in[0], in[1], in[2]);
    return in + 3;
}

double *put(double *out, const abut_motion &m) { return put(put(out, m.linear), m.angular); }
const double *get(const double *in, abut_motion &m) { return get(get(in, m.linear), m.angular); }

double *put(double *out, const abut_pressure_memory &m) {
    double *at = put(put(out, m.stretch), m.normal);
    *at = m.stiffness;
    return at + 1;
}

const double *get(const double *in, abut_pressure_memory &m) {
    const double *at = get(get(in, m.stretch), m.normal);
    m.stiffness = *at;
    return at + 1;
}

bool same(const abut_vec3 &a, const abut_vec3 &b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
bool same(const abut_motion &a, const abut_motion &b) { return same(a.linear, b.linear) && same(a.angular, b.angular); }

} // namespace

FixMemory::FixMemory(LAMMPS_NS::LAMMPS *lammps, int count, char **words) : Fix(lammps, count, words) {
    restart_global = 1;
    restart_peratom = 1;
    create_attribute = 1;
    maxexchange_dynamic = 1;
    comm_forward = 6;
    nevery = 1;
    grow_arrays(atom->nmax);
    atom->add_callback(LAMMPS_NS::Atom::GROW);
    atom->add_callback(LAMMPS_NS::Atom::RESTART);
}

FixMemory::~FixMemory() {
    atom->delete_callback(id, LAMMPS_NS::Atom::GROW);
    atom->delete_callback(id, LAMMPS_NS::Atom::RESTART);
}

int FixMemory::setmask() {
    return LAMMPS_NS::FixConst::PRE_EXCHANGE | LAMMPS_NS::FixConst::PRE_NEIGHBOR | LAMMPS_NS::FixConst::END_OF_STEP;
}

void FixMemory::init() {
    if (LAMMPS_NS::utils::strmatch(update->integrate_style, "^respa")) {
        error->all(FLERR,
                   "pair abut/facetmesh: run_style respa is not possible, because friction remembers one step; use run_style verlet");
    }
}

void FixMemory::pre_neighbor() {
    if (const PairFacetmesh *pair = PairFacetmesh::of(lmp)) {
        pair->weigh_atoms();
    }
}

/* ---- places ---- */

void FixMemory::recall(int i, int64_t partner, std::vector<Place> &out) const {
    out.clear();
    std::copy_if(places_[i].begin(), places_[i].end(), std::back_inserter(out), [&](const Place &p) { return p.partner == partner; });
}

void FixMemory::replace(int i, int64_t partner, const std::vector<Place> &places) {
    auto &own = places_[i];
    own.erase(std::remove_if(own.begin(), own.end(), [&](const Place &p) { return p.partner == partner; }), own.end());
    own.insert(own.end(), places.begin(), places.end());
}

void FixMemory::forget(int64_t partner) {
    for (int i = 0; i < atom->nlocal; ++i) {
        replace(i, partner, {});
    }
}

void FixMemory::begin_next() {
    for (int i = 0; i < atom->nlocal; ++i) {
        next_[i].clear();
    }
}

void FixMemory::take_next() {
    for (int i = 0; i < atom->nlocal; ++i) {
        std::copy_if(places_[i].begin(), places_[i].end(), std::back_inserter(next_[i]), [](const Place &p) { return p.partner < 0; });
        places_[i].swap(next_[i]);
    }
}

/* ---- velocities ---- */

abut_motion FixMemory::present(int i) const {
    const double *v = atom->v[i], *w = atom->omega[i];
    return {{v[0], v[1], v[2]}, {w[0], w[1], w[2]}};
}

abut_motion FixMemory::motion(int i) const { return update->setupflag ? set_up_[i] : present(i); }

void FixMemory::bring_back_motions() {
    set_up_.resize(atom->nmax);
    for (int i = 0; i < atom->nlocal; ++i) {
        const Motions &m = motions_[i];
        set_up_[i] = m.known && same(m.at_end, present(i)) ? m.of_forces : present(i);
    }
    comm->forward_comm(this);
}

void FixMemory::note_motions() {
    for (int i = 0; i < atom->nlocal; ++i) {
        motions_[i].of_forces = present(i);
    }
}

void FixMemory::end_of_step() {
    for (int i = 0; i < atom->nlocal; ++i) {
        motions_[i].known = true;
        motions_[i].at_end = present(i);
    }
}

int FixMemory::pack_forward_comm(int count, int *list, double *out, int, int *) {
    double *at = out;
    for (int k = 0; k < count; ++k) {
        at = put(at, set_up_[list[k]]);
    }
    return static_cast<int>(at - out);
}

void FixMemory::unpack_forward_comm(int count, int first, double *in) {
    const double *at = in;
    for (int i = first; i < first + count; ++i) {
        at = get(at, set_up_[i]);
    }
}

/* ---- arrays per atom ---- */

void FixMemory::grow_arrays(int most) {
    if (static_cast<int>(places_.size()) < most) {
        places_.resize(most);
        next_.resize(most);
        motions_.resize(most);
    }
}

void FixMemory::copy_arrays(int from, int to, int) {
    places_[to] = places_[from];
    motions_[to] = motions_[from];
}

void FixMemory::set_arrays(int i) {
    places_[i].clear();
    motions_[i] = Motions{};
}

int FixMemory::packed_size(int i) const { return HEAD + MOTION_NUMBERS + PLACE_NUMBERS * static_cast<int>(places_[i].size()); }

/* The first number is that of all numbers: LAMMPS finds the next fix's numbers in a restart file by it. */
int FixMemory::pack(int i, double *out) const {
    double *at = out;
    *at++ = packed_size(i);
    *at++ = static_cast<double>(places_[i].size());
    *at++ = motions_[i].known ? 1.0 : 0.0;
    at = put(put(at, motions_[i].of_forces), motions_[i].at_end);
    for (const Place &p : places_[i]) {
        *at++ = static_cast<double>(p.partner);
        at = put(put(at, p.memory), p.spot);
        *at++ = p.is_old ? 1.0 : 0.0;
        at = put(at, p.earlier);
    }
    return static_cast<int>(at - out);
}

int FixMemory::unpack(int i, const double *in) {
    const double *at = in + 1;
    places_[i].resize(static_cast<std::size_t>(*at++));
    motions_[i].known = *at++ != 0.0;
    at = get(get(at, motions_[i].of_forces), motions_[i].at_end);
    for (Place &p : places_[i]) {
        p = Place{};
        p.partner = static_cast<int64_t>(*at++);
        at = get(get(at, p.memory), p.spot);
        p.is_old = *at++ != 0.0;
        at = get(at, p.earlier);
    }
    return static_cast<int>(at - in);
}

void FixMemory::pre_exchange() {
    maxexchange = HEAD + MOTION_NUMBERS;
    for (int i = 0; i < atom->nlocal; ++i) {
        maxexchange = std::max(maxexchange, packed_size(i));
    }
}

int FixMemory::pack_exchange(int i, double *out) { return pack(i, out); }
int FixMemory::unpack_exchange(int i, double *in) { return unpack(i, in); }

/* ---- restart files ---- */

/* LAMMPS calls this function on all ranks before it asks for sizes. */
void FixMemory::write_restart(FILE *file) {
    int longest = HEAD + MOTION_NUMBERS;
    for (int i = 0; i < atom->nlocal; ++i) {
        longest = std::max(longest, packed_size(i));
    }
    MPI_Allreduce(&longest, &longest_, 1, MPI_INT, MPI_MAX, world);
    double work[2] = {damping_work, friction_work}, sum[2];
    MPI_Allreduce(work, sum, 2, MPI_DOUBLE, MPI_SUM, world);
    if (comm->me == 0) {
        int size = sizeof sum;
        fwrite(&size, sizeof size, 1, file);
        fwrite(sum, sizeof sum, 1, file);
    }
}

void FixMemory::restart(char *in) {
    double sum[2];
    std::memcpy(sum, in, sizeof sum);
    damping_work = comm->me == 0 ? sum[0] : 0.0;
    friction_work = comm->me == 0 ? sum[1] : 0.0;
}

int FixMemory::pack_restart(int i, double *out) { return pack(i, out); }
int FixMemory::size_restart(int i) { return packed_size(i); }

void FixMemory::unpack_restart(int i, int which) {
    const double *in = atom->extra[i];
    for (int k = 0; k < which; ++k) {
        in += static_cast<int>(*in);
    }
    unpack(i, in);
}

double FixMemory::memory_usage() {
    double bytes = static_cast<double>(motions_.size()) * sizeof(Motions);
    for (const auto &own : places_) {
        bytes += static_cast<double>(own.capacity()) * sizeof(Place);
    }
    return bytes;
}

} // namespace abut_lammps
