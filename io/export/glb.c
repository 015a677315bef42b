/*
 * Writes recordings as animated scenes in binary glTF 2.0: a JSON chunk with the description, and a binary chunk with the numbers. All numbers are
 * little-endian and have four bytes, so everything is aligned. The binary chunk is built in memory: meshes of the shapes, times, then a block of translations
 * and one of rotations for each moving body.
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/export/export.h"
#include "io/export/glb_joints.h"
#include "io/export/tessellation.h"
#include "io/file/grow.h"
#include "io/file/output.h"
#include "io/file/same.h"
#include "io/record/shape_radius.h"

void glb_fail(glb_exporter *e, abut_status status, const char *what) {
    if (!e->status) {
        e->status = abut_fail(e->error, status, "cannot write '%s': %s", e->path, what);
    }
}

json_int_t glb_add(glb_exporter *e, json_t *array, json_t *object) {
    if (!object || json_array_append_new(array, object) != 0) {
        glb_fail(e, ABUT_ERROR_OUT_OF_MEMORY, "no memory");
        return -1;
    }
    return (json_int_t)json_array_size(array) - 1;
}

/* ---- the binary chunk ---- */

/* The format counts bytes in 32 bits, and the JSON chunk and the headers need some of them. */
static const size_t most_bytes = UINT32_MAX - (1u << 28);

static bool reserve(glb_exporter *e, size_t more) {
    if (more > most_bytes || e->size > most_bytes - more) {
        glb_fail(e, ABUT_ERROR_UNSUPPORTED, "the file would be larger than glTF allows (4 GiB); export fewer frames with --every");
        return false;
    }
    if (!grow_array(&e->bytes, &e->capacity, e->size + more, SIZE_MAX, 1)) {
        glb_fail(e, ABUT_ERROR_OUT_OF_MEMORY, "no memory");
        return false;
    }
    return true;
}

static void store_uint32(char *bytes, uint32_t value) {
    bytes[0] = (char)(unsigned char)(value & 0xFF);
    bytes[1] = (char)(unsigned char)(value >> 8 & 0xFF);
    bytes[2] = (char)(unsigned char)(value >> 16 & 0xFF);
    bytes[3] = (char)(unsigned char)(value >> 24);
}

/* Appends four-byte cells, which may be floats or integers, in little-endian order. */
static void append_cells(glb_exporter *e, const void *cells, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, (const char *)cells + 4 * i, sizeof bits);
        store_uint32(e->bytes + e->size, bits);
        e->size += 4;
    }
}

/* Bounds of each component, which the format requires, computed from the single-precision numbers. */
static void set_bounds(json_t *accessor, const float *cells, size_t count, int width) {
    json_t *lower = json_array(), *upper = json_array();
    for (int k = 0; k < width; k++) {
        float least = cells[k], most = cells[k];
        for (size_t i = 1; i < count; i++) {
            least = fminf(least, cells[i * (size_t)width + (size_t)k]);
            most = fmaxf(most, cells[i * (size_t)width + (size_t)k]);
        }
        json_array_append_new(lower, json_real((double)least));
        json_array_append_new(upper, json_real((double)most));
    }
    json_object_set_new(accessor, "min", lower);
    json_object_set_new(accessor, "max", upper);
}

