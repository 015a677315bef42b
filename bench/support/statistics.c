#include "support/statistics.h"

#include <stdlib.h>
#include <time.h>

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

statistics statistics_of(double *values, size_t count) {
    if (count == 0) {
        return (statistics){0.0, 0.0, 0.0, 0.0};
    }
    qsort(values, count, sizeof *values, compare);
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
    }
    return (statistics){values[count / 2], values[count / 10], values[count - 1 - count / 10], sum / (double)count};
}

static double seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double clock_seconds(void) { return seconds(CLOCK_MONOTONIC); }

double clock_processor_seconds(void) { return seconds(CLOCK_PROCESS_CPUTIME_ID); }
