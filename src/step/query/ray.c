/* Rays through a world. */
#include "step/query/batch.h"
#include "step/query/first.h"

#include "base/argument.h"
#include "narrow/query/ray.h"

static const char *const names[2] = {"ray.origin", "ray.translation"}, *const names_of_many[2] = {"a ray's origin", "a ray's translation"};

static abut_status ask(const void *question, const body *body, abut_hit *hit) {
    const abut_ray *ray = question;
    return abut_ray_cast(body->shape, body->pose, ray->origin, ray->translation, hit);
}

static query_way way_of(const abut_world *world, const query_index *index, const abut_ray *ray, const abut_query_filter *filter) {
    const abut_aabb point = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    return (query_way){world, index, filter, query_sweep_make(ray->origin, ray->translation, point, 0.0), ask, ray};
}

abut_status abut_world_ray_cast(const abut_world *world, abut_ray ray, const abut_query_filter *filter, abut_world_hit *hit) {
    if (argument_is_null(CALL_NAME, "world", world) || argument_is_null(CALL_NAME, "hit", hit)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_status status = ray_check(CALL_NAME, names, ray.origin, ray.translation);
    const query_index *index = status == ABUT_OK ? query_index_of(world) : NULL;
    if (index == NULL) {
        return status == ABUT_OK ? ABUT_ERROR_OUT_OF_MEMORY : status;
    }
    query_way way = way_of(world, index, &ray, filter);
    return query_first_hit(&way, hit);
}

abut_status abut_world_ray_cast_all(const abut_world *world, abut_ray ray, const abut_query_filter *filter, abut_world_hit *hits,
                                    int32_t capacity, int32_t *count) {
    if (argument_is_null(CALL_NAME, "world", world) || argument_is_no_buffer(CALL_NAME, "hits", hits, capacity) ||
        argument_is_null(CALL_NAME, "count", count)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_status status = ray_check(CALL_NAME, names, ray.origin, ray.translation);
    const query_index *index = status == ABUT_OK ? query_index_of(world) : NULL;
    if (index == NULL) {
        return status == ABUT_OK ? ABUT_ERROR_OUT_OF_MEMORY : status;
    }
    query_way way = way_of(world, index, &ray, filter);
    return query_all_hits(&way, hits, capacity, count);
}

typedef struct rays {
    const abut_world *world;
    const abut_ray *rays;
    const abut_query_filter *filter;
} rays;

static abut_status answer(const void *questions, int32_t i, const query_index *index, void *answers) {
    const rays *of = questions;
    abut_world_hit *hits = answers;
    abut_status status = ray_check("abut_world_ray_cast_batch", names_of_many, of->rays[i].origin, of->rays[i].translation);
    if (status != ABUT_OK) {
        return status;
    }
    query_way way = way_of(of->world, index, &of->rays[i], of->filter);
    return query_first_hit(&way, &hits[i]);
}

abut_status abut_world_ray_cast_batch(const abut_world *world, const abut_ray *rays_of, int32_t count, const abut_query_filter *filter,
                                      abut_world_hit *hits) {
    if (argument_is_null(CALL_NAME, "world", world) || argument_is_below(CALL_NAME, "count", count, 0) ||
        (count > 0 && (argument_is_null(CALL_NAME, "rays", rays_of) || argument_is_null(CALL_NAME, "hits", hits)))) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    const rays questions = {world, rays_of, filter};
    return query_batch(world, answer, &questions, count, hits);
}
