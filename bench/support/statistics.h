#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What a row of times comes to. Times have a long tail (other programs, the processor's clock), so the middle is a median and the spread
 * two percentiles.
 */

typedef struct statistics {
    double median, p10, p90, mean;
} statistics;

/* Sorts the values. Zero for none. */
statistics statistics_of(double *values, size_t count);

/* Seconds of a clock that only goes forward. */
double clock_seconds(void);

#ifdef __cplusplus
}
#endif
