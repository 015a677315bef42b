/* Candidate pairs, coherent from step to step. Only bodies that left their fat boxes are looked up in the tree; their new pairs are sorted
 * and merged into the list. A step in which no body leaves its box costs one pass over the list. */
#include "broad/broad.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"

/* The slack of a fat box on every side, relative to the largest extent of the reach. A fat box is made again when it has become larger than
 * needed by the same factor. */
static const double slack = 0.05;
static const double too_large = 0.4;

static const abut_filter any = {.category = 1, .mask = UINT64_MAX};

broad_phase broad_empty(void) {
    broad_phase broad = {.boxes = box_tree_empty()};
    return broad;
}

void broad_release(broad_phase *broad) {
    box_tree_release(&broad->boxes);
    memory_release(broad->proxies);
    memory_release(broad->leaves);
    memory_release(broad->planes);
    memory_release(broad->pairs);
    memory_release(broad->memories);
    memory_release(broad->found);
    memory_release(broad->found_memories);
    memory_release(broad->fresh);
    for (int32_t i = 0; i < PARTS_MOST; i++) {
        memory_release(broad->parts[i].keys);
    }
    *broad = broad_empty();
}

bool broad_reserve(broad_phase *broad, int32_t slots) {
    if (!box_tree_reserve(&broad->boxes, slots)) {
        return false;
    }
    if (slots <= broad->capacity) {
        return true;
    }
    int32_t capacity = slots > 2 * broad->capacity ? slots : 2 * broad->capacity;
    int32_t *planes = memory_grow(broad->planes, (size_t)broad->plane_count, (size_t)capacity, sizeof *planes);
    if (planes == NULL) {
        return false;
    }
    broad->planes = planes;
    broad_proxy *proxies = memory_grow(broad->proxies, (size_t)broad->used, (size_t)capacity, sizeof *proxies);
    if (proxies == NULL) {
        return false;
    }
    broad->proxies = proxies;
    broad->capacity = capacity;
    return true;
}

static double largest_extent(abut_aabb box) {
    abut_vec3 d = abut_sub(box.upper, box.lower);
    return real_max_number(d.x, real_max_number(d.y, d.z));
}

/* The reach with slack on all sides, stretched in the direction of motion. */
static abut_aabb fatten(abut_aabb reach, abut_vec3 ahead) {
    abut_aabb fat = aabb_grown(reach, slack * largest_extent(reach));
    abut_aabb carried = {abut_add(fat.lower, ahead), abut_add(fat.upper, ahead)};
    return aabb_union(fat, carried);
}

void broad_add_box(broad_phase *broad, int32_t slot, bool movable, abut_aabb reach) {
    broad->used = slot >= broad->used ? slot + 1 : broad->used;
    broad_proxy *proxy = &broad->proxies[slot];
    abut_aabb fat = fatten(reach, abut_vec3_make(0.0, 0.0, 0.0));
    *proxy = (broad_proxy){.kind = BROAD_BOX, .movable = movable, .changed = true, .filter = any, .reach = reach, .fat = fat};
    proxy->leaf = box_tree_insert(&broad->boxes, slot, fat);
    broad->stale = true;
    broad->grown++;
}

void broad_add_plane(broad_phase *broad, int32_t slot, abut_vec3 normal, double offset) {
    broad->used = slot >= broad->used ? slot + 1 : broad->used;
    broad->proxies[slot] =
        (broad_proxy){.kind = BROAD_PLANE, .changed = true, .leaf = -1, .filter = any, .normal = normal, .offset = offset};
    int32_t at = broad->plane_count++;
    for (; at > 0 && broad->planes[at - 1] > slot; at--) {
        broad->planes[at] = broad->planes[at - 1];
    }
    broad->planes[at] = slot;
    broad->stale = true;
}

void broad_set_filter(broad_phase *broad, int32_t slot, abut_filter filter) {
    broad_proxy *proxy = &broad->proxies[slot];
    proxy->filter = filter;
    proxy->changed = true;
    broad->stale = true;
}

