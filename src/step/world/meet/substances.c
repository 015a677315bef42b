/* The table of pairs of substances: see substances.h. */
#include "step/world/meet/substances.h"

#include <stdlib.h>
#include <string.h>

#include "base/argument.h"
#include "base/digest.h"
#include "base/memory.h"

static const double unsaid = -1.0;

abut_substance_pair abut_substance_pair_default(void) {
    return (abut_substance_pair){.friction = unsaid,
                                 .restitution = unsaid,
                                 .rolling_friction = unsaid,
                                 .spinning_friction = unsaid,
                                 .rolling_resistance = unsaid,
                                 .twisting_resistance = unsaid};
}

/* ---- order ---- */

static uint64_t key_of(int32_t a, int32_t b) {
    uint64_t low = (uint64_t)(a < b ? a : b), high = (uint64_t)(a < b ? b : a);
    return low << 32 | high;
}

static int compare(const void *p, const void *q) {
    const abut_substance_pair *left = p, *right = q;
    uint64_t a = key_of(left->a, left->b), b = key_of(right->a, right->b);
    return (a > b) - (a < b);
}

bool substances_make(const abut_world_def *def, abut_substance_pair **made) {
    *made = NULL;
    if (def->pair_count == 0) {
        return true;
    }
    size_t count = (size_t)def->pair_count;
    *made = memory_allocate(count, sizeof **made);
    if (*made == NULL) {
        return false;
    }
    memcpy(*made, def->pairs, count * sizeof **made);
    qsort(*made, count, sizeof **made, compare);
    return true;
}

const abut_substance_pair *substances_look_up(const abut_world *world, int32_t a, int32_t b) {
    uint64_t key = key_of(a, b);
    int32_t low = 0, high = world->def.pair_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        const abut_substance_pair *pair = &world->def.pairs[middle];
        uint64_t here = key_of(pair->a, pair->b);
        if (here == key) {
            return pair;
        }
        *(here < key ? &low : &high) = here < key ? middle + 1 : middle;
    }
    return NULL;
}

/* ---- checks ---- */

static abut_status check_value(const char *call, int32_t index, const char *field, double value, double most) {
    char name[64];
    (void)snprintf(name, sizeof name, "def->pairs[%d].%s", (int)index, field);
    if (argument_is_not_finite(call, name, value)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    bool bad =
        value != unsaid && (argument_is_negative(call, name, value) || (value > most && refused_outside(call, name, value, 0.0, most)));
    return bad ? ABUT_ERROR_INVALID_ARGUMENT : ABUT_OK;
}

static abut_status check_pair(const char *call, int32_t index, const abut_substance_pair *p) {
    const struct {
        const char *name;
        double value, most;
    } values[] = {{"friction", p->friction, INFINITY},
                  {"restitution", p->restitution, 1.0},
                  {"rolling_friction", p->rolling_friction, INFINITY},
                  {"spinning_friction", p->spinning_friction, INFINITY},
                  {"rolling_resistance", p->rolling_resistance, INFINITY},
                  {"twisting_resistance", p->twisting_resistance, INFINITY}};
    if (p->a < 1 || p->b < 1) {
        return refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "def->pairs[%d] has the substances %d and %d: they must be at least 1", (int)index,
                      (int)p->a, (int)p->b);
    }
    abut_status status = ABUT_OK;
    for (size_t i = 0; i < sizeof values / sizeof *values && status == ABUT_OK; i++) {
        status = check_value(call, index, values[i].name, values[i].value, values[i].most);
    }
    return status;
}

/* Neighbours of the sorted table are compared. */
static abut_status check_twice(const char *call, const abut_world_def *def) {
    abut_substance_pair *sorted;
    if (!substances_make(def, &sorted)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    abut_status status = ABUT_OK;
    for (int32_t i = 1; i < def->pair_count && status == ABUT_OK; i++) {
        if (compare(&sorted[i - 1], &sorted[i]) == 0) {
            uint64_t key = key_of(sorted[i].a, sorted[i].b);
            status = refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "def->pairs has the substances %d and %d twice", (int)(key >> 32),
                            (int)(key & UINT32_MAX));
        }
    }
    memory_release(sorted);
    return status;
}

abut_status substances_check(const char *call, const abut_world_def *def) {
    if (argument_is_below(call, "def->pair_count", def->pair_count, 0) ||
        (def->pair_count > 0 && argument_is_null(call, "def->pairs", def->pairs))) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_status status = ABUT_OK;
    for (int32_t i = 0; i < def->pair_count && status == ABUT_OK; i++) {
        status = check_pair(call, i, &def->pairs[i]);
    }
    status = status == ABUT_OK && def->pair_count > 0 ? check_twice(call, def) : status;
    if (status == ABUT_OK && def->stepper == ABUT_STEPPER_DEM && substances_roll(def)) {
        return refuse(
            ABUT_ERROR_UNSUPPORTED, call,
            "def->pairs: the dem stepper has no rolling_friction and spinning_friction, but rolling_resistance and twisting_resistance");
    }
    return status;
}

/* ---- the whole table ---- */

bool substances_bounce(const abut_world_def *def) {
    bool bounces = false;
    for (int32_t i = 0; i < def->pair_count; i++) {
        bounces = bounces || def->pairs[i].restitution > 0.0;
    }
    return bounces;
}

bool substances_roll(const abut_world_def *def) {
    bool rolls = false;
    for (int32_t i = 0; i < def->pair_count; i++) {
        rolls = rolls || def->pairs[i].rolling_friction > 0.0 || def->pairs[i].spinning_friction > 0.0;
    }
    return rolls;
}

uint64_t substances_digest(const abut_world *world, uint64_t digest) {
    for (int32_t i = 0; i < world->def.pair_count; i++) {
        const abut_substance_pair *p = &world->def.pairs[i];
        const double values[] = {p->friction,          p->restitution,        p->rolling_friction,
                                 p->spinning_friction, p->rolling_resistance, p->twisting_resistance};
        digest = digest_reals(digest_word(digest, key_of(p->a, p->b)), values, sizeof values / sizeof *values);
    }
    return digest;
}
