/* Pairs of boxes, several at a time: see collide.h. */
#include "narrow/box/collide.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/real.h"
#include "narrow/box/contacts.h"
#include "narrow/box/one.h"
#include "narrow/box/sharp.h"

static_assert(offsetof(abut_shape, half) + 4 * sizeof(double) <= sizeof(abut_shape), "half sizes are read four at a time");

/* collide_order_of() for two boxes. */
static inline int order_of(const abut_shape *a, const abut_shape *b) {
    return a->size > b->size ? 1 : a->size < b->size ? -1 : a == b ? 0 : collide_order_of(a, b);
}

static inline void set_task(box_task *task, const abut_placed *a, const abut_placed *b, const abut_collide_settings *settings) {
    task->bodies.a = (box_body){a->shape, &a->rotation, &a->pose.position};
    task->bodies.b = (box_body){b->shape, &b->rotation, &b->pose.position};
    task->bodies.aside = collide_aside;
    task->bodies.order = order_of(a->shape, b->shape);
    task->bodies.weld = settings->weld * real_min(a->shape->size, b->shape->size);
    task->previous = settings->previous_normal;
    task->margin = settings->margin;
    task->sine = collide_sine(settings->feature_angle);
}

void box_task_set(box_task *task, const abut_placed *a, const abut_placed *b, const abut_collide_settings *settings) {
    set_task(task, a, b, settings);
}

/* ---- into the kernels ---- */

/* Boxes much thinner or smaller than the other one are left to the general path: rounding error is a large part of them. */
static inline bool is_thin(const abut_vec3 *half, double least) { return !(half->x > least && half->y > least && half->z > least); }

/* The direction that decides between faces that tie. */
static inline abut_vec3 wish_of(const box_task *task, double scale, bool follow) {
    double weight = task->bodies.order > 0 ? -1e-6 * scale : 1e-6 * scale;
    return follow ? abut_neg(task->previous) : abut_scale(weight, task->bodies.aside);
}

/* False when the general path has to decide. */
static inline bool place(const box_task *task, box_one *pair) {
    const box_body *a = &task->bodies.a, *b = &task->bodies.b;
    bool follow = abut_length_squared(task->previous) > 0.0;
    pair->scale = a->shape->size + b->shape->size;
    pair->apart = abut_sub(*b->position, *a->position);
    pair->half_a = &a->shape->half;
    pair->half_b = &b->shape->half;
    pair->turn_a = a->rotation;
    pair->turn_b = b->rotation;
    pair->aside = wish_of(task, pair->scale, follow);
    pair->follow = follow;
    pair->smaller = real_min(a->shape->size, b->shape->size);
    pair->margin = task->margin;
    pair->sine = task->sine;
    pair->wants_axis = task->cache != NULL;
    const double thin = 1e-9 * pair->scale;
    return !is_thin(pair->half_a, thin) && !is_thin(pair->half_b, thin) && collide_is_within_arithmetic(a->shape, b->shape, pair->apart);
}

/* ---- out of the kernels ---- */

static void remember(abut_cache *cache, abut_vec3 axis) {
    const abut_feature none = {.kind = ABUT_FEATURE_NONE};
    if (cache != NULL) {
        cache->axis = axis;
        cache->feature_a = cache->feature_b = none;
    }
}

static void write_contacts(const box_answers *answers, int lane, bool faces, box_task *task) {
    int32_t most = faces ? box_contacts_count(answers, lane) : SHARP_CONTACTS;
    abut_contact spare[BOX_CONTACTS], *to = task->capacity >= most ? task->contacts : spare;
    task->count = faces ? box_contacts_write(&task->bodies, answers, lane, to)
                        : box_sharp_write(&task->bodies, answers, lane, task->margin, task->sine, to);
    task->decided = task->count > 0;
    if (task->decided) {
        remember(task->cache, abut_vec3_make(0.0, 0.0, 0.0));
        if (to == spare) {
            int32_t kept = task->count < task->capacity ? task->count : task->capacity;
            if (kept > 0) {
                memcpy(task->contacts, spare, (size_t)kept * sizeof *spare);
            }
        }
    }
}

static void finish(const box_answers *answers, int lane, box_task *task) {
    switch ((box_verdict)answers->verdict[lane]) {
    case BOX_APART_FACE:
    case BOX_APART_EDGES:
        task->decided = true;
        if (task->cache != NULL) {
            remember(task->cache, box_contacts_axis(answers, lane));
        }
        break;
    case BOX_FACES:
    case BOX_NORMAL:
        write_contacts(answers, lane, (box_verdict)answers->verdict[lane] == BOX_FACES, task);
        break;
    default:
        break;
    }
}

/* A new block holds what the stack held before. Addresses, read as numbers, are denormal, and a kernel takes several times as long for them. In more than a
 * block the idle lanes hold earlier pairs. */
static void clear_lanes(box_block *block, int32_t count) {
    if (count < BOX_LANES) {
        memset(block, 0, sizeof *block);
    }
}

static inline void begin(box_task *task) {
    task->count = 0;
    task->decided = false;
}

static inline void run_one(box_task *task) {
    box_one pair;
    begin(task);
    if (place(task, &pair)) {
        box_answers answers;
        box_one_run(&pair, &answers);
        finish(&answers, 0, task);
    }
}

static void run_several(box_task *tasks, int32_t count) {
    box_block block;
    box_answers answers;
    clear_lanes(&block, count);
    for (int32_t done = 0; done < count;) {
        box_task *lane_of[BOX_LANES] = {NULL};
        block.count = 0;
        for (; done < count && block.count < BOX_LANES; ++done) {
            box_task *task = &tasks[done];
            box_one pair;
            begin(task);
            if (place(task, &pair)) {
                box_one_put(&pair, block.count, &block);
                lane_of[block.count++] = task;
            }
        }
        if (block.count == 0) {
            continue;
        }
        box_one_fill(&block);
        box_kernel_run(&block, &answers);
        for (int lane = 0; lane < block.count; ++lane) {
            finish(&answers, lane, lane_of[lane]);
        }
    }
}

void box_tasks_run(box_task *tasks, int32_t count) {
    if (count == 1) {
        run_one(tasks);
    } else {
        run_several(tasks, count);
    }
}

bool box_collide(const abut_placed *a, const abut_placed *b, const abut_collide_settings *settings, abut_cache *cache,
                 abut_contact *contacts, int32_t capacity, int32_t *count) {
    box_task task;
    set_task(&task, a, b, settings);
    task.cache = cache;
    task.contacts = contacts;
    task.capacity = capacity;
    run_one(&task);
    *count = task.count;
    return task.decided;
}
