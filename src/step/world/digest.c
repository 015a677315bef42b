/* Digests of the constant parts of a world: see digest.h. */
#include "step/world/digest.h"

#include "base/digest.h"
#include "base/memory.h"
#include "shape/digest.h"
#include "step/world/changes.h"
#include "step/world/saved.h"
#include "step/world/meet/substances.h"
#include "step/world/meet/surfaces.h"

static uint64_t add_vec3(uint64_t digest, abut_vec3 v) {
    const double xyz[] = {v.x, v.y, v.z};
    return digest_reals(digest, xyz, 3);
}

static uint64_t add_collide(uint64_t digest, const abut_collide_settings *c) {
    const int32_t integers[] = {(int32_t)c->normal, (int32_t)c->contraction,        (int32_t)c->baseline.growth,
                                c->refine_normal,   (int32_t)c->baseline.mesh_rule, (int32_t)c->baseline.mesh_identity};
    const double reals[] = {c->margin, c->feature_angle, c->weld};
    digest = digest_integers(digest, integers, sizeof integers / sizeof *integers);
    return add_vec3(digest_reals(digest, reals, sizeof reals / sizeof *reals), c->previous_normal);
}

static uint64_t add_fixed(uint64_t digest, const abut_fixed_settings *f) {
    const int32_t integers[] = {f->substeps, f->iterations, f->contacts_per_patch, f->sleeping};
    const double reals[] = {f->contact_frequency, f->contact_damping, f->max_push_speed, f->restitution_speed, f->margin,
                            f->sleep_speed,       f->sleep_time};
    digest = digest_integers(digest, integers, sizeof integers / sizeof *integers);
    digest = digest_reals(digest, reals, sizeof reals / sizeof *reals);
    return f->exact ? digest : digest_word(digest, (uint64_t)f->effort); /* states of older versions are those of exact worlds */
}

static uint64_t add_event(uint64_t digest, const abut_event_settings *e) {
    const int32_t integers[] = {e->event_limit, (int32_t)e->impulses};
    const double reals[] = {e->tolerance, e->touching, e->resting_speed, e->restitution_speed, e->drift_rate, e->longest_step};
    digest = digest_integers(digest, integers, sizeof integers / sizeof *integers);
    digest = digest_reals(digest, reals, sizeof reals / sizeof *reals);
    return e->friction ? digest_word(digest, 1) : digest; /* states of older versions are those of worlds without friction */
}

static uint64_t add_dem(uint64_t digest, const abut_dem_settings *d) {
    const int32_t integers[] = {(int32_t)d->mode, d->periodic[0], d->periodic[1], d->periodic[2]};
    const double reals[] = {d->step, d->step_share, d->skin};
    digest = digest_integers(digest, integers, sizeof integers / sizeof *integers);
    digest = digest_reals(digest, reals, sizeof reals / sizeof *reals);
    return add_vec3(add_vec3(digest, d->lower), d->upper);
}

uint64_t world_digest_of_def(const abut_world *world) {
    const abut_world_def *def = &world->def;
    uint64_t digest = add_vec3(digest_begin(), world->built_gravity);
    digest = digest_word(digest, (uint64_t)def->method);
    digest = digest_word(digest, (uint64_t)def->stepper);
    digest = add_collide(digest, &def->collide);
    digest = add_fixed(digest, &def->fixed);
    digest = add_event(digest, &def->event);
    digest = add_dem(digest, &def->dem);
    return def->pair_count > 0 ? substances_digest(world, digest_word(digest, 7)) : digest;
}

