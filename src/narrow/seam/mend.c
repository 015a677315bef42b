/* One surface of bodies that stand still beside each other: see mend.h. */
#include "narrow/seam/mend.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"
#include "geom/closest.h"
#include "narrow/normal/feature.h"
#include "narrow/normal/gauge.h"
#include "narrow/patch/patch.h"
#include "narrow/seam/admit.h"
#include "narrow/seam/around.h"
#include "shape/bounds.h"

seam_pair seam_of_pair(const collide_pair *pair, bool still_is_a, const still_bodies *others) {
    abut_mat3 identity = abut_mat3_identity();
    abut_vec3 origin = {0.0, 0.0, 0.0};
    seam_pair seam = {.pair = pair, .still_is_a = still_is_a, .others = others};
    seam.body = still_is_a ? pair->b : pair->a;
    seam.still = still_is_a ? pair->a : pair->b;
    seam.body_rotation = still_is_a ? pair->rotation_b : identity;
    seam.still_rotation = still_is_a ? identity : pair->rotation_b;
    seam.body_position = still_is_a ? pair->position_b : origin;
    seam.still_position = still_is_a ? origin : pair->position_b;
    return seam;
}

/* ---- the pair ---- */

static int32_t part_count(const abut_shape *shape) { return shape->kind == ABUT_SHAPE_COMPOUND ? shape->part_count : 0; }

static abut_vec3 on_still(const seam_pair *seam, const abut_contact *contact) { return seam->still_is_a ? contact->on_a : contact->on_b; }
static abut_feature of_still(const seam_pair *seam, const abut_contact *contact) {
    return seam->still_is_a ? contact->feature_a : contact->feature_b;
}
static abut_feature of_body(const seam_pair *seam, const abut_contact *contact) {
    return seam->still_is_a ? contact->feature_b : contact->feature_a;
}
static abut_vec3 out_of_still(const seam_pair *seam, const abut_contact *contact) {
    return seam->still_is_a ? abut_neg(contact->normal) : contact->normal;
}

/* The smaller size of the two; a plane has none. */
static double smaller_size(const abut_shape *p, const abut_shape *q) {
    return p->size == 0.0 || q->size == 0.0 ? p->size + q->size : real_min(p->size, q->size);
}

/* Tolerances are relative to the smaller body, or to the smallest part of a compound. */
static still_scale scale_of(const seam_pair *seam) {
    const abut_shape *still = seam->still;
    double size = smaller_size(seam->body, still);
    for (int32_t i = 0; i < part_count(still); ++i) {
        size = real_min(size, still->parts[i].shape->size);
    }
    double far = abut_length(seam->still_position) + abut_length(seam->body_position) + size;
    return (still_scale){.level = 1e-5 * size + 1e-14 * far, .crack = 2e-4 * size + 1e-13 * far, .reach = seam->body->size};
}

/* One part of the still body. */
static still_part own_part(const seam_pair *seam, int32_t index) {
    return part_count(seam->still) > 0 ? still_part_in(seam->still, seam->still_rotation, seam->still_position, index)
                                       : still_part_of(seam->still, seam->still_rotation, seam->still_position);
}

/* A part of the body that touches the still one. */
static convex body_part(const seam_pair *seam, int32_t index) {
    bool parted = part_count(seam->body) > 0;
    still_part part = parted ? still_part_in(seam->body, seam->body_rotation, seam->body_position, index)
                             : still_part_of(seam->body, seam->body_rotation, seam->body_position);
    part.body.part = parted ? index : 0;
    return part.body;
}

static bool body_is_convex(const seam_pair *seam) { return seam->body->kind == ABUT_SHAPE_COMPOUND || shape_is_convex(seam->body); }

static abut_vec3 viewer_of(const seam_pair *seam, int32_t index) {
    if (body_is_convex(seam)) {
        convex part = body_part(seam, index);
        return convex_inner_centre(&part);
    }
    abut_vec3 middle = abut_lerp(seam->body->bounds.lower, seam->body->bounds.upper, 0.5);
    return abut_add(abut_mat3_apply(seam->body_rotation, middle), seam->body_position);
}

