/*
 * Two shapes of any kind, anywhere, with any settings: every call of the narrow phase must answer with a documented status, and every
 * answer must hold to what the headers say of it.
 */
#include <abut/collide.h>

#include "answer.h"
#include "shapes.h"
#include "target.h"

enum { MOST_CONTACTS = 1 << 15 };

/* ---- memory that can refuse ---- */

typedef struct refusal {
    int32_t left; /* requests until one is refused; below 0 none */
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

/* ---- the question ---- */

typedef struct question {
    abut_shape *a, *b;
    abut_pose pose_a, pose_b;
    abut_collide_settings settings;
    abut_cache cache;
} question;

static abut_collide_settings read_settings(bytes *in, double scale) {
    abut_collide_settings s = abut_collide_settings_default();
    uint8_t which = bytes_byte(in), how = bytes_byte(in);
    s.normal = how & 1 ? ABUT_NORMAL_MINIMUM : ABUT_NORMAL_GROWTH;
    s.contraction = how & 2 ? ABUT_CONTRACTION_CENTROID : ABUT_CONTRACTION_CORE;
    s.method = how & 4 ? ABUT_GROWTH_RAY_CAST : ABUT_GROWTH_EXPANSION;
    s.refine_normal = (how & 8) == 0;
    if (which & 1) {
        s.margin = scale * fabs(bytes_number(in));
    }
    if (which & 2) {
        s.feature_angle = fmin(fabs(bytes_number(in)), 0.78539816339744831);
    }
    if (which & 4) {
        s.previous_normal = shapes_read_vec3(in, 1.0);
    }
    if (which & 8) {
        s.weld = 0.1 * fmin(fabs(bytes_number(in)), 1.0);
    }
    if (how >= 240) { /* out of range, perhaps */
        s.margin = bytes_number(in);
        s.feature_angle = bytes_number(in);
        s.weld = bytes_number(in);
        s.normal = (abut_normal_policy)bytes_below(in, 4);
        s.method = (abut_growth_method)bytes_below(in, 4);
        s.contraction = (abut_contraction)bytes_below(in, 4);
    }
    return s;
}

/* B moved so that its bounds and A's meet, or nearly: stacks, overlaps, grazes. */
static void abut_bounds(bytes *in, question *q) {
    uint8_t how = bytes_byte(in);
    abut_aabb a = abut_shape_bounds(q->a, q->pose_a), b = abut_shape_bounds(q->b, q->pose_b);
    double step = bytes_number(in) * pow(10.0, -bytes_below(in, 18));
    double *position[3] = {&q->pose_b.position.x, &q->pose_b.position.y, &q->pose_b.position.z};
    const double upper_a[3] = {a.upper.x, a.upper.y, a.upper.z}, lower_b[3] = {b.lower.x, b.lower.y, b.lower.z};
    double size = upper_a[how % 3] - (how % 3 == 0 ? a.lower.x : how % 3 == 1 ? a.lower.y : a.lower.z);
    double moved = *position[how % 3] + upper_a[how % 3] - lower_b[how % 3] + step * size;
    if (isfinite(moved)) {
        *position[how % 3] = moved;
    }
}

static void read_poses(bytes *in, double scale, question *q) {
    uint8_t how = bytes_byte(in);
    q->pose_a = shapes_read_pose(in, scale);
    q->pose_b = shapes_read_pose(in, scale);
    if (how & 1) {
        abut_bounds(in, q);
    }
    if (how & 2) {
        q->pose_b.rotation = q->pose_a.rotation;
    }
    if (how >= 224) { /* both far away */
        abut_vec3 away = shapes_read_vec3(in, scale * pow(10.0, bytes_below(in, 20)));
        q->pose_a.position = abut_add(q->pose_a.position, away);
        q->pose_b.position = abut_add(q->pose_b.position, away);
    }
}

static question read_question(bytes *in) {
    question q = {.a = NULL};
    uint8_t how = bytes_byte(in);
    in->wild = (how & 7) == 7;
    double scale = (how & 0x18) == 0x18 ? pow(10.0, bytes_below(in, 120) - 60) : 1.0;
    q.settings = read_settings(in, scale);
    q.cache.axis = how & 0x20 ? shapes_read_vec3(in, 1.0) : abut_make_vec3(0, 0, 0);
    q.a = shapes_read(in, scale);
    q.b = (how & 0xc0) == 0xc0 ? (abut_shape *)(uintptr_t)abut_shape_retain(q.a) : shapes_read(in, scale);
    read_poses(in, scale, &q);
    return q;
}

static void describe_pose(const char *name, abut_pose pose) {
    fprintf(stderr, "  %s at {%.17g, %.17g, %.17g} turned {%.17g, %.17g, %.17g, %.17g}\n", name, pose.position.x, pose.position.y,
            pose.position.z, pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w);
}

static void describe(const question *q) {
    const abut_collide_settings *s = &q->settings;
    describe_pose("A", q->pose_a);
    describe_pose("B", q->pose_b);
    fprintf(stderr, "  margin %.17g, feature angle %.17g, normal %d, contraction %d, method %d, refine %d, weld %.17g\n", s->margin,
            s->feature_angle, (int)s->normal, (int)s->contraction, (int)s->method, s->refine_normal, s->weld);
    fprintf(stderr, "  previous {%.17g, %.17g, %.17g}, cache {%.17g, %.17g, %.17g}%s\n", s->previous_normal.x, s->previous_normal.y,
            s->previous_normal.z, q->cache.axis.x, q->cache.axis.y, q->cache.axis.z, q->a == q->b ? ", B is A" : "");
}

/* Asked in fewer ways, for time. */
static bool is_big(const question *q) { return shapes_vertex_count(q->a) + shapes_vertex_count(q->b) > 400; }

static question swapped(const question *q) {
    question s = *q;
    s.a = q->b;
    s.b = q->a;
    s.pose_a = q->pose_b;
    s.pose_b = q->pose_a;
    s.settings.previous_normal = abut_neg(q->settings.previous_normal);
    return s;
}

/* ---- contacts ---- */

static void require_collide_status(abut_status status) {
    FUZZ_REQUIRE(status == ABUT_OK || status == ABUT_ERROR_CAPACITY || status == ABUT_ERROR_INVALID_ARGUMENT ||
                     status == ABUT_ERROR_NOT_FINITE || status == ABUT_ERROR_UNSUPPORTED_PAIR || status == ABUT_ERROR_OUT_OF_MEMORY,
                 "%s", abut_status_name(status));
}

static abut_status ask(const question *q, abut_cache *cache, abut_contact *contacts, int32_t capacity, int32_t *count) {
    *count = -7;
    abut_status status = abut_collide(q->a, q->pose_a, q->b, q->pose_b, &q->settings, cache, contacts, capacity, count);
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

/* The same question again, with a cache and with less room: the same bits. */
static void ask_again(const question *q, const char *how, abut_cache *cache, const abut_contact *expected, int32_t count,
                      int32_t capacity, abut_contact *room) {
    int32_t found;
    abut_status status = ask(q, cache, room, capacity, &found);
    FUZZ_REQUIRE(status == (count > capacity ? ABUT_ERROR_CAPACITY : ABUT_OK) && found == count, "%s: %s, %d contacts, not %d", how,
                 abut_status_name(status), (int)found, (int)count);
    require_same(how, room, expected, count < capacity ? count : capacity);
}

/* Reduction keeps contacts as they are and in order, the deepest among them, and never more area than there was. */
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
    abut_cache foreign = q->cache, warm = cold;
    ask_again(q, "warm cache", &warm, contacts, count, MOST_CONTACTS, room);
    if (!is_big(q)) {
        ask_again(q, "without a cache", NULL, contacts, count, MOST_CONTACTS, room);
        ask_again(q, "foreign cache", &foreign, contacts, count, MOST_CONTACTS, room);
        ask_again(q, "no room", NULL, contacts, count, 0, NULL);
        ask_again(q, "too little room", NULL, contacts, count, count / 2, room);
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

/* Seen from the other side: a contact may be gained or lost at the margin, to rounding, and nowhere else. */
static void check_swap(const question *q, abut_contact *contacts, abut_contact *room) {
    int32_t count, other;
    question turned = swapped(q);
    abut_status status = ask(q, NULL, contacts, MOST_CONTACTS, &count), back = ask(&turned, NULL, room, MOST_CONTACTS, &other);
    /* Of two mistakes either may be named. */
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
    abut_status status = abut_growth_distance(q->a, q->pose_a, q->b, q->pose_b, &q->settings, &growth);
    FUZZ_REQUIRE(status == ABUT_OK || status == ABUT_ERROR_INVALID_ARGUMENT || status == ABUT_ERROR_NOT_FINITE ||
                     status == ABUT_ERROR_UNSUPPORTED_PAIR || status == ABUT_ERROR_ITERATION_LIMIT,
                 "%s", abut_status_name(status));
    if (status != ABUT_OK && status != ABUT_ERROR_ITERATION_LIMIT) {
        return;
    }
    placed_pair pair = answer_place(q->a, q->pose_a, q->b, q->pose_b);
    if (pair.coarse) {
        return; /* alpha may be infinite: test/narrow/pending_growth_far_apart.c */
    }
    answer_check_growth(&pair, status, &growth);
    question other = *q;
    other.settings.method = q->settings.method == ABUT_GROWTH_RAY_CAST ? ABUT_GROWTH_EXPANSION : ABUT_GROWTH_RAY_CAST;
    abut_growth by_other;
    abut_status other_status = abut_growth_distance(q->a, q->pose_a, q->b, q->pose_b, &other.settings, &by_other);
    FUZZ_REQUIRE(status != ABUT_OK || other_status != ABUT_OK || fabs(by_other.alpha - growth.alpha) <= 2e-9 * growth.alpha,
                 "alpha %.17g, by the other method %.17g", growth.alpha, by_other.alpha);
    double slack = 1e-9 * pair.sizes + 16.0 * pair.rounding;
    FUZZ_REQUIRE(count > 0 || growth.gap > -slack, "no contacts at a gap of %.17g", growth.gap);
    FUZZ_REQUIRE(count == 0 || growth.gap <= q->settings.margin + slack, "%d contacts, the deepest %.17g, at a gap of %.17g", (int)count,
                 answer_deepest(contacts, count), growth.gap);
}

/* ---- contacts that no shape made ---- */

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
    question q = read_question(in);
    int32_t count = 0;
    if (fuzz_describes()) {
        describe(&q);
    }
    if (q.a != NULL && q.b != NULL) {
        check_contacts(&q, contacts, room);
    }
    if (q.a != NULL && q.b != NULL && !is_big(&q)) {
        check_swap(&q, contacts, room);
        if (ask(&q, NULL, contacts, MOST_CONTACTS, &count) == ABUT_OK) {
            check_growth(&q, contacts, count);
        }
    }
    reduce_anything(in);
    abut_shape_release(q.a);
    abut_shape_release(q.b);
}

/* The same once more while a request for memory is refused: a status, no leak, nothing half done. */
static void run_without_memory(bytes *in, int32_t refused) {
    static abut_contact contacts[64];
    refusal memory = {.left = refused};
    abut_allocator allocator = {refusing_allocate, refusing_release, &memory};
    abut_set_allocator(&allocator);
    question q = read_question(in);
    int32_t count;
    abut_status status = q.a != NULL && q.b != NULL ? ask(&q, NULL, contacts, 64, &count) : ABUT_OK;
    FUZZ_REQUIRE(status != ABUT_ERROR_OUT_OF_MEMORY || memory.met, "out of memory, of which there was enough");
    abut_shape_release(q.a);
    abut_shape_release(q.b);
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
