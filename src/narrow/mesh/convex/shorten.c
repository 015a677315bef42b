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

enum { CELLS_ACROSS = 8, CELLS = 6 * CELLS_ACROSS * CELLS_ACROSS, MOST_SEARCHES = 3 };

/* Of the ways in one cell of directions: the triangle that the last of them did not take the body out of. */
typedef struct holding {
    int32_t met; /* -1: none */
    int32_t searches;
} holding;

/* The search for a shorter way. */
typedef struct shortening {
    convex_work *work;
    met_triangle least; /* the least deep way so far */
    double shortest;    /* no shorter way takes the body out of each triangle alone */
    holding held[CELLS];
} shortening;

static shortening shortening_of(convex_work *work, const met_triangle *only) {
    shortening s = {.work = work, .least = *only};
    for (int32_t i = 0; i < work->met_count; ++i) {
        s.shortest = real_max(s.shortest, work->met[i].depth > 0.0 ? settle_shortest_out(work, &work->met[i]) : 0.0);
    }
    for (int i = 0; i < CELLS; ++i) {
        s.held[i].met = -1;
    }
    return s;
}

/* The cell of a direction, on the faces of a cube. */
static int cell_of(abut_vec3 d) {
    double x = fabs(d.x), y = fabs(d.y), z = fabs(d.z);
    int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    double most = axis == 0 ? d.x : axis == 1 ? d.y : d.z, u = axis == 0 ? d.y : d.x, v = axis == 2 ? d.y : d.z;
    int face = 2 * axis + (most > 0.0), column = (int)(0.5 * CELLS_ACROSS * (1.0 + u / fabs(most)));
    int row = (int)(0.5 * CELLS_ACROSS * (1.0 + v / fabs(most))), last = CELLS_ACROSS - 1;
    return (face * CELLS_ACROSS + (row < last ? row : last)) * CELLS_ACROSS + (column < last ? column : last);
}

static bool is_held(const convex_work *work, const met_triangle *way, int32_t by) {
    return work->met[by].depth > 0.0 && !settle_takes_out(work, way, &work->met[by]);
}

/* The triangle that reaches farthest along a direction. */
static int32_t farthest_met(const convex_work *work, abut_vec3 direction) {
    int32_t farthest = 0;
    double most = -INFINITY;
    for (int32_t i = 0; i < work->met_count; ++i) {
        const abut_vec3 *c = work->met[i].triangle.corner;
        double reach = real_max(abut_dot(direction, c[0]), real_max(abut_dot(direction, c[1]), abut_dot(direction, c[2])));
        if (reach > most) {
            most = reach;
            farthest = i;
        }
    }
    return farthest;
}

/* Whether a way is less deep than the least deep one, and the triangles that are likely to hold it do not. */
static bool may_be_shorter(shortening *s, const met_triangle *way) {
    const convex_work *work = s->work;
    if (!(way->depth < s->least.depth - 1e-9 * work->body->size && way->depth >= s->shortest)) {
        return false;
    }
    if (work->body->core == CORE_SMOOTH) {
        return true; /* taking it out is compared last, because it costs most */
    }
    holding *held = &s->held[cell_of(way->normal)];
    if (held->met >= 0 && is_held(work, way, held->met)) {
        return false;
    }
    if (held->searches++ < MOST_SEARCHES) {
        int32_t farthest = farthest_met(work, way->normal);
        if (is_held(work, way, farthest)) {
            held->met = farthest;
            return false;
        }
    }
    return true;
}

/* Whether moving the body out along a way takes it out of all triangles that it meets. */
static bool takes_out_of_all(shortening *s, const met_triangle *way) {
    for (int32_t i = 0; i < s->work->met_count; ++i) {
        if (is_held(s->work, way, i)) {
            s->held[cell_of(way->normal)].met = i;
            return false;
        }
    }
    return true;
}

/* Looks for a way out over an edge or a corner of a triangle. */
static void try_ways(shortening *s, const mesh_triangle *t) {
    convex_work *work = s->work;
    mesh_way_out ways[MESH_WAYS_OUT];
    mesh_rim rim = met_rim(work);
    triangle_body flat;
    triangle_body_set(&flat, t);
    int32_t count = mesh_ways_find(work->body, t, mesh_rim_outer_sides(&rim, t), s->least.depth, ways);
    work->list->out_of_memory = work->list->out_of_memory || rim.out_of_memory;
    for (int32_t i = 0; i < count; ++i) {
        met_triangle way = {.triangle = *t, .first = work->list->count, .normal = ways[i].normal, .depth = ways[i].depth};
        contact_normal normal = {.direction = abut_neg(ways[i].normal), .gap = -ways[i].depth};
        bool found = !mesh_cone_is_own(t, ways[i].normal) && may_be_shorter(s, &way) && met_touch_sunk(work, &flat.body, &normal, &way);
        met_forget(work->list, way.first);
        found = found && takes_out_of_all(s, &way);
        if (found) {
            s->least = way;
            return;
        }
    }
}

/* Looks for a way out along the triangle's own normal. */
static void try_own(shortening *s, const mesh_triangle *t) {
    triangle_body flat;
    met_triangle own = {.triangle = *t};
    triangle_body_set(&flat, t);
    met_touch_own(s->work, &flat.body, &own);
    met_forget(s->work->list, own.first);
    if (own.count > 0 && may_be_shorter(s, &own) && takes_out_of_all(s, &own)) {
        s->least = own;
    }
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

/* No way out of the surface is less deep: the least depth of the body in one of the triangles alone. Close to a triangle's own normal there is only that normal. */
static double bound_of(const convex_work *work) {
    double bound = 0.0;
    for (int32_t i = 0; i < work->met_count; ++i) {
        const met_triangle *met = &work->met[i];
        bound = real_max(bound, met->own ? real_min(met->depth, met->aside) : met->bound);
    }
    return bound;
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
    mesh_apart_begin(&near, work->body, s->least.depth);
    for (int32_t i = 0; i < around->count; ++i) {
        const mesh_triangle *t = &around->items[i];
        if (!t->flat && mesh_apart_look(&near, t, &facet) != MESH_APART && !is_met(met, count, t)) {
            try_own(s, t);
            try_ways(s, t);
        }
    }
    memory_release(met);
}

void shorten_way_out(convex_work *work) {
    const met_triangle *only = only_way(work);
    const mesh_surface *surface = &work->settings->surface;
    double bound = bound_of(work);
    if (only == NULL || only->depth <= bound + 1e-9 * work->body->size) {
        return;
    }
    shortening s = shortening_of(work, only);
    mesh_set around;
    mesh_surface_gather_about(surface, work->body, s.least.depth, &around);
    for (int32_t i = 0; i < work->met_count; ++i) {
        try_ways(&s, &work->met[i].triangle);
    }
    if (surface->mesh[only->triangle.part].mesh->closed && !only->triangle.two_sided) {
        try_beside(&s, &around);
    }
    work->list->out_of_memory = work->list->out_of_memory || around.out_of_memory;
    if (s.least.depth < only->depth) {
        take_only(work, &s.least, &around);
    }
    mesh_set_free(&around);
}
