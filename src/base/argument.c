/* Words for arguments that are refused. */
#include "base/argument.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/log.h"

bool argument_is_zero(const void *value, size_t size) {
    const unsigned char *byte = value;
    size_t i = 0;
    while (i < size && byte[i] == 0) {
        i++;
    }
    return i == size;
}

#ifndef ABUT_WITHOUT_MESSAGES

static void tell(const char *call, const char *format, va_list arguments) {
    if (call == NULL || !log_is_heard()) {
        return;
    }
    char why[320];
    (void)vsnprintf(why, sizeof why, format, arguments);
    log_message(ABUT_LOG_ERROR, "%s: %s", call, why);
}

abut_status refuse(abut_status status, const char *call, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    tell(call, format, arguments);
    va_end(arguments);
    return status;
}

bool refused(const char *call, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    tell(call, format, arguments);
    va_end(arguments);
    return true;
}

bool refused_null(const char *call, const char *argument) { return refused(call, "%s is NULL", argument); }

/* C libraries differ in how they print what is not finite. */
bool refused_value(const char *call, const char *argument, double value, const char *rule) {
    if (isfinite(value)) {
        return refused(call, "%s is %.10g: it must be %s", argument, value, rule);
    }
    return refused(call, "%s is %s: it must be %s", argument, isnan(value) ? "NaN" : value > 0.0 ? "infinity" : "-infinity", rule);
}

bool refused_integer(const char *call, const char *argument, int64_t value, const char *rule) {
    return refused(call, "%s is %lld: it must be %s", argument, (long long)value, rule);
}

bool refused_small(const char *call, const char *argument, int64_t value, int64_t least) {
    return refused(call, "%s is %lld: it must be at least %lld", argument, (long long)value, (long long)least);
}

bool refused_outside(const char *call, const char *argument, double value, double least, double most) {
    char rule[80];
    (void)snprintf(rule, sizeof rule, "between %.10g and %.10g", least, most);
    return refused_value(call, argument, value, rule);
}

static bool refused_component(const char *call, const char *argument, char axis, double value, const char *rule) {
    char name[96];
    (void)snprintf(name, sizeof name, "%s.%c", argument, axis);
    return refused_value(call, name, value, rule);
}

bool refused_vector(const char *call, const char *argument, abut_vec3 value) {
    char axis = !isfinite(value.x) ? 'x' : !isfinite(value.y) ? 'y' : 'z';
    return refused_component(call, argument, axis, axis == 'x' ? value.x : axis == 'y' ? value.y : value.z, "finite");
}

bool refused_half(const char *call, abut_vec3 half) {
    char axis = !(half.x > 0.0) ? 'x' : !(half.y > 0.0) ? 'y' : 'z';
    return refused_component(call, "half", axis, axis == 'x' ? half.x : axis == 'y' ? half.y : half.z, "above 0");
}

bool refused_element(const char *call, const char *array, int64_t index, abut_vec3 value) {
    char name[80];
    (void)snprintf(name, sizeof name, "%s[%lld]", array, (long long)index);
    return refused_vector(call, name, value);
}

bool refused_pose(const char *call, const char *argument, const abut_pose *value) {
    const double q[4] = {value->rotation.x, value->rotation.y, value->rotation.z, value->rotation.w};
    char name[80];
    if (!abut_vec3_is_finite(value->position)) {
        (void)snprintf(name, sizeof name, "%s.position", argument);
        return refused_vector(call, name, value->position);
    }
    (void)snprintf(name, sizeof name, "%s.rotation", argument);
    for (int i = 0; i < 4; i++) {
        if (!isfinite(q[i])) {
            return refused_component(call, name, "xyzw"[i], q[i], "finite");
        }
    }
    return refused(call, "%s has the norm %.9g: it must be a unit quaternion", name, abut_quat_norm(value->rotation));
}

bool refused_index(const char *call, const char *argument, int64_t value, int64_t count) {
    return value < 0 ? refused_small(call, argument, value, 0)
                     : refused(call, "%s is %lld: it must be below %lld", argument, (long long)value, (long long)count);
}

abut_status refuse_zero(const char *call, const char *argument, const char *maker) {
    return refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "%s is zero-initialised: start from %s()", argument, maker);
}

#endif