json_int_t glb_add_block(glb_exporter *e, glb_block b) {
    static const char *const types[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    size_t cells = b.count * (size_t)b.width;
    if (e->status || !reserve(e, 4 * cells)) {
        return -1;
    }
    json_t *view = json_pack("{s:i, s:I, s:I}", "buffer", 0, "byteOffset", (json_int_t)e->size, "byteLength", (json_int_t)(4 * cells));
    if (view && b.target) {
        json_object_set_new(view, "target", json_integer(b.target));
    }
    json_int_t view_index = glb_add(e, e->views, view);
    append_cells(e, b.cells, cells);
    json_t *accessor = json_pack("{s:I, s:i, s:I, s:s}", "bufferView", view_index, "componentType", b.type, "count", (json_int_t)b.count,
                                 "type", types[b.width]);
    if (accessor && b.bounds) {
        set_bounds(accessor, b.cells, b.count, b.width);
    }
    return glb_add(e, e->accessors, accessor);
}

/* ---- motion ---- */

/* True when the body has the same pose as in the first sample. */
static bool same_pose(const glb_motion *m, size_t sample) {
    bool same = true;
    for (size_t k = 0; k < 3; k++) {
        same = same && m->translation[k] == m->translation[3 * sample + k];
    }
    for (size_t k = 0; k < 4; k++) {
        same = same && m->rotation[k] == m->rotation[4 * sample + k];
    }
    return same;
}

void glb_store_rotation(float *cells, const float *before, abut_quat rotation) {
    abut_quat q = abut_quat_unit(rotation);
    if (before) {
        double along = q.x * (double)before[0] + q.y * (double)before[1] + q.z * (double)before[2] + q.w * (double)before[3];
        q = along < 0.0 ? abut_quat_make(-q.x, -q.y, -q.z, -q.w) : q;
    }
    cells[0] = (float)q.x;
    cells[1] = (float)q.y;
    cells[2] = (float)q.z;
    cells[3] = (float)q.w;
}

static void store_sample(glb_motion *m, size_t sample, const abut_recorded_state *state) {
    float *translation = m->translation + 3 * sample, *rotation = m->rotation + 4 * sample;
    abut_vec3 position = state->pose.position;
    bool come = m->present > 0, lasts = m->present == sample;
    bool there = state->presence != ABUT_RECORDED_REMOVED && (!come || lasts) && abut_pose_is_valid(state->pose) &&
                 isfinite((float)position.x) && isfinite((float)position.y) && isfinite((float)position.z);
    if (there) {
        translation[0] = (float)position.x;
        translation[1] = (float)position.y;
        translation[2] = (float)position.z;
        glb_store_rotation(rotation, come ? rotation - 4 : NULL, state->pose.rotation);
        m->present = sample + 1;
        for (size_t s = 0; s < sample && !come; s++) { /* where it will come */
            memcpy(m->translation + 3 * s, translation, 3 * sizeof *translation);
            memcpy(m->rotation + 4 * s, rotation, 4 * sizeof *rotation);
        }
        m->first = come ? m->first : sample;
    } else if (sample > 0) {
        memcpy(translation, translation - 3, 3 * sizeof *translation);
        memcpy(rotation, rotation - 4, 4 * sizeof *rotation);
    } else {
        rotation[3] = 1.0f;
    }
    m->moves = m->moves || !same_pose(m, sample);
}

/* The frame of a sample: multiples of `every`, and the last frame. */
static int64_t sample_frame(const glb_exporter *e, int32_t every, int64_t sample) {
    int64_t frame = sample * every;
    return frame < e->info.frame_count ? frame : e->info.frame_count - 1;
}

static bool allocate_motions(glb_exporter *e, size_t samples) {
    e->times = calloc(samples + 1, sizeof *e->times);
    e->motions = calloc((size_t)e->info.body_count + 1, sizeof *e->motions);
    e->joints = calloc((size_t)e->info.joint_count + 1, sizeof *e->joints);
    bool complete = e->times && e->motions && e->joints;
    for (int32_t i = 0; i < e->info.body_count && complete; i++) {
        e->motions[i].translation = calloc(samples + 1, 3 * sizeof(float));
        e->motions[i].rotation = calloc(samples + 1, 4 * sizeof(float));
        complete = e->motions[i].translation && e->motions[i].rotation;
    }
    if (!complete) {
        glb_fail(e, ABUT_ERROR_OUT_OF_MEMORY, "no memory");
    }
    return complete;
}

static void read_motions(glb_exporter *e, int32_t every) {
    int64_t samples = e->info.frame_count > 0 ? (e->info.frame_count - 1 + every - 1) / every + 1 : 0;
    if (!allocate_motions(e, (size_t)samples)) {
        return;
    }
    for (int64_t s = 0; s < samples; s++) {
        abut_recorded_frame frame;
        e->status = abut_recording_frame(e->recording, sample_frame(e, every, s), &frame, e->error);
        if (e->status) {
            return;
        }
        /* In single precision two times may become equal, which the format forbids. */
        if (e->sample_count > 0 && (float)frame.time <= e->times[e->sample_count - 1]) {
            continue;
        }
        e->times[e->sample_count] = (float)frame.time;
        for (int32_t i = 0; i < e->info.body_count; i++) {
            store_sample(&e->motions[i], e->sample_count, &frame.bodies[i]);
        }
        e->status = glb_joints_sample(e, sample_frame(e, every, s));
        if (e->status) {
            return;
        }
        e->sample_count++;
    }
}

/* Computes the middle and the half size of all bounded bodies. */
static void measure(glb_exporter *e) {
    abut_vec3 lower = {INFINITY, INFINITY, INFINITY}, upper = {-INFINITY, -INFINITY, -INFINITY};
    for (int32_t i = 0; i < e->info.body_count; i++) {
        abut_recorded_body body;
        abut_recorded_shape shape;
        (void)abut_recording_body(e->recording, i, &body);
        (void)abut_recording_shape(e->recording, body.shape, &shape);
        if (shape.kind == ABUT_SHAPE_PLANE) {
            continue;
        }
        double radius = recording_shape_radius(e->recording, body.shape);
        for (size_t s = e->motions[i].first; s < e->motions[i].present; s++) {
            const float *p = e->motions[i].translation + 3 * s;
            lower = abut_vec3_make(fmin(lower.x, p[0] - radius), fmin(lower.y, p[1] - radius), fmin(lower.z, p[2] - radius));
            upper = abut_vec3_make(fmax(upper.x, p[0] + radius), fmax(upper.y, p[1] + radius), fmax(upper.z, p[2] + radius));
        }
    }
    if (lower.x <= upper.x) {
        e->centre = abut_lerp(lower, upper, 0.5);
        e->reach = 0.75 * abut_distance_between(lower, upper);
    }
    if (!(e->reach > 0.0) || !isfinite(e->reach)) {
        e->reach = 1.0;
    }
}

/* ---- the document ---- */

/* Hues are spread by the golden angle. Static bodies are grey, kinematic ones blue. */
static void colour_of(abut_body_kind kind, int32_t index, double colour[3]) {
    static const double grey[3] = {0.36, 0.36, 0.38}, blue[3] = {0.08, 0.2, 0.5};
    if (kind != ABUT_BODY_DYNAMIC) {
        memcpy(colour, kind == ABUT_BODY_STATIC ? grey : blue, sizeof grey);
        return;
    }
    double hue = 6.0 * fmod(0.07 + index * 0.6180339887498949, 1.0);
    for (int k = 0; k < 3; k++) {
        double from_peak = fabs(fmod(hue + 6.0 - 2.0 * k, 6.0) - 3.0); /* 3 at the hue of component k, 0 opposite */
        double full = fmin(fmax(from_peak - 1.0, 0.0), 1.0);
        colour[k] = 0.1 + 0.55 * full;
    }
}

static json_int_t add_material(glb_exporter *e, abut_body_kind kind, int32_t index, bool two_sided) {
    double c[3];
    colour_of(kind, index, c);
    json_t *material = json_pack("{s:{s:[f,f,f,f], s:f, s:f}}", "pbrMetallicRoughness", "baseColorFactor", c[0], c[1], c[2], 1.0,
                                 "metallicFactor", 0.0, "roughnessFactor", 0.7);
    if (material && two_sided) {
        json_object_set_new(material, "doubleSided", json_true());
    }
    return glb_add(e, e->materials, material);
}

/* Adds vertices and triangles of a shape once. The square of a plane depends on the body's pose, so each body with a plane gets its own. */
static mesh_accessors shape_accessors(glb_exporter *e, int32_t shape_index, bool plane, abut_pose pose) {
    mesh_accessors *known = &e->shapes[shape_index];
    if (!plane && known->positions >= 0) {
        return *known;
    }
    mesh_accessors made = {-1, -1, -1};
    tessellation s;
    abut_status status = tessellation_create(e->recording, shape_index, abut_pose_apply_inverse(pose, e->centre), e->reach, &s);
    if (status) {
        glb_fail(e, status, abut_status_message(status));
        return made;
    }
    if (s.index_count > 0) {
        made.positions = glb_add_block(e, (glb_block){s.positions, s.vertex_count, 3, GLB_FLOAT, GLB_VERTICES, true});
        made.normals = glb_add_block(e, (glb_block){s.normals, s.vertex_count, 3, GLB_FLOAT, GLB_VERTICES, false});
        made.indices = glb_add_block(e, (glb_block){s.indices, s.index_count, 1, GLB_UINT32, GLB_INDICES, false});
    }
    tessellation_release(&s);
    *known = made;
    return made;
}

static abut_pose first_pose(const glb_motion *m) {
    abut_pose pose = abut_pose_identity();
    if (m->present > 0) {
        pose.position = abut_vec3_make(m->translation[0], m->translation[1], m->translation[2]);
        pose.rotation = abut_quat_unit(abut_quat_make(m->rotation[0], m->rotation[1], m->rotation[2], m->rotation[3]));
    }
    return pose;
}

/* Adds the body's mesh in its colour; -1 when its shape has no surface. */
static json_int_t add_mesh(glb_exporter *e, const abut_recorded_body *body, int32_t index) {
    abut_recorded_shape shape;
    (void)abut_recording_shape(e->recording, body->shape, &shape);
    bool plane = shape.kind == ABUT_SHAPE_PLANE;
    mesh_accessors a = shape_accessors(e, body->shape, plane, first_pose(&e->motions[index]));
    if (e->status || a.indices < 0) {
        return -1;
    }
    json_int_t material = add_material(e, body->kind, index, plane);
    return glb_add(e, e->meshes,
                   json_pack("{s:s, s:[{s:{s:I, s:I}, s:I, s:I}]}", "name", abut_kind_name(shape.kind), "primitives", "attributes",
                             "POSITION", a.positions, "NORMAL", a.normals, "indices", a.indices, "material", material));
}

void glb_add_channel(glb_exporter *e, json_int_t node, const char *path, json_int_t input, json_int_t output, const char *interpolation) {
    json_int_t sampler =
        glb_add(e, e->samplers, json_pack("{s:I, s:I, s:s}", "input", input, "output", output, "interpolation", interpolation));
    glb_add(e, e->channels, json_pack("{s:I, s:{s:I, s:s}}", "sampler", sampler, "target", "node", node, "path", path));
}

json_int_t glb_times(glb_exporter *e) {
    if (e->input < 0) {
        e->input = glb_add_block(e, (glb_block){e->times, e->sample_count, 1, GLB_FLOAT, 0, true});
    }
    return e->input;
}

void glb_add_absence(glb_exporter *e, size_t first, size_t present, double size, json_t *node, json_int_t node_index) {
    const float s = (float)size, scales[] = {0, 0, 0, s, s, s, 0, 0, 0};
    if (present == 0) {
        json_object_set_new(node, "scale", json_pack("[i,i,i]", 0, 0, 0));
        return;
    }
    float times[3];
    size_t count = 0, hidden = first > 0 ? 0 : 3; /* a node that is there in the first sample begins with the second scale */
    if (first > 0) {
        times[count++] = e->times[0];
    }
    times[count++] = e->times[first];
    if (present < e->sample_count) {
        times[count++] = e->times[present];
    }
    json_int_t input = glb_add_block(e, (glb_block){times, count, 1, GLB_FLOAT, 0, true});
    json_int_t output = glb_add_block(e, (glb_block){scales + hidden, count, 3, GLB_FLOAT, 0, false});
    glb_add_channel(e, node_index, "scale", input, output, "STEP");
}

/* A node for each body, in their order. */
static void add_body(glb_exporter *e, int32_t index) {
    abut_recorded_body body;
    (void)abut_recording_body(e->recording, index, &body);
    const glb_motion *m = &e->motions[index];
    abut_pose pose = first_pose(m);
    json_int_t mesh = add_mesh(e, &body, index);
    /* Names must be UTF-8. json_pack() refuses others. */
    json_t *name = json_string(body.name);
    json_t *node =
        json_pack("{s:o, s:[f,f,f], s:[f,f,f,f]}", "name", name ? name : json_string("body"), "translation", pose.position.x,
                  pose.position.y, pose.position.z, "rotation", pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w);
    if (node && mesh >= 0) {
        json_object_set_new(node, "mesh", json_integer(mesh));
    }
    json_int_t node_index = glb_add(e, e->nodes, node);
    if (e->status) {
        return;
    }
    json_array_append_new(e->children, json_integer(node_index));
    if (m->moves) {
        json_int_t translation = glb_add_block(e, (glb_block){m->translation, e->sample_count, 3, GLB_FLOAT, 0, false});
        json_int_t rotation = glb_add_block(e, (glb_block){m->rotation, e->sample_count, 4, GLB_FLOAT, 0, false});
        glb_add_channel(e, node_index, "translation", glb_times(e), translation, "LINEAR");
        glb_add_channel(e, node_index, "rotation", glb_times(e), rotation, "LINEAR");
    }
    if (m->first > 0 || m->present < e->sample_count) {
        glb_add_absence(e, m->first, m->present, 1.0, node, node_index);
    }
}

/* The rotation from the recording's up direction, against gravity, to the y axis. Without gravity the z axis is up. */
static abut_quat upright(abut_vec3 gravity) {
    abut_vec3 up = abut_neg(abut_unit(gravity)), y = {0, 1, 0};
    if (abut_length_squared(up) == 0.0) {
        up = abut_vec3_make(0, 0, 1);
    }
    abut_vec3 axis = abut_cross(up, y);
    double cosine = abut_dot(up, y);
    if (cosine < -0.999999) {
        return abut_quat_make(1, 0, 0, 0); /* half a turn about x */
    }
    return abut_quat_unit(abut_quat_make(axis.x, axis.y, axis.z, 1.0 + cosine));
}

/* Moves an array into the document. Empty arrays are left out, as the format requires. */
static void set_array(json_t *document, const char *key, json_t *array) {
    if (json_array_size(array) > 0) {
        json_object_set(document, key, array);
    }
}

static json_t *document_of(glb_exporter *e) {
    abut_quat q = upright(e->info.gravity);
    json_t *root = json_pack("{s:s, s:[f,f,f,f]}", "name", "world", "rotation", q.x, q.y, q.z, q.w);
    json_t *generator = json_sprintf("abut %s", abut_version());
    if (!root || !generator) {
        json_decref(root);
        json_decref(generator);
        return NULL;
    }
    set_array(root, "children", e->children);
    glb_add(e, e->nodes, root);
    json_t *document = json_pack("{s:{s:s, s:o}, s:i, s:[{s:[I]}], s:O}", "asset", "version", "2.0", "generator", generator, "scene", 0,
                                 "scenes", "nodes", (json_int_t)json_array_size(e->nodes) - 1, "nodes", e->nodes);
    if (!document) {
        return NULL;
    }
    json_t *scene = json_array_get(json_object_get(document, "scenes"), 0), *title = json_string(e->info.title);
    if (title && json_string_length(title) > 0) {
        json_object_set(scene, "name", title);
    }
    json_decref(title);
    set_array(document, "meshes", e->meshes);
    set_array(document, "materials", e->materials);
    set_array(document, "accessors", e->accessors);
    set_array(document, "bufferViews", e->views);
    if (json_array_size(e->channels) > 0) {
        json_object_set_new(document, "animations",
                            json_pack("[{s:s, s:O, s:O}]", "name", "simulation", "channels", e->channels, "samplers", e->samplers));
    }
    if (e->size > 0) {
        json_object_set_new(document, "buffers", json_pack("[{s:I}]", "byteLength", (json_int_t)e->size));
    }
    return document;
}

static void write_chunk(glb_exporter *e, output_file *file, const char *type, const char *bytes, size_t size, char padding) {
    char header[8], rest[3] = {padding, padding, padding};
    size_t padded = (size + 3) / 4 * 4;
    store_uint32(header, (uint32_t)padded);
    memcpy(header + 4, type, 4);
    e->status = output_write(file, header, sizeof header, e->error);
    e->status = e->status ? e->status : output_write(file, bytes, size, e->error);
    e->status = e->status ? e->status : output_write(file, rest, padded - size, e->error);
}

static void write_file(glb_exporter *e, const char *text) {
    size_t length = strlen(text), padded = (length + 3) / 4 * 4;
    size_t total = 12 + 8 + padded + (e->size > 0 ? 8 + e->size : 0);
    if (total > UINT32_MAX) {
        glb_fail(e, ABUT_ERROR_UNSUPPORTED, "the file would be larger than glTF allows (4 GiB); export fewer frames with --every");
        return;
    }
    output_file *file = NULL;
    e->status = output_open(e->path, OUTPUT_STREAM, &file, e->error);
    if (e->status) {
        return;
    }
    char header[12] = "glTF";
    store_uint32(header + 4, 2);
    store_uint32(header + 8, (uint32_t)total);
    e->status = output_write(file, header, sizeof header, e->error);
    if (!e->status) {
        write_chunk(e, file, "JSON", text, length, ' ');
    }
    if (!e->status && e->size > 0) {
        write_chunk(e, file, "BIN\0", e->bytes, e->size, '\0');
    }
    if (e->status) {
        output_discard(file);
    } else {
        e->status = output_commit(file, e->error);
    }
}

static void build(glb_exporter *e, int32_t every) {
    read_motions(e, every);
    if (e->status) {
        return;
    }
    measure(e);
    for (int32_t i = 0; i < e->info.shape_count; i++) {
        e->shapes[i] = (mesh_accessors){-1, -1, -1};
    }
    for (int32_t i = 0; i < e->info.body_count && !e->status; i++) {
        if (e->motions[i].moves) {
            (void)glb_times(e);
        }
        add_body(e, i);
    }
    glb_joints_add(e);
}

static void release(glb_exporter *e) {
    for (int32_t i = 0; e->motions && i < e->info.body_count; i++) {
        free(e->motions[i].translation);
        free(e->motions[i].rotation);
    }
    free(e->motions);
    free(e->joints);
    free(e->times);
    free(e->shapes);
    free(e->bytes);
    json_t *const arrays[] = {e->accessors, e->views, e->nodes, e->children, e->meshes, e->materials, e->channels, e->samplers};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        json_decref(arrays[i]);
    }
}

