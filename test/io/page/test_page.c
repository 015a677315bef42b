/* Replay pages, read back by a decoder of their own, written by docs/formats/replay-page.md: what is exact is exact, the rest is within half a unit; nothing is
 * damaged when a page cannot be written. The command's pages are read again in Python, by test_view_command.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "io/file/base64.h"
#include "io/page/page.h"
#include "io/page/chunk.h"
#include "io/surface/shape_json.h"
#include "io/scene/event/kinds.h"
#include "support/check.h"
#include "support/demo_joints.h"
#include "support/demo_recording.h"
#include "support/demo_scene.h"
#include "support/files.h"
#include "support/random.h"

#define FOLDER ABUT_TEST_SCRATCH_DIR "/folder"
#define RESULT FOLDER "/page.html"
#define TEMPLATE ABUT_TEST_SCRATCH_DIR "/template.html"
#define RECORDING ABUT_TEST_SCRATCH_DIR "/run.h5"

static const char before[] = "<!doctype html>\n<title>t</title>\n", behind[] = "\n<script>run()</script>\n";

enum { CONTACT_COLUMNS = 28 };

/* ---- recordings ---- */

static abut_recording *record_demo(void) { return demo_recording(RECORDING, DEMO_STEPS); }

/* A recording of some steps; the scene is freed. */
static abut_recording *record_scene(abut_scene *scene, int steps) {
    record_simulation(RECORDING, demo_simulation(scene), NULL, steps);
    abut_scene_destroy(scene);
    return open_recording(RECORDING);
}

static abut_recording *record_file(const char *name, int steps) {
    char path[1024];
    abut_scene *scene = NULL;
    abut_error error = {ABUT_OK, ""};
    snprintf(path, sizeof path, "%s/scenes/%s", ABUT_TEST_SOURCE_DIR, name);
    if (abut_scene_load(path, &scene, &error) != ABUT_OK) {
        fail_msg("%s", error.message);
    }
    return record_scene(scene, steps);
}

static int set_up(void **state) {
    (void)state;
    char text[200];
    files_limit(0);
    files_empty_folder(FOLDER);
    int length = snprintf(text, sizeof text, "%s<!--abut:runs-->%s", before, behind);
    files_write(TEMPLATE, text, (size_t)length);
    return 0;
}

/* ---- reading a page ---- */

typedef struct reader {
    char *text;
    size_t size;
    json_t *head, *blocks;
    double length;
} reader;

static const char *get_text(const json_t *object, const char *key) { return json_string_value(json_object_get(object, key)); }
static json_int_t get_integer(const json_t *object, const char *key) {
    json_t *value = json_object_get(object, key);
    assert_true(json_is_integer(value));
    return json_integer_value(value);
}

/* The text of the element with this id. */
static char *element(const reader *r, const char *id) {
    char opening[100];
    snprintf(opening, sizeof opening, "id=\"%s\">", id);
    const char *at = strstr(r->text, opening);
    assert_non_null(at);
    at += strlen(opening);
    const char *end = strchr(at, '<');
    assert_non_null(end);
    assert_memory_equal(end, "</script>", 9);
    char *copy = malloc((size_t)(end - at) + 1);
    assert_non_null(copy);
    memcpy(copy, at, (size_t)(end - at));
    copy[end - at] = '\0';
    return copy;
}

static reader read_page(void) {
    reader r = {0};
    r.text = files_read(RESULT, &r.size);
    assert_non_null(r.text);
    assert_memory_equal(r.text, before, sizeof before - 1);
    assert_string_equal(r.text + r.size - (sizeof behind - 1), behind);
    char *head = element(&r, "run-0");
    r.head = json_loads(head, 0, NULL);
    free(head);
    assert_non_null(r.head);
    r.blocks = json_object_get(r.head, "blocks");
    r.length = json_number_value(json_object_get(json_object_get(r.head, "quantum"), "length"));
    assert_true(r.length > 0.0);
    return r;
}

static void close_page(reader *r) {
    json_decref(r->head);
    free(r->text);
}

static int digit(char c) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = strchr(digits, c);
    assert_true(c && at);
    return (int)(at - digits);
}

/* Bytes of a block, uncompressed; free() them. */
static unsigned char *unpack(const reader *r, size_t index) {
    char id[60];
    snprintf(id, sizeof id, "run-0-block-%zu", index);
    char *text = element(r, id);
    size_t length = strlen(text), used = 0;
    assert_int_equal(length % 4, 0);
    unsigned char *packed = malloc(length + 1);
    for (size_t i = 0; i < length; i += 4) {
        int padding = text[i + 3] != '=' ? 0 : text[i + 2] != '=' ? 1 : 2;
        assert_true(padding == 0 || i + 4 == length);
        unsigned bits = 0;
        for (size_t c = 0; c < 4; c++) {
            bits = bits << 6 | (unsigned)(c + (size_t)padding < 4 ? digit(text[i + c]) : 0);
        }
        for (int c = 0; c < 3 - padding; c++) {
            packed[used++] = (unsigned char)(bits >> (16 - 8 * c) & 255);
        }
    }
    uLongf size = (uLongf)get_integer(json_array_get(r->blocks, index), "bytes");
    uLongf wanted = size;
    unsigned char *bytes = malloc(size + 1);
    assert_int_equal(uncompress(bytes, &size, packed, (uLong)used), Z_OK);
    assert_int_equal(size, wanted);
    free(packed);
    free(text);
    return bytes;
}

/* The next block of a kind from *index on; false when there is none. */
static bool next_block(const reader *r, const char *kind, size_t *index) {
    while (*index < json_array_size(r->blocks) && strcmp(get_text(json_array_get(r->blocks, *index), "kind"), kind) != 0) {
        ++*index;
    }
    return *index < json_array_size(r->blocks);
}

