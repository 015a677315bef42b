#pragma once

#include "step/query/index.h"
#include "step/query/sweep.h"

/* The bodies on a way: of a ray, or of a moving shape. */

/* Asks one body. *hit: as of abut_shape_cast(); its fraction is also set with ABUT_ERROR_ITERATION_LIMIT. */
typedef abut_status query_ask(const void *question, const body *body, abut_hit *hit);

typedef struct query_way {
    const abut_world *world;
    const query_index *index;
    const abut_query_filter *filter;
    query_sweep sweep;
    query_ask *ask;
    const void *question;
} query_way;

/* The first body, at the least fraction, in the lowest slot. A body that cannot be asked makes the query fail when the way can reach it before that. */
abut_status query_first_hit(const query_way *way, abut_world_hit *hit);

/* All bodies, as abut_world_ray_cast_all(). */
abut_status query_all_hits(const query_way *way, abut_world_hit *hits, int32_t capacity, int32_t *count);
