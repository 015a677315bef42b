#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * A hash of a sequence of numbers: equal for equal sequences, different for almost all others. Words enter by bijections, so two sequences
 * that differ in one word always have different digests. The digest is the same on every machine. It is not for secrets.
 */

static inline uint64_t digest_begin(void) { return UINT64_C(0xcbf29ce484222325); }

static inline uint64_t digest_word(uint64_t digest, uint64_t word) {
    digest = (digest ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return digest ^ digest >> 32;
}

/* Uses the bits of x: -0 and 0 differ. */
static inline uint64_t digest_real(uint64_t digest, double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return digest_word(digest, bits);
}

static inline uint64_t digest_reals(uint64_t digest, const double *x, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        digest = digest_real(digest, x[i]);
    }
    return digest;
}

static inline uint64_t digest_integers(uint64_t digest, const int32_t *x, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        digest = digest_word(digest, (uint64_t)(int64_t)x[i]);
    }
    return digest;
}

/* Eight bytes make a word, lowest byte first. The remaining bytes make a word that is filled with zeros. */
static inline uint64_t digest_bytes(uint64_t digest, const unsigned char *bytes, size_t count) {
    for (size_t i = 0; i < count; i += 8) {
        uint64_t word = 0;
        for (size_t k = 0; k < 8 && i + k < count; ++k) {
            word |= (uint64_t)bytes[i + k] << 8 * k;
        }
        digest = digest_word(digest, word);
    }
    return digest;
}
