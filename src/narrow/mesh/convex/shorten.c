/* Shorter ways out of a surface: see shorten.h. */
#include "narrow/mesh/convex/shorten.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"
#include "narrow/mesh/convex/cone.h"
#include "narrow/mesh/convex/rim.h"
#include "narrow/mesh/convex/settle.h"
#include "narrow/mesh/convex/triangle_body.h"
#include "narrow/mesh/convex/ways.h"

/* For try_ways(): the way must take the body out of all triangles that it meets. */
static const met_triangle out_of_all;

/* Whether moving the body out along a way takes it out of all triangles that it meets. */
static bool takes_out_of_all(const convex_work *work, const met_triangle *way) {
    for (int32_t i = 0; i < work->met_count; ++i) {
        if (work->met[i].depth > 0.0 && !settle_takes_out(work, way, &work->met[i])) {
            return false;
        }
    }
    return true;
}

/* Replaces the least deep way by another, if it is less deep and takes the body out of `other`: a triangle, or all of them. */
static bool take_if_least(const convex_work *work, const met_triangle *way, const met_triangle *other, met_triangle *least) {
    bool is = way->count > 0 && way->depth < least->depth - 1e-9 * work->body->size &&
              (other == &out_of_all ? takes_out_of_all(work, way) : settle_takes_out(work, way, other));
    *least = is ? *way : *least;
    return is;
}

/* Tries a way out over an edge or a corner of a triangle. other: see take_if_least(). */
static bool try_way(const convex_work *work, const mesh_triangle *t, const mesh_way_out *out, const met_triangle *other,
                    met_triangle *least) {
    triangle_body flat;
    met_triangle way = {.triangle = *t, .first = work->list->count};
    contact_normal normal = {.direction = abut_neg(out->normal), .gap = -out->depth};
    if (mesh_cone_is_own(t, out->normal)) {
        return false;
    }
    triangle_body_set(&flat, t);
    bool found = met_touch_sunk(work, &flat.body, &normal, &way);
    met_forget(work->list, way.first);
    return found && take_if_least(work, &way, other, least);
}

/* Looks for a way out over the given sides of a triangle, or their ends. */
static void try_sides(const convex_work *work, const mesh_triangle *t, int sides, const met_triangle *other, met_triangle *least) {
    mesh_way_out ways[MESH_WAYS_OUT];
    int32_t count = mesh_ways_find(work->body, t, sides, least->depth, ways);
    for (int32_t i = 0; i < count && !try_way(work, t, &ways[i], other, least); ++i) {
    }
}

/* Looks for a way out over an edge or a corner of a triangle. Returns whether it has any. */
static bool try_ways(const convex_work *work, const mesh_triangle *t, const met_triangle *other, met_triangle *least) {
    mesh_rim rim = met_rim(work);
    int sides = mesh_rim_outer_sides(&rim, t);
    work->list->out_of_memory = work->list->out_of_memory || rim.out_of_memory;
    if (sides != 0) {
        try_sides(work, t, sides, other, least);
    }
    return sides != 0;
}

/* Looks for a way out along the triangle's own normal. */
static void try_own(const convex_work *work, const mesh_triangle *t, met_triangle *least) {
    triangle_body flat;
    met_triangle own = {.triangle = *t};
    triangle_body_set(&flat, t);
    met_touch_own(work, &flat.body, &own);
    met_forget(work->list, own.first);
    (void)take_if_least(work, &own, &out_of_all, least);
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
            (void)try_ways(work, t, &out_of_all, least);
        }
    }
    memory_release(met);
}

/* Replaces the only way out by a shorter one, if there is one. */
static bool shorten_only(convex_work *work, const met_triangle *only) {
    const mesh_surface *surface = &work->settings->surface;
    met_triangle least = *only;
    mesh_set around;
    mesh_surface_gather_about(surface, work->body, least.depth, &around);
    for (int32_t i = 0; i < work->met_count; ++i) {
        (void)try_ways(work, &work->met[i].triangle, &out_of_all, &least);
    }
    if (surface->mesh[only->triangle.part].mesh->closed && !only->triangle.two_sided) {
        try_beside(work, &around, &least);
    }
    work->list->out_of_memory = work->list->out_of_memory || around.out_of_memory;
    bool shorter = least.depth < only->depth;
    if (shorter) {
        take_only(work, &least, &around);
    }
    mesh_set_free(&around);
    return shorter;
}

/* Whether only its own normal serves a triangle that a much shorter translation takes the body out of. */
static bool has_fallen_back(const convex_work *work, const met_triangle *met) {
    const double much = 4.0;
    return met->own && met->depth > 0.0 && much * met->bound < met->depth - 1e-9 * work->body->size;
}

/* Whether a neighbour is the triangle itself, or holds one of its corners in use before `corner`. */
static bool was_tried(const mesh_triangle *of, const bool use[3], int corner, const mesh_triangle *t, double same) {
    bool was = t->index == of->index && t->part == of->part;
    for (int i = 0; i < corner; ++i) {
        was = was || (use[i] && mesh_set_holds(t, of->corner[i], same));
    }
    return was;
}

enum { SPOKES_MOST = 32 };

