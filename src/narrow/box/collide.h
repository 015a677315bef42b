#pragma once

#include "narrow/box/contacts.h"
#include "narrow/normal/box_sat.h"

/*
 * Contacts of pairs of boxes, several pairs at a time. A pair gets the same bits alone and among others.
 */

/* A pair of boxes. */
typedef struct box_task {
    box_bodies bodies;
    abut_vec3 previous; /* the contact normal of the step before; zero for none */
    double margin;
    double sine;            /* of the feature angle */
    abut_cache *cache;      /* written; NULL for none */
    abut_contact *contacts; /* [capacity], in the frame of the bodies */
    int32_t capacity, count;
    bool decided; /* false: the general path has to find the contacts, and nothing was written */
} box_task;

/* Whether two shapes are boxes that are taken with a normal of that kind. */
static inline bool box_tasks_are_fit(const abut_shape *a, const abut_shape *b, bool minimum, bool refine) {
    return a->kind == ABUT_SHAPE_BOX && b->kind == ABUT_SHAPE_BOX && box_sat_gives_normal(a, b, minimum, refine);
}

/* Fills a task from two placed boxes and valid settings, but for its cache and its contacts. */
void box_task_set(box_task *task, const abut_placed *a, const abut_placed *b, const abut_collide_settings *settings);

/* Fills `decided`, and the contacts and the cache of those pairs that were decided. `count` may exceed `capacity`: then only so many contacts were written. */
void box_tasks_run(box_task *tasks, int32_t count);

/* The same for one pair of boxes whose placement and settings are valid. False when the general path has to find the contacts. */
bool box_collide(const abut_placed *a, const abut_placed *b, const abut_collide_settings *settings, abut_cache *cache,
                 abut_contact *contacts, int32_t capacity, int32_t *count);
