#include "support/block_times.h"

#include <string.h>

#include "support/statistics.h"

block_start block_begin(void) { return (block_start){clock_processor_seconds(), clock_seconds()}; }

void block_end(block_times *times, const block_start *start, int32_t steps, int32_t bodies) {
    block_add(times, clock_processor_seconds() - start->processor, clock_seconds() - start->wall, steps, bodies);
}

void block_add(block_times *times, double processor, double wall, int32_t steps, int32_t bodies) {
    if (times->count < BLOCK_TIMES) {
        double each = 1e6 / ((double)steps * bodies);
        times->processor[times->count] = processor * each;
        times->wall[times->count++] = wall * each;
    }
}

static statistics statistics_of_copy(const double *times, int32_t count) {
    double copy[BLOCK_TIMES];
    memcpy(copy, times, (size_t)count * sizeof *copy);
    return statistics_of(copy, (size_t)count);
}

double block_processor(const block_times *times) { return statistics_of_copy(times->processor, times->count).median; }

double block_wall(const block_times *times) { return statistics_of_copy(times->wall, times->count).median; }

static void put(FILE *json, const char *name, statistics s) {
    fprintf(json, ", \"%s\": {\"median\": %.5f, \"p10\": %.5f, \"p90\": %.5f}", name, s.median, s.p10, s.p90);
}

void block_put(FILE *json, const block_times *times) {
    put(json, "processor_us", statistics_of_copy(times->processor, times->count));
    put(json, "wall_us", statistics_of_copy(times->wall, times->count));
}
