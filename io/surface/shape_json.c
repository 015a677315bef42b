/*
 * Recorded shapes as JSON. Arrays are flat: the three coordinates of each vertex follow each other.
 */
#include "io/surface/shape_json.h"

#include <math.h>

/* JSON has no infinity and no NaN. */
static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

static json_t *numbers(const double *values, size_t count) {
    json_t *array = json_array();
    for (size_t i = 0; i < count && array; i++) {
        if (json_array_append_new(array, number(values[i])) != 0) {
            json_decref(array);
            array = NULL;
        }
    }
    return array;
}

static json_t *integers(const int32_t *values, size_t count) {
    json_t *array = json_array();
    for (size_t i = 0; i < count && array; i++) {
        if (json_array_append_new(array, json_integer(values[i])) != 0) {
            json_decref(array);
            array = NULL;
        }
    }
    return array;
}

static json_t *vec3(abut_vec3 v) {
    const double values[] = {v.x, v.y, v.z};
    return numbers(values, 3);
}

static json_t *points(const abut_vec3 *vertices, int32_t count) {
    _Static_assert(sizeof(abut_vec3) == 3 * sizeof(double), "abut_vec3 is three packed doubles");
    return numbers(count > 0 ? &vertices[0].x : NULL, 3 * (size_t)count);
}

static json_t *parts(const abut_recorded_part *list, int32_t count) {
    json_t *array = json_array();
    for (int32_t i = 0; i < count && array; i++) {
        const abut_vec3 p = list[i].pose.position;
        const abut_quat q = list[i].pose.rotation;
        const double pose[] = {p.x, p.y, p.z, q.x, q.y, q.z, q.w};
        if (json_array_append_new(array, json_pack("{s:i, s:o}", "shape", (int)list[i].shape, "pose", numbers(pose, 7))) != 0) {
            json_decref(array);
            array = NULL;
        }
    }
    return array;
}

/* False when there is no memory. Takes ownership of the value in every case. */
static bool set(json_t *object, const char *key, json_t *value) { return json_object_set_new(object, key, value) == 0; }

static bool set_surface(json_t *object, const abut_recorded_shape *shape) {
    if (shape->vertex_count == 0) {
        return true;
    }
    size_t faces = (size_t)shape->face_count;
    size_t corners = shape->face_count > 0 ? (size_t)shape->face_first[shape->face_count] : 0;
    return set(object, "vertices", points(shape->vertices, shape->vertex_count)) &&
           set(object, "face_first", integers(shape->face_first, faces > 0 ? faces + 1 : 0)) &&
           set(object, "face_vertices", integers(shape->face_vertices, corners)) &&
           (!shape->radii || set(object, "radii", numbers(shape->radii, faces)));
}

static bool set_fields(json_t *object, const abut_recorded_shape *shape) {
    switch (shape->kind) {
    case ABUT_SHAPE_SPHERE:
        return set(object, "radius", number(shape->radius));
    case ABUT_SHAPE_CAPSULE:
        return set(object, "radius", number(shape->radius)) && set(object, "half_length", number(shape->half_length));
    case ABUT_SHAPE_CYLINDER:
    case ABUT_SHAPE_CONE:
        return set(object, "radius", number(shape->radius)) && set(object, "top_radius", number(shape->top_radius)) &&
               set(object, "height", number(shape->height)) && set_surface(object, shape);
    case ABUT_SHAPE_PLANE:
        return set(object, "normal", vec3(shape->normal)) && set(object, "offset", number(shape->offset));
    case ABUT_SHAPE_COMPOUND:
        return set(object, "parts", parts(shape->parts, shape->part_count));
    case ABUT_SHAPE_SUPERQUADRIC:
        return set(object, "semi_axes", vec3(shape->semi_axes)) && set(object, "exponents", numbers(shape->exponents, 2)) &&
               set_surface(object, shape);
    case ABUT_SHAPE_ELLIPSOID:
        return set(object, "semi_axes", vec3(shape->semi_axes)) && set_surface(object, shape);
    default:
        return set_surface(object, shape);
    }
}

json_t *shape_json(const abut_recorded_shape *shape) {
    json_t *object = shape ? json_object() : NULL;
    if (object && !(set(object, "kind", json_string(abut_kind_name(shape->kind))) && set_fields(object, shape))) {
        json_decref(object);
        object = NULL;
    }
    return object;
}
