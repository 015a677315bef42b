/*
 * Reads shapes. A named shape is built at its first use, which may be in a compound before its turn in the list of shapes. A shape that is used while it is
 * being built contains itself.
 */
#include "io/scene/shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/grow.h"
#include "io/file/nearest_name.h"
#include "io/scene/data.h"
#include "io/scene/facetmesh.h"
#include "io/scene/shapes/formula.h"
#include "io/scene/mesh_source.h"
#include "io/scene/shapes/polytope.h"
#include "io/scene/simple_shape.h"
#include "io/scene/trimesh.h"

typedef enum build_state { NOT_BUILT, BEING_BUILT, BUILT } build_state;

typedef struct scene_named_shape {
    const char *name;
    json_t *value;
    build_state state;
    scene_shape shape;
} scene_named_shape;

enum {
    WHAT_SIZE = 320,      /* longest name in messages */
    DEEPEST = 64,         /* nesting of compounds; otherwise a chain of names could exhaust the stack */
    MOST_WARNINGS = 8,    /* of contraction points without an effect */
    MOST_PARTS = 1 << 20, /* parts of a compound; otherwise names that double each other could exhaust the memory */
};

typedef abut_status shape_reader(scene_reader *reader, const scene_place *place, const char *what, scene_shape *out);

void scene_release_shape(scene_shape *shape) {
    abut_shape_release(shape->shape);
    abut_mesh_destroy(shape->owned);
    *shape = (scene_shape){0};
}

abut_status scene_take_shape(const scene_reader *reader, const scene_place *place, const char *what, abut_status status,
                             const abut_shape *shape, scene_shape *out) {
    if (status == ABUT_ERROR_INVALID_ARGUMENT || status == ABUT_ERROR_NOT_FINITE) {
        /* All numbers are in their ranges, so only the range of double precision remains as the reason. */
        return read_fail(reader, place, "%s: its sizes are outside the range of double precision", what);
    }
    if (status != ABUT_OK) {
        return read_fail_as(reader, status, place, false, "%s: %s", what, abut_status_message(status));
    }
    *out = (scene_shape){.shape = shape};
    return ABUT_OK;
}

typedef struct part_list {
    abut_part *parts; /* each holds a reference to its shape */
    int32_t count;
    size_t capacity;
} part_list;

static void part_list_release(part_list *list) {
    for (int32_t i = 0; i < list->count; i++) {
        abut_shape_release(list->parts[i].shape);
    }
    free(list->parts);
}

/* Adds the parts of a shape, posed in the frame of the whole. A compound within a compound is flattened. */
static abut_status part_list_add(const scene_reader *reader, const scene_place *place, part_list *list, const abut_shape *shape,
                                 abut_pose pose) {
    int32_t count = abut_shape_part_count(shape);
    if (count > MOST_PARTS - list->count) {
        return read_fail(reader, place, "a compound must not have more than %d parts", MOST_PARTS);
    }
    if (!grow_array(&list->parts, &list->capacity, (size_t)(list->count + count), MOST_PARTS, sizeof *list->parts)) {
        return read_no_memory(reader);
    }
    for (int32_t i = 0; i < count; i++) {
        abut_part part;
        abut_shape_part(shape, i, &part);
        list->parts[list->count++] = (abut_part){abut_shape_retain(part.shape), abut_pose_compose(pose, part.pose)};
    }
    return ABUT_OK;
}

