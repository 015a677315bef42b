/* This build of the library: its version, from the headers it was compiled with, and its optional parts. */
#include <abut/base.h>

#define VERSION_TEXT_OF(number) #number
#define VERSION_TEXT(number) VERSION_TEXT_OF(number)

const char *abut_version(void) {
    return VERSION_TEXT(ABUT_VERSION_MAJOR) "." VERSION_TEXT(ABUT_VERSION_MINOR) "." VERSION_TEXT(ABUT_VERSION_PATCH);
}

#ifdef ABUT_WITH_HULL
static const bool has_hull = true;
#else
static const bool has_hull = false;
#endif

#ifdef ABUT_WITH_THREADS
static const bool has_threads = true;
#else
static const bool has_threads = false;
#endif

bool abut_has(abut_capability capability) {
    switch (capability) {
    case ABUT_CAPABILITY_HULL:
        return has_hull;
    case ABUT_CAPABILITY_THREADS:
        return has_threads;
    }
    return false;
}
