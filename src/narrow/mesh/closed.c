/* Contacts of two closed meshes beside exact decisions: see closed.h. Set frame. */
#include "narrow/mesh/closed.h"

#include "base/memory.h"
#include "base/real.h"
#include "geom/triangles.h"
#include "narrow/mesh/near_pairs.h"

static bool is_whole(const mesh_surface *surface) { return surface->count == 1 && surface->mesh[0].mesh->twin != NULL; }

bool closed_pair_fits(const mesh_surface *a, const mesh_surface *b) { return is_whole(a) && is_whole(b); }

/* Heights and gaps up to this are equal. */
static double same_of(const closed_pair *pair) { return 8.0 * pair->rounding; }

/* ---- apart ---- */

static abut_feature feature_of(const mesh_triangle *t, const double w[3]) {
    int zeros = (w[0] == 0.0) + (w[1] == 0.0) + (w[2] == 0.0);
    abut_feature feature = {.kind = ABUT_FEATURE_FACE, .index = t->index, .part = t->part};
    if (zeros == 1) {
        feature.kind = ABUT_FEATURE_EDGE;
        feature.index = 3 * t->index + (w[2] == 0.0 ? 0 : w[0] == 0.0 ? 1 : 2);
    } else if (zeros == 2) {
        feature.kind = ABUT_FEATURE_VERTEX;
        feature.index = t->vertex[w[0] > 0.0 ? 0 : w[1] > 0.0 ? 1 : 2];
    }
    return feature;
}

static bool approach(void *context, const mesh_triangle *a, const mesh_triangle *b, double *reach) {
    closed_pair *pair = context;
    triangles_gap gap;
    triangles_closest(a->corner, b->corner, &gap);
    if (gap.distance > *reach || (pair->near && gap.distance >= pair->nearest.gap)) {
        return true;
    }
    if (gap.relation != TRIANGLES_APART) {
        triangles_set_direction(a->corner, b->corner, &gap);
    }
    pair->near = true;
    pair->nearest = (abut_contact){.on_a = gap.on_p,
                                   .on_b = gap.on_q,
                                   .normal = gap.normal,
                                   .gap = gap.distance,
                                   .feature_a = feature_of(a, gap.weight_p),
                                   .feature_b = feature_of(b, gap.weight_q)};
    *reach = gap.distance;
    return true;
}

/* ---- one inside the other ---- */

static bool is_in_a_zone(const overlap *in, int side, int32_t vertex) {
    for (int32_t zone = 0; zone < in->zone_count; ++zone) {
        if (overlap_has(&in->name[side], zone, vertex)) {
            return true;
        }
    }
    return false;
}

/* Whether a piece of a mesh lies inside the other mesh. Of its first triangle the corner farthest from the surface is asked. */
static bool is_piece_inside(const closed_pair *pair, int side, int32_t triangle) {
    const placed_mesh *mesh = &pair->side[side]->mesh[0];
    double farthest = 0.0;
    bool inside = false;
    for (int32_t c = 3 * triangle; c < 3 * triangle + 3; ++c) {
        sounding s;
        if (is_in_a_zone(&pair->in, side, mesh->mesh->corners[c])) {
            return false;
        }
        if (mesh_surface_sound(pair->side[1 - side], mesh, overlap_corner(mesh, c), &s) && fabs(s.gap) > farthest) {
            farthest = fabs(s.gap);
            inside = s.gap < 0.0;
        }
    }
    return inside && farthest > same_of(pair);
}

static bool has_piece_inside(const closed_pair *pair, int side) {
    const trimesh *mesh = pair->side[side]->mesh[0].mesh;
    bool inside = false;
    for (int32_t i = 0; i < mesh->piece_count && !inside && (mesh->piece_count > 1 || pair->in.pair_count == 0); ++i) {
        inside = is_piece_inside(pair, side, mesh->piece[i]);
    }
    return inside;
}

/* ---- what is exact ---- */

