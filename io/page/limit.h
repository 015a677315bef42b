#pragma once

#include "io/page/run.h"

/*
 * The present and the expected size of a page. Sizes in bytes of the page.
 */

typedef struct page_limit {
    const page_run *runs; /* [count]; runs from `begun` on have no blocks yet */
    int32_t count, begun;
    int64_t done; /* finished frames of the last run that has begun */
    int64_t limit;
    int64_t around; /* size of the template and the heads */
} page_limit;

/* The size of a block's text, with the tags around it and its row in the head. */
int64_t page_limit_block(const page_block *block);

/* ABUT_OK; ABUT_ERROR_CAPACITY when the present size exceeds the limit. The message gives the expected size, and the options that reduce it. */
abut_status page_limit_check(const page_limit *limit, abut_error *error);
