#include "dem/report.h"

#include <math.h>
#include <inttypes.h>
#include <string.h>

#include <abut/base.h>

#include "dem/peer.h"
#include "support/goal.h"

/* Two programs have the same bed if their numbers of neighbours differ by at most the first number (relatively), or the second for beds that have just begun
 * to collide. At rest, their kinetic energy is below the third. */
static const double alike = 0.02, alike_falling = 0.1, still = 1e-4;

void report_head(bool alone) {
    for (int i = 0; i < PEERS && !alone; i++) {
        if (!peer_is_here(peers[i])) {
            printf("%s is not installed: left out\n", peer_name(peers[i]));
        }
    }
    printf("million steps of a ball in a second: of processor time, of the clock; medians\n\n");
    printf("%-26s %7s %8s %10s %10s %10s %8s %8s %10s %8s %7s\n", "", "threads", "balls", "processor", "clock", "us a step", "growth", "Z",
           "kinetic", "bytes", "lists");
    fflush(stdout);
}

/* The same program with the same number of threads on the next smaller bed. */
static const measurement *smaller(const measurement *rows, int32_t at) {
    for (int32_t i = at - 1; i >= 0; i--) {
        if (rows[i].bodies < rows[at].bodies && rows[i].threads == rows[at].threads && strcmp(rows[i].name, rows[at].name) == 0) {
            return &rows[i];
        }
    }
    return NULL;
}

void report_rows(const measurement *rows, int32_t first, int32_t end) {
    for (int32_t i = first; i < end; i++) {
        const measurement *m = &rows[i], *before = smaller(rows, i);
        char growth[16] = "";
        if (before != NULL) {
            (void)snprintf(growth, sizeof growth, "%.3f", measurement_growth(before, m));
        }
        printf("%-26s %7d %8d %10.2f %10.2f %10.3f %8s %8.3f %10.1e %8.0f %7lld\n", m->name, (int)m->threads, (int)m->bodies,
               measurement_rate(m), measurement_wall_rate(m), 1.0 / measurement_rate(m), growth, m->neighbours, m->kinetic, m->memory,
               (long long)m->lists);
    }
    fflush(stdout);
}

/* ---- JSON ---- */

static void put_row(FILE *json, const measurement *m, const measurement *before) {
    fprintf(json, "\n  {\"program\": \"%s\", \"threads\": %d, \"balls\": %d, \"steps\": %d, \"blocks\": %d", m->name, (int)m->threads,
            (int)m->bodies, (int)m->steps, (int)m->times.count);
    block_put(json, &m->times);
    fprintf(json, ", \"million_per_second\": %.4f, \"million_per_wall_second\": %.4f", measurement_rate(m), measurement_wall_rate(m));
    fprintf(json, ", \"neighbours\": %.4f, \"kinetic\": %.3e, \"bytes\": %.1f, \"lists\": %lld", m->neighbours, m->kinetic, m->memory,
            (long long)m->lists);
    if (before != NULL) {
        fprintf(json, ", \"growth\": %.4f", measurement_growth(before, m));
    }
    if (m->hash != 0) {
        fprintf(json, ", \"hash\": \"%016" PRIx64 "\"", m->hash);
    }
    fprintf(json, "}");
}

/* ---- goals ---- */

typedef struct judge {
    goal_list goals;
    bool loose, fair;
} judge;

/* Compares another program with abut on one thread. */
static void judge_peer(judge *j, const measurement *own, const measurement *other) {
    char name[100];
    bool same = fabs(other->neighbours / own->neighbours - 1.0) <= (j->loose ? alike_falling : alike) &&
                (j->loose || (other->kinetic <= still && own->kinetic <= still));
    j->fair = j->fair && same;
    if (!same) {
        printf("  %s: not the same bed\n", other->name);
    }
    (void)snprintf(name, sizeof name, "%d balls, one thread, over %s", (int)own->bodies, other->name);
    goal_put(&j->goals, name, measurement_rate(own) / measurement_rate(other), true, 1.0);
}

static void judge_row(judge *j, const measurement *rows, int32_t at) {
    const measurement *m = &rows[at], *before = smaller(rows, at);
    char name[100];
    if (before != NULL && m->threads == 1 && strcmp(m->name, "abut") == 0) {
        (void)snprintf(name, sizeof name, "growth of time from %d to %d balls", (int)before->bodies, (int)m->bodies);
        goal_put(&j->goals, name, measurement_growth(before, m), false, 1.1);
    }
    for (int32_t i = at; i >= 0 && rows[i].bodies == m->bodies; i--) {
        if (i < at && strcmp(rows[i].name, "abut") == 0 && rows[i].threads == 1) {
            if (m->threads == 1) {
                judge_peer(j, &rows[i], m);
            } else {
                (void)snprintf(name, sizeof name, "%d balls, two threads, times the rate of one", (int)m->bodies);
                goal_put(&j->goals, name, measurement_wall_rate(m) / measurement_wall_rate(&rows[i]), true, 1.6);
            }
        }
    }
}

bool report_goals(FILE *json, bool loose, const measurement *rows, int32_t count) {
    fprintf(json, "{\"benchmark\": \"dem\", \"loose\": %s, \"version\": \"%s\", \"rows\": [", loose ? "true" : "false", abut_version());
    for (int32_t i = 0; i < count; i++) {
        fprintf(json, "%s", i > 0 ? "," : "");
        put_row(json, &rows[i], smaller(rows, i));
    }
    printf("\n  goals\n");
    fprintf(json, "],\n\"goals\": [");
    judge j = {{.json = json, .name_width = 64, .value_width = 8}, loose, true};
    for (int32_t i = 0; i < count; i++) {
        judge_row(&j, rows, i);
    }
    fprintf(json, "], \"fair\": %s}\n", j.fair ? "true" : "false");
    return j.fair;
}
