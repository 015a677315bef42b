/* A union of posed convex parts. */

#include <stdio.h>

#include "base/argument.h"
#include "base/memory.h"
#include "shape/bounds.h"
#include "shape/lifecycle.h"
#include "shape/mass.h"
#include "shape/shape.h"

static bool is_part(const abut_part *part) {
    if (part->shape == NULL || !abut_pose_is_valid(part->pose)) {
        return false;
    }
    return shape_is_convex(part->shape) && !part->shape->weighted;
}

static abut_status refuse_part(const char *call, const abut_part *part, int32_t index) {
    char name[32];
    (void)snprintf(name, sizeof name, "parts[%d].pose", (int)index);
    if (part->shape != NULL && part->shape->weighted && abut_pose_is_valid(part->pose)) {
        (void)refused(call, "parts[%d].shape has a mass of its own: give the compound one instead", (int)index);
    } else if (part->shape == NULL || abut_pose_is_valid(part->pose)) {
        (void)refused(call, "parts[%d].shape is %s", (int)index,
                      part->shape == NULL ? "NULL" : "not convex and bounded: no plane, compound or mesh can be a part");
    } else {
        (void)refused_pose(call, name, &part->pose);
    }
    return ABUT_ERROR_INVALID_ARGUMENT;
}

static void take_parts(abut_shape *made, const abut_part *parts, int32_t count) {
    made->part_count = count;
    made->bounds = bounds_of_points(NULL, 0);
    for (int32_t i = 0; i < count; i++) {
        made->parts[i] = parts[i];
        made->parts[i].pose.rotation = abut_quat_unit(parts[i].pose.rotation);
        abut_shape_retain(parts[i].shape);
        made->part_bounds[i] = abut_shape_bounds(parts[i].shape, made->parts[i].pose);
        made->bounds = bounds_join(made->bounds, made->part_bounds[i]);
    }
    made->size = bounds_extent(made->bounds);
    made->unit_mass = mass_of_parts(made->parts, count);
}

abut_status abut_shape_create_compound(const abut_part *parts, int32_t count, abut_shape **shape) {
    if (argument_is_null(CALL_NAME, "parts", parts) || argument_is_null(CALL_NAME, "shape", shape) ||
        argument_is_below(CALL_NAME, "count", count, 1)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    for (int32_t i = 0; i < count; i++) {
        if (!is_part(&parts[i])) {
            return refuse_part(CALL_NAME, &parts[i], i);
        }
    }
    abut_shape *made = shape_allocate(ABUT_SHAPE_COMPOUND);
    if (made == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    made->parts = memory_allocate((size_t)count, sizeof *made->parts);
    made->part_bounds = memory_allocate((size_t)count, sizeof *made->part_bounds);
    if (made->parts == NULL || made->part_bounds == NULL) {
        shape_free(made);
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    take_parts(made, parts, count);
    return shape_publish(CALL_NAME, made, shape);
}