void broad_remove(broad_phase *broad, int32_t slot) {
    broad_proxy *proxy = &broad->proxies[slot];
    if (proxy->kind == BROAD_BOX) {
        box_tree_remove(&broad->boxes, proxy->leaf);
    } else if (proxy->kind == BROAD_PLANE) {
        int32_t kept = 0;
        for (int32_t i = 0; i < broad->plane_count; i++) {
            if (broad->planes[i] != slot) {
                broad->planes[kept++] = broad->planes[i];
            }
        }
        broad->plane_count = kept;
    }
    *proxy = (broad_proxy){.kind = BROAD_NONE, .leaf = -1};
    broad->stale = true;
}

bool broad_move_inside(broad_phase *broad, int32_t slot, abut_aabb reach, abut_vec3 ahead) {
    broad_proxy *proxy = &broad->proxies[slot];
    bool stays =
        aabb_contains(proxy->fat, reach) && aabb_contains(aabb_grown(fatten(reach, ahead), too_large * largest_extent(reach)), proxy->fat);
    if (stays) {
        proxy->reach = reach;
    }
    return stays;
}

/* Gives a body that stands in the tree another box. */
static void exchange_box(broad_phase *broad, int32_t slot, abut_aabb reach, abut_aabb fat) {
    broad_proxy *proxy = &broad->proxies[slot];
    box_tree_remove(&broad->boxes, proxy->leaf);
    proxy->reach = reach;
    proxy->fat = fat;
    proxy->leaf = box_tree_insert(&broad->boxes, slot, fat);
    broad->stale = true;
    broad->grown++;
}

void broad_move_box(broad_phase *broad, int32_t slot, abut_aabb reach, abut_vec3 ahead) {
    if (!broad_move_inside(broad, slot, reach, ahead)) {
        exchange_box(broad, slot, reach, fatten(reach, ahead));
        broad->proxies[slot].changed = true;
    }
}

void broad_move_plane(broad_phase *broad, int32_t slot, abut_vec3 normal, double offset) {
    broad_proxy *proxy = &broad->proxies[slot];
    proxy->changed = proxy->changed || normal.x != proxy->normal.x || normal.y != proxy->normal.y || normal.z != proxy->normal.z ||
                     offset != proxy->offset;
    broad->stale = broad->stale || proxy->changed;
    proxy->normal = normal;
    proxy->offset = offset;
}

void broad_restore_box(broad_phase *broad, int32_t slot, abut_aabb reach, abut_aabb fat, bool changed) {
    exchange_box(broad, slot, reach, fat);
    broad->proxies[slot].changed = changed;
}

void broad_restore_plane(broad_phase *broad, int32_t slot, abut_vec3 normal, double offset, bool changed) {
    broad_proxy *proxy = &broad->proxies[slot];
    proxy->normal = normal;
    proxy->offset = offset;
    proxy->changed = changed;
    broad->stale = true;
}

static bool plane_meets(const broad_proxy *plane, abut_aabb box) { return aabb_meets_half_space(box, plane->normal, plane->offset); }

static bool proxies_meet(const broad_proxy *a, const broad_proxy *b, bool reach) {
    if (a->kind == BROAD_PLANE) {
        return plane_meets(a, reach ? b->reach : b->fat);
    }
    if (b->kind == BROAD_PLANE) {
        return plane_meets(b, reach ? a->reach : a->fat);
    }
    return reach ? aabb_meets(a->reach, b->reach) : aabb_meets(a->fat, b->fat);
}

bool broad_is_candidate(const broad_phase *broad, const broad_pair *pair) {
    return proxies_meet(&broad->proxies[pair->a], &broad->proxies[pair->b], true);
}

static uint64_t pair_key(int32_t p, int32_t q) {
    int32_t a = p < q ? p : q, b = p < q ? q : p;
    return (uint64_t)a << 32 | (uint64_t)b;
}

/* Adds the key of a pair that can touch. False when there is no memory. */
static bool gather_key(const broad_phase *broad, int32_t p, int32_t q, broad_keys *to) {
    if (!abut_filters_agree(broad->proxies[p].filter, broad->proxies[q].filter)) {
        return true;
    }
    if (to->count == INT32_MAX || !array_extend(&to->keys, &to->capacity, to->count, to->count + 1, sizeof *to->keys)) {
        return false;
    }
    to->keys[to->count++] = pair_key(p, q);
    return true;
}

