#include "narrow/normal/convex_parts.h"

#include "base/memory.h"

/* The ball about the box that bounds a part in the body's frame. It has a margin for rounding error and for shapes that count as touching. */
static part_ball ball_of(abut_aabb bounds, abut_mat3 rotation, abut_vec3 position) {
    abut_vec3 centre = abut_lerp(bounds.lower, bounds.upper, 0.5);
    double radius = 0.5 * abut_distance_between(bounds.lower, bounds.upper);
    double rounding = 1e-12 * radius + 1e-15 * (abut_length(centre) + abut_length(position));
    return (part_ball){abut_add(abut_mat3_apply(rotation, centre), position), radius + rounding};
}

static void place_one(const abut_shape *shape, abut_mat3 rotation, abut_vec3 position, convex_parts *parts) {
    parts->count = 1;
    parts->one = convex_place(shape, rotation, position, 0);
    parts->one_ball = ball_of(shape->bounds, rotation, position);
    parts->part = &parts->one;
    parts->ball = &parts->one_ball;
}

static bool place_all(const abut_shape *shape, abut_mat3 rotation, abut_vec3 position, convex_parts *parts) {
    size_t count = (size_t)shape->part_count;
    parts->block = memory_allocate(count, sizeof *parts->part + sizeof *parts->ball);
    if (parts->block == NULL) {
        return false;
    }
    parts->count = shape->part_count;
    parts->part = parts->block;
    parts->ball = (part_ball *)(parts->part + count);
    for (int32_t i = 0; i < shape->part_count; ++i) {
        const abut_part *part = &shape->parts[i];
        abut_mat3 part_rotation = abut_mat3_mul(rotation, abut_mat3_from_quat(part->pose.rotation));
        abut_vec3 part_position = abut_add(abut_mat3_apply(rotation, part->pose.position), position);
        parts->part[i] = convex_place(part->shape, part_rotation, part_position, i);
        parts->ball[i] = ball_of(shape->part_bounds[i], rotation, position);
    }
    return true;
}

bool convex_parts_place(const abut_shape *shape, abut_mat3 rotation, abut_vec3 position, convex_parts *parts) {
    *parts = (convex_parts){.is_plane = shape->kind == ABUT_SHAPE_PLANE};
    if (parts->is_plane) {
        parts->outward = abut_mat3_apply(rotation, shape->normal);
        parts->offset = shape->offset + abut_dot(parts->outward, position);
        return true;
    }
    if (shape->kind == ABUT_SHAPE_COMPOUND) {
        return place_all(shape, rotation, position, parts);
    }
    place_one(shape, rotation, position, parts);
    return true;
}

void convex_parts_free(convex_parts *parts) {
    memory_release(parts->block);
    *parts = (convex_parts){.part = NULL};
}
