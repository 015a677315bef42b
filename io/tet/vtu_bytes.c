/*
 * Bytes of an array in a VTK XML file.
 */
#include "io/tet/vtu_bytes.h"

#include <string.h>

#include "io/file/byte_order.h"

vtu_bytes vtu_bytes_make(const char *begin, const char *end, bool encoded) {
    return (vtu_bytes){.encoded = encoded, .text = {.next = begin, .end = end}, .next = begin, .end = end};
}

size_t vtu_bytes_left(const vtu_bytes *bytes) {
    if (!bytes->encoded) {
        return (size_t)(bytes->end - bytes->next);
    }
    return (size_t)(bytes->text.count - bytes->text.used) + (size_t)(bytes->text.end - bytes->text.next) / 4 * 3;
}

bool vtu_take(vtu_bytes *bytes, unsigned char *to, size_t size) {
    if (vtu_bytes_left(bytes) < size) {
        return false;
    }
    if (bytes->encoded) {
        return base64_read(&bytes->text, to, size) == size;
    }
    memcpy(to, bytes->next, size);
    bytes->next += size;
    return true;
}

bool vtu_take_count(const vtu_storage *storage, vtu_bytes *bytes, uint64_t *count) {
    unsigned char header[8];
    if (!vtu_take(bytes, header, storage->header_size)) {
        return false;
    }
    *count = bytes_unsigned((const char *)header, storage->header_size, storage->big);
    return true;
}
