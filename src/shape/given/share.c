#include "shape/given/share.h"

#include <stddef.h>
#include <string.h>

#include "shape/lifecycle.h"

/* All fields but the kind and the count of references, which other threads change; and the skin, which belongs to the base. */
static void share_fields(const abut_shape *from, abut_shape *to) {
    const size_t first = offsetof(abut_shape, half), end = offsetof(abut_shape, skin);
    memcpy((char *)to + first, (const char *)from + first, end - first);
}

abut_shape *shape_share(const abut_shape *shape) {
    abut_shape *copy = shape_allocate(shape->kind);
    if (copy != NULL) {
        share_fields(shape, copy);
        copy->base = abut_shape_retain(shape->base != NULL ? shape->base : shape);
    }
    return copy;
}
