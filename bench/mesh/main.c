/* bench_mesh: contacts of a sphere, a capsule, a box and a hull of 32 points with a mesh, for abut, ODE, FCL and Bullet with the same
 * questions in the same run. Also shows how the times of building and asking grow with the number of triangles. */
#include <stdio.h>

#include "inputs.h"
#include "support/json_file.h"
#include "support/statistics.h"

enum { ROUNDS = 21, QUESTIONS = 1000, CELLS = 100 };

static const mesh_engine *const engines[] = {
    &mesh_abut,
#ifdef BENCH_WITH_ODE
    &mesh_ode,
#endif
#ifdef BENCH_WITH_FCL
    &mesh_fcl,
#endif
#ifdef BENCH_WITH_BULLET
    &mesh_bullet, &mesh_bullet_edges,
#endif
};
enum { ENGINES = sizeof engines / sizeof *engines };

static void ask_all(const mesh_engine *engine, void *state, const mesh_set *set) {
    for (int32_t i = 0; i < set->count; i++) {
        (void)engine->ask(state, i);
    }
}

/* Asks all questions once untimed before: see bench_narrow. Nanoseconds per question. */
static double time_all(const mesh_engine *engine, void *state, const mesh_set *set) {
    ask_all(engine, state, set);
    double begin = clock_processor_seconds();
    ask_all(engine, state, set);
    return 1e9 * (clock_processor_seconds() - begin) / set->count;
}

/* Contacts, and of how many questions the deepest one has a wrong normal (by more than 0.01 rad), or is missing; -1 where no normal is known. */
static void judge(const mesh_engine *engine, void *state, const mesh_set *set, double *contacts, int32_t *wrong) {
    *contacts = 0.0;
    int32_t judged = 0;
    *wrong = 0;
    for (int32_t i = 0; i < set->count; i++) {
        mesh_answer answer = engine->ask(state, i);
        *contacts += (double)answer.contacts / set->count;
        bool known = abut_length_squared(set->normals[i]) > 0.0;
        judged += known;
        *wrong += known && (answer.contacts == 0 || abut_distance_between(answer.normal, set->normals[i]) > 0.01);
    }
    *wrong = judged > 0 ? *wrong : -1;
}

static void measure_set(FILE *json, const mesh_set *set, bool first) {
    double times[ENGINES][ROUNDS], reference = 0.0;
    void *states[ENGINES];
    for (int e = 0; e < ENGINES; e++) {
        states[e] = engines[e]->prepare(set);
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int e = 0; e < ENGINES; e++) {
            times[e][round] = states[e] != NULL ? time_all(engines[e], states[e], set) : 0.0;
        }
    }
    printf("\n%-28s %10s %10s %10s %9s %6s %10s\n", set->name, "ns", "10 %", "90 %", "contacts", "wrong", "abut over");
    fprintf(json, "%s\n  {\"set\": \"%s\", \"triangles\": %d, \"questions\": %d, \"engines\": [", first ? "" : ",", set->name,
            (int)set->triangle_count, (int)set->count);
    for (int e = 0, shown = 0; e < ENGINES; e++) {
        if (states[e] == NULL) {
            continue;
        }
        double contacts;
        int32_t wrong;
        judge(engines[e], states[e], set, &contacts, &wrong);
        statistics s = statistics_of(times[e], ROUNDS);
        reference = e == 0 ? s.median : reference;
        printf("  %-26s %10.0f %10.0f %10.0f %9.2f %6d %10.2f\n", engines[e]->name, s.median, s.p10, s.p90, contacts, (int)wrong,
               reference / s.median);
        fprintf(json,
                "%s\n    {\"engine\": \"%s\", \"ns\": %.1f, \"p10\": %.1f, \"p90\": %.1f, \"contacts\": %.3f, \"wrong\": %d, "
                "\"abut_over\": %.3f}",
                shown++ > 0 ? "," : "", engines[e]->name, s.median, s.p10, s.p90, contacts, (int)wrong, reference / s.median);
        engines[e]->release(states[e]);
    }
    fprintf(json, "]}");
}

static bool measure_growth(FILE *json) {
    static const mesh_kind kind = {"growth", MESH_SPHERE, false, false};
    static const int32_t cells[] = {22, 71, 224, 707}; /* a thousand to a million triangles */
    printf("\n%-28s %10s %12s %12s\n", "abut, flat, sphere", "triangles", "build [ms]", "ask [ns]");
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        mesh_set set;
        if (!inputs_make(&set, &kind, cells[i], i < 2 ? 200 : i < 3 ? 50 : 10)) {
            return false;
        }
        double begin = clock_processor_seconds();
        void *state = mesh_abut.prepare(&set);
        double build = clock_processor_seconds() - begin, asked[ROUNDS];
        for (int round = 0; round < ROUNDS && state != NULL; round++) {
            asked[round] = time_all(&mesh_abut, state, &set);
        }
        if (state == NULL) {
            inputs_free(&set);
            return false;
        }
        statistics s = statistics_of(asked, ROUNDS);
        printf("  %-26s %10d %12.2f %12.0f\n", "", (int)set.triangle_count, 1e3 * build, s.median);
        fprintf(json, "%s\n  {\"triangles\": %d, \"build_ms\": %.3f, \"ns\": %.1f}", i > 0 ? "," : "", (int)set.triangle_count, 1e3 * build,
                s.median);
        mesh_abut.release(state);
        inputs_free(&set);
    }
    return true;
}

static const char usage[] =
    "usage: bench_mesh [--json FILE] [--help]\n\n  --json FILE  write JSON to FILE; tables go to standard output in any case\n";

int main(int count, char **arguments) {
    FILE *json = json_file_open(count, arguments, usage);
    static const mesh_kind kinds[] = {{"sphere, flat", MESH_SPHERE, false, false},   {"sphere, bumpy", MESH_SPHERE, true, false},
                                      {"capsule, flat", MESH_CAPSULE, false, false}, {"capsule, bumpy", MESH_CAPSULE, true, false},
                                      {"box lying, flat", MESH_BOX, false, true},    {"box, flat", MESH_BOX, false, false},
                                      {"box, bumpy", MESH_BOX, true, false},         {"hull of 32, flat", MESH_HULL, false, false},
                                      {"hull of 32, bumpy", MESH_HULL, true, false}};
    bool fine = true;
    fprintf(json, "{\"benchmark\": \"mesh\", \"sets\": [");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && fine; i++) {
        mesh_set set;
        fine = inputs_make(&set, &kinds[i], CELLS, QUESTIONS);
        if (fine) {
            measure_set(json, &set, i == 0);
            inputs_free(&set);
        }
    }
    fprintf(json, "],\n  \"growth\": [");
    fine = fine && measure_growth(json);
    fprintf(json, "]}\n");
    fine = fclose(json) == 0 && fine;
    if (!fine) {
        fputs("bench_mesh: out of memory, or the file cannot be written\n", stderr);
    }
    return fine ? 0 : 1;
}
