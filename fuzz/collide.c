/*
 * Two shapes of any kind, anywhere, with any settings. Every call of the narrow phase must answer with a documented status, and every answer must satisfy what
 * the headers promise.
 */
#include <abut/collide.h>

#include "answer.h"
#include "question.h"
#include "shapes.h"
#include "target.h"

enum { MOST_CONTACTS = 1 << 15 };

/* ---- an allocator that can refuse ---- */

typedef struct refusal {
    int32_t left; /* number of requests before one is refused; below 0, none is refused */
    bool met;
} refusal;

static void *refusing_allocate(void *context, size_t size) {
    refusal *r = context;
    if (r->left >= 0 && r->left-- == 0) {
        r->met = true;
        return NULL;
    }
    return malloc(size);
}

static void refusing_release(void *context, void *memory) {
    (void)context;
    free(memory);
}

/* ---- contacts ---- */

static void require_collide_status(abut_status status) {
    FUZZ_REQUIRE(status == ABUT_OK || status == ABUT_ERROR_CAPACITY || status == ABUT_ERROR_INVALID_ARGUMENT ||
                     status == ABUT_ERROR_NOT_FINITE || status == ABUT_ERROR_UNSUPPORTED_PAIR || status == ABUT_ERROR_OUT_OF_MEMORY,
                 "%s", abut_status_name(status));
}

static abut_status ask(const question *q, abut_cache *cache, abut_contact *contacts, int32_t capacity, int32_t *count) {
    *count = -7;
    abut_status status = abut_collide(&(abut_pair){q->a, q->pose_a, q->b, q->pose_b}, &q->settings, cache, contacts, capacity, count);
    require_collide_status(status);
    FUZZ_REQUIRE(*count >= 0 && (status == ABUT_OK || status == ABUT_ERROR_CAPACITY || *count == 0), "%s, count %d",
                 abut_status_name(status), (int)*count);
    FUZZ_REQUIRE((status == ABUT_ERROR_CAPACITY) == (*count > capacity), "%s, count %d of %d", abut_status_name(status), (int)*count,
                 (int)capacity);
    return status;
}

static void require_same(const char *how, const abut_contact *p, const abut_contact *q, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        FUZZ_REQUIRE(memcmp(&p[i], &q[i], sizeof *p) == 0, "%s: contact %d of %d differs, gap %.17g and %.17g", how, (int)i, (int)count,
                     p[i].gap, q[i].gap);
    }
}

/* The same question with a cache and with a smaller buffer must give the same bits. */
static void ask_again(const question *q, const char *how, abut_cache *cache, const abut_contact *expected, int32_t count, int32_t capacity,
                      abut_contact *room) {
    int32_t found;
    abut_status status = ask(q, cache, room, capacity, &found);
    FUZZ_REQUIRE(status == (count > capacity ? ABUT_ERROR_CAPACITY : ABUT_OK) && found == count, "%s: %s, %d contacts, not %d", how,
                 abut_status_name(status), (int)found, (int)count);
    require_same(how, room, expected, count < capacity ? count : capacity);
}

/* The same pair twice in a batch, with a failing pair between them: the contacts must be the same, packed. */
static void check_batch(const question *q, const abut_contact *expected, int32_t count, abut_contact *room) {
    const abut_pair pair = {q->a, q->pose_a, q->b, q->pose_b};
    abut_pair pairs[3] = {pair, pair, pair};
    pairs[1].pose_a.position.x = NAN;
    abut_cache caches[3] = {{.axis = {0, 0, 0}}, {.axis = {0, 0, 0}}, q->cache};
    abut_pair_result results[3];
    int64_t needed = -7, capacity = 2 * (int64_t)count;
    abut_status status = abut_collide_batch(pairs, 3, &q->settings, caches, NULL, room, capacity, &needed, results);
    FUZZ_REQUIRE(status == ABUT_OK && needed == capacity, "%s, %" PRId64 " of %" PRId64, abut_status_name(status), needed, capacity);
    FUZZ_REQUIRE(results[0].status == ABUT_OK && results[0].count == count && results[0].first == 0, "%s",
                 abut_status_name(results[0].status));
    FUZZ_REQUIRE(results[1].status == ABUT_ERROR_NOT_FINITE && results[1].count == 0, "%s", abut_status_name(results[1].status));
    FUZZ_REQUIRE(results[2].status == ABUT_OK && results[2].count == count && results[2].first == count, "%s",
                 abut_status_name(results[2].status));
    require_same("batch", room, expected, count);
    require_same("batch", room + count, expected, count);
    if (count > 0) {
        status = abut_collide_batch(pairs, 3, &q->settings, NULL, NULL, room, capacity - 1, &needed, results);
        FUZZ_REQUIRE(status == ABUT_ERROR_CAPACITY && needed == capacity, "%s, %" PRId64, abut_status_name(status), needed);
    }
}

