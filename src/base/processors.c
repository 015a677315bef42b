/* The processors of the machine. On Linux, taskset and containers limit the processors of a process. */
#ifdef __linux__
#define _GNU_SOURCE /* sched_getaffinity, sched_getcpu */
#include <sched.h>
#endif
#include "base/processors.h"

#ifdef ABUT_WITH_THREADS

#include <stdatomic.h>
#include <unistd.h>

static atomic_int available; /* 0: not asked yet */

static long count_processors(void) {
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        return CPU_COUNT(&set);
    }
#endif
#ifdef _SC_NPROCESSORS_ONLN
    return sysconf(_SC_NPROCESSORS_ONLN);
#else
    return 1;
#endif
}

int32_t processors_available(void) {
    int32_t known = atomic_load_explicit(&available, memory_order_relaxed);
    if (known == 0) {
        long counted = count_processors();
        known = counted < 1 ? 1 : counted > INT16_MAX ? INT16_MAX : (int32_t)counted;
        atomic_store_explicit(&available, known, memory_order_relaxed);
    }
    return known;
}

void processors_forget(void) { atomic_store(&available, 0); }

int32_t processors_current(void) {
#ifdef __linux__
    return sched_getcpu();
#else
    return -1;
#endif
}

#else

/* A build without threads uses one. */
int32_t processors_available(void) { return 1; }

#endif
