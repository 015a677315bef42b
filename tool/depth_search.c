/*
 * Computations of `abut depth`: the pairs, their depths, the distribution of depths, and the separation of the meshes.
 */
#include "tool/depth_answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const double depth_quantile_shares[DEPTH_QUANTILES] = {0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0};

/* ---- pairs and depths ---- */

static abut_status find_pairs(depth_answer *q) {
    const abut_tetra_mesh *a = &q->body[0].mesh, *b = depth_second_mesh(q);
    abut_status status = abut_tetra_mesh_candidates(a, b, &q->parallel, NULL, 0, &q->candidates);
    if (status != ABUT_OK && status != ABUT_ERROR_CAPACITY) {
        return status;
    }
    if (q->candidates == 0) {
        return ABUT_OK;
    }
    int64_t count = 0, capacity = q->candidates;
    q->pairs = malloc((size_t)capacity * sizeof *q->pairs);
    if (!q->pairs) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    status = abut_tetra_mesh_intersections(a, b, &q->parallel, q->pairs, capacity, &count);
    if (status || count > INT32_MAX) {
        return status ? status : ABUT_ERROR_OUT_OF_MEMORY;
    }
    q->count = (int32_t)count;
    void *fitting = realloc(q->pairs, (size_t)(count > 0 ? count : 1) * sizeof *q->pairs);
    q->pairs = fitting ? fitting : q->pairs;
    return ABUT_OK;
}

/* Computes in pieces, so that the progress bar moves. */
static abut_status find_depths(depth_answer *q, progress *bar) {
    enum { PIECE = 8192 };
    q->depths = malloc((size_t)(q->count > 0 ? q->count : 1) * sizeof *q->depths);
    if (!q->depths) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    if (q->count > 0) {
        progress_restart(bar, q->count);
    }
    abut_status status = ABUT_OK;
    for (int32_t done = 0, piece; done < q->count && !status; done += piece) {
        piece = q->count - done < PIECE ? q->count - done : PIECE;
        status = abut_tetra_mesh_depth(&q->body[0].mesh, depth_second_mesh(q), q->pairs + done, piece, &q->settings, &q->parallel,
                                       q->depths + done);
        progress_update(bar, done + piece, "depths of pairs");
    }
    return status;
}

/* ---- how they are distributed ---- */

