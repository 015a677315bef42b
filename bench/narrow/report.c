/* The results as JSON and tables. Times in nanoseconds per question. No name contains a character that JSON would have to escape. */
#include "report.h"

#include <inttypes.h>

#include <abut/base.h>

static void put_measurement(FILE *file, const measurement *m, bool first) {
    fprintf(file,
            "%s\n      {\"engine\": \"%s\", \"ns\": %.1f, \"p10\": %.1f, \"p90\": %.1f, \"points\": %.3f, \"missed\": %d, \"wrong\": %d, "
            "\"false\": %d, \"worst_error\": %.3g}",
            first ? "" : ",", m->of->name, m->median, m->p10, m->p90, m->points, (int)m->missed, (int)m->wrong, (int)m->unfounded,
            m->worst);
}

static void put_set(FILE *file, const measured_set *set, bool first) {
    fprintf(file, "%s\n    {\"set\": \"%s\", \"shapes\": \"%s\", \"pairs\": %d, \"steps\": %d, \"engines\": [", first ? "" : ",", set->name,
            set->shapes, (int)set->pairs, (int)set->steps);
    for (int32_t i = 0; i < set->count; i++) {
        put_measurement(file, &set->engines[i], i == 0);
    }
    fprintf(file, "]}");
}

static void put_verdict(FILE *file, const verdict *v, bool first) {
    fprintf(file,
            "%s\n    {\"goal\": \"%s\", \"set\": \"%s\", \"subject\": \"%s\", \"reference\": \"%s\", \"limit\": %g, \"ratio\": %.4f, ",
            first ? "" : ",", v->of->name, v->of->set, v->of->subject, v->reference, v->of->limit, v->ratio);
    if (v->shown_ratio > 0.0) {
        fprintf(file, "\"growth\": \"%s\", \"growth_ratio\": %.4f, ", v->of->shown, v->shown_ratio);
    }
    fprintf(file, "\"fast\": %s, \"right\": %s, \"pass\": %s}", v->fast ? "true" : "false", v->right ? "true" : "false",
            v->fast && v->right ? "true" : "false");
}

void report_json(FILE *file, const conditions *how, const measured_set *sets, int32_t set_count) {
    fprintf(file, "{\n  \"benchmark\": \"narrow\", \"version\": \"%s\", \"seed\": %" PRIu64 ", \"core\": %d,\n", abut_version(), how->seed,
            how->core);
    fprintf(file, "  \"processor\": \"%s\", \"compiler\": \"%s\",\n", how->processor, how->compiler);
    fprintf(file, "  \"rounds\": %d, \"quick\": %s, \"peers\": [", (int)how->rounds, how->quick ? "true" : "false");
    for (const char *const *peer = engines_peers(); *peer != NULL; peer++) {
        fprintf(file, "%s\"%s\"", peer == engines_peers() ? "" : ", ", *peer);
    }
    fprintf(file, "],\n  \"sets\": [");
    for (int32_t i = 0; i < set_count; i++) {
        put_set(file, &sets[i], i == 0);
    }
    fprintf(file, "],\n  \"goals\": [");
    bool first = true;
    for (int32_t i = 0; i < goals_count(); i++) {
        verdict v = goals_judge(i, sets, set_count, how->rounds);
        if (v.reference != NULL) {
            put_verdict(file, &v, first);
            first = false;
        }
    }
    fprintf(file, "]\n}\n");
}

void report_table(FILE *file, const measured_set *set) {
    fprintf(file, "\n%s: %d questions\n", set->name, (int)(set->pairs * set->steps));
    fprintf(file, "  %-36s %9s %9s %9s %7s %7s %6s %6s %9s\n", "", "ns", "p10", "p90", "points", "missed", "wrong", "false", "worst");
    for (int32_t i = 0; i < set->count; i++) {
        const measurement *m = &set->engines[i];
        fprintf(file, "  %-36s %9.0f %9.0f %9.0f %7.2f %7d %6d %6d %9.2g\n", m->of->name, m->median, m->p10, m->p90, m->points,
                (int)m->missed, (int)m->wrong, (int)m->unfounded, m->worst);
    }
    fflush(file);
}

static void put_goal(FILE *file, const verdict *v) {
    char shown[16] = "";
    if (v->shown_ratio > 0.0) {
        snprintf(shown, sizeof shown, "(%.2f)", v->shown_ratio);
    }
    fprintf(file, "  %-44s %6.3f %8s  <= %-4g %-4s  of %s%s\n", v->of->name, v->ratio, shown, v->of->limit,
            v->fast && v->right ? "pass" : "miss", v->reference, v->right ? "" : "; not all answers are right");
}

void report_goals(FILE *file, const conditions *how, const measured_set *sets, int32_t set_count) {
    bool first = true;
    for (int32_t i = 0; i < goals_count(); i++) {
        verdict v = goals_judge(i, sets, set_count, how->rounds);
        if (v.reference != NULL) {
            fputs(first ? "\nGoals: time of abut (with the growth normal in brackets) over that of another engine\n" : "", file);
            put_goal(file, &v);
            first = false;
        }
    }
}
