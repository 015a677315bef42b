/* Bonds between all balls that are near each other. */
#include <math.h>

#include "base/argument.h"
#include "base/memory.h"
#include "base/real.h"
#include "broad/neighbours.h"
#include "shape/shape.h"
#include "step/world/bond/bonds.h"

/* The balls, in the order of their slots, and for each slot the first of its bonds; for each bond the next ones of both its bodies. */
typedef struct search {
    abut_world *world;
    int32_t *slots; /* [count] */
    abut_vec3 *centres;
    double *reaches;
    int32_t count;
    bool *chosen;          /* [body_used] */
    int32_t *first, *next; /* [body_used] bond, or -1; [2 * bonds] of the bond i: next[2 i] for its A, next[2 i + 1] for its B */
    neighbour_list near;
} search;

static void release(search *s) {
    void *blocks[] = {s->slots, s->centres, s->reaches, s->chosen, s->first, s->next};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        memory_release(blocks[i]);
    }
    neighbours_release(&s->near);
}

static bool take_room(search *s) {
    size_t bodies = (size_t)s->world->body_used + 1;
    s->slots = memory_allocate(bodies, sizeof *s->slots);
    s->centres = memory_allocate(bodies, sizeof *s->centres);
    s->reaches = memory_allocate(bodies, sizeof *s->reaches);
    s->chosen = memory_allocate(bodies, sizeof *s->chosen);
    s->first = memory_allocate(bodies, sizeof *s->first);
    s->next = memory_allocate(2 * (size_t)s->world->bonds.used + 1, sizeof *s->next);
    return s->slots != NULL && s->centres != NULL && s->reaches != NULL && s->chosen != NULL && s->first != NULL && s->next != NULL;
}

static double radius_of(const search *s, int32_t slot) { return s->world->bodies[slot].shape->radius; }

static abut_vec3 wrapped(const neighbour_space *space, abut_vec3 p) {
    const double *lower = &space->lower.x, *upper = &space->upper.x;
    double x[3] = {p.x, p.y, p.z};
    for (int axis = 0; axis < 3; axis++) {
        double length = upper[axis] - lower[axis];
        x[axis] -= space->periodic[axis] ? length * floor((x[axis] - lower[axis]) / length) : 0.0;
    }
    return abut_vec3_make(x[0], x[1], x[2]);
}

static void gather(search *s, const abut_body_id *bodies, int32_t count, double gap, const neighbour_space *space) {
    for (int32_t i = 0; bodies != NULL && i < count; i++) {
        int32_t slot = body_find(s->world, bodies[i]);
        if (slot >= 0) {
            s->chosen[slot] = true;
        }
    }
    for (int32_t slot = 0; slot < s->world->body_used; slot++) {
        const body *b = &s->world->bodies[slot];
        s->first[slot] = -1;
        if (b->used && b->shape->kind == ABUT_SHAPE_SPHERE && (bodies == NULL || s->chosen[slot])) {
            s->centres[s->count] = wrapped(space, b->centre);
            s->reaches[s->count] = radius_of(s, slot) + 0.5 * real_max(gap, 0.0);
            s->slots[s->count++] = slot;
        }
    }
    for (int32_t i = 0; i < s->world->bonds.used; i++) {
        const world_bond *bond = &s->world->bonds.bonds[i];
        if (bond_acts(bond)) {
            s->next[2 * i] = s->first[bond->a];
            s->first[bond->a] = 2 * i;
            s->next[2 * i + 1] = s->first[bond->b];
            s->first[bond->b] = 2 * i + 1;
        }
    }
}

static bool is_bonded(const search *s, int32_t a, int32_t b) {
    for (int32_t i = s->first[a]; i >= 0; i = s->next[i]) {
        const world_bond *bond = &s->world->bonds.bonds[i / 2];
        if ((i % 2 == 0 ? bond->b : bond->a) == b) {
            return true;
        }
    }
    return false;
}

