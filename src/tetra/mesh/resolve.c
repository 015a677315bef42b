/* Separation of whole meshes: by zones with one plane each (tetra/mesh/zone_parting.h), or by sweeps over pairs (tetra/mesh/sweep.h); and
 * the report. */
#include <abut/tetra_mesh.h>

#include <string.h>

#include "base/argument.h"
#include "base/memory.h"
#include "base/real.h"
#include "tetra/mesh/sweep.h"
#include "tetra/mesh/view.h"
#include "tetra/mesh/zone_parting.h"
#include "tetra/pair.h"

abut_resolve_settings abut_resolve_settings_default(void) {
    return (abut_resolve_settings){.mode = ABUT_RESOLVE_AUTO, .sweep_limit = 50, .round_limit = 1000, .volume_ratio = -INFINITY};
}

/* ---- arguments ---- */

static bool masses_in_range(const char *call, const char *name, const abut_tetra_mesh *mesh, const double *mass) {
    for (int32_t i = 0; mesh != NULL && mass != NULL && i < mesh->vertex_count; i++) {
        if (mass[i] <= 0.0) {
            return !refused(call, "%s[%d] is %.9g: it must be above 0", name, (int)i, mass[i]);
        }
    }
    return true;
}

static bool masses_are_numbers(const char *call, const char *name, const abut_tetra_mesh *mesh, const double *mass) {
    for (int32_t i = 0; mesh != NULL && mass != NULL && i < mesh->vertex_count; i++) {
        if (isnan(mass[i])) {
            return !refused(call, "%s[%d] is NaN", name, (int)i);
        }
    }
    return true;
}

static bool settings_in_range(const char *call, const abut_resolve_settings *s) {
    if ((int)s->mode < ABUT_RESOLVE_AUTO || (int)s->mode > ABUT_RESOLVE_SWEEPS) {
        return !refused_integer(call, "settings->mode", (int)s->mode, "an abut_resolve_mode");
    }
    if (s->volume_ratio != -INFINITY && !(s->volume_ratio >= 0.0 && s->volume_ratio < 1.0)) {
        return !refused_value(call, "settings->volume_ratio", s->volume_ratio, PAIR_RATIO_RANGE);
    }
    return !argument_is_below(call, "settings->sweep_limit", s->sweep_limit, 0) &&
           !argument_is_below(call, "settings->round_limit", s->round_limit, 0);
}

static bool sizes_fit(const char *call, const abut_tetra_mesh *a, const abut_tetra_mesh *b) {
    return b == NULL || a->vertex_count <= INT32_MAX - b->vertex_count ||
           !refused(call, "a->vertex_count and b->vertex_count together exceed %d", INT32_MAX);
}

