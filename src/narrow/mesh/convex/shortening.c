/* The search for a less deep way: see shortening.h. */
#include "narrow/mesh/convex/shortening.h"

#include <stdlib.h>

#include "base/real.h"
#include "narrow/mesh/convex/cone.h"
#include "narrow/mesh/convex/rim.h"
#include "narrow/mesh/convex/settle.h"
#include "narrow/mesh/convex/triangle_body.h"

enum { MOST_SEARCHES = 3 };

void shortening_of_all(shortening *s, convex_work *work, const met_triangle *way) {
    s->work = work;
    s->of = NULL;
    s->least = *way;
    s->shortest = 0.0;
    s->known = (mesh_ways_known){.last = 0};
    for (int32_t i = 0; i < work->met_count; ++i) {
        if (work->met[i].depth > 0.0) {
            met_sound(work, &work->met[i]);
            s->shortest = real_max(s->shortest, settle_shortest_out(work, &work->met[i]));
        }
    }
    for (int i = 0; i < SHORTENING_CELLS; ++i) {
        s->held[i] = (shortening_hold){.met = -1};
    }
}

/* The shortest way that can take the body out of a triangle and make a contact. A body that touches the triangle within the margin has negative
 * depth along it. */
static double shortest_of_one(const convex_work *work, const met_triangle *of) {
    double margin = real_max(work->settings->normal.margin, -of->bound);
    return real_max(settle_shortest_out(work, of), -margin - CONTACT_ROUNDING * work->body->size);
}

void shortening_of_one(shortening *s, convex_work *work, const met_triangle *of) {
    s->work = work;
    s->of = of;
    s->least = *of;
    s->shortest = shortest_of_one(work, of);
    s->known = (mesh_ways_known){.last = 0};
}

/* The cell of a direction, on the faces of a cube. */
static int cell_of(abut_vec3 d) {
    double x = fabs(d.x), y = fabs(d.y), z = fabs(d.z);
    int axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    double most = axis == 0 ? d.x : axis == 1 ? d.y : d.z, u = axis == 0 ? d.y : d.x, v = axis == 2 ? d.y : d.z;
    int face = 2 * axis + (most > 0.0), column = (int)(0.5 * SHORTENING_ACROSS * (1.0 + u / fabs(most)));
    int row = (int)(0.5 * SHORTENING_ACROSS * (1.0 + v / fabs(most))), last = SHORTENING_ACROSS - 1;
    return (face * SHORTENING_ACROSS + (row < last ? row : last)) * SHORTENING_ACROSS + (column < last ? column : last);
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
    if (way->depth < s->shortest || !(way->depth < s->least.depth - 1e-9 * work->body->size)) {
        return false;
    }
    if (s->of != NULL || work->body->core == CORE_SMOOTH) {
        return true; /* for smooth bodies, taking it out is compared last, because it costs most */
    }
    shortening_hold *held = &s->held[cell_of(way->normal)];
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

/* Whether moving the body out along a way takes it out of all triangles that it meets. The last ones are the deepest, and hold most ways. */
static bool takes_out_of_all(shortening *s, const met_triangle *way) {
    for (int32_t i = s->work->met_count - 1; i >= 0; --i) {
        if (is_held(s->work, way, i)) {
            s->held[cell_of(way->normal)].met = i;
            return false;
        }
    }
    return true;
}

static bool take(shortening *s, const met_triangle *way) {
    bool out = s->of != NULL ? settle_takes_out(s->work, way, s->of) : takes_out_of_all(s, way);
    s->least = out ? *way : s->least;
    return out;
}

bool shortening_try(shortening *s, const mesh_triangle *t, const mesh_way_out *out) {
    convex_work *work = s->work;
    triangle_body flat;
    met_triangle way = {.triangle = *t, .first = work->list->count, .normal = out->normal, .depth = out->depth};
    contact_normal normal = {.direction = abut_neg(out->normal), .gap = -out->depth};
    if (mesh_cone_is_own(t, out->normal) || !may_be_shorter(s, &way)) {
        return false;
    }
    triangle_body_set(&flat, t);
    bool found = met_touch_sunk(work, &flat.body, &normal, &way);
    met_forget(work->list, way.first);
    return found && way.count > 0 && take(s, &way);
}

bool shortening_try_ways(shortening *s, const mesh_triangle *t) {
    mesh_rim rim = met_rim(s->work);
    mesh_way_out ways[MESH_WAYS_OUT];
    int sides = mesh_rim_outer_sides(&rim, t);
    int32_t count = sides != 0 ? mesh_ways_find(s->work->body, t, sides, s->shortest, s->least.depth, &s->known, ways) : 0;
    s->work->list->out_of_memory = s->work->list->out_of_memory || rim.out_of_memory;
    for (int32_t i = 0; i < count && !shortening_try(s, t, &ways[i]); ++i) {
    }
    return sides != 0;
}

void shortening_try_own(shortening *s, const mesh_triangle *t) {
    triangle_body flat;
    met_triangle own = {.triangle = *t};
    triangle_body_set(&flat, t);
    met_touch_own(s->work, &flat.body, &own);
    met_forget(s->work->list, own.first);
    if (own.count > 0 && may_be_shorter(s, &own)) {
        (void)take(s, &own);
    }
}

/* ---- over the neighbours at the corners ---- */

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

void shortening_try_about(shortening *s, const met_triangle *met) {
    convex_work *work = s->work;
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
