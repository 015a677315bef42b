#pragma once

#include "step/world/world.h"

/*
 * Up to which gap contacts are made. The settings ask for a share of the smaller shape's size. Bodies that approach get more, as much as
 * they can approach within the step: so their contact is known before they touch, and they neither sink in nor pass through.
 */

/* Of a pair, in a step of length dt; `settled` is the part that the settings ask for. */
double margin_of_pair(const abut_world *world, const body *a, const body *b, double dt, double *settled);

/* Up to which angle to the contact plane features of the two take part: what the settings ask for, and what the bodies can turn towards each
 * other within the step. */
double margin_angle(const abut_world *world, const body *a, const body *b, double dt);

/* The share of one body: those of two bodies add up to no less than the margin of their pair. */
double margin_share(const abut_world *world, const body *body, double dt);

/* Size of the smaller of two bodies' shapes; of the other one when one is a plane. */
double margin_smaller_size(const body *a, const body *b);

/* Gaps up to this, relative to the smaller shape's size, count as closed while forces are found. */
static const double margin_touch = 1e-4;
