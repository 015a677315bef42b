/* Bodies inside: see inside.h. */
#include "narrow/curved/inside.h"

#include "narrow/curved/curved.h"
#include "narrow/curved/side.h"
#include "narrow/mesh/point.h"
#include "narrow/mesh/surface.h"
#include "shape/smooth.h"

/* The curved body around, in its own frame, and the other one. */
typedef struct around {
    const abut_shape *mesh, *body;
    bool body_is_a;
    abut_mat3 to_pair; /* of the curved body */
    abut_vec3 position;
} around;

static around around_of(const collide_pair *pair, bool curved_is_a) {
    return (around){.mesh = curved_stand_in(curved_is_a ? pair->a : pair->b),
                    .body = curved_is_a ? pair->b : pair->a,
                    .body_is_a = !curved_is_a,
                    .to_pair = curved_is_a ? abut_mat3_identity() : pair->rotation_b,
                    .position = curved_is_a ? abut_vec3_make(0, 0, 0) : pair->position_b};
}

/* A convex shape in the pair's frame. */
typedef struct part_placed {
    const abut_shape *shape;
    side_place at;
    int32_t index;
} part_placed;

static part_placed part_of(const collide_pair *pair, const around *of, int32_t index) {
    part_placed part = {.at = {abut_mat3_identity(), {0, 0, 0}}, .index = index};
    if (!of->body_is_a) {
        part.at = (side_place){pair->rotation_b, pair->position_b};
    }
    part.shape = side_part(of->body, index, &part.at);
    return part;
}

/* The feature that is farthest along a direction; *point: on it. Shape frame. */
static abut_feature farthest(const abut_shape *shape, abut_vec3 direction, abut_vec3 *point) {
    int32_t vertex;
    (void)abut_shape_support(shape, direction, point, &vertex);
    if (vertex >= 0) {
        return (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = vertex};
    }
    if (shape_is_frustum(shape)) {
        int32_t end = point->z > 0.0;
        return (abut_feature){.kind = shape->round.radius[end] > 0.0 ? ABUT_FEATURE_EDGE : ABUT_FEATURE_VERTEX, .index = end};
    }
    return (abut_feature){.kind = ABUT_FEATURE_SMOOTH, .index = shape->kind == ABUT_SHAPE_CAPSULE && point->z > 0.0};
}

/* from: on the surface around, with the outward normal. */
static abut_contact contact_of(const around *of, const mesh_point *from, abut_vec3 outward, const part_placed *part) {
    abut_vec3 point, against = abut_neg(outward);
    abut_feature feature = farthest(part->shape, abut_mat3_apply_transposed(part->at.rotation, against), &point);
    abut_feature surface = {from->feature.kind, from->feature.index, 0};
    abut_vec3 wall = abut_add(abut_mat3_apply(of->to_pair, from->closest), of->position);
    feature.part = part->index;
    point = abut_add(abut_mat3_apply(part->at.rotation, point), part->at.position);
    abut_contact contact = {.normal = of->body_is_a ? outward : against,
                            .on_a = of->body_is_a ? point : wall,
                            .on_b = of->body_is_a ? wall : point,
                            .feature_a = of->body_is_a ? feature : surface,
                            .feature_b = of->body_is_a ? surface : feature};
    contact.gap = abut_dot(contact.normal, abut_sub(contact.on_a, contact.on_b));
    return contact;
}

static bool is_within(const abut_aabb *box, abut_vec3 p) {
    return p.x > box->lower.x && p.x < box->upper.x && p.y > box->lower.y && p.y < box->upper.y && p.z > box->lower.z && p.z < box->upper.z;
}

static void add_part(const around *of, const part_placed *part, contact_list *list) {
    const placed_mesh mesh = {.mesh = of->mesh->mesh, .rotation = abut_mat3_identity(), .aligned = true};
    const mesh_surface surface = {&mesh, 1, .same = 1e-9 * of->mesh->size};
    abut_vec3 middle = abut_add(abut_mat3_apply(part->at.rotation, part->shape->unit_mass.centre), part->at.position);
    abut_vec3 seen = abut_mat3_apply_transposed(of->to_pair, abut_sub(middle, of->position));
    mesh_point found;
    if (!is_within(&of->mesh->bounds, seen)) {
        return;
    }
    if (!mesh_surface_winds_round(&mesh, seen) || !mesh_point_find(&surface, seen, INFINITY, &found)) {
        return;
    }
    abut_vec3 outward = abut_unit(abut_mat3_apply(of->to_pair, abut_sub(found.closest, seen)));
    if (abut_length_squared(outward) > 0.5) {
        abut_contact contact = contact_of(of, &found, outward, part);
        contact.patch = list->count;
        contact_list_add(list, &contact);
    }
}

void curved_add_inside(const collide_pair *pair, contact_list *list) {
    for (int side = 0; side < 2; ++side) {
        const around of = around_of(pair, side == 0);
        bool parts = of.body->kind == ABUT_SHAPE_COMPOUND;
        if (!smooth_is_unknown(side == 0 ? pair->a : pair->b) || !(parts || shape_is_convex(of.body))) {
            continue;
        }
        for (int32_t i = 0; i < (parts ? of.body->part_count : 1); ++i) {
            const part_placed part = part_of(pair, &of, i);
            add_part(&of, &part, list);
        }
    }
}
