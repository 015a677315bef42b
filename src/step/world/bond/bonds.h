#pragma once

#include "step/world/saved.h"
#include "step/world/world.h"

/* Remove all bonds of the body in a slot. */
void bonds_remove_of(abut_world *world, int32_t slot);

/* Saved bonds (step/save.c). Reading fills a separate list. */
bool bonds_exist(const abut_world *world);
void bonds_save(saved_stream *s, const abut_world *world);

/* bodies: [body_used] as read before. The caller releases the bonds, also after a failure. ABUT_OK; ABUT_ERROR_FORMAT; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status bonds_read(saved_stream *s, const body *bodies, int32_t body_used, bond_list *list);

/* step/world/bond/bonds.c, for step/world/bond/near.c */

/* Whether all numbers of a definition are in range, without its bodies; name: of the definition in messages. */
abut_status bond_check_numbers(const char *call, const abut_bond_def *def);

/* Room for this many more bonds. */
bool bonds_reserve(abut_world *world, int32_t more);

/* Adds a bond between the bodies in two slots, for which there is room. Returns its slot. */
int32_t bonds_make(abut_world *world, int32_t a, int32_t b, const abut_bond_def *def);

/* Whether the stiffnesses of a definition overflow. */
bool bond_overflows(const abut_bond_def *def);
