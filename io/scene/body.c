/*
 * Reads materials and bodies. A mesh whose pieces are bodies gives one body for each piece: the origin of the piece's shape is its centroid, and its pose puts
 * the piece at its place in the mesh. The pieces start with the motion of the whole mesh, which rotates about the common centroid. A body with a "fill" gives
 * one body for each place, one with an "inlet" one for each body that comes.
 */
#include "io/scene/body.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <abut/mesh.h>

#include "io/file/grow.h"
#include "io/file/nearest_name.h"
#include "io/scene/body/filter.h"
#include "io/scene/body/material_pairs.h"
#include "io/scene/body/own_mass.h"
#include "io/scene/check/fit.h"
#include "io/scene/data.h"
#include "io/scene/deform.h"
#include "io/scene/body/cell.h"
#include "io/scene/dem.h"
#include "io/scene/grain/fill.h"
#include "io/scene/grain/inlet.h"
#include "io/scene/process/motion.h"
#include "io/scene/process/servo.h"
#include "io/scene/shape.h"

enum { WHAT_SIZE = 320 };

static const char *const kind_names[] = {"dynamic", "static", "kinematic", NULL};
static const abut_body_kind kinds[] = {ABUT_BODY_DYNAMIC, ABUT_BODY_STATIC, ABUT_BODY_KINEMATIC};

static abut_status read_rolling(const scene_reader *reader, const scene_place *place, const char *what, abut_body_def *def) {
    const number_key numbers[] = {{"rolling_friction", NUMBER_NOT_NEGATIVE, &def->rolling_friction},
                                  {"spinning_friction", NUMBER_NOT_NEGATIVE, &def->spinning_friction},
                                  {"rolling_resistance", NUMBER_NOT_NEGATIVE, &def->rolling_resistance},
                                  {"twisting_resistance", NUMBER_NOT_NEGATIVE, &def->twisting_resistance}};
    for (size_t i = 0; i < 2; i++) {
        scene_place key;
        if (reader->scene->world.stepper == ABUT_STEPPER_DEM && read_member(place, numbers[i].key, &key)) {
            return read_fail_as(reader, ABUT_ERROR_UNSUPPORTED, &key, true, "%s: the dem stepper has no '%s', but '%s', a coefficient",
                                what, numbers[i].key, numbers[i + 2].key);
        }
    }
    return read_number_keys(reader, place, numbers, sizeof numbers / sizeof *numbers);
}

static abut_status read_material(const scene_reader *reader, const scene_place *place, const char *what, abut_body_def *def) {
    abut_status status = read_object(reader, place, SCENE_MATERIAL, what);
    if (status == ABUT_OK) {
        status = read_number(reader, place, "density", NUMBER_POSITIVE, &def->density);
    }
    if (status == ABUT_OK) {
        status = read_number(reader, place, "friction", NUMBER_NOT_NEGATIVE, &def->friction);
    }
    if (status == ABUT_OK) {
        status = read_number(reader, place, "restitution", NUMBER_UNIT, &def->restitution);
    }
    if (status == ABUT_OK) {
        status = read_rolling(reader, place, what, def);
    }
    if (status == ABUT_OK) {
        status = scene_dem_read_material(reader, place, def);
    }
    if (status == ABUT_OK) {
        status = read_number(reader, place, "linear_damping", NUMBER_NOT_NEGATIVE, &def->linear_damping);
    }
    if (status == ABUT_OK) {
        status = read_number(reader, place, "angular_damping", NUMBER_NOT_NEGATIVE, &def->angular_damping);
    }
    return status;
}

abut_status scene_check_materials(scene_reader *reader) {
    if (!reader->materials.value) {
        return ABUT_OK;
    }
    if (!json_is_object(reader->materials.value)) {
        return read_fail(reader, &reader->materials, "'materials' must be an object, not %s", read_type_name(reader->materials.value));
    }
    const char *name;
    json_t *value;
    json_object_foreach(reader->materials.value, name, value) {
        char what[WHAT_SIZE];
        snprintf(what, sizeof what, "material '%s'", name);
        scene_place place = {{&reader->materials.step, name, 0}, value};
        abut_body_def unused = abut_body_def_default();
        abut_status status = read_material(reader, &place, what, &unused);
        if (status != ABUT_OK) {
            return status;
        }
    }
    return ABUT_OK;
}

