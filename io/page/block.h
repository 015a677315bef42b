#pragma once

#include <stddef.h>
#include <stdint.h>

#include <abut/base.h>

/*
 * A block of a replay page: bytes that are compressed as they are added.
 *
 * A writer need not check the status of each call: after the first failure later calls do nothing, and page_block_end() returns the failure.
 */

/* Those from PAGE_POSES on come in chunks of frames. */
typedef enum page_kind {
    PAGE_STEPS,
    PAGE_FRAMES,
    PAGE_EVENTS,
    PAGE_POSES,
    PAGE_VELOCITIES,
    PAGE_CONTACTS,
    PAGE_VERTICES,
    PAGE_JOINTS,
    PAGE_KINDS
} page_kind;

typedef struct page_block {
    page_kind kind;
    int64_t first, count; /* frames of the page */
    int32_t shift;        /* contacts: lengths are multiples of the quantum times 2^shift */
    int64_t rows;         /* contacts, events */
    int64_t raw;          /* bytes before compression */
    unsigned char *bytes; /* [size] compressed */
    size_t size;
} page_block;

typedef struct page_packer page_packer;

/* A packer that makes blocks one after another; NULL when there is no memory. */
page_packer *page_packer_create(void);
void page_packer_release(page_packer *packer);

/* Begins a block: all data until page_block_end() belong to it. Its fields except raw, bytes and size must be set. */
void page_block_begin(page_packer *packer, page_block block);
void page_block_put(page_packer *packer, const void *bytes, size_t size);
/* Adds one number, little-endian. */
void page_block_put_int32(page_packer *packer, int32_t number);
/* Adds numbers as byte planes: the lowest bytes of all numbers, then the next bytes, and so on. */
void page_block_put_planes(page_packer *packer, const int32_t *numbers, size_t count);
/* Adds reals as eight byte planes. */
void page_block_put_wide_planes(page_packer *packer, const double *numbers, size_t count);
/* Ends the block. The caller owns its bytes and frees them. ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY, and then there is nothing to free. */
abut_status page_block_end(page_packer *packer, page_block *block);

/* The bits of a number in single precision, as an integer that increases with the number. Both zeros give 0. */
int32_t page_float_order(double number);

/* As page_float_order(), rounded to 16 significant bits. The last byte is 0, except for infinities and numbers that rounding would make infinite. */
int32_t page_float_order_short(double number);

/* number * scale, rounded. NaN gives 0; numbers out of range give the nearest integer in range. */
int32_t page_fixed(double number, double scale);

/* The least shift >= 0 for which a number of this magnitude, in units of 2^(shift - digits), fits into 30 bits including its sign. */
int32_t page_shift(double largest, int digits);
