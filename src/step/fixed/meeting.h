#pragma once

#include "step/fixed/layout.h"
#include "step/world/world.h"

/*
 * Two bodies and what their contacts have in common: surfaces, and how far behind the surface the anchor of a contact is.
 */

/* Two bodies where their contacts are made. */
typedef struct meeting {
    const body *body[2];
    const abut_pose *pose[2];
    bool plain;     /* all contacts have the same surface */
    bool simple[2]; /* the anchors of all contacts are as far from the surface */
} meeting;

/* The bodies at the begin of the step. */
meeting meeting_of(const abut_world *world, const body *a, const body *b);

/* The distances of the anchors of a contact from both surfaces: radii of round shapes, or of round parts of compounds; 0 for other shapes. */
void meeting_rounding(const meeting *of, const abut_contact *contact, double radius[2]);

/* What the surfaces are at the contacts of the patch of this one, and their friction alone. */
abut_surface meeting_surface(const abut_world *world, const meeting *of, const abut_world_contact *contact);
double meeting_friction(const abut_world *world, const meeting *of, const abut_world_contact *contact);

/* The pair in its island, without patches. */
solver_pair meeting_begin_pair(const abut_world *world, const layout_pair *from);

/* The end of the patch that begins with the contact `first` of the world's `next`. last: the end of the pair's contacts */
static inline int32_t meeting_patch_end(const abut_world *world, int32_t first, int32_t last) {
    const abut_world_contact *contacts = world->next.contacts;
    int32_t end = first + 1;
    while (end < last && contacts[end].contact.patch == contacts[first].contact.patch) {
        end++;
    }
    return end;
}
