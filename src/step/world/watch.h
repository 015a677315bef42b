#pragma once

#include "step/world/world.h"

/*
 * Counts bodies that are where they must not be: sunk, engulfed, or gone through another body; abut_step_report defines these words. Slow bodies without deep
 * contacts, that is nearly all, cost a few comparisons.
 */

/* The inner radius that abut_step_report defines. Bodies of rounded triangles are grains, which are not as thin as a mesh may be. */
double watch_inner_radius(const body *body);

/* Makes room for one more body. False when there is no memory. */
bool watch_reserve(world_watch *watch, int32_t bodies);
void watch_release(world_watch *watch);

/* Before a step: notes where the bodies are. */
void watch_begin(abut_world *world);

/* Whether one of a pair's bodies is sunk in the other one. depth: of the pair's deepest contact */
bool watch_is_sunk(const abut_world *world, const broad_pair *pair, double depth);

/* Counts the bodies that are sunk and engulfed, from the contacts of the last step and the present poses. sunk: by part of the pairs (base/parts.h), whether
 * watch_is_sunk() holds for one of them */
void watch_count(const abut_world *world, const bool *sunk, abut_step_report *report);

/* After a step: counts the bodies that went through another body in it. */
void watch_count_left(const abut_world *world, abut_step_report *report);
