/* Layouts of the library's records as NumPy describes them: names, formats and offsets. */
#include <cstddef>

#include "core.h"

namespace {

struct Layout {
    explicit Layout(size_t size) : size(size) {}
    Layout &field(const char *name, nb::object format, size_t offset) {
        names.append(name);
        formats.append(format);
        offsets.append(offset);
        return *this;
    }
    Layout &field(const char *name, const char *format, size_t offset) { return field(name, nb::str(format), offset); }
    nb::dict done() const {
        nb::dict layout;
        layout["names"] = names;
        layout["formats"] = formats;
        layout["offsets"] = offsets;
        layout["itemsize"] = size;
        return layout;
    }
    size_t size;
    nb::list names, formats, offsets;
};

#define FIELD(record, member, format) field(#member, format, offsetof(record, member))

nb::dict feature() {
    return Layout(sizeof(abut_feature))
        .FIELD(abut_feature, kind, "i4")
        .FIELD(abut_feature, index, "i4")
        .FIELD(abut_feature, part, "i4")
        .done();
}

constexpr const char *VECTOR = "3f8", *POSE = "7f8", *MOTION = "6f8", *MATRIX = "(3,3)f8", *CORNERS = "(4,3)f8";

nb::dict contact() {
    return Layout(sizeof(abut_contact))
        .FIELD(abut_contact, on_a, VECTOR)
        .FIELD(abut_contact, on_b, VECTOR)
        .FIELD(abut_contact, normal, VECTOR)
        .FIELD(abut_contact, gap, "f8")
        .FIELD(abut_contact, area, "f8")
        .FIELD(abut_contact, feature_a, feature())
        .FIELD(abut_contact, feature_b, feature())
        .FIELD(abut_contact, id, "u8")
        .FIELD(abut_contact, patch, "i4")
        .FIELD(abut_contact, flags, "u4")
        .done();
}

nb::dict facet_contact() {
    using record = abut_facetmesh_contact;
    return Layout(sizeof(record))
        .FIELD(record, facet_a, "i4")
        .FIELD(record, facet_b, "i4")
        .field("normal", VECTOR, offsetof(record, contact.normal))
        .field("gap", "f8", offsetof(record, contact.gap))
        .field("point", VECTOR, offsetof(record, contact.point))
        .field("sphere_gap", "f8", offsetof(record, contact.sphere_gap))
        .field("radius", "f8", offsetof(record, contact.radius))
        .field("centre", VECTOR, offsetof(record, contact.centre))
        .field("circle_radius", "f8", offsetof(record, contact.circle_radius))
        .field("offset", "f8", offsetof(record, contact.offset))
        .field("area", "f8", offsetof(record, contact.area))
        .field("area_in_circle", "f8", offsetof(record, contact.area_in_circle))
        .field("corner_count", "i4", offsetof(record, contact.corner_count))
        .field("corner", "(6,3)f8", offsetof(record, contact.corner))
        .field("tilt", VECTOR, offsetof(record, contact.tilt))
        .field("saddle", VECTOR, offsetof(record, contact.saddle))
        .done();
}

nb::dict separation() {
    using record = abut_separation;
    return Layout(sizeof(record))
        .FIELD(record, gap, "f8")
        .FIELD(record, on_a, VECTOR)
        .FIELD(record, on_b, VECTOR)
        .FIELD(record, normal, VECTOR)
        .FIELD(record, feature_a, feature())
        .FIELD(record, feature_b, feature())
        .FIELD(record, flags, "u4")
        .done();
}

nb::dict hit() {
    using record = abut_hit;
    return Layout(sizeof(record))
        .FIELD(record, hit, "?")
        .FIELD(record, started_inside, "?")
        .FIELD(record, fraction, "f8")
        .FIELD(record, point, VECTOR)
        .FIELD(record, normal, VECTOR)
        .FIELD(record, feature_a, feature())
        .FIELD(record, feature_b, feature())
        .FIELD(record, iterations, "i4")
        .done();
}

nb::dict world_hit() {
    using record = abut_world_hit;
    return Layout(sizeof(record)).FIELD(record, body, "u8").FIELD(record, user, "u8").FIELD(record, hit, hit()).done();
}

nb::dict growth() {
    using record = abut_growth;
    return Layout(sizeof(record))
        .FIELD(record, alpha, "f8")
        .FIELD(record, alpha_lower, "f8")
        .FIELD(record, normal, VECTOR)
        .FIELD(record, gap, "f8")
        .FIELD(record, touch, VECTOR)
        .FIELD(record, on_a, VECTOR)
        .FIELD(record, on_b, VECTOR)
        .FIELD(record, contraction_a, VECTOR)
        .FIELD(record, contraction_b, VECTOR)
        .FIELD(record, iterations, "i4")
        .FIELD(record, normal_chosen, "?")
        .done();
}

nb::dict rates() {
    using record = abut_rates;
    return Layout(sizeof(record))
        .FIELD(record, gap_rate, "f8")
        .FIELD(record, gap_acceleration, "f8")
        .FIELD(record, bias, "f8")
        .FIELD(record, normal_rate, VECTOR)
        .FIELD(record, on_a_rate, VECTOR)
        .FIELD(record, on_b_rate, VECTOR)
        .FIELD(record, arm_a, VECTOR)
        .FIELD(record, arm_b, VECTOR)
        .FIELD(record, flags, "u4")
        .done();
}

nb::dict depth() {
    using record = abut_depth;
    return Layout(sizeof(record))
        .FIELD(record, status, "i4")
        .FIELD(record, relation, "i4")
        .FIELD(record, depth, "f8")
        .FIELD(record, sigma_a, "f8")
        .FIELD(record, sigma_b, "f8")
        .FIELD(record, normal, VECTOR)
        .FIELD(record, offset, "f8")
        .FIELD(record, displacement_a, CORNERS)
        .FIELD(record, displacement_b, CORNERS)
        .FIELD(record, direction, "i4")
        .FIELD(record, feature_a, "i4")
        .FIELD(record, feature_b, "i4")
        .FIELD(record, certified, "?")
        .field("rigid_gap", "f8", offsetof(record, rigid.gap))
        .field("rigid_normal", VECTOR, offsetof(record, rigid.normal))
        .FIELD(record, volume_force_a, "f8")
        .FIELD(record, volume_force_b, "f8")
        .done();
}

nb::dict body_state() {
    using record = abut_body_state;
    return Layout(sizeof(record))
        .FIELD(record, pose, POSE)
        .FIELD(record, centre, VECTOR)
        .FIELD(record, motion, MOTION)
        .FIELD(record, awake, "?")
        .done();
}

nb::dict world_contact() {
    using record = abut_world_contact;
    return Layout(sizeof(record))
        .FIELD(record, a, "u8")
        .FIELD(record, b, "u8")
        .FIELD(record, user_a, "u8")
        .FIELD(record, user_b, "u8")
        .FIELD(record, contact, contact())
        .FIELD(record, normal_force, "f8")
        .FIELD(record, friction_force, VECTOR)
        .done();
}

nb::dict world_event() {
    using record = abut_world_event;
    return Layout(sizeof(record))
        .FIELD(record, kind, "i4")
        .FIELD(record, a, "u8")
        .FIELD(record, b, "u8")
        .FIELD(record, user_a, "u8")
        .FIELD(record, user_b, "u8")
        .FIELD(record, contact, contact())
        .FIELD(record, impulse, "f8")
        .FIELD(record, speed, "f8")
        .FIELD(record, joint, "u8")
        .done();
}

nb::dict world_near() {
    using record = abut_world_near;
    return Layout(sizeof(record)).FIELD(record, body, "u8").FIELD(record, user, "u8").FIELD(record, separation, separation()).done();
}

nb::dict joint_state() {
    using record = abut_joint_state;
    return Layout(sizeof(record))
        .FIELD(record, broken, "?")
        .FIELD(record, coordinate, "f8")
        .FIELD(record, spin, "f8")
        .FIELD(record, error, "f8")
        .FIELD(record, turn_error, "f8")
        .FIELD(record, force, VECTOR)
        .FIELD(record, torque, VECTOR)
        .done();
}

nb::dict bond_state() {
    using record = abut_bond_state;
    return Layout(sizeof(record))
        .FIELD(record, a, "u8")
        .FIELD(record, b, "u8")
        .FIELD(record, broken, "?")
        .FIELD(record, force, VECTOR)
        .FIELD(record, moment, VECTOR)
        .FIELD(record, tension, "f8")
        .FIELD(record, shear, "f8")
        .done();
}

nb::dict body_info() {
    using record = abut_body_info;
    return Layout(sizeof(record))
        .FIELD(record, kind, "i4")
        .FIELD(record, mass, "f8")
        .FIELD(record, centre, VECTOR)
        .FIELD(record, inertia, MATRIX)
        .FIELD(record, friction, "f8")
        .FIELD(record, restitution, "f8")
        .FIELD(record, rolling_friction, "f8")
        .FIELD(record, spinning_friction, "f8")
        .FIELD(record, rolling_resistance, "f8")
        .FIELD(record, twisting_resistance, "f8")
        .FIELD(record, contact_stiffness, "f8")
        .FIELD(record, adhesion_strength, "f8")
        .FIELD(record, liquid_volume, "f8")
        .FIELD(record, surface_tension, "f8")
        .FIELD(record, contact_angle, "f8")
        .FIELD(record, substance, "i4")
        .field("young", "f8", offsetof(record, material.young))
        .field("poisson", "f8", offsetof(record, material.poisson))
        .FIELD(record, adhesion_work, "f8")
        .FIELD(record, linear_damping, "f8")
        .FIELD(record, angular_damping, "f8")
        .FIELD(record, gravity_scale, "f8")
        .field("category", "u8", offsetof(record, filter.category))
        .field("mask", "u8", offsetof(record, filter.mask))
        .field("group", "i4", offsetof(record, filter.group))
        .FIELD(record, sensor, "?")
        .FIELD(record, surface_velocity, MOTION)
        .FIELD(record, user, "u8")
        .done();
}

nb::dict cell_state() {
    using record = abut_cell_state;
    return Layout(sizeof(record))
        .FIELD(record, nodes, "i4")
        .FIELD(record, volume, "f8")
        .FIELD(record, pressure, "f8")
        .FIELD(record, tension, "f8")
        .FIELD(record, spring_energy, "f8")
        .FIELD(record, kinetic_energy, "f8")
        .done();
}

nb::dict cell_node() {
    using record = abut_cell_node;
    return Layout(sizeof(record)).FIELD(record, mass, "f8").FIELD(record, position, VECTOR).FIELD(record, velocity, VECTOR).done();
}

nb::dict report() {
    using record = abut_step_report;
    return Layout(sizeof(record))
        .FIELD(record, step, "i8")
        .FIELD(record, time, "f8")
        .FIELD(record, bodies, "i4")
        .FIELD(record, awake, "i4")
        .FIELD(record, candidates, "i4")
        .FIELD(record, touching, "i4")
        .FIELD(record, contacts, "i4")
        .FIELD(record, max_penetration, "f8")
        .FIELD(record, kinetic_energy, "f8")
        .FIELD(record, potential_energy, "f8")
        .FIELD(record, spring_energy, "f8")
        .FIELD(record, sunk, "i4")
        .FIELD(record, engulfed, "i4")
        .FIELD(record, left, "i4")
        .field("steps", "i8", offsetof(record, dem.steps))
        .field("elastic_energy", "f8", offsetof(record, dem.elastic_energy))
        .field("inner_energy", "f8", offsetof(record, dem.spring_energy))
        .field("damping_work", "f8", offsetof(record, dem.damping_work))
        .field("friction_work", "f8", offsetof(record, dem.friction_work))
        .field("residual", "f8", offsetof(record, dem.residual))
        .FIELD(record, seconds_broad, "f8")
        .FIELD(record, seconds_narrow, "f8")
        .FIELD(record, seconds_solve, "f8")
        .FIELD(record, seconds_total, "f8")
        .done();
}

nb::dict mass() {
    using record = abut_mass;
    return Layout(sizeof(record))
        .FIELD(record, mass, "f8")
        .FIELD(record, volume, "f8")
        .FIELD(record, centre, VECTOR)
        .FIELD(record, inertia, MATRIX)
        .done();
}

} // namespace

void define_layout(nb::module_ &module) {
    static_assert(sizeof(abut_body_id) == sizeof(uint64_t) && offsetof(abut_body_id, index) == 0, "an id is one number of 64 bits");
    nb::dict all;
    all["contact"] = contact();
    all["facet_contact"] = facet_contact();
    all["separation"] = separation();
    all["hit"] = hit();
    all["world_hit"] = world_hit();
    all["growth"] = growth();
    all["rates"] = rates();
    all["depth"] = depth();
    all["body_state"] = body_state();
    all["world_contact"] = world_contact();
    all["world_event"] = world_event();
    all["world_near"] = world_near();
    all["joint_state"] = joint_state();
    all["bond_state"] = bond_state();
    all["body_info"] = body_info();
    all["cell_state"] = cell_state();
    all["cell_node"] = cell_node();
    all["report"] = report();
    all["mass"] = mass();
    module.attr("LAYOUTS") = all;
}
