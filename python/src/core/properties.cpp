/* Properties of the bodies of a world that may change: masses, surfaces, damping, filters, shapes, sleep. */
#include "world.h"

namespace {

using SetNumber = abut_status (*)(abut_world *, abut_body_id, double);

/* A number for all bodies, or one for each. */
template <SetNumber set> void set_numbers(World &world, const Ids &ids, const Numbers &values) {
    (void)row(values, ids, 0);
    for_bodies(world, ids, [&](abut_world *of, abut_body_id id, size_t i) { return set(of, id, values(row(values, ids, i))); });
}

void set_damping(World &world, const Ids &ids, const Numbers &linear, const Numbers &angular) {
    (void)row(linear, ids, 0);
    (void)row(angular, ids, 0);
    for_bodies(world, ids, [&](abut_world *of, abut_body_id id, size_t i) {
        return abut_world_set_body_damping(of, id, linear(row(linear, ids, i)), angular(row(angular, ids, i)));
    });
}

void set_filter(World &world, const Ids &ids, uint64_t category, uint64_t mask, int32_t group) {
    abut_filter filter = {};
    filter.category = category;
    filter.mask = mask;
    filter.group = group;
    for_bodies(world, ids, [&](abut_world *of, abut_body_id id, size_t) { return abut_world_set_body_filter(of, id, filter); });
}

void set_shapes(World &world, const Ids &ids, nb::handle shape) {
    const Shapes *many = nb::isinstance<Shape>(shape) ? nullptr : &nb::cast<const Shapes &>(shape);
    if (many != nullptr && many->shape.size() != ids.size()) {
        throw nb::value_error("the number of shapes is not that of the ids");
    }
    const abut_shape *one = many == nullptr ? nb::cast<const Shape &>(shape).shape : nullptr;
    for_bodies(world, ids, [&](abut_world *of, abut_body_id id, size_t i) {
        return abut_world_set_body_shape(of, id, many != nullptr ? many->shape[i] : one);
    });
}

void apply_angular_impulses(World &world, const Ids &ids, const Vectors &impulses) {
    (void)row(impulses, ids, 0);
    for_bodies(world, ids, [&](abut_world *of, abut_body_id id, size_t i) {
        return abut_world_apply_angular_impulse(of, id, vectors(impulses)[row(impulses, ids, i)]);
    });
}

Bytes infos(World &world, const Ids &ids) {
    std::vector<abut_body_info> all(ids.size());
    for_bodies(world, ids, [&](abut_world *of, abut_body_id id, size_t i) { return abut_world_body_info(of, id, &all[i]); });
    return records(std::move(all));
}

bool is_pair_excluded(World &world, uint64_t a, uint64_t b) {
    bool excluded = false;
    with(world, [&](abut_world *of) { return abut_world_is_pair_excluded(of, id_of<abut_body_id>(a), id_of<abut_body_id>(b), &excluded); });
    return excluded;
}

} // namespace

void define_properties(nb::class_<World> &type) {
    type.def("infos", &infos)
        .def("set_masses", &set_numbers<abut_world_set_body_mass>)
        .def("set_frictions", &set_numbers<abut_world_set_body_friction>)
        .def("set_restitutions", &set_numbers<abut_world_set_body_restitution>)
        .def("set_gravity_scales", &set_numbers<abut_world_set_body_gravity_scale>)
        .def("set_damping", &set_damping)
        .def("set_filter", &set_filter)
        .def("set_shapes", &set_shapes)
        .def("apply_angular_impulses", &apply_angular_impulses)
        .def("is_pair_excluded", &is_pair_excluded)
        .def("wake",
             [](World &of, const Ids &ids) {
                 for_bodies(of, ids, [](abut_world *w, abut_body_id id, size_t) { return abut_world_wake_body(w, id); });
             })
        .def("sleep", [](World &of, const Ids &ids) {
            for_bodies(of, ids, [](abut_world *w, abut_body_id id, size_t) { return abut_world_sleep_body(w, id); });
        });
}
