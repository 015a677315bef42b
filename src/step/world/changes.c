/* Saved values that callers have changed: see changes.h. */
#include "step/world/changes.h"

#include <string.h>

enum { CHANGE_BYTES = 4 + 9 * 8 };

/* By their bits: -0 is not 0. */
static bool has_changed(const body *b) {
    const body_values now = body_values_of(b);
    return b->used && memcmp(&now, &b->built, sizeof now) != 0;
}

static int32_t count_changed(const abut_world *world) {
    int32_t count = 0;
    for (int32_t slot = 0; slot < world->body_used; ++slot) {
        count += has_changed(&world->bodies[slot]);
    }
    return count;
}

bool changes_exist(const abut_world *world) {
    return memcmp(&world->def.gravity, &world->built_gravity, sizeof world->built_gravity) != 0 || count_changed(world) > 0;
}

/* The principal frame and the moments follow from mass and shape. */
static abut_status set_values(body *b, const body_values *values) {
    b->friction = values->friction;
    b->restitution = values->restitution;
    b->linear_damping = values->linear_damping;
    b->angular_damping = values->angular_damping;
    b->gravity_scale = values->gravity_scale;
    b->filter = (abut_filter){values->category, values->mask, (int32_t)values->group};
    if (values->mass == b->mass) {
        return ABUT_OK;
    }
    return body_weigh(b, &(abut_body_def){.kind = b->kind, .shape = b->shape, .mass = values->mass});
}

body changes_undone(const body *b) {
    body built = *b;
    (void)set_values(&built, &b->built); /* the shape may be another one by now; what it makes of the mass is the same in every world */
    built.belt = b->built_belt;
    body_follow_belt(&built);
    return built;
}

static void save_values(saved_stream *s, body_values *v) {
    saved_real(s, &v->mass);
    saved_real(s, &v->friction);
    saved_real(s, &v->restitution);
    saved_real(s, &v->linear_damping);
    saved_real(s, &v->angular_damping);
    saved_real(s, &v->gravity_scale);
    saved_uint64(s, &v->category);
    saved_uint64(s, &v->mask);
    saved_int64(s, &v->group);
}

void changes_save(saved_stream *s, const abut_world *world) {
    abut_vec3 gravity = world->def.gravity;
    int32_t count = count_changed(world);
    saved_vec3(s, &gravity);
    saved_int32(s, &count);
    for (int32_t slot = 0; slot < world->body_used; ++slot) {
        if (has_changed(&world->bodies[slot])) {
            body_values values = body_values_of(&world->bodies[slot]);
            saved_int32(s, &slot);
            save_values(s, &values);
        }
    }
}

static bool is_fine(const body *b, const body_values *v) {
    bool finite = isfinite(v->mass) && isfinite(v->friction) && isfinite(v->linear_damping) && isfinite(v->angular_damping) &&
                  isfinite(v->gravity_scale);
    bool mass = b->kind == ABUT_BODY_DYNAMIC ? v->mass > 0.0 : v->mass == 0.0;
    bool group = v->group >= INT32_MIN && v->group <= INT32_MAX;
    return finite && mass && group && v->friction >= 0.0 && v->restitution >= 0.0 && v->restitution <= 1.0 && v->linear_damping >= 0.0 &&
           v->angular_damping >= 0.0;
}

abut_status changes_read(saved_stream *s, abut_vec3 *gravity, body *bodies, int32_t body_used) {
    int32_t count = 0;
    saved_vec3(s, gravity);
    s->broken = s->broken || !abut_vec3_is_finite(*gravity);
    if (!saved_count(s, &count, CHANGE_BYTES)) {
        return ABUT_ERROR_FORMAT;
    }
    for (int32_t i = 0, last = -1; i < count; ++i) {
        int32_t slot = -1;
        body_values values;
        saved_int32(s, &slot);
        save_values(s, &values);
        if (s->broken || slot <= last || slot >= body_used || !bodies[slot].used || !is_fine(&bodies[slot], &values) ||
            set_values(&bodies[slot], &values) != ABUT_OK) {
            return ABUT_ERROR_FORMAT;
        }
        body_follow_belt(&bodies[slot]); /* the principal frame may be another one */
        last = slot;
    }
    return ABUT_OK;
}
