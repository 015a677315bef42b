/* Contacts in place of lost ones: see replace.h. */
#include "narrow/seam/replace.h"

#include "base/real.h"
#include "narrow/normal/feature.h"
#include "narrow/normal/gauge.h"
#include "narrow/patch/patch.h"

/* ---- contacts along an open face ---- */

static bool are_of_same_parts(const seam_pair *seam, const abut_contact *p, const abut_contact *q) {
    return seam_part_of(seam_of_body(seam, p)) == seam_part_of(seam_of_body(seam, q)) &&
           seam_part_of(seam_of_still(seam, p)) == seam_part_of(seam_of_still(seam, q));
}

static bool has_contact(const seam_pair *seam, const contact_list *list, const abut_contact *lost) {
    for (int32_t i = 0; i < list->count; ++i) {
        if (are_of_same_parts(seam, &list->items[i], lost)) {
            return true;
        }
    }
    return false;
}

/* Whether a lost contact of the same parts lies on the plane of the face: then the face goes on where the hidden side begins. */
static bool is_met(const seam_pair *seam, const still_solid *solid, const lost_contacts *lost, const abut_contact *one, const convex *still,
                   int32_t face) {
    abut_vec3 outward = feature_face_normal(still, face);
    double height = convex_face_offset(still, face) + abut_dot(outward, still->position);
    for (int32_t i = 0; i < lost->count; ++i) {
        double above = abut_dot(outward, seam_on_still(seam, &lost->items[i])) - height;
        if (above > -solid->scale.crack && are_of_same_parts(seam, &lost->items[i], one)) {
            return true;
        }
    }
    return false;
}

/* The deepest point of the body below a face, if it is over the face, or over a crack beside it. */
static void add_deepest(const seam_pair *seam, const still_solid *solid, const convex *body, const convex *still, int32_t face,
                        int32_t patch, contact_list *list) {
    abut_vec3 outward = feature_face_normal(still, face), inward = abut_neg(outward), on_body;
    int32_t vertex = convex_support(body, inward, &on_body);
    on_body = abut_add_scaled(on_body, body->radius, inward);
    double height = convex_face_offset(still, face) + abut_dot(outward, still->position);
    double gap = abut_dot(outward, on_body) - height;
    abut_vec3 on_face = abut_add_scaled(on_body, -gap, outward);
    if (gap > seam->pair->normal.margin || convex_depth_of(still, on_face) < -solid->scale.crack) {
        return;
    }
    abut_feature of_face = feature_of_shape(still, (abut_feature){.kind = ABUT_FEATURE_FACE, .index = face});
    abut_feature of_vertex = feature_of_shape(body, (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = vertex});
    bool a = seam->still_is_a;
    abut_contact contact = {.on_a = a ? on_face : on_body,
                            .on_b = a ? on_body : on_face,
                            .normal = a ? inward : outward,
                            .gap = gap,
                            .feature_a = a ? of_face : of_vertex,
                            .feature_b = a ? of_vertex : of_face,
                            .patch = patch};
    contact.id = contact_list_id(list, contact.feature_a, contact.feature_b, contact.normal);
    contact_list_add(list, &contact);
}

/* Adds the contacts along a face as far as they may act and their gaps are not below `least`. Returns how many there are. */
static int32_t use_face(const seam_pair *seam, still_solid *solid, const convex *body, const convex *still, int32_t face, double least,
                        contact_list *list) {
    int32_t first = list->count, patch = first > 0 ? list->items[first - 1].patch + 1 : 0;
    abut_vec3 outward = feature_face_normal(still, face);
    const convex *a = seam->still_is_a ? still : body, *b = seam->still_is_a ? body : still;
    patch_settings settings = collide_patch_settings(seam->pair, real_min(a->size, b->size));
    settings.partial = true;
    contact_normal normal = {.direction = seam->still_is_a ? outward : abut_neg(outward)};
    normal.gap = -gauge_support(a, b, normal.direction);
    if (normal.gap > seam->pair->normal.margin) {
        return 0;
    }
    patch_build(a, b, &normal, &settings, patch, list);
    if (list->count == first) {
        add_deepest(seam, solid, body, still, face, patch, list);
    }
    bool deep = false;
    for (int32_t i = first; i < list->count; ++i) {
        deep = deep || list->items[i].gap < least;
    }
    if (deep || !seam_keeps_patch(seam, solid, list, first, list->count)) {
        list->count = first;
    }
    return list->count - first;
}