/* Of the properties as built. A cell has other properties in every step: those count that it had before. */
static uint64_t digest_of_body(const body *present, uint64_t shape) {
    if (present->cell != NULL) {
        return present->cell->digest;
    }
    const body undone = changes_undone(present), *b = &undone;
    const double reals[] = {b->friction,      b->restitution, b->linear_damping, b->angular_damping, b->material.young, b->material.poisson,
                            b->adhesion_work, b->mass,        b->size,           b->radius,          b->principal.x,    b->principal.y,
                            b->principal.z,   b->principal.w};
    uint64_t digest = digest_word(digest_word(digest_begin(), shape), (uint64_t)b->kind);
    digest = digest_reals(digest, reals, sizeof reals / sizeof *reals);
    digest = add_vec3(add_vec3(digest, b->local_centre), b->moments);
    digest = add_vec3(add_vec3(add_vec3(digest, b->inertia.x), b->inertia.y), b->inertia.z);
    digest = b->gravity_scale == 1.0 ? digest : digest_real(digest, b->gravity_scale);     /* states without scales keep their digests */
    if (b->filter.category != 1 || b->filter.mask != UINT64_MAX || b->filter.group != 0) { /* states without filters keep theirs, too */
        digest = digest_word(digest_word(digest_word(digest, b->filter.category), b->filter.mask), (uint64_t)b->filter.group);
    }
    digest = b->sensor ? digest_word(digest, 2) : digest;
    digest = b->driven ? add_vec3(add_vec3(digest_word(digest, 3), b->belt.linear), b->belt.angular) : digest;
    if (b->rolling_friction > 0.0 || b->spinning_friction > 0.0) {
        digest = digest_real(digest_real(digest_word(digest, 5), b->rolling_friction), b->spinning_friction);
    }
    if (b->rolling_resistance > 0.0 || b->twisting_resistance > 0.0) {
        digest = digest_real(digest_real(digest_word(digest, 6), b->rolling_resistance), b->twisting_resistance);
    }
    digest = b->contact_stiffness > 0.0 ? digest_real(digest_word(digest, 8), b->contact_stiffness) : digest;
    if (b->liquid_volume > 0.0 || b->surface_tension > 0.0 || b->contact_angle > 0.0) {
        digest = digest_real(digest_real(digest_real(digest_word(digest, 9), b->liquid_volume), b->surface_tension), b->contact_angle);
    }
    digest = b->adhesion_strength > 0.0 ? digest_real(digest_word(digest, 10), b->adhesion_strength) : digest;
    digest = b->substance > 0 ? digest_word(digest_word(digest, 7), (uint64_t)b->substance) : digest;
    digest = b->surfaces != NULL ? surfaces_digest(b->surfaces, digest_word(digest, 4)) : digest;
    return b->continuous ? digest_word(digest, 1) : digest;
}

uint64_t world_digest_of_body(const body *b) { return digest_of_body(b, shape_digest(b->shape)); }

/* An entry of a hash table with linear probing, keyed by the address of the shape. The digest of a shape that many bodies share is computed once. */
typedef struct known_shape {
    const abut_shape *shape;
    uint64_t digest;
} known_shape;

static uint64_t digest_of_shape(known_shape *known, size_t mask, const abut_shape *shape) {
    size_t at = (size_t)digest_word(digest_begin(), (uint64_t)(uintptr_t)shape) & mask;
    while (known[at].shape != NULL && known[at].shape != shape) {
        at = (at + 1) & mask;
    }
    if (known[at].shape == NULL) {
        known[at] = (known_shape){shape, shape_digest(shape)};
    }
    return known[at].digest;
}

uint64_t *world_digests_of_bodies(const abut_world *world) {
    size_t room = 16;
    while (room < 2 * (size_t)world->body_used) {
        room *= 2;
    }
    known_shape *known = memory_allocate(room, sizeof *known);
    uint64_t *digests = saved_room(world->body_used, sizeof *digests);
    if (known == NULL || digests == NULL) {
        memory_release(known);
        memory_release(digests);
        return NULL;
    }
    for (int32_t slot = 0; slot < world->body_used; ++slot) {
        const body *body = &world->bodies[slot];
        const bool shaped = body->used && body->cell == NULL;
        digests[slot] = body->used ? digest_of_body(body, shaped ? digest_of_shape(known, room - 1, body->shape) : 0) : 0;
    }
    memory_release(known);
    return digests;
}
