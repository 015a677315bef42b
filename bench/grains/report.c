#include "grains/report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <abut/base.h>

#include "support/goal.h"

void report_head(void) {
    printf(
        "steps of a body in a second: of processor time, of the clock; medians. Z: bodies that touch a body; contacts: between two bodies, "
        "for a body\n\n");
    printf("%-30s %-10s %7s %9s %6s %7s %10s %10s %10s %7s %8s %9s %9s %6s\n", "", "bodies", "number", "triangles", "shapes", "threads",
           "processor", "clock", "us a step", "Z", "contacts", "kinetic", "bytes", "lists");
    fflush(stdout);
}

void report_row(const measurement *m) {
    printf("%-30s %-10s %7d %9d %6s %7d %10.0f %10.0f %10.2f %7.3f %8.2f %9.1e %9.0f %6lld\n", m->program, m->bodies_are, (int)m->bodies,
           (int)m->triangles, m->own ? "own" : "shared", (int)m->threads, measurement_rate(m), measurement_wall_rate(m),
           1e6 / measurement_rate(m), m->neighbours, m->contacts, m->kinetic, m->memory, (long long)m->lists);
    fflush(stdout);
}

/* ---- JSON ---- */

static void put_row(FILE *json, const measurement *m) {
    fprintf(json,
            "{\"program\": \"%s\", \"are\": \"%s\", \"bodies\": %d, \"triangles\": %d, \"own\": %s, \"threads\": %d, \"steps\": %d, "
            "\"blocks\": %d",
            m->program, m->bodies_are, (int)m->bodies, (int)m->triangles, m->own ? "true" : "false", (int)m->threads, (int)m->steps,
            (int)m->times.count);
    block_put(json, &m->times);
    fprintf(
        json,
        ", \"per_second\": %.1f, \"per_wall_second\": %.1f, \"neighbours\": %.4f, \"contacts\": %.4f, \"kinetic\": %.3e, \"bytes\": %.1f, "
        "\"lists\": %lld",
        measurement_rate(m), measurement_wall_rate(m), m->neighbours, m->contacts, m->kinetic, m->memory, (long long)m->lists);
    if (m->hash != 0) {
        fprintf(json, ", \"hash\": \"%016" PRIx64 "\"", m->hash);
    }
    fprintf(json, "}");
}

/* ---- goals ---- */

static bool alike(const measurement *a, const measurement *b) {
    return strcmp(a->program, b->program) == 0 && strcmp(a->bodies_are, b->bodies_are) == 0 && a->own == b->own;
}

/* The row with the same kind of bodies, triangles and threads on the next smaller bed. */
static const measurement *smaller(const measurement *rows, int32_t count, const measurement *m) {
    const measurement *best = NULL;
    for (int32_t i = 0; i < count; i++) {
        const measurement *r = &rows[i];
        if (alike(r, m) && r->threads == m->threads && r->triangles == m->triangles && r->bodies < m->bodies &&
            (best == NULL || r->bodies > best->bodies)) {
            best = r;
        }
    }
    return best;
}

static const measurement *one_thread(const measurement *rows, int32_t count, const measurement *m) {
    for (int32_t i = 0; i < count; i++) {
        if (alike(&rows[i], m) && rows[i].threads == 1 && rows[i].triangles == m->triangles && rows[i].bodies == m->bodies) {
            return &rows[i];
        }
    }
    return NULL;
}

static void judge_row(goal_list *list, const measurement *rows, int32_t count, const measurement *m) {
    char name[120];
    if (strcmp(m->program, "abut") != 0 || m->triangles == 0) {
        return;
    }
    const measurement *before = smaller(rows, count, m), *one = one_thread(rows, count, m);
    if (m->threads == 1 && before != NULL) {
        (void)snprintf(name, sizeof name, "growth of time from %d to %d %s of %d triangles", (int)before->bodies, (int)m->bodies,
                       m->bodies_are, (int)m->triangles);
        goal_put(list, name, 1.0 + log(measurement_rate(before) / measurement_rate(m)) / log((double)m->bodies / before->bodies), false,
                 1.1);
    }
    if (m->threads == 1 && m->triangles == 320 && m->bodies == 1000) {
        (void)snprintf(name, sizeof name, "1000 %s of 320 triangles, one thread: steps of a body in a second", m->bodies_are);
        goal_put(list, name, measurement_rate(m), true, 25000.0);
    }
    if (m->threads == 2 && one != NULL && m->triangles == 320 && m->bodies >= 1000) {
        (void)snprintf(name, sizeof name, "%d %s of 320 triangles%s, two threads, times the rate of one", (int)m->bodies, m->bodies_are,
                       m->own ? " of their own" : "");
        goal_put(list, name, measurement_wall_rate(m) / measurement_wall_rate(one), true, 1.7);
    }
}

void report_goals(FILE *json, const measurement *rows, int32_t count) {
    fprintf(json, "{\"benchmark\": \"grains\", \"version\": \"%s\", \"rows\": [", abut_version());
    for (int32_t i = 0; i < count; i++) {
        fprintf(json, "%s\n  ", i > 0 ? "," : "");
        put_row(json, &rows[i]);
    }
    printf("\n  goals\n");
    fprintf(json, "],\n\"goals\": [");
    goal_list list = {.json = json, .name_width = 72, .value_width = 10};
    for (int32_t i = 0; i < count; i++) {
        judge_row(&list, rows, count, &rows[i]);
    }
    fprintf(json, "]}\n");
}
