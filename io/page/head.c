/*
 * The head of a run: JSON that describes the run and its blocks.
 */
#include "io/page/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/file/path.h"
#include "io/scene/event/kinds.h"
#include "io/scene/joint/description.h"
#include "io/surface/shape_json.h"

/* False when there is no memory. Takes ownership of the value in every case. */
static bool set(json_t *object, const char *key, json_t *value) { return json_object_set_new(object, key, value) == 0; }

static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

/* Text that may not be UTF-8, such as the name of a file. In that case characters outside ASCII are dropped. */
json_t *page_text(const char *bytes) {
    json_t *made = json_string(bytes);
    char plain[256];
    size_t used = 0;
    for (const char *c = bytes; !made && *c && used + 1 < sizeof plain; c++) {
        plain[used++] = (unsigned char)*c < 128 ? *c : '?';
    }
    plain[used] = '\0';
    return made ? made : json_string(plain);
}

static json_t *vec3(abut_vec3 v) {
    json_t *array = json_array();
    const double values[] = {v.x, v.y, v.z};
    for (int i = 0; i < 3 && array; i++) {
        json_array_append_new(array, number(values[i]));
    }
    return array;
}

static json_t *body_json(const page_run *run, int32_t index) {
    static const char *const kinds[] = {"dynamic", "static", "kinematic"};
    abut_recorded_body body;
    json_t *object = json_object();
    (void)abut_recording_body(run->recording, index, &body);
    bool made = object && set(object, "name", page_text(body.name)) && set(object, "kind", json_string(kinds[body.kind])) &&
                set(object, "shape", json_integer(body.shape)) && set(object, "mass", number(body.mass)) &&
                set(object, "friction", number(body.friction)) && set(object, "restitution", number(body.restitution)) &&
                set(object, "centre", vec3(body.centre)) && (!body.sensor || set(object, "sensor", json_true()));
    if (!made) {
        json_decref(object);
    }
    return made ? object : NULL;
}

static json_t *recorded_shape_json(const page_run *run, int32_t index) {
    abut_recorded_shape shape;
    (void)abut_recording_shape(run->recording, index, &shape);
    return shape_json(&shape);
}

static json_t *joint_json(const page_run *run, int32_t index) {
    abut_scene_joint joint;
    (void)abut_recording_joint(run->recording, index, &joint);
    return joint_description(&joint);
}

/* The kinds of events that the page has, by bit. */
static json_t *kinds_json(const page_run *run) {
    json_t *kinds = json_array();
    for (int i = 0; i < EVENT_KINDS && kinds; i++) {
        if ((run->told >> i & 1) && json_array_append_new(kinds, json_string(event_names[i])) != 0) {
            json_decref(kinds);
            kinds = NULL;
        }
    }
    return kinds;
}

static json_t *list(const page_run *run, int32_t count, json_t *(*make)(const page_run *, int32_t)) {
    json_t *array = json_array();
    for (int32_t i = 0; i < count && array; i++) {
        if (json_array_append_new(array, make(run, i)) != 0) {
            json_decref(array);
            array = NULL;
        }
    }
    return array;
}

static bool set_joints_and_events(json_t *head, const page_run *run) {
    bool joints = run->info.joint_count == 0 || set(head, "joints", list(run, run->info.joint_count, joint_json));
    bool events = run->info.event_count == 0 ||
                  (set(head, "event_kinds", kinds_json(run)) && set(head, "events_left_out", json_integer(run->untold_count)));
    return joints && events;
}

static json_t *quantum_json(const page_run *run) {
    const double turn = ldexp(1.0, -PAGE_TURN_DIGITS);
    return json_pack("{s:f, s:f, s:f}", "length", ldexp(1.0, -run->digits), "turn", turn, "normal", turn);
}

/* The longest common end of two paths that begins at the beginning of a component. */
static const char *common_tail(const char *path, const char *other) {
    const char *p = path + strlen(path), *q = other + strlen(other), *tail = p;
    while (p > path && q > other && p[-1] == q[-1]) {
        p--;
        q--;
        tail = p > path && path_is_separator(p[-1]) ? p : tail;
    }
    return tail;
}

void page_name(const char *path, const char *other, char *name, size_t size) {
    const char *base = path + path_folder_length(path);
    const char *tail = other && strcmp(path, other) != 0 ? common_tail(path, other) : path;
    if (tail <= base && tail > path) {
        const char *end = tail - 1, *begin = end;
        while (begin > path && !path_is_separator(begin[-1])) {
            begin--;
        }
        (void)snprintf(name, size, "%.*s/%s", (int)(end - begin), begin, base);
    } else {
        (void)snprintf(name, size, "%s", base);
    }
}

json_t *page_head(const page_run *run) {
    const abut_recording_info *info = &run->info;
    char name[256];
    page_name(info->path, run->beside, name, sizeof name);
    json_t *head = json_object();
    bool made = head && set(head, "format", json_string("abut replay")) && set(head, "version", json_integer(1)) &&
                set(head, "name", page_text(name)) && set(head, "title", page_text(info->title)) &&
                set(head, "abut_version", page_text(info->version)) && set(head, "complete", json_boolean(info->complete)) &&
                set(head, "dt", number(info->dt)) && set(head, "gravity", vec3(info->gravity)) &&
                set(head, "every", json_integer(run->every)) && set(head, "frame_count", json_integer(run->frame_count)) &&
                set(head, "step_count", json_integer(info->step_count)) && set(head, "quantum", quantum_json(run)) &&
                set(head, "size", number(run->size)) && set(head, "has_contacts", json_boolean(run->contacts)) &&
                set(head, "has_velocities", json_boolean(run->velocities)) && set(head, "bodies", list(run, info->body_count, body_json)) &&
                set(head, "shapes", list(run, info->shape_count, recorded_shape_json)) && set(head, "columns", page_step_columns(run)) &&
                set_joints_and_events(head, run);
    if (!made) {
        json_decref(head);
    }
    return made ? head : NULL;
}

static json_t *block_json(const page_block *block) {
    static const char *const kinds[PAGE_KINDS] = {"steps", "frames", "events", "poses", "velocities", "contacts", "vertices", "joints"};
    json_t *object = json_pack("{s:s, s:I, s:I, s:I}", "kind", kinds[block->kind], "first", (json_int_t)block->first, "count",
                               (json_int_t)block->count, "bytes", (json_int_t)block->raw);
    bool made = object != NULL;
    if (block->kind == PAGE_CONTACTS) {
        made = made && set(object, "shift", json_integer(block->shift));
    }
    if (block->kind == PAGE_CONTACTS || block->kind == PAGE_EVENTS) {
        made = made && set(object, "rows", json_integer(block->rows));
    }
    if (!made) {
        json_decref(object);
    }
    return made ? object : NULL;
}

json_t *page_head_blocks(const page_run *run) {
    json_t *array = json_array();
    for (size_t i = 0; i < run->block_count && array; i++) {
        if (json_array_append_new(array, block_json(&run->blocks[i])) != 0) {
            json_decref(array);
            array = NULL;
        }
    }
    return array;
}
