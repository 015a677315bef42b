/* Contacts of two surfaces from vertices and outer edges: see pair.h. Set frame. */
#include "narrow/mesh/pair/pair.h"

#include "base/memory.h"
#include "base/real.h"
#include "narrow/mesh/pair/bounds.h"
#include "narrow/mesh/pair/contained.h"
#include "narrow/mesh/pair/cross.h"
#include "narrow/mesh/pair/mixed.h"
#include "narrow/mesh/pair/open.h"
#include "narrow/mesh/pair/settle.h"
#include "narrow/mesh/pair/shrunk.h"
#include "narrow/mesh/pair/touch_edges.h"
#include "narrow/mesh/pair/touch_vertices.h"
#include "narrow/mesh/patch.h"

/* ---- contacts by features ---- */

static void copy(const contact_list *from, contact_list *to) {
    to->count = 0;
    for (int32_t i = 0; i < from->count; ++i) {
        contact_list_add(to, &from->items[i]);
    }
}

/* Contacts of closed meshes must lead out of every zone, and not only their own features out of the other surface. */
static void settle_closed(mesh_touching *work) {
    contact_list *found = work->found, all;
    if (work->closed->inside.count > 0) {
        contained_select(&work->closed->inside, false, found);
    }
    closed_pair_refine(work->closed, found);
    closed_pair_find_flat(work->closed, found);
    closed_pair_filter(work->closed, found);
    contact_list_init(&all, found->order, found->aside);
    if (work->closed->in.zone_count > 0) {
        copy(found, &all);
    }
    mesh_settle(work);
    if (work->closed->in.zone_count > 0 && !all.out_of_memory && !closed_pair_leads_out(work->closed, found)) {
        copy(&all, found);
        closed_pair_filter(work->closed, found);
        mesh_settle(work);
    }
    closed_pair_complete(work->closed, found);
    work->out_of_memory = work->out_of_memory || all.out_of_memory;
    contact_list_free(&all);
}

static void find_contacts(mesh_touching *work) {
    work->inside = false;
    for (int side = 0; side < 2; ++side) {
        mesh_features_free(&work->near[side]);
        mesh_features_find(&work->near[side], &work->side[side], &work->side[1 - side], work->deepest, work->settings->margin);
        work->out_of_memory = work->out_of_memory || work->near[side].out_of_memory;
    }
    mesh_touch_vertices(work);
    mesh_touch_edges(work);
}

static void touch(mesh_touching *work) {
    find_contacts(work);
    contact_list *found = work->found;
    if (work->closed != NULL) {
        settle_closed(work);
    } else {
        mesh_settle(work);
    }
    bool open = found->count == 0 || (work->inside && !(found->items[found->count - 1].gap < 0.0));
    if (open && !work->out_of_memory && !mesh_cross(&work->side[0], &work->side[1], work->settings->weld, found)) {
        work->out_of_memory = true;
    }
}

/* ---- two solids ---- */

static closed_pair closed_of(const mesh_touching *work, const mesh_pair_settings *settings) {
    return (closed_pair){
        .side = {&work->side[0], &work->side[1]}, .margin = settings->margin, .weld = settings->weld, .rounding = settings->rounding};
}

/* Settles the contacts of each piece by themselves. */
static void settle_pieces(mesh_touching *work, const contained_pieces *inside) {
    contact_list *all = work->found;
    if (all->count == 0) {
        return;
    }
    int32_t *end = memory_allocate((size_t)inside->count + 1, sizeof *end), kept = 0;
    work->out_of_memory = work->out_of_memory || end == NULL || !contained_group(inside, all, end);
    for (int32_t piece = 1; piece <= inside->count && !work->out_of_memory; ++piece) {
        contact_list own = *all;
        own.items = all->items + end[piece - 1];
        own.count = end[piece] - end[piece - 1];
        work->found = &own;
        mesh_settle(work);
        for (int32_t i = 0; i < own.count; ++i) {
            all->items[kept++] = own.items[i];
        }
    }
    memory_release(end);
    work->found = all;
    all->count = kept;
    mesh_settle_sort(all);
}

