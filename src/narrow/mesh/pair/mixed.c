/* A solid and an open surface: see mixed.h. Set frame. */
#include "narrow/mesh/pair/mixed.h"

#include "geom/triangles.h"
#include "narrow/mesh/pair/cross.h"
#include "narrow/mesh/pair/near_pairs.h"
#include "narrow/mesh/pair/open.h"

static bool are_solid(const mesh_surface *surface) {
    for (int32_t i = 0; i < surface->count; ++i) {
        if (!trimesh_has_inside(surface->mesh[i].mesh)) {
            return false;
        }
    }
    return true;
}

bool mesh_mixed_is(const mesh_surface *a, const mesh_surface *b) { return !mesh_open_is(a, b) && !(are_solid(a) && are_solid(b)); }

/* ---- a part that a solid holds ---- */

/* One that crosses the solid's surface nowhere is inside with all its corners or with none. */
typedef struct holding {
    mesh_surface solid;
    const placed_mesh *other;
    abut_aabb box; /* of the solid; its mesh's frame */
    bool all;      /* looks for the deepest corner, not for any one */
    bool holds;
    sounding deepest; /* and where it is, if it holds one */
    abut_vec3 place;
    int32_t vertex;
} holding;

static bool is_in_box(const holding *h, abut_vec3 place) {
    const placed_mesh *solid = h->solid.mesh;
    abut_vec3 seen = abut_add(abut_mat3_apply_transposed(solid->rotation, place), solid->centre);
    const double same = h->solid.same, *p = &seen.x, *lower = &h->box.lower.x, *upper = &h->box.upper.x;
    for (int i = 0; i < 3; ++i) {
        if (p[i] < lower[i] - same || p[i] > upper[i] + same) {
            return false;
        }
    }
    return true;
}

/* False if the corner is not inside. */
static bool look_at_corner(holding *h, const mesh_triangle *t, int corner) {
    sounding s;
    abut_vec3 place = t->corner[corner];
    if (!is_in_box(h, place) || !mesh_surface_sound(&h->solid, h->other, place, &s) || !(s.gap < 0.0)) {
        return false;
    }
    if (!h->holds || s.gap < h->deepest.gap) {
        h->deepest = s;
        h->place = place;
        h->vertex = t->vertex[corner];
    }
    h->holds = true;
    return true;
}

static bool look_inside(void *context, int32_t index, const abut_triangle *triangle) {
    holding *h = context;
    mesh_triangle t;
    mesh_set_place(&t, h->other, index, triangle);
    if (look_at_corner(h, &t, 0) && h->all) {
        look_at_corner(h, &t, 1);
        look_at_corner(h, &t, 2);
    }
    return h->all || !h->holds;
}

/* What a solid holds of another surface, none of whose triangles crosses its own. */
static holding hold(const placed_mesh *solid, const placed_mesh *other, double same, bool all) {
    holding h = {.solid = {solid, 1, same}, .other = other, .all = all};
    if (!trimesh_has_inside(solid->mesh)) {
        return h;
    }
    const packed_tree *tree = &solid->mesh->tree;
    abut_aabb box = packed_node_box(tree, 0);
    abut_vec3 middle = abut_add(tree->middle, abut_lerp(box.lower, box.upper, 0.5));
    abut_vec3 centre = abut_add(abut_mat3_apply_transposed(other->rotation, mesh_place_point(solid, middle)), other->centre);
    h.box = (abut_aabb){abut_add(tree->middle, box.lower), abut_add(tree->middle, box.upper)};
    trimesh_in_ball(other->mesh, centre, 0.5 * abut_distance_between(box.lower, box.upper), look_inside, &h);
    return h;
}

static void add_way_out(const holding *h, bool solid_is_a, contact_list *list) {
    const sounding *s = &h->deepest;
    if (!h->holds) {
        return;
    }
    abut_contact contact = {.on_a = h->place,
                            .on_b = abut_add_scaled(h->place, -s->gap, s->normal),
                            .normal = s->normal,
                            .gap = s->gap,
                            .feature_a = {.kind = ABUT_FEATURE_VERTEX, .index = h->vertex, .part = h->other->part},
                            .feature_b = s->at.feature,
                            .patch = list->count};
    contact = solid_is_a ? abut_contact_swap(contact) : contact;
    contact_list_add(list, &contact);
}

static void add_ways_out(const mesh_surface *a, const mesh_surface *b, contact_list *list) {
    for (int32_t i = 0; i < b->count; ++i) {
        holding in_a = hold(&a->mesh[0], &b->mesh[i], a->same, true), in_b = hold(&b->mesh[i], &a->mesh[0], b->same, true);
        add_way_out(&in_a, true, list);
        add_way_out(&in_b, false, list);
    }
}

/* ---- both ---- */

static bool meets(void *context, const mesh_triangle *a, const mesh_triangle *b, double *reach) {
    (void)context;
    (void)reach;
    return triangles_meet(a->corner, b->corner) == TRIANGLES_APART;
}

bool mesh_mixed_is_apart(const mesh_surface *a, const mesh_surface *b) {
    const placed_mesh *p = &a->mesh[0];
    bool apart = true;
    for (int32_t i = 0; i < b->count && apart; ++i) {
        const placed_mesh *q = &b->mesh[i];
        apart = mesh_near_pairs(p, q, 0.0, meets, NULL) && !hold(p, q, a->same, false).holds && !hold(q, p, b->same, false).holds;
    }
    return apart;
}

static bool is_touching(const contact_list *found) {
    for (int32_t i = 0; i < found->count; ++i) {
        if (found->items[i].gap <= 0.0) {
            return true;
        }
    }
    return false;
}

bool mesh_mixed_complete(const mesh_surface *a, const mesh_surface *b, const mesh_pair_settings *settings, contact_list *found,
                         contact_list *list) {
    if (is_touching(found)) {
        return true;
    }
    if (!mesh_cross(a, b, settings->weld, found)) {
        return false;
    }
    if (!is_touching(found) && !mesh_open_cross(a, b, settings, list)) {
        return false;
    }
    if (!is_touching(found) && !is_touching(list)) {
        add_ways_out(a, b, list);
    }
    return !list->out_of_memory;
}
