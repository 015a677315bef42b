#pragma once

#include "io/page/run.h"

/*
 * How large a page is and is going to be. Sizes in bytes of the page.
 */

typedef struct page_limit {
    const page_run *runs; /* [count]; those from `begun` on have nothing yet */
    int32_t count, begun;
    int64_t done; /* frames of the last one that has begun */
    int64_t limit;
    int64_t around; /* the template and the heads */
} page_limit;

/* A block's text with the tags around it and its row in the head. */
int64_t page_limit_block(const page_block *block);

/* ABUT_OK; ABUT_ERROR_CAPACITY when what there is exceeds the limit already: says how much there would be in all, and what to leave out. */
abut_status page_limit_check(const page_limit *limit, abut_error *error);
