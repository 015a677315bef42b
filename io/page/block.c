/*
 * Packs numbers: byte planes put equal high bytes next to each other, and zlib compresses them with deflate (RFC 1950).
 */
#include "io/page/block.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

/* Measured with bench/view: see docs/formats/replay-page.md. */
enum { LEVEL = 5, PIECE = 1 << 15, BITS = 30 };

struct page_packer {
    z_stream stream;
    page_block block;
    size_t capacity;
    abut_status status;
    unsigned char piece[PIECE]; /* part of a plane */
};

page_packer *page_packer_create(void) {
    page_packer *packer = calloc(1, sizeof *packer);
    if (packer && deflateInit(&packer->stream, LEVEL) != Z_OK) {
        free(packer);
        return NULL;
    }
    return packer;
}

void page_packer_release(page_packer *packer) {
    if (packer) {
        deflateEnd(&packer->stream);
        free(packer->block.bytes);
        free(packer);
    }
}

void page_block_begin(page_packer *packer, page_block block) {
    packer->block = block;
    packer->block.raw = 0;
    packer->block.bytes = NULL;
    packer->block.size = 0;
    packer->capacity = 0;
    packer->status = deflateReset(&packer->stream) == Z_OK ? ABUT_OK : ABUT_ERROR_INTERNAL;
}

static abut_status reserve(page_packer *packer) {
    if (packer->block.size < packer->capacity) {
        return ABUT_OK;
    }
    size_t capacity = packer->capacity + packer->capacity / 2 + 4096;
    unsigned char *bytes = realloc(packer->block.bytes, capacity);
    if (!bytes) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    packer->block.bytes = bytes;
    packer->capacity = capacity;
    return ABUT_OK;
}

/* Compresses the input of the stream. zlib counts in unsigned int. */
static void compress_piece(page_packer *packer, int flush) {
    z_stream *stream = &packer->stream;
    int result = Z_OK;
    do {
        packer->status = reserve(packer);
        if (packer->status) {
            return;
        }
        size_t room = packer->capacity - packer->block.size;
        stream->next_out = packer->block.bytes + packer->block.size;
        stream->avail_out = room < PIECE ? (uInt)room : PIECE;
        uInt before = stream->avail_out;
        result = deflate(stream, flush);
        packer->block.size += before - stream->avail_out;
    } while (result == Z_OK && (stream->avail_in > 0 || stream->avail_out == 0 || flush == Z_FINISH));
    /* Z_BUF_ERROR means that nothing was left to do. */
    packer->status = result == Z_STREAM_ERROR ? ABUT_ERROR_INTERNAL : ABUT_OK;
}

void page_block_put(page_packer *packer, const void *bytes, size_t size) {
    const unsigned char *next = bytes;
    while (size > 0 && !packer->status) {
        size_t part = size < PIECE ? size : PIECE;
        packer->stream.next_in = (unsigned char *)next; /* zlib does not modify it */
        packer->stream.avail_in = (uInt)part;
        compress_piece(packer, Z_NO_FLUSH);
        packer->block.raw += (int64_t)part;
        next += part;
        size -= part;
    }
}

void page_block_put_int32(page_packer *packer, int32_t number) {
    uint32_t bits = (uint32_t)number;
    const unsigned char bytes[] = {(unsigned char)(bits & 255), (unsigned char)(bits >> 8 & 255), (unsigned char)(bits >> 16 & 255),
                                   (unsigned char)(bits >> 24)};
    page_block_put(packer, bytes, sizeof bytes);
}

void page_block_put_planes(page_packer *packer, const int32_t *numbers, size_t count) {
    for (int plane = 0; plane < 4; plane++) {
        for (size_t first = 0; first < count && !packer->status; first += PIECE) {
            size_t part = count - first < PIECE ? count - first : PIECE;
            for (size_t i = 0; i < part; i++) {
                packer->piece[i] = (unsigned char)((uint32_t)numbers[first + i] >> 8 * plane & 255);
            }
            page_block_put(packer, packer->piece, part);
        }
    }
}

void page_block_put_wide_planes(page_packer *packer, const double *numbers, size_t count) {
    for (int plane = 0; plane < 8; plane++) {
        for (size_t first = 0; first < count && !packer->status; first += PIECE) {
            size_t part = count - first < PIECE ? count - first : PIECE;
            for (size_t i = 0; i < part; i++) {
                uint64_t bits;
                memcpy(&bits, &numbers[first + i], sizeof bits);
                packer->piece[i] = (unsigned char)(bits >> 8 * plane & 255);
            }
            page_block_put(packer, packer->piece, part);
        }
    }
}

abut_status page_block_end(page_packer *packer, page_block *block) {
    if (!packer->status) {
        packer->stream.avail_in = 0;
        compress_piece(packer, Z_FINISH);
    }
    if (!packer->status) {
        /* Many blocks are kept, so spare capacity is released. */
        unsigned char *fitting = realloc(packer->block.bytes, packer->block.size);
        packer->block.bytes = fitting ? fitting : packer->block.bytes;
        *block = packer->block;
    } else {
        free(packer->block.bytes);
    }
    packer->block.bytes = NULL;
    return packer->status;
}

int32_t page_float_order(double number) {
    float single = (float)number;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    return bits >> 31 ? -(int32_t)(bits & INT32_MAX) : (int32_t)bits;
}

int32_t page_float_order_short(double number) {
    const int32_t infinity = 0x7f800000, step = 256;
    int32_t order = page_float_order(number), rounded = (order + (order < 0 ? -step : step) / 2) / step * step;
    return rounded < infinity && rounded > -infinity ? rounded : order;
}

int32_t page_fixed(double number, double scale) {
    double units = number * scale;
    if (fabs(units) < INT32_MAX) {
        return (int32_t)lrint(units);
    }
    return units > 0.0 ? INT32_MAX : units < 0.0 ? -INT32_MAX : 0;
}

int32_t page_shift(double largest, int digits) {
    const double most = ldexp(1.0, BITS - 1) - 1.0;
    int32_t shift = 0;
    while (isfinite(largest) && rint(ldexp(ldexp(largest, -shift), digits)) > most) {
        shift++;
    }
    return shift;
}