static void find_ways(closed_pair *pair) {
    pair->way = memory_allocate((size_t)pair->in.zone_count, sizeof *pair->way);
    pair->out_of_memory = pair->way == NULL;
    for (int32_t zone = 0; zone < pair->in.zone_count && !pair->out_of_memory; ++zone) {
        pair->way[zone] = mesh_least_way(&pair->in, zone, pair->rounding);
    }
}

void closed_pair_examine(closed_pair *pair) {
    const placed_mesh *a = &pair->side[0]->mesh[0], *b = &pair->side[1]->mesh[0];
    overlap_find(&pair->in, a, b);
    pair->out_of_memory = pair->in.out_of_memory;
    pair->contained = has_piece_inside(pair, 0) || has_piece_inside(pair, 1);
    if (pair->in.pair_count > 0 && !pair->out_of_memory) {
        find_ways(pair);
    }
    if (pair->in.pair_count == 0 && !pair->contained) {
        mesh_near_pairs(a, b, pair->margin + same_of(pair), approach, pair);
    } else {
        pair->near = true;
    }
}

void closed_pair_free(closed_pair *pair) {
    overlap_free(&pair->in);
    memory_release(pair->way);
    pair->way = NULL;
}

/* ---- contacts that cannot be ---- */

static bool holds(const closed_pair *pair, int side, int32_t zone, abut_feature feature) {
    const overlap *in = &pair->in;
    const int32_t *twin = in->mesh[side]->mesh->twin;
    switch (feature.kind) {
    case ABUT_FEATURE_VERTEX:
        return overlap_has(&in->name[side], zone, feature.index);
    case ABUT_FEATURE_EDGE:
        return overlap_has(&in->side[side], zone, twin[feature.index] < feature.index ? twin[feature.index] : feature.index);
    default:
        return overlap_has(&in->triangle[side], zone, feature.index);
    }
}

static bool is_in_any(const closed_pair *pair, int side, abut_feature feature) {
    for (int32_t zone = 0; zone < pair->in.zone_count; ++zone) {
        if (holds(pair, side, zone, feature)) {
            return true;
        }
    }
    return false;
}

/* Whether a contact belongs to a zone: both its features do, or one, and the other belongs to none. */
static bool belongs(const closed_pair *pair, int32_t zone, const abut_contact *contact) {
    bool a = holds(pair, 0, zone, contact->feature_a), b = holds(pair, 1, zone, contact->feature_b);
    return (a && b) || (a && !is_in_any(pair, 1, contact->feature_b)) || (b && !is_in_any(pair, 0, contact->feature_a));
}

static bool is_along(abut_vec3 p, abut_vec3 q) {
    return abut_dot(p, q) > 0.0 && abut_length_squared(abut_cross(p, q)) <= FLAT_SINE * FLAT_SINE;
}

/* Whether a contact may stay in its zone: where both surfaces are convex, only with the normal of the least depth. */
static bool may_stay(const closed_pair *pair, int32_t zone, const abut_contact *contact) {
    const least_way *way = &pair->way[zone];
    bool certain = way->convex && way->depth < INFINITY;
    return !certain || (is_along(way->normal, contact->normal) && contact->gap >= -way->depth - same_of(pair));
}

static bool can_be(const closed_pair *pair, const abut_contact *contact) {
    if (pair->in.pair_count == 0) {
        return pair->contained || contact->gap >= pair->nearest.gap - same_of(pair);
    }
    bool found = contact->gap >= 0.0 || pair->contained;
    for (int32_t zone = 0; zone < pair->in.zone_count && contact->gap < 0.0; ++zone) {
        if (belongs(pair, zone, contact)) {
            if (may_stay(pair, zone, contact)) {
                return true;
            }
            found = false;
        }
    }
    return found;
}

void closed_pair_filter(const closed_pair *pair, contact_list *list) {
    int32_t kept = 0;
    bool apart = pair->in.pair_count == 0 && !pair->contained;
    for (int32_t i = 0; i < list->count; ++i) {
        if (can_be(pair, &list->items[i])) {
            list->items[kept] = list->items[i];
            list->items[kept].gap = apart ? real_max(list->items[kept].gap, pair->nearest.gap) : list->items[kept].gap;
            ++kept;
        }
    }
    list->count = kept;
}

