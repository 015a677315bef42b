#define _XOPEN_SOURCE 700

#include "tool/recording/run_figures.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static void add_event(abut_event_report *sum, const abut_event_report *step) {
    sum->steps += step->steps;
    sum->rejected += step->rejected;
    sum->evaluations += step->evaluations;
    sum->tests += step->tests;
    sum->hits += step->hits;
    sum->repeats += step->repeats;
    sum->misses += step->misses;
    sum->discontinuities += step->discontinuities;
    sum->impulses += step->impulses;
}

static void add_dem(abut_dem_report *sum, const abut_dem_report *step) {
    sum->steps += step->steps;
    sum->lists += step->lists;
    sum->damping_work += step->damping_work;
    sum->friction_work += step->friction_work;
    sum->broken += step->broken;
}

/* The value of abut_body_def.user is the index of the body in the scene. sums: whether the counts of the steps are added. */
static void add_trouble(run_trouble *trouble, const abut_simulation *simulation, int32_t count, abut_body_id body, double time, bool sums) {
    if (count > 0 && trouble->most == 0) {
        abut_body_info info = {.user = 0};
        (void)abut_world_body_info(abut_simulation_world(simulation), body, &info);
        trouble->first = (int32_t)info.user;
        trouble->time = time;
    }
    trouble->most = sums ? trouble->most + count : count > trouble->most ? count : trouble->most;
}

void run_figures_add(run_figures *figures, const abut_simulation *simulation, const abut_step_report *report, double processor) {
    figures->steps++;
    figures->last = *report;
    figures->contact_sum += report->contacts;
    figures->most_contacts = report->contacts > figures->most_contacts ? report->contacts : figures->most_contacts;
    if (report->max_penetration > figures->penetration) {
        figures->penetration = report->max_penetration;
        figures->deepest_step = report->step;
    }
    add_trouble(&figures->sunk, simulation, report->sunk, report->sunk_body, report->time, false);
    add_trouble(&figures->engulfed, simulation, report->engulfed, report->engulfed_body, report->time, false);
    add_trouble(&figures->left, simulation, report->left, report->left_body, report->time, true);
    add_event(&figures->event, &report->event);
    add_dem(&figures->dem, &report->dem);
    figures->broad += report->seconds_broad;
    figures->narrow += report->seconds_narrow;
    figures->solve += report->seconds_solve;
    figures->processor += processor;
}

/* ---- who touches whom ---- */

/* The index of a dynamic body in `touches`, or -1 for other bodies. */
static int32_t dynamic_index(const abut_world *world, abut_body_id id) {
    abut_body_info info;
    return abut_world_body_info(world, id, &info) == ABUT_OK && info.kind == ABUT_BODY_DYNAMIC ? (int32_t)info.user : -1;
}

/* Contacts of one pair are consecutive. */
static bool is_same_pair(const abut_world_contact *c, int32_t i) {
    return i > 0 && c[i].a.index == c[i - 1].a.index && c[i].b.index == c[i - 1].b.index;
}

/* Counts neighbours. A body with fewer than two neighbours carries no load and is called loose (C. Thornton, "Numerical simulations of deviatoric shear
 * deformation of granular media", 2000). */
void run_figures_coordinate(run_figures *figures, const abut_simulation *simulation) {
    const abut_scene *scene = abut_simulation_scene(simulation);
    const abut_world *world = abut_simulation_world(simulation);
    const abut_world_contact *contacts = NULL;
    int32_t count = 0, n = abut_scene_body_count(scene), *touches = calloc((size_t)n, sizeof *touches);
    run_coordination *sum = &figures->coordination;
    if (abut_scene_world_def(scene)->stepper != ABUT_STEPPER_DEM || !touches || abut_world_contacts(world, &contacts, &count) != ABUT_OK) {
        free(touches);
        return;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < count; i++) {
            int32_t a = is_same_pair(contacts, i) ? -1 : dynamic_index(world, contacts[i].a);
            int32_t b = is_same_pair(contacts, i) ? -1 : dynamic_index(world, contacts[i].b);
            bool loose = (a >= 0 && touches[a] < 2) || (b >= 0 && touches[b] < 2);
            sum->bound += pass == 1 && !loose ? (a >= 0) + (b >= 0) : 0;
            for (int k = 0; k < 2 && pass == 0; k++) {
                int32_t body = k == 0 ? a : b;
                touches[body >= 0 ? body : 0] += body >= 0;
            }
        }
    }
    for (int32_t i = 0; i < n; i++) {
        if (dynamic_index(world, abut_simulation_body_id(simulation, i)) >= 0) {
            sum->bodies++;
            sum->touches += touches[i];
            sum->loose += touches[i] < 2;
        }
    }
    free(touches);
}

/* ---- inlets and outlets ---- */