/* Reduction keeps contacts unchanged and in order, keeps the deepest one, and never gives more area than before. */
static void check_reduction(const placed_pair *pair, const abut_contact *contacts, int32_t count, int32_t limit, abut_contact *kept) {
    abut_reduction reduction = {.kept = -7};
    abut_status status = abut_reduce(contacts, count, limit, kept, &reduction);
    FUZZ_REQUIRE(status == ABUT_OK, "%s", abut_status_name(status));
    FUZZ_REQUIRE(reduction.kept == (count < limit ? count : limit), "%d of %d kept, limit %d", (int)reduction.kept, (int)count, (int)limit);
    double slack = (1e-12 * pair->sizes + 64.0 * pair->rounding) * pair->sizes;
    FUZZ_REQUIRE(reduction.area_after <= reduction.area_before + slack && reduction.area_after >= 0.0, "area %.17g of %.17g",
                 reduction.area_after, reduction.area_before);
    int32_t at = 0;
    for (int32_t i = 0; i < count && at < reduction.kept; i++) {
        at += memcmp(&contacts[i], &kept[at], sizeof *kept) == 0;
    }
    FUZZ_REQUIRE(at == reduction.kept, "only %d of %d kept contacts were there before", (int)at, (int)reduction.kept);
    FUZZ_REQUIRE(count == 0 || answer_deepest(kept, reduction.kept) == answer_deepest(contacts, count), "the deepest of %d is not kept",
                 (int)count);
}

static void check_contacts(const question *q, abut_contact *contacts, abut_contact *room) {
    int32_t count;
    abut_cache cold = {.axis = {0, 0, 0}};
    abut_status status = ask(q, &cold, contacts, MOST_CONTACTS, &count);
    if (status != ABUT_OK) {
        return;
    }
    const bool slow = question_is_slow(q); /* compounds, which use no cache */
    if (!slow) {
        abut_cache warm = cold, stale = question_stale_cache(q);
        ask_again(q, "warm cache", &warm, contacts, count, MOST_CONTACTS, room);
        ask_again(q, "stale cache", &stale, contacts, count, MOST_CONTACTS, room);
    }
    if (!slow && !question_is_big(q)) {
        abut_cache foreign = q->cache;
        ask_again(q, "without a cache", NULL, contacts, count, MOST_CONTACTS, room);
        ask_again(q, "foreign cache", &foreign, contacts, count, MOST_CONTACTS, room);
        ask_again(q, "no room", NULL, contacts, count, 0, NULL);
        ask_again(q, "too little room", NULL, contacts, count, count / 2, room);
        check_batch(q, contacts, count, room);
    }
    placed_pair pair = answer_place(q->a, q->pose_a, q->b, q->pose_b);
    answer_check(&pair, &q->settings, contacts, count);
    if (count == 0) {
        answer_check_apart(&pair, &q->settings, &cold);
    }
    check_reduction(&pair, contacts, count, 1, room);
    check_reduction(&pair, contacts, count, 4, room);
    check_reduction(&pair, contacts, count, count < 3 ? 2 : count / 2, room);
}

/* Exchanges A and B. Within rounding error, a contact may appear or vanish at the margin, and nowhere else. */
static void check_swap(const question *q, abut_contact *contacts, abut_contact *room) {
    int32_t count, other;
    question turned = question_swapped(q);
    abut_status status = ask(q, NULL, contacts, MOST_CONTACTS, &count), back = ask(&turned, NULL, room, MOST_CONTACTS, &other);
    /* If both arguments are wrong, either error may be reported. */
    FUZZ_REQUIRE((status == ABUT_OK) == (back == ABUT_OK), "%s, swapped %s", abut_status_name(status), abut_status_name(back));
    if (status != ABUT_OK) {
        return;
    }
    placed_pair pair = answer_place(q->a, q->pose_a, q->b, q->pose_b);
    placed_pair turned_pair = answer_place(turned.a, turned.pose_a, turned.b, turned.pose_b);
    answer_check(&turned_pair, &turned.settings, room, other);
    double gap = answer_deepest(contacts, count), other_gap = answer_deepest(room, other), slack = 1e-9 * pair.sizes + 32.0 * pair.rounding;
    if ((count == 0) != (other == 0)) {
        FUZZ_REQUIRE(fabs(fmin(gap, other_gap) - q->settings.margin) <= 1e-6 * pair.sizes + 16.0 * pair.rounding,
                     "%d contacts, swapped %d, gap %.17g", (int)count, (int)other, fmin(gap, other_gap));
    } else if (count > 0 && answer_is_extreme(&pair, &q->settings, gap)) {
        FUZZ_REQUIRE(fabs(gap - other_gap) <= slack, "gap %.17g, swapped %.17g, allowed %g", gap, other_gap, slack);
    }
}

/* ---- growth distance ---- */

