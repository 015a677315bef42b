#pragma once

#include <stdbool.h>
#include <stdint.h>

/**
 * @file filter.h
 * Which bodies of a world can touch each other.
 */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * What a body is, and what it can touch. Two bodies of the same group, not 0, can touch when the group is above 0, and cannot when it is below 0. Of all
 * others, two can when the category of each has a bit of the other's mask. A pair that cannot touch has no contacts in any stepper, and counts nowhere.
 */
typedef struct abut_filter {
    uint64_t category; /**< what the body is, as bits; the default is 1 */
    uint64_t mask;     /**< bits of the categories that it can touch; the default is all */
    int32_t group;     /**< 0, the default, for none */
} abut_filter;

/** True when two bodies with these filters can touch. */
static inline bool abut_filters_agree(abut_filter a, abut_filter b) {
    if (a.group != 0 && a.group == b.group) {
        return a.group > 0;
    }
    return (a.category & b.mask) != 0 && (b.category & a.mask) != 0;
}

#ifdef __cplusplus
}
#endif