/* Collects keys of the pairs of one body whose fat box changed. */
typedef struct gathering {
    const broad_phase *broad;
    int32_t slot;
    broad_keys *to;
} gathering;

static bool gather_pair(void *context, int32_t other) {
    const gathering *gather = context;
    const broad_proxy *p = &gather->broad->proxies[gather->slot], *q = &gather->broad->proxies[other];
    if (other == gather->slot || !(p->movable || q->movable)) {
        return true;
    }
    /* When both bodies changed, each would find the other: the smaller slot reports the pair. */
    if (q->changed && other < gather->slot) {
        return true;
    }
    return gather_key(gather->broad, gather->slot, other, gather->to);
}

/* Pairs of a box with all planes. A changed plane finds its boxes itself. */
static bool gather_planes_of(const broad_phase *broad, int32_t slot, broad_keys *to) {
    for (int32_t i = 0; i < broad->plane_count; i++) {
        const broad_proxy *plane = &broad->proxies[broad->planes[i]];
        if (!plane->changed && plane_meets(plane, broad->proxies[slot].fat) && !gather_key(broad, slot, broad->planes[i], to)) {
            return false;
        }
    }
    return true;
}

static bool gather_boxes_of(const broad_phase *broad, int32_t plane, broad_keys *to) {
    for (int32_t slot = 0; slot < broad->used; slot++) {
        const broad_proxy *proxy = &broad->proxies[slot];
        if (proxy->kind == BROAD_BOX && proxy->movable && plane_meets(&broad->proxies[plane], proxy->fat) &&
            !gather_key(broad, slot, plane, to)) {
            return false;
        }
    }
    return true;
}

/* False when there is no memory. */
static bool gather_of(const broad_phase *broad, int32_t slot, broad_keys *to) {
    const broad_proxy *proxy = &broad->proxies[slot];
    if (!proxy->changed || proxy->kind == BROAD_NONE) {
        return true;
    }
    if (proxy->kind == BROAD_PLANE) {
        return gather_boxes_of(broad, slot, to);
    }
    gathering gather = {broad, slot, to};
    return box_tree_query(&broad->boxes, proxy->fat, gather_pair, &gather) && (!proxy->movable || gather_planes_of(broad, slot, to));
}

static void gather_parts(void *argument, int32_t begin, int32_t end) {
    broad_phase *broad = argument;
    int32_t length = parts_length(broad->used);
    for (int32_t part = begin; part < end; part++) {
        broad_keys *to = &broad->parts[part];
        to->count = 0;
        to->out_of_memory = false;
        for (int32_t slot = part * length; slot < parts_end(broad->used, part * length) && !to->out_of_memory; slot++) {
            to->out_of_memory = !gather_of(broad, slot, to);
        }
    }
}

/* The keys are sorted afterwards, so their order does not matter. */
static bool gather_fresh(broad_phase *broad, const abut_parallel *parallel) {
    int32_t parts = parts_count(broad->used);
    int64_t count = 0;
    abut_parallel_for(parallel, parts, 1, gather_parts, broad);
    for (int32_t i = 0; i < parts; i++) {
        if (broad->parts[i].out_of_memory) {
            return false;
        }
        count += broad->parts[i].count;
    }
    if (count > INT32_MAX || (count > 0 && !array_reserve(&broad->fresh, &broad->fresh_capacity, (int32_t)count, sizeof *broad->fresh))) {
        return false;
    }
    broad->fresh_count = 0;
    for (int32_t i = 0; i < parts; i++) {
        for (int32_t k = 0; k < broad->parts[i].count; k++) {
            broad->fresh[broad->fresh_count++] = broad->parts[i].keys[k];
        }
    }
    return true;
}

static void sift_down(uint64_t *keys, int32_t root, int32_t count) {
    uint64_t key = keys[root];
    for (int32_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
        child += child + 1 < count && keys[child + 1] > keys[child];
        if (keys[child] <= key) {
            break;
        }
        keys[root] = keys[child];
        root = child;
    }
    keys[root] = key;
}