static int32_t load_plain(const unsigned char *bytes) {
    return (int32_t)((uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24);
}

/* Number i of planes of n. */
static int32_t load_plane(const unsigned char *bytes, size_t n, size_t i) {
    const unsigned char gathered[] = {bytes[i], bytes[n + i], bytes[2 * n + i], bytes[3 * n + i]};
    return load_plain(gathered);
}

static double load_wide(const unsigned char *bytes, size_t n, size_t i) {
    uint64_t bits = 0;
    double number;
    for (size_t plane = 0; plane < 8; plane++) {
        bits |= (uint64_t)bytes[plane * n + i] << 8 * plane;
    }
    memcpy(&number, &bits, sizeof number);
    return number;
}

static float from_order(int32_t i) {
    uint32_t bits = i < 0 ? UINT32_C(0x80000000) - (uint32_t)i : (uint32_t)i;
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static int32_t add(int32_t a, int32_t b) { return (int32_t)((uint32_t)a + (uint32_t)b); }

/* ---- comparing with the recording ---- */

static int64_t source_of(const abut_recording *recording, int64_t frame, int32_t every) {
    int64_t count = abut_recording_get_info(recording).frame_count, source = frame * every;
    return source < count ? source : count - 1;
}

/* The numbers of a line of residuals, in place. */
static void add_lines(int32_t *line, int64_t count, bool second) {
    for (int64_t f = 1; f < count; f++) {
        int32_t expected = second && f > 1 ? add(add(line[f - 1], line[f - 1]), -line[f - 2]) : line[f - 1];
        line[f] = add(line[f], expected);
    }
}

static int32_t *read_lines(const unsigned char *bytes, size_t lines, int64_t count, bool second) {
    size_t n = lines * (size_t)count;
    int32_t *numbers = malloc((n + 1) * sizeof *numbers);
    assert_non_null(numbers);
    for (size_t i = 0; i < n; i++) {
        numbers[i] = load_plane(bytes, n, i);
    }
    for (size_t line = 0; line < lines; line++) {
        add_lines(numbers + line * (size_t)count, count, second);
    }
    return numbers;
}

static void check_pose(const int32_t *v, size_t stride, const abut_recorded_state *state, double unit, bool first) {
    const abut_vec3 p = state->pose.position;
    const abut_quat q = state->pose.rotation;
    const double x[] = {p.x, p.y, p.z}, r[] = {q.x, q.y, q.z, q.w};
    double along = 0.0, same = 0.0;
    for (size_t c = 0; c < 3; c++) {
        assert_true(fabs(v[c * stride] * unit - x[c]) <= 0.5 * unit);
        assert_true(abs(v[c * stride]) < 1 << 29);
    }
    for (size_t c = 0; c < 4; c++) {
        same += r[c] * v[(c + 3) * stride];
        along += first ? 0.0 : (double)v[(c + 3) * stride] * v[(c + 3) * stride - 1];
    }
    assert_true(along >= 0.0);
    for (size_t c = 0; c < 4; c++) {
        assert_true(fabs(v[(c + 3) * stride] * ldexp(1.0, -20) - (same < 0.0 ? -r[c] : r[c])) <= ldexp(1.0, -21));
    }
}

/* Compares all poses and velocities of the page; returns the number of removed bodies. */
static int64_t check_bodies(const reader *r, abut_recording *recording, int32_t every, bool velocities) {
    int64_t done = 0, removed = 0;
    int32_t bodies = abut_recording_get_info(recording).body_count;
    size_t moving_block = 0;
    for (size_t block = 0; next_block(r, "poses", &block); block++) {
        const json_t *entry = json_array_get(r->blocks, block);
        int64_t count = get_integer(entry, "count");
        assert_int_equal(get_integer(entry, "first"), done);
        unsigned char *presence = unpack(r, block), *packed = NULL;
        size_t stride = (size_t)(bodies * count);
        int32_t *shifts = read_lines(presence + stride, (size_t)bodies, 1, false);
        int32_t *v = read_lines(presence + stride + 4 * (size_t)bodies, 7 * (size_t)bodies, count, true), *w = NULL;
        assert_int_equal(next_block(r, "velocities", &moving_block), velocities);
        if (velocities) {
            assert_int_equal(get_integer(json_array_get(r->blocks, moving_block), "count"), count);
            packed = unpack(r, moving_block++);
            w = read_lines(packed, 6 * (size_t)bodies, count, false);
        }
        for (int64_t f = 0; f < count; f++) {
            abut_recorded_frame frame;
            assert_int_equal(abut_recording_frame(recording, source_of(recording, done + f, every), &frame, NULL), ABUT_OK);
            for (int32_t b = 0; b < bodies; b++) {
                const abut_recorded_state *state = &frame.bodies[b];
                size_t at = (size_t)(b * count + f);
                assert_int_equal(presence[at], state->presence);
                if (state->presence == ABUT_RECORDED_REMOVED) {
                    for (size_t c = 0; c < 7; c++) {
                        assert_int_equal(v[c * stride + at], f > 0 ? v[c * stride + at - 1] : 0);
                    }
                    removed++;
                    continue;
                }
                check_pose(v + at, stride, state, ldexp(r->length, shifts[b]), f == 0 || presence[at - 1] == 0);
                const abut_vec3 u = state->velocity, s = state->angular_velocity;
                const double moving[] = {u.x, u.y, u.z, s.x, s.y, s.z};
                for (size_t c = 0; c < 6 && w; c++) {
                    assert_int_equal(w[c * stride + at] % 256, 0);
                    assert_true(fabs(from_order(w[c * stride + at]) - moving[c]) <= fmax(0x1p-16 * fabs(moving[c]), 0x1p-142));
                }
            }
        }
        done += count;
        free(shifts);
        free(v);
        free(w);
        free(packed);
        free(presence);
    }
    assert_int_equal(done, get_integer(r->head, "frame_count"));
    return removed;
}

/* Row `row` of columns in plain numbers, next to the contact. */
static void check_row(const int32_t *cells, size_t rows, size_t row, const abut_recorded_contact *c, double unit) {
    const abut_contact *k = &c->contact;
    const int32_t whole[] = {c->a,
                             c->b,
                             (int32_t)k->feature_a.kind,
                             k->feature_a.index,
                             k->feature_a.part,
                             (int32_t)k->feature_b.kind,
                             k->feature_b.index,
                             k->feature_b.part,
                             k->patch,
                             (int32_t)k->flags,
                             (int32_t)(uint32_t)k->id,
                             (int32_t)(uint32_t)(k->id >> 32)};
    const double fixed[] = {k->on_a.x, k->on_a.y, k->on_a.z, k->on_b.x, k->on_b.y, k->on_b.z, k->normal.x, k->normal.y, k->normal.z};
    const double reals[] = {k->gap, k->area, c->normal_force, c->friction_force.x, c->friction_force.y, c->friction_force.z};
    for (size_t i = 0; i < 12; i++) {
        assert_int_equal(cells[(1 + i) * rows + row], whole[i]);
    }
    for (size_t i = 0; i < 9; i++) {
        double one = i < 6 ? unit : ldexp(1.0, -20);
        assert_true(fabs(cells[(13 + i) * rows + row] * one - fixed[i]) <= 0.5 * one);
    }
    for (size_t i = 0; i < 6; i++) {
        assert_true(from_order(cells[(22 + i) * rows + row]) == (float)reals[i]);
    }
}

/* Undoes the differences of a frame's rows; `last_first` is where the nearest frame before begins. How many rows were differences. */
static int64_t add_rows(int32_t *cells, size_t rows, size_t first, int32_t count, size_t last_first) {
    int32_t last = -1;
    int64_t predicted = 0;
    for (size_t row = first; row < first + (size_t)count; row++) {
        int32_t ref = cells[row], half = ref / 2;
        if (ref % 2 != 0) {
            assert_int_equal(ref, 1);
            continue;
        }
        last += 1 + (half % 2 != 0 ? -(half + 1) / 2 : half / 2);
        assert_true(last >= 0 && last_first + (size_t)last < first);
        for (size_t column = 1; column < CONTACT_COLUMNS; column++) {
            cells[column * rows + row] = add(cells[column * rows + row], cells[column * rows + last_first + (size_t)last]);
        }
        predicted++;
    }
    return predicted;
}

typedef struct contact_counts {
    int64_t rows, predicted, repeated;
} contact_counts;

/* Compares the contacts of a block with those that `contacts_of` gives for its frames. */
static contact_counts check_block(const unsigned char *bytes, int64_t count, size_t rows, double unit,
                                  const abut_recorded_contact *(*contacts_of)(void *, int64_t, int32_t *), void *user) {
    contact_counts counts = {.rows = (int64_t)rows};
    int32_t *cells = malloc((CONTACT_COLUMNS * rows + 1) * sizeof *cells);
    assert_non_null(cells);
    for (size_t i = 0; i < CONTACT_COLUMNS * rows; i++) {
        cells[i] = load_plane(bytes + 4 * count, CONTACT_COLUMNS * rows, i);
    }
    size_t first = 0, end = 0;
    for (int64_t f = 0; f < count; f++) {
        int32_t number = load_plain(bytes + 4 * f), wanted;
        assert_true(number >= (f > 0 ? -1 : 0));
        if (number >= 0) {
            counts.predicted += add_rows(cells, rows, end, number, first);
            first = end;
            end += (size_t)number;
        }
        counts.repeated += number < 0;
        const abut_recorded_contact *contacts = contacts_of(user, f, &wanted);
        assert_int_equal(end - first, wanted);
        for (int32_t i = 0; i < wanted; i++) {
            check_row(cells, rows, first + (size_t)i, &contacts[i], unit);
        }
    }
    assert_int_equal(end, rows);
    free(cells);
    return counts;
}

typedef struct recorded_contacts {
    abut_recording *recording;
    int64_t first;
    int32_t every;
} recorded_contacts;

static const abut_recorded_contact *recorded_of(void *user, int64_t frame, int32_t *count) {
    const recorded_contacts *from = user;
    const abut_recorded_contact *contacts = NULL;
    int64_t source = source_of(from->recording, from->first + frame, from->every);
    assert_int_equal(abut_recording_contacts(from->recording, source, &contacts, count, NULL), ABUT_OK);
    return contacts;
}

static contact_counts check_all_contacts(const reader *r, abut_recording *recording, int32_t every) {
    contact_counts sum = {0};
    recorded_contacts from = {recording, 0, every};
    for (size_t block = 0; next_block(r, "contacts", &block); block++) {
        const json_t *entry = json_array_get(r->blocks, block);
        unsigned char *bytes = unpack(r, block);
        double unit = ldexp(r->length, (int)get_integer(entry, "shift"));
        assert_int_equal(get_integer(entry, "first"), from.first);
        contact_counts more = check_block(bytes, get_integer(entry, "count"), (size_t)get_integer(entry, "rows"), unit, recorded_of, &from);
        sum.rows += more.rows;
        sum.predicted += more.predicted;
        sum.repeated += more.repeated;
        from.first += get_integer(entry, "count");
        free(bytes);
    }
    assert_int_equal(from.first, get_integer(r->head, "frame_count"));
    return sum;
}

static void check_tables(const reader *r, abut_recording *recording, int32_t every) {
    size_t block = 0, rows = (size_t)get_integer(r->head, "step_count"), frames = (size_t)get_integer(r->head, "frame_count");
    assert_true(next_block(r, "steps", &block));
    unsigned char *steps = unpack(r, block);
    assert_string_equal(json_string_value(json_array_get(json_object_get(r->head, "columns"), 1)), "time");
    for (size_t row = 0; row < rows; row++) {
        abut_step_report report;
        assert_int_equal(abut_recording_step(recording, (int64_t)row, &report), ABUT_OK);
        assert_true(load_wide(steps, rows, row) == (double)report.step);
        assert_true(load_wide(steps + 8 * rows, rows, row) == report.time);
    }
    assert_true(next_block(r, "frames", &block));
    unsigned char *times = unpack(r, block);
    for (size_t f = 0; f < frames; f++) {
        abut_recorded_frame frame;
        assert_int_equal(abut_recording_frame(recording, source_of(recording, (int64_t)f, every), &frame, NULL), ABUT_OK);
        assert_true(load_wide(times, frames, f) == (double)frame.step);
        assert_true(load_wide(times + 8 * frames, frames, f) == frame.time);
    }
    free(times);
    free(steps);
}

static reader write_page(abut_recording *recording, const abut_export_page_settings *settings) {
    abut_error error = {ABUT_OK, ""};
    if (abut_export_page(&recording, 1, TEMPLATE, RESULT, settings, &error) != ABUT_OK) {
        fail_msg("%s", error.message);
    }
    return read_page();
}

/* ---- tests ---- */

static void test_pages_hold_what_was_recorded(void **state) {
    (void)state;
    abut_recording *recording = record_demo();
    static const int32_t everys[] = {1, 7, 60, 1000};
    for (int i = 0; i < 4; i++) {
        abut_export_page_settings settings = abut_export_page_settings_default();
        settings.every = everys[i];
        reader r = write_page(recording, &settings);
        assert_int_equal(get_integer(r.head, "every"), everys[i]);
        assert_int_equal(get_integer(r.head, "frame_count"), (DEMO_STEPS - 1 + everys[i]) / everys[i] + 1);
        assert_int_equal(json_array_size(json_object_get(r.head, "bodies")), DEMO_BODIES);
        assert_true(check_bodies(&r, recording, everys[i], true) > 0);
        contact_counts counts = check_all_contacts(&r, recording, everys[i]);
        assert_true(i > 0 || (counts.rows > 50 && counts.predicted > counts.rows / 2 && counts.repeated > 0));
        check_tables(&r, recording, everys[i]);
        close_page(&r);
    }
    abut_recording_close(recording);
}

static void test_parts_can_be_left_out(void **state) {
    (void)state;
    abut_recording *recording = record_demo();
    for (int i = 0; i < 4; i++) {
        abut_export_page_settings settings = abut_export_page_settings_default();
        settings.contacts = i % 2 == 0;
        settings.velocities = i < 2;
        reader r = write_page(recording, &settings);
        size_t block = 0;
        assert_int_equal(json_is_true(json_object_get(r.head, "has_contacts")), settings.contacts);
        assert_int_equal(json_is_true(json_object_get(r.head, "has_velocities")), settings.velocities);
        assert_int_equal(next_block(&r, "contacts", &block), settings.contacts);
        check_bodies(&r, recording, 1, settings.velocities);
        close_page(&r);
    }
    abut_recording_close(recording);
}

static void test_many_chunks_need_each_other_for_nothing(void **state) {
    (void)state;
    abut_recording *recording = record_file("first_contact.json", 2500);
    reader r = write_page(recording, NULL);
    size_t block = 0, chunks = 0;
    for (; next_block(&r, "poses", &block); block++) {
        chunks++;
    }
    assert_int_equal(chunks, 3);
    check_bodies(&r, recording, 1, true);
    contact_counts counts = check_all_contacts(&r, recording, 1);
    assert_true(counts.repeated > 1000); /* asleep */
    close_page(&r);
    abut_recording_close(recording);
}

/* ---- joints and events ---- */

static void check_joint_head(const reader *r, abut_recording *recording) {
    const json_t *joints = json_object_get(r->head, "joints");
    assert_int_equal(json_array_size(joints), DEMO_JOINTS);
    for (int32_t i = 0; i < DEMO_JOINTS; i++) {
        abut_scene_joint kept;
        const json_t *joint = json_array_get(joints, (size_t)i), *upper = json_object_get(joint, "upper");
        assert_int_equal(abut_recording_joint(recording, i, &kept), ABUT_OK);
        assert_int_equal(get_integer(joint, "a"), kept.a);
        assert_int_equal(get_integer(joint, "b"), kept.b);
        assert_true(isfinite(kept.def.upper) ? json_number_value(upper) == kept.def.upper : json_is_null(upper));
        assert_true(json_number_value(json_array_get(json_object_get(joint, "frame_b"), 6)) == kept.def.frame_b.rotation.w);
    }
    assert_string_equal(get_text(json_array_get(joints, 3), "kind"), "wheel");
    assert_string_equal(get_text(json_array_get(joints, 3), "motor"), "speed");
    for (int32_t i = 0; i < DEMO_JOINTS_BODIES; i++) {
        const json_t *sensor = json_object_get(json_array_get(json_object_get(r->head, "bodies"), (size_t)i), "sensor");
        assert_true(i == DEMO_JOINTS_SENSOR ? json_is_true(sensor) : sensor == NULL);
    }
}

static void check_joint_frames(const reader *r, abut_recording *recording, int32_t every) {
    int64_t done = 0, broken = 0, gone = 0;
    for (size_t block = 0; next_block(r, "joints", &block); block++) {
        int64_t count = get_integer(json_array_get(r->blocks, block), "count");
        size_t stride = (size_t)(DEMO_JOINTS * count);
        unsigned char *hold = unpack(r, block);
        int32_t *v = read_lines(hold + stride, 8 * DEMO_JOINTS, count, false);
        for (int64_t f = 0; f < count; f++) {
            const abut_recorded_joint_state *states = NULL;
            assert_int_equal(abut_recording_joints(recording, source_of(recording, done + f, every), &states, NULL), ABUT_OK);
            for (int32_t j = 0; j < DEMO_JOINTS; j++) {
                const abut_joint_state *s = &states[j].state;
                const double cells[] = {s->coordinate, s->spin, s->force.x, s->force.y, s->force.z, s->torque.x, s->torque.y, s->torque.z};
                size_t at = (size_t)(j * count + f);
                assert_int_equal(hold[at], states[j].hold);
                broken += hold[at] == ABUT_HOLD_BROKEN;
                gone += hold[at] == ABUT_HOLD_GONE;
                for (size_t c = 0; c < 8 && hold[at] != ABUT_HOLD_GONE; c++) {
                    double share = c < 2 ? 0x1p-24 : 0x1p-16;
                    assert_true(fabs(from_order(v[c * stride + at]) - cells[c]) <= fmax(share * fabs(cells[c]), 0x1p-142));
                }
                for (size_t c = 0; c < 8 && hold[at] == ABUT_HOLD_GONE; c++) {
                    assert_int_equal(v[c * stride + at], f > 0 ? v[c * stride + at - 1] : 0);
                }
            }
        }
        done += count;
        free(v);
        free(hold);
    }
    assert_int_equal(done, get_integer(r->head, "frame_count"));
    assert_true(broken > 0 && gone > 0);
}

static void check_events(const reader *r, abut_recording *recording) {
    size_t block = 0;
    int32_t rows = (int32_t)abut_recording_get_info(recording).event_count;
    const abut_recorded_event *events = NULL;
    assert_true(next_block(r, "events", &block));
    assert_int_equal(get_integer(json_array_get(r->blocks, block), "rows"), rows);
    assert_int_equal(get_integer(r->head, "events_left_out"), 0);
    assert_int_equal(json_array_size(json_object_get(r->head, "event_kinds")), EVENT_KINDS - 1);
    unsigned char *bytes = unpack(r, block);
    assert_int_equal(abut_recording_events(recording, 0, rows, &events, NULL), ABUT_OK);
    for (int32_t i = 0; i < rows; i++) {
        const abut_recorded_event *e = &events[i];
        const int32_t whole[] = {(int32_t)e->step, e->kind, e->a, e->b, e->joint};
        const double reals[] = {e->point.x, e->point.y, e->point.z, e->impulse, e->speed};
        for (int32_t c = 0; c < 10; c++) {
            int32_t cell = load_plane(bytes, 10 * (size_t)rows, (size_t)(c * rows + i));
            assert_true(c < 5 ? cell == whole[c] : from_order(cell) == (float)reals[c - 5]);
        }
    }
    free(bytes);
}

static void test_joints_and_events_are_in_it(void **state) {
    (void)state;
    abut_recording *recording = record_scene(demo_joints_scene(event_recorded_kinds()), DEMO_JOINTS_STEPS);
    for (int32_t every = 1; every <= 7; every += 6) {
        abut_export_page_settings settings = abut_export_page_settings_default();
        settings.every = every;
        reader r = write_page(recording, &settings);
        check_joint_head(&r, recording);
        check_joint_frames(&r, recording, every);
        check_events(&r, recording);
        close_page(&r);
    }
    abut_recording_close(recording);
}

/* Where there are more events than a page has room for, the kinds that say least are left out. */
static void test_too_many_events(void **state) {
    (void)state;
    abut_recording *recording = record_scene(demo_joints_scene(event_recorded_kinds()), DEMO_JOINTS_STEPS);
    abut_recording_info info = abut_recording_get_info(recording);
    int64_t counts[EVENT_KINDS] = {0};
    const abut_recorded_event *events = NULL;
    assert_int_equal(abut_recording_events(recording, 0, (int32_t)info.event_count, &events, NULL), ABUT_OK);
    for (int64_t i = 0; i < info.event_count; i++) {
        counts[events[i].kind]++;
    }
    int64_t touches = counts[0] + counts[2];
    assert_true(touches > 0 && touches < info.event_count);
    for (int64_t most = 0; most <= info.event_count; most++) {
        page_run run = {.recording = recording, .info = info, .most_events = most};
        int64_t found = 0;
        assert_int_equal(page_choose_events(&run, NULL), ABUT_OK);
        for (int k = 0; k < EVENT_KINDS; k++) {
            found += run.told >> k & 1 ? counts[k] : 0;
        }
        assert_true(found == run.told_count && found <= most && found + run.untold_count == info.event_count);
        assert_int_equal(run.told & ABUT_EVENT_TOUCH_BEGIN ? most : info.event_count, info.event_count);
        assert_true(most < info.event_count - touches || (run.told & ABUT_EVENT_HIT));
    }
    abut_recording_close(recording);
}

/* Recordings without joints and events, as older ones, give pages without their parts. */
static void test_neither_joints_nor_events(void **state) {
    (void)state;
    size_t block = 0, other = 0;
    abut_recording *recording = record_demo();
    reader r = write_page(recording, NULL);
    assert_false(next_block(&r, "joints", &block) || next_block(&r, "events", &other));
    assert_true(!json_object_get(r.head, "joints") && !json_object_get(r.head, "event_kinds") &&
                !json_object_get(r.head, "events_left_out"));
    close_page(&r);
    abut_recording_close(recording);
}

static void test_far_coordinates_take_a_larger_unit(void **state) {
    (void)state;
    static const char text[] =
        "{\"abut_scene\": 1, \"gravity\": [0, 0, 0], \"duration\": 1, \"bodies\": ["
        "{\"name\": \"a\", \"shape\": {\"box\": {\"half\": [0.5, 0.5, 0.5]}}, \"position\": [1e9, -3, 0.1], \"velocity\": [-7, 1, 2]},"
        "{\"name\": \"b\", \"shape\": {\"box\": {\"half\": [0.5, 0.5, 0.5]}}, \"position\": [1000000000, -3, 1.09]},"
        "{\"name\": \"c\", \"shape\": {\"sphere\": {\"radius\": 1e-3}}, \"position\": [1, 2, 3], \"angular_velocity\": [3, 2, 1]}]}";
    abut_scene *scene = NULL;
    abut_error error = {ABUT_OK, ""};
    if (abut_scene_parse(text, sizeof text - 1, "far.json", &scene, &error) != ABUT_OK) {
        fail_msg("%s", error.message);
    }
    abut_recording *recording = record_scene(scene, 40);
    reader r = write_page(recording, NULL);
    size_t block = 0;
    assert_true(r.length <= 1e-9 && r.length > 0.5e-9);
    assert_true(next_block(&r, "poses", &block));
    unsigned char *poses = unpack(&r, block);
    int32_t *shifts = read_lines(poses + 3 * get_integer(json_array_get(r.blocks, block), "count"), 3, 1, false);
    for (int body = 0; body < 2; body++) {
        assert_true(ldexp(r.length, shifts[body]) * (1 << 29) > 1e9 && ldexp(r.length, shifts[body] - 1) * (1 << 29) < 1.001e9);
    }
    assert_true(ldexp(r.length, shifts[2]) < 1e-8); /* which those make no coarser */
    free(shifts);
    free(poses);
    check_bodies(&r, recording, 1, true);
    assert_true(check_all_contacts(&r, recording, 1).rows > 0);
    close_page(&r);
    abut_recording_close(recording);
}

static void test_bodies_that_deform_have_their_vertices(void **state) {
    (void)state;
    abut_recording *recording = record_file("two_cells.json", 30);
    int32_t entries = 0, bodies = abut_recording_get_info(recording).body_count;
    reader r = write_page(recording, NULL);
    for (size_t block = 0; next_block(&r, "vertices", &block); block++) {
        const json_t *entry = json_array_get(r.blocks, block);
        int64_t first = get_integer(entry, "first"), count = get_integer(entry, "count");
        unsigned char *bytes = unpack(&r, block);
        const unsigned char *held[2] = {NULL, NULL}, *at = bytes + 4, *end = bytes + get_integer(entry, "bytes");
        assert_int_equal(bodies, 2);
        for (int64_t f = first; f < first + count; f++) {
            for (; at < end && load_plain(at) == f; at += 12 + 12 * load_plain(at + 8)) {
                assert_in_range(load_plain(at + 4), 0, 1);
                held[load_plain(at + 4)] = at;
                entries++;
            }
            for (int32_t b = 0; b < bodies; b++) {
                const abut_vec3 *vertices = NULL;
                int32_t vertex_count;
                assert_int_equal(abut_recording_vertices(recording, f, b, &vertices, &vertex_count, NULL), ABUT_OK);
                assert_non_null(held[b]);
                assert_int_equal(load_plain(held[b] + 8), vertex_count);
                for (int32_t i = 0; i < 3 * vertex_count; i++) {
                    int32_t bits = load_plain(held[b] + 12 + 4 * i);
                    float stored;
                    memcpy(&stored, &bits, sizeof stored);
                    assert_true(stored == (float)(&vertices[0].x)[i]);
                }
            }
        }
        assert_true(at == end);
        free(bytes);
    }
    assert_true(entries > 10);
    assert_int_equal(get_integer(json_array_get(r.blocks, json_array_size(r.blocks) - 1), "bytes") > 0, 1);
    check_bodies(&r, recording, 1, true);
    close_page(&r);
    abut_recording_close(recording);
}

/* Frames of contacts that are shuffled, lost, doubled and found again. */
typedef struct made_contacts {
    page_chunk chunk;
    abut_recorded_contact *of_frame[40];
    int32_t counts[40];
} made_contacts;

static const abut_recorded_contact *made_of(void *user, int64_t frame, int32_t *count) {
    const made_contacts *made = user;
    *count = made->counts[frame];
    return made->of_frame[frame];
}

static void fill_contacts(made_contacts *made, random_state *random) {
    size_t used = 0;
    for (int32_t f = 0; f < made->chunk.count; f++) {
        bool same = f > 0 && f % 7 == 3;
        int32_t count = (int32_t)(random_range(random, 0.0, 1.0) * 60.0);
        made->of_frame[f] = same ? made->of_frame[f - 1] : made->chunk.contacts + used;
        made->counts[f] = same ? made->counts[f - 1] : count;
        made->chunk.contact_counts[f] = same ? -1 : count;
        for (int32_t i = 0; i < count && !same; i++) {
            abut_recorded_contact *c = &made->of_frame[f][i];
            int32_t which = random_range(random, 0.0, 1.0) < 0.7 ? i : (int32_t)(random_range(random, 0.0, 1.0) * 60.0);
            *c = (abut_recorded_contact){.a = which / 9, .b = which % 9, .normal_force = random_range(random, 0.0, 1.0) - 0.5};
            c->contact.id = (uint64_t)which * UINT64_C(0xF123456789ABCDEF);
            c->contact.feature_a = (abut_feature){ABUT_FEATURE_EDGE, INT32_MAX - which, INT32_MIN + which};
            c->contact.on_a = random_vec3(random, -100.0, 100.0);
            c->contact.normal = abut_vec3_make(0, 0, which % 2 ? 1 : -1);
            c->contact.gap = ldexp(random_range(random, 0.0, 1.0) - 0.5, -which);
            c->contact.flags = UINT32_MAX - (uint32_t)i;
        }
        used += same ? 0 : (size_t)count;
    }
    made->chunk.contact_count = used;
}

static void test_contacts_in_any_order(void **state) {
    (void)state;
    random_state random = random_make(random_seed("contacts in any order", 41));
    page_packer *packer = page_packer_create();
    page_run run = {.digits = 24};
    assert_non_null(packer);
    for (int sample = 0; sample < 50; sample++) {
        made_contacts made = {.chunk = {.run = &run, .count = 40}};
        made.chunk.contacts = calloc(40 * 60, sizeof *made.chunk.contacts);
        made.chunk.contact_counts = calloc(40, sizeof *made.chunk.contact_counts);
        fill_contacts(&made, &random);
        page_block block;
        assert_int_equal(page_pack_contacts(packer, &made.chunk, &block), ABUT_OK);
        uLongf size = (uLongf)block.raw;
        unsigned char *bytes = malloc(size + 1);
        assert_int_equal(uncompress(bytes, &size, block.bytes, (uLong)block.size), Z_OK);
        assert_int_equal(size, block.raw);
        contact_counts counts = check_block(bytes, 40, (size_t)block.rows, ldexp(1.0, block.shift - run.digits), made_of, &made);
        assert_true(counts.predicted > counts.rows / 3 && block.shift > 0);
        free(bytes);
        free(block.bytes);
        page_chunk_release(&made.chunk);
    }
    page_packer_release(packer);
}

static void test_numbers(void **state) {
    (void)state;
    assert_int_equal(page_float_order(0.0), 0);
    assert_int_equal(page_float_order(-0.0), 0);
    static const double rising[] = {-INFINITY, -1e30, -2.0, -1.0, -1e-42, 0.0, 1e-42, 1.0, 1.0000002, 1e30, INFINITY};
    for (int i = 0; i < 11; i++) {
        assert_true(from_order(page_float_order(rising[i])) == (float)rising[i]);
        assert_true(i == 0 || page_float_order(rising[i - 1]) < page_float_order(rising[i]));
    }
    assert_true(isnan(from_order(page_float_order(NAN))));
    assert_int_equal(page_fixed(1.5, 2.0), 3);
    assert_int_equal(page_fixed(-0.26, 2.0), -1);
    assert_int_equal(page_fixed(NAN, 2.0), 0);
    assert_int_equal(page_fixed(INFINITY, 2.0), INT32_MAX);
    assert_int_equal(page_fixed(-1e300, 1e20), -INT32_MAX);
    assert_int_equal(page_shift(0.0, 20), 0);
    assert_int_equal(page_shift(536870911.0, 0), 0);
    assert_int_equal(page_shift(536870912.0, 0), 1);
    assert_int_equal(page_shift(1.0, 29), 1);
    assert_true(page_shift(1.7e308, 900) > 1800);
    assert_int_equal(page_shift(INFINITY, 20), 0);
    assert_int_equal(page_chunk_frames(0), 1024);
    assert_int_equal(page_chunk_frames(1), 1024);
    assert_int_equal(page_chunk_frames(100), 328);
    assert_int_equal(page_chunk_frames(1000000), 16);
}

static void test_runs_are_told_apart_by_name(void **state) {
    (void)state;
    static const char *const cases[][3] = {
        {"patch.h5", NULL, "patch.h5"},       {"a/patch.h5", "b/tracking.h5", "patch.h5"},
        {"a/run.h5", "b/run.h5", "a/run.h5"}, {"/x/a/one/run.h5", "/x/b/one/run.h5", "a/run.h5"},
        {"run.h5", "old/run.h5", "run.h5"},   {"old/run.h5", "run.h5", "old/run.h5"},
        {"xrun.h5", "run.h5", "xrun.h5"},     {"/run.h5", "run.h5", "/run.h5"},
        {"a/run.h5", "a/run.h5", "run.h5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[64];
        page_name(cases[i][0], cases[i][1], name, sizeof name);
        assert_string_equal(name, cases[i][2]);
    }
}

static void test_base64(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"\xff\xfe\xfd", "//79"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        output_file *file = NULL;
        size_t length = strlen(cases[i][0]), size;
        assert_int_equal(output_open(RESULT, OUTPUT_REGULAR, &file, NULL), ABUT_OK);
        assert_int_equal(base64_write(file, (const unsigned char *)cases[i][0], length, NULL), ABUT_OK);
        assert_int_equal(output_commit(file, NULL), ABUT_OK);
        char *text = files_read(RESULT, &size);
        assert_string_equal(text, cases[i][1]);
        assert_int_equal(base64_size(length), size);
        free(text);
    }
}

static void check_json(const abut_recorded_shape *shape, const char *expected) {
    json_t *made = shape_json(shape), *wanted = json_loads(expected, 0, NULL);
    assert_non_null(made);
    assert_non_null(wanted);
    if (!json_equal(made, wanted)) {
        char *text = json_dumps(made, JSON_REAL_PRECISION(17));
        fail_msg("%s is not %s", text, expected);
    }
    json_decref(made);
    json_decref(wanted);
}

static void test_shapes_as_json(void **state) {
    (void)state;
    static const abut_vec3 vertices[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const int32_t face_first[] = {0, 3}, corners[] = {0, 1, 2};
    static const double flat[] = {INFINITY};
    static const abut_recorded_part part = {4, {{1, 2, 3}, {0, 0, 0, 1}}};
    abut_recorded_shape mesh = {.kind = ABUT_SHAPE_TRIMESH,
                                .vertices = vertices,
                                .vertex_count = 3,
                                .face_count = 1,
                                .face_first = face_first,
                                .face_vertices = corners};
    check_json(&(abut_recorded_shape){.kind = ABUT_SHAPE_SPHERE, .radius = 0.5}, "{\"kind\": \"sphere\", \"radius\": 0.5}");
    check_json(&(abut_recorded_shape){.kind = ABUT_SHAPE_CAPSULE, .radius = 0.5, .half_length = 2.0},
               "{\"kind\": \"capsule\", \"radius\": 0.5, \"half_length\": 2.0}");
    check_json(&(abut_recorded_shape){.kind = ABUT_SHAPE_PLANE, .normal = {0, 0, 1}, .offset = -0.25},
               "{\"kind\": \"plane\", \"normal\": [0.0, 0.0, 1.0], \"offset\": -0.25}");
    check_json(&(abut_recorded_shape){.kind = ABUT_SHAPE_COMPOUND, .parts = &part, .part_count = 1},
               "{\"kind\": \"compound\", \"parts\": [{\"shape\": 4, \"pose\": [1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0]}]}");
#define SURFACE "\"vertices\": [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0], \"face_first\": [0, 3], \"face_vertices\": [0, 1, 2]"
    check_json(&mesh, "{\"kind\": \"trimesh\", " SURFACE "}");
    mesh.kind = ABUT_SHAPE_FACETMESH;
    mesh.radii = flat;
    check_json(&mesh, "{\"kind\": \"facetmesh\", " SURFACE ", \"radii\": [null]}");
    mesh.kind = ABUT_SHAPE_SUPERQUADRIC;
    mesh.radii = NULL;
    mesh.semi_axes = abut_vec3_make(1, 2, 3);
    mesh.exponents[1] = 0.5;
    check_json(&mesh, "{\"kind\": \"superquadric\", \"semi_axes\": [1.0, 2.0, 3.0], \"exponents\": [0.0, 0.5], " SURFACE "}");
    assert_null(shape_json(NULL));
}

static void assert_old_page(void) {
    size_t size;
    char *bytes = files_read(RESULT, &size);
    assert_int_equal(size, 3);
    assert_memory_equal(bytes, "old", 3);
    free(bytes);
    assert_int_equal(files_count(FOLDER), 1);
}

static void test_a_page_that_is_too_large_is_not_written(void **state) {
    (void)state;
    abut_recording *recording = record_demo();
    reader whole = write_page(recording, NULL);
    files_write(RESULT, "old", 3);
    abut_export_page_settings settings = abut_export_page_settings_default();
    static const int64_t limits[] = {1, 1000, 12000};
    for (int i = 0; i < 3; i++) {
        abut_error error = {ABUT_OK, ""};
        settings.limit = limits[i];
        assert_int_equal(abut_export_page(&recording, 1, TEMPLATE, RESULT, &settings, &error), ABUT_ERROR_CAPACITY);
        assert_non_null(strstr(error.message, RECORDING ": the page would be larger than "));
        assert_non_null(strstr(error.message, "--limit"));
        assert_old_page();
    }
    /* The limit is kept to within the markup of blocks. */
    settings.limit = (int64_t)whole.size - 1000;
    assert_int_equal(abut_export_page(&recording, 1, TEMPLATE, RESULT, &settings, NULL), ABUT_ERROR_CAPACITY);
    settings.limit = (int64_t)whole.size + 1000;
    assert_int_equal(abut_export_page(&recording, 1, TEMPLATE, RESULT, &settings, NULL), ABUT_OK);
    close_page(&whole);
    abut_recording_close(recording);
}

static void test_failures_leave_the_old_page(void **state) {
    (void)state;
    abut_recording *recording = record_demo();
    abut_error error = {ABUT_OK, ""};
    files_write(RESULT, "old", 3);
    files_limit(2000);
    assert_int_equal(abut_export_page(&recording, 1, TEMPLATE, RESULT, NULL, &error), ABUT_ERROR_FILE);
    files_limit(0);
    assert_non_null(strstr(error.message, RESULT));
    assert_old_page();
    assert_int_equal(abut_export_page(&recording, 1, TEMPLATE, "/dev/full", NULL, NULL), ABUT_ERROR_FILE);
    assert_int_equal(abut_export_page(&recording, 1, TEMPLATE, FOLDER "/missing/page", NULL, NULL), ABUT_ERROR_FILE);
    assert_int_equal(abut_export_page(&recording, 1, TEMPLATE, RECORDING, NULL, &error), ABUT_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "the recording itself"));
    assert_int_equal(abut_export_page(&recording, 1, TEMPLATE, TEMPLATE, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_export_page(&recording, 1, FOLDER "/missing", RESULT, NULL, NULL), ABUT_ERROR_FILE);
    files_write(TEMPLATE, "no marker", 9);
    assert_int_equal(abut_export_page(&recording, 1, TEMPLATE, RESULT, NULL, &error), ABUT_ERROR_FORMAT);
    files_write(TEMPLATE, "<!--abut:runs--><!--abut:runs-->", 32);
    assert_int_equal(abut_export_page(&recording, 1, TEMPLATE, RESULT, NULL, &error), ABUT_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "more than once"));
    assert_old_page();
    abut_recording_close(recording);
}

static void test_arguments_out_of_range_are_refused(void **state) {
    (void)state;
    abut_recording *recordings[] = {record_demo(), NULL, NULL};
    abut_export_page_settings settings = abut_export_page_settings_default();
    assert_int_equal(abut_export_page(NULL, 1, TEMPLATE, RESULT, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    for (int32_t count = -1; count < 4; count++) {
        abut_status status = abut_export_page(recordings, count, TEMPLATE, RESULT, NULL, NULL);
        assert_int_equal(status, count == 1 ? ABUT_OK : ABUT_ERROR_INVALID_ARGUMENT);
    }
    assert_int_equal(abut_export_page(recordings, 1, NULL, RESULT, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_export_page(recordings, 1, TEMPLATE, NULL, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    settings.every = 0;
    assert_int_equal(abut_export_page(recordings, 1, TEMPLATE, RESULT, &settings, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    settings.every = 1;
    settings.limit = 0;
    assert_int_equal(abut_export_page(recordings, 1, TEMPLATE, RESULT, &settings, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    abut_recording_close(recordings[0]);
}

static void note_progress(void *user, int64_t done, int64_t total) {
    int64_t *last = user;
    assert_true(done > *last && done <= total);
    assert_int_equal(total, 2 * (DEMO_STEPS + 1));
    *last = done;
}

static void test_two_runs_and_their_progress(void **state) {
    (void)state;
    abut_recording *recording = record_demo(), *both[] = {recording, recording};
    int64_t done = 0;
    abut_export_page_settings settings = abut_export_page_settings_default();
    settings.progress = note_progress;
    settings.user = &done;
    assert_int_equal(abut_export_page(both, 2, TEMPLATE, RESULT, &settings, NULL), ABUT_OK);
    assert_int_equal(done, 2 * (DEMO_STEPS + 1));
    reader r = read_page();
    char *first = element(&r, "run-0"), *second = element(&r, "run-1");
    assert_string_equal(first, second);
    free(first);
    free(second);
    close_page(&r);
    abut_recording_close(recording);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_pages_hold_what_was_recorded, set_up),
        cmocka_unit_test_setup(test_parts_can_be_left_out, set_up),
        cmocka_unit_test_setup(test_many_chunks_need_each_other_for_nothing, set_up),
        cmocka_unit_test_setup(test_joints_and_events_are_in_it, set_up),
        cmocka_unit_test_setup(test_neither_joints_nor_events, set_up),
        cmocka_unit_test_setup(test_too_many_events, set_up),
        cmocka_unit_test_setup(test_far_coordinates_take_a_larger_unit, set_up),
        cmocka_unit_test_setup(test_bodies_that_deform_have_their_vertices, set_up),
        cmocka_unit_test_setup(test_contacts_in_any_order, set_up),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test_setup(test_base64, set_up),
        cmocka_unit_test(test_shapes_as_json),
        cmocka_unit_test(test_runs_are_told_apart_by_name),
        cmocka_unit_test_setup(test_a_page_that_is_too_large_is_not_written, set_up),
        cmocka_unit_test_setup(test_failures_leave_the_old_page, set_up),
        cmocka_unit_test_setup(test_arguments_out_of_range_are_refused, set_up),
        cmocka_unit_test_setup(test_two_runs_and_their_progress, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
