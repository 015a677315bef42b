/* Shorter ways out of a surface: see shorten.h. */
#include "narrow/mesh/convex/shorten.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/real.h"
#include "narrow/mesh/convex/settle.h"
#include "narrow/mesh/convex/shorten_each.h"
#include "narrow/mesh/convex/shortening.h"
#include "narrow/mesh/convex/triangle_body.h"

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
    work->met[0].sunk = true;
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

/* Whether no way out of a triangle can be less deep than that one. Close to a triangle's own normal there is only that normal. */
static bool is_proven_by(const convex_work *work, const met_triangle *only, const met_triangle *met) {
    double bound = real_max(0.0, met->own ? real_min(met->depth, met->aside) : met->bound);
    return only->depth <= bound + 1e-9 * work->body->size;
}

/* Whether no way out of the surface can be less deep. A triangle that is not sounded yet may prove it if its own way is as deep. */
static bool is_proven(const convex_work *work, const met_triangle *only) {
    for (int32_t i = 0; i < work->met_count; ++i) {
        if (!work->met[i].unsounded && is_proven_by(work, only, &work->met[i])) {
            return true;
        }
    }
    for (int32_t i = 0; i < work->met_count; ++i) {
        met_triangle *met = &work->met[i];
        if (met->unsounded && only->depth <= met->depth + 1e-9 * work->body->size) {
            met_sound(work, met);
            if (is_proven_by(work, only, met)) {
                return true;
            }
        }
    }
    return work->met_count == 0 && only->depth <= 1e-9 * work->body->size;
}

/* Searches the triangles that the body does not meet, as far as they are nearer to the body than the depth. */
static void try_beside(shortening *s, const mesh_set *around) {
    convex_work *work = s->work;
    int32_t count;
    const mesh_triangle **met = list_met(work, &count);
    if (met == NULL) {
        work->list->out_of_memory = true;
        return;
    }
    mesh_apart near;
    mesh_facet facet;
    mesh_edges edges;
    mesh_edges_init(&edges, around);
    s->edges = &edges;
    mesh_apart_begin(&near, work->body, s->least.depth);
    for (int32_t i = 0; i < around->count; ++i) {
        const mesh_triangle *t = &around->items[i];
        if (!t->flat && mesh_apart_look(&near, t, &facet) != MESH_APART && !is_met(met, count, t)) {
            shortening_try_own(s, t);
            shortening_try_ways(s, t);
        }
    }
    mesh_edges_free(&edges);
    s->edges = work->edges;
    memory_release(met);
}

/* Whether a translation by rounding errors takes the body out of each triangle alone. */
static bool hardly_touches(const convex_work *work) {
    for (int32_t i = 0; i < work->met_count; ++i) {
        if (work->met[i].bound > 1e-9 * work->body->size) {
            return false;
        }
    }
    return true;
}

/* A body that hardly touches a peak can be in one of its triangles by more than rounding errors, and not in those whose edges the way out leads over. */
static void try_about(shortening *s) {
    const convex_work *work = s->work;
    for (int32_t i = 0; i < work->met_count; ++i) {
        if (work->met[i].depth > 0.0) {
            shortening_try_about(s, &work->met[i]);
        }
    }
}

/* Replaces the only way out by a shorter one, if there is one. */
static bool shorten_only(convex_work *work, const met_triangle *only) {
    const mesh_surface *surface = &work->settings->surface;
    shortening s;
    mesh_set around;
    shortening_of_all(&s, work, only);
    mesh_surface_gather_about(surface, work->body, s.least.depth, &around);
    for (int32_t i = 0; i < work->met_count; ++i) {
        shortening_try_ways(&s, &work->met[i].triangle);
    }
    if (hardly_touches(work)) {
        try_about(&s);
    }
    if (surface->mesh[only->triangle.part].mesh->closed && !only->triangle.two_sided) {
        try_beside(&s, &around);
    }
    work->list->out_of_memory = work->list->out_of_memory || around.out_of_memory;
    bool shorter = s.least.depth < only->depth;
    if (shorter) {
        take_only(work, &s.least, &around);
    }
    mesh_set_free(&around);
    return shorter;
}

bool shorten_ways_out(convex_work *work) {
    const met_triangle *only = only_way(work);
    if (only != NULL && (is_proven(work, only) || shorten_only(work, only))) {
        return false;
    }
    return shorten_each(work);
}