static abut_status read_part(scene_reader *reader, const scene_place *place, const char *what, part_list *list) {
    abut_status status = read_object(reader, place, SCENE_PART, what);
    if (status != ABUT_OK) {
        return status;
    }
    abut_pose pose = abut_pose_identity();
    status = read_pose(reader, place, &pose);
    if (status != ABUT_OK) {
        return status;
    }
    scene_shape shape = {0};
    scene_place member;
    abut_vec3 top;
    read_member(place, "shape", &member);
    status = scene_read_shape(reader, &member, what, &shape);
    if (status != ABUT_OK) {
        return status;
    }
    if (shape.pieces) {
        status = read_fail(reader, &member, "%s: a mesh whose pieces are bodies cannot be part of a compound", what);
    } else if (abut_shape_kind(shape.shape) == ABUT_SHAPE_PLANE) {
        status = read_fail(reader, &member, "%s: a plane is unbounded and cannot be part of a compound", what);
    } else if (abut_shape_kind(shape.shape) == ABUT_SHAPE_TRIMESH) {
        status = read_fail(reader, &member, "%s: a triangle mesh is not convex and cannot be part of a compound", what);
    } else if (abut_shape_kind(shape.shape) == ABUT_SHAPE_FACETMESH) {
        status = read_fail(reader, &member, "%s: a body of rounded triangles cannot be part of a compound", what);
    } else if (abut_shape_support(shape.shape, abut_vec3_make(0, 0, 1), &top, NULL) == ABUT_ERROR_NOT_CONVEX) {
        status = read_fail(reader, &member, "%s: a smooth body that is not convex cannot be part of a compound", what);
    } else {
        status = part_list_add(reader, &member, list, shape.shape, pose);
    }
    scene_release_shape(&shape);
    return status;
}

static abut_status read_compound(scene_reader *reader, const scene_place *place, const char *what, scene_shape *out) {
    if (reader->depth == DEEPEST) {
        return read_fail(reader, place, "%s: compounds are nested more than %d deep", what, DEEPEST);
    }
    reader->depth++;
    abut_status status = read_array(reader, place, 1, "compound");
    part_list list = {0};
    for (size_t i = 0; status == ABUT_OK && i < json_array_size(place->value); i++) {
        char part[WHAT_SIZE];
        snprintf(part, sizeof part, "part %zu of %s", i, what);
        scene_place element = read_element(place, i);
        status = read_part(reader, &element, part, &list);
    }
    if (status == ABUT_OK) {
        abut_shape *shape = NULL;
        status = abut_shape_create_compound(list.parts, list.count, &shape);
        status = scene_take_shape(reader, place, what, status, shape, out);
    }
    part_list_release(&list);
    reader->depth--;
    return status;
}

/* Makes one shape of all pieces: a compound, or the piece itself when there is only one. */
static abut_status join_pieces(const scene_reader *reader, const scene_place *place, const char *what, const abut_mesh_pieces *pieces,
                               scene_shape *out) {
    if (pieces->count == 1) {
        *out = (scene_shape){.shape = abut_shape_retain(pieces->pieces[0].shape)};
        return ABUT_OK;
    }
    part_list list = {0};
    abut_status status = ABUT_OK;
    for (int32_t i = 0; status == ABUT_OK && i < pieces->count; i++) {
        status = part_list_add(reader, place, &list, pieces->pieces[i].shape, abut_pose_identity());
    }
    if (status == ABUT_OK) {
        abut_shape *shape = NULL;
        status = abut_shape_create_compound(list.parts, list.count, &shape);
        status = scene_take_shape(reader, place, what, status, shape, out);
    }
    part_list_release(&list);
    return status;
}

typedef enum pieces_choice { PIECES_COMPOUND, PIECES_HULL, PIECES_BODIES } pieces_choice;

static const char *const pieces_names[] = {"compound", "hull", "bodies", NULL};

/* Reads the keys of a mesh, except its file. */
static abut_status read_mesh_options(const scene_reader *reader, const scene_place *place, const char *what, abut_mesh_options *options,
                                     pieces_choice *choice) {
    int index = PIECES_COMPOUND;
    *options = abut_mesh_options_default();
    options->hull_hint = "\"hull\": true";
    options->tolerance_hint = "\"tolerance\"";
    options->trimesh_hint = "\"trimesh\" in place of \"mesh\"";
    abut_status status = read_object(reader, place, SCENE_MESH, what);
    if (status == ABUT_OK) {
        status = read_choice(reader, place, "pieces", pieces_names, &index);
    }
    if (status == ABUT_OK) {
        status = read_bool(reader, place, "hull", &options->hull);
    }
    if (status == ABUT_OK) {
        status = read_string(reader, place, "piece", &options->piece);
    }
    if (status == ABUT_OK) {
        status = read_number(reader, place, "scale", NUMBER_POSITIVE, &options->scale);
    }
    if (status == ABUT_OK) {
        status = read_number(reader, place, "tolerance", NUMBER_UNIT, &options->tolerance);
    }
    *choice = (pieces_choice)index;
    options->whole = *choice == PIECES_HULL;
    options->centred = *choice == PIECES_BODIES;
    return status;
}

