/* Contacts of a convex body with triangles, by the cone of normals: see convex.h. Set frame; the body is A, the mesh B. */
#include "narrow/mesh/convex/convex.h"

#include "base/array.h"
#include "base/memory.h"
#include "narrow/mesh/convex/met.h"
#include "narrow/mesh/convex/nearest.h"
#include "narrow/mesh/patch.h"
#include "narrow/mesh/convex/rim.h"
#include "narrow/mesh/convex/settle.h"
#include "narrow/mesh/convex/shorten.h"
#include "narrow/mesh/convex/side.h"

/* Whether all contacts that are left belong to one plane. */
static bool is_one_plane(const convex_work *work, const met_triangle *met) {
    for (int32_t i = 0; i < work->list->count; ++i) {
        if (!met_is_in_plane(work, &met->triangle, &work->list->items[i])) {
            return false;
        }
    }
    return true;
}

/* Planes that are complete. The last one has a tolerance; those before are the same only up to rounding errors. */
typedef struct complete_list {
    const met_triangle *last, *before[16];
    int32_t count;
} complete_list;

enum { BEFORE_MOST = sizeof((complete_list *)0)->before / sizeof *((complete_list *)0)->before };

static bool is_same_plane(const convex_work *work, const mesh_triangle *t, const mesh_triangle *other) {
    const double rounding = 1e-14;
    double height = abut_dot(t->normal, abut_sub(other->corner[0], t->corner[0])), far = work->body->size + abut_length(t->corner[0]);
    return abut_length_squared(abut_sub(t->normal, other->normal)) <= rounding * rounding && fabs(height) <= rounding * far;
}

static bool is_complete(const convex_work *work, const complete_list *list, const mesh_triangle *t) {
    if (list->last != NULL && mesh_rim_is_coplanar(&list->last->triangle, t, work->settings->surface.same)) {
        return true;
    }
    for (int32_t i = 0; i < list->count && i < BEFORE_MOST; ++i) {
        if (is_same_plane(work, &list->before[i]->triangle, t)) {
            return true;
        }
    }
    return false;
}

/* Completes the contacts along triangles' own normals where the body is deepest beside the triangles that it meets. If they are the only
 * way out, the full depth is told even where the surface does not reach below the deepest point. */
static void complete_planes(const convex_work *work) {
    complete_list done = {.count = 0};
    for (int32_t i = 0; i < work->met_count; ++i) {
        const met_triangle *met = &work->met[i];
        bool sunk = met->sunk && met->own && met->count > 0 && met->depth > 0.0;
        if (!sunk || is_complete(work, &done, &met->triangle)) {
            continue;
        }
        met_triangle plane = met_plane(work, met);
        if (!met_is_whole(work, &plane) && !met_touch_plane(work, &plane) && is_one_plane(work, &plane)) {
            met_touch_deepest(work, &plane);
        }
        done.last = done.before[done.count++ % BEFORE_MOST] = met;
    }
}

enum { MET_FEW = 24, ROUNDS = 3 };

static bool make_room(convex_work *work) { return array_double(&work->met, work->few, &work->met_room, sizeof *work->met); }

/* Adds a triangle of the set to those that the body meets, if it does. False when there is no memory. */
static bool look_at(convex_work *work, int32_t item) {
    const mesh_triangle *t = &work->set->items[item];
    mesh_triangle turned;
    if (met_is_passed_over(work, t)) {
        return true;
    }
    if (t->two_sided) {
        turned = mesh_side_turned(work, t);
        t = &turned;
    }
    mesh_facet start;
    mesh_sight sight = mesh_apart_look(&work->apart, t, &start);
    if (sight == MESH_APART) {
        return true;
    }
    if (work->met_count == work->met_room && !make_room(work)) {
        return false;
    }
    met_triangle *met = &work->met[work->met_count];
    *met = (met_triangle){.triangle = *t, .order = work->met_count};
    if (sight == MESH_BY_NORMAL) {
        met_touch_clearly(work, met, &start);
        ++work->met_count;
    } else if (mesh_level_has_only_own(work->level, item, t)) {
        met_touch_level(work, met, &start);
        ++work->met_count;
    } else {
        work->met_count += met_touch(work, met, &start);
    }
    return !work->list->out_of_memory;
}

