#pragma once

#include "narrow/pair.h"
#include "narrow/seam/still.h"

/*
 * The two sides of a pair: a still body, and the body that touches it. Either may be A of the contacts.
 */

/* A pair in its own frame, with the still body as A or B of the contacts in the list. */
typedef struct seam_pair {
    const collide_pair *pair; /* its settings */
    const abut_shape *body, *still;
    abut_mat3 body_rotation, still_rotation; /* to the frame of the contacts */
    abut_vec3 body_position, still_position;
    bool still_is_a;
    const still_bodies *others; /* NULL for none: then the parts of a compound are the one surface */
} seam_pair;

seam_pair seam_of_pair(const collide_pair *pair, bool still_is_a, const still_bodies *others);

/* Lengths that decide whether surfaces are level. They are relative to the smaller body, or to the smallest part of a compound. */
still_scale seam_scale(const seam_pair *seam);

/* One part of the still body. */
still_part seam_own_part(const seam_pair *seam, int32_t index);

/* A part of the body that touches the still one, which must be convex. */
convex seam_body_part(const seam_pair *seam, int32_t index);
bool seam_body_is_convex(const seam_pair *seam);

/* A point inside that part, or in the middle of a body that is a mesh. */
abut_vec3 seam_viewer(const seam_pair *seam, int32_t index);

static inline int32_t seam_part_count(const abut_shape *shape) { return shape->kind == ABUT_SHAPE_COMPOUND ? shape->part_count : 0; }

static inline abut_vec3 seam_on_still(const seam_pair *seam, const abut_contact *contact) {
    return seam->still_is_a ? contact->on_a : contact->on_b;
}
static inline abut_feature seam_of_still(const seam_pair *seam, const abut_contact *contact) {
    return seam->still_is_a ? contact->feature_a : contact->feature_b;
}
static inline abut_feature seam_of_body(const seam_pair *seam, const abut_contact *contact) {
    return seam->still_is_a ? contact->feature_b : contact->feature_a;
}
static inline abut_vec3 seam_out_of_still(const seam_pair *seam, const abut_contact *contact) {
    return seam->still_is_a ? abut_neg(contact->normal) : contact->normal;
}

static inline int32_t seam_part_of(abut_feature feature) { return feature.part > 0 ? feature.part : 0; }
