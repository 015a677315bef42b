#pragma once

#include "narrow/patch/contact_list.h"
#include "narrow/seam/sides.h"

/*
 * Which contacts may stay, beside other bodies that stand still.
 */

/* Whether the contact may stay. True without memory, which the solid tells. A contact at a joint of level faces gets the name of its face, because it is fixed
 * to no edge. It keeps its id: where an edge of the body crosses both ends of the face, the two contacts have different ones, also while the body slides. */
bool seam_keeps(const seam_pair *seam, still_solid *solid, abut_contact *contact);

/* Whether a patch may stay: one of its contacts is enough. A body that has sunk into a corner keeps its contacts below the wall. But where a level
 * neighbour tells the normal of a contact, contacts below the neighbour's face do not count: the upper end of a side that leans away below a joint is
 * hidden, and the rest of it cannot be met from above. */
bool seam_keeps_patch(const seam_pair *seam, still_solid *solid, contact_list *list, int32_t first, int32_t end);
