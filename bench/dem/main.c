/* bench_dem: speed of the dem stepper on beds of balls, at rest or falling, from a thousand to a million balls, on one thread and on two, next to
 * LAMMPS and LIGGGHTS on the same beds in the same run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dem/peer.h"
#include "dem/report.h"
#include "support/json_file.h"

static const char usage[] =
    "usage: bench_dem [--sizes N,N,...] [--loose] [--rounds N] [--steps N] [--alone] [--json FILE] [--help]\n\n"
    "  --sizes N,...  numbers of balls, ascending (1000,10000,50000)\n"
    "  --loose        beds that fall and collide, with the balls in random order, instead of beds at rest\n"
    "  --rounds N     rounds, in which every program runs in turn (3)\n"
    "  --steps N      steps of 10,000 balls in a block, of which a round times three (300); fewer balls make more steps\n"
    "  --alone        abut only\n"
    "  --json FILE    write JSON to FILE; tables go to standard output in any case\n\n"
    "Exit status: 0; 1 when a run failed or one and two threads led to different states; 2 for a wrong command line.\n";

enum { SIZES = 8, ROWS_OF_SIZE = 2 + PEERS };

typedef struct options {
    int32_t sizes[SIZES], size_count, rounds, steps;
    bool alone, loose;
    const char *json;
} options;

static bool read_numbers(const char *text, int32_t *numbers, int32_t most, int32_t *count) {
    for (*count = 0; *count < most;) {
        char *end;
        long number = strtol(text, &end, 10);
        if (end == text || number < 1 || number > 1000000 || (*count > 0 && number <= numbers[*count - 1])) {
            return false;
        }
        numbers[(*count)++] = (int32_t)number;
        if (*end != ',') {
            return *end == '\0';
        }
        text = end + 1;
    }
    return false;
}

static bool read_value(options *o, const char *name, const char *value) {
    int32_t count;
    if (strcmp(name, "--sizes") == 0) {
        return read_numbers(value, o->sizes, SIZES, &o->size_count);
    }
    if (strcmp(name, "--rounds") == 0) {
        return read_numbers(value, &o->rounds, 1, &count);
    }
    if (strcmp(name, "--steps") == 0) {
        return read_numbers(value, &o->steps, 1, &count);
    }
    o->json = value;
    return strcmp(name, "--json") == 0;
}

/* Ends the program for --help and for unknown options. */
static options read_options(int count, char **arguments) {
    options o = {.sizes = {1000, 10000, 50000}, .size_count = 3, .rounds = 3, .steps = 300};
    for (int i = 1; i < count; i++) {
        if (strcmp(arguments[i], "--help") == 0) {
            fputs(usage, stdout);
            exit(0);
        }
        if (strcmp(arguments[i], "--alone") == 0) {
            o.alone = true;
        } else if (strcmp(arguments[i], "--loose") == 0) {
            o.loose = true;
        } else if (i + 1 == count || !read_value(&o, arguments[i], arguments[i + 1])) {
            fputs(usage, stderr);
            exit(2);
        } else {
            i++;
        }
    }
    return o;
}

/* A block has the same number of ball steps for every number of balls. The warm-up is 0.02 s, so that friction springs are loaded. */
static effort effort_of(const bed *b, const options *o) {
    double steps = 1e4 * o->steps / b->count;
    return (effort){(int32_t)(0.02 / b->step), steps < 20.0 ? 20 : (int32_t)steps, 3};
}

/* Runs all programs on one bed, in turn. Rows: abut with one thread and with two, then the others. */
static bool run_bed(const bed *b, const options *o, measurement *rows, int32_t *count) {
    effort e = effort_of(b, o);
    *count = 2;
    for (int32_t round = 0; round < o->rounds; round++) {
        int32_t row = 2;
        if (!measure_abut(b, &e, 1, &rows[0]) || !measure_abut(b, &e, 2, &rows[1])) {
            return false;
        }
        for (int i = 0; i < PEERS && !o->alone; i++) {
            if (peer_is_here(peers[i]) && !measure_peer(peers[i], b, &e, &rows[row++])) {
                return false;
            }
        }
        *count = row;
    }
    if (rows[0].hash != rows[1].hash) {
        fprintf(stderr, "dem: one and two threads led to different states\n");
    }
    return rows[0].hash == rows[1].hash;
}

static bool run_all(const options *o, FILE *json) {
    static measurement rows[SIZES * ROWS_OF_SIZE];
    int32_t total = 0;
    bool fine = true;
    report_head(o->alone);
    for (int32_t i = 0; i < o->size_count && fine; i++) {
        bed b;
        int32_t count = 0;
        fine = bed_make(o->sizes[i], o->loose, &b);
        if (fine) {
            fine = run_bed(&b, o, rows + total, &count);
            report_rows(rows, total, total + count);
            total += count;
            bed_free(&b);
        }
    }
    fine = report_goals(json, o->loose, rows, total) && fine;
    return fine;
}

int main(int count, char **arguments) {
    options o = read_options(count, arguments);
    FILE *json = json_file_create(o.json);
    if (json == NULL) {
        return 1;
    }
    bool fine = run_all(&o, json);
    return json_file_close(json, "bench_dem") && fine ? 0 : 1;
}
