/* Pairs of boxes, several at a time: see collide.h. */
#include "narrow/box/collide.h"

#include <string.h>

#include "base/real.h"
#include "narrow/box/contacts.h"
#include "narrow/box/one.h"
#include "narrow/box/sharp.h"

static inline box_terms terms_of(const abut_collide_settings *settings) {
    return (box_terms){.margin = settings->margin,
                       .sine = collide_sine(settings->feature_angle),
                       .weld = settings->weld,
                       .follow = abut_length_squared(settings->previous_normal) > 0.0,
                       .previous = settings->previous_normal,
                       .aside = collide_aside};
}

box_terms box_terms_of(const abut_collide_settings *settings) { return terms_of(settings); }

void box_tasks_find(const box_task *tasks, int32_t count, box_answers *answers) {
    if (count == 1) {
        box_one_run(tasks, answers);
    } else {
        box_kernel_run(tasks, count, answers);
    }
}

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
    const box_bodies bodies = {task->a, task->b, task->terms->aside, box_task_order(task),
                               task->terms->weld * real_min(task->a.shape->size, task->b.shape->size)};
    task->count = faces ? box_contacts_write(&bodies, answers, lane, to)
                        : box_sharp_write(&bodies, answers, lane, task->terms->margin, task->terms->sine, to);
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

static inline void finish(const box_answers *answers, int lane, box_task *task) {
    const double verdict = answers->verdict[lane];
    task->count = 0;
    task->decided = false;
    if (box_tasks_are_apart(answers, lane)) {
        task->decided = true;
        if (task->cache != NULL) {
            remember(task->cache, box_contacts_axis(answers, lane));
        }
    } else if (verdict != BOX_UNDECIDED) {
        write_contacts(answers, lane, verdict == BOX_FACES, task);
    }
}

void box_task_finish(const box_answers *answers, int lane, box_task *task) { finish(answers, lane, task); }

void box_tasks_run(box_task *tasks, int32_t count) {
    box_answers answers;
    for (int32_t first = 0; first < count; first += BOX_LANES) {
        int32_t some = count - first < BOX_LANES ? count - first : BOX_LANES;
        box_tasks_find(tasks + first, some, &answers);
        for (int32_t lane = 0; lane < some; ++lane) {
            finish(&answers, lane, &tasks[first + lane]);
        }
    }
}

bool box_collide(const abut_placed *a, const abut_placed *b, const abut_collide_settings *settings, abut_cache *cache,
                 abut_contact *contacts, int32_t capacity, int32_t *count) {
    static const box_terms defaults = {.sine = COLLIDE_FEATURE_SINE, .weld = COLLIDE_WELD, .aside = COLLIDE_ASIDE};
    box_terms chosen;
    if (settings != NULL) {
        chosen = terms_of(settings);
    }
    box_task task = {.terms = settings != NULL ? &chosen : &defaults, .cache = cache, .contacts = contacts, .capacity = capacity};
    box_answers answers;
    box_task_place(&task, a, b);
    box_one_run(&task, &answers);
    finish(&answers, 0, &task);
    *count = task.count;
    return task.decided;
}
