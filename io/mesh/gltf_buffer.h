#pragma once

#include <jansson.h>
#include <stddef.h>

#include "io/file/error.h"

/*
 * The containers of glTF 2.0: the JSON and the buffers of a .gltf or .glb file, and the numbers of its accessors.
 */

typedef struct gltf_file {
    const char *path;
    json_t *root;
    unsigned char **buffers; /* [buffer_count] */
    size_t *buffer_sizes;
    size_t buffer_count;
    abut_error *error;
} gltf_file;

/* Loads JSON and buffers. `file` must be released, also after an error. */
abut_status gltf_open(const char *path, const char *data, size_t length, gltf_file *file, abut_error *error);
void gltf_release(gltf_file *file);

/* ABUT_ERROR_FORMAT and "PATH: message". */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
abut_status
gltf_fail(const gltf_file *file, const char *format, ...);

/* Element `index` of the root's array `name`, an object; NULL when there is none. index may be NULL or not an integer. */
json_t *gltf_element(const gltf_file *file, const char *name, const json_t *index);

/* An integer that must not be negative; `fallback` when the key is absent. -1 for anything else. */
json_int_t gltf_count(const json_t *object, const char *key, json_int_t fallback);

/* Numbers of an accessor, checked against its buffer. */
typedef struct gltf_accessor {
    const unsigned char *bytes;
    size_t count, stride;
    int component_type; /* 5120 int8, 5121 uint8, 5122 int16, 5123 uint16, 5125 uint32, 5126 float */
    bool normalized;    /* integers represent numbers from -1 to 1 or from 0 to 1 */
} gltf_accessor;

/* The accessor of that index, which must have the type ("VEC3" or "SCALAR"); `what` names it in messages. */
abut_status gltf_accessor_open(const gltf_file *file, const json_t *index, const char *type, const char *what, gltf_accessor *accessor);

/* Component `component` of element `element`, both in range. */
double gltf_number(const gltf_accessor *accessor, size_t element, size_t component);
