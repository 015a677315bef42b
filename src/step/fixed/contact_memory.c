/* Contacts are matched by id first, then by place. */
#include "step/fixed/contact_memory.h"

/* In a pair, contacts from this index on are matched by id only. */
enum { BY_PLACE = 64 };

static int32_t find_id(recall_past past, uint64_t id, int32_t begin) {
    for (int32_t k = 0; k < past.count; k++) {
        int32_t at = begin + k < past.count ? begin + k : begin + k - past.count;
        if (past.memory[at].id == id) {
            return at;
        }
    }
    return -1;
}

static int32_t find_place(recall_past past, abut_vec3 place, double near, uint64_t taken) {
    int32_t best = -1;
    for (int32_t k = 0; k < past.count && k < BY_PLACE; k++) {
        double distance = abut_distance_between(past.memory[k].place, place);
        if (!(taken >> k & 1) && distance <= near) {
            near = distance;
            best = k;
        }
    }
    return best;
}

static void take(contact_memory *memory, const contact_memory *old) {
    memory->force = old->force;
    memory->mean = old->mean;
    memory->friction = old->friction;
}

void recall_forces(recall_past past, contact_memory *memory, int32_t count, double near) {
    uint64_t taken = 0, missing = 0;
    int32_t next = 0;
    for (int32_t i = 0; i < count; i++) {
        /* Most contacts keep their order, so the search begins behind the last match. */
        int32_t found = find_id(past, memory[i].id, next);
        if (found >= 0) {
            take(&memory[i], &past.memory[found]);
            taken |= found < BY_PLACE ? UINT64_C(1) << found : 0;
            next = found + 1 < past.count ? found + 1 : 0;
        } else if (i < BY_PLACE) {
            missing |= UINT64_C(1) << i;
        }
    }
    for (int32_t i = 0; i < count && i < BY_PLACE; i++) {
        int32_t found = missing >> i & 1 ? find_place(past, memory[i].place, near, taken) : -1;
        if (found >= 0) {
            take(&memory[i], &past.memory[found]);
            taken |= UINT64_C(1) << found;
        }
    }
}

static bool is_one_patch(const contact_memory *memory, int32_t count) { return count > 0 && memory[0].patch == memory[count - 1].patch; }

/* The sum of the forces, and the number of new contacts. */
static contact_memory sum_of(const contact_memory *memory, int32_t count, int32_t *fresh) {
    contact_memory sum = {.force = 0.0};
    *fresh = 0;
    for (int32_t i = 0; i < count; i++) {
        sum.force += memory[i].force;
        sum.friction = abut_add(sum.friction, memory[i].friction);
        *fresh += memory[i].mean < 0.0;
    }
    return sum;
}

void recall_lost_forces(recall_past past, contact_memory *memory, int32_t count) {
    const double rounding = 1e-9;
    if (!is_one_patch(memory, count) || !is_one_patch(past.memory, past.count)) {
        return;
    }
    int32_t fresh, unused;
    contact_memory was = sum_of(past.memory, past.count, &unused), is = sum_of(memory, count, &fresh);
    double lost = was.force - is.force;
    if (!(lost > rounding * was.force)) {
        return;
    }
    abut_vec3 friction = abut_sub(was.friction, is.friction);
    for (int32_t i = 0; i < count; i++) {
        double share = fresh > 0 ? (memory[i].mean < 0.0 ? 1.0 / fresh : 0.0) : is.force > 0.0 ? memory[i].force / is.force : 0.0;
        memory[i].force += share * lost;
        memory[i].friction = abut_add_scaled(memory[i].friction, share, friction);
        memory[i].mean = fresh > 0 && share > 0.0 ? share * lost : memory[i].mean + share * lost;
    }
}
