/* Ways out by increasing depth: see settle.h. */
#include "narrow/mesh/settle.h"

#include <stdlib.h>

#include "narrow/mesh/triangle_body.h"
#include "narrow/normal/normal.h"

bool settle_takes_out(const convex_work *work, const met_triangle *out_of, const met_triangle *other) {
    const double rounding = 1e-9 * work->body->size;
    convex moved = *work->body;
    moved.position = abut_add_scaled(moved.position, out_of->depth + 2.0 * rounding, out_of->normal);
    normal_settings settings = work->settings->normal;
    settings.margin = 0.0;
    mesh_apart seen;
    mesh_facet start;
    mesh_apart_begin(&seen, &moved, settings.margin);
    mesh_apart_learn(&seen, abut_neg(out_of->normal));
    mesh_sight sight = mesh_apart_look(&seen, &other->triangle, &start);
    if (sight != MESH_UNCLEAR) {
        return sight == MESH_APART;
    }
    settings.start_a = start.of_body;
    settings.start_b = start.of_triangle;
    triangle_body flat;
    triangle_body_set(&flat, &other->triangle);
    contact_normal normal;
    return !contact_normal_find(&moved, &flat.body, &settings, &normal) || normal.gap > -rounding;
}

bool settle_is_same_way(const met_triangle *p, const met_triangle *q) {
    const double parallel = 1e-6;
    return abut_dot(p->normal, q->normal) > 0.0 && abut_length_squared(abut_cross(p->normal, q->normal)) <= parallel * parallel;
}

/* Whether the contact of a triangle with less depth also resolves this one. For a triangle that waits for a neighbour, any other triangle
 * may do so. */
static bool is_settled(const convex_work *work, int32_t at) {
    const met_triangle *met = &work->met[at];
    const double tie = 1e-9 * work->body->size;
    const met_triangle *last = NULL;
    for (int32_t i = 0; i < work->met_count && (met->waits || work->met[i].depth < met->depth - tie); ++i) {
        const met_triangle *other = &work->met[i];
        bool asked = last != NULL && settle_is_same_way(last, other) && fabs(last->depth - other->depth) <= tie;
        if (i == at || other->count == 0 || !(other->depth > 0.0) || asked || (!met->waits && settle_is_same_way(met, other))) {
            continue;
        }
        bool farther = settle_is_same_way(met, other) && other->depth >= met->depth - tie;
        if (farther || settle_takes_out(work, other, met)) {
            return true;
        }
        last = other;
    }
    return false;
}

static int by_depth(const void *left, const void *right) {
    const met_triangle *p = left, *q = right;
    int order = (p->depth > q->depth) - (p->depth < q->depth);
    order = order != 0 ? order : (p->first > q->first) - (p->first < q->first);
    return order != 0 ? order : p->order - q->order; /* qsort is not stable */
}

void settle_by_depth(convex_work *work) {
    contact_list *list = work->list;
    qsort(work->met, (size_t)work->met_count, sizeof *work->met, by_depth);
    for (int32_t i = 0; i < work->met_count; ++i) {
        met_triangle *met = &work->met[i];
        if (met->waits || !(met->depth > 0.0) || !is_settled(work, i)) {
            continue;
        }
        for (int32_t k = met->first; k < met->first + met->count; ++k) {
            list->items[k].patch = -1;
        }
        met->count = 0;
    }
    for (int32_t i = 0; i < work->met_count && !list->out_of_memory; ++i) {
        met_triangle *met = &work->met[i];
        if (met->waits && !is_settled(work, i)) {
            met_touch_alone(work, met);
        }
    }
    int32_t kept = 0;
    for (int32_t i = 0; i < list->count; ++i) {
        if (list->items[i].patch >= 0) {
            list->items[kept++] = list->items[i];
        }
    }
    list->count = kept;
}

bool settle_is_one_way(const convex_work *work) {
    for (int32_t i = 0; i < work->met_count; ++i) {
        if (work->met[i].waits || !settle_is_same_way(&work->met[0], &work->met[i])) {
            return false;
        }
    }
    return true;
}
