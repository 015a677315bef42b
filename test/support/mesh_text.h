#pragma once

#include <math.h>

#include "support/io_files.h"
#include "io/mesh/pieces.h"

/*
 * Shared parts of the tests of mesh files: corners and faces of a cube, and loading with an expected outcome.
 */

/* Corner v of the unit cube at the origin: coordinate 0, 1 or 2 is 1 if that bit of v is set. */
static const int cube_faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};

static inline double cube_coordinate(int corner, int axis) { return (double)(corner >> axis & 1); }

/* Corner i of triangle t; there are 12 triangles. */
static inline int cube_triangle(int t, int i) { return cube_faces[t / 2][i == 0 ? 0 : i + t % 2]; }

static inline abut_mesh_pieces *load_mesh(const char *path, const abut_mesh_options *options, int32_t count) {
    abut_mesh_pieces *pieces = NULL;
    abut_error error = {ABUT_OK, ""};
    if (abut_mesh_load(path, options, &pieces, &error) != ABUT_OK) {
        fail_msg("%s", error.message);
    }
    assert_non_null(pieces);
    assert_int_equal(pieces->count, count);
    return pieces;
}

/* Checks volume, bounds and number of faces of a piece. */
static inline void assert_piece(const abut_mesh_piece *piece, const char *name, double volume, abut_vec3 lower, abut_vec3 upper,
                                int32_t faces) {
    abut_mass mass;
    abut_polytope_view view;
    assert_string_equal(piece->name, name);
    assert_ok(abut_shape_mass(piece->shape, 1.0, &mass));
    assert_near(mass.volume, volume, 1e-6 * volume);
    abut_aabb bounds = abut_shape_bounds(piece->shape, abut_pose_identity());
    double size = abut_distance_between(lower, upper);
    assert_vec3_near(bounds.lower, lower, 1e-6 * size);
    assert_vec3_near(bounds.upper, upper, 1e-6 * size);
    assert_ok(abut_shape_polytope(piece->shape, &view));
    assert_int_equal(view.face_count, faces);
}

/* Checks for the unit cube moved along x. */
static inline void assert_cube(const abut_mesh_piece *piece, const char *name, double x) {
    assert_piece(piece, name, 1.0, abut_vec3_make(x, 0, 0), abut_vec3_make(x + 1, 1, 1), 6);
}

/* The message must be the path, directly followed by `part`. */
static inline void assert_mesh_refused(const char *path, const abut_mesh_options *options, abut_status expected, const char *part) {
    abut_mesh_pieces *pieces = NULL;
    abut_error error = {ABUT_OK, ""};
    abut_status status = abut_mesh_load(path, options, &pieces, &error);
    if (status != expected) {
        fail_msg("%s instead of %s: %s", abut_status_name(status), abut_status_name(expected), error.message);
    }
    assert_null(pieces);
    assert_int_equal(error.status, expected);
    if (strncmp(error.message, path, strlen(path)) != 0 || strncmp(error.message + strlen(path), part, strlen(part)) != 0) {
        fail_msg("'%s' is not behind the path in '%s'", part, error.message);
    }
}

/* A buffer for building a file. */
typedef struct mesh_bytes {
    char bytes[8192];
    size_t size;
} mesh_bytes;

static inline void put_bytes(mesh_bytes *buffer, const void *bytes, size_t size) {
    assert_true(buffer->size + size <= sizeof buffer->bytes);
    memcpy(buffer->bytes + buffer->size, bytes, size);
    buffer->size += size;
}

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static inline void
put_text(mesh_bytes *buffer, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    size_t room = sizeof buffer->bytes - buffer->size;
    int length = vsnprintf(buffer->bytes + buffer->size, room, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && (size_t)length < room);
    buffer->size += (size_t)length;
}

/* The low `size` bytes of a number, the least significant one first or last. */
static inline void put_number(mesh_bytes *buffer, uint64_t bits, size_t size, bool big) {
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)(bits >> 8 * (big ? size - 1 - i : i));
        put_bytes(buffer, &byte, 1);
    }
}

static inline void put_float(mesh_bytes *buffer, float value, bool big) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_number(buffer, bits, 4, big);
}

static inline void put_double(mesh_bytes *buffer, double value, bool big) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_number(buffer, bits, 8, big);
}

static inline const char *write_buffer(const char *name, const mesh_bytes *buffer) {
    return scratch_write(name, buffer->bytes, buffer->size);
}
