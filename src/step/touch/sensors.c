#include "step/touch/sensors.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"
#include "shape/shape.h"
#include "step/query/index.h"

typedef struct looking {
    const abut_world *world;
    const query_index *index;
    int32_t sensor;
    abut_aabb box; /* bounds of the sensor */
    sensor_list *list;
    bool out_of_memory;
} looking;

/* Still bodies and still sensors never begin or end to touch. */
static bool is_seen(const body *sensor, const body *other) {
    return !other->sensor && (sensor->kind != ABUT_BODY_STATIC || other->kind != ABUT_BODY_STATIC) &&
           abut_filters_agree(sensor->filter, other->filter);
}

static sensor_pair pair_of(const abut_world *world, int32_t sensor, int32_t other) {
    return (sensor_pair){
        sensor, other, body_id_of(world, sensor), body_id_of(world, other), world->bodies[sensor].user, world->bodies[other].user};
}

/* Pairs of kinds that abut_overlap() does not take are not seen. */
static bool overlap(const body *sensor, const body *other) {
    bool found = false;
    abut_status status = abut_overlap(&(abut_pair){sensor->shape, sensor->pose, other->shape, other->pose}, NULL, &found);
    return status == ABUT_OK && found;
}

static bool visit(void *context, int32_t slot) {
    looking *look = context;
    const body *sensor = &look->world->bodies[look->sensor], *other = &look->world->bodies[slot];
    bool near = other->shape->kind == ABUT_SHAPE_PLANE || aabb_meets(look->index->places[slot].box, look->box);
    if (slot == look->sensor || !near || !is_seen(sensor, other) || !overlap(sensor, other)) {
        return true;
    }
    sensor_list *list = look->list;
    look->out_of_memory = !array_extend(&list->pairs, &list->capacity, list->count, list->count + 1, sizeof *list->pairs);
    if (!look->out_of_memory) {
        list->pairs[list->count++] = pair_of(look->world, look->sensor, slot);
    }
    return !look->out_of_memory;
}

static int by_other(const void *a, const void *b) {
    const sensor_pair *p = a, *q = b;
    return (p->other > q->other) - (p->other < q->other);
}

static bool look_from(looking *look) {
    const double rounding = 1e-12; /* bodies that touch up to rounding errors overlap */
    const body *sensor = &look->world->bodies[look->sensor];
    int32_t first = look->list->count;
    abut_aabb box = abut_shape_bounds(sensor->shape, sensor->pose);
    look->box = aabb_grown(box, rounding * (abut_length(sensor->pose.position) + sensor->shape->size));
    box_tree_query(&look->index->tree, look->box, visit, look);
    for (int32_t i = 0; i < look->index->plane_count && !look->out_of_memory; i++) {
        visit(look, look->index->planes[i]);
    }
    if (look->list->count - first > 1) {
        qsort(look->list->pairs + first, (size_t)(look->list->count - first), sizeof *look->list->pairs, by_other);
    }
    return !look->out_of_memory;
}

bool sensors_look(const abut_world *world, sensor_list *list) {
    looking look = {.world = world, .list = list};
    list->count = 0;
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        if (!world->bodies[slot].used || !world->bodies[slot].sensor) {
            continue;
        }
        look.index = look.index != NULL ? look.index : query_index_of(world);
        look.sensor = slot;
        if (look.index == NULL || !look_from(&look)) {
            return false;
        }
    }
    return true;
}

void sensors_release(sensor_list *list) { memory_release(list->pairs); }
