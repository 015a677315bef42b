/* The search for a less deep way: see shortening.h. */
#include "narrow/mesh/convex/shortening.h"

#include <stdlib.h>

#include "base/memory.h"
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
    s->edges = work->edges;
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
    s->edges = work->edges;
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

/* Tries a way, unless the surface is known not to admit it. */
static bool try_way(shortening *s, const mesh_triangle *t, const mesh_way_out *out, bool *refused) {
    convex_work *work = s->work;
    triangle_body flat;
    met_triangle way = {.triangle = *t, .first = work->list->count, .normal = out->normal, .depth = out->depth};
    contact_normal normal = {.direction = abut_neg(out->normal), .gap = -out->depth};
    if (*refused || mesh_cone_is_own(t, out->normal) || !may_be_shorter(s, &way)) {
        return false;
    }
    triangle_body_set(&flat, t);
    *refused = !met_touch_sunk(work, &flat.body, &normal, &way) || way.count <= 0;
    met_forget(work->list, way.first);
    return !*refused && take(s, &way);
}

static int outer_sides(shortening *s, const mesh_triangle *t) {
    mesh_rim rim = met_rim(s->work);
    int sides = mesh_rim_outer_sides(&rim, t);
    s->work->list->out_of_memory = s->work->list->out_of_memory || rim.out_of_memory;
    return sides;
}

bool shortening_is_outer(shortening *s, const mesh_triangle *t) { return outer_sides(s, t) != 0; }

/* The ways over a triangle within limits. */
typedef struct ways_found {
    int open; /* the sides that may be outer ones */
    mesh_ways_beside beside;
    mesh_way_out ways[MESH_WAYS_OUT];
    int32_t count;
} ways_found;

/* Finds the ways over all sides that are not inner ones for certain. */
static void find_ways(shortening *s, const mesh_triangle *t, double from, double below, ways_found *found) {
    mesh_rim rim = met_rim(s->work);
    found->open = mesh_rim_open_sides(&rim, t);
    found->count = 0;
    if (found->open != 0) {
        mesh_cone_look_beside(s->edges, t, MESH_RIM_LEVEL * s->work->settings->surface.same, &found->beside);
        found->count = mesh_ways_find(s->work->body, t, found->open, from, below, &s->known, &found->beside, found->ways);
    }
}

/* Leaves out those over inner sides. Most triangles have no way at all, and then it does not matter which sides are inner ones. */
static void keep_outer_ways(shortening *s, const mesh_triangle *t, double from, double below, ways_found *found) {
    int sides = found->count > 0 ? outer_sides(s, t) : 0;
    if (sides == 0) {
        found->count = 0;
    } else if (sides != found->open) {
        found->count = mesh_ways_find(s->work->body, t, sides, from, below, &s->known, &found->beside, found->ways);
    }
}

/* Whether a way is worth a try. */
static bool is_promising(shortening *s, const mesh_triangle *t, const mesh_way_out *out) {
    met_triangle way = {.triangle = *t, .normal = out->normal, .depth = out->depth};
    return !mesh_cone_is_own(t, out->normal) && may_be_shorter(s, &way);
}

/* Tries the ways that were found, from the least deep one on, until one is taken. */
static bool try_found(shortening *s, const mesh_triangle *t, double from, double below, ways_found *found) {
    bool any = false, taken = false;
    for (int32_t i = 0; i < found->count && !any; ++i) {
        any = is_promising(s, t, &found->ways[i]);
    }
    if (any) {
        keep_outer_ways(s, t, from, below, found);
    }
    for (int32_t i = 0; i < found->count && any && !taken; ++i) {
        bool refused = false;
        taken = try_way(s, t, &found->ways[i], &refused);
    }
    return taken;
}

/* The depth from which the search goes on, if there may be ways that were not stored; else infinity. Of ways with one depth no more are stored. */
static double rest_from(const ways_found *found, double from) {
    if (found->count < MESH_WAYS_OUT) {
        return INFINITY;
    }
    double last = found->ways[found->count - 1].depth;
    return last > from ? last : nextafter(from, INFINITY);
}

void shortening_try_ways(shortening *s, const mesh_triangle *t) {
    const double below = s->least.depth;
    double from = s->shortest;
    bool taken = false;
    ways_found found;
    while (from < below && !taken) {
        find_ways(s, t, from, below, &found);
        double next = rest_from(&found, from);
        taken = try_found(s, t, from, below, &found);
        from = next;
    }
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
    const mesh_triangle *p = *(const mesh_triangle *const *)left, *q = *(const mesh_triangle *const *)right;
    int order = (p->part > q->part) - (p->part < q->part);
    return order != 0 ? order : (p->index > q->index) - (p->index < q->index);
}

static void add_spokes(const mesh_triangle *t, abut_vec3 corner, double same, spokes *found) {
    bool here = !t->flat && !t->two_sided && mesh_set_holds(t, corner, same);
    for (int k = 0; k < 3 && here && found->count < SPOKES_MOST; ++k) {
        abut_vec3 way = abut_sub(t->corner[k], corner);
        if (abut_length(way) > same) {
            found->of[found->count] = t;
            found->way[found->count++] = abut_unit(way);
        }
    }
}

