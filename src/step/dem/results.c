/* Writes the results of a step of the dem stepper into the world: contacts and bodies. This happens after everything that can fail. */
#include "base/array.h"
#include "base/parts.h"
#include "base/real.h"
#include "step/dem/kept.h"

bool dem_reserve_results(abut_world *world, struct dem_stepper *stepper) {
    const dem_system *s = &stepper->system;
    int32_t pairs = s->tally.touching + s->facets.tally.touching + s->facets.tally.engulfed,
            count = s->tally.touching + s->facets.tally.regions;
    const int32_t rolls = stepper->rolling ? stepper->kept_count : 0;
    return contact_store_reserve_plain(&world->contacts, count + 1) && broad_reserve_committed(&world->broad, pairs + 1) &&
           array_extend_tightly(&stepper->kept, &stepper->kept_capacity, stepper->kept_count, s->tally.touching + 1,
                                sizeof *stepper->kept) &&
           (!s->rolls ||
            array_extend_tightly(&stepper->rolls, &stepper->roll_capacity, rolls, s->tally.touching + 1, sizeof *stepper->rolls)) &&
           array_extend(&stepper->places, &stepper->place_capacity, stepper->place_count, s->facets.tally.regions + 1,
                        sizeof *stepper->places);
}

/* The contact that abut_collide() would return. */
static abut_contact contact_of(const dem_system *s, const dem_near *pair, const dem_contact *f) {
    const dem_sphere *a = &s->spheres[pair->a], *b = &s->spheres[pair->b];
    abut_vec3 n = f->normal;
    double overlap = 2.0 * (a->radius - f->arm_a);
    abut_contact c = {.normal = n, .gap = -overlap};
    c.on_a = abut_add_scaled(a->centre, -a->radius, n);
    c.on_b = abut_add_scaled(c.on_a, overlap, n);
    c.feature_a = (abut_feature){.kind = ABUT_FEATURE_SMOOTH};
    c.feature_b = (abut_feature){.kind = isinf(b->radius) ? ABUT_FEATURE_FACE : ABUT_FEATURE_SMOOTH};
    return c;
}

/* Writes the contact `at` of the pair. normal_force: the part along the contact's normal of the force on A. Without adhesion and bridges nothing
 * pulls: where damping takes the whole pressure, rounding error can leave a number just below 0. */
static void write_contact(abut_world *world, const dem_system *s, const broad_pair *pair, int32_t at, const abut_contact *contact,
                          double normal_force, abut_vec3 force) {
    contact_store *next = &world->next;
    abut_world_contact *added = &next->contacts[at];
    normal_force = s->adheres || s->wets ? normal_force : real_max(normal_force, 0.0);
    world_write_contacts(world, pair->a, pair->b, contact, 1, added);
    added->normal_force = normal_force;
    added->friction_force = abut_add_scaled(force, -normal_force, contact->normal);
}

static void write_found(abut_world *world, int32_t at, const broad_pair *pair, abut_vec3 normal) {
    world->broad.found[at] = *pair;
    world->broad.found_memories[at] = (broad_memory){.normal = normal};
}

/* Each pair of balls has one contact, and comes before the pairs with meshes. So `at` is its place in all lists. */
static void write_pair(abut_world *world, struct dem_stepper *stepper, int32_t i, int32_t at) {
    const dem_system *s = &stepper->system;
    const dem_near *pair = &s->pairs[i];
    const dem_contact *c = dem_contact_of(s, i);
    int32_t a = s->tags[pair->a].slot, b = s->tags[pair->b].slot;
    double force = abut_dot(c->force, c->normal);
    stepper->kept[at] = (kept_pair){.slot_a = a,
                                    .slot_b = b,
                                    .generation_a = world->bodies[a].generation,
                                    .generation_b = world->bodies[b].generation,
                                    .plane = pair->b >= s->round_count,
                                    .stretch = c->stretch,
                                    .normal = c->normal,
                                    .stiffness = c->stiffness};
    if (s->rolls) {
        const dem_roll *roll = dem_roll_of(s, i);
        stepper->rolls[at] = (kept_roll){roll->stretch, roll->stiffness};
    }
    const broad_pair found = {.a = a, .b = b, .previous = -1, .contact_first = at, .contact_count = 1};
    write_found(world, at, &found, c->normal);
    const abut_contact contact = contact_of(s, pair, c);
    write_contact(world, s, &found, at, &contact, force, c->force);
}

/* Balls in parts of their ranks, which threads take side by side. */
typedef struct writing {
    abut_world *world;
    struct dem_stepper *stepper;
    int32_t first[PARTS_MOST + 1]; /* place of each part's first contact */
} writing;

static void count_parts(void *argument, int32_t begin, int32_t end) {
    writing *w = argument;
    const dem_system *s = &w->stepper->system;
    const int32_t length = parts_length(s->ball_count);
    for (int32_t part = begin; part < end; ++part) {
        int32_t count = 0;
        for (int32_t rank = part * length; rank < parts_end(s->ball_count, part * length); ++rank) {
            const int32_t a = s->order.at[rank];
            for (int32_t i = s->own[a]; i < s->own[a + 1]; ++i) {
                count += s->touching[i] > 0;
            }
        }
        w->first[part + 1] = count;
    }
}

