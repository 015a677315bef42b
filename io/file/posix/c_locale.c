/*
 * The locale is set for this thread only. Other threads keep theirs.
 */
#include "io/file/c_locale.h"

#include <locale.h>

bool c_locale_enter(c_locale *locale) {
    locale->own = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (!locale->own) {
        return false;
    }
    locale->before = uselocale(locale->own);
    return true;
}

void c_locale_leave(const c_locale *locale) {
    uselocale(locale->before);
    freelocale(locale->own);
}