/* Copies the values of the material that a string names. The material was checked before. */
static abut_status use_material_at(const scene_reader *reader, const scene_place *place, const char *what, abut_body_def *def) {
    const char *name = json_string_value(place->value);
    scene_place material;
    if (reader->materials.value && read_member(&reader->materials, name, &material)) {
        def->substance = scene_material_number(reader, name);
        return read_material(reader, &material, what, def);
    }
    return scene_unknown_material(reader, place, what);
}

static abut_status use_material(const scene_reader *reader, const scene_place *body, const char *what, abut_body_def *def) {
    const char *name = NULL;
    abut_status status = read_string(reader, body, "material", &name);
    scene_place place;
    return status == ABUT_OK && read_member(body, "material", &place) ? use_material_at(reader, &place, what, def) : status;
}

/* Reads the materials of the parts or triangles. *surfaces is to be freed; NULL without the key. */
static abut_status read_surfaces(const scene_reader *reader, const scene_place *body, const char *what, const abut_shape *shape,
                                 abut_surface **surfaces, int32_t *count) {
    scene_place list;
    if (!read_member(body, "surfaces", &list)) {
        return ABUT_OK;
    }
    if (reader->scene->world.stepper != ABUT_STEPPER_FIXED) {
        return read_fail_as(reader, ABUT_ERROR_UNSUPPORTED, &list, true, "%s: only the fixed stepper has 'surfaces'", what);
    }
    abut_status status = read_array(reader, &list, 0, "surfaces");
    if (status != ABUT_OK) {
        return status;
    }
    abut_kind kind = abut_shape_kind(shape);
    int32_t expected = kind == ABUT_SHAPE_COMPOUND  ? abut_shape_part_count(shape)
                       : kind == ABUT_SHAPE_TRIMESH ? abut_shape_triangle_count(shape)
                                                    : 0;
    if (expected == 0) {
        return read_fail_as(reader, ABUT_ERROR_FORMAT, &list, true, "%s: only a compound, a trimesh and a heightfield have 'surfaces'",
                            what);
    }
    if (json_array_size(list.value) != (size_t)expected) {
        return read_fail(reader, &list, "%s: 'surfaces' has %zu materials, but the shape has %d parts or triangles", what,
                         json_array_size(list.value), (int)expected);
    }
    *surfaces = calloc((size_t)expected, sizeof **surfaces);
    if (!*surfaces) {
        return read_no_memory(reader);
    }
    for (int32_t i = 0; i < expected && status == ABUT_OK; i++) {
        scene_place name = read_element(&list, (size_t)i);
        abut_body_def def = abut_body_def_default();
        status = json_is_string(name.value)
                     ? use_material_at(reader, &name, what, &def)
                     : read_fail(reader, &name, "%s: 'surfaces' must be names of materials, not %s", what, read_type_name(name.value));
        (*surfaces)[i] = (abut_surface){def.friction, def.restitution, def.rolling_friction, def.spinning_friction, def.substance};
    }
    *count = expected;
    return status;
}

/* Refuses a key that has no meaning for the body's kind. */
static abut_status refuse_key(const scene_reader *reader, const scene_place *body, const char *what, const char *key, const char *kind) {
    scene_place place;
    if (!read_member(body, key, &place)) {
        return ABUT_OK;
    }
    return read_fail_as(reader, ABUT_ERROR_FORMAT, &place, true, "%s is %s and has no '%s'", what, kind, key);
}

/* Reads "density" or "mass". */
static abut_status read_mass(const scene_reader *reader, const scene_place *body, const char *what, abut_body_def *def) {
    scene_place mass;
    if (read_member(body, "mass", &mass) && json_object_get(body->value, "density")) {
        return read_fail_as(reader, ABUT_ERROR_FORMAT, &mass, true, "%s has both 'density' and 'mass'", what);
    }
    abut_status status = read_number(reader, body, "density", NUMBER_POSITIVE, &def->density);
    return status == ABUT_OK ? read_number(reader, body, "mass", NUMBER_POSITIVE, &def->mass) : status;
}