/* Of too many the first ones are taken, in the order of the mesh: that of the hierarchy depends on the mesh's axes. False without memory. */
static bool find_spokes(const mesh_set *around, abut_vec3 corner, double same, spokes *found) {
    const mesh_triangle **sorted = memory_allocate((size_t)around->count, sizeof *sorted);
    found->count = 0;
    for (int32_t i = 0; sorted != NULL && i < around->count; ++i) {
        sorted[i] = &around->items[i];
    }
    if (sorted != NULL && 2 * around->count > SPOKES_MOST) {
        qsort(sorted, (size_t)around->count, sizeof *sorted, by_index);
    }
    for (int32_t i = 0; sorted != NULL && i < around->count && found->count < SPOKES_MOST; ++i) {
        add_spokes(sorted[i], corner, same, found);
    }
    memory_release(sorted);
    return sorted != NULL;
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

/* Lists the normals of the planes through two sides that end at the corner, above all others. Their triangles need not be neighbours. False without memory. */
static bool list_spokes(const convex *body, double same, mesh_about *about) {
    spokes s;
    bool fine = find_spokes(&about->set, about->point, same, &s);
    for (int32_t i = 0; i < s.count && fine; ++i) {
        for (int32_t k = 0; k < s.count && fine; ++k) {
            mesh_way_out out = {.normal = abut_unit(abut_cross(s.way[i], s.way[k]))};
            if (abut_dot(out.normal, s.of[i]->normal) > 0.0 && !rises_any(&s, out.normal)) { /* and the sides are not parallel */
                out.depth = convex_extent(body, abut_neg(out.normal)) + body->radius + abut_dot(out.normal, about->point);
                fine = mesh_about_keep_spoke(about, (int32_t)(s.of[i] - about->set.items), &out);
            }
        }
    }
    about->spoked = fine;
    return fine;
}

/* Looks for a way over a corner where slopes alternate. */
static void try_spokes(shortening *s, mesh_about *about) {
    convex_work *work = s->work;
    if (!about->spoked && !list_spokes(work->body, work->settings->surface.same, about)) {
        work->list->out_of_memory = true;
    }
    for (int32_t i = 0; i < about->spoke_count; ++i) {
        about_way *way = &about->spoke[i];
        (void)try_way(s, &about->set.items[way->item], &way->out, &way->refused);
    }
}

/* Finds the ways over a triangle within the limits. Too many are not stored. */
static void make_ways(shortening *s, mesh_about *about, int32_t item) {
    const mesh_triangle *t = &about->set.items[item];
    ways_found found;
    find_ways(s, t, about->from, about->below, &found);
    keep_outer_ways(s, t, about->from, about->below, &found);
    if (found.count < MESH_WAYS_OUT && !mesh_about_keep(about, item, found.ways, found.count)) {
        s->work->list->out_of_memory = true;
    }
}

/* shortening_try_ways() for one of the triangles at a corner. */
static void try_ways_about(shortening *s, mesh_about *about, int32_t item) {
    const mesh_triangle *t = &about->set.items[item];
    if (!about->range[item].made) {
        make_ways(s, about, item);
    }
    if (!about->range[item].made) {
        shortening_try_ways(s, t);
        return;
    }
    const about_range range = about->range[item];
    double from = s->shortest, below = s->least.depth;
    for (int32_t i = range.first; i < range.first + range.count && !s->work->list->out_of_memory; ++i) {
        about_way *way = &about->way[i];
        if (way->out.depth >= from && way->out.depth < below && try_way(s, t, &way->out, &way->refused)) {
            return;
        }
    }
}

static bool has_no_ways(const mesh_about *about, int32_t item) { return about->range[item].made && about->range[item].count == 0; }

void shortening_try_about(shortening *s, const met_triangle *met) {
    convex_work *work = s->work;
    const mesh_surface *surface = &work->settings->surface;
    const mesh_triangle *of = &met->triangle;
    const double same = surface->same, spare = 0.125 * work->body->size;
    bool use[3];
    for (int k = 0; k < 3; ++k) {
        use[k] = abut_distance_between(of->corner[k], work->body->position) <= work->body->size + met->depth;
        if (!use[k]) {
            continue;
        }
        mesh_about *about = mesh_abouts_go_to(work->abouts, surface, of->corner[k]);
        if (about == NULL) {
            work->list->out_of_memory = true;
            return;
        }
        mesh_about_widen(about, s->shortest, s->least.depth, spare);
        for (int32_t i = 0; i < about->set.count; ++i) {
            const mesh_triangle *t = &about->set.items[i];
            if (!has_no_ways(about, i) && !t->flat && !t->two_sided && mesh_set_holds(t, of->corner[k], same) &&
                !was_tried(of, use, k, t, same) && !mesh_rim_is_coplanar(of, t, same)) {
                try_ways_about(s, about, i);
            }
        }
        if (s->least.own) {
            try_spokes(s, about);
        }
    }
}
