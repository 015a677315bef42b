#include "step/fixed/seams.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"

/* Slot of the still body of a pair; -1 when the pair has none. The list holds no pairs of two still bodies. */
static int32_t still_of(const abut_world *world, const broad_pair *pair) {
    bool a = world->bodies[pair->a].kind != ABUT_BODY_DYNAMIC, b = world->bodies[pair->b].kind != ABUT_BODY_DYNAMIC;
    return a == b ? -1 : a ? pair->a : pair->b;
}

static bool is_mesh(const abut_world *world, int32_t slot) { return abut_shape_kind(world->bodies[slot].shape) == ABUT_SHAPE_TRIMESH; }

/* All pairs of a body see its still bodies in the same order. */
static int by_body(const void *left, const void *right) {
    const seam *p = left, *q = right;
    int order = (p->body > q->body) - (p->body < q->body);
    order = order != 0 ? order : (p->with > q->with) - (p->with < q->with);
    order = order != 0 ? order : (int)p->other - (int)q->other;
    return order != 0 ? order : (p->still > q->still) - (p->still < q->still);
}

/* Whether two kinematic bodies move as one rigid body. */
static bool move_together(const body *p, const body *q) {
    const double same = 1e-12;
    abut_vec3 apart = abut_sub(q->centre, p->centre), carried = abut_add(p->velocity, abut_cross(p->angular_velocity, apart));
    double spin = abut_length(p->angular_velocity), speed = abut_length(p->velocity) + spin * abut_length(apart);
    return abut_distance_between(carried, q->velocity) <= same * speed &&
           abut_distance_between(p->angular_velocity, q->angular_velocity) <= same * spin;
}

/* Finds out which kinematic bodies move together. The seams from `first` on are those of one body. */
static void match(seam_list *list, const abut_world *world, int32_t first, int32_t end) {
    for (int32_t i = first; i < end; i++) {
        seam *s = &list->seams[i];
        const body *still = &world->bodies[s->still];
        s->with = still->kind == ABUT_BODY_STATIC ? -1 : s->still;
        for (int32_t k = first; k < i && s->with == s->still; k++) {
            const seam *before = &list->seams[k];
            if (before->with >= 0 && move_together(&world->bodies[before->with], still)) {
                s->with = before->with;
            }
        }
    }
}

/* Counts the still bodies beside each body. Returns how many belong to bodies with two or more. */
static int32_t count_seams(seam_list *list, const abut_world *world) {
    int32_t count = 0;
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        list->beside[slot] = 0;
    }
    for (int32_t p = 0; p < world->broad.found_count; p++) {
        const broad_pair *pair = &world->broad.found[p];
        int32_t still = broad_is_candidate(&world->broad, pair) ? still_of(world, pair) : -1;
        if (still >= 0) {
            int32_t beside = ++list->beside[pair->a + pair->b - still];
            count += beside == 2 ? 2 : beside > 2;
        }
    }
    return count;
}

static int32_t end_of_body(const seam_list *list, int32_t first) {
    int32_t end = first + 1;
    while (end < list->count && list->seams[end].body == list->seams[first].body) {
        end++;
    }
    return end;
}

static void fill(seam_list *list, const abut_world *world) {
    for (int32_t p = 0; p < world->broad.found_count; p++) {
        const broad_pair *pair = &world->broad.found[p];
        int32_t still = broad_is_candidate(&world->broad, pair) ? still_of(world, pair) : -1;
        if (still >= 0 && list->beside[pair->a + pair->b - still] > 1) {
            list->seams[list->count++] =
                (seam){.body = pair->a + pair->b - still, .still = still, .with = -1, .other = !is_mesh(world, still)};
        }
    }
    qsort(list->seams, (size_t)list->count, sizeof *list->seams, by_body);
    for (int32_t first = 0, end; first < list->count; first = end) {
        end = end_of_body(list, first);
        match(list, world, first, end);
    }
    qsort(list->seams, (size_t)list->count, sizeof *list->seams, by_body);
    for (int32_t i = 0, first = 0; i < list->count; i++) {
        seam *s = &list->seams[i];
        const body *still = &world->bodies[s->still];
        list->bodies[i] = (abut_part){still->shape, still->pose};
        first = s->body == list->seams[first].body && s->with == list->seams[first].with ? first : i;
        s->first = first;
        for (int32_t k = first; k <= i; k++) {
            list->seams[k].end = i + 1;
        }
    }
}

bool seams_find(seam_list *list, const abut_world *world) {
    list->count = 0;
    if (!array_reserve(&list->beside, &list->beside_capacity, world->body_used, sizeof *list->beside)) {
        return false;
    }
    int32_t count = count_seams(list, world);
    if (count == 0) {
        return true;
    }
    if (!array_reserve(&list->seams, &list->capacity, count, sizeof *list->seams) ||
        !array_reserve(&list->bodies, &list->body_capacity, count, sizeof *list->bodies)) {
        return false;
    }
    fill(list, world);
    return true;
}

/* The index of a seam; -1 if there is none. */
static int32_t find(const seam_list *list, int32_t body, int32_t still) {
    int32_t low = 0, high = list->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (list->seams[middle].body < body) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    while (low < list->count && list->seams[low].body == body && list->seams[low].still != still) {
        low++;
    }
    return low < list->count && list->seams[low].body == body ? low : -1;
}

int32_t seams_index(const seam_list *list, const abut_world *world, const broad_pair *pair) {
    int32_t still = list->count > 0 ? still_of(world, pair) : -1;
    int32_t at = still >= 0 ? find(list, pair->a + pair->b - still, still) : -1;
    return at >= 0 && list->seams[at].end - list->seams[at].first > 1 ? at : -1;
}

void seams_note(seam_list *list, int32_t seam, double met) {
    double *first = &list->seams[list->seams[seam].first].met;
    *first = *first > 0.0 ? real_min(*first, met) : met;
}

double seams_met(const seam_list *list, int32_t seam) { return list->seams[list->seams[seam].first].met; }

seam_view seams_view(const seam_list *list, int32_t at) {
    const seam *own = &list->seams[at];
    seam_view view = {.all = {&list->bodies[own->first], own->end - own->first, at - own->first}, .is_static = own->with < 0};
    while (view.meshes < view.all.count && !list->seams[own->first + view.meshes].other) {
        view.meshes++;
    }
    return view;
}

void seams_release(seam_list *list) {
    memory_release(list->seams);
    memory_release(list->bodies);
    memory_release(list->beside);
}
