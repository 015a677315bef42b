/* From the contacts of the triangles to those of the surfaces. Pair's frame. */
#include "narrow/curved/curved.h"

#include "base/real.h"
#include "narrow/curved/inside.h"
#include "narrow/curved/settle.h"
#include "shape/smooth.h"
#include "shape/surface/triangulation_data.h"
#include "shape/trimesh.h"
#include "shape/user.h"

/* ---- stand-ins ---- */

const abut_shape *curved_stand_in(const abut_shape *shape) {
    if (!smooth_is_unknown(shape)) {
        return shape;
    }
    return shape->user->triangles != NULL ? shape->user->triangles->mesh : NULL;
}

double curved_error(const abut_shape *shape) { return smooth_is_unknown(shape) ? shape->user->triangles->error : 0.0; }

bool curved_any(const abut_shape *a, const abut_shape *b) {
    return (smooth_is_unknown(a) || smooth_is_unknown(b)) && a->kind != ABUT_SHAPE_FACETMESH && b->kind != ABUT_SHAPE_FACETMESH;
}

bool curved_pair(const collide_pair *pair, collide_pair *seen) {
    const abut_shape *a = curved_stand_in(pair->a), *b = curved_stand_in(pair->b);
    if (a == NULL || b == NULL) {
        return false;
    }
    *seen = *pair;
    seen->a = a;
    seen->b = b;
    seen->normal.cache = NULL;
    seen->normal.margin += curved_error(pair->a) + curved_error(pair->b);
    return true;
}

/* ---- one contact ---- */

/* A triangle that has the feature of the stand-in. */
static int32_t triangle_at(const abut_shape *shape, abut_feature feature) {
    if (feature.kind == ABUT_FEATURE_FACE) {
        return feature.index;
    }
    return feature.kind == ABUT_FEATURE_EDGE ? feature.index / 3 : shape->user->triangles->at_vertex[feature.index];
}

enum { KINDS = 4 }; /* of features in a name */

abut_feature curved_name(abut_feature of_mesh) {
    return (abut_feature){.kind = ABUT_FEATURE_SMOOTH, .index = KINDS * of_mesh.index + (int32_t)of_mesh.kind - (int32_t)ABUT_FEATURE_FACE};
}

int32_t curved_triangle_of(const abut_shape *shape, abut_feature name) {
    const trimesh *mesh = shape->user->triangles->mesh->mesh;
    abut_feature of_mesh = {.kind = (abut_feature_kind)(ABUT_FEATURE_FACE + name.index % KINDS), .index = name.index / KINDS};
    int32_t count = of_mesh.kind == ABUT_FEATURE_FACE   ? mesh->triangle_count
                    : of_mesh.kind == ABUT_FEATURE_EDGE ? 3 * mesh->triangle_count
                                                        : mesh->vertex_count;
    return name.index >= 0 && of_mesh.index < count ? triangle_at(shape, of_mesh) : -1;
}

static side_place place_of(const collide_pair *pair, bool of_a) {
    return of_a ? (side_place){abut_mat3_identity(), {0, 0, 0}} : (side_place){pair->rotation_b, pair->position_b};
}

static bool begin(const collide_pair *pair, const abut_contact *contact, bool of_a, contact_side *side) {
    const abut_shape *shape = of_a ? pair->a : pair->b;
    abut_feature feature = of_a ? contact->feature_a : contact->feature_b;
    abut_vec3 point = of_a ? contact->on_a : contact->on_b;
    side_place place = place_of(pair, of_a);
    if (smooth_is_unknown(shape)) {
        return contact_side_begin_curved(side, shape, place, triangle_at(shape, feature), point);
    }
    shape = side_part(shape, feature.part, &place);
    return contact_side_begin(side, shape, place, feature, point, of_a ? abut_neg(contact->normal) : contact->normal);
}

static double cell_of(const abut_shape *shape) { return smooth_is_unknown(shape) ? shape->user->triangles->cell : 0.0; }

/* The normal of a triangle is wrong by up to the angle over which the surface turns in it, and so is the direction to a point apart. */
static double reach_of(const collide_pair *pair, double gap) {
    const double cells = 4.0, turn = 0.5;
    return cells * (cell_of(pair->a) + cell_of(pair->b)) + turn * fabs(gap);
}

