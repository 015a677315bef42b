/* Shorter ways out of a surface: see shorten.h. */
#include "narrow/mesh/convex/shorten.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/real.h"
#include "narrow/mesh/convex/cone.h"
#include "narrow/mesh/convex/rim.h"
#include "narrow/mesh/convex/settle.h"
#include "narrow/mesh/convex/triangle_body.h"
#include "narrow/mesh/convex/ways.h"

/* Whether moving the body out along a way takes it out of all triangles that it meets. */
static bool takes_out_of_all(const convex_work *work, const met_triangle *way) {
    for (int32_t i = 0; i < work->met_count; ++i) {
        if (work->met[i].depth > 0.0 && !settle_takes_out(work, way, &work->met[i])) {
            return false;
        }
    }
    return true;
}

/* Replaces the least deep way by another, if it is less deep and takes the body out of all triangles that it meets. */
static bool take_if_least(const convex_work *work, const met_triangle *way, met_triangle *least) {
    bool is = way->count > 0 && way->depth < least->depth - 1e-9 * work->body->size && takes_out_of_all(work, way);
    *least = is ? *way : *least;
    return is;
}

/* Looks for a way out over an edge or a corner of a triangle. */
static void try_ways(const convex_work *work, const mesh_triangle *t, met_triangle *least) {
    mesh_way_out ways[MESH_WAYS_OUT];
    mesh_rim rim = met_rim(work);
    triangle_body flat;
    triangle_body_set(&flat, t);
    int32_t count = mesh_ways_find(work->body, t, mesh_rim_outer_sides(&rim, t), least->depth, ways);
    work->list->out_of_memory = work->list->out_of_memory || rim.out_of_memory;
    for (int32_t i = 0; i < count; ++i) {
        met_triangle way = {.triangle = *t, .first = work->list->count};
        contact_normal normal = {.direction = abut_neg(ways[i].normal), .gap = -ways[i].depth};
        bool found = !mesh_cone_is_own(t, ways[i].normal) && met_touch_sunk(work, &flat.body, &normal, &way);
        met_forget(work->list, way.first);
        if (found && take_if_least(work, &way, least)) {
            return;
        }
    }
}

/* Looks for a way out along the triangle's own normal. */
static void try_own(const convex_work *work, const mesh_triangle *t, met_triangle *least) {
    triangle_body flat;
    met_triangle own = {.triangle = *t};
    triangle_body_set(&flat, t);
    met_touch_own(work, &flat.body, &own);
    met_forget(work->list, own.first);
    (void)take_if_least(work, &own, least);
}

/* The least deep contact that is left, if all contacts that are left have its normal. */
static const met_triangle *only_way(const convex_work *work) {
    const met_triangle *only = NULL;
    for (int32_t i = 0; i < work->met_count; ++i) {
        const met_triangle *met = &work->met[i];
        if (met->count > 0 && met->depth > 0.0) {
            if (only != NULL && !settle_is_same_way(only, met)) {
                return NULL;
            }
            only = only == NULL || met->depth < only->depth ? met : only;
        }
    }
    return only;
}

static int by_triangle(const void *left, const void *right) {
    const mesh_triangle *p = *(const mesh_triangle *const *)left, *q = *(const mesh_triangle *const *)right;
    int order = (p->part > q->part) - (p->part < q->part);
    return order != 0 ? order : (p->index > q->index) - (p->index < q->index);
}

/* The triangles that the body is in, sorted; NULL without memory. */
static const mesh_triangle **list_met(const convex_work *work, int32_t *count) {
    const mesh_triangle **list = memory_allocate((size_t)work->met_count, sizeof *list);
    *count = 0;
    for (int32_t i = 0; list != NULL && i < work->met_count; ++i) {
        if (work->met[i].depth > 0.0) {
            list[(*count)++] = &work->met[i].triangle;
        }
    }
    if (*count > 1) {
        qsort(list, (size_t)*count, sizeof *list, by_triangle);
    }
    return list;
}

static bool is_met(const mesh_triangle **list, int32_t count, const mesh_triangle *t) {
    return bsearch(&t, list, (size_t)count, sizeof *list, by_triangle) != NULL;
}

/* Makes the contacts of one way out the only ones. */
static void take_only(convex_work *work, const met_triangle *way, const mesh_set *around) {
    met_forget(work->list, 0);
    work->depths->count = 0;
    work->met_count = 1;
    work->met[0] = *way;
    work->met[0].first = 0;
    if (way->own) {
        met_touch_coplanar(work, way, around);
        work->met[0].count = work->list->count;
    } else {
        triangle_body flat;
        contact_normal normal = {.direction = abut_neg(way->normal), .gap = -way->depth};
        triangle_body_set(&flat, &way->triangle);
        (void)met_touch_sunk(work, &flat.body, &normal, &work->met[0]);
    }
}

/* Whether no way out of the surface can be less deep. Close to a triangle's own normal there is only that normal. */
static bool is_proven(const convex_work *work, const met_triangle *only) {
    double bound = 0.0;
    for (int32_t i = 0; i < work->met_count; ++i) {
        const met_triangle *met = &work->met[i];
        bound = real_max(bound, met->own ? real_min(met->depth, met->aside) : met->bound);
    }
    return only->depth <= bound + 1e-9 * work->body->size;
}

/* Searches the triangles that the body does not meet, as far as they are nearer to the body than the depth. */
static void try_beside(const convex_work *work, const mesh_set *around, met_triangle *least) {
    int32_t count;
    const mesh_triangle **met = list_met(work, &count);
    if (met == NULL) {
        work->list->out_of_memory = true;
        return;
    }
    mesh_apart near;
    mesh_facet facet;
    mesh_apart_begin(&near, work->body, least->depth);
    for (int32_t i = 0; i < around->count; ++i) {
        const mesh_triangle *t = &around->items[i];
        if (!t->flat && mesh_apart_look(&near, t, &facet) != MESH_APART && !is_met(met, count, t)) {
            try_own(work, t, least);
            try_ways(work, t, least);
        }
    }
    memory_release(met);
}

void shorten_way_out(convex_work *work) {
    const met_triangle *only = only_way(work);
    const mesh_surface *surface = &work->settings->surface;
    if (only == NULL || is_proven(work, only)) {
        return;
    }
    met_triangle least = *only;
    mesh_set around;
    mesh_surface_gather_about(surface, work->body, least.depth, &around);
    for (int32_t i = 0; i < work->met_count; ++i) {
        try_ways(work, &work->met[i].triangle, &least);
    }
    if (surface->mesh[only->triangle.part].mesh->closed && !only->triangle.two_sided) {
        try_beside(work, &around, &least);
    }
    work->list->out_of_memory = work->list->out_of_memory || around.out_of_memory;
    if (least.depth < only->depth) {
        take_only(work, &least, &around);
    }
    mesh_set_free(&around);
}
