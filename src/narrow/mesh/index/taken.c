/* A hash table of the corners and sides of taken triangles: see taken.h. */
#include "narrow/mesh/index/taken.h"

#include <string.h>

#include "base/memory.h"
#include "narrow/patch/contact_list.h"

typedef struct mesh_taken_slot {
    uint32_t tag;
    int32_t next; /* the triangle, plus 1; 0: the slot is free */
} mesh_taken_slot;

void mesh_taken_init(mesh_taken *taken, int32_t most) {
    const uint32_t names = 6; /* of a triangle: corners and sides */
    uint32_t slots = 64;
    while (slots / 4 * 3 < names * (uint32_t)most && slots < UINT32_C(1) << 31) {
        slots *= 2;
    }
    bool fits = slots / 4 * 3 >= names * (uint64_t)most;
    *taken = (mesh_taken){.slot = fits ? memory_allocate(slots, sizeof *taken->slot) : NULL, .mask = slots - 1};
}

void mesh_taken_free(mesh_taken *taken) {
    memory_release(taken->slot);
    taken->slot = NULL;
}

/* -0 and 0 are one place. */
static uint64_t bits_of(double x) {
    uint64_t bits;
    x += 0.0;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static uint64_t hash_of(abut_vec3 place) {
    return contact_mix(contact_mix(contact_mix(bits_of(place.x)) + bits_of(place.y)) + bits_of(place.z));
}

/* The slot with this hash, or the free one where it belongs. */
static mesh_taken_slot *find(const mesh_taken *taken, uint64_t hash) {
    uint32_t tag = (uint32_t)(hash >> 32), at = (uint32_t)hash & taken->mask;
    while (taken->slot[at].next != 0 && taken->slot[at].tag != tag) {
        at = (at + 1) & taken->mask;
    }
    return &taken->slot[at];
}

static void add(mesh_taken *taken, uint64_t hash, int32_t index) {
    mesh_taken_slot *slot = find(taken, hash);
    if (slot->next == 0) {
        *slot = (mesh_taken_slot){(uint32_t)(hash >> 32), index + 1};
    }
}

/* The hash of a side does not depend on its direction. */
static uint64_t hash_of_side(uint64_t from, uint64_t to) { return contact_mix(from + to); }

void mesh_taken_add(mesh_taken *taken, const mesh_triangle *triangle, int32_t index) {
    if (taken->slot == NULL) {
        return;
    }
    const uint64_t corner[3] = {hash_of(triangle->corner[0]), hash_of(triangle->corner[1]), hash_of(triangle->corner[2])};
    for (int i = 0; i < 3; ++i) {
        add(taken, corner[i], index);
        add(taken, hash_of_side(corner[i], corner[(i + 1) % 3]), index);
    }
}

int32_t mesh_taken_at_corner(const mesh_taken *taken, const mesh_triangle *triangle, int corner) {
    return taken->slot != NULL ? find(taken, hash_of(triangle->corner[corner]))->next - 1 : -1;
}

int32_t mesh_taken_at_side(const mesh_taken *taken, const mesh_triangle *triangle, int side) {
    if (taken->slot == NULL) {
        return -1;
    }
    return find(taken, hash_of_side(hash_of(triangle->corner[side]), hash_of(triangle->corner[(side + 1) % 3])))->next - 1;
}
