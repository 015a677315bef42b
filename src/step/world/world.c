/* A world as its callers see it: made, freed, stepped and asked. */
#include "base/memory.h"
#include "narrow/pair.h"
#include "shape/shape.h"
#include "step/fixed/colours.h"
#include "step/dem/stepper.h"
#include "step/event/stepper.h"
#include "step/fixed/stepper.h"
#include "step/world/world.h"

int32_t body_find(const abut_world *world, abut_body_id id) {
    if (world == NULL || id.index == 0 || id.index > (uint32_t)world->body_used) {
        return -1;
    }
    int32_t slot = (int32_t)(id.index - 1);
    return world->bodies[slot].used && world->bodies[slot].generation == id.generation ? slot : -1;
}

abut_status world_lacks_id(const abut_world *world) { return world == NULL ? ABUT_ERROR_INVALID_ARGUMENT : ABUT_ERROR_STALE_ID; }

abut_body_id body_id_of(const abut_world *world, int32_t slot) {
    abut_body_id id = {(uint32_t)slot + 1, world->bodies[slot].generation};
    return id;
}

static abut_status check_event(const abut_event_settings *s) {
    if (isnan(s->longest_step) || !isfinite(s->tolerance + s->touching + s->resting_speed + s->restitution_speed + s->drift_rate)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    bool positive = s->tolerance > 0.0 && s->touching > 0.0 && s->resting_speed > 0.0 && s->longest_step > 0.0;
    bool fine = s->restitution_speed >= 0.0 && s->drift_rate >= 0.0 && s->event_limit >= 1 && s->impulses >= ABUT_IMPULSES_SIMULTANEOUS &&
                s->impulses <= ABUT_IMPULSES_SEQUENTIAL;
    return positive && fine ? ABUT_OK : ABUT_ERROR_INVALID_ARGUMENT;
}

static abut_status check_dem(const abut_dem_settings *s) {
    if (!isfinite(s->step) || !isfinite(s->skin) || !abut_vec3_is_finite(s->lower) || !abut_vec3_is_finite(s->upper)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    bool fine = s->step >= 0.0 && s->step_share > 0.0 && s->step_share <= 1.0 && s->skin > 0.0 &&
                (s->mode == ABUT_PRESSURE_AREA || s->mode == ABUT_PRESSURE_POINT);
    fine = fine && (!s->periodic[0] || s->lower.x < s->upper.x) && (!s->periodic[1] || s->lower.y < s->upper.y) &&
           (!s->periodic[2] || s->lower.z < s->upper.z);
    return fine ? ABUT_OK : ABUT_ERROR_INVALID_ARGUMENT;
}

static abut_status check_def(const abut_world_def *def) {
    if (!abut_vec3_is_finite(def->gravity)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (def->method != ABUT_METHOD_PATCH && def->method != ABUT_METHOD_TRACKING) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (def->stepper != ABUT_STEPPER_FIXED && def->stepper != ABUT_STEPPER_EVENT && def->stepper != ABUT_STEPPER_DEM) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_collide_settings collide = def->collide;
    collide.margin = 0.0; /* ignored: fixed.margin rules */
    abut_status status = collide_check_settings(&collide);
    status = status == ABUT_OK ? check_fixed(&def->fixed) : status;
    status = status == ABUT_OK ? check_event(&def->event) : status;
    return status == ABUT_OK ? check_dem(&def->dem) : status;
}

abut_status abut_world_create(const abut_world_def *def, abut_world **world) {
    abut_world_def used = def != NULL ? *def : abut_world_def_default();
    abut_status status = world == NULL ? ABUT_ERROR_INVALID_ARGUMENT : check_def(&used);
    if (status != ABUT_OK) {
        return status;
    }
    abut_world *made = memory_allocate(1, sizeof *made);
    if (made == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    *made = (abut_world){.def = used, .body_free = -1, .spring_free = -1, .broad = broad_empty()};
    *world = made;
    return ABUT_OK;
}

static void release_store(contact_store *store) {
    memory_release(store->contacts);
    memory_release(store->memory);
}

static void release_work(step_work *work) {
    memory_release(work->jobs);
    memory_release(work->seams);
    memory_release(work->seam_meshes);
    memory_release(work->results);
    release_store(&work->next);
    memory_release(work->tracking);
    memory_release(work->bodies);
    memory_release(work->islands);
    memory_release(work->island_of);
    memory_release(work->place_of);
    memory_release(work->states);
    memory_release(work->slots);
    memory_release(work->pairs);
    memory_release(work->sets);
    memory_release(work->batches);
    memory_release(work->contacts.pairs);
    memory_release(work->contacts.patches);
    memory_release(work->contacts.points);
    memory_release(work->contacts.anchors);
    memory_release(work->sources);
    memory_release(work->springs);
    memory_release(work->spring_sources);
    plan_release(&work->plan);
    colours_release(&work->colours);
}

void abut_world_destroy(abut_world *world) {
    if (world == NULL) {
        return;
    }
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        abut_shape_release(world->bodies[slot].shape);
    }
    memory_release(world->bodies);
    memory_release(world->springs);
    broad_release(&world->broad);
    release_store(&world->contacts);
    memory_release(world->tracking);
    release_work(&world->work);
    event_release(world->event);
    dem_release(world->dem);
    memory_release(world);
}

abut_status abut_world_step(abut_world *world, double dt, abut_step_report *report) {
    if (world == NULL || !(dt > 0.0) || !isfinite(dt)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_step_report made;
    abut_status status = world->def.stepper == ABUT_STEPPER_EVENT ? event_step(world, dt, &made)
                         : world->def.stepper == ABUT_STEPPER_DEM ? dem_step(world, dt, &made)
                                                                  : fixed_step(world, dt, &made);
    if (status == ABUT_OK && report != NULL) {
        *report = made;
    }
    return status;
}

abut_status abut_world_contacts(const abut_world *world, const abut_world_contact **contacts, int32_t *count) {
    if (world == NULL || contacts == NULL || count == NULL) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    *contacts = world->contacts.contacts;
    *count = world->contacts.count;
    return ABUT_OK;
}

/* FNV-1a. */
static uint64_t mix(uint64_t hash, const void *data, size_t size) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

uint64_t abut_world_hash(const abut_world *world) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (int32_t slot = 0; world != NULL && slot < world->body_used; slot++) {
        const body *body = &world->bodies[slot];
        if (!body->used) {
            continue;
        }
        const abut_body_id id = body_id_of(world, slot);
        const unsigned char asleep = body->asleep;
        hash = mix(hash, &id, sizeof id);
        hash = mix(hash, &body->pose, sizeof body->pose);
        hash = mix(hash, &body->velocity, sizeof body->velocity);
        hash = mix(hash, &body->angular_velocity, sizeof body->angular_velocity);
        hash = mix(hash, &asleep, sizeof asleep);
    }
    return hash;
}
