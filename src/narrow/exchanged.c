/*
 * The contacts of a pair as those of the exchanged pair, for generators that treat A and B differently.
 */
#include "narrow/generators.h"

/* The cache of the exchanged pair. An axis of zero stands for none. */
static abut_cache cache_of_exchanged(const abut_cache *cache, const abut_mat3 *rotation_b) {
    return (abut_cache){abut_neg(abut_mat3_apply_transposed(*rotation_b, cache->axis)), cache->feature_b, cache->feature_a};
}

static void make(const collide_pair *pair, collide_pair *exchanged, collide_generator *generate, contact_list *found) {
    abut_cache *cache = pair->normal.cache, of_exchanged;
    collide_exchange(pair, exchanged);
    if (cache != NULL) {
        of_exchanged = cache_of_exchanged(cache, &pair->rotation_b);
        exchanged->normal.cache = &of_exchanged;
    }
    contact_list_init(found, exchanged->order, exchanged->aside);
    generate(exchanged, found);
    if (cache != NULL) {
        *cache = cache_of_exchanged(&of_exchanged, &exchanged->rotation_b);
    }
}

void collide_exchanged(const collide_pair *pair, collide_generator *generate, contact_list *list) {
    collide_pair exchanged;
    contact_list found;
    make(pair, &exchanged, generate, &found);
    contact_list_take_exchanged(list, &found, &pair->rotation_b, pair->position_b);
    contact_list_free(&found);
}
