/* What stands still around the contacts of a pair: see around.h. */
#include "narrow/seam/around.h"

#include "base/real.h"

/* Where bodies that were found go to. */
typedef struct gathering {
    const surroundings *around;
    abut_mat3 own; /* rotation of the still body in the world */
    abut_aabb box;
    still_solid *to;
} gathering;

/* Brings a body from the world to the pair's frame. */
static void add_other(void *context, const abut_part *other) {
    const gathering *g = context;
    const surroundings *around = g->around;
    abut_mat3 turn = abut_mat3_mul(abut_mat3_transpose(g->own), abut_mat3_from_quat(other->pose.rotation));
    abut_vec3 apart = abut_mat3_apply_transposed(g->own, abut_sub(other->pose.position, around->others->own.position));
    abut_vec3 position = abut_add(abut_mat3_apply(around->rotation, apart), around->position);
    still_add_shape(g->to, other->shape, abut_mat3_mul(around->rotation, turn), position, false, g->box);
}

/* The place of the box in the world, grown by what counts as near, and by rounding. */
static abut_aabb place_in_world(const gathering *g, const still_scale *scale) {
    const surroundings *around = g->around;
    abut_mat3 turn = abut_mat3_mul(g->own, abut_mat3_transpose(around->rotation));
    abut_vec3 half = abut_scale(0.5, abut_sub(g->box.upper, g->box.lower)), at = around->others->own.position;
    abut_vec3 middle = abut_sub(abut_lerp(g->box.lower, g->box.upper, 0.5), around->position);
    abut_vec3 centre = abut_add(abut_mat3_apply(turn, middle), at);
    double grown = 12.0 * scale->crack + 1e-13 * (fabs(at.x) + fabs(at.y) + fabs(at.z));
    abut_vec3 reach = {grown + fabs(turn.x.x) * half.x + fabs(turn.y.x) * half.y + fabs(turn.z.x) * half.z,
                       grown + fabs(turn.x.y) * half.x + fabs(turn.y.y) * half.y + fabs(turn.z.y) * half.z,
                       grown + fabs(turn.x.z) * half.x + fabs(turn.y.z) * half.y + fabs(turn.z.z) * half.z};
    return (abut_aabb){abut_sub(centre, reach), abut_add(centre, reach)};
}

static void gather(const surroundings *around, abut_aabb box, still_solid *to) {
    if (around->others != NULL) {
        gathering g = {around, abut_mat3_from_quat(around->others->own.rotation), box, to};
        around->others->search(around->others->where, place_in_world(&g, &to->scale), to->scale.reach, add_other, &g);
    }
    if (around->still->kind == ABUT_SHAPE_COMPOUND) {
        still_add_shape(to, around->still, around->rotation, around->position, true, box);
    }
}

surroundings surroundings_in(const still_bodies *others, const abut_shape *still, abut_mat3 rotation, abut_vec3 position,
                             const still_scale *scale, abut_aabb box) {
    surroundings around = {.others = others, .still = still, .rotation = rotation, .position = position, .box = box};
    around.all.scale = *scale;
    gather(&around, box, &around.all);
    return around;
}

static bool is_in(abut_aabb box, abut_vec3 p) {
    return p.x >= box.lower.x && p.x <= box.upper.x && p.y >= box.lower.y && p.y <= box.upper.y && p.z >= box.lower.z && p.z <= box.upper.z;
}

void surroundings_pick(const surroundings *around, int32_t own, abut_vec3 point, still_solid *solid) {
    enum { MANY = 64 };
    const still_solid *from = &around->all;
    solid->count = 0;
    if (from->count > MANY || !is_in(around->box, point)) {
        gather(around, (abut_aabb){point, point}, solid);
        from = solid;
    }
    int32_t count = from->count, kept = 0;
    for (int32_t i = 0; i < count; ++i) {
        still_part part = from->part[i];
        if ((part.index < 0 || part.index != own) && still_is_near(&solid->scale, &part, point)) {
            solid->count = kept; /* `from` may be the solid itself */
            still_add(solid, &part);
            kept = solid->count; /* the same without memory */
        }
    }
    solid->count = kept;
}

void surroundings_release(surroundings *around) { still_release(&around->all); }
