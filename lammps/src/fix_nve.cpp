/* Rigid bodies. */
#include "fix_nve.h"

#include <algorithm>

#include <mpi.h>

#include "atom.h"
#include "domain.h"
#include "error.h"
#include "update.h"

#include "core/words.h"
#include "pair_facetmesh.h"

namespace abut_lammps {
namespace {

enum { TRANSLATION, ROTATION, MOMENTUM, ANGULAR_MOMENTUM = MOMENTUM + 3, MEASURES = ANGULAR_MOMENTUM + 3 };

abut_vec3 vector(const double *v) { return abut_vec3_make(v[0], v[1], v[2]); }

void store(const abut_vec3 &v, double *to) {
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

abut_quat rotation_of(const double *q) { return abut_quat_make(q[1], q[2], q[3], q[0]); }

} // namespace

FixNVE::FixNVE(LAMMPS_NS::LAMMPS *lammps, int count, char **word) : Fix(lammps, count, word) {
    time_integrate = 1;
    dynamic_group_allow = 1;
    scalar_flag = vector_flag = 1;
    size_vector = MEASURES;
    global_freq = 1;
    extscalar = extvector = 1;
    Words words(word + 3, count - 3);
    try {
        while (!words.empty()) {
            std::string key = words.text("a keyword");
            if (key != "damping") {
                throw Mistake("the only keyword is 'damping LINEAR ANGULAR', and '" + key + "' is given");
            }
            linear_damping_ = words.not_negative("the linear rate of damping");
            angular_damping_ = words.not_negative("the angular rate of damping");
        }
    } catch (const Mistake &mistake) {
        error->all(FLERR, "fix {} abut/nve: {}", id, mistake.what());
    }
}

int FixNVE::setmask() { return LAMMPS_NS::FixConst::INITIAL_INTEGRATE | LAMMPS_NS::FixConst::FINAL_INTEGRATE; }

void FixNVE::init() {
    pair_ = PairFacetmesh::of(lmp);
    if (pair_ == nullptr) {
        error->all(FLERR,
                   "fix {} abut/nve: masses and moments of inertia are those of the shapes: use 'pair_style abut/facetmesh' (not within a "
                   "hybrid style)",
                   id);
    }
    measured_at_ = -1;
}

/* ---- motion ---- */

void FixNVE::kick(int i, double time) const {
    const PairFacetmesh::Type &t = pair_->type(atom->type[i]);
    abut_vec3 velocity = vector(atom->v[i]), turning = vector(atom->omega[i]);
    abut_vec3 acceleration = abut_add_scaled(abut_scale(1.0 / t.mass, vector(atom->f[i])), -linear_damping_, velocity);
    abut_vec3 angular = angular_velocity_of(t.inertia, rotation_of(atom->quat[i]), vector(atom->torque[i]));
    store(abut_add_scaled(velocity, time, acceleration), atom->v[i]);
    store(abut_add_scaled(turning, time, abut_add_scaled(angular, -angular_damping_, turning)), atom->omega[i]);
}

void FixNVE::drift(int i, double time) const {
    store(abut_add_scaled(vector(atom->x[i]), time, vector(atom->v[i])), atom->x[i]);
    double *q = atom->quat[i];
    abut_quat rotation = rotation_of(q);
    abut_vec3 turning = vector(atom->omega[i]);
    turn_freely(pair_->type(atom->type[i]).inertia, time, rotation, turning);
    store(turning, atom->omega[i]);
    q[0] = rotation.w;
    q[1] = rotation.x;
    q[2] = rotation.y;
    q[3] = rotation.z;
}

void FixNVE::initial_integrate(int) {
    for (int i = 0; i < atom->nlocal; ++i) {
        if (atom->mask[i] & groupbit) {
            kick(i, 0.5 * update->dt);
            drift(i, update->dt);
        }
    }
}

void FixNVE::final_integrate() {
    for (int i = 0; i < atom->nlocal; ++i) {
        if (atom->mask[i] & groupbit) {
            kick(i, 0.5 * update->dt);
        }
    }
}

/* ---- measures ---- */

void FixNVE::measure() {
    if (measured_at_ == update->ntimestep) {
        return;
    }
    double own[MEASURES]{};
    for (int i = 0; i < atom->nlocal; ++i) {
        if (!(atom->mask[i] & groupbit)) {
            continue;
        }
        const PairFacetmesh::Type &t = pair_->type(atom->type[i]);
        double place[3];
        domain->unmap(atom->x[i], atom->image[i], place);
        abut_vec3 velocity = vector(atom->v[i]), turning = vector(atom->omega[i]), momentum = abut_scale(t.mass, velocity);
        abut_vec3 spin = angular_momentum(t.inertia, rotation_of(atom->quat[i]), turning);
        abut_vec3 whole = abut_add(spin, abut_cross(vector(place), momentum));
        own[TRANSLATION] += 0.5 * abut_dot(momentum, velocity);
        own[ROTATION] += 0.5 * abut_dot(spin, turning);
        const double sums[6] = {momentum.x, momentum.y, momentum.z, whole.x, whole.y, whole.z};
        for (int k = 0; k < 6; ++k) {
            own[MOMENTUM + k] += sums[k];
        }
    }
    MPI_Allreduce(own, measured_, MEASURES, MPI_DOUBLE, MPI_SUM, world);
    measured_at_ = update->ntimestep;
}

double FixNVE::compute_scalar() {
    measure();
    return measured_[ROTATION];
}

double FixNVE::compute_vector(int k) {
    measure();
    return measured_[k];
}

} // namespace abut_lammps