/* ---- which contacts stay ---- */

static int32_t part_of(abut_feature feature) { return feature.part > 0 ? feature.part : 0; }

/* Whether the contact is a witness whose points do not lie above each other. A convex body that leans by a rounding over the border of another one has no
 * better contact with it alone; with a neighbour beyond the border it has. */
static bool is_aside(const still_solid *solid, const abut_contact *contact) {
    abut_vec3 apart = abut_sub(contact->on_a, contact->on_b);
    abut_vec3 aside = abut_add_scaled(apart, -abut_dot(apart, contact->normal), contact->normal);
    return (contact->flags & ABUT_CONTACT_WITNESS) != 0 && abut_length(aside) > solid->scale.crack;
}

/* The place of an edge that is nearest to the point. */
static abut_vec3 nearest_on_edge(const convex *body, int32_t edge, abut_vec3 point) {
    abut_vec3 end[2];
    feature_edge(body, edge, end);
    return abut_lerp(end[0], end[1], closest_on_segment(point, end[0], end[1]));
}

/* The point at which a normal is judged. Contacts of bodies that will meet can lie below the place that is extreme along their normal; the normal belongs
 * to that place. On an edge, it is that next to the contact. */
static abut_vec3 judged_at(const still_solid *solid, const still_part *own, abut_vec3 point, abut_vec3 outward) {
    if (own->mesh != NULL || own->is_plane) {
        return point;
    }
    const convex *body = &own->body;
    abut_vec3 extreme;
    convex_support(body, outward, &extreme);
    if (!(abut_dot(outward, abut_sub(extreme, point)) + body->radius > solid->scale.level)) {
        return point;
    }
    if (body->core == CORE_POLYTOPE) {
        abut_feature picked = feature_pick(body, outward, FEATURE_EXACT_SINE);
        extreme = picked.kind == ABUT_FEATURE_EDGE ? nearest_on_edge(body, picked.index, point) : extreme;
    }
    return abut_add_scaled(extreme, body->radius, outward);
}

/* Whether the still mesh itself rises above the plane of the contact. The normal of two meshes is that of all meshes near them together; besides those that lie
 * there as one surface, it may belong to a side that a neighbour hides. */
static bool is_overtopped(const seam_pair *seam, const still_solid *solid, const still_part *own, abut_vec3 point, abut_vec3 outward) {
    return seam->body->kind == ABUT_SHAPE_TRIMESH && own->mesh != NULL && still_face(own, point, outward, solid->scale.level) < 0 &&
           still_rises(solid, own, point, outward);
}

/* Whether the contact may stay. True without memory, which the solid tells. A contact at a joint of level faces gets the name of its face; it is fixed to no
 * edge. */
static bool is_valid(const seam_pair *seam, still_solid *solid, abut_contact *contact) {
    int32_t index = part_count(seam->still) > 0 ? part_of(of_still(seam, contact)) : 0;
    still_part own = own_part(seam, index);
    abut_vec3 outward = out_of_still(seam, contact), point = judged_at(solid, &own, on_still(seam, contact), outward);
    surroundings_pick(solid->around, index, point, solid);
    if (solid->count == 0 || solid->out_of_memory) {
        return true;
    }
    solid->viewer = viewer_of(seam, part_of(of_body(seam, contact)));
    if (is_aside(solid, contact) || is_overtopped(seam, solid, &own, point, outward) || !seam_admits(solid, &own, point, outward)) {
        return false;
    }
    abut_feature *feature = seam->still_is_a ? &contact->feature_a : &contact->feature_b;
    int32_t face = -1;
    if (feature->kind == ABUT_FEATURE_EDGE || feature->kind == ABUT_FEATURE_VERTEX) {
        face = seam_flat_face(solid, &own, point, outward);
    }
    if (face >= 0) {
        *feature = (abut_feature){.kind = ABUT_FEATURE_FACE, .index = face, .part = feature->part};
    }
    return true;
}

