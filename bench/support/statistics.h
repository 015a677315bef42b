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

/* Seconds of a clock that only goes forward, and seconds that this process has had processors for, all of its threads together: the latter
 * are not stretched by other programs. */
double clock_seconds(void);
double clock_processor_seconds(void);

#ifdef __cplusplus
}
#endif
