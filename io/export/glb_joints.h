#pragma once

#include "io/export/glb_parts.h"

/*
 * The joints of an animated scene: nodes below those of their bodies, with thin lines, so that they move along. See docs/formats/recording.md.
 */

/* Takes the joints of a frame into sample e->sample_count, after its bodies. Returns as abut_recording_joints(). */
abut_status glb_joints_sample(glb_exporter *e, int64_t frame);

/* Adds the nodes, after those of all bodies. Failures are kept in e. */
void glb_joints_add(glb_exporter *e);
