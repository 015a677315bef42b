#pragma once

#include <stddef.h>
#include <stdint.h>

#include <abut/base.h>

/*
 * A block of a replay page: bytes that are compressed as they come.
 *
 * A writer needs no look at each call's status: after the first failure nothing more happens, and page_block_end() returns it.
 */

typedef enum page_kind { PAGE_STEPS, PAGE_FRAMES, PAGE_POSES, PAGE_VELOCITIES, PAGE_CONTACTS, PAGE_VERTICES, PAGE_KINDS } page_kind;

typedef struct page_block {
    page_kind kind;
    int64_t first, count; /* frames of the page */
    int32_t shift;        /* contacts: lengths are in units of the quantum times 2^shift */
    int64_t rows;         /* contacts */
    int64_t raw;          /* bytes before compression */
    unsigned char *bytes; /* [size] compressed */
    size_t size;
} page_block;

typedef struct page_packer page_packer;

/* A packer for one block after another; NULL when there is no memory. */
page_packer *page_packer_create(void);
void page_packer_release(page_packer *packer);

/* Everything from here to page_block_end() goes into this block, whose fields but raw, bytes and size are known. */
void page_block_begin(page_packer *packer, page_block block);
void page_block_put(page_packer *packer, const void *bytes, size_t size);
/* One number, little-endian. */
void page_block_put_int32(page_packer *packer, int32_t number);
/* Byte planes: the lowest bytes of all numbers, then the next, and so on. */
void page_block_put_planes(page_packer *packer, const int32_t *numbers, size_t count);
/* The same of the eight bytes of reals. */
void page_block_put_wide_planes(page_packer *packer, const double *numbers, size_t count);
/* Ends the block and hands it over, its bytes to be freed. ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY, and then there is nothing to be freed. */
abut_status page_block_end(page_packer *packer, page_block *block);

/* The bits of a number in single precision, as an integer that grows with the number; both zeros are 0. */
int32_t page_float_order(double number);

/* The same rounded to 16 significant bits: the last byte is 0, but of infinities and what would become one. */
int32_t page_float_order_short(double number);

/* number * scale, rounded; 0 for what is not a number, the nearest there is for what is too large. */
int32_t page_fixed(double number, double scale);

/* The least shift >= 0 at which this magnitude takes no more than 30 bits, with its sign, in units of 2^(shift - digits). */
int32_t page_shift(double largest, int digits);
