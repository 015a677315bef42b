/*
 * The locale is set for this thread only, which keeps a locale of its own from then on. Other threads keep theirs.
 */
#include "io/file/c_locale.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

bool c_locale_enter(c_locale *locale) {
    _configthreadlocale(_ENABLE_PER_THREAD_LOCALE);
    locale->own = NULL;
    locale->before = strdup(setlocale(LC_NUMERIC, NULL));
    if (!locale->before) {
        return false;
    }
    setlocale(LC_NUMERIC, "C");
    return true;
}

void c_locale_leave(const c_locale *locale) {
    setlocale(LC_NUMERIC, locale->before);
    free(locale->before);
}
