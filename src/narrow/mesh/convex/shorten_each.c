/* Shorter ways out of single triangles: see shorten_each.h. */
#include "narrow/mesh/convex/shorten_each.h"

#include <stdlib.h>

#include "base/array.h"
#include "narrow/mesh/convex/rim.h"
#include "narrow/mesh/convex/shortening.h"

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

enum { SPOKES_MOST = 128 };

/* The sides of triangles that end at a corner, as unit vectors away from it, and their triangles. */
typedef struct spokes {
    abut_vec3 way[SPOKES_MOST];
    const mesh_triangle *of[SPOKES_MOST];
    int32_t count;
} spokes;

static int by_index(const void *left, const void *right) {
    const mesh_triangle *p = left, *q = right;
    int order = (p->part > q->part) - (p->part < q->part);
    return order != 0 ? order : (p->index > q->index) - (p->index < q->index);
}

/* Of too many the first ones are taken, in the order of the mesh: that of the hierarchy depends on the mesh's axes. */
static void find_spokes(mesh_set *around, abut_vec3 corner, double same, spokes *found) {
    found->count = 0;
    if (2 * around->count > SPOKES_MOST) {
        qsort(around->items, (size_t)around->count, sizeof *around->items, by_index);
    }
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
static void try_spokes(shortening *search, mesh_set *around, abut_vec3 corner) {
    const convex *body = search->work->body;
    spokes s;
    find_spokes(around, corner, search->work->settings->surface.same, &s);
    for (int32_t i = 0; i < s.count; ++i) {
        for (int32_t k = 0; k < s.count; ++k) {
            mesh_way_out out = {.normal = abut_unit(abut_cross(s.way[i], s.way[k]))};
            if (!(abut_dot(out.normal, s.of[i]->normal) > 0.0) || rises_any(&s, out.normal)) { /* or the sides are parallel */
                continue;
            }
            out.depth = convex_extent(body, abut_neg(out.normal)) + body->radius + abut_dot(out.normal, corner);
            (void)shortening_try(search, s.of[i], &out);
        }
    }
}

/* Looks for a way that takes the body out of the triangle, over an edge or a corner of its neighbours at corners near the body. */
static void try_about(shortening *s) {
    convex_work *work = s->work;
    const met_triangle *met = s->of;
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
                (void)shortening_try_ways(s, t);
            }
        }
        if (s->least.own) {
            try_spokes(s, &around, of->corner[k]);
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
    shortening s;
    shortening_of_one(&s, work, met);
    if (shortening_try_ways(&s, &met->triangle) && s.least.own) {
        try_about(&s);
    }
    if (!s.least.own) {
        add_way(work, met, &s.least);
    }
}

enum { SEARCHED_MOST = 16 }; /* the deepest triangles */

/* Adds ways that are shorter than the own normals of triangles which only these serve. Returns whether there are any. */
bool shorten_each(convex_work *work) {
    int32_t before = work->way_count, left = SEARCHED_MOST;
    for (int32_t i = work->met_count - 1; i >= 0 && left > 0; --i) {
        if (work->met[i].count > 0 && has_fallen_back(work, &work->met[i])) {
            shorten_own(work, &work->met[i]);
            --left;
        }
    }
    return work->way_count > before;
}