/* The motion of the surface along itself. */
static abut_status read_belt(const scene_reader *reader, const scene_place *body, const char *what, abut_motion *belt) {
    static const char *const keys[] = {"surface_velocity", "surface_angular_velocity"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        scene_place place;
        if (read_member(body, keys[i], &place) && reader->scene->world.stepper == ABUT_STEPPER_DEM) {
            return read_fail_as(reader, ABUT_ERROR_UNSUPPORTED, &place, true, "%s: the dem stepper has no '%s'", what, keys[i]);
        }
    }
    abut_status status = read_vec3(reader, body, keys[0], &belt->linear);
    return status == ABUT_OK ? read_vec3(reader, body, keys[1], &belt->angular) : status;
}

/* Reads all keys except name and shape. */
static abut_status read_properties(const scene_reader *reader, const scene_place *place, const char *what, abut_body_def *def) {
    int kind = 0;
    abut_status status = read_choice(reader, place, "kind", kind_names, &kind);
    def->kind = kinds[kind];
    if (status == ABUT_OK && def->kind != ABUT_BODY_DYNAMIC) {
        status = refuse_key(reader, place, what, "mass", kind_names[kind]);
    }
    if (status == ABUT_OK && def->kind != ABUT_BODY_DYNAMIC) {
        status = refuse_key(reader, place, what, "density", kind_names[kind]);
    }
    if (status == ABUT_OK && def->kind == ABUT_BODY_STATIC) {
        status = refuse_key(reader, place, what, "velocity", kind_names[kind]);
    }
    if (status == ABUT_OK && def->kind == ABUT_BODY_STATIC) {
        status = refuse_key(reader, place, what, "angular_velocity", kind_names[kind]);
    }
    if (status == ABUT_OK) {
        status = read_pose(reader, place, &def->pose);
    }
    if (status == ABUT_OK) {
        status = read_vec3(reader, place, "velocity", &def->motion.linear);
    }
    if (status == ABUT_OK) {
        status = read_vec3(reader, place, "angular_velocity", &def->motion.angular);
    }
    if (status == ABUT_OK) {
        status = use_material(reader, place, what, def);
    }
    if (status == ABUT_OK) {
        status = read_mass(reader, place, what, def);
    }
    if (status == ABUT_OK) {
        status = read_number(reader, place, "friction", NUMBER_NOT_NEGATIVE, &def->friction);
    }
    if (status == ABUT_OK) {
        status = read_number(reader, place, "restitution", NUMBER_UNIT, &def->restitution);
    }
    if (status == ABUT_OK) {
        status = read_rolling(reader, place, what, def);
    }
    if (status == ABUT_OK) {
        status = read_bool(reader, place, "continuous", &def->continuous);
    }
    if (status == ABUT_OK) {
        status = scene_read_filter(reader, place, what, &def->filter);
    }
    if (status == ABUT_OK) {
        status = read_bool(reader, place, "sensor", &def->sensor);
    }
    if (status == ABUT_OK) {
        status = read_belt(reader, place, what, &def->surface_velocity);
    }
    return status;
}

/* A dynamic body needs finite, positive mass and inertia. */
static abut_status check_mass(const scene_reader *reader, const scene_place *place, const char *what, const abut_body_def *def) {
    if (def->kind != ABUT_BODY_DYNAMIC) {
        return ABUT_OK;
    }
    if (abut_shape_kind(def->shape) == ABUT_SHAPE_PLANE) {
        return read_fail(reader, place, "%s: a plane is unbounded and cannot be dynamic; make it \"kind\": \"static\"", what);
    }
    abut_mass mass = {0};
    abut_status status = abut_shape_mass(def->shape, def->density, &mass);
    if (status == ABUT_ERROR_NOT_CLOSED) {
        return read_fail_as(reader, status, place, false,
                            "%s: its mesh is open or inside out, so it has no mass and cannot be dynamic; close it, or make the body "
                            "\"kind\": \"static\"",
                            what);
    }
    double total = def->mass > 0.0 ? def->mass : mass.mass;
    double least_inertia = fmin(mass.inertia.x.x, fmin(mass.inertia.y.y, mass.inertia.z.z)) * (total / mass.mass);
    if (status != ABUT_OK || !isfinite(total) || !(total > 0.0) || !isfinite(1.0 / total) || !isfinite(1.0 / least_inertia)) {
        return read_fail(reader, place, "%s: its mass %g or its inertia is outside the range of double precision", what, total);
    }
    return ABUT_OK;
}

