#pragma once

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <abut/base.h>
#include <abut/math.h>

/*
 * Checks of arguments that tell the caller's log why a public function refuses: "abut_shape_create_sphere: radius is -1: it must be above 0".
 *
 * call is the name of the public function, argument that of the argument, written as the caller writes it ("def->scale", "pairs[17]").
 * A check that passes costs its comparison. Without a log nothing is formatted. A call of NULL sends nothing: the library itself asks, and a refusal is
 * no fault of the caller.
 */

#if defined(__GNUC__)
#define ARGUMENT_COLD __attribute__((cold, noinline))
#define ARGUMENT_FORMAT(text, first) __attribute__((cold, noinline, format(printf, text, first)))
#else
#define ARGUMENT_COLD
#define ARGUMENT_FORMAT(text, first)
#endif

/* ---- refusals: they send a message of the level ABUT_LOG_ERROR ---- */

#ifndef ABUT_WITHOUT_MESSAGES

/* The public function that stands here. */
#define CALL_NAME __func__

/* Returns the status. */
ARGUMENT_FORMAT(3, 4) abut_status refuse(abut_status status, const char *call, const char *format, ...);

/* These return true, so that they can end a condition. */
ARGUMENT_FORMAT(2, 3) bool refused(const char *call, const char *format, ...);
ARGUMENT_COLD bool refused_null(const char *call, const char *argument);
/* "ARGUMENT is VALUE: it must be RULE" */
ARGUMENT_COLD bool refused_value(const char *call, const char *argument, double value, const char *rule);
ARGUMENT_COLD bool refused_integer(const char *call, const char *argument, int64_t value, const char *rule);
/* "ARGUMENT is VALUE: it must be at least LEAST" */
ARGUMENT_COLD bool refused_small(const char *call, const char *argument, int64_t value, int64_t least);
/* "ARGUMENT is VALUE: it must be between LEAST and MOST" */
ARGUMENT_COLD bool refused_outside(const char *call, const char *argument, double value, double least, double most);
/* "ARGUMENT.y is NaN: it must be finite": the first such component. */
ARGUMENT_COLD bool refused_vector(const char *call, const char *argument, abut_vec3 value);
/* The same for ARRAY[INDEX]. */
ARGUMENT_COLD bool refused_element(const char *call, const char *array, int64_t index, abut_vec3 value);
/* A component that is not finite, or a quaternion that is not of unit length. */
ARGUMENT_COLD bool refused_pose(const char *call, const char *argument, const abut_pose *value);
/* "INDEX is VALUE: it must be below COUNT", "it must be at least 0" or "there are no ELEMENTS". */
ARGUMENT_COLD bool refused_index(const char *call, const char *argument, int64_t value, int64_t count);
/* A half size that is not above 0. */
ARGUMENT_COLD bool refused_half(const char *call, abut_vec3 half);
/* "ARGUMENT is zero-initialised: start from MAKER()" */
ARGUMENT_COLD abut_status refuse_zero(const char *call, const char *argument, const char *maker);

#else

/* A build with -DABUT_MESSAGES=OFF, as the WebAssembly module is, has the checks without their words. */

#define CALL_NAME NULL

#define refuse(status, call, ...) ((void)(call), (void)sizeof(printf(__VA_ARGS__)), (abut_status)(status))
#define refused(call, ...) ((void)(call), (void)sizeof(printf(__VA_ARGS__)), true)
#define refused_null(call, argument) ((void)(call), true)
#define refused_value(call, argument, value, rule) ((void)(call), (void)(value), true)
#define refused_integer(call, argument, value, rule) ((void)(call), (void)(value), true)
#define refused_small(call, argument, value, least) ((void)(call), (void)(value), true)
#define refused_outside(call, argument, value, least, most) ((void)(call), (void)(value), true)
#define refused_vector(call, argument, value) ((void)(call), true)
#define refused_element(call, array, index, value) ((void)(call), (void)(index), true)
#define refused_pose(call, argument, value) ((void)(call), true)
#define refused_index(call, argument, value, count) ((void)(call), (void)(value), true)
#define refused_half(call, half) ((void)(call), true)
#define refuse_zero(call, argument, maker) ((void)(call), ABUT_ERROR_INVALID_ARGUMENT)

#endif

/* ---- checks: true, with a message, when the argument is refused ---- */

static inline bool argument_is_null(const char *call, const char *argument, const void *value) {
    return value == NULL && refused_null(call, argument);
}

static inline bool argument_is_not_finite(const char *call, const char *argument, double value) {
    return !isfinite(value) && refused_value(call, argument, value, "finite");
}

static inline bool argument_is_not_positive(const char *call, const char *argument, double value) {
    return !(value > 0.0) && refused_value(call, argument, value, "above 0");
}

static inline bool argument_is_negative(const char *call, const char *argument, double value) {
    return !(value >= 0.0) && refused_value(call, argument, value, "at least 0");
}

static inline bool argument_is_outside(const char *call, const char *argument, double value, double least, double most) {
    return !(value >= least && value <= most) && refused_outside(call, argument, value, least, most);
}

static inline bool argument_is_below(const char *call, const char *argument, int64_t value, int64_t least) {
    return value < least && refused_small(call, argument, value, least);
}

static inline bool argument_is_no_index(const char *call, const char *argument, int64_t value, int64_t count) {
    return (value < 0 || value >= count) && refused_index(call, argument, value, count);
}

static inline bool argument_is_no_vector(const char *call, const char *argument, abut_vec3 value) {
    return !abut_vec3_is_finite(value) && refused_vector(call, argument, value);
}

static inline bool argument_is_no_pose(const char *call, const char *argument, abut_pose value) {
    return !abut_pose_is_valid(value) && refused_pose(call, argument, &value);
}

/* The half sizes of a body: each above 0. */
static inline bool argument_is_no_half(const char *call, abut_vec3 half) {
    return !(half.x > 0.0 && half.y > 0.0 && half.z > 0.0) && refused_half(call, half);
}

/* A buffer of `capacity` elements: capacity below 0, or no buffer although there is a capacity. */
static inline bool argument_is_no_buffer(const char *call, const char *argument, const void *buffer, int64_t capacity) {
    return argument_is_below(call, "capacity", capacity, 0) || (capacity > 0 && argument_is_null(call, argument, buffer));
}

/* True when all bytes are 0. For a struct that must start from a function that gives its defaults: then the message says so. */
bool argument_is_zero(const void *value, size_t size);
