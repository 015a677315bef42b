#pragma once

#include "step/query/index.h"

/* Many questions on the threads of a world. */

/* Answers one question with the index, which is up to date. */
typedef abut_status query_answer(const void *questions, int32_t i, const query_index *index, void *answers);

/* The first error in the order of the questions. */
abut_status query_batch(const abut_world *world, query_answer *answer, const void *questions, int32_t count, void *answers);