static int compare_numbers(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Sorts the numbers in place. */
static depth_spread spread_of(double *numbers, int32_t count) {
    depth_spread s = {0.0, 0.0, {0.0}};
    qsort(numbers, (size_t)count, sizeof *numbers, compare_numbers);
    double largest = numbers[count - 1], unit = largest > 0.0 ? largest : 1.0; /* so that squares do not overflow */
    for (int32_t i = 0; i < count; i++) {
        s.mean += numbers[i] / unit / count;
    }
    double squares = 0.0;
    for (int32_t i = 0; i < count; i++) {
        double off = numbers[i] / unit - s.mean;
        squares += off * off / count;
    }
    s.mean *= unit;
    s.deviation = sqrt(squares) * unit;
    for (int i = 0; i < DEPTH_QUANTILES; i++) {
        double place = depth_quantile_shares[i] * (count - 1);
        int32_t below = (int32_t)place, above = below + 1 < count ? below + 1 : below;
        s.quantile[i] = numbers[below] + (place - below) * (numbers[above] - numbers[below]);
    }
    return s;
}

static void count_relations(depth_answer *q) {
    q->deepest = -1;
    for (int32_t i = 0; i < q->count; i++) {
        const abut_depth *d = &q->depths[i];
        q->failed += d->status != ABUT_OK;
        q->touching += d->status == ABUT_OK && d->relation == ABUT_DEPTH_TOUCHING;
        if (d->status == ABUT_OK && d->relation == ABUT_DEPTH_INTERSECTING) {
            q->intersecting++;
            q->deepest = q->deepest < 0 || d->depth > q->depths[q->deepest].depth ? i : q->deepest;
        }
    }
}

static abut_status count_touched(depth_answer *q) {
    for (int b = 0; b < q->body_count; b++) {
        unsigned char *touched = calloc((size_t)q->body[b].mesh.element_count, 1);
        if (!touched) {
            return ABUT_ERROR_OUT_OF_MEMORY;
        }
        for (int32_t i = 0; i < q->count; i++) {
            bool counts = q->depths[i].status == ABUT_OK && q->depths[i].relation == ABUT_DEPTH_INTERSECTING;
            if (counts && (b == 0 || q->body_count == 1)) {
                touched[q->pairs[i].a] = 1;
            }
            if (counts && (b == 1 || q->body_count == 1)) {
                touched[q->pairs[i].b] = 1;
            }
        }
        for (int32_t e = 0; e < q->body[b].mesh.element_count; e++) {
            q->touched[b] += touched[e];
        }
        free(touched);
    }
    return ABUT_OK;
}

static abut_status find_spreads(depth_answer *q) {
    if (q->intersecting == 0) {
        return ABUT_OK;
    }
    double *numbers = malloc(2 * (size_t)q->intersecting * sizeof *numbers), *shares = numbers + q->intersecting;
    if (!numbers) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    int32_t n = 0;
    for (int32_t i = 0; i < q->count; i++) {
        const abut_depth *d = &q->depths[i];
        if (d->status == ABUT_OK && d->relation == ABUT_DEPTH_INTERSECTING) {
            numbers[n] = d->depth;
            shares[n++] = d->depth / -d->rigid.gap;
        }
    }
    q->depth = spread_of(numbers, n);
    q->share = spread_of(shares, n);
    free(numbers);
    return ABUT_OK;
}

abut_status depth_find(depth_answer *q, progress *bar) {
    double begun = clock_seconds();
    if (!q->given) {
        progress_show(bar, 0, "looking for pairs");
    }
    abut_status status = q->given ? ABUT_OK : find_pairs(q);
    double found = clock_seconds();
    q->seconds_pairs = found - begun;
    status = status ? status : find_depths(q, bar);
    if (!status) {
        count_relations(q);
        status = count_touched(q);
    }
    status = status ? status : find_spreads(q);
    q->seconds_depths = clock_seconds() - found;
    return status;
}

/* ---- separation ---- */

/* The largest coordinate difference between any vertex of either body and the first vertex of A. */
static double extent_of(const depth_answer *q) {
    double extent = 0.0;
    abut_vec3 first = q->body[0].vertices[0];
    for (int b = 0; b < q->body_count; b++) {
        for (int32_t i = 0; i < q->body[b].mesh.vertex_count; i++) {
            abut_vec3 v = q->body[b].vertices[i];
            extent = fmax(extent, fmax(fabs(v.x - first.x), fmax(fabs(v.y - first.y), fabs(v.z - first.z))));
        }
    }
    return extent > 0.0 ? extent : 1.0;
}

/* The masses that the library uses by default: each vertex gets a quarter of the volume of its elements, and at least a thousandth of the mean. */
static void lump_volumes(const abut_tetra_mesh *mesh, double extent, double weight, double *mass) {
    double sum = 0.0;
    for (int32_t e = 0; e < mesh->element_count; e++) {
        const int32_t *corner = &mesh->elements[4 * (int64_t)e];
        abut_vec3 edge[3];
        for (int i = 0; i < 3; i++) {
            edge[i] = abut_scale(1.0 / extent, abut_sub(mesh->vertices[corner[i + 1]], mesh->vertices[corner[0]]));
        }
        double volume = fabs(abut_dot(abut_cross(edge[0], edge[1]), edge[2]));
        for (int i = 0; i < 4; i++) {
            mass[corner[i]] += volume;
        }
        sum += 4.0 * volume;
    }
    int32_t used = 0;
    for (int32_t i = 0; i < mesh->vertex_count; i++) {
        used += mass[i] > 0.0;
    }
    double least = used > 0 ? 1e-3 * sum / used : 1.0;
    for (int32_t i = 0; i < mesh->vertex_count; i++) {
        mass[i] = weight * fmax(mass[i], least);
    }
}

/* Equal weights, or a static other body, leave the default masses of the library. */
static bool needs_masses(const depth_answer *q, int b) {
    double weight = b == 0 ? q->settings.weight_a : q->settings.weight_b, other = b == 0 ? q->settings.weight_b : q->settings.weight_a;
    return q->body_count == 2 && weight != other && other < INFINITY;
}

/* The vertex masses of a body whose weight differs from the other one; NULL when there is no memory. */
static double *make_masses(const depth_answer *q, int b, double extent) {
    const abut_tetra_mesh *mesh = &q->body[b].mesh;
    double weight = b == 0 ? q->settings.weight_a : q->settings.weight_b;
    double *mass = calloc((size_t)mesh->vertex_count, sizeof *mass);
    if (mass && weight == INFINITY) {
        for (int32_t i = 0; i < mesh->vertex_count; i++) {
            mass[i] = INFINITY;
        }
    } else if (mass) {
        lump_volumes(mesh, extent, weight, mass);
    }
    return mass;
}

/* Finds the remaining pairs. The report contains their count. */
static abut_status find_remaining(depth_answer *q) {
    depth_separation *s = q->separation;
    int64_t count = s->report.pairs_remaining;
    if (count == 0) {
        return ABUT_OK;
    }
    abut_tetra_mesh a = q->body[0].mesh, b = depth_second(q)->mesh;
    a.vertices = s->moved[0];
    b.vertices = s->moved[q->body_count - 1];
    s->remaining = malloc((size_t)count * sizeof *s->remaining);
    return s->remaining ? abut_tetra_mesh_intersections(&a, q->body_count == 2 ? &b : NULL, &q->parallel, s->remaining, count, &count)
                        : ABUT_ERROR_OUT_OF_MEMORY;
}

static abut_status move_apart(depth_answer *q) {
    depth_separation *s = q->separation;
    double *mass[2] = {NULL, NULL};
    double extent = extent_of(q);
    abut_resolve_settings settings = abut_resolve_settings_default();
    settings.volume_ratio = q->settings.volume_ratio;
    abut_status status = ABUT_OK;
    for (int b = 0; b < q->body_count; b++) {
        s->moved[b] = malloc((size_t)q->body[b].mesh.vertex_count * sizeof *s->moved[b]);
        mass[b] = needs_masses(q, b) ? make_masses(q, b, extent) : NULL;
        status = s->moved[b] && (mass[b] || !needs_masses(q, b)) ? status : ABUT_ERROR_OUT_OF_MEMORY;
    }
    if (!status) {
        status = abut_tetra_mesh_resolve(&q->body[0].mesh, depth_second_mesh(q), mass[0], mass[1], &settings, &q->parallel, s->moved[0],
                                         s->moved[1], NULL, 0, &s->report);
        s->status = status;
        status = status == ABUT_ERROR_INFEASIBLE || status == ABUT_ERROR_ITERATION_LIMIT ? ABUT_OK : status;
    }
    free(mass[0]);
    free(mass[1]);
    return status ? status : find_remaining(q);
}

/* Six times the volume. */
static double volume_of(const abut_vec3 *at, const int32_t *corner, double extent) {
    abut_vec3 edge[3];
    for (int i = 0; i < 3; i++) {
        edge[i] = abut_scale(1.0 / extent, abut_sub(at[corner[i + 1]], at[corner[0]]));
    }
    return abut_dot(edge[0], abut_cross(edge[1], edge[2]));
}

/* The size of rounding errors of volumes: that of three edges. */
static double edges_of(const abut_vec3 *at, const int32_t *corner, double extent) {
    double product = 1.0;
    for (int i = 0; i < 3; i++) {
        product *= abut_length(abut_scale(1.0 / extent, abut_sub(at[corner[i + 1]], at[corner[0]])));
    }
    return product;
}

/* The volumes of all elements after and before. */
static abut_status measure_ratios(depth_answer *q) {
    depth_separation *s = q->separation;
    double extent = extent_of(q);
    for (int b = 0; b < q->body_count && q->settings.volume_ratio > -INFINITY; b++) {
        const abut_tetra_mesh *mesh = &q->body[b].mesh;
        s->ratio[b] = malloc(((size_t)mesh->element_count + 1) * sizeof *s->ratio[b]);
        if (!s->ratio[b]) {
            return ABUT_ERROR_OUT_OF_MEMORY;
        }
        for (int32_t e = 0; e < mesh->element_count; e++) {
            const int32_t *corner = &mesh->elements[4 * (int64_t)e];
            double before = volume_of(mesh->vertices, corner, extent), after = volume_of(s->moved[b], corner, extent);
            s->ratio[b][e] = fabs(before) > 1e-13 * edges_of(mesh->vertices, corner, extent) ? after / before : 1.0;
        }
    }
    return ABUT_OK;
}

abut_status depth_separate(depth_answer *q, progress *bar) {
    double begun = clock_seconds();
    progress_show(bar, q->count, "separating");
    q->separation = calloc(1, sizeof *q->separation);
    abut_status status = q->separation ? move_apart(q) : ABUT_ERROR_OUT_OF_MEMORY;
    status = status ? status : measure_ratios(q);
    q->seconds_resolve = clock_seconds() - begun;
    return status;
}
