/* Contacts of two surfaces without an inside: see open.h. Set frame. */
#include "narrow/mesh/pair/open.h"

#include <float.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/real.h"
#include "narrow/mesh/pair/crossing.h"
#include "narrow/mesh/pair/facing.h"
#include "narrow/mesh/patch.h"

typedef struct open_work {
    mesh_surface side[2]; /* A, B */
    const mesh_pair_settings *settings;
    contact_list *found;
} open_work;

static bool has_inside(const mesh_surface *surface) {
    for (int32_t i = 0; i < surface->count; ++i) {
        if (trimesh_has_inside(surface->mesh[i].mesh)) {
            return true;
        }
    }
    return false;
}

bool mesh_open_is(const mesh_surface *a, const mesh_surface *b) { return !has_inside(a) && !has_inside(b); }

/* ---- triangles that share a point ---- */

static const placed_mesh *mesh_of_part(const mesh_surface *surface, int32_t part) {
    for (int32_t i = 0; i < surface->count; ++i) {
        if (surface->mesh[i].part == part) {
            return &surface->mesh[i];
        }
    }
    return &surface->mesh[0];
}

/* Whether a triangle of the mesh `of` is seen from the middle of the mesh `from`. A one-sided one that bounds no solid must show its front. */
static bool is_seen(const mesh_triangle *t, const placed_mesh *of, const placed_mesh *from, double same) {
    return t->two_sided || trimesh_has_inside(of->mesh) || mesh_set_height(t, mesh_place_point(from, from->mesh->tree.middle)) >= -same;
}

static abut_vec3 front_of(const mesh_triangle *t) { return t->two_sided ? abut_vec3_make(0.0, 0.0, 0.0) : t->normal; }

/* The middle of the corners that are farthest along a direction, so that rounding does not choose among them. */
static abut_vec3 farthest(const mesh_triangle *t, abut_vec3 direction, double rounding) {
    double most = -INFINITY, count = 0.0;
    abut_vec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; ++i) {
        most = real_max(most, abut_dot(direction, t->corner[i]));
    }
    for (int i = 0; i < 3; ++i) {
        if (abut_dot(direction, t->corner[i]) >= most - rounding) {
            sum = abut_add(sum, t->corner[i]);
            count += 1.0;
        }
    }
    return abut_scale(1.0 / count, sum);
}

/* Points of both triangles that face each other along the way out: where the first one, moved out, touches the second. A way that only the
 * fronts allow may have none; then the points are those that are deepest in the other along it. */
static void set_points(const crossing_pair *pair, double rounding, triangles_gap *gap) {
    abut_vec3 move = abut_scale(-gap->along, gap->normal), moved[3];
    triangles_gap touch;
    for (int i = 0; i < 3; ++i) {
        moved[i] = abut_add(pair->a.corner[i], move);
    }
    triangles_closest(moved, pair->b.corner, &touch);
    bool facing = touch.distance <= rounding;
    gap->on_p = facing ? abut_sub(touch.on_p, move) : farthest(&pair->a, abut_neg(gap->normal), rounding);
    gap->on_q = facing ? touch.on_q : farthest(&pair->b, gap->normal, rounding);
}

static abut_feature face_of(const mesh_triangle *t) {
    return (abut_feature){.kind = ABUT_FEATURE_FACE, .index = t->index, .part = t->part};
}

static void touch_with_pair(open_work *work, const crossing_pair *pair, int32_t at) {
    const placed_mesh *a = &work->side[0].mesh[0], *b = mesh_of_part(&work->side[1], pair->b.part);
    triangles_gap gap = pair->gap;
    if (!is_seen(&pair->a, a, b, work->settings->same) || !is_seen(&pair->b, b, a, work->settings->same)) {
        return;
    }
    triangles_set_direction_within(pair->a.corner, pair->b.corner, front_of(&pair->a), front_of(&pair->b), &gap);
    bool touching = gap.relation == TRIANGLES_TOUCH && gap.along < 0.0; /* fronts that face the same way leave no way of length 0 */
    if (touching || !(gap.along > -INFINITY)) {
        triangles_set_direction(pair->a.corner, pair->b.corner, &gap);
    }
    if (gap.along < 0.0) {
        set_points(pair, 8.0 * work->settings->rounding, &gap);
    }
    abut_contact contact = {.on_a = gap.on_p,
                            .on_b = gap.on_q,
                            .normal = gap.normal,
                            .gap = gap.along,
                            .feature_a = face_of(&pair->a),
                            .feature_b = face_of(&pair->b),
                            .patch = at}; /* the index of the pair, until settled */
    contact_list_add(work->found, &contact);
}

/* ---- ways that take out other pairs ---- */

static int by_depth(const void *left, const void *right) {
    const abut_contact *p = left, *q = right;
    return p->gap != q->gap ? (p->gap > q->gap ? -1 : 1) : (p->patch > q->patch) - (p->patch < q->patch);
}

static bool is_other_way(const abut_contact *p, const abut_contact *q) {
    return abut_dot(p->normal, q->normal) <= 0.0 || abut_length_squared(abut_cross(p->normal, q->normal)) > FLAT_SINE * FLAT_SINE;
}

/* Whether A, moved out along a way, is above B's triangle. */
static bool takes_out(const abut_contact *way, const crossing_pair *pair, double rounding) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < 3; ++i) {
        low = real_min(low, abut_dot(way->normal, pair->a.corner[i]));
        high = real_max(high, abut_dot(way->normal, pair->b.corner[i]));
    }
    return high - low <= -way->gap + rounding;
}

