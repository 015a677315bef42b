#pragma once

#include "base/real.h"
#include "narrow/patch/contact_list.h"
#include "narrow/round/collide.h"

/*
 * What the short paths of round pairs share: the place of B in the pair's frame, and the contact that is written in the world.
 */

/* The pair's frame has A's axes and A's origin. */
typedef struct round_place {
    abut_mat3 rotation_a; /* to the world */
    abut_vec3 apart;      /* world: from A's origin to B's */
    abut_vec3 position_b;
} round_place;

/* The feature of a body without parts. A record of three numbers that was just written is slow to copy. */
typedef struct round_name {
    abut_feature_kind kind;
    int32_t index;
} round_name;

/* contact_id() */
static inline uint64_t round_id(round_name a, round_name b, bool a_first) {
    uint64_t code_a = (uint64_t)a.kind << 61 ^ (uint64_t)(uint32_t)a.index, code_b = (uint64_t)b.kind << 61 ^ (uint64_t)(uint32_t)b.index;
    return contact_mix(contact_mix(a_first ? code_a : code_b) + (a_first ? code_b : code_a));
}

/* A contact in the pair's frame. */
typedef struct round_spot {
    abut_vec3 on_a, on_b, normal;
    double gap;
    round_name name_a, name_b;
    uint64_t id;
} round_spot;

static inline abut_mat3 round_rotation(const round_body *body) {
    return body->rotation != NULL ? *body->rotation : abut_mat3_from_quat(body->pose->rotation);
}

/* The z axis, in the world. */
static inline abut_vec3 round_axis(const round_body *body) {
    return body->rotation != NULL ? body->rotation->z : abut_mat3_from_quat(body->pose->rotation).z;
}

/* False where lengths are so large that the general path has to look whether products of them overflow. */
static inline bool round_set_place(const round_body *a, const round_body *b, round_place *place) {
    const double most = 1e50; /* collide_is_within_arithmetic() goes to 1e51 */
    place->apart = abut_sub(b->pose->position, a->pose->position);
    place->rotation_a = round_rotation(a);
    place->position_b = abut_mat3_apply_transposed(place->rotation_a, place->apart);
    double far = fabs(place->apart.x) + fabs(place->apart.y) + fabs(place->apart.z) + fabs(a->shape->offset) + fabs(b->shape->offset);
    return far < most;
}

/* Rotation of B in the pair's frame. */
static inline abut_mat3 round_turn(const round_place *place, const round_body *b) {
    const abut_mat3 rotation_b = round_rotation(b);
    return (abut_mat3){abut_mat3_apply_transposed(place->rotation_a, rotation_b.x),
                       abut_mat3_apply_transposed(place->rotation_a, rotation_b.y),
                       abut_mat3_apply_transposed(place->rotation_a, rotation_b.z)};
}

/* The centre of a ball B as the closest points and as the vertex of the general path have it. They differ in the signs of zeros only. */
typedef struct round_centre {
    abut_vec3 closest, vertex;
} round_centre;

round_centre round_centre_with_zeros(const round_body *a, const round_body *b);

/* The same for the ends of a capsule B, -z first. */
void round_ends_with_zeros(const round_body *a, const round_body *b, abut_vec3 ends[2]);

/* Whether adding a zero of either sign may change a bit of the vector. */
static inline bool round_has_zero(abut_vec3 v) { return v.x == 0.0 || v.y == 0.0 || v.z == 0.0; }

/* What facet_memory_write() leaves: the direction that separates the bodies, or nothing. */
static inline void round_remember(abut_cache *cache, abut_vec3 axis) {
    if (cache != NULL) {
        const abut_feature none = {.kind = ABUT_FEATURE_NONE};
        cache->axis = axis;
        cache->feature_a = cache->feature_b = none;
    }
}

/* Bodies apart have no contact. */
static inline bool round_is_apart(round_answer *answer, abut_vec3 direction) {
    round_remember(answer->cache, direction);
    answer->count = 0;
    return true;
}

/* The largest gap that a contact may have: that of the bodies along the normal, up to rounding error (patch.c), and the margin. */
static inline bool round_shows(double gap, double of_bodies, double margin, double scale) {
    const double reach = 6e-14, reach_apart = 1e-13;
    double shown = of_bodies + (of_bodies > 0.0 ? reach_apart * (scale + of_bodies) : reach * scale);
    return gap <= shown && gap <= margin + CONTACT_ROUNDING * scale;
}

static inline void round_write(const round_spot *spot, const round_place *place, const round_body *a, round_answer *answer) {
    answer->count = 1;
    if (answer->capacity < 1) {
        return;
    }
    abut_contact *to = answer->contacts;
    to->on_a = abut_add(abut_mat3_apply(place->rotation_a, spot->on_a), a->pose->position);
    to->on_b = abut_add(abut_mat3_apply(place->rotation_a, spot->on_b), a->pose->position);
    to->normal = abut_unit(abut_mat3_apply(place->rotation_a, spot->normal));
    to->gap = spot->gap;
    to->area = 0.0;
    to->feature_a.kind = spot->name_a.kind;
    to->feature_a.index = spot->name_a.index;
    to->feature_a.part = 0;
    to->feature_b.kind = spot->name_b.kind;
    to->feature_b.index = spot->name_b.index;
    to->feature_b.part = 0;
    to->id = spot->id;
    to->patch = 0;
    to->flags = 0;
}

/* The paths. All return false when the general path has to decide. */
bool round_balls(const round_body *a, const round_body *b, const abut_collide_settings *settings, round_answer *answer);
bool round_on_box(const round_body *a, const round_body *b, const abut_collide_settings *settings, round_answer *answer);
bool round_capsules(const round_body *a, const round_body *b, const abut_collide_settings *settings, round_answer *answer);
bool round_on_plane(const round_body *a, const round_body *b, const abut_collide_settings *settings, round_answer *answer);
