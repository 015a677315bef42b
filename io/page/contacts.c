/*
 * Contacts of the frames of a chunk. Each contact is kept as its difference from the same contact of the frame before, which its bodies and its id identify.
 * Contacts mostly keep their order, so the reference to the earlier contact takes little room too.
 */
#include "io/page/chunk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/grow.h"

/* The columns. The first is the index of the earlier contact. */
enum {
    REF,
    A,
    B,
    KIND_A,
    INDEX_A,
    PART_A,
    KIND_B,
    INDEX_B,
    PART_B,
    PATCH,
    FLAGS,
    ID_LOW,
    ID_HIGH,
    ON_A,
    ON_B = ON_A + 3,
    NORMAL = ON_B + 3,
    GAP = NORMAL + 3,
    AREA,
    NORMAL_FORCE,
    FRICTION,
    COLUMNS = FRICTION + 3
};

/* ---- reading ---- */

static abut_status reserve(page_chunk *chunk, size_t more) {
    bool room = grow_array(&chunk->contacts, &chunk->contact_capacity, chunk->contact_count + more, SIZE_MAX, sizeof *chunk->contacts);
    return room ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

/* The last frame with stored contacts; -1 for none. */
static int32_t last_stored(const page_chunk *chunk, int32_t before) {
    int32_t frame = before - 1;
    while (frame >= 0 && chunk->contact_counts[frame] < 0) {
        frame--;
    }
    return frame;
}

abut_status page_load_contacts(page_chunk *chunk, int32_t frame, int64_t source, abut_error *error) {
    const abut_recorded_contact *contacts = NULL;
    int32_t count = 0, last = last_stored(chunk, frame);
    abut_status status = abut_recording_contacts(chunk->run->recording, source, &contacts, &count, error);
    if (status) {
        return status;
    }
    size_t some = (size_t)count, bytes = some * sizeof *contacts;
    if (last >= 0 && chunk->contact_counts[last] == count &&
        (count == 0 || memcmp(chunk->contacts + chunk->contact_count - some, contacts, bytes) == 0)) {
        chunk->contact_counts[frame] = -1;
        return ABUT_OK;
    }
    if (reserve(chunk, some) != ABUT_OK) {
        return abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory to read it", chunk->run->info.path);
    }
    if (count > 0) {
        memcpy(chunk->contacts + chunk->contact_count, contacts, bytes);
    }
    chunk->contact_count += some;
    chunk->contact_counts[frame] = count;
    return ABUT_OK;
}

/* ---- finding the same contact of the frame before ---- */

/* Rows of one frame by bodies and id, with open addressing. Made only when the order has changed. */
typedef struct finder {
    const abut_recorded_contact *rows;
    int32_t count;
    bool made;
    int32_t *slots; /* [mask + 1] rows; -1 for an empty place */
    size_t mask;
} finder;

static bool is_same(const abut_recorded_contact *p, const abut_recorded_contact *q) {
    return p->a == q->a && p->b == q->b && p->contact.id == q->contact.id;
}

static size_t hash(const abut_recorded_contact *c) {
    uint64_t h = c->contact.id * UINT64_C(0x9E3779B97F4A7C15) ^ ((uint64_t)(uint32_t)c->a << 32 | (uint32_t)c->b);
    h *= UINT64_C(0xD6E8FEB86659FD93);
    return (size_t)(h ^ h >> 32);
}

static void make_finder(finder *f, size_t room) {
    f->mask = 1;
    while (f->mask + 1 < 2 * (size_t)f->count && f->mask + 1 < room) {
        f->mask = 2 * f->mask + 1;
    }
    memset(f->slots, 0xFF, (f->mask + 1) * sizeof *f->slots);
    for (int32_t row = 0; row < f->count; row++) {
        size_t at = hash(&f->rows[row]) & f->mask;
        while (f->slots[at] >= 0) {
            at = (at + 1) & f->mask;
        }
        f->slots[at] = row;
    }
    f->made = true;
}

/* The row of this contact, which is searched at the expected place first; -1 for none. */
static int32_t find(finder *f, size_t room, const abut_recorded_contact *wanted, int32_t expected) {
    if (expected < f->count && is_same(&f->rows[expected], wanted)) {
        return expected;
    }
    if (f->count == 0) {
        return -1;
    }
    if (!f->made) {
        make_finder(f, room);
    }
    size_t at = hash(wanted) & f->mask;
    while (f->slots[at] >= 0 && !is_same(&f->rows[f->slots[at]], wanted)) {
        at = (at + 1) & f->mask;
    }
    return f->slots[at];
}

/* ---- packing ---- */

static double largest_coordinate(const page_chunk *chunk) {
    double largest = 0.0;
    for (size_t i = 0; i < chunk->contact_count; i++) {
        const abut_contact *c = &chunk->contacts[i].contact;
        const abut_vec3 points[] = {c->on_a, c->on_b};
        for (int p = 0; p < 2; p++) {
            if (abut_vec3_is_finite(points[p])) {
                largest = fmax(largest, fmax(fabs(points[p].x), fmax(fabs(points[p].y), fabs(points[p].z))));
            }
        }
    }
    return largest;
}

/* A table of columns: cells[column * rows + row]. */
typedef struct table {
    int32_t *cells;
    size_t rows;
} table;

static void put(table *t, int column, size_t row, int32_t value) { t->cells[(size_t)column * t->rows + row] = value; }

static void put_point(table *t, int column, size_t row, abut_vec3 v, double scale) {
    put(t, column, row, page_fixed(v.x, scale));
    put(t, column + 1, row, page_fixed(v.y, scale));
    put(t, column + 2, row, page_fixed(v.z, scale));
}

static void put_feature(table *t, int column, size_t row, abut_feature feature) {
    put(t, column, row, (int32_t)feature.kind);
    put(t, column + 1, row, feature.index);
    put(t, column + 2, row, feature.part);
}

static void put_row(table *t, size_t row, const abut_recorded_contact *c, double length_scale) {
    put(t, REF, row, 1);
    put(t, A, row, c->a);
    put(t, B, row, c->b);
    put_feature(t, KIND_A, row, c->contact.feature_a);
    put_feature(t, KIND_B, row, c->contact.feature_b);
    put(t, PATCH, row, c->contact.patch);
    put(t, FLAGS, row, (int32_t)c->contact.flags);
    put(t, ID_LOW, row, (int32_t)(uint32_t)(c->contact.id & UINT32_MAX));
    put(t, ID_HIGH, row, (int32_t)(uint32_t)(c->contact.id >> 32));
    put_point(t, ON_A, row, c->contact.on_a, length_scale);
    put_point(t, ON_B, row, c->contact.on_b, length_scale);
    put_point(t, NORMAL, row, c->contact.normal, ldexp(1.0, PAGE_TURN_DIGITS));
    put(t, GAP, row, page_float_order(c->contact.gap));
    put(t, AREA, row, page_float_order(c->contact.area));
    put(t, NORMAL_FORCE, row, page_float_order(c->normal_force));
    put(t, FRICTION, row, page_float_order(c->friction_force.x));
    put(t, FRICTION + 1, row, page_float_order(c->friction_force.y));
    put(t, FRICTION + 2, row, page_float_order(c->friction_force.z));
}

/* Replaces a row by its difference from an earlier row. Integers wrap. */
static void subtract_row(table *t, size_t row, size_t from) {
    for (int column = REF + 1; column < COLUMNS; column++) {
        int32_t *cells = t->cells + (size_t)column * t->rows;
        cells[row] = (int32_t)((uint32_t)cells[row] - (uint32_t)cells[from]);
    }
}

static int32_t zigzag(int32_t n) { return n < 0 ? -2 * n - 1 : 2 * n; }

/* Replaces the rows of a frame by differences from those of the frame before, which are still unchanged. */
static void predict(table *t, const abut_recorded_contact *contacts, size_t first, int32_t count, finder *before, size_t room,
                    size_t before_first) {
    int32_t last = -1;
    for (int32_t i = 0; i < count; i++) {
        int32_t found = find(before, room, &contacts[first + (size_t)i], last + 1);
        if (found >= 0) {
            put(t, REF, first + (size_t)i, 2 * zigzag(found - (last + 1)));
            subtract_row(t, first + (size_t)i, before_first + (size_t)found);
            last = found;
        }
    }
}

/* From the last frame to the first, so that each frame is compared with unchanged rows. */
static void predict_all(table *t, const page_chunk *chunk, int32_t *slots, size_t room) {
    size_t end = chunk->contact_count;
    int32_t frame = last_stored(chunk, chunk->count);
    while (frame >= 0) {
        int32_t before = last_stored(chunk, frame);
        size_t first = end - (size_t)chunk->contact_counts[frame];
        if (before >= 0) {
            size_t before_first = first - (size_t)chunk->contact_counts[before];
            finder f = {.rows = chunk->contacts + before_first, .count = chunk->contact_counts[before], .slots = slots};
            predict(t, chunk->contacts, first, chunk->contact_counts[frame], &f, room, before_first);
        }
        end = first;
        frame = before;
    }
}

/* Number of slots: a power of two, at least twice the largest number of rows of a frame. */
static size_t slots_for(const page_chunk *chunk) {
    size_t most = 1, room = 2;
    for (int32_t i = 0; i < chunk->count; i++) {
        size_t count = chunk->contact_counts[i] > 0 ? (size_t)chunk->contact_counts[i] : 0;
        most = count > most ? count : most;
    }
    while (room < 2 * most) {
        room *= 2;
    }
    return room;
}

abut_status page_pack_contacts(page_packer *packer, const page_chunk *chunk, page_block *block) {
    page_block made = {.kind = PAGE_CONTACTS, .first = chunk->first, .count = chunk->count, .rows = (int64_t)chunk->contact_count};
    size_t room = slots_for(chunk);
    table t = {malloc((COLUMNS * chunk->contact_count + 1) * sizeof *t.cells), chunk->contact_count};
    int32_t *slots = malloc(room * sizeof *slots);
    if (!t.cells || !slots) {
        free(t.cells);
        free(slots);
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    made.shift = page_shift(largest_coordinate(chunk), chunk->run->digits);
    for (size_t row = 0; row < t.rows; row++) {
        put_row(&t, row, &chunk->contacts[row], ldexp(1.0, chunk->run->digits - made.shift));
    }
    predict_all(&t, chunk, slots, room);
    page_block_begin(packer, made);
    for (int32_t i = 0; i < chunk->count; i++) {
        page_block_put_int32(packer, chunk->contact_counts[i]);
    }
    page_block_put_planes(packer, t.cells, COLUMNS * t.rows);
    free(t.cells);
    free(slots);
    return page_block_end(packer, block);
}
