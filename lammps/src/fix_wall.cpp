/* Walls. */
#include "fix_wall.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <mpi.h>

#include "atom.h"
#include "comm.h"
#include "error.h"
#include "modify.h"
#include "update.h"

#include "fix_memory.h"
#include "pair_facetmesh.h"

namespace abut_lammps {
namespace {

/* A name for the memory of contacts: the same in every run with the same fix ID (Fowler, Noll, Vo). */
int64_t name_of(const char *id) {
    uint32_t hash = 2166136261u;
    for (; *id != '\0'; ++id) {
        hash = (hash ^ static_cast<unsigned char>(*id)) * 16777619u;
    }
    return -1 - static_cast<int64_t>(hash);
}

abut_vec3 read_vector(Words &words, const std::string &what) {
    double x = words.number("the x component of " + what), y = words.number("the y component of " + what),
           z = words.number("the z component of " + what);
    return abut_vec3_make(x, y, z);
}

double outside(double x, double lower, double upper) { return std::max(0.0, std::max(lower - x, x - upper)); }

bool is_near(const abut_aabb &box, const abut_vec3 &p, double reach) {
    abut_vec3 way = abut_vec3_make(outside(p.x, box.lower.x, box.upper.x), outside(p.y, box.lower.y, box.upper.y),
                                   outside(p.z, box.lower.z, box.upper.z));
    return abut_length_squared(way) < reach * reach;
}

} // namespace

FixWall::FixWall(LAMMPS_NS::LAMMPS *lammps, int count, char **word) : Fix(lammps, count, word) {
    scalar_flag = vector_flag = 1;
    size_vector = MEASURES - 1;
    global_freq = 1;
    extscalar = extvector = 1;
    energy_global_flag = 1;
    restart_global = 1;
    time_depend = 1;
    at_ = update->ntimestep;
    time_step_ = update->dt;
    name_ = name_of(id);
    Words words(word + 3, count - 3);
    try {
        read(words);
    } catch (const Mistake &mistake) {
        error->all(FLERR, "fix {} abut/wall: {}", id, mistake.what());
    }
}

/* A wall of the same ID that is defined later is another wall. The memory is asked for by its ID: when LAMMPS ends, it may be gone, and the pair style, too. */
FixWall::~FixWall() {
    if (auto *memory = dynamic_cast<FixMemory *>(modify->get_fix_by_id(FixMemory::ID))) {
        memory->forget(name_);
    }
}

void FixWall::read(Words &words) {
    std::string kind = words.peek();
    if (kind == "plane") {
        words.text(kind);
        shape_ = read_plane(words);
        position_ = abut_scale(words.number("the offset of the plane"), shape_.normal);
    } else if (kind == "mesh") {
        shape_ = read_shape(words);
    } else if (kind == "surface") {
        words.text(kind);
        shape_ = read_surface(words);
    } else {
        throw Mistake("the wall must be 'plane NX NY NZ OFFSET', 'mesh FILE' or 'surface FILE', and begins with '" + kind + "'");
    }
    while (!words.empty()) {
        std::string key = words.peek();
        if (read_material(words, material_, false)) {
            continue;
        }
        words.text(key);
        if (key == "position" && shape_.kind != ABUT_SHAPE_PLANE) {
            position_ = read_vector(words, "position");
        } else if (key == "velocity") {
            velocity_ = read_vector(words, "velocity");
        } else if (key == "rotate") {
            pivot_ = read_vector(words, "the point after 'rotate'");
            abut_vec3 axis = read_vector(words, "the axis after 'rotate'");
            if (!(abut_length(axis) > 0.0)) {
                throw Mistake("the axis after 'rotate' must not be 0 0 0");
            }
            axis_ = abut_unit(axis);
            rate_ = words.number("the angular velocity after 'rotate'");
        } else {
            throw Mistake(
                "'" + key +
                "' is no keyword here; young, poisson, friction, restitution, position (of meshes and surfaces), velocity and rotate are");
        }
    }
}

int FixWall::setmask() { return LAMMPS_NS::FixConst::POST_FORCE; }

/* Folds the steps of the time step so far only when it changes: a run in two parts, or from a restart file, adds the same numbers as one run. */
void FixWall::reset_dt() {
    if (update->dt != time_step_) {
        passed_ = time_now();
        at_ = update->ntimestep;
        time_step_ = update->dt;
    }
}

void FixWall::init() {
    reset_dt(); /* LAMMPS calls it for the command timestep only after a first run */
    pair_ = PairFacetmesh::of(lmp);
    if (pair_ == nullptr) {
        error->all(
            FLERR,
            "fix {} abut/wall: bodies have the shapes of the pair style: use 'pair_style abut/facetmesh' (not within a hybrid style)", id);
    }
    for (const LAMMPS_NS::Fix *other : modify->get_fix_by_style("^abut/wall$")) {
        if (other != this && static_cast<const FixWall *>(other)->name_ == name_) {
            error->all(FLERR, "fix {} abut/wall: its ID and the ID {} give the same name to the memory of contacts; use another ID", id,
                       other->id);
        }
    }
    laws_.assign(atom->ntypes + 1, {});
    try {
        for (int t = 1; t <= atom->ntypes; ++t) {
            const Material &m = pair_->type(t).material;
            laws_[t] = law_of(m, material_, surface_of(m, material_), pair_->mode());
        }
    } catch (const Mistake &mistake) {
        error->all(FLERR, "fix {} abut/wall: {}", id, mistake.what());
    }
}

double FixWall::time_now() const { return passed_ + static_cast<double>(update->ntimestep - at_) * time_step_; }

Body FixWall::wall_now() const {
    const double time = time_now();
    abut_quat turn = rate_ != 0.0 ? abut_quat_about(axis_, rate_ * time) : abut_quat_identity();
    abut_vec3 pivot = abut_add_scaled(pivot_, time, velocity_);
    abut_vec3 origin = abut_add(pivot, abut_quat_rotate(turn, abut_sub(position_, pivot_)));
    abut_vec3 centre = abut_add(origin, abut_quat_rotate(turn, shape_.centre)), spin = abut_scale(rate_, axis_);
    return {&shape_, centre, turn, {abut_add(velocity_, abut_cross(spin, abut_sub(centre, pivot))), spin}, 0.0};
}

void FixWall::press(int i, const Body &wall) {
    FixMemory *memory = pair_->remembered();
    Body body = pair_->body_of(i), from_body = wall;
    from_body.centre = abut_sub(wall.centre, body.centre);
    body.centre = abut_vec3_make(0.0, 0.0, 0.0);
    const bool first = stands_first(*body.shape, shape_);
    memory->recall(i, name_, before_);
    const Moment moment = update->setupflag ? Moment::AGAIN : Moment::STEP;
    abut_pressure_result r =
        press_(laws_[atom->type[i]], first ? body : from_body, first ? from_body : body, update->dt, moment, before_, after_);
    const abut_vec3 pushed = first ? r.force : abut_neg(r.force);
    pair_->push(i, pushed, first ? r.moment_a : r.moment_b);
    own_[ENERGY] += r.elastic_energy;
    own_[SPRINGS] += r.spring_energy;
    own_[PLACES] += r.regions;
    const abut_vec3 force = abut_neg(pushed), torque = abut_add(first ? r.moment_b : r.moment_a, abut_cross(wall.centre, force));
    const double sums[6] = {force.x, force.y, force.z, torque.x, torque.y, torque.z};
    for (int k = 0; k < 6; ++k) {
        own_[FORCE + k] += sums[k];
    }
    if (moment == Moment::STEP) {
        own_[DAMPING_WORK] += update->dt * r.damping_power;
        own_[FRICTION_WORK] += r.friction_work;
        for (Place &place : after_) {
            place.partner = name_;
        }
        memory->replace(i, name_, after_);
    }
}

void FixWall::post_force(int) {
    std::fill(own_, own_ + DAMPING_WORK, 0.0);
    summed_ = false;
    const Body wall = wall_now();
    const bool plane = shape_.kind == ABUT_SHAPE_PLANE;
    const abut_vec3 normal = abut_quat_rotate(wall.rotation, shape_.normal);
    const abut_aabb box = plane ? abut_aabb{} : abut_shape_bounds(shape_.handle.get(), pose_of(wall));
    std::vector<Place> none;
    try {
        for (int i = 0; i < atom->nlocal; ++i) {
            const double *x = atom->x[i], reach = pair_->type(atom->type[i]).shape.reach;
            abut_vec3 centre = abut_vec3_make(x[0], x[1], x[2]);
            const bool belongs = atom->mask[i] & groupbit;
            if (belongs && (plane ? abut_dot(abut_sub(centre, wall.centre), normal) < reach : is_near(box, centre, reach))) {
                press(i, wall);
            } else if (!update->setupflag) {
                pair_->remembered()->replace(i, name_, none);
            }
        }
    } catch (const Mistake &mistake) {
        error->one(FLERR, "fix {} abut/wall, step {}: {}", id, update->ntimestep, mistake.what());
    }
}

/* ---- output and restart ---- */

void FixWall::sum_up() {
    if (!summed_) {
        MPI_Allreduce(own_, sum_, MEASURES, MPI_DOUBLE, MPI_SUM, world);
        summed_ = true;
    }
}

double FixWall::compute_scalar() {
    sum_up();
    return sum_[ENERGY];
}

double FixWall::compute_vector(int k) {
    sum_up();
    return sum_[k + 1];
}

void FixWall::write_restart(FILE *file) {
    sum_up();
    if (comm->me == 0) {
        const double list[RESTART_NUMBERS] = {passed_, static_cast<double>(at_), time_step_, sum_[DAMPING_WORK], sum_[FRICTION_WORK]};
        int size = sizeof list;
        fwrite(&size, sizeof size, 1, file);
        fwrite(list, sizeof list, 1, file);
    }
}

void FixWall::restart(char *in) {
    double list[RESTART_NUMBERS];
    std::memcpy(list, in, sizeof list);
    passed_ = list[0];
    at_ = static_cast<LAMMPS_NS::bigint>(list[1]);
    time_step_ = list[2];
    own_[DAMPING_WORK] = comm->me == 0 ? list[3] : 0.0;
    own_[FRICTION_WORK] = comm->me == 0 ? list[4] : 0.0;
}

} // namespace abut_lammps
