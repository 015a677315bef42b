/* Bodies, parts and pairs of the event stepper, and the tests of pairs with witnesses: see pairs.h. */
#include "step/event/pairs.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"
#include "narrow/curved/curved.h"
#include "narrow/generators.h"
#include "narrow/query/distance.h"
#include "shape/shape.h"
#include "shape/smooth.h"
#include "shape/surface/triangulation_data.h"
#include "shape/trimesh_data.h"
#include "shape/user.h"
#include "step/event/direct.h"
#include "step/event/witness.h"
#include "step/world/joints.h"
#include "step/world/meet/excluded.h"
#include "step/world/takes.h"

/* ---- bodies and parts ---- */

static double most_gravity(const event_system *system) {
    double most = -1.0;
    for (int32_t i = 0; i < system->body_count; ++i) {
        const event_body *b = &system->bodies[i];
        most = b->inverse_mass > 0.0 ? real_max(abut_length(b->gravity), most) : most;
    }
    return most >= 0.0 ? most : abut_length(system->world->def.gravity);
}

static bool list_bodies(event_system *system) {
    const abut_world *world = system->world;
    system->body_count = 0;
    system->still_placed = system->looked = false;
    if (!array_reserve(&system->bodies, &system->body_capacity, world->body_used, sizeof *system->bodies) ||
        !array_reserve(&system->state, &system->state_capacity, world->body_used, sizeof *system->state) ||
        !array_reserve(&system->masses, &system->mass_capacity, world->body_used, sizeof *system->masses) ||
        !array_reserve(&system->torques, &system->torque_capacity, world->body_used, sizeof *system->torques) ||
        !array_reserve(&system->motions, &system->motion_capacity, world->body_used, sizeof *system->motions) ||
        !array_reserve(&system->first_part, &system->first_capacity, world->body_used + 1, sizeof *system->first_part)) {
        return false;
    }
    for (int32_t slot = 0; slot < world->body_used; ++slot) {
        const body *from = &world->bodies[slot];
        if (!from->used) {
            continue;
        }
        bool dynamic = from->kind == ABUT_BODY_DYNAMIC;
        int32_t i = system->body_count++;
        system->bodies[i] = (event_body){
            .slot = slot, .from = from, .inverse_mass = dynamic ? 1.0 / from->mass : 0.0, .moves = from->kind != ABUT_BODY_STATIC};
        system->bodies[i].gravity = body_gravity(world, from);
        system->state[i] = (event_state){from->centre, from->frame, from->velocity,
                                         event_spin_of(from, from->frame, from->angular_velocity), from->angular_velocity};
        if (from->kind == ABUT_BODY_STATIC) {
            system->state[i].velocity = system->state[i].angular_velocity = abut_vec3_make(0.0, 0.0, 0.0);
        }
    }
    system->most_gravity = most_gravity(system);
    return true;
}

static bool is_mesh(const event_part *part) { return part->shape->kind == ABUT_SHAPE_TRIMESH; }

/* The least width of a part. A surface without an inside has none: what the other part must not go through in one step is itself. */
static double thickness_of(const event_part *part) {
    if (smooth_is_unknown(part->shape)) {
        return part->shape->user->triangles->thickness;
    }
    if (part->size == 0.0 || (is_mesh(part) && !trimesh_has_inside(part->shape->mesh))) {
        return INFINITY;
    }
    abut_aabb b = part->shape->bounds;
    return real_min(b.upper.x - b.lower.x, real_min(b.upper.y - b.lower.y, b.upper.z - b.lower.z));
}

static event_part part_of(int32_t body, const abut_part *from) {
    event_part part = {.body = body, .shape = from->shape, .pose = from->pose, .radius = INFINITY, .size = from->shape->size};
    if (from->shape->kind != ABUT_SHAPE_PLANE) {
        abut_aabb bounds = from->shape->bounds;
        part.middle = abut_lerp(bounds.lower, bounds.upper, 0.5);
        bool round = from->shape->kind == ABUT_SHAPE_SPHERE || from->shape->kind == ABUT_SHAPE_CAPSULE;
        part.radius = round ? from->shape->radius + from->shape->half_length : 0.5 * abut_distance_between(bounds.lower, bounds.upper);
    }
    part.thickness = thickness_of(&part);
    return part;
}

