#include "step/world/contact_store.h"

#include "base/array.h"
#include "base/memory.h"

bool contact_store_reserve(contact_store *store, int32_t needed) {
    int32_t capacity = store->capacity;
    return array_extend(&store->contacts, &capacity, store->count, needed, sizeof *store->contacts) &&
           array_extend(&store->memory, &store->capacity, store->count, needed, sizeof *store->memory);
}

void contact_store_release(contact_store *store) {
    memory_release(store->contacts);
    memory_release(store->memory);
    memory_release(store->tracking);
}