/* By the slots of A and B. */
static void write_parts(void *argument, int32_t begin, int32_t end) {
    writing *w = argument;
    const dem_system *s = &w->stepper->system;
    const int32_t length = parts_length(s->ball_count);
    for (int32_t part = begin; part < end; ++part) {
        int32_t at = w->first[part];
        for (int32_t rank = part * length; rank < parts_end(s->ball_count, part * length); ++rank) {
            const int32_t a = s->order.at[rank];
            for (int32_t i = s->own[a]; i < s->own[a + 1]; ++i) {
                if (s->touching[i] > 0) {
                    write_pair(w->world, w->stepper, i, at++);
                }
            }
        }
    }
}

static void write_ball_contacts(abut_world *world, struct dem_stepper *stepper) {
    writing w = {.world = world, .stepper = stepper};
    const abut_parallel *parallel = &world->def.parallel;
    const int32_t parts = parts_count(stepper->system.ball_count);
    abut_parallel_for(parallel, parts, 1, count_parts, &w);
    for (int32_t part = 0; part < parts; ++part) {
        w.first[part + 1] += w.first[part];
    }
    abut_parallel_for(parallel, parts, 1, write_parts, &w);
    world->next.count = world->broad.found_count = stepper->kept_count = w.first[parts];
}

static abut_feature feature_of(const dem_system *s, int32_t body, int32_t facet) {
    return body < s->ball_count ? (abut_feature){.kind = ABUT_FEATURE_SMOOTH}
                                : (abut_feature){.kind = ABUT_FEATURE_FACE, .index = facet >= 0 ? facet : 0};
}

/* Writes one place of contact of the last pair as one contact, at the centre of its pressure. */
static void write_place(abut_world *world, const dem_system *s, const dem_facet_pair *pair, int32_t index) {
    const dem_region *region = &pair->region[index];
    const abut_vec3 n = region->memory.normal, centre = abut_add(s->spheres[pair->frame].centre, region->arm);
    double force = abut_dot(region->force, n);
    abut_contact contact = {.normal = n,
                            .gap = -region->overlap,
                            .area = region->area,
                            .on_a = abut_add_scaled(centre, -0.5 * region->overlap, n),
                            .on_b = abut_add_scaled(centre, 0.5 * region->overlap, n),
                            .feature_a = feature_of(s, pair->frame, region->memory.surface_a),
                            .feature_b = feature_of(s, pair->guest, region->memory.surface_b),
                            .id = (uint64_t)index,
                            .patch = index};
    write_contact(world, s, &world->broad.found[world->broad.found_count - 1], world->next.count++, &contact, force, region->force);
}

static void write_facet_contacts(abut_world *world, struct dem_stepper *stepper) {
    const dem_system *s = &stepper->system;
    for (int32_t i = 0; i < s->facets.pair_count; ++i) {
        const dem_facet_pair *pair = &s->facets.pairs[i];
        if (pair->region_count > 0 || pair->engulfed) {
            const abut_vec3 none = {0.0, 0.0, 0.0};
            const broad_pair found = {.a = s->tags[pair->frame].slot,
                                      .b = s->tags[pair->guest].slot,
                                      .previous = -1,
                                      .contact_first = world->next.count,
                                      .contact_count = pair->region_count};
            write_found(world, world->broad.found_count++, &found, pair->region_count > 0 ? pair->region[0].memory.normal : none);
        }
        for (int32_t k = 0; k < pair->region_count; ++k) {
            write_place(world, s, pair, k);
        }
    }
    dem_facets_flatten(&s->facets, stepper->places, &stepper->place_count);
}

void dem_write_contacts(abut_world *world, struct dem_stepper *stepper) {
    /* Nothing of the last step is needed, so one list is enough: step_finish() exchanges them again. */
    const contact_store last = world->contacts;
    world->contacts = world->next;
    world->next = last;
    broad_take_back(&world->broad);
    world->next.count = world->broad.found_count = stepper->kept_count = stepper->place_count = 0;
    stepper->rolling = stepper->system.rolls;
    write_ball_contacts(world, stepper);
    write_facet_contacts(world, stepper);
}

typedef struct writing_bodies {
    abut_world *world;
    const dem_system *s;
} writing_bodies;

static void write_bodies(void *argument, int32_t begin, int32_t end) {
    const writing_bodies *w = argument;
    const dem_system *s = w->s;
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    for (int32_t k = begin; k < end; ++k) {
        const int32_t i = k < s->ball_count ? s->order.at[k] : k; /* in the order of the world's memory */
        body *body = &w->world->bodies[s->tags[i].slot];
        body->force = body->torque = zero;
        body->disturbed = body->asleep = false;
        if (body->kind != ABUT_BODY_STATIC && body->cell == NULL) {
            body->centre = s->spheres[i].centre;
            body->velocity = s->bodies[i].velocity;
            body->angular_velocity = s->bodies[i].angular_velocity;
            body->frame = s->frames[i];
            body_place_shape(body);
        }
    }
}

void dem_write_bodies(abut_world *world, const dem_system *s) {
    enum { GRAIN = 256 }; /* bodies worth a thread */
    writing_bodies w = {world, s};
    abut_parallel_for(&world->def.parallel, s->body_count, GRAIN, write_bodies, &w);
}
