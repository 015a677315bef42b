#pragma once

#include "narrow/mesh/pair/pair.h"
#include "narrow/mesh/surface.h"

/*
 * A solid and an open surface. Whether the two are apart is decided exactly, and their contacts must agree with it. Set frame.
 *
 * found: the contacts by features of both (pair.h); those that disagree are taken out, and missing ones are added
 * list:  receives the contacts of surfaces apart that replace them
 *
 * Does nothing for two solids. False when there is no memory.
 */
bool mesh_mixed_correct(const mesh_surface *a, const mesh_surface *b, const mesh_pair_settings *settings, contact_list *found,
                        contact_list *list);
