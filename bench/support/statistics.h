#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Statistics of times. Times have a long tail, because of other programs and the processor's frequency. We therefore use the median, and
 * two percentiles for the spread.
 */

typedef struct statistics {
    double median, p10, p90, mean;
} statistics;

/* Sorts the values. Zero for an empty list. */
statistics statistics_of(double *values, size_t count);

/* Seconds of a monotonic clock, and seconds of processor time of this process, summed over its threads. Other programs do not affect the
 * latter. */
double clock_seconds(void);
double clock_processor_seconds(void);

#ifdef __cplusplus
}
#endif