/* Heap sort: in place, and never slower than n log n. */
static void sort_keys(uint64_t *keys, int32_t count) {
    for (int32_t i = count / 2 - 1; i >= 0; i--) {
        sift_down(keys, i, count);
    }
    for (int32_t last = count - 1; last > 0; last--) {
        uint64_t key = keys[0];
        keys[0] = keys[last];
        keys[last] = key;
        sift_down(keys, 0, last);
    }
}

/* A pair of the committed list stays while the fat boxes meet. */
static bool pair_stays(const broad_phase *broad, const broad_pair *pair) {
    const broad_proxy *a = &broad->proxies[pair->a], *b = &broad->proxies[pair->b];
    if (a->kind == BROAD_NONE || b->kind == BROAD_NONE) {
        return false;
    }
    return (!a->changed && !b->changed) || (abut_filters_agree(a->filter, b->filter) && proxies_meet(a, b, false));
}

static uint64_t key_of(const broad_pair *pair) { return pair_key(pair->a, pair->b); }

/* Parts of both lists whose keys are in the same range. */
typedef struct merge_part {
    int32_t old, old_end, fresh, fresh_end;
    int32_t first, count; /* in the new list */
} merge_part;

typedef struct merging {
    broad_phase *broad;
    merge_part parts[PARTS_MOST];
} merging;

/* Merges a part of both lists, which are sorted. A key in both is the same pair, and keeps its data. found, memories: NULL to count only.
 * Returns the number of pairs. */
static int32_t merge(const broad_phase *broad, const merge_part *part, broad_pair *found, broad_memory *memories) {
    const broad_memory none = {.normal = {0.0, 0.0, 0.0}};
    int32_t old = part->old, fresh = part->fresh, count = 0;
    while (old < part->old_end || fresh < part->fresh_end) {
        uint64_t old_key = old < part->old_end ? key_of(&broad->pairs[old]) : UINT64_MAX;
        uint64_t fresh_key = fresh < part->fresh_end ? broad->fresh[fresh] : UINT64_MAX;
        bool is_old = old_key <= fresh_key, stays = !is_old || !broad->stale || pair_stays(broad, &broad->pairs[old]);
        if (stays && found != NULL) {
            found[count] =
                is_old ? broad->pairs[old] : (broad_pair){.a = (int32_t)(fresh_key >> 32), .b = (int32_t)(fresh_key & UINT32_MAX)};
            found[count].previous = is_old ? old : -1;
            memories[count] = is_old ? broad->memories[old] : none;
        }
        count += stays;
        old += is_old;
        fresh += fresh_key <= old_key;
    }
    return count;
}

static void count_merged(void *argument, int32_t begin, int32_t end) {
    merging *of = argument;
    for (int32_t i = begin; i < end; i++) {
        of->parts[i].count = merge(of->broad, &of->parts[i], NULL, NULL);
    }
}

static void write_merged(void *argument, int32_t begin, int32_t end) {
    const merging *of = argument;
    for (int32_t i = begin; i < end; i++) {
        if (of->parts[i].count > 0) { /* without pairs there is no memory for them */
            (void)merge(of->broad, &of->parts[i], of->broad->found + of->parts[i].first, of->broad->found_memories + of->parts[i].first);
        }
    }
}