/* Takes contacts by increasing depth. A pair that a shorter way takes out, too, needs no contact of its own. */
static void settle(open_work *work, const crossing_pairs *pairs) {
    contact_list *list = work->found;
    int32_t kept = 0;
    if (list->count > 1) {
        qsort(list->items, (size_t)list->count, sizeof *list->items, by_depth);
    }
    for (int32_t i = 0; i < list->count; ++i) {
        const crossing_pair *pair = &pairs->items[list->items[i].patch];
        bool settled = false;
        for (int32_t k = 0; k < kept && !settled; ++k) {
            settled = is_other_way(&list->items[k], &list->items[i]) && takes_out(&list->items[k], pair, 8.0 * work->settings->rounding);
        }
        if (!settled) {
            list->items[kept++] = list->items[i];
        }
    }
    list->count = kept;
    for (int32_t i = 0; i < kept; ++i) {
        list->items[i].patch = i;
    }
}

/* ---- surfaces apart ---- */

/* False if none are within the limit. */
static bool find_nearest(const open_work *work, double limit, mesh_nearest *nearest) {
    bool any = false;
    for (int32_t i = 0; i < work->side[1].count; ++i) {
        mesh_nearest found;
        mesh_nearest_find(&work->side[0].mesh[0], &work->side[1].mesh[i], limit, &found);
        if (found.index[0] < INT32_MAX && (!any || found.distance < limit)) {
            *nearest = found;
            limit = found.distance;
            any = true;
        }
    }
    return any;
}

static mesh_facing facing_of(const open_work *work) {
    return (mesh_facing){.side = {work->side[0], work->side[1]},
                         .margin = work->settings->margin,
                         .feature_sine = work->settings->feature_sine,
                         .found = work->found};
}

/* The least gap is that of the nearest triangles, unless they show their backs. Joining corners to patches may have left it out. */
static bool add_least(const open_work *work, mesh_facing *facing, const mesh_nearest *nearest, contact_list *list, int32_t first) {
    contact_list least;
    contact_list_init(&least, list->order, list->aside);
    facing->found = &least;
    mesh_facing_nearest(facing, nearest);
    bool missing = least.count > 0, fine = true;
    for (int32_t i = first; i < list->count && missing; ++i) {
        missing = list->items[i].gap > least.items[0].gap + work->settings->rounding;
    }
    if (missing) {
        fine = mesh_patch_join(&least, work->settings->weld, work->settings->rounding, list);
    }
    contact_list_free(&least);
    return fine && !facing->out_of_memory;
}

static bool touch_apart(open_work *work, contact_list *list) {
    mesh_nearest nearest;
    if (work->settings->margin == 0.0 || !find_nearest(work, work->settings->margin, &nearest)) {
        return true;
    }
    mesh_facing facing = facing_of(work);
    mesh_facing_find(&facing);
    int32_t first = list->count;
    return mesh_patch_join(work->found, work->settings->weld, work->settings->rounding, list) &&
           add_least(work, &facing, &nearest, list, first);
}

/* ---- surfaces that cross ---- */

static bool touch_pairs(open_work *work, const crossing_pairs *pairs, contact_list *list) {
    for (int32_t i = 0; i < pairs->count; ++i) {
        touch_with_pair(work, &pairs->items[i], i);
    }
    settle(work, pairs);
    return mesh_patch_join(work->found, work->settings->weld, work->settings->rounding, list);
}

/* crossing: receives whether any triangles share a point */
static bool touch_crossing(open_work *work, contact_list *list, bool *crossing) {
    crossing_pairs pairs;
    crossing_find(&pairs, &work->side[0].mesh[0], &work->side[1]);
    *crossing = pairs.count > 0;
    bool fine = !pairs.out_of_memory && (!*crossing || touch_pairs(work, &pairs, list));
    crossing_free(&pairs);
    return fine;
}

static bool touch_crossing_only(open_work *work, contact_list *list) {
    bool crossing;
    return touch_crossing(work, list, &crossing);
}

/* ---- any two surfaces ---- */

static bool touch(open_work *work, contact_list *list) {
    bool crossing;
    return touch_crossing(work, list, &crossing) && (crossing || touch_apart(work, list));
}

/* Exchanging A and B changes nothing. */
static bool in_order(const mesh_surface *a, const mesh_surface *b, const mesh_pair_settings *settings,
                     bool (*touch_in_order)(open_work *, contact_list *), contact_list *list) {
    bool swapped = b->count == 1 && mesh_nearest_b_first(&a->mesh[0], &b->mesh[0], list->order, list->aside);
    contact_list found, joined;
    contact_list_init(&found, list->order, list->aside);
    contact_list_init(&joined, list->order, list->aside);
    open_work work = {.side = {swapped ? *b : *a, swapped ? *a : *b}, .settings = settings, .found = &found};
    bool fine = touch_in_order(&work, &joined) && !found.out_of_memory && !joined.out_of_memory;
    contact_list_take(list, &joined, abut_vec3_make(0.0, 0.0, 0.0), swapped);
    contact_list_free(&found);
    contact_list_free(&joined);
    return fine && !list->out_of_memory;
}

bool mesh_open_face(const mesh_surface *a, const mesh_surface *b, const mesh_pair_settings *settings, contact_list *list) {
    return in_order(a, b, settings, touch_apart, list);
}

bool mesh_open_cross(const mesh_surface *a, const mesh_surface *b, const mesh_pair_settings *settings, contact_list *list) {
    return in_order(a, b, settings, touch_crossing_only, list);
}

bool mesh_open_touch(const mesh_surface *a, const mesh_surface *b, const mesh_pair_settings *settings, contact_list *list) {
    return in_order(a, b, settings, touch, list);
}
