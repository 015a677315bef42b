/* bench_grains: speed of the dem stepper on settled beds of bodies of rounded triangles, as a function of triangles per body, of the number
 * of bodies, and with one shape per body, on one thread and on two. Also the speed of other programs on polyhedra. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grains/peer.h"
#include "grains/report.h"
#include "support/json_file.h"

static const char usage[] =
    "usage: bench_grains [--only WHAT] [--rounds N] [--seconds S] [--json FILE] [--help]\n\n"
    "  --only WHAT    one of\n"
    "                   triangles  1000 balls of 20 to 1280 triangles, and spheres\n"
    "                   bodies     100 to 10000 balls of 320, and 4000 of 1280: five million triangles\n"
    "                   own        2000 balls of 320, each with a shape of its own\n"
    "                   pebbles    1000 pebbles of 320\n"
    "                   peers      icosahedra by LAMMPS and Yade, where they are installed, one core\n"
    "  --rounds N     rounds, in which one thread and two run in turn (2)\n"
    "  --seconds S    processor time for a block of steps, of which a round times three (2)\n"
    "  --json FILE    write JSON to FILE; tables go to standard output in any case\n\n"
    "Exit status: 0; 1 when a run of abut failed or one and two threads led to different states; 2 for a wrong command line.\n";

enum { MOST_ROWS = 64 };

typedef struct options {
    const char *only, *json;
    int32_t rounds;
    double seconds;
} options;

/* A bed, and the shapes of its bodies. */
typedef struct bench_case {
    const char *what;
    grain_kind kind;
    int32_t bodies;
    int level;
    bool own;
} bench_case;

static const bench_case cases[] = {
    {"triangles", GRAIN_BALL, 1000, BED_SPHERES, false},
    {"triangles", GRAIN_BALL, 1000, 0, false},
    {"triangles", GRAIN_BALL, 1000, 1, false},
    {"triangles", GRAIN_BALL, 1000, 2, false},
    {"triangles", GRAIN_BALL, 1000, 3, false},
    {"bodies", GRAIN_BALL, 100, 2, false},
    {"bodies", GRAIN_BALL, 1000, 2, false},
    {"bodies", GRAIN_BALL, 10000, 2, false},
    {"bodies", GRAIN_BALL, 4000, 3, false},
    {"own", GRAIN_BALL, 2000, 2, true},
    {"pebbles", GRAIN_PEBBLE, 1000, 2, false},
};
enum { CASES = sizeof cases / sizeof *cases };

static bool read_value(options *o, const char *name, const char *value) {
    char *end;
    double number = strtod(value, &end);
    bool is_number = end != value && *end == '\0' && number > 0.0 && number <= 1000.0;
    if (strcmp(name, "--rounds") == 0) {
        o->rounds = (int32_t)number;
        return is_number && o->rounds >= 1 && o->rounds <= BLOCK_TIMES / 3;
    }
    if (strcmp(name, "--seconds") == 0) {
        o->seconds = number;
        return is_number;
    }
    if (strcmp(name, "--json") == 0) {
        o->json = value;
        return true;
    }
    o->only = value;
    bool known = strcmp(value, "peers") == 0;
    for (int i = 0; i < CASES; i++) {
        known = known || strcmp(value, cases[i].what) == 0;
    }
    return strcmp(name, "--only") == 0 && known;
}

/* Ends the program for --help and for unknown options. */
static options read_options(int count, char **arguments) {
    options o = {.rounds = 2, .seconds = 2.0};
    for (int i = 1; i < count; i += 2) {
        if (strcmp(arguments[i], "--help") == 0) {
            fputs(usage, stdout);
            exit(0);
        }
        if (i + 1 == count || !read_value(&o, arguments[i], arguments[i + 1])) {
            fputs(usage, stderr);
            exit(2);
        }
    }
    return o;
}

static bool is_wanted(const options *o, const char *what) { return o->only == NULL || strcmp(o->only, what) == 0; }

/* Results so far, and the bed of the last case: most beds are used more than once. */
typedef struct bench {
    measurement rows[MOST_ROWS];
    int32_t count;
    bed bed;
} bench;

/* One thread and two, in turn, with the same number of steps. */
static bool run_rounds(const bench *s, const bench_case *c, const options *o, measurement *one, measurement *two) {
    for (int32_t round = 0; round < o->rounds; round++) {
        const bed_look single = {c->level, c->own, 1}, both = {c->level, c->own, 2};
        if (!measure_abut(&s->bed, &single, o->seconds, one)) {
            return false;
        }
        two->steps = one->steps;
        if (!measure_abut(&s->bed, &both, o->seconds, two)) {
            return false;
        }
    }
    return true;
}

static bool run_bed(bench *s, const bench_case *c, const options *o) {
    measurement *one = &s->rows[s->count], *two = one + 1;
    if (!run_rounds(s, c, o, one, two)) {
        *one = *two = (measurement){0};
        return false;
    }
    s->count += 2;
    report_row(one);
    report_row(two);
    if (one->hash != two->hash) {
        fprintf(stderr, "grains: one and two threads led to different states\n");
    }
    return one->hash == two->hash;
}

static bool run_case(bench *s, const bench_case *c, const options *o) {
    if (s->bed.count != c->bodies || s->bed.kind != c->kind) {
        bed_free(&s->bed);
        if (!bed_make(c->kind, c->bodies, c->level, &s->bed)) {
            return false;
        }
    }
    return run_bed(s, c, o);
}

/* Few steps, and fewer bodies when they have more faces, because these programs are slow. A program that fails is skipped. */
static void run_peers(bench *s) {
    static const struct {
        int level;
        int32_t bodies, warm_up, steps;
    } heaps[] = {{0, 125, 500, 40}, {1, 27, 200, 10}};
    for (size_t k = 0; k < sizeof heaps / sizeof *heaps; k++) {
        heap h;
        if (!heap_make(heaps[k].bodies, heaps[k].level, &h)) {
            return;
        }
        for (int i = 0; i < PEERS; i++) {
            if (!peer_is_here(peers[i])) {
                printf("%s is not installed: left out\n", peer_name(peers[i]));
            } else if (measure_peer(peers[i], &h, heaps[k].warm_up, heaps[k].steps, &s->rows[s->count])) {
                report_row(&s->rows[s->count++]);
            } else {
                s->rows[s->count] = (measurement){0};
            }
        }
        heap_free(&h);
    }
}

static bool run_all(const options *o, FILE *json) {
    static bench s;
    bool fine = true;
    report_head();
    const bench_case *before = NULL;
    for (int i = 0; i < CASES; i++) {
        const bench_case *c = &cases[i];
        bool seen = before != NULL && o->only == NULL && strcmp(c->what, "bodies") == 0 &&
                    c->bodies == 1000; /* it is one of the cases "triangles" */
        if (is_wanted(o, c->what) && !seen) {
            fine = run_case(&s, c, o) && fine;
            before = c;
        }
    }
    bed_free(&s.bed);
    if (is_wanted(o, "peers")) {
        run_peers(&s);
    }
    report_goals(json, s.rows, s.count);
    return fine;
}

int main(int count, char **arguments) {
    options o = read_options(count, arguments);
    FILE *json = json_file_create(o.json);
    if (json == NULL) {
        return 1;
    }
    bool fine = run_all(&o, json);
    return json_file_close(json, "bench_grains") && fine ? 0 : 1;
}
