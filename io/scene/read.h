#pragma once

#include <abut/math.h>
#include <jansson.h>

#include "io/file/error.h"
#include "io/scene/json_position.h"
#include "io/scene/keys.h"
#include "io/scene/scene.h"

/*
 * Values out of a scene's JSON, checked as they are taken, with messages that say where.
 *
 * A scene_place is a value together with the way to it; it lives on the stack of whoever reads it, and its parents further up the same
 * stack. read_... functions with a key leave *out as it was when the key is absent, so that defaults are set before.
 */

typedef struct scene_place {
    position_step step;
    json_t *value; /* borrowed */
} scene_place;

/* A shape by name, while a scene is read. */
struct scene_named_shape;

/* A ball in which a body of a fill lies. */
struct scatter_ball;

/* What is needed while a scene is read. */
typedef struct scene_reader {
    const char *path; /* as in messages */
    const char *text; /* the JSON */
    size_t length;
    abut_scene *scene;
    scene_place root;
    scene_place materials, shapes;   /* value NULL when the scene has none */
    struct scene_named_shape *named; /* [json_object_size(shapes.value)] */
    int32_t depth;                   /* of the compound being read */
    struct scatter_ball *filled;     /* [filled_count] of all fills so far */
    int32_t filled_count;
    int32_t deform; /* of the body being read: its index in the scene's; -1 for a rigid one */
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

/* Keep a warning in the scene, with the place in front. ABUT_OK or ABUT_ERROR_OUT_OF_MEMORY. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
abut_status
read_warn(scene_reader *reader, const scene_place *place, const char *format, ...);

abut_status read_no_memory(const scene_reader *reader);

/* The member of that key, or false. `child` refers to `place`. */
bool read_member(const scene_place *place, const char *key, scene_place *child);
scene_place read_element(const scene_place *place, size_t index);

/* Is it an object with all of the table's required keys and no unknown one? `what` names it in messages: "body 'brick_3'". */
abut_status read_object(const scene_reader *reader, const scene_place *place, scene_object object, const char *what);
/* Is it an array of at least `least` elements, and no more than 2^31 - 1? */
abut_status read_array(const scene_reader *reader, const scene_place *place, size_t least, const char *what);

typedef enum number_range { NUMBER_ANY, NUMBER_POSITIVE, NUMBER_NOT_NEGATIVE, NUMBER_UNIT } number_range;

abut_status read_number_at(const scene_reader *reader, const scene_place *place, const char *what, number_range range, double *out);
abut_status read_number(const scene_reader *reader, const scene_place *object, const char *key, number_range range, double *out);

/* A key of a number, and where the number goes. */
typedef struct number_key {
    const char *key;
    number_range range;
    double *out;
} number_key;

/* All numbers of an object that the array names. */
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
/* One of the names, which end with NULL; *out is its index. */
abut_status read_choice(const scene_reader *reader, const scene_place *object, const char *key, const char *const *names, int *out);
/* "position" and "rotation". */
abut_status read_pose(const scene_reader *reader, const scene_place *object, abut_pose *out);

/* "a number", "an object" ... */
const char *read_type_name(const json_t *value);
