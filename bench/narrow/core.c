/* Binds the process to one core on Linux. On other systems the scheduler moves the process, and the report says so. */
#ifdef __linux__
#define _GNU_SOURCE
#include <sched.h>
#endif

#include "core.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#ifdef __linux__
int core_bind(int wanted) {
    cpu_set_t allowed, chosen;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
        return -1;
    }
    int core = wanted;
    if (wanted < 0) {
        /* The first cores serve more interrupts. */
        for (int i = 0; i < CPU_SETSIZE; i++) {
            core = CPU_ISSET((size_t)i, &allowed) ? i : core;
        }
    }
    if (core < 0 || core >= CPU_SETSIZE) {
        return -1;
    }
    CPU_ZERO(&chosen);
    CPU_SET((size_t)core, &chosen);
    return sched_setaffinity(0, sizeof chosen, &chosen) == 0 ? core : -1;
}
#else
int core_bind(int wanted) {
    (void)wanted;
    return -1;
}
#endif

const char *core_processor(void) {
    static char name[128] = "unknown";
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon != NULL) {
            snprintf(name, sizeof name, "%.*s", (int)strcspn(colon + 2, "\"\\\n"), colon + 2);
            break;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return name;
}

int64_t core_time(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}
