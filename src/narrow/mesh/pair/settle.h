#pragma once

#include "narrow/mesh/pair/touching.h"

/* Drops contacts that a shorter way out resolves: features that it takes out need no contact of their own. Set frame. */

/* Processes work->found by increasing depth, and leaves it in that order. */
void mesh_settle(mesh_touching *work);

/* Puts contacts in that order. */
void mesh_settle_sort(contact_list *list);
