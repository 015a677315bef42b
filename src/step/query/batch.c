#include "step/query/batch.h"

#include "base/memory.h"

typedef struct batch {
    const query_index *index;
    query_answer *answer;
    const void *questions;
    void *answers;
    abut_status *statuses; /* [count] */
} batch;

static void run(void *argument, int32_t begin, int32_t end) {
    const batch *b = argument;
    for (int32_t i = begin; i < end; i++) {
        b->statuses[i] = b->answer(b->questions, i, b->index, b->answers);
    }
}

abut_status query_batch(const abut_world *world, query_answer *answer, const void *questions, int32_t count, void *answers) {
    enum { GRAIN = 16 };
    batch b = {query_index_of(world), answer, questions, answers, memory_allocate((size_t)count, sizeof *b.statuses)};
    abut_status status = b.index != NULL && b.statuses != NULL ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
    if (status == ABUT_OK) {
        abut_parallel_for(&world->def.parallel, count, GRAIN, run, &b);
    }
    for (int32_t i = 0; i < count && status == ABUT_OK; i++) {
        status = b.statuses[i];
    }
    memory_release(b.statuses);
    return status;
}
