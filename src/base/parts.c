#include "base/parts.h"

typedef struct finding {
    int32_t terms;
    parts_test *test;
    const void *argument;
    bool *found;
} finding;

static void find_in_parts(void *argument, int32_t begin, int32_t end) {
    const finding *of = argument;
    for (int32_t part = begin; part < end; part++) {
        int32_t first = part * parts_length(of->terms);
        of->found[part] = of->test(of->argument, first, parts_end(of->terms, first));
    }
}

bool parts_find(const abut_parallel *parallel, int32_t terms, parts_test *test, const void *argument, bool found[PARTS_MOST]) {
    finding of = {terms, test, argument, found};
    bool any = false;
    abut_parallel_for(parallel, parts_count(terms), 1, find_in_parts, &of);
    for (int32_t part = 0; part < parts_count(terms); part++) {
        any = any || found[part];
    }
    return any;
}