static abut_status check(const char *call, const abut_tetra_mesh *a, const abut_tetra_mesh *b, const double *mass_a, const double *mass_b) {
    abut_status status = mesh_check(call, a, b);
    if (status != ABUT_OK || !sizes_fit(call, a, b) || !masses_in_range(call, "mass_a", a, mass_a) ||
        !masses_in_range(call, "mass_b", b, mass_b)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    status = mesh_check_finite(call, a, b, mesh_most_to_subtract);
    bool numbers = status != ABUT_OK || (masses_are_numbers(call, "mass_a", a, mass_a) && masses_are_numbers(call, "mass_b", b, mass_b));
    return numbers ? status : ABUT_ERROR_NOT_FINITE;
}

/* ---- zones ---- */

/* One round: adds the pairs to zones and separates the zones that changed. *again: whether anything changed. */
static abut_status one_round(zones *z, joint *j, const abut_vec3 *from, zone_limit *limit, const abut_element_pair *pairs, int64_t count,
                             bool *again) {
    *again = false;
    for (int64_t i = 0; i < count; i++) {
        zones_change change = zones_add(z, j, pairs[i]);
        if (change == ZONES_NO_MEMORY) {
            return ABUT_ERROR_OUT_OF_MEMORY;
        }
        *again = *again || change == ZONES_CHANGED;
    }
    return !*again || zones_part(z, j, from, limit) ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

/* Rounds until no new pair intersects. Pairs within a zone are skipped until then, because the zone's plane separated them; all pairs are
 * tested once more at the end. */
static abut_status all_rounds(zones *z, joint *j, int32_t round_limit, const abut_vec3 *from, zone_limit *limit, int32_t *group,
                              abut_element_pair **pairs, int64_t *count, int32_t *rounds) {
    abut_status status = ABUT_OK;
    bool all_seen = false;
    while (status == ABUT_OK && *rounds < round_limit) {
        bool again;
        status = one_round(z, j, from, limit, *pairs, *count, &again);
        if (status != ABUT_OK || (!again && all_seen)) {
            return status;
        }
        memory_release(*pairs);
        *rounds += again;
        all_seen = !again;
        zones_groups(z, j, group);
        status = again ? joint_search_changed(j, group, pairs, count) : joint_search(j, pairs, count);
    }
    if (status == ABUT_OK) {
        memory_release(*pairs);
        status = joint_search(j, pairs, count);
    }
    return status;
}

/* volumes: NULL without a volume ratio. */
static abut_status part_by_zones(joint *j, const volumes *v, int32_t round_limit, abut_element_pair **pairs, int64_t *count,
                                 abut_resolve_report *report) {
    zones z;
    zone_limit limit;
    abut_vec3 *from = memory_allocate((size_t)j->vertex_count, sizeof *from);
    int32_t *group = memory_allocate((size_t)j->element_count, sizeof *group);
    abut_status status = ABUT_ERROR_OUT_OF_MEMORY;
    bool ready = from != NULL && group != NULL && (v == NULL || zone_limit_make(&limit, j, v));
    if (ready && zones_make(&z, j)) {
        memcpy(from, j->at, (size_t)j->vertex_count * sizeof *from);
        status = all_rounds(&z, j, round_limit, from, v != NULL ? &limit : NULL, group, pairs, count, &report->rounds);
        zone_count zone = zones_count(&z, j);
        report->zones = zone.all;
        report->zones_stuck = zone.stuck;
        zones_release(&z);
    }
    if (ready && v != NULL) {
        zone_limit_release(&limit);
    }
    memory_release(from);
    memory_release(group);
    return status;
}

/* ---- the report ---- */

/* The volume that an element may have by rounding error alone. */
static double no_volume(const abut_tetra_mesh *mesh, int32_t element, double unit) {
    abut_aabb box = mesh_box(mesh, element);
    abut_vec3 e = abut_scale(unit, abut_sub(box.upper, box.lower));
    double size = e.x + e.y + e.z;
    return 1e-14 * size * size * size;
}

static void count_inverted(const joint *j, abut_resolve_report *report) {
    int32_t first = 0;
    for (int k = 0; k < 2; k++) {
        const abut_tetra_mesh *now = &j->mesh[k];
        abut_tetra_mesh before = *now;
        before.vertices = j->begin + first;
        first += now->vertex_count;
        for (int32_t e = 0; e < now->element_count; e++) {
            double was = mesh_volume(&before, e, j->unit), is = mesh_volume(now, e, j->unit);
            bool had = fabs(was) > no_volume(&before, e, j->unit), has = had && fabs(is) > 1e-9 * fabs(was);
            report->flat_before += !had;
            report->flat_after += !has;
            report->inverted += has && (was > 0.0) != (is > 0.0);
        }
    }
}

/* With a volume ratio. */
static void measure_volumes(const joint *j, const volumes *v, abut_resolve_report *report) {
    const double near = 0.03; /* a little more than what the elements aim above the ratio: zone_limit.c */
    for (int32_t e = 0; e < j->element_count && v != NULL; e++) {
        double ratio = volumes_ratio(v, j, e), least = v->least[e];
        report->volume_ratio_least = e == 0 ? ratio : real_min(report->volume_ratio_least, ratio);
        report->at_volume_ratio += ratio < least + near * (1.0 - least);
    }
}

/* ---- the whole ---- */

/* Sweeps from the initial positions after zones found a result. The sweeps' result is used if it separates with clearly less displacement;
 * they are given up when they cannot. */
static abut_status sweep_instead(joint *j, const volumes *v, const abut_resolve_settings *s, abut_element_pair **pairs, int64_t *count,
                                 abut_resolve_report *report) {
    const double clearly = 0.75;
    size_t bytes = (size_t)j->vertex_count * sizeof *j->at;
    double largest, limit = clearly * joint_displacement(j, &largest);
    abut_vec3 *by_zones = memory_allocate((size_t)j->vertex_count, sizeof *by_zones);
    if (by_zones == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    memcpy(by_zones, j->at, bytes);
    memcpy(j->at, j->begin, bytes);
    abut_status status = joint_search(j, pairs, count);
    status = status == ABUT_OK ? sweep_pairs(j, v, s->sweep_limit, limit, pairs, count, &report->sweeps) : status;
    report->swept = status == ABUT_OK && *count == 0 && joint_displacement(j, &largest) < limit;
    if (!report->swept) {
        memcpy(j->at, by_zones, bytes);
        *count = 0;
    }
    memory_release(by_zones);
    return status;
}

static abut_status separate(joint *j, const volumes *v, const abut_resolve_settings *s, abut_element_pair **pairs, int64_t *count,
                            abut_resolve_report *report) {
    abut_status status = joint_search(j, pairs, count);
    report->pairs_begin = *count;
    if (status != ABUT_OK || *count == 0) {
        return status;
    }
    if (s->mode != ABUT_RESOLVE_SWEEPS) {
        status = part_by_zones(j, v, s->round_limit, pairs, count, report);
    }
    if (status != ABUT_OK || s->mode == ABUT_RESOLVE_ZONES) {
        return status;
    }
    if (*count > 0) {
        report->swept = true;
        return sweep_pairs(j, v, s->sweep_limit, INFINITY, pairs, count, &report->sweeps);
    }
    return sweep_instead(j, v, s, pairs, count, report);
}

typedef struct output {
    abut_vec3 *moved[2];
    abut_element_pair *remaining;
    int64_t capacity;
    abut_resolve_report *report;
} output;

static abut_status deliver(const joint *j, const volumes *v, const abut_element_pair *pairs, int64_t count, abut_resolve_report report,
                           const output *to) {
    int64_t kept = count < to->capacity ? count : to->capacity;
    for (int k = 0; k < 2; k++) {
        if (j->mesh[k].vertex_count > 0) {
            memcpy(to->moved[k], j->mesh[k].vertices, (size_t)j->mesh[k].vertex_count * sizeof *to->moved[k]);
        }
    }
    if (kept > 0) {
        memcpy(to->remaining, pairs, (size_t)kept * sizeof *pairs);
    }
    report.pairs_remaining = count;
    report.pairs_tested = j->tested;
    report.displacement_rms = joint_displacement(j, &report.displacement_max);
    count_inverted(j, &report);
    measure_volumes(j, v, &report);
    *to->report = report;
    return count == 0 ? ABUT_OK : report.zones_stuck > 0 ? ABUT_ERROR_INFEASIBLE : ABUT_ERROR_ITERATION_LIMIT;
}

abut_status abut_tetra_mesh_resolve(const abut_tetra_mesh *a, const abut_tetra_mesh *b, const double *mass_a, const double *mass_b,
                                    const abut_resolve_settings *settings, const abut_parallel *parallel, abut_vec3 *moved_a,
                                    abut_vec3 *moved_b, abut_element_pair *remaining, int64_t capacity, abut_resolve_report *report) {
    const abut_resolve_settings defaults = abut_resolve_settings_default();
    settings = settings != NULL ? settings : &defaults;
    if (argument_is_null(CALL_NAME, "a", a) || argument_is_null(CALL_NAME, "report", report) ||
        argument_is_no_buffer(CALL_NAME, "remaining", remaining, capacity) ||
        (a->vertex_count > 0 && argument_is_null(CALL_NAME, "moved_a", moved_a)) ||
        (b != NULL && b->vertex_count > 0 && argument_is_null(CALL_NAME, "moved_b", moved_b)) || !settings_in_range(CALL_NAME, settings)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    mass_b = b != NULL ? mass_b : NULL;
    abut_status status = check(CALL_NAME, a, b, mass_a, mass_b);
    joint j;
    status = status == ABUT_OK ? joint_make(a, b, mass_a, mass_b, parallel, &j) : status;
    if (status != ABUT_OK) {
        return status;
    }
    abut_element_pair *pairs = NULL;
    int64_t count = 0;
    abut_resolve_report found = {0};
    const output to = {{moved_a, moved_b}, remaining, capacity, report};
    bool limited = settings->volume_ratio > -INFINITY;
    volumes v;
    status = !limited || volumes_make(&v, &j, settings->volume_ratio) ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
    if (status == ABUT_OK) {
        status = separate(&j, limited ? &v : NULL, settings, &pairs, &count, &found);
        status = status == ABUT_OK ? deliver(&j, limited ? &v : NULL, pairs, count, found, &to) : status;
        if (limited) {
            volumes_release(&v);
        }
    }
    memory_release(pairs);
    joint_release(&j);
    return status;
}