static int32_t end_of_patch(const contact_list *list, int32_t first) {
    int32_t end = first + 1;
    while (end < list->count && list->items[end].patch == list->items[first].patch) {
        ++end;
    }
    return end;
}

/* Whether a patch may stay: one of its contacts is enough. A body that has sunk into a corner keeps its contacts below the wall. */
static bool keeps_patch(const seam_pair *seam, still_solid *solid, contact_list *list, int32_t first, int32_t end) {
    bool valid = false;
    for (int32_t i = first; i < end; ++i) {
        valid = is_valid(seam, solid, &list->items[i]) || valid;
    }
    return valid;
}

/* ---- contacts along an open face ---- */

static bool are_of_same_parts(const seam_pair *seam, const abut_contact *p, const abut_contact *q) {
    return part_of(of_body(seam, p)) == part_of(of_body(seam, q)) && part_of(of_still(seam, p)) == part_of(of_still(seam, q));
}

static bool has_contact(const seam_pair *seam, const contact_list *list, const abut_contact *lost) {
    for (int32_t i = 0; i < list->count; ++i) {
        if (are_of_same_parts(seam, &list->items[i], lost)) {
            return true;
        }
    }
    return false;
}

/* The contacts of a pair that may not stay. */
typedef struct lost_contacts {
    abut_contact *items;
    int32_t count;
} lost_contacts;

