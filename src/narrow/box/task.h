#pragma once

#include <assert.h>
#include <stddef.h>

#include <abut/collide.h>

#include "narrow/pair.h"
#include "shape/shape.h"

/*
 * A pair of boxes that is asked for its contacts. Vector lanes read it in rows of four numbers.
 */

static_assert(sizeof(abut_mat3) == 3 * sizeof(abut_vec3) && sizeof(abut_vec3) == 3 * sizeof(double), "three rows of three numbers");
static_assert(offsetof(abut_shape, size) == offsetof(abut_shape, half) + sizeof(abut_vec3), "a row of a box: its half sizes and its size");

/* A box in some frame: the world, or that of the pair. */
typedef struct box_body {
    const abut_shape *shape;
    const abut_mat3 *rotation;
    const abut_vec3 *position; /* a number follows, which is read and not used */
} box_body;

/* What pairs are asked with. Many pairs may share it. */
typedef struct box_terms {
    double margin;
    double sine;        /* of the feature angle */
    double weld;        /* relative to the smaller size */
    double follow;      /* 1 where there is a contact normal of the step before, else 0 */
    abut_vec3 previous; /* that normal */
    /* Fixed in the world: collide_aside in the frame of the bodies. It breaks ties, and orders the features of alike boxes: see contact_list_id(). */
    abut_vec3 aside;
} box_terms;

typedef struct box_task {
    box_body a, b;
    const box_terms *terms;
    abut_cache *cache;      /* written; NULL for none */
    abut_contact *contacts; /* [capacity], in the frame of the bodies */
    int32_t capacity, count;
    bool decided; /* false: the general path has to find the contacts, and nothing was written */
} box_task;

/* collide_order_of() for two boxes. Which one is larger is hard to foresee and no reason to branch. */
static inline int box_task_order(const box_task *task) {
    const abut_shape *a = task->a.shape, *b = task->b.shape;
    int order = (a->size > b->size) - (a->size < b->size);
    return order != 0 || a == b ? order : collide_order_of(a, b);
}

/* The direction that decides between faces that tie. */
static inline abut_vec3 box_task_wish(const box_task *task) {
    const box_terms *terms = task->terms;
    double weight = 1e-6 * (task->a.shape->size + task->b.shape->size);
    weight = box_task_order(task) > 0 ? -weight : weight;
    return terms->follow > 0.0 ? abut_neg(terms->previous) : abut_scale(weight, terms->aside);
}