/* Adds a body. Takes ownership of `name` and retains the shape of `def`. `place` is the place of the name. */
static abut_status add_body(scene_reader *reader, const scene_place *place, const char *what, char *name, const abut_body_def *def) {
    abut_scene *scene = reader->scene;
    json_t *other = json_object_get(scene->body_indices, name);
    if (other) {
        free(name);
        return read_fail(reader, place, "%s: another body has the same name", what);
    }
    if (!grow_array(&scene->bodies, &scene->body_capacity, (size_t)scene->body_count + 1, INT32_MAX, sizeof *scene->bodies)) {
        free(name);
        return read_no_memory(reader);
    }
    if (json_object_set_new(scene->body_indices, name, json_integer(scene->body_count)) != 0) {
        free(name);
        return read_no_memory(reader);
    }
    abut_surface *surfaces = NULL;
    if (def->surfaces) {
        surfaces = malloc((size_t)def->surface_count * sizeof *surfaces);
        if (!surfaces) {
            free(name);
            return read_no_memory(reader);
        }
        memcpy(surfaces, def->surfaces, (size_t)def->surface_count * sizeof *surfaces);
    }
    scene_body *body = &scene->bodies[scene->body_count];
    *body = (scene_body){name, *def, reader->element, reader->deform, reader->cell, reader->inlet, reader->motion, NULL, NULL};
    body->def.shape = abut_shape_retain(def->shape);
    body->def.surfaces = body->surfaces = surfaces;
    body->def.user = (uint64_t)scene->body_count++;
    return ABUT_OK;
}

/* Computes the volume of all pieces and their common centroid in the frame of the mesh. */
static void pieces_mass(const abut_mesh_pieces *pieces, double *volume, abut_vec3 *centre) {
    *volume = 0.0;
    *centre = abut_vec3_make(0, 0, 0);
    for (int32_t i = 0; i < pieces->count; i++) {
        abut_mass mass = {0};
        abut_shape_mass(pieces->pieces[i].shape, 1.0, &mass);
        *volume += mass.volume;
        *centre = abut_add_scaled(*centre, mass.volume, abut_add(pieces->pieces[i].offset, mass.centre));
    }
    *centre = abut_scale(1.0 / *volume, *centre);
}

/* Adds a body for each piece of the mesh. `place` is the place of the name of the whole. */
static abut_status add_pieces(scene_reader *reader, const scene_place *place, const char *name, const abut_mesh_pieces *pieces,
                              const abut_body_def *whole) {
    double volume;
    abut_vec3 centre;
    pieces_mass(pieces, &volume, &centre);
    for (int32_t i = 0; i < pieces->count; i++) {
        const abut_mesh_piece *piece = &pieces->pieces[i];
        abut_mass mass = {0};
        abut_shape_mass(piece->shape, 1.0, &mass);
        abut_body_def def = *whole;
        def.shape = piece->shape;
        def.pose = abut_pose_compose(whole->pose, (abut_pose){piece->offset, abut_quat_identity()});
        def.mass = whole->mass > 0.0 ? whole->mass * (mass.volume / volume) : 0.0;
        abut_vec3 arm = abut_quat_rotate(whole->pose.rotation, abut_sub(abut_add(piece->offset, mass.centre), centre));
        def.motion.linear = abut_add(whole->motion.linear, abut_cross(whole->motion.angular, arm));

        size_t size = strlen(name) + strlen(piece->name) + 2;
        char *full = malloc(size);
        if (!full) {
            return read_no_memory(reader);
        }
        snprintf(full, size, "%s.%s", name, piece->name);
        char what[WHAT_SIZE];
        snprintf(what, sizeof what, "body '%s'", full);
        abut_status status = scene_check_shape(reader, place, what, def.kind, def.shape);
        if (status == ABUT_OK) {
            status = check_mass(reader, place, what, &def);
        }
        if (status != ABUT_OK) {
            free(full);
            return status;
        }
        status = add_body(reader, place, what, full, &def);
        if (status != ABUT_OK) {
            return status;
        }
    }
    return ABUT_OK;
}

/* Where a body has its name, its shape, and the "fill" or "inlet" that makes it many; the key of the latter. */
typedef struct many_places {
    scene_place name, shape, many;
    const char *key; /* NULL for a body that is one */
} many_places;

