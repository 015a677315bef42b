/* Worlds: bodies as arrays, joints, springs, events, queries, saved states, and many worlds in one call. */
#include <memory>

#include <nanobind/stl/optional.h>

#include "world.h"

namespace {

abut_substance_pair pair_of(const nb::dict &given) {
    abut_substance_pair pair = abut_substance_pair_default();
    Options options(given);
    options.read("a", pair.a)
        .read("b", pair.b)
        .read("friction", pair.friction)
        .read("restitution", pair.restitution)
        .read("rolling_friction", pair.rolling_friction)
        .read("spinning_friction", pair.spinning_friction)
        .read("rolling_resistance", pair.rolling_resistance)
        .read("twisting_resistance", pair.twisting_resistance)
        .done();
    return pair;
}

World *world_make(const nb::dict &given, int32_t threads, const abut_collide_settings *collide, const std::vector<nb::dict> &given_pairs) {
    abut_world_def def = abut_world_def_default();
    std::vector<abut_substance_pair> pairs;
    for (const nb::dict &pair : given_pairs) {
        pairs.push_back(pair_of(pair));
    }
    def.pairs = pairs.data();
    def.pair_count = static_cast<int32_t>(pairs.size());
    if (collide != nullptr) {
        def.collide = *collide;
    }
    def.parallel = threads_of(threads);
    Options options(given);
    options.read("gravity", def.gravity)
        .choose<abut_stepper>("stepper", def.stepper,
                              {{"fixed", ABUT_STEPPER_FIXED}, {"event", ABUT_STEPPER_EVENT}, {"dem", ABUT_STEPPER_DEM}})
        .read("exact", def.fixed.exact)
        .read("effort", def.fixed.effort)
        .read("substeps", def.fixed.substeps)
        .read("iterations", def.fixed.iterations)
        .read("contact_frequency", def.fixed.contact_frequency)
        .read("contact_damping", def.fixed.contact_damping)
        .read("max_push_speed", def.fixed.max_push_speed)
        .read("restitution_speed", def.fixed.restitution_speed)
        .read("margin", def.fixed.margin)
        .read("contacts_per_patch", def.fixed.contacts_per_patch)
        .read("sleeping", def.fixed.sleeping)
        .read("sleep_speed", def.fixed.sleep_speed)
        .read("sleep_time", def.fixed.sleep_time)
        .read("event_tolerance", def.event.tolerance)
        .read("event_touching", def.event.touching)
        .read("event_longest_step", def.event.longest_step)
        .read("event_limit", def.event.event_limit)
        .choose<abut_impulses>("impulses", def.event.impulses,
                               {{"simultaneous", ABUT_IMPULSES_SIMULTANEOUS}, {"sequential", ABUT_IMPULSES_SEQUENTIAL}})
        .read("event_friction", def.event.friction)
        .read("event_resting_speed", def.event.resting_speed)
        .read("event_restitution_speed", def.event.restitution_speed)
        .read("event_drift_rate", def.event.drift_rate)
        .read("dem_step", def.dem.step)
        .read("dem_step_share", def.dem.step_share)
        .read("dem_skin", def.dem.skin)
        .choose<abut_pressure_mode>("dem_mode", def.dem.mode, {{"area", ABUT_PRESSURE_AREA}, {"point", ABUT_PRESSURE_POINT}})
        .read("events", def.events)
        .read("hit_speed", def.hit_speed)
        .done();
    auto made = std::make_unique<World>();
    forget_message();
    check(abut_world_create(&def, &made->world));
    return made.release();
}

abut_surface surface_of(const nb::dict &given) {
    abut_surface surface = abut_surface_default();
    Options options(given);
    options.read("friction", surface.friction)
        .read("restitution", surface.restitution)
        .read("rolling_friction", surface.rolling_friction)
        .read("spinning_friction", surface.spinning_friction)
        .read("substance", surface.substance)
        .done();
    return surface;
}

/* The definition uses the surfaces as long as it is used. */
abut_body_def body_of(const nb::dict &given, std::vector<abut_surface> &surfaces) {
    std::vector<nb::dict> given_surfaces;
    abut_body_def def = abut_body_def_default();
    Options options(given);
    options
        .choose<abut_body_kind>("kind", def.kind,
                                {{"dynamic", ABUT_BODY_DYNAMIC}, {"static", ABUT_BODY_STATIC}, {"kinematic", ABUT_BODY_KINEMATIC}})
        .read("density", def.density)
        .read("mass", def.mass)
        .read("substance", def.substance)
        .read("friction", def.friction)
        .read("restitution", def.restitution)
        .read("young", def.material.young)
        .read("poisson", def.material.poisson)
        .read("adhesion_work", def.adhesion_work)
        .read("adhesion_strength", def.adhesion_strength)
        .read("contact_stiffness", def.contact_stiffness)
        .read("liquid_volume", def.liquid_volume)
        .read("surface_tension", def.surface_tension)
        .read("contact_angle", def.contact_angle)
        .read("rolling_friction", def.rolling_friction)
        .read("spinning_friction", def.spinning_friction)
        .read("rolling_resistance", def.rolling_resistance)
        .read("twisting_resistance", def.twisting_resistance)
        .read("surface_velocity", def.surface_velocity)
        .read("linear_damping", def.linear_damping)
        .read("angular_damping", def.angular_damping)
        .read("continuous", def.continuous)
        .read("sensor", def.sensor)
        .read("gravity_scale", def.gravity_scale)
        .read("category", def.filter.category)
        .read("mask", def.filter.mask)
        .read("group", def.filter.group)
        .read("user", def.user)
        .read("surfaces", given_surfaces)
        .done();
    for (const nb::dict &one : given_surfaces) {
        surfaces.push_back(surface_of(one));
    }
    def.surfaces = surfaces.empty() ? nullptr : surfaces.data();
    def.surface_count = count_of(surfaces.size());
    return def;
}

using IdArray = nb::ndarray<nb::numpy, uint64_t, nb::ndim<1>>;
IdArray ids_out(std::vector<uint64_t> &&numbers) {
    auto *kept = new std::vector<uint64_t>(std::move(numbers));
    nb::capsule owner(kept, [](void *memory) noexcept { delete static_cast<std::vector<uint64_t> *>(memory); });
    return IdArray(kept->data(), {kept->size()}, owner);
}

/* Adds one body for each pose. After an error those before it are removed again. */
IdArray add_bodies(World &world, nb::handle shape, const Poses &places, const Motions &velocities, const nb::dict &options) {
    std::vector<abut_surface> surfaces;
    abut_body_def def = body_of(options, surfaces);
    const Shapes *many = nb::isinstance<Shape>(shape) ? nullptr : &nb::cast<const Shapes &>(shape);
    const abut_shape *one = many == nullptr ? nb::cast<const Shape &>(shape).shape : nullptr;
    size_t count = many != nullptr && rows(places) == 1 ? many->shape.size() : rows(places);
    if ((many != nullptr && many->shape.size() != count && many->shape.size() != 1) ||
        (velocities.shape(0) != count && velocities.shape(0) != 1)) {
        throw nb::value_error("shapes, poses and velocities: their numbers differ");
    }
    std::vector<uint64_t> numbers;
    with(world, [&](abut_world *of) {
        for (size_t i = 0; i < count; i++) {
            abut_body_id id = {};
            def.shape = one != nullptr ? one : many->shape[many->shape.size() == 1 ? 0 : i];
            def.pose = poses(places)[rows(places) == 1 ? 0 : i];
            def.motion = motions(velocities)[velocities.shape(0) == 1 ? 0 : i];
            abut_status status = abut_world_add_body(of, &def, &id);
            if (status != ABUT_OK) {
                for (uint64_t number : numbers) {
                    (void)abut_world_remove_body(of, id_of<abut_body_id>(number));
                }
                return status;
            }
            numbers.push_back(number_of(id));
        }
        return ABUT_OK;
    });
    return ids_out(std::move(numbers));
}

IdArray body_ids(World &world) {
    std::vector<abut_body_id> ids;
    with(world, [&](abut_world *of) {
        int32_t count = 0;
        abut_status status = abut_world_body_ids(of, nullptr, 0, &count);
        ids.resize(static_cast<size_t>(count));
        return count == 0 ? status : abut_world_body_ids(of, ids.data(), count, &count);
    });
    std::vector<uint64_t> numbers;
    for (abut_body_id id : ids) {
        numbers.push_back(number_of(id));
    }
    return ids_out(std::move(numbers));
}

Bytes states(World &world) {
    std::vector<abut_body_state> all;
    with(world, [&](abut_world *of) {
        int32_t count = 0;
        abut_status status = abut_world_body_states(of, nullptr, 0, &count);
        all.resize(static_cast<size_t>(count));
        return count == 0 ? status : abut_world_body_states(of, all.data(), count, &count);
    });
    return records(std::move(all));
}

Bytes states_of(World &world, const Ids &ids) {
    std::vector<abut_body_state> all(ids.size());
    for_bodies(world, ids, [&](abut_world *of, abut_body_id id, size_t i) { return abut_world_body_state(of, id, &all[i]); });
    return records(std::move(all));
}

/* Steps until `count` steps are made or one fails; the report is that of the last step that was made. */
Bytes step(World &world, double dt, int32_t count) {
    abut_step_report report = {};
    with(world, [&](abut_world *of) {
        abut_status status = count > 0 ? ABUT_OK : abut_world_report(of, &report);
        for (int32_t i = 0; i < count && status == ABUT_OK; i++) {
            status = abut_world_step(of, dt, &report);
        }
        return status;
    });
    return record(report);
}

/* Steps many worlds, each on one thread at a time. */
nb::list step_many(const std::vector<World *> &worlds, double dt, int32_t count, int32_t threads) {
    struct Loop {
        const std::vector<World *> *worlds;
        double dt;
        int32_t count;
        std::vector<abut_step_report> reports;
        std::vector<abut_status> statuses;
        std::vector<std::string> messages;
    } loop = {&worlds, dt, count, {}, {}, {}};
    loop.reports.resize(worlds.size());
    loop.statuses.resize(worlds.size());
    loop.messages.resize(worlds.size());
    for (size_t i = 0; i < worlds.size(); i++) {
        for (size_t j = 0; j < i; j++) {
            if (worlds[i] == worlds[j]) {
                throw nb::value_error("a world is twice among those to step");
            }
        }
    }
    auto task = [](void *argument, int32_t begin, int32_t end) {
        auto *of = static_cast<Loop *>(argument);
        for (int32_t i = begin; i < end; i++) {
            auto at = static_cast<size_t>(i);
            World &world = *(*of->worlds)[at];
            std::lock_guard<std::mutex> held(world.lock);
            forget_message();
            abut_status status = of->count > 0 ? ABUT_OK : abut_world_report(world.world, &of->reports[at]);
            for (int32_t k = 0; k < of->count && status == ABUT_OK; k++) {
                status = abut_world_step(world.world, of->dt, &of->reports[at]);
            }
            of->statuses[at] = status;
            of->messages[at] = status == ABUT_OK ? "" : message_of(status);
        }
    };
    {
        nb::gil_scoped_release released;
        abut_parallel parallel = threads_of(threads);
        abut_parallel_for(&parallel, count_of(worlds.size()), 1, task, &loop);
    }
    forget_message();
    for (size_t i = 0; i < worlds.size(); i++) {
        if (loop.statuses[i] != ABUT_OK) {
            throw Failure(loop.statuses[i], "world " + std::to_string(i) + ": " + loop.messages[i]);
        }
    }
    nb::list reports;
    for (const abut_step_report &report : loop.reports) {
        reports.append(record(report));
    }
    return reports;
}

Bytes contacts(World &world) {
    std::vector<abut_world_contact> all;
    with(world, [&](abut_world *of) {
        const abut_world_contact *found = nullptr;
        int32_t count = 0;
        abut_status status = abut_world_contacts(of, &found, &count);
        all.assign(found, found + (status == ABUT_OK ? count : 0));
        return status;
    });
    return records(std::move(all));
}

Bytes events(World &world) {
    std::vector<abut_world_event> all;
    with(world, [&](abut_world *of) {
        const abut_world_event *found = nullptr;
        int32_t count = 0;
        abut_status status = abut_world_events(of, &found, &count);
        all.assign(found, found + (status == ABUT_OK ? count : 0));
        return status;
    });
    return records(std::move(all));
}

nb::bytes save(World &world) {
    std::vector<uint8_t> saved;
    with(world, [&](abut_world *of) {
        size_t size = 0;
        abut_status status = abut_world_save(of, nullptr, 0, &size);
        saved.resize(size);
        return status == ABUT_ERROR_CAPACITY ? abut_world_save(of, saved.data(), saved.size(), &size) : status;
    });
    return nb::bytes(saved.data(), saved.size());
}

void restore(World &world, const nb::bytes &saved) {
    with(world, [&](abut_world *of) { return abut_world_restore(of, saved.data(), saved.size()); });
}

uint64_t hash(World &world) {
    uint64_t number = 0;
    with(world, [&](abut_world *of) {
        number = abut_world_hash(of);
        return ABUT_OK;
    });
    return number;
}

/* ---- joints and springs */
const std::vector<std::pair<const char *, abut_joint_kind>> JOINTS = {
    {"weld", ABUT_JOINT_WELD},           {"spherical", ABUT_JOINT_SPHERICAL},
    {"revolute", ABUT_JOINT_REVOLUTE},   {"prismatic", ABUT_JOINT_PRISMATIC},
    {"universal", ABUT_JOINT_UNIVERSAL}, {"distance", ABUT_JOINT_DISTANCE},
    {"wheel", ABUT_JOINT_WHEEL},         {"gear", ABUT_JOINT_GEAR}};
const std::vector<std::pair<const char *, abut_motor_mode>> MOTORS = {
    {"off", ABUT_MOTOR_OFF}, {"speed", ABUT_MOTOR_SPEED}, {"position", ABUT_MOTOR_POSITION}};

uint64_t add_joint(World &world, uint64_t a, uint64_t b, const Poses &frame_a, const Poses &frame_b, const nb::dict &given) {
    Options options(given);
    abut_joint_kind kind = ABUT_JOINT_WELD;
    options.choose<abut_joint_kind>("kind", kind, JOINTS);
    abut_joint_def def = abut_joint_def_default(kind);
    def.a = id_of<abut_body_id>(a);
    def.b = id_of<abut_body_id>(b);
    def.frame_a = poses(frame_a)[0];
    def.frame_b = poses(frame_b)[0];
    options.read("collide", def.collide)
        .read("lower", def.lower)
        .read("upper", def.upper)
        .choose<abut_motor_mode>("motor", def.motor.mode, MOTORS)
        .read("target", def.motor.target)
        .read("speed", def.motor.speed)
        .read("max_force", def.motor.max_force)
        .read("stiffness", def.stiffness)
        .read("damping", def.damping)
        .read("rest", def.rest)
        .read("ratio", def.ratio)
        .read("break_force", def.break_force)
        .read("break_torque", def.break_torque)
        .done();
    def.limited = given.contains("lower") || given.contains("upper");
    abut_joint_id id = {};
    with(world, [&](abut_world *of) { return abut_world_add_joint(of, &def, &id); });
    return number_of(id);
}

void set_motor(World &world, uint64_t joint, const nb::dict &given) {
    abut_joint_motor motor = abut_joint_def_default(ABUT_JOINT_REVOLUTE).motor;
    Options options(given);
    options.choose<abut_motor_mode>("motor", motor.mode, MOTORS)
        .read("target", motor.target)
        .read("speed", motor.speed)
        .read("max_force", motor.max_force)
        .done();
    with(world, [&](abut_world *of) { return abut_world_set_joint_motor(of, id_of<abut_joint_id>(joint), &motor); });
}

Bytes joint_states(World &world, const Ids &joints) {
    std::vector<abut_joint_state> all(joints.size());
    with(world, [&](abut_world *of) {
        for (size_t i = 0; i < joints.size(); i++) {
            abut_status status = abut_world_joint_state(of, id_of<abut_joint_id>(joints(i)), &all[i]);
            if (status != ABUT_OK) {
                return status;
            }
        }
        return ABUT_OK;
    });
    return records(std::move(all));
}

/* ---- bonds */
abut_bond_def bond_of(const nb::dict &given, double radius) {
    abut_bond_def def = abut_bond_def_default();
    def.radius = radius;
    Options options(given);
    options.read("young", def.young)
        .read("radius", def.radius)
        .read("stiffness_ratio", def.stiffness_ratio)
        .read("tensile_strength", def.tensile_strength)
        .read("shear_strength", def.shear_strength)
        .read("damping_ratio", def.damping_ratio)
        .done();
    return def;
}

uint64_t add_bond(World &world, uint64_t a, uint64_t b, const Numbers &point, const Numbers &axis, double length, const nb::dict &given) {
    abut_bond_def def = bond_of(given, 0.0);
    def.a = id_of<abut_body_id>(a);
    def.b = id_of<abut_body_id>(b);
    def.point = vector(point);
    def.axis = vector(axis);
    def.length = length;
    abut_bond_id id = {};
    with(world, [&](abut_world *of) { return abut_world_add_bond(of, &def, &id); });
    return number_of(id);
}

int32_t bond_near(World &world, const std::optional<Ids> &bodies, double gap, const nb::dict &given) {
    abut_bond_def def = bond_of(given, 1.0);
    std::vector<abut_body_id> ids;
    for (size_t i = 0; bodies && i < bodies->size(); i++) {
        ids.push_back(id_of<abut_body_id>((*bodies)(i)));
    }
    const abut_body_id none = {};
    int32_t made = 0;
    with(world, [&](abut_world *of) {
        return abut_world_bond_near(of, bodies ? (ids.empty() ? &none : ids.data()) : nullptr, static_cast<int32_t>(ids.size()), gap, &def,
                                    &made);
    });
    return made;
}

std::vector<uint64_t> bond_ids(World &world) {
    std::vector<abut_bond_id> ids;
    with(world, [&](abut_world *of) {
        int32_t count = 0;
        abut_status status = abut_world_bond_ids(of, nullptr, 0, &count);
        ids.resize(static_cast<size_t>(count));
        return status == ABUT_ERROR_CAPACITY ? abut_world_bond_ids(of, ids.data(), count, &count) : status;
    });
    std::vector<uint64_t> numbers;
    for (abut_bond_id id : ids) {
        numbers.push_back(number_of(id));
    }
    return numbers;
}

Bytes bond_states(World &world, const Ids &bonds) {
    std::vector<abut_bond_state> all(bonds.size());
    with(world, [&](abut_world *of) {
        for (size_t i = 0; i < bonds.size(); i++) {
            abut_status status = abut_world_bond_state(of, id_of<abut_bond_id>(bonds(i)), &all[i]);
            if (status != ABUT_OK) {
                return status;
            }
        }
        return ABUT_OK;
    });
    return records(std::move(all));
}

uint64_t add_spring(World &world, uint64_t body, const Numbers &anchor, const Numbers &target, const nb::dict &given) {
    abut_spring_def def = abut_spring_def_default();
    def.body = id_of<abut_body_id>(body);
    def.anchor = vector(anchor);
    def.target = vector(target);
    Options options(given);
    options.read("frequency", def.frequency).read("damping_ratio", def.damping_ratio).read("max_force", def.max_force).done();
    abut_spring_id id = {};
    with(world, [&](abut_world *of) { return abut_world_add_spring(of, &def, &id); });
    return number_of(id);
}

/* ---- queries */
abut_query_filter filter_of(uint64_t mask) {
    abut_query_filter filter = {};
    filter.mask = mask;
    return filter;
}

Bytes ray_casts(World &world, const Vectors &origins, const Vectors &translations, uint64_t mask) {
    size_t count = origins.shape(0);
    if (translations.shape(0) != count && translations.shape(0) != 1) {
        throw nb::value_error("origins and translations: their numbers differ");
    }
    std::vector<abut_ray> rays(count);
    for (size_t i = 0; i < count; i++) {
        rays[i] = {vectors(origins)[i], vectors(translations)[translations.shape(0) == 1 ? 0 : i]};
    }
    std::vector<abut_world_hit> hits(count);
    abut_query_filter filter = filter_of(mask);
    with(world, [&](abut_world *of) { return abut_world_ray_cast_batch(of, rays.data(), count_of(count), &filter, hits.data()); });
    return records(std::move(hits));
}

Bytes ray_cast_all(World &world, const Numbers &origin, const Numbers &translation, uint64_t mask) {
    abut_ray ray = {vector(origin), vector(translation)};
    abut_query_filter filter = filter_of(mask);
    std::vector<abut_world_hit> hits(16);
    with(world, [&](abut_world *of) {
        int32_t count = 0;
        abut_status status = abut_world_ray_cast_all(of, ray, &filter, hits.data(), count_of(hits.size()), &count);
        if (status == ABUT_ERROR_CAPACITY) {
            hits.resize(static_cast<size_t>(count));
            status = abut_world_ray_cast_all(of, ray, &filter, hits.data(), count, &count);
        }
        hits.resize(static_cast<size_t>(count));
        return status;
    });
    return records(std::move(hits));
}

Bytes shape_casts(World &world, nb::handle shape, const Poses &places, const Motions &ways, double tolerance, uint64_t mask) {
    const Shapes *many = nb::isinstance<Shape>(shape) ? nullptr : &nb::cast<const Shapes &>(shape);
    size_t count = rows(places);
    if ((many != nullptr && many->shape.size() != count) || (ways.shape(0) != count && ways.shape(0) != 1)) {
        throw nb::value_error("shapes, poses and motions: their numbers differ");
    }
    std::vector<abut_cast> casts(count);
    for (size_t i = 0; i < count; i++) {
        casts[i] = {many != nullptr ? many->shape[i] : nb::cast<const Shape &>(shape).shape, poses(places)[i],
                    motions(ways)[ways.shape(0) == 1 ? 0 : i], tolerance};
    }
    std::vector<abut_world_hit> hits(count);
    abut_query_filter filter = filter_of(mask);
    with(world, [&](abut_world *of) { return abut_world_shape_cast_batch(of, casts.data(), count_of(count), &filter, hits.data()); });
    return records(std::move(hits));
}

/* The bodies that ask(ids, capacity, &count) names. */
template <typename Ask> IdArray named(World &world, Ask ask) {
    std::vector<abut_body_id> ids(64);
    with(world, [&](abut_world *of) {
        int32_t count = 0;
        abut_status status = ask(of, ids.data(), count_of(ids.size()), &count);
        if (status == ABUT_ERROR_CAPACITY) {
            ids.resize(static_cast<size_t>(count));
            status = ask(of, ids.data(), count, &count);
        }
        ids.resize(static_cast<size_t>(status == ABUT_OK ? count : 0));
        return status;
    });
    std::vector<uint64_t> numbers;
    for (abut_body_id id : ids) {
        numbers.push_back(number_of(id));
    }
    return ids_out(std::move(numbers));
}

IdArray overlap_box(World &world, const Numbers &lower, const Numbers &upper, uint64_t mask) {
    abut_aabb box = {vector(lower), vector(upper)};
    abut_query_filter filter = filter_of(mask);
    return named(world, [&](abut_world *of, abut_body_id *ids, int32_t capacity, int32_t *count) {
        return abut_world_overlap_box(of, box, &filter, ids, capacity, count);
    });
}

IdArray overlap_shape(World &world, const Shape &shape, const Poses &pose, uint64_t mask) {
    abut_query_filter filter = filter_of(mask);
    return named(world, [&](abut_world *of, abut_body_id *ids, int32_t capacity, int32_t *count) {
        return abut_world_overlap_shape(of, shape.shape, poses(pose)[0], &filter, ids, capacity, count);
    });
}

Bytes closest(World &world, const Shape *shape, const Poses &pose, double farthest, uint64_t mask) {
    abut_world_near near = {};
    abut_query_filter filter = filter_of(mask);
    with(world, [&](abut_world *of) {
        return shape != nullptr ? abut_world_closest(of, shape->shape, poses(pose)[0], farthest, &filter, &near)
                                : abut_world_closest_to_point(of, poses(pose)[0].position, farthest, &filter, &near);
    });
    return record(near);
}

/* Bodies: their making, states, motions and forces. */
void define_bodies(nb::class_<World> &type) {
    type.def("add_bodies", &add_bodies)
        .def("remove_bodies",
             [](World &of, const Ids &ids) {
                 for_bodies(of, ids, [](abut_world *w, abut_body_id id, size_t) { return abut_world_remove_body(w, id); });
             })
        .def("ids", &body_ids)
        .def("states", &states)
        .def("states_of", &states_of)
        .def("set_poses",
             [](World &of, const Ids &ids, const Poses &places) {
                 (void)row(places, ids, 0);
                 for_bodies(of, ids, [&](abut_world *w, abut_body_id id, size_t i) {
                     return abut_world_set_body_pose(w, id, poses(places)[row(places, ids, i)]);
                 });
             })
        .def("set_motions",
             [](World &of, const Ids &ids, const Motions &speeds) {
                 (void)row(speeds, ids, 0);
                 for_bodies(of, ids, [&](abut_world *w, abut_body_id id, size_t i) {
                     return abut_world_set_body_motion(w, id, motions(speeds)[row(speeds, ids, i)]);
                 });
             })
        .def("apply_forces",
             [](World &of, const Ids &ids, const Vectors &forces, const Vectors &points) {
                 (void)row(forces, ids, 0);
                 (void)row(points, ids, 0);
                 for_bodies(of, ids, [&](abut_world *w, abut_body_id id, size_t i) {
                     return abut_world_apply_force(w, id, vectors(forces)[row(forces, ids, i)], vectors(points)[row(points, ids, i)]);
                 });
             })
        .def("apply_torques",
             [](World &of, const Ids &ids, const Vectors &torques) {
                 (void)row(torques, ids, 0);
                 for_bodies(of, ids, [&](abut_world *w, abut_body_id id, size_t i) {
                     return abut_world_apply_torque(w, id, vectors(torques)[row(torques, ids, i)]);
                 });
             })
        .def("apply_impulses",
             [](World &of, const Ids &ids, const Vectors &impulses, const Vectors &points) {
                 (void)row(impulses, ids, 0);
                 (void)row(points, ids, 0);
                 for_bodies(of, ids, [&](abut_world *w, abut_body_id id, size_t i) {
                     return abut_world_apply_impulse(w, id, vectors(impulses)[row(impulses, ids, i)], vectors(points)[row(points, ids, i)]);
                 });
             })
        .def("set_gravity",
             [](World &of, const Numbers &gravity) { with(of, [&](abut_world *w) { return abut_world_set_gravity(w, vector(gravity)); }); })
        .def("exclude_pair",
             [](World &of, uint64_t a, uint64_t b) {
                 with(of, [&](abut_world *w) { return abut_world_exclude_pair(w, id_of<abut_body_id>(a), id_of<abut_body_id>(b)); });
             })
        .def("include_pair",
             [](World &of, uint64_t a, uint64_t b) {
                 with(of, [&](abut_world *w) { return abut_world_include_pair(w, id_of<abut_body_id>(a), id_of<abut_body_id>(b)); });
             })
        .def("set_surface_velocity", [](World &of, const Ids &ids, const Motions &speeds) {
            (void)row(speeds, ids, 0);
            for_bodies(of, ids, [&](abut_world *w, abut_body_id id, size_t i) {
                return abut_world_set_body_surface_velocity(w, id, motions(speeds)[row(speeds, ids, i)]);
            });
        });
}

/* Steps and what they leave: contacts, events, saved states. */
void define_steps(nb::class_<World> &type) {
    type.def("step", &step)
        .def("contacts", &contacts)
        .def("events", &events)
        .def("save", &save)
        .def("restore", &restore)
        .def("hash", &hash);
}

/* Joints, bonds and springs. */
void define_links(nb::class_<World> &type) {
    type.def("add_joint", &add_joint)
        .def("set_motor", &set_motor)
        .def("joint_states", &joint_states)
        .def("remove_joint",
             [](World &of, uint64_t joint) {
                 with(of, [&](abut_world *w) { return abut_world_remove_joint(w, id_of<abut_joint_id>(joint)); });
             })
        .def("add_bond", &add_bond)
        .def("bond_near", &bond_near, nb::arg("bodies").none(), nb::arg("gap"), nb::arg("given"))
        .def("bond_ids", &bond_ids)
        .def("bond_states", &bond_states)
        .def(
            "remove_bond",
            [](World &of, uint64_t bond) { with(of, [&](abut_world *w) { return abut_world_remove_bond(w, id_of<abut_bond_id>(bond)); }); })
        .def("add_spring", &add_spring)
        .def("set_spring_target",
             [](World &of, uint64_t spring, const Numbers &target) {
                 with(of, [&](abut_world *w) { return abut_world_set_spring_target(w, id_of<abut_spring_id>(spring), vector(target)); });
             })
        .def("remove_spring", [](World &of, uint64_t spring) {
            with(of, [&](abut_world *w) { return abut_world_remove_spring(w, id_of<abut_spring_id>(spring)); });
        });
}

/* Rays, casts, overlaps and nearest points. */
void define_queries(nb::class_<World> &type) {
    type.def("ray_casts", &ray_casts)
        .def("ray_cast_all", &ray_cast_all)
        .def("shape_casts", &shape_casts)
        .def("overlap_box", &overlap_box)
        .def("overlap_shape", &overlap_shape)
        .def("closest", &closest, nb::arg("shape").none(), nb::arg("pose"), nb::arg("farthest"), nb::arg("mask"));
}

} // namespace

void define_world(nb::module_ &module) {
    nb::class_<World> world(module, "World", "Bodies that move.");
    define_bodies(world);
    define_steps(world);
    define_links(world);
    define_queries(world);
    define_properties(world);
    define_cells(world);
    module.def("world", &world_make, nb::arg("options"), nb::arg("threads"), nb::arg("collide").none(), nb::arg("pairs"));
    module.def("step_many", &step_many);
}
