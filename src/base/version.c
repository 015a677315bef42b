/* What this build of the library is: its version, from the headers it was compiled with, and its optional parts. */
#include <abut/base.h>

#define VERSION_TEXT_OF(number) #number
#define VERSION_TEXT(number) VERSION_TEXT_OF(number)

const char *abut_version(void) {
    return VERSION_TEXT(ABUT_VERSION_MAJOR) "." VERSION_TEXT(ABUT_VERSION_MINOR) "." VERSION_TEXT(ABUT_VERSION_PATCH);
}

bool abut_has(abut_capability capability) {
    switch (capability) {
    case ABUT_CAPABILITY_HULL:
#ifdef ABUT_WITH_HULL
        return true;
#else
        return false;
#endif
    case ABUT_CAPABILITY_THREADS:
#ifdef ABUT_WITH_OPENMP
        return true;
#else
        return false;
#endif
    }
    return false;
}
