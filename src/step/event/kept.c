/* Copies of what the event stepper knows, for a step that fails. */
#include "step/event/kept.h"

#include <string.h>

#include "base/array.h"
#include "base/memory.h"

static void copy(void *to, const void *from, int32_t count, size_t size) {
    if (count > 0) {
        memcpy(to, from, (size_t)count * size);
    }
}

bool event_kept_take(event_kept *kept, const event_system *system, double step) {
    if (!array_reserve(&kept->pairs, &kept->pair_capacity, system->pair_count, sizeof *kept->pairs) ||
        !array_reserve(&kept->rows, &kept->row_capacity, system->row_count, sizeof *kept->rows) ||
        !array_reserve(&kept->force, &kept->force_capacity, system->row_count, sizeof *kept->force)) {
        return false;
    }
    copy(kept->pairs, system->pairs, system->pair_count, sizeof *kept->pairs);
    copy(kept->rows, system->rows, system->row_count, sizeof *kept->rows);
    copy(kept->force, system->force, system->row_count, sizeof *kept->force);
    kept->pair_count = system->pair_count;
    kept->row_count = system->row_count;
    kept->step = step;
    return true;
}

void event_kept_put_back(event_kept *kept, event_system *system, event_search *search, double *step) {
    event_kept failed = {.pairs = system->pairs,
                         .rows = system->rows,
                         .force = system->force,
                         .pair_capacity = system->pair_capacity,
                         .row_capacity = system->row_capacity,
                         .force_capacity = system->force_capacity};
    system->pairs = kept->pairs;
    system->rows = kept->rows;
    system->force = kept->force;
    system->pair_count = kept->pair_count;
    system->row_count = kept->row_count;
    system->pair_capacity = kept->pair_capacity;
    system->row_capacity = kept->row_capacity;
    system->force_capacity = kept->force_capacity;
    search->begun_count = 0; /* a step begins and ends without any */
    *step = kept->step;
    *kept = failed;
}

void event_kept_release(event_kept *kept) {
    memory_release(kept->pairs);
    memory_release(kept->rows);
    memory_release(kept->force);
}
