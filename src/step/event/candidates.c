/* Candidate pairs of the event stepper, from bounds enlarged by the motion of a time: see candidates.h. World frame. */
#include "step/event/candidates.h"

#include "base/real.h"
#include "step/event/pairs.h"

/* Upper bound of the distance that any point of a body travels in a time. */
static double travel(const event_system *system, const event_state *state, const body *from, double time) {
    double speed = abut_length(state->velocity) + from->radius * abut_length(state->angular_velocity);
    double fall = from->kind == ABUT_BODY_DYNAMIC ? 0.5 * abut_length(body_gravity(system->world, from)) * time : 0.0;
    return time * (speed + fall);
}

static abut_aabb grown(abut_aabb box, double by) {
    abut_vec3 more = {by, by, by};
    return (abut_aabb){abut_sub(box.lower, more), abut_add(box.upper, more)};
}

static abut_pose pose_at(const body *from, const event_state *state) {
    body moved = *from;
    moved.centre = state->centre;
    moved.frame = state->frame;
    body_place_shape(&moved);
    return moved.pose;
}

static abut_aabb bounds_at(const body *from, const event_state *state) { return abut_shape_bounds(from->shape, pose_at(from, state)); }

/* The enlargement of bounds that also covers touching bodies. */
static double touching_of(const event_system *system, const body *from) { return 20.0 * system->world->def.event.touching * from->size; }

static void move_body(event_system *system, abut_world *world, int32_t index, double time) {
    const event_body *b = &system->bodies[index];
    const event_state *state = &system->state[index];
    double way = travel(system, state, b->from, time);
    if (world->broad.proxies[b->slot].kind == BROAD_PLANE) {
        body moved = *b->from;
        moved.pose = pose_at(b->from, state);
        abut_vec3 normal;
        double offset;
        body_plane(&moved, &normal, &offset);
        broad_move_plane(&world->broad, b->slot, normal, offset + way);
        return;
    }
    abut_aabb reach = grown(bounds_at(b->from, state), way + touching_of(system, b->from));
    broad_move_box(&world->broad, b->slot, reach, abut_scale(4.0 * time, state->velocity));
}

static bool find(event_system *system, abut_world *world, double time) {
    for (int32_t i = 0; i < system->body_count; ++i) {
        if (system->bodies[i].moves) {
            move_body(system, world, i, time);
        }
    }
    return broad_find(&world->broad, &world->def.parallel);
}

abut_status event_candidates_begin(event_system *system, abut_world *world, double time) {
    abut_status status = event_pairs_list_bodies(system);
    if (status == ABUT_OK && (!find(system, world, time) || !event_pairs_list(system))) {
        status = ABUT_ERROR_OUT_OF_MEMORY;
    }
    return status;
}

static bool contains(abut_aabb outer, abut_aabb inner) {
    return outer.lower.x <= inner.lower.x && outer.lower.y <= inner.lower.y && outer.lower.z <= inner.lower.z &&
           outer.upper.x >= inner.upper.x && outer.upper.y >= inner.upper.y && outer.upper.z >= inner.upper.z;
}

bool event_candidates_suffice(const event_system *system, double time) {
    for (int32_t i = 0; i < system->body_count; ++i) {
        const event_body *b = &system->bodies[i];
        const broad_proxy *proxy = &system->world->broad.proxies[b->slot];
        if (b->moves && proxy->kind == BROAD_BOX) {
            abut_aabb reached = grown(bounds_at(b->from, &system->state[i]), travel(system, &system->state[i], b->from, time));
            if (!contains(proxy->reach, reached)) {
                return false;
            }
        }
    }
    return true;
}

/* ---- within a step ---- */

/* Index of a pair of parts in the list, which is sorted by bodies and then by parts; -1 if it is not there. */
static int32_t index_of_parts(const event_system *system, const int32_t part[2]) {
    int32_t body_a = system->parts[part[0]].body, body_b = system->parts[part[1]].body, low = 0, high = system->pair_count;
    while (low < high) {
        int32_t middle = (low + high) / 2;
        const int32_t *is = system->pairs[middle].part;
        const int32_t key[4] = {system->parts[is[0]].body - body_a, system->parts[is[1]].body - body_b, is[0] - part[0], is[1] - part[1]};
        int32_t order = 0;
        for (int i = 0; i < 4 && order == 0; ++i) {
            order = key[i];
        }
        if (order == 0) {
            return middle;
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return -1;
}

bool event_candidates_again(event_system *system, abut_world *world, double time) {
    for (int32_t i = 0; i < system->row_count; ++i) {
        const event_pair *pair = &system->pairs[system->rows[i].pair];
        system->rows[i].part[0] = pair->part[0];
        system->rows[i].part[1] = pair->part[1];
    }
    broad_commit(&world->broad);
    if (!find(system, world, time) || !event_pairs_list(system)) {
        system->status = ABUT_ERROR_OUT_OF_MEMORY;
        return false;
    }
    int32_t kept = 0;
    for (int32_t i = 0; i < system->row_count; ++i) {
        int32_t pair = index_of_parts(system, system->rows[i].part);
        if (pair >= 0) {
            system->rows[kept] = system->rows[i];
            system->rows[kept].pair = pair;
            system->force[kept++] = system->force[i];
        }
    }
    system->row_count = kept;
    return true;
}
