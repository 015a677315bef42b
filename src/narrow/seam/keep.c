/* Which contacts may stay: see keep.h. */
#include "narrow/seam/keep.h"

#include "geom/closest.h"
#include "narrow/normal/feature.h"
#include "narrow/seam/admit.h"
#include "narrow/seam/around.h"

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
 * there as one surface, it may belong to a side that a neighbour hides. So may a corner inside a mesh ahead of a body that is apart: the border in front of it,
 * which has that normal, belongs to the neighbour. */
static bool is_overtopped(const seam_pair *seam, const still_solid *solid, const still_part *own, const abut_contact *contact,
                          abut_vec3 point, abut_vec3 outward) {
    return (seam->body->kind == ABUT_SHAPE_TRIMESH || contact->gap > 0.0) && own->mesh != NULL &&
           still_face(own, point, outward, solid->scale.level) < 0 && still_rises(solid, own, point, outward);
}

/* What the bodies beside the still one say of a contact. */
typedef enum verdict {
    OPEN,      /* it may act */
    HIDDEN,    /* it may not */
    SUPERSEDED /* it may not, and a neighbour's face tells the normal there */
} verdict;

/* A contact and where it is judged. */
typedef struct judged_contact {
    abut_contact *contact;
    still_part own;
    abut_vec3 point;
    seam_level face; /* if it is superseded: by this one */
} judged_contact;

static verdict judge(const seam_pair *seam, still_solid *solid, judged_contact *judged) {
    abut_contact *contact = judged->contact;
    int32_t index = seam_part_count(seam->still) > 0 ? seam_part_of(seam_of_still(seam, contact)) : 0;
    const still_part own = judged->own = seam_own_part(seam, index);
    abut_vec3 outward = seam_out_of_still(seam, contact), point = judged_at(solid, &own, seam_on_still(seam, contact), outward);
    judged->point = point;
    surroundings_pick(solid->around, index, point, solid);
    if (solid->count == 0 || solid->out_of_memory) {
        return OPEN;
    }
    solid->viewer = seam_viewer(seam, seam_part_of(seam_of_body(seam, contact)));
    if (seam_supersedes(solid, &own, point, outward, &judged->face)) {
        return SUPERSEDED;
    }
    if (is_aside(solid, contact) || is_overtopped(seam, solid, &own, contact, point, outward) ||
        !seam_admits(solid, &own, point, outward)) {
        return HIDDEN;
    }
    abut_feature *feature = seam->still_is_a ? &contact->feature_a : &contact->feature_b;
    int32_t face = -1;
    if (feature->kind == ABUT_FEATURE_EDGE || feature->kind == ABUT_FEATURE_VERTEX) {
        face = seam_flat_face(solid, &own, point, outward);
    }
    if (face >= 0) {
        *feature = (abut_feature){.kind = ABUT_FEATURE_FACE, .index = face, .part = feature->part};
    }
    return OPEN;
}

bool seam_keeps(const seam_pair *seam, still_solid *solid, abut_contact *contact) {
    judged_contact judged = {.contact = contact};
    return judge(seam, solid, &judged) == OPEN;
}

/* Whether one of the contacts that may act is not below a face. */
static bool has_other_than_below(const seam_pair *seam, still_solid *solid, contact_list *list, int32_t first, int32_t end,
                                 const seam_level *face) {
    for (int32_t i = first; i < end; ++i) {
        judged_contact judged = {.contact = &list->items[i]};
        if (judge(seam, solid, &judged) == OPEN && !seam_is_below(solid, &judged.own, judged.point, face)) {
            return true;
        }
    }
    return false;
}

bool seam_keeps_patch(const seam_pair *seam, still_solid *solid, contact_list *list, int32_t first, int32_t end) {
    bool open = false, superseded = false;
    seam_level face = {.height = 0.0};
    for (int32_t i = first; i < end; ++i) {
        judged_contact judged = {.contact = &list->items[i]};
        verdict one = judge(seam, solid, &judged);
        open = open || one == OPEN;
        face = one == SUPERSEDED && !superseded ? judged.face : face;
        superseded = superseded || one == SUPERSEDED;
    }
    return open && (!superseded || has_other_than_below(seam, solid, list, first, end, &face));
}
