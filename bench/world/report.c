#include "world/report.h"

#include <inttypes.h>

void report_table_head(FILE *out) {
    fprintf(out, "%-7s %-7s %7s %7s %10s %19s %11s %10s %7s  %-17s %9s %17s %17s %10s  %s\n", "scene", "engine", "threads", "bodies",
            "ms a step", "10 % to 90 %", "us a body", "processor", "growth", "broad narrow solve", "contacts", "depth 99 %/max mm",
            "drift mid/max mm", "E/m J/kg", "hash");
}

void report_table_row(FILE *out, const measurement *row, const measurement *before) {
    char growth[16] = "", hash[24] = "";
    if (before != NULL) {
        snprintf(growth, sizeof growth, "%.2f", growth_exponent(before, row));
    }
    if (row->hashed) {
        snprintf(hash, sizeof hash, "%016" PRIx64, row->hash);
    }
    statistics ms = row->milliseconds;
    fprintf(out, "%-7s %-7s %7d %7d %10.2f %9.2f %9.2f %11.2f %10.2f %7s  %5.2f %6.2f %5.2f %9.0f %8.3g %8.3g %8.3g %8.3g %10.2g  %s\n",
            scene_name(row->kind), row->by->name, (int)row->threads, (int)row->bodies, ms.median, ms.p10, ms.p90,
            1e3 * ms.mean / row->bodies, 1e3 * row->processor.mean / row->bodies, growth, row->broad, row->narrow, row->solve,
            row->contacts, 1e3 * row->end.deep, 1e3 * row->end.deepest, 1e3 * row->end.drift, 1e3 * row->end.farthest,
            row->end.kinetic_per_mass, hash);
    fflush(out);
}

const measurement *report_smaller_run(const measurement *rows, int32_t at) {
    const measurement *found = NULL;
    for (int32_t i = 0; i < at; i++) {
        if (rows[i].kind == rows[at].kind && rows[i].by == rows[at].by && rows[i].threads == rows[at].threads &&
            rows[i].bodies < rows[at].bodies && (found == NULL || rows[i].bodies > found->bodies)) {
            found = &rows[i];
        }
    }
    return found;
}

static void print_statistics(FILE *out, const char *name, statistics s) {
    fprintf(out, "   \"%s\": {\"median\": %.4g, \"p10\": %.4g, \"p90\": %.4g, \"mean\": %.4g},\n", name, s.median, s.p10, s.p90, s.mean);
}

static void print_row(FILE *out, const measurement *row, const measurement *before) {
    fprintf(out,
            "  {\"scene\": \"%s\", \"engine\": \"%s\", \"substeps\": %d, \"iterations\": %d, \"threads\": %d, \"bodies\": %d, "
            "\"steps\": %d,\n",
            scene_name(row->kind), row->by->name, (int)row->effort.substeps, (int)row->effort.iterations, (int)row->threads,
            (int)row->bodies, (int)row->steps);
    print_statistics(out, "ms", row->milliseconds);
    print_statistics(out, "processor_ms", row->processor);
    fprintf(out, "   \"us_per_body\": %.4g, \"processor_us_per_body\": %.4g,\n", 1e3 * row->milliseconds.mean / row->bodies,
            1e3 * row->processor.mean / row->bodies);
    fprintf(out, "   \"share\": {\"broad\": %.4f, \"narrow\": %.4f, \"solve\": %.4f}, \"contacts\": %.0f,\n", row->broad, row->narrow,
            row->solve, row->contacts);
    fprintf(out, "   \"deep_m\": %.4g, \"deepest_m\": %.4g, \"drift_m\": %.4g, \"farthest_m\": %.4g,\n", row->end.deep, row->end.deepest,
            row->end.drift, row->end.farthest);
    fprintf(out, "   \"kinetic_j\": %.4g, \"kinetic_j_per_kg\": %.4g", row->end.kinetic, row->end.kinetic_per_mass);
    if (before != NULL) {
        fprintf(out, ", \"growth\": %.3f", growth_exponent(before, row));
    }
    if (row->hashed) {
        fprintf(out, ", \"hash\": \"%016" PRIx64 "\"", row->hash);
    }
    fprintf(out, "}");
}

void report_begin(FILE *out, const measurement *rows, int32_t count) {
    fprintf(out, "{\"benchmark\": \"world\", \"version\": \"%s\", \"dt\": \"1/60\", \"results\": [", abut_version());
    for (int32_t i = 0; i < count; i++) {
        fprintf(out, "%s\n", i > 0 ? "," : "");
        print_row(out, &rows[i], report_smaller_run(rows, i));
    }
}
