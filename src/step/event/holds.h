#pragma once

#include "step/event/system.h"

/*
 * Joints in the event stepper. A hold is a direction in which a joint lets its bodies not move relative to each other (solve/joint/kinds.c). Its force may have
 * either sign. In the complementarity problem of the contact forces it is two opposite rows, of which one presses: w >= 0 along both is w = 0. So joints and
 * contacts share forces exactly, and holds of closed loops, which depend on each other, are no special case. Rows of holds follow those of the contacts in
 * system->lines, two for each hold.
 *
 * Forces keep position + 2 k rate + k^2 position'' = 0 along a hold, with the drift rate k, as for contacts. Springs and dampers of coordinates act as forces.
 */

/* Lists the joints of the world, and counts their holds. Bodies and states are listed before. ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status event_holds_list(event_system *system);

/* Finds the holds at a state, at which places and motions are. Adds the forces of springs to the motions. */
void event_holds_place(event_system *system, const event_state *state);

/* Writes the rows of the holds behind those of the contacts, and includes them in the problem. */
void event_holds_add_lines(event_system *system);

/* Their part of q: what forces have to stop, or impulses. */
void event_holds_add_accelerations(event_system *system);
void event_holds_add_rates(event_system *system, const event_state *state);

/* Keeps the forces of the holds, from z. */
void event_holds_keep_forces(event_system *system);

/* Whether bodies move along a hold by more than the resting speed, relative to their own speeds: a joint is new, or velocities were set. */
bool event_holds_move(const event_system *system, const event_state *state);

/* After a step: forces and angles to the joints of the world. */
void event_holds_write(const event_system *system, abut_world *world);

/* Rows of contacts and holds together. */
static inline int32_t event_line_count(const event_system *system) { return system->row_count + 2 * system->hold_count; }