/* The sides of triangles that end at a corner, as unit vectors away from it, and their triangles. */
typedef struct spokes {
    abut_vec3 way[SPOKES_MOST];
    const mesh_triangle *of[SPOKES_MOST];
    int32_t count;
} spokes;

static void find_spokes(const mesh_set *around, abut_vec3 corner, double same, spokes *found) {
    found->count = 0;
    for (int32_t i = 0; i < around->count; ++i) {
        const mesh_triangle *t = &around->items[i];
        bool here = !t->flat && !t->two_sided && mesh_set_holds(t, corner, same);
        for (int k = 0; k < 3 && here && found->count < SPOKES_MOST; ++k) {
            abut_vec3 way = abut_sub(t->corner[k], corner);
            if (abut_length(way) > same) {
                found->of[found->count] = t;
                found->way[found->count++] = abut_unit(way);
            }
        }
    }
}

static bool rises_any(const spokes *s, abut_vec3 normal) {
    const double sine = 1e-9;
    for (int32_t i = 0; i < s->count; ++i) {
        if (abut_dot(s->way[i], normal) > sine) {
            return true;
        }
    }
    return false;
}

/* Looks for a way over a corner where slopes alternate: along a normal of the plane through two sides that end there, above all others. Their
 * triangles need not be neighbours. */
static void try_spokes(const convex_work *work, const mesh_set *around, abut_vec3 corner, const met_triangle *met, met_triangle *least) {
    spokes s;
    find_spokes(around, corner, work->settings->surface.same, &s);
    for (int32_t i = 0; i < s.count; ++i) {
        for (int32_t k = 0; k < s.count; ++k) {
            mesh_way_out out = {.normal = abut_unit(abut_cross(s.way[i], s.way[k]))};
            if (!(abut_dot(out.normal, s.of[i]->normal) > 0.0) || rises_any(&s, out.normal)) { /* or the sides are parallel */
                continue;
            }
            out.depth = convex_extent(work->body, abut_neg(out.normal)) + work->body->radius + abut_dot(out.normal, corner);
            if (out.depth < least->depth) {
                (void)try_way(work, s.of[i], &out, met, least);
            }
        }
    }
}

/* Looks for a way that takes the body out of the triangle, over an edge or a corner of its neighbours at corners near the body. */
static void try_about(const convex_work *work, const met_triangle *met, met_triangle *least) {
    const mesh_surface *surface = &work->settings->surface;
    const mesh_triangle *of = &met->triangle;
    const double same = surface->same;
    bool use[3];
    for (int k = 0; k < 3; ++k) {
        mesh_set around;
        use[k] = abut_distance_between(of->corner[k], work->body->position) <= work->body->size + met->depth;
        if (!use[k]) {
            continue;
        }
        mesh_surface_gather(surface, of->corner[k], same, &around);
        for (int32_t i = 0; i < around.count; ++i) {
            const mesh_triangle *t = &around.items[i];
            if (!t->flat && !t->two_sided && mesh_set_holds(t, of->corner[k], same) && !was_tried(of, use, k, t, same) &&
                !mesh_rim_is_coplanar(of, t, same)) {
                (void)try_ways(work, t, met, least);
            }
        }
        if (least->own) {
            try_spokes(work, &around, of->corner[k], met, least);
        }
        work->list->out_of_memory = work->list->out_of_memory || around.out_of_memory;
        mesh_set_free(&around);
    }
}

/* Adds a way out of a triangle, if it is new. */
static void add_way(convex_work *work, const met_triangle *of, const met_triangle *way) {
    for (int32_t i = 0; i < work->way_count; ++i) {
        const met_way *known = &work->way[i];
        if (known->of.index == of->triangle.index && known->of.part == of->triangle.part && known->depth == way->depth) {
            return;
        }
    }
    if (!array_extend(&work->way, &work->way_room, work->way_count, work->way_count + 1, sizeof *work->way)) {
        work->list->out_of_memory = true;
        return;
    }
    work->way[work->way_count++] = (met_way){of->triangle, way->triangle, way->normal, way->depth};
}

/* Looks for a way out of the triangle that is shorter than its own normal's. */
static void shorten_own(convex_work *work, const met_triangle *met) {
    met_triangle least = *met;
    if (try_ways(work, &met->triangle, met, &least) && least.own) {
        try_about(work, met, &least);
    }
    if (!least.own) {
        add_way(work, met, &least);
    }
}

enum { SEARCHED_MOST = 16 }; /* the deepest triangles */

/* Adds ways that are shorter than the own normals of triangles which only these serve. Returns whether there are any. */
static bool shorten_each(convex_work *work) {
    int32_t before = work->way_count, left = SEARCHED_MOST;
    for (int32_t i = work->met_count - 1; i >= 0 && left > 0; --i) {
        if (work->met[i].count > 0 && has_fallen_back(work, &work->met[i])) {
            shorten_own(work, &work->met[i]);
            --left;
        }
    }
    return work->way_count > before;
}

bool shorten_ways_out(convex_work *work) {
    const met_triangle *only = only_way(work);
    if (only != NULL && (is_proven(work, only) || shorten_only(work, only))) {
        return false;
    }
    return shorten_each(work);
}
