/*
 * Base64: three bytes become four characters of six bits each.
 */
#include "io/file/base64.h"

#include <stdint.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

size_t base64_size(size_t size) { return (size / 3 + (size % 3 != 0)) * 4; }

/* Encodes up to three bytes as four characters. Missing bytes count as zero; characters that hold only missing bits become '='. */
static void encode(const unsigned char *bytes, size_t count, char *text) {
    uint32_t bits = (uint32_t)bytes[0] << 16;
    bits |= count > 1 ? (uint32_t)bytes[1] << 8 : 0;
    bits |= count > 2 ? bytes[2] : 0;
    text[0] = digits[bits >> 18];
    text[1] = digits[bits >> 12 & 63];
    text[2] = digits[bits >> 6 & 63];
    text[3] = digits[bits & 63];
    for (size_t i = count; i < 3; i++) {
        text[i + 1] = '=';
    }
}

abut_status base64_write(output_file *file, const unsigned char *bytes, size_t size, abut_error *error) {
    enum { GROUPS = 4096 };
    char text[4 * GROUPS];
    abut_status status = ABUT_OK;
    while (size > 0 && !status) {
        size_t used = 0;
        while (size > 0 && used < sizeof text) {
            size_t count = size < 3 ? size : 3;
            encode(bytes, count, text + used);
            used += 4;
            bytes += count;
            size -= count;
        }
        status = output_write(file, text, used, error);
    }
    return status;
}

static bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/* The six bits of a character; 64 for the padding, -1 for others. */
static int bits_of(char c) {
    if (c >= 'A' && c <= 'Z') {
        return c - 'A';
    }
    if (c >= 'a' && c <= 'z') {
        return c - 'a' + 26;
    }
    if (c >= '0' && c <= '9') {
        return c - '0' + 52;
    }
    return c == '+' ? 62 : c == '/' ? 63 : c == '=' ? 64 : -1;
}

/* Decodes the next four characters; false when they are not there, or are not base64. */
static bool decode(base64_text *text) {
    uint32_t bits = 0;
    int read = 0, padding = 0;
    const char *next = text->next;
    for (; read < 4 && next < text->end; next++) {
        if (is_blank(*next)) {
            continue;
        }
        int value = bits_of(*next);
        if (value < 0 || (value < 64 && padding > 0)) {
            return false;
        }
        padding += value == 64;
        bits = bits << 6 | (uint32_t)(value & 63);
        read++;
    }
    if (read < 4 || padding > 2) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        text->bytes[i] = (unsigned char)(bits >> (16 - 8 * i));
    }
    text->next = next;
    text->used = 0;
    text->count = 3 - padding;
    return true;
}

size_t base64_read(base64_text *text, unsigned char *bytes, size_t size) {
    size_t done = 0;
    while (done < size && (text->used < text->count || decode(text))) {
        bytes[done++] = text->bytes[text->used++];
    }
    return done;
}
