#pragma once

#include "narrow/seam/keep.h"

/*
 * Contacts in place of those that may not stay.
 */

/* The contacts of a pair that may not stay. */
typedef struct lost_contacts {
    abut_contact *items;
    int32_t count;
} lost_contacts;

/*
 * Adds contacts in place of lost ones, as far as they may stay. A convex part that has none left gets those along the face that is open and least deep. A point
 * of a mesh gets the one with the open face beside it that is least deep. Both have the ids of their new features. Beside a mesh, a convex body's contact over
 * a crack gets the normal of the triangle there. It stays at its place and keeps its id.
 */
void seam_replace(const seam_pair *seam, still_solid *solid, const lost_contacts *lost, contact_list *list);
