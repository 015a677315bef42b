#pragma once

#include "step/world/world.h"

/*
 * Margins: contacts are made up to this gap. The settings ask for a share of the smaller shape's size. Approaching bodies get more: the distance by
 * which they can approach within the step. So their contact is known before they touch, and they do not sink in. This look ahead is limited to half the
 * smaller body's size, because at a larger distance the present normal predicts poorly how the bodies will meet; what lies farther ahead is the matter of
 * step/fixed/continuous/impact.h.
 */

/* The largest distance that a point of the body can travel in a step of length dt, by its velocity and by gravity. */
double margin_travel(const abut_world *world, const body *body, double dt);

/* The margin of a pair whose bodies can travel that far together in the step [length], and the part of it that the settings ask for. */
double margin_of_pair(const abut_world *world, const body *a, const body *b, double travel);
double margin_settled(const abut_world *world, const body *a, const body *b);

/* Whether the two bodies can travel farther within the step than contacts are looked for. */
bool margin_falls_short(const abut_world *world, const body *a, const body *b, double dt);

/* The largest angle [rad] between the contact plane and features that take part in a contact: the angle of the settings, plus the angle by which the two
 * bodies can turn against each other within the step. */
double margin_angle(const abut_world *world, const body *a, const body *b, double dt);

/* The share of one body in its pairs' margins [length]. The shares of two bodies add up to no less than the margin of their pair. */
double margin_share(const abut_world *world, const body *body, double dt);

/* Bounds of everything that a body may touch within a step of length dt: its own bounds, grown by its share of the margins;
 * for a body that travels farther, also the place that it is expected to reach. */
abut_aabb margin_reach(const abut_world *world, const body *body, double dt);

/* Size of the smaller of two bodies' shapes; when one shape is a plane, the size of the other one. */
double margin_smaller_size(const body *a, const body *b);

/* Gaps up to this value, relative to the smaller shape's size, count as closed while forces are computed. */
static const double margin_touch = 1e-4;