/* The contacts of pieces inside the other solid (contained.h). The depth of a zone is no bound of theirs. */
static void touch_contained(mesh_touching *work, closed_pair *closed) {
    contact_list *others = work->found;
    work->found = work->contained;
    find_contacts(work);
    contained_select(&closed->inside, true, work->found);
    closed_pair_refine(closed, work->found);
    settle_pieces(work, &closed->inside);
    contained_complete(closed, work->found);
    work->found = others;
}

/* settings: those of the pair, with the tolerances of closed meshes. */
static void touch_examined(mesh_touching *work, closed_pair *closed, const mesh_pair_settings *settings) {
    const mesh_pair_settings *asked = work->settings;
    const double deepest = work->deepest;
    work->closed = closed;
    work->settings = settings;
    if (closed->near && !closed->out_of_memory) {
        work->deepest = real_min(deepest, closed->deepest + 2.0 * settings->same + closed->loose);
        touch(work);
        work->deepest = deepest;
    }
    if (closed->inside.count > 0 && !closed->out_of_memory && !work->out_of_memory) {
        touch_contained(work, closed);
    }
    work->closed = NULL;
    work->settings = asked;
    work->out_of_memory = work->out_of_memory || closed->out_of_memory;
}

/* Two solids, shrunk by different lengths. */
typedef struct shrunk_pair {
    shrunk_mesh mesh[2];
    closed_pair between;
} shrunk_pair;

/* Finds the contacts of the shrunk solids, and measures them at the features of the original ones. */
static void touch_shrunk(mesh_touching *work, shrunk_pair *shrunk, closed_pair *closed, const mesh_pair_settings *settings) {
    const double by = 2.0 * settings->same;
    const mesh_surface original[2] = {work->side[0], work->side[1]};
    mesh_pair_settings wider = *settings;
    *shrunk = (shrunk_pair){.between = {.out_of_memory = true}};
    wider.margin += 4.0 * by;
    if (!shrunk_mesh_make(&shrunk->mesh[0], original[0].mesh, by) || !shrunk_mesh_make(&shrunk->mesh[1], original[1].mesh, 2.0 * by)) {
        work->out_of_memory = true;
        return;
    }
    work->side[0].mesh = &shrunk->mesh[0].placed;
    work->side[1].mesh = &shrunk->mesh[1].placed;
    shrunk->between = closed_of(work, &wider);
    shrunk->between.loose = 8.0 * by;
    shrunk->between.lean = 0.5 * by; /* flush walls are apart by 3 by, or in each other by that length */
    closed_pair_examine(&shrunk->between);
    touch_examined(work, &shrunk->between, &wider);
    work->side[0] = original[0];
    work->side[1] = original[1];
    closed_pair_measure(closed, work->found);
    closed_pair_measure(closed, work->contained);
}

static void shrunk_pair_free(shrunk_pair *shrunk) {
    closed_pair_free(&shrunk->between);
    shrunk_mesh_free(&shrunk->mesh[0]);
    shrunk_mesh_free(&shrunk->mesh[1]);
}

/* Negative where all contacts have gaps, -INFINITY without any. */
static double depth_of(const contact_list *list) {
    double depth = -INFINITY;
    for (int32_t i = 0; i < list->count; ++i) {
        depth = real_max(depth, -list->items[i].gap);
    }
    return depth;
}

/* Whether the contacts of the shrunk solids count, and not those of the original ones. */
static bool shrunk_ones_count(const closed_pair *between, double deep, const contact_list *shrunk, const contact_list *originals,
                              double same) {
    const double leap = 2.0, clear = 64.0 * same, original = depth_of(originals);
    bool longer = deep >= -same && original > leap * real_max(deep, same);
    longer = longer || (deep > clear && original > deep && closed_pair_is_left(between, shrunk));
    return fabs(deep - original) <= same || longer || (original < deep && !closed_pair_is_left(between, originals));
}

/*
 * Two solids that lie flush. Rounding errors decide there what crosses what: a depth can be that of a whole body, and a patch can lack corners. Both solids
 * are therefore shrunk, by different lengths, so that what lies flush comes apart. If they overlap elsewhere, the original solids are asked as well. The
 * contacts of the shrunk ones count if both depths agree; if the original ones tell a depth more than twice as large, or a larger one than shrunk ones that
 * lead out; or if the original ones are less deep and do not lead out of what the shrunk ones share. Pieces inside the other solid are not asked for their
 * depths, but each of the two answers has its own: rounding errors can also decide whether such a piece crosses the other surface.
 */