static void check_growth(const question *q, const abut_contact *contacts, int32_t count) {
    abut_growth growth;
    abut_status status = abut_growth_distance(&(abut_pair){q->a, q->pose_a, q->b, q->pose_b}, &q->settings, &growth);
    FUZZ_REQUIRE(status == ABUT_OK || status == ABUT_ERROR_INVALID_ARGUMENT || status == ABUT_ERROR_NOT_FINITE ||
                     status == ABUT_ERROR_UNSUPPORTED_PAIR || status == ABUT_ERROR_ITERATION_LIMIT,
                 "%s", abut_status_name(status));
    if (status != ABUT_OK && status != ABUT_ERROR_ITERATION_LIMIT) {
        return;
    }
    placed_pair pair = answer_place(q->a, q->pose_a, q->b, q->pose_b);
    if (pair.coarse) {
        return; /* the width of the thinner body is within rounding error, so alpha is unknown */
    }
    answer_check_growth(&pair, status, &growth);
    question other = *q;
    other.settings.baseline.growth = q->settings.baseline.growth == ABUT_GROWTH_RAY_CAST ? ABUT_GROWTH_EXPANSION : ABUT_GROWTH_RAY_CAST;
    abut_growth by_other;
    abut_status other_status = abut_growth_distance(&(abut_pair){q->a, q->pose_a, q->b, q->pose_b}, &other.settings, &by_other);
    /* alpha is the distance between two points over the bodies' width along their line. It is known to the rounding error of a coordinate over that width. */
    double near = (2e-9 + 16.0 * pair.rounding / pair.thin) * growth.alpha;
    FUZZ_REQUIRE(status != ABUT_OK || other_status != ABUT_OK || fabs(by_other.alpha - growth.alpha) <= near,
                 "alpha %.17g, by the other method %.17g, allowed %g", growth.alpha, by_other.alpha, near);
    double slack = 1e-9 * pair.sizes + 16.0 * pair.rounding;
    FUZZ_REQUIRE(count > 0 || growth.gap > -slack, "no contacts at a gap of %.17g", growth.gap);
    FUZZ_REQUIRE(count == 0 || growth.gap <= q->settings.margin + slack, "%d contacts, the deepest %.17g, at a gap of %.17g", (int)count,
                 answer_deepest(contacts, count), growth.gap);
}

/* ---- contacts made of random numbers ---- */

static void reduce_anything(bytes *in) {
    enum { COUNT = 24 };
    abut_contact contacts[COUNT] = {{.gap = 0.0}}, kept[COUNT];
    int32_t count = bytes_below(in, COUNT + 1), limit = bytes_below(in, 12) - 1;
    for (int32_t i = 0; i < count; i++) {
        contacts[i].on_b = shapes_read_vec3(in, 1.0);
        contacts[i].normal = shapes_read_vec3(in, 1.0);
        contacts[i].gap = bytes_number(in);
    }
    abut_reduction reduction = {.kept = -7};
    abut_status status = abut_reduce(contacts, count, limit, kept, &reduction);
    FUZZ_REQUIRE(status == ABUT_OK || status == ABUT_ERROR_NOT_FINITE || status == ABUT_ERROR_OUT_OF_MEMORY ||
                     (status == ABUT_ERROR_INVALID_ARGUMENT && limit < 1),
                 "%s", abut_status_name(status));
    FUZZ_REQUIRE(status != ABUT_OK || (reduction.kept == (count < limit ? count : limit)), "%d of %d kept", (int)reduction.kept,
                 (int)count);
}

/* ---- one input ---- */

static void run(bytes *in) {
    static abut_contact contacts[MOST_CONTACTS], room[MOST_CONTACTS];
    question q = question_read(in);
    int32_t count = 0;
    if (q.a != NULL && q.b != NULL) {
        check_contacts(&q, contacts, room);
    }
    if (q.a != NULL && q.b != NULL && !question_is_big(&q) && !question_is_slow(&q)) {
        check_swap(&q, contacts, room);
        if (ask(&q, NULL, contacts, MOST_CONTACTS, &count) == ABUT_OK) {
            check_growth(&q, contacts, count);
        }
    }
    reduce_anything(in);
    question_release(&q);
}

/* Runs the same input again while a request for memory is refused. The result must be a status, without leaks and without partial output. */
static void run_without_memory(bytes *in, int32_t refused) {
    static abut_contact contacts[64];
    refusal memory = {.left = refused};
    abut_allocator allocator = {refusing_allocate, refusing_release, &memory};
    abut_set_allocator(&allocator);
    question q = question_read(in);
    int32_t count;
    abut_status status = q.a != NULL && q.b != NULL ? ask(&q, NULL, contacts, 64, &count) : ABUT_OK;
    FUZZ_REQUIRE(status != ABUT_ERROR_OUT_OF_MEMORY || memory.met, "out of memory, of which there was enough");
    question_release(&q);
    abut_set_allocator(NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bytes in = bytes_make(data, size);
    uint8_t refused = bytes_byte(&in);
    bytes again = in;
    run(&in);
    if (refused >= 192) {
        run_without_memory(&again, refused - 192);
    }
    return 0;
}
