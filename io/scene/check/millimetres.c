/*
 * An STL file does not say its unit. Drawings are usually in millimetres, and scenes in metres.
 */
#include "io/scene/check/millimetres.h"

#include <math.h>

#include "io/file/ending.h"
#include "io/scene/data.h"

/* The longest side of the bounds. */
static double length_of(const abut_body_def *def) {
    abut_aabb bounds = abut_shape_bounds(def->shape, abut_pose_identity());
    abut_vec3 sides = abut_sub(bounds.upper, bounds.lower);
    return fmax(sides.x, fmax(sides.y, sides.z));
}

static double largest_moving(const abut_scene *scene) {
    double largest = 0.0;
    for (int32_t i = 0; i < scene->body_count; i++) {
        const abut_body_def *def = &scene->bodies[i].def;
        largest = def->kind == ABUT_BODY_DYNAMIC ? fmax(largest, length_of(def)) : largest;
    }
    return largest;
}

/* Whether a shape, given or named, is an STL file without a scale. */
static bool is_unscaled_drawing(const scene_reader *reader, const json_t *shape) {
    shape = json_is_string(shape) ? json_object_get(reader->shapes.value, json_string_value(shape)) : shape;
    const char *kind;
    json_t *keys;
    bool found = false;
    json_object_foreach((json_t *)shape, kind, keys) {
        const char *file = json_string_value(json_object_get(keys, "file"));
        found = found || (file && file_has_ending(file, ".stl") && !json_object_get(keys, "scale"));
    }
    return found;
}

abut_status scene_check_millimetres(scene_reader *reader) {
    const double much = 1000.0;
    const abut_scene *scene = reader->scene;
    const double largest = largest_moving(scene);
    abut_status status = ABUT_OK;
    for (int32_t i = 0; i < scene->body_count && status == ABUT_OK && largest > 0.0; i++) {
        const scene_body *wall = &scene->bodies[i];
        if (wall->def.kind == ABUT_BODY_DYNAMIC || abut_shape_kind(wall->def.shape) == ABUT_SHAPE_PLANE ||
            !(length_of(&wall->def) > much * largest)) {
            continue;
        }
        scene_place bodies, element, place;
        read_member(&reader->root, "bodies", &bodies);
        element = read_element(&bodies, (size_t)wall->element);
        if (read_member(&element, "shape", &place) && is_unscaled_drawing(reader, place.value)) {
            status =
                read_warn(reader, &place,
                          "body '%s' is %.3g long, and the largest body that moves %.3g: is the file in millimetres? Add \"scale\": 0.001, "
                          "or \"scale\": 1",
                          wall->name, length_of(&wall->def), largest);
        }
    }
    return status;
}