static abut_status read_mesh(scene_reader *reader, const scene_place *place, const char *what, scene_shape *out) {
    abut_mesh_options options;
    pieces_choice choice;
    char *path = NULL;
    abut_status status = read_mesh_options(reader, place, what, &options, &choice);
    if (status == ABUT_OK) {
        status = scene_read_mesh_path(reader, place, &path);
    }
    if (status != ABUT_OK) {
        return status;
    }
    abut_mesh_pieces *pieces = NULL;
    abut_error error = {0};
    status = abut_mesh_load(path, &options, &pieces, &error);
    free(path);
    if (status != ABUT_OK) {
        return scene_mesh_refused(reader, place, what, status, &error);
    }
    if (choice == PIECES_BODIES) {
        *out = (scene_shape){.pieces = pieces, .owned = pieces};
        return ABUT_OK;
    }
    status = join_pieces(reader, place, what, pieces, out);
    abut_mesh_destroy(pieces);
    return status;
}

static abut_status read_kind(scene_reader *reader, const scene_place *place, const scene_place *member, const char *what,
                             scene_shape *out) {
    static const struct {
        const char *key;
        shape_reader *read;
    } kinds[] = {{"hull", scene_read_hull},
                 {"polytope", scene_read_polytope},
                 {"compound", read_compound},
                 {"mesh", read_mesh},
                 {"trimesh", scene_read_trimesh},
                 {"facetmesh", scene_read_facetmesh},
                 {"implicit", scene_read_implicit},
                 {"parametric", scene_read_parametric},
                 {"heightfield", scene_read_heightfield}};
    if (scene_is_simple_shape(member->step.key)) {
        return scene_read_simple_shape(reader, member, what, out);
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(member->step.key, kinds[i].key) == 0) {
            return kinds[i].read(reader, member, what, out);
        }
    }
    return read_fail(reader, place, "%s has an unknown kind", what);
}

/* The point has an effect only on the normal of the growth distance. */
static abut_status warn_of_contraction(scene_reader *reader, const scene_place *place) {
    const abut_world_def *world = &reader->scene->world;
    bool matters = world->stepper == ABUT_STEPPER_FIXED && world->collide.normal == ABUT_NORMAL_GROWTH;
    if (matters || reader->idle_contractions == MOST_WARNINGS) {
        return ABUT_OK;
    }
    bool last = ++reader->idle_contractions == MOST_WARNINGS;
    return read_warn(reader, place, "'contraction' has an effect only with the fixed stepper and \"normal\": \"growth\"%s",
                     last ? "; more of the same are not told" : "");
}

/* Gives a shape the contraction point at `place`. */
static abut_status read_contraction(scene_reader *reader, const scene_place *place, const char *what, scene_shape *out) {
    abut_vec3 point;
    abut_shape *made = NULL;
    abut_status status = read_vec3_at(reader, place, "contraction", &point);
    if (status == ABUT_OK && out->shape == NULL) {
        status = read_fail(reader, place, "%s: a mesh whose pieces are bodies has no 'contraction' of its own", what);
    }
    if (status == ABUT_OK) {
        status = abut_shape_create_with_contraction(out->shape, point, &made);
        if (status == ABUT_ERROR_OUT_OF_MEMORY) {
            status = read_no_memory(reader);
        } else if (status != ABUT_OK) {
            status = read_fail(reader, place, "%s: 'contraction' must be a point strictly inside a bounded convex shape", what);
        }
    }
    if (status == ABUT_OK) {
        abut_shape_release(out->shape);
        out->shape = made;
        status = warn_of_contraction(reader, place);
    }
    return status;
}

/* The key that names the kind of a shape. */
static const char *find_kind(const json_t *shape) {
    void *first = json_object_iter((json_t *)(uintptr_t)shape);
    bool other = first != NULL && strcmp(json_object_iter_key(first), "contraction") == 0;
    return json_object_iter_key(other ? json_object_iter_next((json_t *)(uintptr_t)shape, first) : first);
}