/* Whether a lost contact of the same parts lies on the plane of the face: then the face goes on where the hidden side begins. */
static bool is_met(const seam_pair *seam, const still_solid *solid, const lost_contacts *lost, const abut_contact *one, const convex *still,
                   int32_t face) {
    abut_vec3 outward = feature_face_normal(still, face);
    double height = convex_face_offset(still, face) + abut_dot(outward, still->position);
    for (int32_t i = 0; i < lost->count; ++i) {
        double above = abut_dot(outward, on_still(seam, &lost->items[i])) - height;
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
    if (deep || !keeps_patch(seam, solid, list, first, list->count)) {
        list->count = first;
    }
    return list->count - first;
}

/* A contact at the border of a mesh whose points lie above each other along the triangle's normal, as over a crack: it gets this normal. Others are gone. */
static void straighten(const seam_pair *seam, still_solid *solid, const abut_contact *lost, contact_list *list) {
    abut_contact contact = *lost;
    still_part own = own_part(seam, 0);
    abut_vec3 outward, apart = abut_sub(contact.on_a, contact.on_b);
    int32_t triangle = still_triangle(&own, on_still(seam, lost), solid->scale.crack, out_of_still(seam, lost), &outward);
    if (triangle < 0) {
        return;
    }
    contact.normal = seam->still_is_a ? abut_neg(outward) : outward;
    contact.gap = abut_dot(contact.normal, apart);
    bool above = abut_length(abut_add_scaled(apart, -contact.gap, contact.normal)) <= solid->scale.crack;
    *(seam->still_is_a ? &contact.feature_a : &contact.feature_b) =
        (abut_feature){.kind = ABUT_FEATURE_FACE, .index = triangle, .part = of_still(seam, lost).part};
    contact.patch = list->count > 0 ? list->items[list->count - 1].patch + 1 : 0;
    if (above && contact.gap <= seam->pair->normal.margin && is_valid(seam, solid, &contact)) {
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
    if (is_valid(r->seam, r->solid, &contact)) {
        r->best = contact;
        r->found = true;
    }
    return false;
}

/* A point of a mesh at a side that a neighbour hides, a little below an open face beside it: the contact with this face that is least deep. */
static void raise_point(const seam_pair *seam, still_solid *solid, const abut_contact *lost, contact_list *list) {
    const double most_sunk = 0.05;
    still_part own = own_part(seam, part_of(of_still(seam, lost)));
    raising r = {.seam = seam, .solid = solid, .own = &own, .lost = *lost};
    solid->viewer = viewer_of(seam, part_of(of_body(seam, lost)));
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
    int32_t part = part_of(of_still(seam, one));
    still_part own = own_part(seam, part);
    if (own.mesh != NULL || own.is_plane) {
        return;
    }
    convex body = body_part(seam, part_of(of_body(seam, one))), still = own.body;
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

/* ---- a pair ---- */

/* Whether nothing else comes near a contact. Most bodies that lie on several others touch them far from each other. */
static bool is_alone(const seam_pair *seam, const contact_list *list, const surroundings *around) {
    bool parted = part_count(seam->still) > 0;
    const still_solid *all = &around->all;
    for (int32_t i = 0; i < all->count; ++i) {
        for (int32_t c = 0; c < list->count; ++c) {
            bool own = parted && all->part[i].index == part_of(of_still(seam, &list->items[c]));
            if (!own && still_is_near(&all->scale, &all->part[i], on_still(seam, &list->items[c]))) {
                return false;
            }
        }
    }
    return true;
}

/* Whether a compound alone is met so deep that its parts are no level surface any more. Its own rules then choose the least deep part (narrow/compound.c). */
static bool is_deep_in_parts(const seam_pair *seam, const contact_list *list) {
    const double most_sunk = 0.02;
    for (int32_t i = 0; i < list->count && seam->others == NULL; ++i) {
        if (list->items[i].gap < -most_sunk * seam->body->size) {
            return true;
        }
    }
    return false;
}

static void mend(const seam_pair *seam, const surroundings *around, contact_list *list) {
    still_solid solid = {.scale = around->all.scale, .around = around};
    lost_contacts lost = {.items = memory_allocate((size_t)list->count, sizeof *lost.items)};
    int32_t kept = 0;
    list->out_of_memory = lost.items == NULL;
    for (int32_t first = 0, end, count = list->count; first < count && lost.items != NULL; first = end) {
        end = end_of_patch(list, first);
        bool valid = keeps_patch(seam, &solid, list, first, end);
        for (int32_t i = first; i < end; ++i) {
            *(valid ? &list->items[kept++] : &lost.items[lost.count++]) = list->items[i];
        }
    }
    list->count = kept;
    for (int32_t i = 0; i < lost.count; ++i) {
        if (!body_is_convex(seam)) {
            raise_point(seam, &solid, &lost.items[i], list);
        } else if (seam->still->kind == ABUT_SHAPE_TRIMESH) {
            straighten(seam, &solid, &lost.items[i], list);
        } else if (!has_contact(seam, list, &lost.items[i])) {
            use_open_face(seam, &solid, &lost, &lost.items[i], list);
        }
    }
    bool buried = list->count == 0 && seam->others == NULL;
    for (int32_t i = 0; i < lost.count && buried; ++i) {
        contact_list_add(list, &lost.items[i]); /* inside a compound on all sides: any contact is better than none */
    }
    list->out_of_memory = list->out_of_memory || solid.out_of_memory;
    still_release(&solid);
    memory_release(lost.items);
}

void seam_mend(const seam_pair *seam, contact_list *list) {
    if (list->count == 0 || list->out_of_memory || !still_is_known(seam->still) || is_deep_in_parts(seam, list)) {
        return;
    }
    still_scale scale = scale_of(seam);
    abut_aabb touched = bounds_empty();
    for (int32_t i = 0; i < list->count; ++i) {
        bounds_include(&touched, on_still(seam, &list->items[i]));
    }
    surroundings around = surroundings_in(seam->others, seam->still, seam->still_rotation, seam->still_position, &scale, touched);
    if (!around.all.out_of_memory && !is_alone(seam, list, &around)) {
        mend(seam, &around, list);
    }
    list->out_of_memory = list->out_of_memory || around.all.out_of_memory;
    surroundings_release(&around);
}
