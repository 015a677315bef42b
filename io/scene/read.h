#pragma once

#include <abut/math.h>
#include <jansson.h>

#include "io/file/error.h"
#include "io/scene/json_position.h"
#include "io/scene/keys.h"
#include "io/scene/scene.h"

/*
 * Reads and checks values of a scene's JSON. Messages give the position of the value.
 *
 * A scene_place is a value with the path to it. It lives on the caller's stack, and its parents live further up the same stack. Functions that take a key leave
 * *out unchanged when the key is absent, so callers set defaults first.
 */

typedef struct scene_place {
    position_step step;
    json_t *value; /* borrowed */
} scene_place;

/* A named shape, while the scene is read. */
struct scene_named_shape;

/* The bounding ball of a body of a fill. */
struct scatter_ball;

enum { SCENE_CATEGORIES = 64 };

/* The state while a scene is read. */
typedef struct scene_reader {
    const char *path; /* as it appears in messages */
    const char *text; /* the JSON */
    size_t length;
    abut_scene *scene;
    scene_place root;
    scene_place materials, shapes;   /* value NULL when the scene has none */
    json_t *material_numbers;        /* object: name to number, for pairs of materials; NULL when the scene has none */
    struct scene_named_shape *named; /* [json_object_size(shapes.value)] */
    int32_t depth;                   /* nesting depth of the compound being read */
    struct scatter_ball *filled;     /* [filled_count] of all fills so far */
    int32_t filled_count;
    int32_t coming_count;                     /* bodies of all inlets so far */
    const char *categories[SCENE_CATEGORIES]; /* [category_count] of bodies; the first is "default" */
    int32_t category_count;
    int32_t element;           /* index in "bodies" of the body being read */
    int32_t idle_contractions; /* warnings of contraction points without an effect */
    int32_t deform;            /* index of the deformation of the body being read; -1 for a rigid body */
    int32_t cell;              /* index of the elastic cell of the body being read; -1 for none */
    int32_t inlet;             /* index of the inlet of the bodies being added; -1 for none */
    int32_t motion;            /* index of the motion of the body being read; -1 for none */
    abut_error *error;
} scene_reader;

/* ABUT_ERROR_FORMAT and "FILE:LINE:COLUMN: message" at the value. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
abut_status
read_fail(const scene_reader *reader, const scene_place *place, const char *format, ...);

/* As read_fail(), with another status, at the value or at its key. */
#if defined(__GNUC__)
__attribute__((format(printf, 5, 6)))
#endif
abut_status
read_fail_as(const scene_reader *reader, abut_status status, const scene_place *place, bool at_key, const char *format, ...);

/* Adds a warning to the scene, with the position before it. ABUT_OK or ABUT_ERROR_OUT_OF_MEMORY. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
abut_status
read_warn(scene_reader *reader, const scene_place *place, const char *format, ...);

/* Line and column of the value, from 1. */
void read_position(const scene_reader *reader, const scene_place *place, int32_t *line, int32_t *column);

/* Adds a warning, which says its position itself. False when there is no memory. */
bool scene_add_warning(abut_scene *scene, const char *message);

abut_status read_no_memory(const scene_reader *reader);

/* Finds the member with that key; false when there is none. `child` refers to `place`. */
bool read_member(const scene_place *place, const char *key, scene_place *child);
scene_place read_element(const scene_place *place, size_t index);

/* Checks that the value is an object with all required keys of the table and no unknown key. `what` names it in messages: "body 'brick_3'". */
abut_status read_object(const scene_reader *reader, const scene_place *place, scene_object object, const char *what);
/* Checks that the value is an array of at least `least` elements and no more than 2^31 - 1. */
abut_status read_array(const scene_reader *reader, const scene_place *place, size_t least, const char *what);

typedef enum number_range { NUMBER_ANY, NUMBER_POSITIVE, NUMBER_NOT_NEGATIVE, NUMBER_UNIT } number_range;

abut_status read_number_at(const scene_reader *reader, const scene_place *place, const char *what, number_range range, double *out);
abut_status read_number(const scene_reader *reader, const scene_place *object, const char *key, number_range range, double *out);

/* A key whose value is a number, and the destination of the number. */
typedef struct number_key {
    const char *key;
    number_range range;
    double *out;
} number_key;

/* Reads all numbers of the object that the array names. */
abut_status read_number_keys(const scene_reader *reader, const scene_place *object, const number_key *numbers, size_t count);

abut_status read_integer_at(const scene_reader *reader, const scene_place *place, const char *what, int32_t least, int32_t most,
                            int32_t *out);
abut_status read_integer(const scene_reader *reader, const scene_place *object, const char *key, int32_t least, int32_t most, int32_t *out);
abut_status read_bool(const scene_reader *reader, const scene_place *object, const char *key, bool *out);
/* *out belongs to the JSON. */
abut_status read_string(const scene_reader *reader, const scene_place *object, const char *key, const char **out);
/* An array of exactly `count` numbers. */
abut_status read_numbers_at(const scene_reader *reader, const scene_place *place, const char *what, size_t count, double *out);
abut_status read_vec3_at(const scene_reader *reader, const scene_place *place, const char *what, abut_vec3 *out);
abut_status read_vec3(const scene_reader *reader, const scene_place *object, const char *key, abut_vec3 *out);
/* An array of `least` points or more, to be freed; the key must be there. */
abut_status read_points(const scene_reader *reader, const scene_place *object, const char *key, size_t least, abut_vec3 **points,
                        int32_t *count);
/* Reads one of the names in the array, which ends with NULL. *out receives the index of the name. */
abut_status read_choice(const scene_reader *reader, const scene_place *object, const char *key, const char *const *names, int *out);
/* Reads an axis with an angle, or a quaternion. */
abut_status read_rotation(const scene_reader *reader, const scene_place *place, abut_quat *out);
/* Reads "position" and "rotation". */
abut_status read_pose(const scene_reader *reader, const scene_place *object, abut_pose *out);

/* "a number", "an object" ... */
const char *read_type_name(const json_t *value);
