/*
 * The events of a run, in one block: browsers list them and mark them in the bar of time, so all are needed at once. A heap of grains has millions of touches;
 * these are then left out.
 */
#include "io/page/run.h"

#include <stdlib.h>

#include "io/scene/event/kinds.h"

enum { AT_ONCE = 4096, COLUMNS = 10 };

/* Kinds that a page has as long as there is room, the most telling ones first. */
static const uint32_t by_weight[] = {ABUT_EVENT_JOINT_BROKEN,
                                     1U << EVENT_BOND_BREAKS,
                                     ABUT_EVENT_SENSOR_BEGIN | ABUT_EVENT_SENSOR_END,
                                     ABUT_EVENT_SLEEP | ABUT_EVENT_WAKE,
                                     ABUT_EVENT_HIT,
                                     ABUT_EVENT_TOUCH_BEGIN | ABUT_EVENT_TOUCH_END};

/* Calls `visit` with all events in their order. */
static abut_status visit_events(page_run *run, void (*visit)(void *argument, const abut_recorded_event *event), void *argument,
                                abut_error *error) {
    abut_status status = ABUT_OK;
    for (int64_t first = 0; first < run->info.event_count && !status; first += AT_ONCE) {
        int64_t left = run->info.event_count - first;
        int32_t count = left < AT_ONCE ? (int32_t)left : AT_ONCE;
        const abut_recorded_event *events = NULL;
        status = abut_recording_events(run->recording, first, count, &events, error);
        for (int32_t i = 0; i < count && !status; i++) {
            visit(argument, &events[i]);
        }
    }
    return status;
}

static void count_kind(void *argument, const abut_recorded_event *event) { ((int64_t *)argument)[event->kind]++; }

abut_status page_choose_events(page_run *run, abut_error *error) {
    int64_t counts[EVENT_KINDS] = {0};
    abut_status status = visit_events(run, count_kind, counts, error);
    for (size_t w = 0; w < sizeof by_weight / sizeof *by_weight && !status; w++) {
        int64_t more = 0;
        for (int k = 0; k < EVENT_KINDS; k++) {
            more += by_weight[w] >> k & 1 ? counts[k] : 0;
        }
        bool fits = run->told_count + more <= run->most_events;
        run->told |= fits ? by_weight[w] : 0;
        run->told_count += fits ? more : 0;
        run->untold_count += fits ? 0 : more;
    }
    return status;
}

/* Columns that are being filled. */
typedef struct table {
    uint32_t told;
    int32_t *cells; /* [COLUMNS][rows] */
    int64_t rows, used;
} table;

static void put_row(void *argument, const abut_recorded_event *event) {
    table *t = argument;
    if (!(t->told >> event->kind & 1)) {
        return;
    }
    const int32_t row[COLUMNS] = {(int32_t)event->step,
                                  event->kind,
                                  event->a,
                                  event->b,
                                  event->joint,
                                  page_float_order(event->point.x),
                                  page_float_order(event->point.y),
                                  page_float_order(event->point.z),
                                  page_float_order(event->impulse),
                                  page_float_order(event->speed)};
    for (int c = 0; c < COLUMNS; c++) {
        t->cells[c * t->rows + t->used] = row[c];
    }
    t->used++;
}

abut_status page_pack_events(page_packer *packer, page_run *run, page_block *block, abut_error *error) {
    table t = {.told = run->told, .rows = run->told_count};
    t.cells = malloc((size_t)t.rows * COLUMNS * sizeof *t.cells);
    abut_status status = t.cells ? visit_events(run, put_row, &t, error)
                                 : abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory to read it", run->info.path);
    if (!status) {
        page_block_begin(packer, (page_block){.kind = PAGE_EVENTS, .count = run->frame_count, .rows = t.rows});
        page_block_put_planes(packer, t.cells, (size_t)t.rows * COLUMNS);
        status = page_block_end(packer, block);
        status = status ? abut_fail(error, status, "%s: no memory to read it", run->info.path) : ABUT_OK;
    }
    free(t.cells);
    return status;
}