/* Reads a shape that is given in place: an object with one key, which is its kind, and perhaps a contraction point. */
static abut_status read_inline(scene_reader *reader, const scene_place *place, const char *what, scene_shape *out) {
    abut_status status = read_object(reader, place, SCENE_SHAPE, what);
    if (status != ABUT_OK) {
        return status;
    }
    scene_place member, contraction;
    bool contracted = read_member(place, "contraction", &contraction);
    size_t count = json_object_size(place->value) - contracted;
    if (count != 1) {
        return read_fail(reader, place, "%s must have exactly one key, its kind, not %zu", what, count);
    }
    read_member(place, find_kind(place->value), &member);
    status = read_kind(reader, place, &member, what, out);
    if (status == ABUT_OK && contracted) {
        status = read_contraction(reader, &contraction, what, out);
        if (status != ABUT_OK) {
            scene_release_shape(out);
        }
    }
    return status;
}

static abut_status build_named(scene_reader *reader, scene_named_shape *named) {
    char what[WHAT_SIZE];
    snprintf(what, sizeof what, "shape '%s'", named->name);
    scene_place place = {{&reader->shapes.step, named->name, 0}, named->value};
    named->state = BEING_BUILT;
    abut_status status = read_inline(reader, &place, what, &named->shape);
    named->state = BUILT;
    return status;
}

static abut_status unknown_shape(const scene_reader *reader, const scene_place *place, const char *what, const char *name) {
    nearest_name nearest = {.mistyped = name};
    for (size_t i = 0; i < json_object_size(reader->shapes.value); i++) {
        nearest_offer(&nearest, reader->named[i].name);
    }
    char hint[128];
    return read_fail(reader, place, "%s: unknown shape '%s'%s", what, name, nearest_hint(&nearest, hint, sizeof hint));
}

static abut_status read_by_name(scene_reader *reader, const scene_place *place, const char *what, scene_shape *out) {
    const char *name = json_string_value(place->value);
    scene_named_shape *named = NULL;
    for (size_t i = 0; !named && i < json_object_size(reader->shapes.value); i++) {
        named = strcmp(reader->named[i].name, name) == 0 ? &reader->named[i] : NULL;
    }
    if (!named) {
        return unknown_shape(reader, place, what, name);
    }
    if (named->state == BEING_BUILT) {
        return read_fail(reader, place, "%s: shape '%s' contains itself", what, name);
    }
    if (named->state == NOT_BUILT) {
        abut_status status = build_named(reader, named);
        if (status != ABUT_OK) {
            return status;
        }
    }
    *out = (scene_shape){.shape = abut_shape_retain(named->shape.shape), .pieces = named->shape.pieces};
    return ABUT_OK;
}

abut_status scene_read_shape(scene_reader *reader, const scene_place *place, const char *what, scene_shape *out) {
    if (json_is_string(place->value)) {
        return read_by_name(reader, place, what, out);
    }
    if (!json_is_object(place->value)) {
        return read_fail(reader, place, "%s must be the name of a shape or an object, not %s", what, read_type_name(place->value));
    }
    return read_inline(reader, place, what, out);
}

abut_status scene_build_shapes(scene_reader *reader) {
    if (!reader->shapes.value) {
        return ABUT_OK;
    }
    if (!json_is_object(reader->shapes.value)) {
        return read_fail(reader, &reader->shapes, "'shapes' must be an object, not %s", read_type_name(reader->shapes.value));
    }
    size_t count = json_object_size(reader->shapes.value), i = 0;
    reader->named = calloc(count + 1, sizeof *reader->named);
    if (!reader->named) {
        return read_no_memory(reader);
    }
    const char *name;
    json_t *value;
    json_object_foreach(reader->shapes.value, name, value) { reader->named[i++] = (scene_named_shape){.name = name, .value = value}; }
    for (i = 0; i < count; i++) {
        if (reader->named[i].state == NOT_BUILT) {
            abut_status status = build_named(reader, &reader->named[i]);
            if (status != ABUT_OK) {
                return status;
            }
        }
    }
    return ABUT_OK;
}

void scene_release_shapes(scene_reader *reader) {
    for (size_t i = 0; reader->named && i < json_object_size(reader->shapes.value); i++) {
        scene_release_shape(&reader->named[i].shape);
    }
    free(reader->named);
    reader->named = NULL;
}
