#pragma once

#include "solve/contact/contact.h"

/*
 * The start of a step for a set of the wide solver. It needs less of a contact than the passes of solve/contact: the arm, the gap and the expected impulse.
 * Nothing else is set or read: a step goes through the memory of all contacts, and clearing it would take longer than filling it.
 */

/* Sets where the impulse of a contact acts, its gap, and the radii of round shapes, and nothing else of the anchor. `centre` is the centre of mass of A in the
 * world. */
void wide_begin_point(const solver_pair *pair, abut_vec3 centre, const double radius[2], const abut_contact *contact,
                      solver_anchor *anchor);

/* Sets the anchor's places on the bodies, from their principal axes at the start of the step. For those that go on with solve/contact. */
void wide_root_point(const solver_pair *pair, abut_vec3 normal, const abut_mat3 axes[2], solver_anchor *anchor);

/* Makes a patch with this normal from the patch->count points at patch->first, whose anchors are set: its tangents along its principal axes, which moments it
 * bears, and the positions of its points. Other numbers of the patch stay as they are; solver_refresh() sets them. */
void wide_begin_patch(const solver_contacts *set, solver_patch *patch, abut_vec3 normal);
