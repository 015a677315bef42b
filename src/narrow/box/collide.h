#pragma once

#include "narrow/box/contacts.h"
#include "narrow/box/task.h"
#include "narrow/normal/box_sat.h"

/*
 * Contacts of pairs of boxes, several pairs at a time. A pair gets the same bits alone and among others.
 */

/* Whether two shapes are boxes that are taken with a normal of that kind. */
static inline bool box_tasks_are_fit(const abut_shape *a, const abut_shape *b, bool minimum, bool refine) {
    return a->kind == ABUT_SHAPE_BOX && b->kind == ABUT_SHAPE_BOX && box_sat_gives_normal(a, b, minimum, refine);
}

/* The terms of valid settings, for bodies in the world. */
box_terms box_terms_of(const abut_collide_settings *settings);

/* Sets the two bodies of a task. */
static inline void box_task_place(box_task *task, const abut_placed *a, const abut_placed *b) {
    task->a = (box_body){a->shape, &a->rotation, &a->pose.position};
    task->b = (box_body){b->shape, &b->rotation, &b->pose.position};
}

/* Finds how at most BOX_LANES pairs meet. */
void box_tasks_find(const box_task *tasks, int32_t count, box_answers *answers);

/* Whether the pair of a lane is decided and has no contact. */
static inline bool box_tasks_are_apart(const box_answers *answers, int lane) {
    double verdict = answers->verdict[lane];
    return verdict == BOX_APART_FACE || verdict == BOX_APART_EDGES;
}

/* Fills `decided`, `count`, and the contacts and the cache when the pair is decided. `count` may exceed `capacity`: then only so many contacts were written. */
void box_task_finish(const box_answers *answers, int lane, box_task *task);

/* The same for any number of pairs. */
void box_tasks_run(box_task *tasks, int32_t count);

/* The same for one pair of boxes whose placement and settings (NULL: defaults) are valid. False when the general path has to find the contacts. */
bool box_collide(const abut_placed *a, const abut_placed *b, const abut_collide_settings *settings, abut_cache *cache,
                 abut_contact *contacts, int32_t capacity, int32_t *count);