static double size_of(const collide_pair *pair) { return pair->a->size + pair->b->size; }

/* Moves a contact of the mesh. */
static contact_settled settle(const collide_pair *pair, abut_contact *contact) {
    contact_side side[2];
    if (!begin(pair, contact, true, &side[0]) || !begin(pair, contact, false, &side[1])) {
        return CONTACT_UNSETTLED;
    }
    int lead = smooth_is_unknown(pair->a) ? 0 : 1;
    contact_settled settled = contact_sides_settle_somewhere(&side[lead], &side[1 - lead], size_of(pair), reach_of(pair, contact->gap));
    if (settled == CONTACT_UNSETTLED) {
        return settled;
    }
    contact->on_a = side[0].point;
    contact->on_b = side[1].point;
    contact->normal = abut_unit(lead == 0 ? abut_neg(side[0].outward) : side[1].outward);
    contact->gap = abut_dot(contact->normal, abut_sub(contact->on_a, contact->on_b));
    if (!smooth_is_unknown(pair->a)) {
        contact->feature_a.kind = side[0].feature.kind;
        contact->feature_a.index = side[0].feature.index;
    }
    if (!smooth_is_unknown(pair->b)) {
        contact->feature_b.kind = side[1].feature.kind;
        contact->feature_b.index = side[1].feature.index;
    }
    return settled;
}

/* ---- all contacts ---- */

/* Contacts of one patch of the mesh stay one patch while they have one normal, as a torus on a table has. */
static void join_patch(abut_contact *last, int32_t old_patch, int32_t last_old_patch, abut_contact *contact) {
    const double same = 1e-9;
    bool joined = last != NULL && old_patch == last_old_patch && abut_distance_between(last->normal, contact->normal) <= same;
    contact->patch = joined ? last->patch : last != NULL ? last->patch + 1 : 0;
    if (joined) {
        contact->normal = last->normal;
        contact->gap = abut_dot(contact->normal, abut_sub(contact->on_a, contact->on_b));
    }
}

/* Settles all that do. Returns the least gap of these. */
static double settle_all(const collide_pair *pair, contact_list *list) {
    double least = INFINITY;
    for (int32_t i = 0; i < list->count; ++i) {
        abut_contact *contact = &list->items[i];
        if (settle(pair, contact) == CONTACT_SETTLED) {
            contact->area = 0.0;
            contact->flags &= ~(uint32_t)ABUT_CONTACT_WITNESS;
            least = real_min(least, contact->gap);
        } else {
            contact->flags |= ABUT_CONTACT_WITNESS;
        }
    }
    return least;
}

static void name(const collide_pair *pair, const contact_list *list, abut_contact *contact) {
    contact->feature_a = smooth_is_unknown(pair->a) ? curved_name(contact->feature_a) : contact->feature_a;
    contact->feature_b = smooth_is_unknown(pair->b) ? curved_name(contact->feature_b) : contact->feature_b;
    contact->id = contact_list_id(list, contact->feature_a, contact->feature_b, contact->normal);
}

/* Triangles that lie nearly flat on a face meet it in a polygon, whose corners need not be near a place where the surfaces face each other. So a contact that
 * has not settled counts only where it is deeper than all that have. */
static void settle_list(const collide_pair *pair, contact_list *list) {
    double size = size_of(pair), most = pair->normal.margin + CONTACT_ROUNDING * size, least = settle_all(pair, list);
    int32_t kept = 0, last_patch = -1;
    for (int32_t i = 0; i < list->count; ++i) {
        abut_contact contact = list->items[i];
        int32_t patch = contact.patch;
        bool settled = contact_is_settled(&contact);
        if (contact.gap > most || (settled ? contact_list_has(list, kept, &contact, pair->weld * size) : contact.gap >= least)) {
            continue;
        }
        name(pair, list, &contact);
        join_patch(kept > 0 ? &list->items[kept - 1] : NULL, patch, last_patch, &contact);
        list->items[kept++] = contact;
        last_patch = patch;
    }
    list->count = kept;
}

void curved_settle(const collide_pair *pair, contact_list *list) {
    if (list->count == 0) {
        curved_add_inside(pair, list);
    }
    settle_list(pair, list);
}