/* The body's point that touches along the normal, given the one that touches along the lost normal: a round body rolls to another one. */
static abut_vec3 touching_point(const seam_pair *seam, const abut_contact *lost, abut_vec3 outward) {
    const convex body = seam_body_part(seam, seam_part_of(seam_of_body(seam, lost)));
    abut_vec3 point = seam->still_is_a ? lost->on_b : lost->on_a;
    if (body.core == CORE_SMOOTH) {
        convex_support(&body, abut_neg(outward), &point);
    }
    return abut_add_scaled(point, body.radius, abut_sub(seam_out_of_still(seam, lost), outward));
}

/* Whether the body may touch along the normal at that point. A round surface has only one point with a normal, its lowest one. A rolling body's surface moves
 * down at any point before it, so that a contact there with this normal would be a bump. */
static bool is_lowest(const seam_pair *seam, const still_solid *solid, const abut_contact *contact, abut_vec3 outward) {
    const abut_feature feature = seam_of_body(seam, contact);
    const convex body = seam_body_part(seam, seam_part_of(feature));
    const abut_vec3 on_body = seam->still_is_a ? contact->on_b : contact->on_a;
    bool flat = (body.core == CORE_POLYTOPE && body.radius == 0.0) || (body.core == CORE_FRUSTUM && feature.kind == ABUT_FEATURE_FACE);
    double height = abut_dot(outward, on_body) + convex_extent(&body, abut_neg(outward)) + body.radius;
    double across = solid->scale.crack; /* the lowest point may lie over a crack */
    return flat || height <= across * across / body.size + 1e-14 * (abut_length(on_body) + body.size);
}

/* A contact at the border of a mesh whose points lie above each other along the triangle's normal, as over a crack: it gets this normal. Others are gone. */
static void straighten(const seam_pair *seam, still_solid *solid, const abut_contact *lost, contact_list *list) {
    abut_contact contact = *lost;
    still_part own = seam_own_part(seam, 0);
    abut_vec3 outward;
    int32_t triangle = still_triangle(&own, seam_on_still(seam, lost), solid->scale.crack, seam_out_of_still(seam, lost), &outward);
    if (triangle < 0) {
        return;
    }
    abut_vec3 on_body = touching_point(seam, lost, outward), apart = abut_sub(on_body, seam_on_still(seam, lost));
    contact.normal = seam->still_is_a ? abut_neg(outward) : outward;
    contact.gap = abut_dot(outward, apart);
    bool above = abut_length(abut_add_scaled(apart, -contact.gap, outward)) <= solid->scale.crack;
    *(seam->still_is_a ? &contact.on_b : &contact.on_a) = on_body;
    *(seam->still_is_a ? &contact.on_a : &contact.on_b) = abut_add_scaled(on_body, -contact.gap, outward);
    *(seam->still_is_a ? &contact.feature_a : &contact.feature_b) =
        (abut_feature){.kind = ABUT_FEATURE_FACE, .index = triangle, .part = seam_of_still(seam, lost).part};
    contact.patch = list->count > 0 ? list->items[list->count - 1].patch + 1 : 0;
    if (above && contact.gap <= seam->pair->normal.margin && is_lowest(seam, solid, &contact, outward) &&
        seam_keeps(seam, solid, &contact)) {
        contact_list_add(list, &contact);
    }
}

/* The open face to which a point of a mesh is raised. */
typedef struct raising {
    const seam_pair *seam;
    still_solid *solid;
    const still_part *own;
    abut_contact lost, best;
    bool found;
} raising;

