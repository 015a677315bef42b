#include "step/world/contact_store.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"

bool contact_store_reserve(contact_store *store, int32_t needed) {
    int32_t capacity = store->capacity;
    return array_extend(&store->contacts, &capacity, store->count, needed, sizeof *store->contacts) &&
           array_extend(&store->memory, &store->capacity, store->count, needed, sizeof *store->memory);
}

bool contact_store_reserve_plain(contact_store *store, int32_t needed) {
    return array_extend_tightly(&store->contacts, &store->capacity, store->count, needed, sizeof *store->contacts);
}

double contact_store_depth(const contact_store *store, const broad_pair *pair) {
    double depth = 0.0;
    for (int32_t i = pair->contact_first; i < pair->contact_first + pair->contact_count && pair->met == 0.0; i++) {
        depth = real_max(depth, -store->contacts[i].contact.gap);
    }
    return depth;
}

void contact_store_release(contact_store *store) {
    memory_release(store->contacts);
    memory_release(store->memory);
    memory_release(store->tracking);
}
