#pragma once

#include <locale.h>
#include <stdbool.h>

/*
 * Where the decimal point is a point, whatever language the process speaks: for strtod() in this thread.
 */

typedef struct c_locale {
    locale_t own, before;
} c_locale;

/* false when there is no memory; then nothing has changed and there is nothing to leave. */
bool c_locale_enter(c_locale *locale);
void c_locale_leave(const c_locale *locale);