static void touch_flush(mesh_touching *work, closed_pair *closed, const mesh_pair_settings *settings) {
    contact_list found, pieces;
    shrunk_pair shrunk;
    contact_list_init(&found, work->found->order, work->found->aside);
    contact_list_init(&pieces, work->found->order, work->found->aside);
    touch_shrunk(work, &shrunk, closed, settings);
    double deep = depth_of(work->found);
    if ((closed->in.zone_count > 0 || deep > settings->same) && !work->out_of_memory) {
        copy(work->found, &found);
        copy(work->contained, &pieces);
        work->found->count = work->contained->count = 0;
        touch_examined(work, closed, settings);
        if (!work->out_of_memory && shrunk_ones_count(&shrunk.between, deep, &found, work->found, settings->same)) {
            copy(&found, work->found);
            copy(&pieces, work->contained);
        }
    } else if (closed->near) {
        closed_pair_complete(closed, work->found);
    }
    work->out_of_memory = work->out_of_memory || found.out_of_memory || pieces.out_of_memory;
    shrunk_pair_free(&shrunk);
    contact_list_free(&found);
    contact_list_free(&pieces);
}

/* Two closed meshes share vertices and not only places, so that only rounding error is the same place. */
static void touch_closed(mesh_touching *work) {
    const double places = 32.0;
    mesh_pair_settings settings = *work->settings;
    settings.rounding = 0.25 * (settings.rounding + work->side[0].mesh->mesh->flat + work->side[1].mesh->mesh->flat);
    settings.same = work->side[0].same = work->side[1].same = places * settings.rounding;
    contact_list contained;
    contact_list_init(&contained, work->found->order, work->found->aside);
    work->contained = &contained;
    closed_pair closed = closed_of(work, &settings);
    closed_pair_examine(&closed);
    work->out_of_memory = closed.out_of_memory;
    if (!closed.out_of_memory) {
        (closed.flush ? touch_flush : touch_examined)(work, &closed, &settings);
    }
    for (int32_t i = 0; i < contained.count; ++i) {
        contained.items[i].patch = work->found->count;
        contact_list_add(work->found, &contained.items[i]);
    }
    work->out_of_memory = work->out_of_memory || contained.out_of_memory;
    contact_list_free(&contained);
    closed_pair_free(&closed);
}

/* ---- any two surfaces ---- */

static bool touch_surfaces(const mesh_surface *a, const mesh_surface *b, const mesh_pair_settings *settings, contact_list *list) {
    contact_list found;
    contact_list_init(&found, list->order, list->aside);
    mesh_touching work = {.side = {*a, *b}, .settings = settings, .found = &found};
    if (!mesh_bounds_are_near(a->mesh, b, settings, &work.deepest)) {
        return true;
    }
    if (mesh_open_is(&work.side[0], &work.side[1])) {
        return mesh_open_touch(&work.side[0], &work.side[1], settings, list);
    }
    bool mixed = mesh_mixed_is(&work.side[0], &work.side[1]), closed = closed_pair_fits(&work.side[0], &work.side[1]);
    if (mixed && mesh_mixed_is_apart(&work.side[0], &work.side[1])) {
        return mesh_open_face(&work.side[0], &work.side[1], settings, list);
    }
    (closed ? touch_closed : touch)(&work);
    bool (*join)(contact_list *, double, double, contact_list *) = closed ? mesh_patch_join_by_depth : mesh_patch_join;
    bool fine = !work.out_of_memory && !found.out_of_memory &&
                (!mixed || mesh_mixed_complete(&work.side[0], &work.side[1], settings, &found, list)) &&
                join(&found, settings->weld, work.side[0].same, list);
    for (int side = 0; side < 2; ++side) {
        mesh_features_free(&work.near[side]);
    }
    contact_list_free(&found);
    return fine;
}

bool mesh_pair(const placed_mesh *a, const placed_mesh *b, int32_t b_count, const mesh_pair_settings *settings, contact_list *list) {
    mesh_surface of_a = {a, 1, .same = settings->same}, of_b = {b, b_count, .same = settings->same};
    box_index index;
    bool fine = mesh_among_index(&index, &of_b) && touch_surfaces(&of_a, &of_b, settings, list);
    box_index_release(&index);
    return fine;
}
