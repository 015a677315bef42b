#define _XOPEN_SOURCE 700

#include "run_figures.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

static void add_event(abut_event_report *sum, const abut_event_report *step) {
    sum->steps += step->steps;
    sum->rejected += step->rejected;
    sum->evaluations += step->evaluations;
    sum->tests += step->tests;
    sum->hits += step->hits;
    sum->misses += step->misses;
    sum->discontinuities += step->discontinuities;
    sum->impulses += step->impulses;
}

void run_figures_add(run_figures *figures, const abut_step_report *report, double processor) {
    figures->steps++;
    figures->last = *report;
    figures->contact_sum += report->contacts;
    figures->most_contacts = report->contacts > figures->most_contacts ? report->contacts : figures->most_contacts;
    if (report->max_penetration > figures->penetration) {
        figures->penetration = report->max_penetration;
        figures->deepest_step = report->step;
    }
    add_event(&figures->event, &report->event);
    figures->broad += report->seconds_broad;
    figures->narrow += report->seconds_narrow;
    figures->solve += report->seconds_solve;
    figures->processor += processor;
}

/* ---- what is printed ---- */

static void print_energy(const char *name, double first, double last) {
    printf("  %-22s %.6g at the start, %.6g at the end\n", name, first, last);
}

static void print_size(const char *path) {
    struct stat file;
    if (stat(path, &file) == 0) {
        double size = (double)file.st_size;
        printf(" (%.1f %s)", size < 1e6 ? size * 1e-3 : size * 1e-6, size < 1e6 ? "kB" : "MB");
    }
}

static void print_energies(const run_figures *f) {
    double first = f->first.kinetic_energy + f->first.potential_energy + f->first.spring_energy;
    double last = f->last.kinetic_energy + f->last.potential_energy + f->last.spring_energy;
    print_energy("kinetic energy", f->first.kinetic_energy, f->last.kinetic_energy);
    print_energy("potential energy", f->first.potential_energy, f->last.potential_energy);
    print_energy("total energy", first, last);
}

/* The columns of Baraff's table of coherence, and what else is counted. */
static void print_event(const run_figures *f, double simulated) {
    const abut_event_report *e = &f->event;
    printf("  %-22s %" PRId64 ", and %" PRId64 " rejected; %" PRId64 " evaluations of the accelerations\n", "integration steps", e->steps,
           e->rejected, e->evaluations);
    printf("  %-22s %" PRId64 ": %" PRId64 " hits, %" PRId64 " misses", "tests of pairs", e->tests, e->hits, e->misses);
    if (e->tests > 0) {
        printf(" (%.2f %% hits)", 100.0 * (double)e->hits / (double)e->tests);
    }
    printf("\n  %-22s %" PRId64 " discontinuities, %" PRId64 " impulses\n", "events", e->discontinuities, e->impulses);
    printf("  %-22s %.3g s", "processor time", f->processor);
    if (simulated > 0.0) {
        printf(", %.3g s per simulated second", f->processor / simulated);
    }
    printf("\n");
}

void run_figures_print(const run_figures *f, const abut_scene *scene, const char *recording) {
    const char *title = abut_scene_title(scene);
    double wall = f->ended - f->begun, simulated = f->last.time - f->first.time;
    double other = wall - f->broad - f->narrow - f->solve - f->recording;
    printf("%s\n", *title ? title : abut_scene_path(scene));
    printf("  %-22s %" PRId64 " of %" PRId64 "\n", "steps", f->steps, f->wanted);
    printf("  %-22s %g s\n", "simulated time", simulated);
    printf("  %-22s %d, %d of them awake at the end\n", "bodies", (int)f->last.bodies, (int)f->last.awake);
    printf("  %-22s %.1f in the mean, %d at most, %d at the end\n", "contacts", f->steps > 0 ? f->contact_sum / (double)f->steps : 0.0,
           (int)f->most_contacts, (int)f->last.contacts);
    printf("  %-22s %.3g at most (step %" PRId64 "), %.3g at the end\n", "penetration", f->penetration, f->deepest_step,
           f->last.max_penetration);
    print_energies(f);
    if (abut_scene_world_def(scene)->stepper == ABUT_STEPPER_EVENT) {
        print_event(f, simulated);
    }
    printf("  %-22s %.3g s: pairs %.3g, contacts %.3g, forces and motion %.3g, recording %.3g, other %.3g\n", "time", wall, f->broad,
           f->narrow, f->solve, f->recording, fmax(other, 0.0));
    printf("  %-22s %.3g (simulated time by time taken)\n", "real-time factor", wall > 0.0 ? simulated / wall : 0.0);
    if (recording) {
        printf("  %-22s %s", "recording", recording);
        print_size(recording);
        printf("\n");
    }
}