/* The first fresh key that is not below that of an old pair. */
static int32_t first_fresh(const broad_phase *broad, int32_t old) {
    uint64_t key = key_of(&broad->pairs[old]);
    int32_t low = 0, high = broad->fresh_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (broad->fresh[middle] < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Divides both lists by the old pairs. */
static int32_t divide(const broad_phase *broad, merge_part parts[PARTS_MOST]) {
    int32_t pairs = broad->pair_count, count = pairs > 0 ? parts_count(pairs) : 1;
    for (int32_t i = 0; i < count; i++) {
        int32_t old = i * parts_length(pairs);
        parts[i] = (merge_part){.old = old, .old_end = parts_end(pairs, old), .fresh = i > 0 ? first_fresh(broad, old) : 0};
    }
    for (int32_t i = 0; i < count; i++) {
        parts[i].fresh_end = i + 1 < count ? parts[i + 1].fresh : broad->fresh_count;
        parts[i].count = parts[i].old_end - parts[i].old; /* if nothing has changed */
    }
    return count;
}

static void merge_fresh(broad_phase *broad, const abut_parallel *parallel) {
    merging of;
    of.broad = broad;
    int32_t parts = divide(broad, of.parts);
    abut_parallel_for(parallel, broad->stale ? parts : 0, 1, count_merged, &of);
    broad->found_count = 0;
    for (int32_t i = 0; i < parts; i++) {
        merge_part *part = &of.parts[i];
        part->first = broad->found_count;
        broad->found_count += part->count;
    }
    abut_parallel_for(parallel, parts, 1, write_merged, &of);
}

/* A tree that has grown leaf by leaf has many times more to search. False when there is no memory. */
static bool build_tree(broad_phase *broad) {
    const int32_t few = 64, share = 4;
    if (broad->grown < few || broad->grown < broad->used / share) {
        return true;
    }
    if (!array_reserve(&broad->leaves, &broad->leaf_capacity, broad->used, sizeof *broad->leaves)) {
        return false;
    }
    int32_t count = 0;
    for (int32_t slot = 0; slot < broad->used; slot++) {
        if (broad->proxies[slot].kind == BROAD_BOX) {
            broad->leaves[count++] = (box_tree_leaf){.box = broad->proxies[slot].fat, .item = slot};
        }
    }
    box_tree_build(&broad->boxes, broad->leaves, count);
    for (int32_t i = 0; i < count; i++) {
        broad->proxies[broad->leaves[i].item].leaf = broad->leaves[i].node;
    }
    broad->grown = 0;
    return true;
}

bool broad_reserve_found(broad_phase *broad, int32_t pairs) {
    return pairs == 0 || (array_reserve(&broad->found, &broad->found_capacity, pairs, sizeof *broad->found) &&
                          array_reserve(&broad->found_memories, &broad->found_memory_capacity, pairs, sizeof *broad->found_memories));
}

bool broad_find(broad_phase *broad, const abut_parallel *parallel) {
    broad->fresh_count = 0;
    if ((broad->stale && !(build_tree(broad) && gather_fresh(broad, parallel))) || broad->pair_count > INT32_MAX / 2 - broad->fresh_count) {
        return false;
    }
    sort_keys(broad->fresh, broad->fresh_count);
    if (!broad_reserve_found(broad, broad->pair_count + broad->fresh_count)) {
        return false;
    }
    merge_fresh(broad, parallel);
    return true;
}

const broad_pair *broad_pair_of(const broad_phase *broad, int32_t p, int32_t q) {
    const uint64_t key = p < q ? pair_key(p, q) : pair_key(q, p);
    int32_t low = 0, high = broad->found_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        const broad_pair *pair = &broad->found[middle];
        if (key_of(pair) < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const broad_pair *pair = low < broad->found_count ? &broad->found[low] : NULL;
    return pair && key_of(pair) == key ? pair : NULL;
}

static void exchange_lists(broad_phase *broad) {
    broad_pair *pairs = broad->pairs;
    broad_memory *memories = broad->memories;
    int32_t capacity = broad->pair_capacity, memory_capacity = broad->memory_capacity;
    broad->pairs = broad->found;
    broad->memories = broad->found_memories;
    broad->pair_count = broad->found_count;
    broad->pair_capacity = broad->found_capacity;
    broad->memory_capacity = broad->found_memory_capacity;
    broad->found = pairs;
    broad->found_memories = memories;
    broad->found_count = 0;
    broad->found_capacity = capacity;
    broad->found_memory_capacity = memory_capacity;
}

bool broad_reserve_committed(broad_phase *broad, int32_t pairs) {
    return array_extend_tightly(&broad->pairs, &broad->pair_capacity, broad->pair_count, pairs, sizeof *broad->pairs) &&
           array_extend_tightly(&broad->memories, &broad->memory_capacity, broad->pair_count, pairs, sizeof *broad->memories);
}

void broad_take_back(broad_phase *broad) { exchange_lists(broad); }

void broad_commit(broad_phase *broad) {
    exchange_lists(broad);
    for (int32_t slot = 0; slot < broad->used && broad->stale; slot++) {
        broad->proxies[slot].changed = false;
    }
    broad->stale = false;
}