static bool raise_to(void *context, abut_vec3 outward, double height) {
    raising *r = context;
    abut_contact contact = r->lost;
    bool a = r->seam->still_is_a;
    abut_vec3 on_body = a ? contact.on_b : contact.on_a;
    contact.gap = abut_dot(outward, on_body) - height;
    abut_vec3 on_face = abut_add_scaled(on_body, -contact.gap, outward);
    if (contact.gap > r->seam->pair->normal.margin || (r->found && contact.gap <= r->best.gap)) {
        return false;
    }
    *(a ? &contact.on_a : &contact.on_b) = on_face;
    contact.normal = a ? abut_neg(outward) : outward;
    int32_t face = still_face(r->own, on_face, outward, r->solid->scale.level);
    if (face >= 0) {
        abut_feature *feature = a ? &contact.feature_a : &contact.feature_b;
        *feature = (abut_feature){.kind = ABUT_FEATURE_FACE, .index = face, .part = feature->part};
    }
    if (seam_keeps(r->seam, r->solid, &contact)) {
        r->best = contact;
        r->found = true;
    }
    return false;
}

/* A point of a mesh at a side that a neighbour hides, a little below an open face beside it: the contact with this face that is least deep. */
static void raise_point(const seam_pair *seam, still_solid *solid, const abut_contact *lost, contact_list *list) {
    const double most_sunk = 0.05;
    still_part own = seam_own_part(seam, seam_part_of(seam_of_still(seam, lost)));
    raising r = {.seam = seam, .solid = solid, .own = &own, .lost = *lost};
    solid->viewer = seam_viewer(seam, seam_part_of(seam_of_body(seam, lost)));
    still_faces(solid, &own, seam->still_is_a ? lost->on_b : lost->on_a, most_sunk * solid->scale.reach, raise_to, &r);
    if (r.found) {
        r.best.patch = list->count > 0 ? list->items[list->count - 1].patch + 1 : 0;
        r.best.id = contact_list_id(list, r.best.feature_a, r.best.feature_b, r.best.normal);
        contact_list_add(list, &r.best);
    }
}

static int32_t count_faces(const convex *still) {
    return still->core == CORE_POLYTOPE ? still->surface->face_count : still->core == CORE_FRUSTUM ? 2 : 0;
}

/* The open face along which the body is least deep. */
static void use_open_face(const seam_pair *seam, still_solid *solid, const lost_contacts *lost, const abut_contact *one,
                          contact_list *list) {
    int32_t part = seam_part_of(seam_of_still(seam, one));
    still_part own = seam_own_part(seam, part);
    if (own.mesh != NULL || own.is_plane) {
        return;
    }
    convex body = seam_body_part(seam, seam_part_of(seam_of_body(seam, one))), still = own.body;
    still.part = part;
    double least = one->gap > 0.0 ? -4.0 * solid->scale.level : -INFINITY; /* bodies that are apart have no depth */
    int32_t last = -1;
    double before = INFINITY;
    for (int32_t tried = 0, count = count_faces(&still); tried < count && !list->out_of_memory && !solid->out_of_memory; ++tried) {
        int32_t best = -1;
        double gap = -INFINITY;
        for (int32_t f = 0; f < count; ++f) {
            double here = -gauge_support(&still, &body, feature_face_normal(&still, f));
            if (here > gap && (here < before || (here == before && f > last)) && is_met(seam, solid, lost, one, &still, f)) {
                best = f;
                gap = here;
            }
        }
        if (best < 0 || use_face(seam, solid, &body, &still, best, least, list) > 0) {
            return;
        }
        before = gap;
        last = best;
    }
}

void seam_replace(const seam_pair *seam, still_solid *solid, const lost_contacts *lost, contact_list *list) {
    for (int32_t i = 0; i < lost->count; ++i) {
        if (!seam_body_is_convex(seam)) {
            raise_point(seam, solid, &lost->items[i], list);
        } else if (seam->still->kind == ABUT_SHAPE_TRIMESH) {
            straighten(seam, solid, &lost->items[i], list);
        } else if (!has_contact(seam, list, &lost->items[i])) {
            use_open_face(seam, solid, lost, &lost->items[i], list);
        }
    }
}