void run_figures_take_flows(run_figures *figures, const abut_simulation *simulation) {
    int32_t count = abut_scene_inlet_count(abut_simulation_scene(simulation));
    figures->inlets = count > 0 ? calloc((size_t)count, sizeof *figures->inlets) : NULL;
    for (int32_t i = 0; figures->inlets && i < count; i++) {
        (void)abut_simulation_inlet(simulation, i, &figures->inlets[i]);
    }
    int32_t outlets = abut_scene_outlet_count(abut_simulation_scene(simulation));
    figures->outlets = outlets > 0 ? calloc((size_t)outlets, sizeof *figures->outlets) : NULL;
    for (int32_t i = 0; figures->outlets && i < outlets; i++) {
        (void)abut_simulation_outlet(simulation, i, &figures->outlets[i]);
    }
}

void run_figures_take_cells(run_figures *figures, const abut_simulation *simulation) {
    const abut_scene *scene = abut_simulation_scene(simulation);
    run_cells *cells = &figures->cells;
    *cells = (run_cells){0, INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (int32_t i = 0; i < abut_scene_body_count(scene); i++) {
        abut_cell_state state;
        abut_mass mass;
        bool there = abut_scene_body_cell(scene, i) &&
                     abut_world_cell_state(abut_simulation_world(simulation), abut_simulation_body_id(simulation, i), &state) == ABUT_OK;
        if (there && abut_shape_mass(abut_scene_body_def(scene, i)->shape, 1.0, &mass) == ABUT_OK) {
            double volume = state.volume / mass.volume;
            cells->count++;
            cells->least_volume = fmin(cells->least_volume, volume);
            cells->most_volume = fmax(cells->most_volume, volume);
            cells->least_pressure = fmin(cells->least_pressure, state.pressure);
            cells->most_pressure = fmax(cells->most_pressure, state.pressure);
        }
    }
}

void run_figures_release(run_figures *figures) {
    free(figures->inlets);
    free(figures->outlets);
    figures->inlets = NULL;
    figures->outlets = NULL;
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

static double total_energy(const abut_step_report *r) {
    return r->kinetic_energy + r->potential_energy + r->spring_energy + r->dem.elastic_energy + r->dem.spring_energy;
}

static void print_energies(const run_figures *f) {
    print_energy("kinetic energy", f->first.kinetic_energy, f->last.kinetic_energy);
    print_energy("potential energy", f->first.potential_energy, f->last.potential_energy);
    print_energy("total energy", total_energy(&f->first), total_energy(&f->last));
}

/* The columns of Baraff's coherence table, and other counters. */
static void print_event(const run_figures *f, double simulated) {
    const abut_event_report *e = &f->event;
    printf("  %-22s %" PRId64 ", and %" PRId64 " rejected; %" PRId64 " evaluations of the accelerations\n", "integration steps", e->steps,
           e->rejected, e->evaluations);
    printf("  %-22s %" PRId64 ": %" PRId64 " hits", "tests of pairs", e->tests, e->hits);
    if (e->tests > 0) {
        printf(" (%.2f %%)", 100.0 * (double)e->hits / (double)e->tests);
    }
    printf(", and %" PRId64 " searches: %" PRId64 " repeats, %" PRId64 " misses", e->repeats + e->misses, e->repeats, e->misses);
    printf("\n  %-22s %" PRId64 " discontinuities, %" PRId64 " impulses\n", "events", e->discontinuities, e->impulses);
    printf("  %-22s %.3g s", "processor time", f->processor);
    if (simulated > 0.0) {
        printf(", %.3g s per simulated second", f->processor / simulated);
    }
    printf("\n");
}

static void print_coordination(const run_coordination *c) {
    int32_t bearing = c->bodies - c->loose;
    printf("  %-22s %.3f", "coordination number", c->bodies > 0 ? (double)c->touches / c->bodies : 0.0);
    if (c->loose > 0) {
        printf("; %.3f without loose bodies (%d with fewer than two neighbours)", bearing > 0 ? (double)c->bound / bearing : 0.0,
               (int)c->loose);
    }
    printf("\n");
}

/* The forces at the beginning are unknown, because its contacts have not been computed. */
static void print_dem(const run_figures *f, double simulated, double gravity) {
    const abut_dem_report *d = &f->dem, *last = &f->last.dem;
    double step = d->steps > 0 ? simulated / (double)d->steps : 0.0;
    printf("  %-22s %" PRId64 " of %.3g s on average", "integration steps", d->steps, step);
    if (isfinite(last->critical_step)) {
        printf("; the critical step is %.3g s (%.3g of it)", last->critical_step, step / last->critical_step);
    }
    printf("\n  %-22s %d at the end, listed %" PRId64 " times\n", "near pairs", (int)last->near, d->lists);
    print_coordination(&f->coordination);
    printf("  %-22s %d at the end\n", "sliding contacts", (int)last->sliding);
    if (last->bonds > 0 || d->broken > 0) {
        printf("  %-22s %d at the end, %d broke\n", "bonds", (int)last->bonds, (int)d->broken);
    }
    const run_cells *cells = &f->cells;
    if (cells->count > 0) {
        printf("  %-22s %d at the end, with %.4g to %.4g of the volumes of their shapes, and pressures from %.4g to %.4g\n",
               "elastic cells", (int)cells->count, cells->least_volume, cells->most_volume, cells->least_pressure, cells->most_pressure);
    }
    printf("  %-22s %.6g in contacts, %.6g in springs of friction%s, at the end\n", "elastic energy", last->elastic_energy,
           last->spring_energy, cells->count > 0 ? " and cells" : "");
    printf("  %-22s %.6g to damping, %.6g to friction\n", "energy lost", d->damping_work, d->friction_work);
    printf("  %-22s %.3g%s at the end, the largest net force of a body%s\n", "residual", last->residual, gravity > 0.0 ? " weights" : "",
           gravity > 0.0 ? "" : " (no gravity)");
}

static void print_trouble(const char *name, const run_trouble *trouble, const abut_scene *scene, const char *what) {
    if (trouble->most > 0) {
        printf("  %-22s %d %s; the first is '%s' at %g s\n", name, (int)trouble->most, what, abut_scene_body_name(scene, trouble->first),
               trouble->time);
    }
}

static void print_troubles(const run_figures *f, const abut_scene *scene) {
    print_trouble("sunk bodies", &f->sunk, scene, "at most, deeper in others than half of their inner radius");
    print_trouble("engulfed bodies", &f->engulfed, scene, "at most, with their centres inside others");
    print_trouble("gone through", &f->left, scene, "in all, through static or kinematic bodies");
}

static void print_inlets(const run_figures *f, const abut_scene *scene) {
    for (int32_t i = 0; f->inlets && i < abut_scene_inlet_count(scene); i++) {
        abut_scene_inlet inlet;
        const abut_inlet_state *state = &f->inlets[i];
        (void)abut_scene_get_inlet(scene, i, &inlet);
        printf("  %-22s '%s': %d of %d bodies came, with a mass of %.6g", "inlet", inlet.name, (int)state->placed, (int)inlet.count,
               state->mass);
        if (state->due > state->placed) {
            printf("; %d wait for room", (int)(state->due - state->placed));
        }
        printf("\n");
    }
}

static void print_outlets(const run_figures *f, const abut_scene *scene) {
    for (int32_t i = 0; f->outlets && i < abut_scene_outlet_count(scene); i++) {
        printf("  %-22s '%s': %" PRId64 " bodies, with a mass of %.6g\n", "outlet", abut_scene_outlet_name(scene, i), f->outlets[i].count,
               f->outlets[i].mass);
    }
}

void run_figures_print(const run_figures *f, const abut_scene *scene, const char *recording) {
    const char *title = abut_scene_title(scene);
    double wall = f->ended - f->begun, simulated = f->last.time - f->first.time;
    double other = wall - f->broad - f->narrow - f->solve - f->recording - f->checkpointing;
    printf("%s\n", *title ? title : abut_scene_path(scene));
    printf("  %-22s %" PRId64 " of %" PRId64 "%s\n", "steps", f->steps, f->wanted,
           f->stopped   ? ": stopped by an action"
           : f->at_rest ? ": at rest"
                        : "");
    if (f->before > 0) {
        printf("  %-22s %" PRId64 ": the figures below count from there\n", "resumed after step", f->before);
    }
    printf("  %-22s %g s\n", "simulated time", simulated);
    printf("  %-22s %d, %d of them awake at the end\n", "bodies", (int)f->last.bodies, (int)f->last.awake);
    print_inlets(f, scene);
    print_outlets(f, scene);
    printf("  %-22s %.1f on average, %d at most, %d at the end\n", "contacts",
           f->steps > f->before ? f->contact_sum / (double)(f->steps - f->before) : 0.0, (int)f->most_contacts, (int)f->last.contacts);
    printf("  %-22s %.3g at most (step %" PRId64 "), %.3g at the end\n", "penetration", f->penetration, f->deepest_step,
           f->last.max_penetration);
    print_troubles(f, scene);
    print_energies(f);
    if (abut_scene_world_def(scene)->stepper == ABUT_STEPPER_EVENT) {
        print_event(f, simulated);
    }
    if (abut_scene_world_def(scene)->stepper == ABUT_STEPPER_DEM) {
        print_dem(f, simulated, abut_length(abut_scene_world_def(scene)->gravity));
    }
    printf("  %-22s %.3g s: pairs %.3g, contacts %.3g, forces and motion %.3g, recording %.3g, other %.3g\n", "time", wall, f->broad,
           f->narrow, f->solve, f->recording, fmax(other, 0.0));
    printf("  %-22s %.3g (simulated time per wall time)\n", "real-time factor", wall > 0.0 ? simulated / wall : 0.0);
    if (f->checkpoints > 0) {
        printf("  %-22s %" PRId64 ", %.3g s in all\n", "checkpoints", f->checkpoints, f->checkpointing);
    }
    if (recording) {
        printf("  %-22s %s", "recording", recording);
        print_size(recording);
        printf("\n");
    }
}