/* The bond of two balls. False when they are too far from each other, when no force moves them, or when they have one already. */
static bool bond_of(const search *s, int32_t a, int32_t b, const neighbour_space *space, double gap, const abut_bond_def *like,
                    abut_bond_def *bond) {
    const body *p = &s->world->bodies[a], *q = &s->world->bodies[b];
    abut_vec3 way = neighbour_way(space, p->centre, q->centre);
    double distance = abut_length(way), radius_a = radius_of(s, a), radius_b = radius_of(s, b), apart = distance - radius_a - radius_b;
    if (!(apart <= gap) || (p->kind != ABUT_BODY_DYNAMIC && q->kind != ABUT_BODY_DYNAMIC) || is_bonded(s, a, b)) {
        return false;
    }
    *bond = *like;
    bond->axis = distance > 0.0 ? abut_scale(1.0 / distance, way) : abut_vec3_make(0.0, 0.0, 1.0);
    bond->point = abut_add_scaled(p->centre, radius_a + 0.5 * apart, bond->axis);
    bond->length = distance;
    bond->radius = like->radius * real_min(radius_a, radius_b);
    return true;
}

/* Visits all new bonds. make: false to count and check them. */
static abut_status visit(search *s, const char *call, const neighbour_space *space, double gap, const abut_bond_def *like, bool make,
                         int32_t *made) {
    *made = 0;
    for (int32_t i = 0; i < s->count; i++) {
        for (int32_t k = s->near.first[i]; k < s->near.first[i + 1]; k++) {
            int32_t a = s->slots[i], b = s->slots[s->near.other[k]];
            abut_bond_def bond;
            if (!bond_of(s, a, b, space, gap, like, &bond)) {
                continue;
            }
            if (make) {
                (void)bonds_make(s->world, a, b, &bond);
            } else if (bond_overflows(&bond)) {
                return refuse(ABUT_ERROR_NOT_FINITE, call, "def: a stiffness between two of the balls overflows");
            }
            ++*made;
        }
    }
    return ABUT_OK;
}

static abut_status bond_all(search *s, const char *call, const abut_body_id *bodies, int32_t count, double gap, const abut_bond_def *def,
                            int32_t *made) {
    const abut_dem_settings *dem = &s->world->def.dem;
    const neighbour_space space = {dem->lower, dem->upper, {dem->periodic[0], dem->periodic[1], dem->periodic[2]}};
    if (!take_room(s)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    gather(s, bodies, count, gap, &space);
    abut_status status = neighbours_find(&s->near, s->centres, s->reaches, s->count, &space, &s->world->def.parallel);
    if (status == ABUT_ERROR_INVALID_ARGUMENT) {
        return refuse(status, call, "the periodic space is too short for the largest ball and the gap");
    }
    status = status == ABUT_OK ? visit(s, call, &space, gap, def, false, made) : status;
    if (status == ABUT_OK && !bonds_reserve(s->world, *made)) {
        status = ABUT_ERROR_OUT_OF_MEMORY;
    }
    return status == ABUT_OK ? visit(s, call, &space, gap, def, true, made) : status;
}

abut_status abut_world_bond_near(abut_world *world, const abut_body_id *bodies, int32_t count, double gap, const abut_bond_def *def,
                                 int32_t *made) {
    if (argument_is_null(CALL_NAME, "world", world) || argument_is_null(CALL_NAME, "def", def) ||
        (bodies != NULL && argument_is_below(CALL_NAME, "count", count, 0))) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (world->def.stepper != ABUT_STEPPER_DEM) {
        return refuse(ABUT_ERROR_UNSUPPORTED, CALL_NAME, "world: only the dem stepper has bonds");
    }
    if (argument_is_not_finite(CALL_NAME, "gap", gap)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    abut_status status = bond_check_numbers(CALL_NAME, def);
    if (status != ABUT_OK) {
        return status;
    }
    search s = {.world = world};
    int32_t found = 0;
    status = bond_all(&s, CALL_NAME, bodies, count, gap, def, &found);
    release(&s);
    if (status == ABUT_OK && made != NULL) {
        *made = found;
    }
    return status;
}
