#pragma once

#include <stdbool.h>

/*
 * Switches this thread to the "C" locale, in which strtod() expects a decimal point.
 */

typedef struct c_locale {
    void *own, *before; /* the system's */
} c_locale;

/* False when there is no memory. The locale is then unchanged and must not be left. */
bool c_locale_enter(c_locale *locale);
void c_locale_leave(const c_locale *locale);
