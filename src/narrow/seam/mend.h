#pragma once

#include "narrow/patch/contact_list.h"
#include "narrow/seam/sides.h"

/*
 * Contacts with a static or kinematic body beside which there are others. All of them are one surface at the moment of the contacts. Contacts on sides
 * that a neighbour hides, and normals that point out of a joint of two level bodies, are left out (admit.h). Where a convex part loses all its contacts, it
 * gets those along the face that is open and least deep, as far as the other body is above this face.
 */

void seam_mend(const seam_pair *seam, contact_list *list);

/* The same for both bodies of a pair, as abut_collide() does: for every compound, and for the body that stands still beside others, NULL for none. */
void seam_mend_pair(const collide_pair *pair, const still_bodies *others, bool still_is_a, contact_list *list);

/* collide_make() for placed bodies, perhaps with a static or kinematic body and the others beside it; NULL for none. */
abut_status collide_beside(const abut_placed *a, const abut_placed *b, const still_bodies *others, bool still_is_a,
                           const abut_collide_settings *settings, abut_cache *cache, abut_contact *contacts, int32_t capacity,
                           int32_t *count);

/* The same by the general path alone, for boxes that box_tasks_run() did not decide. */
abut_status collide_generally(const abut_placed *a, const abut_placed *b, const still_bodies *others, bool still_is_a,
                              const abut_collide_settings *settings, abut_cache *cache, abut_contact *contacts, int32_t capacity,
                              int32_t *count);
