#pragma once

#include "step/event/search.h"
#include "step/event/system.h"

/*
 * What the event stepper knows from one step to the next: the length of its integration step, the pairs, the rows with their forces, and the contacts that
 * begin. A step changes them while it runs. A step that fails puts them back, so that the next one runs as if it had not been tried.
 */
typedef struct event_kept {
    double step;
    event_pair *pairs;
    event_row *rows;
    double *force;
    int32_t pair_count, pair_capacity, row_count, row_capacity, force_capacity;
} event_kept;

/* Copy the knowledge before a step. False when there is no memory. */
bool event_kept_take(event_kept *kept, const event_system *system, double step);

/* After a step that failed: exchanges the lists with the copies. */
void event_kept_put_back(event_kept *kept, event_system *system, event_search *search, double *step);

void event_kept_release(event_kept *kept);