/* Adds the bodies of a fill or an inlet, named BODY.1, BODY.2 and so on. */
static abut_status add_many(scene_reader *reader, const many_places *places, const char *what, const char *name, const abut_body_def *whole,
                            bool turned) {
    grain_body *bodies = NULL;
    int32_t count = 0;
    bool comes = strcmp(places->key, "inlet") == 0;
    abut_status status = comes ? inlet_read(reader, &places->many, what, name, whole, turned, &bodies, &count)
                               : fill_read(reader, &places->many, what, whole, turned, &bodies, &count);
    reader->inlet = comes && status == ABUT_OK ? reader->scene->inlet_count - 1 : -1;
    for (int32_t i = 0; i < count && status == ABUT_OK; i++) {
        abut_body_def def = *whole;
        def.shape = bodies[i].shape;
        def.pose = bodies[i].pose;
        size_t size = strlen(name) + 16;
        char *full = malloc(size);
        if (!full) {
            status = read_no_memory(reader);
            break;
        }
        snprintf(full, size, "%s.%d", name, (int)i + 1);
        char full_what[WHAT_SIZE];
        snprintf(full_what, sizeof full_what, "body '%s'", full);
        status = check_mass(reader, &places->shape, full_what, &def);
        if (status != ABUT_OK) {
            free(full);
            break;
        }
        status = add_body(reader, &places->name, full_what, full, &def);
    }
    reader->inlet = -1;
    grains_release(bodies, count);
    return status;
}

static abut_status add_single(scene_reader *reader, const many_places *places, const char *what, const char *name,
                              const abut_body_def *def) {
    abut_status status = scene_check_shape(reader, &places->shape, what, def->kind, def->shape);
    if (status == ABUT_OK) {
        status = check_mass(reader, &places->shape, what, def);
    }
    if (status != ABUT_OK) {
        return status;
    }
    char *copy = strdup(name);
    return copy ? add_body(reader, &places->name, what, copy, def) : read_no_memory(reader);
}

/* Finds "fill" or "inlet", and refuses what does not go with them. */
static abut_status read_many(const scene_reader *reader, const scene_place *body, const char *what, const abut_body_def *def,
                             many_places *places) {
    scene_place fill;
    bool fills = read_member(body, "fill", &fill), comes = read_member(body, "inlet", &places->many);
    places->key = comes ? "inlet" : fills ? "fill" : NULL;
    if (fills && comes) {
        return read_fail_as(reader, ABUT_ERROR_FORMAT, &places->many, true, "%s has both 'fill' and 'inlet'", what);
    }
    places->many = fills ? fill : places->many;
    if (comes && def->kind != ABUT_BODY_DYNAMIC) {
        return read_fail_as(reader, ABUT_ERROR_FORMAT, &places->many, true, "%s: only dynamic bodies come through an 'inlet'", what);
    }
    if (comes && json_object_get(body->value, "deform")) {
        return read_fail_as(reader, ABUT_ERROR_FORMAT, &places->many, true, "%s: bodies that deform cannot come through an 'inlet'", what);
    }
    return !places->key ? ABUT_OK : refuse_key(reader, body, what, "position", comes ? "placed by its 'inlet'" : "placed by its 'fill'");
}

/* Adds what the shape of the body makes of it: one body, the pieces of a mesh, or many bodies. */
static abut_status add_shaped(scene_reader *reader, const scene_place *place, const many_places *places, const char *what, const char *name,
                              const scene_shape *shape, abut_body_def *def) {
    abut_surface *surfaces = NULL;
    bool turned = json_object_get(place->value, "rotation") != NULL;
    def->shape = shape->shape;
    abut_status status = scene_read_deform(reader, place, what, def);
    status = status == ABUT_OK ? scene_read_cell(reader, place, what, def) : status;
    status = status == ABUT_OK ? scene_read_motion(reader, place, what, def) : status;
    status = status == ABUT_OK ? scene_read_servo(reader, place, what, name, def, !shape->pieces && !places->key) : status;
    status =
        status == ABUT_OK ? read_surfaces(reader, place, what, shape->pieces ? NULL : def->shape, &surfaces, &def->surface_count) : status;
    def->surfaces = surfaces;
    if (status != ABUT_OK) {
        /* The failure is reported already. */
    } else if (places->key && shape->pieces) {
        status = read_fail_as(reader, ABUT_ERROR_FORMAT, &places->many, true, "%s: a mesh whose pieces are bodies cannot %s", what,
                              strcmp(places->key, "fill") == 0 ? "fill a region" : "come through an 'inlet'");
    } else if (places->key) {
        status = scene_check_shape(reader, &places->shape, what, def->kind, def->shape);
        status = status == ABUT_OK ? add_many(reader, places, what, name, def, turned) : status;
    } else {
        status = shape->pieces ? add_pieces(reader, &places->name, name, shape->pieces, def) : add_single(reader, places, what, name, def);
    }
    free(surfaces);
    return status;
}

