#include "step/world/saved.h"

#include <string.h>

#include "base/memory.h"

void saved_bits(saved_stream *s, uint64_t *bits, size_t bytes) {
    size_t at = s->at;
    if (saved_is_reading(s)) {
        s->broken = s->broken || bytes > s->size - at;
        uint64_t made = 0;
        for (size_t i = 0; i < bytes && !s->broken; ++i) {
            made |= (uint64_t)s->from[at + i] << 8 * i;
        }
        *bits = made;
        s->at += s->broken ? 0 : bytes;
        return;
    }
    for (size_t i = 0; i < bytes && s->to != NULL; ++i) {
        s->to[at + i] = (unsigned char)(*bits >> 8 * i & 0xff);
    }
    s->at += bytes;
}

void saved_bool(saved_stream *s, bool *value) {
    uint64_t bits = saved_is_reading(s) ? 0 : *value;
    saved_bits(s, &bits, 1);
    s->broken = s->broken || bits > 1;
    *value = bits != 0;
}

void saved_uint32(saved_stream *s, uint32_t *value) {
    uint64_t bits = saved_is_reading(s) ? 0 : *value;
    saved_bits(s, &bits, 4);
    *value = (uint32_t)bits;
}

void saved_int32(saved_stream *s, int32_t *value) {
    uint32_t bits = saved_is_reading(s) ? 0 : (uint32_t)*value;
    saved_uint32(s, &bits);
    *value = (int32_t)bits;
}

void saved_uint64(saved_stream *s, uint64_t *value) { saved_bits(s, value, 8); }

void saved_int64(saved_stream *s, int64_t *value) {
    uint64_t bits = saved_is_reading(s) ? 0 : (uint64_t)*value;
    saved_bits(s, &bits, 8);
    *value = (int64_t)bits;
}

void saved_real(saved_stream *s, double *value) {
    uint64_t bits = 0;
    if (!saved_is_reading(s)) {
        memcpy(&bits, value, sizeof bits);
    }
    saved_bits(s, &bits, 8);
    memcpy(value, &bits, sizeof bits);
}

void saved_vec3(saved_stream *s, abut_vec3 *value) {
    saved_real(s, &value->x);
    saved_real(s, &value->y);
    saved_real(s, &value->z);
}

void saved_quat(saved_stream *s, abut_quat *value) {
    saved_real(s, &value->x);
    saved_real(s, &value->y);
    saved_real(s, &value->z);
    saved_real(s, &value->w);
}

void saved_aabb(saved_stream *s, abut_aabb *value) {
    saved_vec3(s, &value->lower);
    saved_vec3(s, &value->upper);
}

void saved_feature(saved_stream *s, abut_feature *value) {
    uint32_t kind = saved_is_reading(s) ? 0 : (uint32_t)value->kind;
    saved_uint32(s, &kind);
    s->broken = s->broken || kind > ABUT_FEATURE_SMOOTH;
    value->kind = s->broken ? ABUT_FEATURE_NONE : (abut_feature_kind)kind;
    saved_int32(s, &value->index);
    saved_int32(s, &value->part);
}

void saved_cache(saved_stream *s, abut_cache *value) {
    saved_vec3(s, &value->axis);
    saved_feature(s, &value->feature_a);
    saved_feature(s, &value->feature_b);
}

void saved_contact(saved_stream *s, abut_contact *value) {
    saved_vec3(s, &value->on_a);
    saved_vec3(s, &value->on_b);
    saved_vec3(s, &value->normal);
    saved_real(s, &value->gap);
    saved_real(s, &value->area);
    saved_feature(s, &value->feature_a);
    saved_feature(s, &value->feature_b);
    saved_uint64(s, &value->id);
    saved_int32(s, &value->patch);
    saved_uint32(s, &value->flags);
}

bool saved_count(saved_stream *s, int32_t *count, size_t least_bytes) {
    saved_int32(s, count);
    if (saved_is_reading(s)) {
        s->broken = s->broken || *count < 0 || (size_t)*count > (s->size - s->at) / least_bytes;
        *count = s->broken ? 0 : *count;
    }
    return !s->broken;
}

void *saved_room(int32_t count, size_t size) { return memory_allocate(count > 0 ? (size_t)count : 1, size); }