static abut_status list_parts(event_system *system) {
    system->part_count = 0;
    for (int32_t i = 0; i < system->body_count; ++i) {
        const abut_shape *shape = system->bodies[i].from->shape;
        int32_t count = abut_shape_part_count(shape);
        abut_status taken = world_takes_body(system->world, system->bodies[i].slot);
        if (taken != ABUT_OK) {
            return taken;
        }
        if (!array_extend(&system->parts, &system->part_capacity, system->part_count, system->part_count + count, sizeof *system->parts)) {
            return ABUT_ERROR_OUT_OF_MEMORY;
        }
        system->first_part[i] = system->part_count;
        for (int32_t p = 0; p < count; ++p) {
            abut_part part;
            abut_shape_part(shape, p, &part);
            system->parts[system->part_count++] = part_of(i, &part);
        }
    }
    system->first_part[system->body_count] = system->part_count;
    bool fine = array_reserve(&system->places, &system->place_capacity, system->part_count, sizeof *system->places) &&
                array_reserve(&system->begin, &system->begin_capacity, system->part_count, sizeof *system->begin);
    return fine ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

abut_status event_pairs_list_bodies(event_system *system) { return list_bodies(system) ? list_parts(system) : ABUT_ERROR_OUT_OF_MEMORY; }

/* ---- pairs ---- */

int32_t event_pairs_body_of(const event_system *system, int32_t slot) {
    int32_t low = 0, high = system->body_count - 1;
    while (low < high) {
        int32_t middle = (low + high) / 2;
        if (system->bodies[middle].slot < slot) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Takes over what the previous list knew about a pair. Bodies are identified by their slots, parts by their indices in the bodies. A wrong
 * witness only costs time. *at: the first pair of these bodies; *next: where this pair is, if both lists have the same ones. */
static void recall(const event_pair *before, int32_t before_count, int32_t *at, int32_t *next, int32_t found, event_pair *pair) {
    while (*at < before_count && before[*at].found < found) {
        *next = ++*at;
    }
    bool there = *next < before_count && before[*next].found == found && before[*next].part[0] == pair->part[0] &&
                 before[*next].part[1] == pair->part[1];
    for (int32_t i = there ? *next : *at; i < before_count && before[i].found == found; ++i) {
        if (before[i].part[0] == pair->part[0] && before[i].part[1] == pair->part[1]) {
            pair->witness = before[i].witness;
            pair->touched = before[i].touched;
            pair->met[0] = before[i].met[0];
            pair->met[1] = before[i].met[1];
            pair->cache = before[i].cache;
            *next = i + 1;
            return;
        }
    }
}

static event_pair make_pair(const event_system *system, int32_t found, int32_t a, int32_t b) {
    event_pair pair = {.part = {a, b}, .found = found};
    double size_a = system->parts[a].size, size_b = system->parts[b].size;
    for (int side = 0; side < 2; ++side) {
        const abut_shape *shape = system->parts[side == 0 ? a : b].shape;
        if (shape->kind == ABUT_SHAPE_PLANE) { /* it is its own witness */
            pair.witness = (event_witness){
                side == 0 ? EVENT_PLANE_OF_A : EVENT_PLANE_OF_B, side == 0 ? abut_neg(shape->normal) : shape->normal, {0.0, 0.0, 0.0}};
        }
    }
    pair.size = size_a == 0.0 || size_b == 0.0 ? size_a + size_b : real_min(size_a, size_b);
    return pair;
}

bool event_pairs_list(event_system *system) {
    const broad_phase *broad = &system->world->broad;
    event_pair *before = system->pairs;
    int32_t before_count = system->pair_count, at = 0, next = 0;
    system->pairs = NULL;
    system->pair_count = system->pair_capacity = 0;
    bool fine = true;
    for (int32_t p = 0; p < broad->found_count && fine; ++p) {
        const broad_pair *pair = &broad->found[p];
        if (!broad_is_candidate(broad, pair) || !world_lets_touch(system->world, pair->a, pair->b) ||
            joints_keep_apart(system->world, pair->a, pair->b)) {
            continue;
        }
        int32_t a = event_pairs_body_of(system, pair->a), b = event_pairs_body_of(system, pair->b);
        int32_t a_end = system->first_part[a + 1], b_end = system->first_part[b + 1];
        int32_t more = (a_end - system->first_part[a]) * (b_end - system->first_part[b]);
        fine = array_extend(&system->pairs, &system->pair_capacity, system->pair_count, system->pair_count + more, sizeof *system->pairs);
        for (int32_t i = system->first_part[a]; i < a_end && fine; ++i) {
            for (int32_t k = system->first_part[b]; k < b_end; ++k) {
                event_pair made = make_pair(system, p, i, k);
                recall(before, before_count, &at, &next, pair->previous, &made);
                system->pairs[system->pair_count++] = made;
            }
        }
    }
    memory_release(before);
    return fine;
}

/* ---- one pair ---- */

static abut_vec3 middle_of(const event_part *part, const event_place *place) {
    return abut_add(abut_mat3_apply(place->rotation, part->middle), place->position);
}

/* Distance of the parts' bounding balls; negative if they overlap. For a plane, the distance of the other part's ball from it. */
static double gap_of_bounds(const event_part *const part[2], const event_place *const place[2]) {
    for (int side = 0; side < 2; ++side) {
        if (part[side]->shape->kind == ABUT_SHAPE_PLANE) {
            const abut_shape *plane = part[side]->shape;
            abut_vec3 normal = abut_mat3_apply(place[side]->rotation, plane->normal);
            double height = abut_dot(normal, abut_sub(middle_of(part[1 - side], place[1 - side]), place[side]->position)) - plane->offset;
            return height - part[1 - side]->radius;
        }
    }
    return abut_distance_between(middle_of(part[0], place[0]), middle_of(part[1], place[1])) - part[0]->radius - part[1]->radius;
}

static double error_of(const event_part *const part[2]) { return curved_error(part[0]->shape) + curved_error(part[1]->shape); }

/* Of smooth bodies that are not convex, contacts beyond the margin were asked for, too. A contact of the triangles that has no place on the surface itself can
 * be none: the triangles stick out. It counts where it is deeper than that. Returns the least gap of the contacts with a place. */
static double leave_out_triangles(const event_system *system, double margin, double error, int32_t *count) {
    const double beyond = 2.0;
    double least = INFINITY;
    int32_t kept = 0;
    for (int32_t i = 0; i < *count; ++i) {
        const abut_contact contact = system->contacts[i];
        bool witness = (contact.flags & ABUT_CONTACT_WITNESS) != 0u;
        least = witness ? least : real_min(least, contact.gap);
        if (contact.gap <= (witness ? -beyond * error : margin)) {
            system->contacts[kept++] = contact;
        }
    }
    *count = kept;
    return least;
}

/* Contacts into system->contacts. *least: a gap that is known to be the least; INFINITY for none. */
static abut_status find_contacts(event_system *system, event_pair *pair, const abut_pair *placed, double margin, double error,
                                 int32_t *count, double *least) {
    /* Of the world's settings, only the weld has an effect: the others choose among contacts of bodies that overlap, and here bodies only touch. */
    const double beyond = 4.0;
    abut_collide_settings settings = abut_collide_settings_default();
    settings.weld = system->world->def.collide.weld;
    settings.margin = margin + beyond * error;
    abut_status status = ABUT_ERROR_CAPACITY;
    *least = INFINITY;
    while (status == ABUT_ERROR_CAPACITY) {
        if (!array_reserve(&system->contacts, &system->contact_capacity, *count > 16 ? *count : 16, sizeof *system->contacts)) {
            return ABUT_ERROR_OUT_OF_MEMORY;
        }
        status = collide_make(placed, &settings, &pair->cache, system->contacts, system->contact_capacity, count);
    }
    if (status == ABUT_OK && error > 0.0) {
        *least = leave_out_triangles(system, margin, error, count);
    }
    return status;
}

/* Sets the witness of a pair that does not touch, and how far it is apart at least. least: its gap, if known. */
static abut_status find_witness(event_system *system, event_pair *pair, const event_part *const part[2], const event_place *const place[2],
                                const abut_pair *placed, double least) {
    abut_collide_settings settings = abut_collide_settings_default();
    settings.weld = system->world->def.collide.weld;
    abut_separation s;
    abut_status status = distance_ask(NULL, placed, &settings, &pair->cache, &s);
    const event_place *const begin[2] = {&system->begin[pair->part[0]], &system->begin[pair->part[1]]};
    if (status == ABUT_OK) {
        pair->witness = event_witness_choose(&s, part, begin, place);
        pair->apart = real_max(isfinite(least) ? least : s.gap, 0.0);
    }
    return status;
}

static bool search(event_system *system, event_pair *pair, const event_part *const part[2], const event_place *const place[2],
                   double margin, int32_t *count) {
    const abut_pair placed = {part[0]->shape, place[0]->pose, part[1]->shape, place[1]->pose};
    double error = error_of(part), least;
    abut_status status = find_contacts(system, pair, &placed, margin, error, count, &least);
    bool plane = part[0]->shape->kind == ABUT_SHAPE_PLANE || part[1]->shape->kind == ABUT_SHAPE_PLANE;
    pair->apart = 0.0;
    if (status == ABUT_OK && *count == 0 && (!plane || error > 0.0)) { /* a plane is the witness of any other body */
        status = find_witness(system, pair, part, place, &placed, least);
    }
    if (status == ABUT_ERROR_UNSUPPORTED_PAIR) {
        (void)world_refuse_pair(status, system->world, system->bodies[part[0]->body].slot, system->bodies[part[1]->body].slot);
    }
    system->status = status;
    return status == ABUT_OK;
}

static bool is_same_feature(abut_feature p, abut_feature q) { return p.kind == q.kind && p.index == q.index; }

/* Whether a pair is a plane and a shape of which a formula gives the lowest point. The plane is its own witness, and nothing is searched. */
static bool needs_no_search(const event_part *const part[2]) {
    abut_kind a = part[0]->shape->kind, b = part[1]->shape->kind;
    abut_kind other = a == ABUT_SHAPE_PLANE ? b : a;
    if (a == ABUT_SHAPE_PLANE || b == ABUT_SHAPE_PLANE) {
        return other == ABUT_SHAPE_SPHERE || other == ABUT_SHAPE_CAPSULE || other == ABUT_SHAPE_BOX || other == ABUT_SHAPE_ELLIPSOID ||
               other == ABUT_SHAPE_SUPERQUADRIC;
    }
    return false;
}

/* Whether the pair touches with the same features as the last time. Stores the current features. */
static bool meets_again(event_pair *pair, const abut_contact *contact, int32_t count) {
    bool again = false;
    for (int32_t i = 0; i < count; ++i) {
        again = again || (is_same_feature(contact[i].feature_a, pair->met[0]) && is_same_feature(contact[i].feature_b, pair->met[1]));
    }
    pair->met[0] = contact[0].feature_a;
    pair->met[1] = contact[0].feature_b;
    return again;
}

/* Answers without a search. False if the general way must be taken; system->contacts has room for a contact. */
static bool answer(event_system *system, event_pair *pair, const event_part *const part[2], const event_place *const place[2],
                   double margin, int32_t *count) {
    abut_separation apart;
    abut_contact contact;
    if (!event_direct_find(part, place, margin, &contact, count, &apart)) {
        return false;
    }
    if (*count > 0) {
        system->contacts[0] = contact;
    } else if (part[0]->shape->kind != ABUT_SHAPE_PLANE && part[1]->shape->kind != ABUT_SHAPE_PLANE) {
        const event_place *const begin[2] = {&system->begin[pair->part[0]], &system->begin[pair->part[1]]};
        pair->witness = event_witness_choose(&apart, part, begin, place);
    }
    return true;
}

bool event_pair_is_farther(const event_system *system, int32_t pair, double margin) {
    return system->looked && system->pairs[pair].apart > margin;
}

/* A new pair is often apart along an axis of the world: its bounding boxes have just met, with their room for motion. It is asked once: the axis of
 * the widest gap stays the witness even if it does not separate. */
static void witness_of_boxes(event_pair *pair, const event_part *const part[2], const event_place *const place[2]) {
    const abut_vec3 axis[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    double widest = -INFINITY;
    for (int i = 0; i < 6; ++i) {
        event_witness along = {EVENT_PLANE_IN_WORLD, axis[i], {0.0, 0.0, 0.0}};
        double gap = event_witness_gap(&along, part, place);
        pair->witness = gap > widest ? along : pair->witness;
        widest = real_max(gap, widest);
    }
}

bool event_pair_test(event_system *system, int32_t index, double margin, int32_t *count) {
    event_pair *pair = &system->pairs[index];
    const event_part *const part[2] = {&system->parts[pair->part[0]], &system->parts[pair->part[1]]};
    const event_place *const place[2] = {&system->places[pair->part[0]], &system->places[pair->part[1]]};
    *count = 0;
    pair->touched = false;
    pair->apart = gap_of_bounds(part, place);
    if (pair->apart > margin) {
        return true;
    }
    system->tally.tests++;
    if (abut_length_squared(pair->witness.direction) == 0.0) {
        witness_of_boxes(pair, part, place);
    }
    pair->apart = event_witness_gap(&pair->witness, part, place);
    if (pair->apart > margin) {
        system->tally.hits++;
        return true;
    }
    pair->apart = 0.0;
    if (!array_reserve(&system->contacts, &system->contact_capacity, 16, sizeof *system->contacts)) {
        system->status = ABUT_ERROR_OUT_OF_MEMORY;
        return false;
    }
    if (event_direct_is(part[0]->shape, part[1]->shape) && answer(system, pair, part, place, margin, count)) {
        pair->touched = *count > 0;
        system->tally.hits++;
        return true;
    }
    if (!search(system, pair, part, place, margin, count)) {
        return false;
    }
    pair->touched = *count > 0;
    if (needs_no_search(part)) {
        system->tally.hits++;
        return true;
    }
    bool repeats = pair->touched && meets_again(pair, system->contacts, *count);
    system->tally.repeats += repeats;
    system->tally.misses += !repeats;
    return true;
}

/* ---- bounds on the motion ---- */

static double fastest(const event_system *system, const event_part *part) {
    const abut_kinematics *m = &system->motions[part->body];
    const body *from = system->bodies[part->body].from;
    double fall = system->bodies[part->body].inverse_mass > 0.0 ? sqrt(abut_length(m->acceleration.linear) * part->thickness) : 0.0;
    return abut_length(m->velocity.linear) + from->radius * abut_length(m->velocity.angular) + (isfinite(fall) ? fall : 0.0);
}

void event_pairs_find_speeds(event_system *system) {
    for (int32_t i = 0; i < system->part_count; ++i) {
        system->parts[i].speed = fastest(system, &system->parts[i]);
    }
}

double event_pair_time(const event_system *system, int32_t index) {
    const event_pair *pair = &system->pairs[index];
    const event_part *const part[2] = {&system->parts[pair->part[0]], &system->parts[pair->part[1]]};
    double speed = part[0]->speed + part[1]->speed;
    return speed > 0.0 ? (real_max(pair->apart, 0.0) + 0.5 * real_min(part[0]->thickness, part[1]->thickness)) / speed : INFINITY;
}

/* Upper bound of the acceleration of the part's points. */
static double strongest(const event_system *system, const event_part *part, const event_place *place) {
    const abut_kinematics *m = place->motion;
    double spin = abut_length(m->velocity.angular), radius = system->bodies[part->body].from->radius;
    return abut_length(m->acceleration.linear) + radius * (abut_length(m->acceleration.angular) + spin * spin);
}

/* A part of the last step of the integration: two times and the places of a pair there. */
typedef struct span {
    const event_integrator *integrator;
    const event_pair *pair;
    double begin, end;
    const event_place *at_begin[2], *at_end[2];
} span;

static double gap_at_ends(const event_witness *witness, const event_part *const part[2], const span *s) {
    return real_min(event_witness_gap(witness, part, s->at_begin), event_witness_gap(witness, part, s->at_end));
}

/* The largest gap, at both ends, of the pair's witness and the planes between both bounding balls: a pair whose balls have not met may have no witness. */
static double widest_gap(const event_part *const part[2], const span *s, double enough) {
    const event_place *const *at[2] = {s->at_begin, s->at_end};
    double widest = gap_at_ends(&s->pair->witness, part, s);
    for (int i = 0; i < 2 && !(widest > enough) && isfinite(part[0]->radius + part[1]->radius); ++i) {
        abut_vec3 way = abut_sub(middle_of(part[0], at[i][0]), middle_of(part[1], at[i][1]));
        event_witness between = {EVENT_PLANE_IN_WORLD, abut_unit(way), {0.0, 0.0, 0.0}};
        widest = real_max(widest, gap_at_ends(&between, part, s));
    }
    return widest;
}

/* In the frame of the part that holds the witness, points of the other part move on arcs. The bend, an acceleration, bounds their height over their chords,
 * rotation included. If that is too much, each half of the time is asked: its arcs are four times as flat. Returns the time of the first doubt, INFINITY for
 * none: a middle where no plane separates the pair, or an end of a time that is not halved again. */
static double doubt_of(const event_system *system, const span *s, double bend, int halvings) {
    const event_part *const part[2] = {&system->parts[s->pair->part[0]], &system->parts[s->pair->part[1]]};
    double time = s->end - s->begin, enough = bend * time * time;
    if (widest_gap(part, s, enough) > enough) {
        return INFINITY;
    }
    if (halvings == 0) {
        return s->begin > 0.0 ? s->begin : s->end;
    }
    double middle = 0.5 * (s->begin + s->end);
    event_place place[2];
    for (int i = 0; i < 2; ++i) {
        int32_t body = part[i]->body;
        event_state state =
            system->bodies[body].moves ? event_integrator_between(s->integrator, system, body, middle) : system->state[body];
        place[i] = event_system_place_of(system, s->pair->part[i], &state);
    }
    span first = *s, last = *s;
    first.end = last.begin = middle;
    first.at_end[0] = last.at_begin[0] = &place[0];
    first.at_end[1] = last.at_begin[1] = &place[1];
    if (!(gap_of_bounds(part, first.at_end) > 0.0) && !(event_witness_gap(&s->pair->witness, part, first.at_end) > 0.0)) {
        return middle;
    }
    double doubt = doubt_of(system, &first, bend, halvings - 1);
    return isfinite(doubt) ? doubt : doubt_of(system, &last, bend, halvings - 1);
}

double event_pair_doubt(const event_system *system, const event_integrator *integrator, int32_t index) {
    const int halvings = 10;
    const event_pair *pair = &system->pairs[index];
    const event_part *const part[2] = {&system->parts[pair->part[0]], &system->parts[pair->part[1]]};
    const event_place *const end[2] = {&system->places[pair->part[0]], &system->places[pair->part[1]]};
    const event_place *const begin[2] = {&system->begin[pair->part[0]], &system->begin[pair->part[1]]};
    double time = integrator->length;
    /* What the parts approach each other, and part again, is no more than their way. That also holds where no plane separates a body from another one that
     * surrounds it and is not convex. */
    if (pair->began_apart + pair->apart > time * (part[0]->speed + part[1]->speed)) {
        return INFINITY;
    }
    double bend = 0.5 * (strongest(system, part[0], end[0]) + strongest(system, part[1], end[1]));
    const span whole = {integrator, pair, 0.0, time, {begin[0], begin[1]}, {end[0], end[1]}};
    return doubt_of(system, &whole, bend, halvings);
}
