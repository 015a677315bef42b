/*
 * glTF 2.0 containers (Khronos Group, "glTF 2.0 Specification", 2021; sections 3.6 and 4.4). Binary data are little-endian. They are in the file itself (.glb),
 * in a data URI, or in a file beside it.
 */
#include "io/mesh/gltf_buffer.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/file.h"
#include "io/file/json_memory.h"
#include "io/mesh/pieces.h"

static uint32_t read_uint32(const unsigned char *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

abut_status gltf_fail(const gltf_file *file, const char *format, ...) {
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return abut_fail(file->error, ABUT_ERROR_FORMAT, "%s: %s", file->path, message);
}

static abut_status no_memory(const gltf_file *file) {
    return abut_fail(file->error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory for its contents", file->path);
}

json_t *gltf_element(const gltf_file *file, const char *name, const json_t *index) {
    if (!json_is_integer(index) || json_integer_value(index) < 0) {
        return NULL;
    }
    json_t *element = json_array_get(json_object_get(file->root, name), (size_t)json_integer_value(index));
    return json_is_object(element) ? element : NULL;
}

json_int_t gltf_count(const json_t *object, const char *key, json_int_t fallback) {
    const json_t *value = json_object_get(object, key);
    if (!value) {
        return fallback;
    }
    json_int_t count = json_is_integer(value) ? json_integer_value(value) : -1;
    return count < 0 ? -1 : count;
}

static int base64_digit(char c) {
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

static abut_status decode_base64(const gltf_file *file, const char *text, unsigned char **bytes, size_t *size) {
    size_t length = strlen(text);
    unsigned char *decoded = malloc(length / 4 * 3 + 3);
    if (!decoded) {
        return no_memory(file);
    }
    size_t used = 0;
    uint32_t bits = 0;
    int bit_count = 0;
    for (const char *c = text; *c != '\0' && *c != '='; c++) {
        int digit = base64_digit(*c);
        if (digit < 0) {
            free(decoded);
            return gltf_fail(file, "a data URI is not base64");
        }
        bits = (bits << 6 | (uint32_t)digit) & 0xffff;
        bit_count += 6;
        if (bit_count >= 8) {
            bit_count -= 8;
            decoded[used++] = (unsigned char)(bits >> bit_count);
        }
    }
    *bytes = decoded;
    *size = used;
    return ABUT_OK;
}

/* Decodes percent escapes such as "%20" in place. */
static void decode_percent(char *text) {
    char *out = text;
    for (const char *in = text; *in != '\0';) {
        unsigned code;
        if (in[0] == '%' && in[1] != '\0' && in[2] != '\0' && sscanf(in + 1, "%2x", &code) == 1 && code != 0) {
            *out++ = (char)code;
            in += 3;
        } else {
            *out++ = *in++;
        }
    }
    *out = '\0';
}

static abut_status read_beside(const gltf_file *file, const char *uri, unsigned char **bytes, size_t *size) {
    char *name = strdup(uri);
    if (!name) {
        return no_memory(file);
    }
    decode_percent(name);
    char *path = file_path_beside(file->path, name);
    free(name);
    if (!path) {
        return no_memory(file);
    }
    char *data = NULL;
    abut_status status = file_read(path, ABUT_MESH_MAX_BYTES, &data, size, file->error);
    free(path);
    if (status == ABUT_OK) {
        *bytes = (unsigned char *)data;
    }
    return status;
}

static abut_status load_buffer(gltf_file *file, size_t index, const unsigned char *chunk, size_t chunk_size) {
    const json_t *buffer = json_array_get(json_object_get(file->root, "buffers"), index);
    const char *uri = json_string_value(json_object_get(buffer, "uri"));
    unsigned char **bytes = &file->buffers[index];
    size_t *size = &file->buffer_sizes[index];
    abut_status status = ABUT_OK;
    if (uri && strncmp(uri, "data:", 5) == 0) {
        const char *comma = strstr(uri, ";base64,");
        status =
            comma ? decode_base64(file, comma + 8, bytes, size) : gltf_fail(file, "buffer %zu has a data URI that is not base64", index);
    } else if (uri) {
        status = read_beside(file, uri, bytes, size);
    } else if (index == 0 && chunk) {
        *bytes = malloc(chunk_size + 1);
        if (!*bytes) {
            return no_memory(file);
        }
        memcpy(*bytes, chunk, chunk_size);
        *size = chunk_size;
    } else {
        status = gltf_fail(file, "buffer %zu has no contents", index);
    }
    if (status != ABUT_OK) {
        return status;
    }
    json_int_t length = gltf_count(buffer, "byteLength", -1);
    if (length < 0 || (uint64_t)length > *size) {
        return gltf_fail(file, "buffer %zu has %zu bytes, but its byteLength is %lld", index, *size, (long long)length);
    }
    return ABUT_OK;
}

static abut_status load_buffers(gltf_file *file, const unsigned char *chunk, size_t chunk_size) {
    size_t count = json_array_size(json_object_get(file->root, "buffers"));
    file->buffers = calloc(count + 1, sizeof *file->buffers);
    file->buffer_sizes = calloc(count + 1, sizeof *file->buffer_sizes);
    if (!file->buffers || !file->buffer_sizes) {
        return no_memory(file);
    }
    file->buffer_count = count;
    for (size_t i = 0; i < count; i++) {
        abut_status status = load_buffer(file, i, chunk, chunk_size);
        if (status != ABUT_OK) {
            return status;
        }
    }
    return ABUT_OK;
}

/* Refuses extensions without which the surface would differ from the author's. */
static abut_status check_extensions(const gltf_file *file) {
    static const char *const not_read[] = {"KHR_draco_mesh_compression", "EXT_meshopt_compression", "EXT_mesh_gpu_instancing"};
    const json_t *required = json_object_get(file->root, "extensionsRequired");
    for (size_t i = 0; i < json_array_size(required); i++) {
        const char *name = json_string_value(json_array_get(required, i));
        for (size_t k = 0; name && k < sizeof not_read / sizeof not_read[0]; k++) {
            if (strcmp(name, not_read[k]) == 0) {
                return gltf_fail(file, "it requires the extension %s, which is not supported", name);
            }
        }
    }
    return ABUT_OK;
}

static abut_status parse_json(gltf_file *file, const char *text, size_t length, size_t flags) {
    json_error_t mistake;
    file->root = json_loadb(text, length, flags, &mistake);
    if (!file->root && json_lacked_memory(&mistake, text, length)) {
        return no_memory(file);
    }
    if (!file->root) {
        return abut_fail(file->error, ABUT_ERROR_FORMAT, "%s:%d:%d: %s", file->path, mistake.line, mistake.column, mistake.text);
    }
    const char *version = json_string_value(json_object_get(json_object_get(file->root, "asset"), "version"));
    if (!version || strncmp(version, "2.", 2) != 0) {
        return gltf_fail(file, "this is not glTF 2.0: asset.version is %s", version ? version : "missing");
    }
    return check_extensions(file);
}

/* A .glb file: a header of 12 bytes, then chunks of length, kind and contents. The first chunk is the JSON, the second the binary buffer. */
static abut_status open_binary(gltf_file *file, const unsigned char *data, size_t length) {
    if (length < 20 || read_uint32(data + 4) != 2 || read_uint32(data + 8) > length) {
        return gltf_fail(file, "this is not a .glb file of version 2 with the size that its header gives");
    }
    size_t end = read_uint32(data + 8), json_size = read_uint32(data + 12);
    if (end < 20 || json_size > end - 20 || memcmp(data + 16, "JSON", 4) != 0) {
        return gltf_fail(file, "its first chunk is not JSON or is truncated");
    }
    /* Some writers pad the chunk with zeros. */
    abut_status status = parse_json(file, (const char *)data + 20, json_size, JSON_DISABLE_EOF_CHECK);
    if (status != ABUT_OK) {
        return status;
    }
    size_t next = 20 + json_size;
    if (end - next < 8) {
        return load_buffers(file, NULL, 0);
    }
    size_t size = read_uint32(data + next);
    if (size > end - next - 8 || memcmp(data + next + 4, "BIN", 4) != 0) {
        return gltf_fail(file, "its second chunk is not binary or is truncated");
    }
    return load_buffers(file, data + next + 8, size);
}

abut_status gltf_open(const char *path, const char *data, size_t length, gltf_file *file, abut_error *error) {
    *file = (gltf_file){.path = path, .error = error};
    if (length >= 4 && memcmp(data, "glTF", 4) == 0) {
        return open_binary(file, (const unsigned char *)data, length);
    }
    abut_status status = parse_json(file, data, length, 0);
    return status == ABUT_OK ? load_buffers(file, NULL, 0) : status;
}

void gltf_release(gltf_file *file) {
    for (size_t i = 0; i < file->buffer_count; i++) {
        free(file->buffers[i]);
    }
    free(file->buffers);
    free(file->buffer_sizes);
    json_decref(file->root);
}

static size_t component_size(int type) {
    switch (type) {
    case 5120:
    case 5121:
        return 1;
    case 5122:
    case 5123:
        return 2;
    case 5125:
    case 5126:
        return 4;
    default:
        return 0;
    }
}

abut_status gltf_accessor_open(const gltf_file *file, const json_t *index, const char *type, const char *what, gltf_accessor *accessor) {
    const json_t *object = gltf_element(file, "accessors", index);
    const char *found = json_string_value(json_object_get(object, "type"));
    int component_type = (int)gltf_count(object, "componentType", 0);
    size_t element = component_size(component_type) * (strcmp(type, "VEC3") == 0 ? 3 : 1);
    if (!object || !found || strcmp(found, type) != 0 || element == 0) {
        return gltf_fail(file, "%s: not an accessor of type %s", what, type);
    }
    if (json_object_get(object, "sparse")) {
        return gltf_fail(file, "%s: sparse accessors are not supported", what);
    }
    const json_t *view = gltf_element(file, "bufferViews", json_object_get(object, "bufferView"));
    json_int_t buffer = gltf_count(view, "buffer", -1), view_offset = gltf_count(view, "byteOffset", 0),
               view_size = gltf_count(view, "byteLength", -1);
    json_int_t stride = gltf_count(view, "byteStride", (json_int_t)element), offset = gltf_count(object, "byteOffset", 0);
    json_int_t count = gltf_count(object, "count", -1);
    if (!view || buffer < 0 || (uint64_t)buffer >= file->buffer_count || view_offset < 0 || view_size < 0 || stride < (json_int_t)element ||
        offset < 0 || count < 0) {
        return gltf_fail(file, "%s: its accessor or buffer view is malformed", what);
    }
    uint64_t size = file->buffer_sizes[buffer], start = (uint64_t)view_offset, length = (uint64_t)view_size;
    bool inside = start <= size && length <= size - start && (uint64_t)offset <= length &&
                  (count == 0 || (element <= length - (uint64_t)offset &&
                                  (uint64_t)(count - 1) <= (length - (uint64_t)offset - element) / (uint64_t)stride));
    if (!inside) {
        return gltf_fail(file, "%s: %lld elements are more than its buffer view holds", what, (long long)count);
    }
    *accessor = (gltf_accessor){file->buffers[buffer] + start + offset, (size_t)count, (size_t)stride, component_type,
                                json_is_true(json_object_get(object, "normalized"))};
    return ABUT_OK;
}

double gltf_number(const gltf_accessor *accessor, size_t element, size_t component) {
    size_t size = component_size(accessor->component_type);
    const unsigned char *bytes = accessor->bytes + element * accessor->stride + component * size;
    uint32_t bits = size == 4 ? read_uint32(bytes) : size == 2 ? (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 : bytes[0];
    float single;
    switch (accessor->component_type) {
    case 5120:
        return accessor->normalized ? fmax((int8_t)bits / 127.0, -1.0) : (int8_t)bits;
    case 5121:
        return accessor->normalized ? bits / 255.0 : bits;
    case 5122:
        return accessor->normalized ? fmax((int16_t)bits / 32767.0, -1.0) : (int16_t)bits;
    case 5123:
        return accessor->normalized ? bits / 65535.0 : bits;
    case 5126:
        memcpy(&single, &bits, sizeof single);
        return (double)single;
    default:
        return bits;
    }
}