static abut_status read_body(scene_reader *reader, const scene_place *place, size_t index) {
    /* The name is read first, because messages about other keys contain it. */
    char what[WHAT_SIZE];
    json_t *name = json_object_get(place->value, "name");
    if (json_is_string(name)) {
        snprintf(what, sizeof what, "body '%s'", json_string_value(name));
    } else {
        snprintf(what, sizeof what, "body %zu", index);
    }
    abut_status status = read_object(reader, place, SCENE_BODY, what);
    const char *string = NULL;
    if (status == ABUT_OK) {
        status = read_string(reader, place, "name", &string);
    }
    if (status != ABUT_OK) {
        return status;
    }
    many_places places = {.key = NULL};
    read_member(place, "name", &places.name);
    read_member(place, "shape", &places.shape);
    if (string[0] == '\0') {
        return read_fail(reader, &places.name, "the name of body %zu is empty", index);
    }
    abut_body_def def = abut_body_def_default();
    status = read_properties(reader, place, what, &def);
    status = status == ABUT_OK ? read_many(reader, place, what, &def, &places) : status;
    if (status != ABUT_OK) {
        return status;
    }
    char shape_what[WHAT_SIZE + 16];
    snprintf(shape_what, sizeof shape_what, "shape of %s", what);
    scene_shape shape = {0};
    status = scene_read_shape(reader, &places.shape, shape_what, &shape);
    status = status == ABUT_OK ? scene_read_own_mass(reader, place, what, &def, &shape) : status;
    if (status == ABUT_OK) {
        status = add_shaped(reader, place, &places, what, string, &shape, &def);
    }
    scene_release_shape(&shape);
    return status;
}

abut_status scene_read_bodies(scene_reader *reader) {
    scene_place bodies;
    read_member(&reader->root, "bodies", &bodies);
    abut_status status = read_array(reader, &bodies, 1, "bodies");
    status = status == ABUT_OK ? scene_find_categories(reader) : status;
    for (size_t i = 0; status == ABUT_OK && i < json_array_size(bodies.value); i++) {
        scene_place body = read_element(&bodies, i);
        reader->element = (int32_t)i;
        reader->inlet = -1;
        status = read_body(reader, &body, i);
    }
    return status;
}

abut_status scene_body_at(const scene_reader *reader, const scene_place *place, int32_t *index) {
    const abut_scene *scene = reader->scene;
    const char *name = json_string_value(place->value);
    if (name == NULL) {
        return read_fail(reader, place, "a body is named by a string, not by %s", read_type_name(place->value));
    }
    *index = abut_scene_find_body(scene, name);
    if (*index >= 0) {
        return scene->bodies[*index].inlet < 0
                   ? ABUT_OK
                   : read_fail(reader, place,
                               "body '%s' comes through an inlet; only bodies that are there from the beginning can be named", name);
    }
    nearest_name nearest = {.mistyped = name};
    for (int32_t i = 0; i < scene->body_count; i++) {
        nearest_offer(&nearest, scene->bodies[i].name);
    }
    char hint[128];
    return read_fail(reader, place, "unknown body '%s'%s", name, nearest_hint(&nearest, hint, sizeof hint));
}

abut_status scene_named_body(const scene_reader *reader, const scene_place *object, const char *key, int32_t *index) {
    const char *name = NULL;
    abut_status status = read_string(reader, object, key, &name);
    scene_place place;
    return status == ABUT_OK && read_member(object, key, &place) ? scene_body_at(reader, &place, index) : status;
}