abut_status abut_export_glb(abut_recording *recording, const char *path, int32_t every, abut_error *error) {
    if (!recording || !path || every < 1) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "an export needs a recording, a path, and every >= 1");
    }
    glb_exporter e = {.recording = recording, .info = abut_recording_get_info(recording), .error = error, .path = path, .input = -1};
    if (file_is_same(e.info.path, path)) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "cannot write '%s': it is the recording itself; write elsewhere", path);
    }
    e.accessors = json_array();
    e.views = json_array();
    e.nodes = json_array();
    e.children = json_array();
    e.meshes = json_array();
    e.materials = json_array();
    e.channels = json_array();
    e.samplers = json_array();
    e.shapes = calloc((size_t)e.info.shape_count + 1, sizeof *e.shapes);
    if (!e.accessors || !e.views || !e.nodes || !e.children || !e.meshes || !e.materials || !e.channels || !e.samplers || !e.shapes) {
        glb_fail(&e, ABUT_ERROR_OUT_OF_MEMORY, "no memory");
    } else {
        build(&e, every);
    }
    if (!e.status) {
        json_t *document = document_of(&e);
        char *text = document && !e.status ? json_dumps(document, JSON_COMPACT) : NULL;
        json_decref(document);
        if (text) {
            write_file(&e, text);
        } else {
            glb_fail(&e, ABUT_ERROR_OUT_OF_MEMORY, "no memory");
        }
        free(text);
    }
    release(&e);
    return e.status;
}