/* ---- contacts that are missing ---- */

/* Puts a contact in the place of those at the same place that are less deep. */
static void put(const closed_pair *pair, const abut_contact *contact, contact_list *list) {
    int32_t kept = 0;
    for (int32_t i = 0; i < list->count; ++i) {
        const abut_contact *other = &list->items[i];
        bool here = is_along(other->normal, contact->normal) && other->gap > contact->gap + same_of(pair) &&
                    abut_distance_between(other->on_b, contact->on_b) <= pair->weld;
        if (!here) {
            list->items[kept++] = list->items[i];
        }
    }
    list->count = kept;
    abut_contact added = *contact;
    added.patch = list->count;
    contact_list_add(list, &added);
}

/* Whether there is a contact in a zone that is as deep as the least depth. */
static bool is_told(const closed_pair *pair, int32_t zone, const contact_list *list, double depth) {
    for (int32_t i = 0; i < list->count; ++i) {
        const abut_contact *contact = &list->items[i];
        if (contact->gap < 0.0 && contact->gap <= -depth + same_of(pair) && belongs(pair, zone, contact)) {
            return true;
        }
    }
    return false;
}

/* The two triangles that are deepest in each other. */
static void put_triangles(const closed_pair *pair, int32_t zone, contact_list *list) {
    abut_contact deepest = {.gap = 0.0};
    for (int32_t i = 0; i < pair->in.pair_count; ++i) {
        const overlap_pair *at = &pair->in.pair[i];
        if (at->zone != zone) {
            continue;
        }
        abut_vec3 corner[2][3];
        triangles_gap gap;
        for (int side = 0; side < 2; ++side) {
            for (int32_t k = 0; k < 3; ++k) {
                corner[side][k] = overlap_corner(&pair->side[side]->mesh[0], 3 * at->index[side] + k);
            }
        }
        triangles_closest(corner[0], corner[1], &gap);
        triangles_set_direction(corner[0], corner[1], &gap);
        if (gap.along < deepest.gap) {
            deepest = (abut_contact){.on_a = abut_add_scaled(gap.on_p, 0.5 * gap.along, gap.normal),
                                     .on_b = abut_add_scaled(gap.on_p, -0.5 * gap.along, gap.normal),
                                     .normal = gap.normal,
                                     .gap = gap.along,
                                     .feature_a = {.kind = ABUT_FEATURE_FACE, .index = at->index[0], .part = pair->side[0]->mesh[0].part},
                                     .feature_b = {.kind = ABUT_FEATURE_FACE, .index = at->index[1], .part = pair->side[1]->mesh[0].part},
                                     .flags = ABUT_CONTACT_NORMAL_CHOSEN};
        }
    }
    if (deepest.gap < 0.0) {
        put(pair, &deepest, list);
    }
}

static void complete_zone(const closed_pair *pair, int32_t zone, contact_list *list) {
    const least_way *way = &pair->way[zone];
    bool found = way->depth < INFINITY;
    if (is_told(pair, zone, list, way->convex && found ? way->depth : 0.0)) {
        return;
    }
    if (!found) {
        put_triangles(pair, zone, list);
        return;
    }
    abut_contact contact = {.on_a = way->on_a,
                            .on_b = way->on_b,
                            .normal = way->normal,
                            .gap = -way->depth,
                            .feature_a = way->feature_a,
                            .feature_b = way->feature_b,
                            .flags = way->convex ? 0 : ABUT_CONTACT_NORMAL_CHOSEN};
    put(pair, &contact, list);
}

void closed_pair_complete(const closed_pair *pair, contact_list *list) {
    for (int32_t zone = 0; zone < pair->in.zone_count; ++zone) {
        complete_zone(pair, zone, list);
    }
    if (pair->in.pair_count > 0 || pair->contained || !(pair->nearest.gap <= pair->margin + same_of(pair))) {
        return;
    }
    bool told = false;
    for (int32_t i = 0; i < list->count; ++i) {
        told = told || list->items[i].gap <= pair->nearest.gap + same_of(pair);
    }
    if (!told) {
        put(pair, &pair->nearest, list);
    }
}