/* Makes the contacts of all triangles. */
static bool look_at_all(convex_work *work) {
    work->met_count = 0;
    work->nearest->normal.gap = work->nearest->behind = INFINITY;
    work->nearest->sunk = false;
    met_forget(work->list, 0);
    work->depths->count = 0;
    for (int32_t i = 0; i < work->set->count; ++i) {
        if (!look_at(work, i)) {
            return false;
        }
    }
    for (int32_t i = 0; i < work->way_count; ++i) {
        if (work->met_count == work->met_room && !make_room(work)) {
            return false;
        }
        work->met_count += met_touch_way(work, &work->way[i], &work->met[work->met_count]);
    }
    if (!settle_is_one_way(work)) {
        settle_by_depth(work);
    }
    return !work->list->out_of_memory;
}

bool mesh_convex(const mesh_set *set, const convex *body, abut_vec3 middle, const mesh_convex_settings *settings, contact_list *list) {
    contact_list found;
    contact_list_init(&found, list->order, list->aside);
    met_triangle few[MET_FEW];
    mesh_edges edges;
    mesh_near near;
    mesh_hub hub = {.count = 0};
    mesh_spot spot;
    mesh_parts parts;
    mesh_beyond beyond;
    mesh_facing facing;
    mesh_level level;
    mesh_abouts abouts;
    int64_t gathered = 0;
    spot.made = spot.looked = false;
    mesh_abouts_init(&abouts);
    plane_depths depths = {.count = 0};
    mesh_edges_init(&edges, set);
    mesh_parts_init(&parts, set, settings->surface.same);
    mesh_beyond_init(&beyond, &settings->surface, body, set->count);
    mesh_facing_init(&facing, set);
    mesh_level_init(&level, set, body, settings->surface.same);
    mesh_near_init(&near, mesh_set_item, set, set->count, 2.0 * (abut_length(body->position) + body->size + settings->normal.margin),
                   MESH_POINT_AROUND * settings->surface.same);
    convex_work work = {.set = set,
                        .edges = &edges,
                        .near = &near,
                        .hub = &hub,
                        .spot = &spot,
                        .parts = &parts,
                        .beyond = &beyond,
                        .facing = &facing,
                        .level = &level,
                        .abouts = &abouts,
                        .gathered = &gathered,
                        .depths = &depths,
                        .body = body,
                        .middle = middle,
                        .settings = settings,
                        .list = &found};
    met_nearest nearest;
    mesh_side side = {.made = false};
    work.nearest = &nearest;
    work.side = &side;
    work.met = work.few = few;
    work.met_room = MET_FEW;
    work.patch = (patch_settings){
        .margin = settings->normal.margin, .feature_sine = settings->feature_sine, .weld = settings->weld, .partial = true};
    mesh_apart_begin(&work.apart, body, settings->normal.margin);
    bool fine = look_at_all(&work);
    for (int round = 0; round < ROUNDS && fine && shorten_ways_out(&work); ++round) {
        fine = look_at_all(&work);
    }
    if (fine) {
        complete_planes(&work);
    }
    int32_t first = list->count;
    fine = fine && !found.out_of_memory && mesh_patch_join(&found, settings->weld, settings->surface.same, list);
    if (fine) {
        mesh_nearest_keep(&work, first, list);
        fine = !list->out_of_memory;
    }
    memory_release(work.met != few ? work.met : NULL);
    memory_release(work.way);
    mesh_edges_free(&edges);
    mesh_near_free(&near);
    mesh_hub_free(&hub);
    mesh_spot_free(&spot);
    mesh_parts_free(&parts);
    mesh_beyond_free(&beyond);
    mesh_facing_free(&facing);
    mesh_level_free(&level);
    mesh_abouts_free(&abouts);
    mesh_planes_free(&depths.planes);
    mesh_planes_free(&depths.late);
    contact_list_free(&found);
    return fine;
}
