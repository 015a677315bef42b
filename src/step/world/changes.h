#pragma once

#include "step/world/saved.h"
#include "step/world/world.h"

/*
 * Saved values that callers have changed since a world was built: its gravity, and the body_values of its bodies. Digests are made from the values as built,
 * so a world that is built anew accepts the saved one; then it gets the changes.
 */

/* Whether anything differs from what was built. */
bool changes_exist(const abut_world *world);

/* The body with the values as built; its state is unchanged. */
body changes_undone(const body *b);

void changes_save(saved_stream *s, const abut_world *world);

/* Read the gravity, and the changes into bodies [body_used] that have the values as built. ABUT_OK; ABUT_ERROR_FORMAT. */
abut_status changes_read(saved_stream *s, abut_vec3 *gravity, body *bodies, int32_t body_used);
