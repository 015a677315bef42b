#pragma once

#include "narrow/pair.h"
#include "narrow/patch/contact_list.h"
#include "narrow/seam/still.h"

/*
 * Contacts with a static or kinematic body beside which there are others. All of them are one surface at the moment of the contacts. Contacts on sides
 * that a neighbour hides, and normals that point out of a joint of two level bodies, are left out (admit.h). Where a convex part loses all its contacts, it
 * gets those along the face that is open and least deep, as far as the other body is above this face.
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

void seam_mend(const seam_pair *seam, contact_list *list);

/* collide_make() for a pair with a static or kinematic body and the others beside it; NULL for none. */
abut_status collide_beside(const abut_pair *pair, const still_bodies *others, bool still_is_a, const abut_collide_settings *settings,
                           abut_cache *cache, abut_contact *contacts, int32_t capacity, int32_t *count);
