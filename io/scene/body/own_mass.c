#include "io/scene/body/own_mass.h"

#include "io/scene/data.h"

/* Three moments about the axes of the shape, or the three rows of the matrix. */
static abut_status read_inertia(const scene_reader *reader, const scene_place *place, abut_mat3 *inertia) {
    abut_status status = read_array(reader, place, 3, "inertia");
    if (status != ABUT_OK) {
        return status;
    }
    abut_vec3 row[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    if (!json_is_array(json_array_get(place->value, 0))) {
        abut_vec3 moments = {0, 0, 0};
        status = read_vec3_at(reader, place, "inertia", &moments);
        *inertia = abut_mat3_make(abut_vec3_make(moments.x, 0, 0), abut_vec3_make(0, moments.y, 0), abut_vec3_make(0, 0, moments.z));
        return status;
    }
    if (json_array_size(place->value) != 3) {
        return read_fail(reader, place, "'inertia' must be three moments or three rows, not %zu", json_array_size(place->value));
    }
    for (size_t i = 0; i < 3 && status == ABUT_OK; i++) {
        scene_place element = read_element(place, i);
        status = read_vec3_at(reader, &element, "a row of 'inertia'", &row[i]);
    }
    *inertia = abut_mat3_make(row[0], row[1], row[2]); /* symmetric: rows are columns */
    return status;
}

/* What is true of bodies of one shape each. */
static abut_status refuse(const scene_reader *reader, const scene_place *key, const scene_place *body, const char *what, const char *name,
                          const abut_body_def *def, const scene_shape *shape) {
    const char *why = def->kind != ABUT_BODY_DYNAMIC                     ? "is not dynamic"
                      : reader->scene->world.stepper == ABUT_STEPPER_DEM ? "moves by the dem stepper"
                      : shape->pieces != NULL                            ? "is a mesh whose pieces are bodies"
                      : json_object_get(body->value, "fill") != NULL || json_object_get(body->value, "inlet") != NULL
                          ? "stands for many bodies"
                      : abut_shape_kind(shape->shape) == ABUT_SHAPE_FACETMESH ? "is a facetmesh"
                                                                              : NULL;
    return why == NULL ? ABUT_OK : read_fail_as(reader, ABUT_ERROR_FORMAT, key, true, "%s %s and has no '%s'", what, why, name);
}

/* The distribution of the shape, at the scale of the body's mass. A mesh without an inside has none; a later check says so. */
static bool uniform_mass(const abut_body_def *def, const scene_shape *shape, abut_mass *mass) {
    double density = def->density;
    abut_mass unit;
    if (abut_shape_mass(shape->shape, 1.0, &unit) != ABUT_OK) {
        return false;
    }
    density = def->mass > 0.0 ? def->mass / unit.volume : density;
    return abut_shape_mass(shape->shape, density, mass) == ABUT_OK;
}

abut_status scene_read_own_mass(const scene_reader *reader, const scene_place *body, const char *what, const abut_body_def *def,
                                scene_shape *shape) {
    scene_place centre, inertia;
    bool moved = read_member(body, "mass_centre", &centre), given = read_member(body, "inertia", &inertia);
    if (!moved && !given) {
        return ABUT_OK;
    }
    abut_status status = moved ? refuse(reader, &centre, body, what, "mass_centre", def, shape) : ABUT_OK;
    status = status == ABUT_OK && given ? refuse(reader, &inertia, body, what, "inertia", def, shape) : status;
    if (status == ABUT_OK && given && !(def->mass > 0.0)) {
        status = read_fail_as(reader, ABUT_ERROR_FORMAT, &inertia, true, "%s has an 'inertia', which needs a 'mass'", what);
    }
    abut_mass mass;
    if (status != ABUT_OK || !uniform_mass(def, shape, &mass)) {
        return status;
    }
    status = moved ? read_vec3_at(reader, &centre, "mass_centre", &mass.centre) : ABUT_OK;
    status = status == ABUT_OK && given ? read_inertia(reader, &inertia, &mass.inertia) : status;
    abut_shape *made = NULL;
    abut_status made_status = status == ABUT_OK ? abut_shape_create_with_mass(shape->shape, &mass, &made) : status;
    if (status != ABUT_OK || made_status == ABUT_ERROR_OUT_OF_MEMORY) {
        return status != ABUT_OK ? status : read_no_memory(reader);
    }
    if (made_status != ABUT_OK) {
        return read_fail(
            reader, given ? &inertia : &centre,
            "%s: no body has this inertia: it must be symmetric and positive, and no principal moment above the sum of the other two",
            what);
    }
    abut_shape_release(shape->shape);
    shape->shape = made;
    return ABUT_OK;
}
