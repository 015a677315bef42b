#include "step/fixed/meeting.h"

#include "base/real.h"
#include "shape/smooth.h"
#include "step/fixed/margin.h"
#include "step/world/meet/surfaces.h"

/*
 * A cylinder or a cone that rolls on its side or its rim turns about its axis. So the anchor is on the axis, where the contact's normal meets it: this point
 * stays where it is. 0 where the normal is so nearly parallel to the axis that it meets it far away; rolling then hardly lowers a point of the rim.
 */
static double rounding_of_frustum(abut_pose pose, abut_feature feature, abut_vec3 point, abut_vec3 outward) {
    const double least_sine = 0.2; /* of the angle between normal and axis */
    if (feature.kind != ABUT_FEATURE_SMOOTH && feature.kind != ABUT_FEATURE_EDGE) {
        return 0.0;
    }
    abut_vec3 axis = abut_quat_rotate(pose.rotation, abut_vec3_make(0.0, 0.0, 1.0)), from = abut_sub(point, pose.position);
    abut_vec3 across = abut_add_scaled(from, -abut_dot(from, axis), axis);
    double rho = abut_length(across), sine = abut_dot(outward, across);
    return sine > least_sine * rho ? rho * rho / sine : 0.0;
}

/*
 * On a smooth surface that rolls, the anchor is the centre of curvature along the way in which its normal turns: it stays at its height. spin: angular velocity
 * relative to the other body. Radii larger than the shape are of no use: the turns that they are good for are too small.
 */
static double rounding_of_smooth(const abut_shape *shape, abut_pose pose, abut_vec3 outward, abut_vec3 spin) {
    abut_vec3 way = abut_cross(outward, spin);
    if (!(abut_length_squared(way) > 0.0)) {
        return 0.0;
    }
    abut_vec3 n = abut_quat_rotate_inverse(pose.rotation, outward), u = abut_unit(abut_quat_rotate_inverse(pose.rotation, way));
    smooth_place place;
    smooth_place_find(shape, n, u, abut_cross(n, u), &place);
    return place.r11 >= 0.0 ? real_min(place.r11, shape->size) : 0.0;
}

/* Distance from the anchor of a contact to the surface: the radius of a round shape, or of a round part of a compound; 0 for other shapes. */
static double rounding(const abut_shape *shape, abut_pose pose, abut_feature feature, abut_vec3 point, abut_vec3 outward, abut_vec3 spin) {
    if (shape->kind == ABUT_SHAPE_COMPOUND) {
        if (feature.part < 0 || feature.part >= shape->part_count) {
            return 0.0;
        }
        const abut_part *part = &shape->parts[feature.part];
        shape = part->shape;
        pose = shape_is_frustum(shape) || smooth_is(shape) ? abut_pose_compose(pose, part->pose) : pose;
    }
    return shape_is_frustum(shape) ? rounding_of_frustum(pose, feature, point, outward)
           : smooth_is(shape)      ? rounding_of_smooth(shape, pose, outward, spin)
                                   : shape->radius;
}

static bool is_simple(const abut_shape *shape) {
    return shape->kind != ABUT_SHAPE_COMPOUND && !shape_is_frustum(shape) && !smooth_is(shape);
}

meeting meeting_of(const abut_world *world, const body *a, const body *b) {
    return (meeting){.body = {a, b},
                     .pose = {&a->pose, &b->pose},
                     .plain = surfaces_are_plain(world, a, b),
                     .simple = {is_simple(a->shape), is_simple(b->shape)}};
}

/* Of shapes whose anchors differ from contact to contact. */
static void rounding_of(const meeting *of, const abut_contact *contact, double radius[2]) {
    abut_vec3 turning = abut_sub(of->body[0]->angular_velocity, of->body[1]->angular_velocity);
    const abut_feature features[2] = {contact->feature_a, contact->feature_b};
    const abut_vec3 points[2] = {contact->on_a, contact->on_b}, outward[2] = {abut_neg(contact->normal), contact->normal},
                    spin[2] = {turning, abut_neg(turning)};
    for (int k = 0; k < 2; k++) {
        const abut_shape *shape = of->body[k]->shape;
        radius[k] = of->simple[k] ? shape->radius : rounding(shape, *of->pose[k], features[k], points[k], outward[k], spin[k]);
    }
}

void meeting_rounding(const meeting *of, const abut_contact *contact, double radius[2]) {
    if (of->simple[0] && of->simple[1]) {
        radius[0] = of->body[0]->shape->radius;
        radius[1] = of->body[1]->shape->radius;
    } else {
        rounding_of(of, contact, radius);
    }
}

/* Where the bodies have several surfaces. */
static abut_surface surface_at(const abut_world *world, const meeting *bodies, const abut_world_contact *contact) {
    const surface_pair pair = {world, {(int32_t)contact->a.index - 1, (int32_t)contact->b.index - 1}, {*bodies->pose[0], *bodies->pose[1]}};
    return surfaces_at(&pair, &contact->contact);
}

abut_surface meeting_surface(const abut_world *world, const meeting *of, const abut_world_contact *contact) {
    return of->plain ? surfaces_of_bodies(world, of->body[0], of->body[1]) : surface_at(world, of, contact);
}

double meeting_friction(const abut_world *world, const meeting *of, const abut_world_contact *contact) {
    return of->plain ? surfaces_friction(world, of->body[0], of->body[1]) : surface_at(world, of, contact).friction;
}

solver_pair meeting_begin_pair(const abut_world *world, const layout_pair *from) {
    const broad_pair *found = &world->broad.found[from->found];
    const body *a = &world->bodies[found->a], *b = &world->bodies[found->b];
    return (solver_pair){.a = from->a,
                         .b = from->b,
                         .first = from->patch,
                         .touch = margin_touch * margin_smaller_size(a, b),
                         .offset = abut_sub(a->centre, b->centre)};
}
