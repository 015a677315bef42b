/* The pair style: contacts of all near pairs of atoms. */
#include "pair_facetmesh.h"

#include <algorithm>
#include <cmath>

#include "atom.h"
#include "comm.h"
#include "domain.h"
#include "error.h"
#include "force.h"
#include "memory.h"
#include "modify.h"
#include "neigh_list.h"
#include "neighbor.h"
#include "update.h"

#include "fix_memory.h"

namespace abut_lammps {
namespace {

/* What `compute pair` gives: energy of the springs, power and work of damping, work of friction, number of places. Summed over ranks. */
enum { SPRINGS, DAMPING_POWER, DAMPING_WORK, FRICTION_WORK, PLACES, EXTRA };

abut_quat rotation_of(const double *q) { return abut_quat_unit(abut_quat_make(q[1], q[2], q[3], q[0])); }

} // namespace

PairFacetmesh::PairFacetmesh(LAMMPS_NS::LAMMPS *lammps) : Pair(lammps) {
    single_enable = 0;
    restartinfo = 0;
    no_virial_fdotr_compute = 1;
    nextra = EXTRA;
    pvector = new double[EXTRA]();
}

PairFacetmesh::~PairFacetmesh() {
    delete[] pvector;
    if (copymode) {
        return;
    }
    if (remembered_ != nullptr && modify->get_fix_by_id(FixMemory::ID) != nullptr) {
        modify->delete_fix(FixMemory::ID);
    }
    if (allocated) {
        memory->destroy(setflag);
        memory->destroy(cutsq);
    }
}

PairFacetmesh *PairFacetmesh::of(LAMMPS_NS::LAMMPS *lammps) { return dynamic_cast<PairFacetmesh *>(lammps->force->pair); }

void PairFacetmesh::refuse(const std::string &what) { error->all(FLERR, "pair_style abut/facetmesh: {}", what); }

/* ---- commands ---- */

void PairFacetmesh::allocate() {
    const int n = atom->ntypes + 1;
    memory->create(setflag, n, n, "pair:setflag");
    memory->create(cutsq, n, n, "pair:cutsq");
    for (int i = 0; i < n; ++i) {
        std::fill(setflag[i], setflag[i] + n, 0);
        setflag[i][i] = 1; /* init_style() says which type has no shape, and what to do */
        std::fill(cutsq[i], cutsq[i] + n, 0.0);
    }
    types_.resize(n);
    surfaces_.resize(n * n);
    laws_.resize(n * n);
    allocated = 1;
}

void PairFacetmesh::settings(int count, char **word) {
    Words words(word, count);
    try {
        while (!words.empty()) {
            std::string key = words.text("a keyword");
            std::string value = key == "mode" ? words.text("the mode") : "";
            if (key != "mode" || (value != "area" && value != "point")) {
                throw Mistake("the only settings are 'mode area' and 'mode point', and '" + key + (value.empty() ? "" : " " + value) +
                              "' is given");
            }
            mode_ = value == "area" ? ABUT_PRESSURE_AREA : ABUT_PRESSURE_POINT;
        }
    } catch (const Mistake &mistake) {
        refuse(mistake.what());
    }
    if (remembered_ == nullptr) {
        remembered_ = dynamic_cast<FixMemory *>(modify->add_fix(std::string(FixMemory::ID) + " all abut/memory"));
    }
}

void PairFacetmesh::coeff_of_type(int t, Words &words) {
    Type made;
    made.shape = read_shape(words);
    while (!words.empty()) {
        if (!read_material(words, made.material, true)) {
            throw Mistake("'" + words.peek() +
                          "' is no keyword here; after the shape come density, young, poisson, friction and restitution");
        }
    }
    if (!(made.material.density > 0.0)) {
        throw Mistake("'density D' is missing");
    }
    made.mass = made.material.density * made.shape.volume;
    made.inertia = made.shape.unit;
    made.inertia.moments = abut_scale(made.material.density, made.inertia.moments);
    made.given = true;
    types_[t] = made;
}

void PairFacetmesh::coeff_of_pair(int i, int j, Words &words) {
    PairSurface &s = surfaces_[i * (atom->ntypes + 1) + j];
    if (words.empty()) {
        throw Mistake("'friction MU' or 'restitution E' is missing");
    }
    while (!words.empty()) {
        std::string key = words.text("a keyword");
        if (key == "friction") {
            s.friction = words.not_negative("friction");
            s.friction_given = true;
        } else if (key == "restitution") {
            s.restitution = words.between("restitution", 0.0, 1.0);
            s.restitution_given = true;
        } else {
            throw Mistake(
                "'" + key +
                "' is no keyword for two different types; friction and restitution are, and shapes belong to one type: pair_coeff " +
                std::to_string(i) + " " + std::to_string(i) + " ...");
        }
    }
}

void PairFacetmesh::coeff(int count, char **word) {
    if (!allocated) {
        allocate();
    }
    if (count < 3) {
        error->all(FLERR, "pair_coeff of abut/facetmesh needs two types and more: 'pair_coeff T T mesh FILE density D ...' or 'pair_coeff "
                          "I J friction MU'");
    }
    int ilo, ihi, jlo, jhi;
    LAMMPS_NS::utils::bounds_typelabel(FLERR, word[0], 1, atom->ntypes, ilo, ihi, lmp, LAMMPS_NS::Atom::ATOM);
    LAMMPS_NS::utils::bounds_typelabel(FLERR, word[1], 1, atom->ntypes, jlo, jhi, lmp, LAMMPS_NS::Atom::ATOM);
    /* "* *" and "1 1" give shapes to the types themselves, "1 2" a surface to their pair. */
    const bool shapes = ilo == jlo && ihi == jhi;
    try {
        for (int i = ilo; i <= ihi; ++i) {
            for (int j = shapes ? i : jlo; j <= (shapes ? i : jhi); ++j) {
                Words words(word + 2, count - 2);
                if (i == j) {
                    coeff_of_type(i, words);
                } else {
                    coeff_of_pair(std::min(i, j), std::max(i, j), words);
                }
            }
        }
    } catch (const Mistake &mistake) {
        error->all(FLERR, "pair_coeff {} {} of abut/facetmesh: {}", word[0], word[1], mistake.what());
    }
}

/* ---- before a run ---- */

void PairFacetmesh::check_set_up() {
    if (!atom->quat_flag || !atom->radius_flag || !atom->rmass_flag || !atom->omega_flag || !atom->torque_flag) {
        refuse("atoms need quaternions, angular velocities and torques: use 'atom_style bpm/sphere'");
    }
    if (atom->tag_enable == 0) {
        refuse("contacts are remembered by the atoms' IDs: use 'atom_modify id yes'");
    }
    if (force->newton_pair) {
        refuse("a pair on two ranks is computed on both: use 'newton off' before the simulation box is made");
    }
    if (!comm->ghost_velocity) {
        refuse("damping and friction need the velocities of ghost atoms: use 'comm_modify vel yes'");
    }
    if (domain->dimension != 3) {
        refuse("bodies are three-dimensional: use 'dimension 3'");
    }
    if (force->ftm2v != 1.0) {
        refuse("units must be consistent, and '" + std::string(update->unit_style) + "' are not: use 'units si', cgs, micro, nano or lj");
    }
}

void PairFacetmesh::init_style() {
    check_set_up();
    double most = 0.0;
    for (int t = 1; t <= atom->ntypes; ++t) {
        if (!types_[t].given) {
            refuse("type " + std::to_string(t) + " has no shape: give one with 'pair_coeff " + std::to_string(t) + " " + std::to_string(t) +
                   " mesh FILE density D ...'");
        }
        most = std::max(most, types_[t].shape.reach);
    }
    for (int d = 0; d < 3; ++d) {
        if (domain->periodicity[d] && domain->prd[d] < 4.0 * most) {
            refuse(std::string("the box is periodic and ") + written(domain->prd[d]) + " long along " + "xyz"[d] +
                   "; it must be at least four times " + written(most) +
                   ", the largest distance from a body's centre to its surface, or a body meets another one twice");
        }
    }
    weigh_atoms();
    neighbor->add_request(this);
}

double PairFacetmesh::init_one(int i, int j) {
    const int n = atom->ntypes + 1;
    const PairSurface &given = surfaces_[std::min(i, j) * n + std::max(i, j)];
    Surface surface = surface_of(types_[i].material, types_[j].material);
    surface.friction = given.friction_given ? given.friction : surface.friction;
    surface.restitution = given.restitution_given ? given.restitution : surface.restitution;
    try {
        laws_[i * n + j] = laws_[j * n + i] = law_of(types_[i].material, types_[j].material, surface, mode_);
    } catch (const Mistake &mistake) {
        refuse("types " + std::to_string(i) + " and " + std::to_string(j) + ": " + mistake.what());
    }
    return types_[i].shape.reach + types_[j].shape.reach;
}

void PairFacetmesh::weigh_atoms() const {
    for (int i = 0; i < atom->nlocal; ++i) {
        const Type &t = types_[atom->type[i]];
        atom->rmass[i] = t.mass;
        atom->radius[i] = t.shape.reach;
    }
}

/* ---- forces ---- */

Body PairFacetmesh::body_of(int i) const {
    const Type &t = types_[atom->type[i]];
    const double *x = atom->x[i];
    return {&t.shape, {x[0], x[1], x[2]}, rotation_of(atom->quat[i]), remembered_->motion(i), 1.0 / t.mass};
}

void PairFacetmesh::push(int i, const abut_vec3 &force, const abut_vec3 &torque) const {
    double *f = atom->f[i], *t = atom->torque[i];
    f[0] += force.x;
    f[1] += force.y;
    f[2] += force.z;
    t[0] += torque.x;
    t[1] += torque.y;
    t[2] += torque.z;
}

/* One pair. Shapes, then tags decide which body is the first one, and it stands at the origin: so both ranks of a pair compute the same bits. */
void PairFacetmesh::press(int i, int j) {
    const LAMMPS_NS::tagint *tag = atom->tag;
    const int nlocal = atom->nlocal;
    int a = tag[i] < tag[j] ? i : j, b = tag[i] < tag[j] ? j : i;
    if (!stands_first(types_[atom->type[a]].shape, types_[atom->type[b]].shape)) {
        std::swap(a, b);
    }
    Body body_a = body_of(a), body_b = body_of(b);
    body_b.centre = abut_sub(body_b.centre, body_a.centre);
    body_a.centre = abut_vec3_make(0.0, 0.0, 0.0);
    double reach = body_a.shape->reach + body_b.shape->reach;
    if (abut_length_squared(body_b.centre) >= reach * reach) {
        return;
    }
    const int own = a < nlocal ? a : b;
    remembered_->recall(own, tag[own == a ? b : a], before_);
    const Moment moment = update->setupflag ? Moment::AGAIN : Moment::STEP;
    const abut_pressure_law &law = laws_[atom->type[a] * (atom->ntypes + 1) + atom->type[b]];
    abut_pressure_result r = press_(law, body_a, body_b, update->dt, moment, before_, after_);
    const double share = a < nlocal && b < nlocal ? 1.0 : 0.5;
    pvector[SPRINGS] += share * r.spring_energy;
    pvector[DAMPING_POWER] += share * r.damping_power;
    pvector[PLACES] += share * r.regions;
    if (moment == Moment::STEP) {
        remembered_->damping_work += share * update->dt * r.damping_power;
        remembered_->friction_work += share * r.friction_work;
    }
    for (int end : {a, b}) {
        if (end >= nlocal) {
            continue;
        }
        const bool first = end == a;
        pushes_.push_back({end, tag[first ? b : a], first ? r.force : abut_neg(r.force), first ? r.moment_a : r.moment_b});
        for (Place &place : after_) {
            place.partner = tag[first ? b : a];
            remembered_->add_next(end, place);
        }
    }
    if (evflag) {
        abut_vec3 way = abut_neg(body_b.centre);
        ev_tally_xyz(a, b, nlocal, 0, r.elastic_energy, 0.0, r.force.x, r.force.y, r.force.z, way.x, way.y, way.z);
    }
}

void PairFacetmesh::add_pushes() {
    std::sort(pushes_.begin(), pushes_.end(),
              [](const Push &p, const Push &q) { return p.atom != q.atom ? p.atom < q.atom : p.partner < q.partner; });
    for (const Push &p : pushes_) {
        push(p.atom, p.force, p.torque);
    }
    pushes_.clear();
}

void PairFacetmesh::compute(int eflag, int vflag) {
    ev_init(eflag, vflag);
    pushes_.clear(); /* a step that was refused leaves its own */
    std::fill(pvector, pvector + EXTRA, 0.0);
    if (update->setupflag) {
        remembered_->bring_back_motions();
    } else {
        remembered_->note_motions();
    }
    remembered_->begin_next();
    try {
        for (int k = 0; k < list->inum; ++k) {
            const int i = list->ilist[k];
            for (int m = 0; m < list->numneigh[i]; ++m) {
                press(i, list->firstneigh[i][m] & NEIGHMASK);
            }
        }
    } catch (const Mistake &mistake) {
        error->one(FLERR, "pair_style abut/facetmesh, step {}: {}", update->ntimestep, mistake.what());
    }
    add_pushes();
    if (!update->setupflag) {
        remembered_->take_next();
    }
    pvector[DAMPING_WORK] = remembered_->damping_work;
    pvector[FRICTION_WORK] = remembered_->friction_work;
}

double PairFacetmesh::memory_usage() {
    double bytes = Pair::memory_usage();
    for (const Type &t : types_) {
        bytes += static_cast<double>(t.shape.facets.size()) * (sizeof(t.shape.facets[0]) + 320.0);
    }
    return bytes;
}

} // namespace abut_lammps
