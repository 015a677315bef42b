/* Candidate pairs of moving boxes and planes, compared with a test of every pair. */
#include "support/allocator.h"
#include "support/check.h"
#include "support/random.h"

#include "broad/broad.h"

enum { BODIES = 500, PLANES = 3 }; /* so many that lists are merged in several parts */

typedef struct crowd {
    broad_phase broad;
    abut_aabb box[BODIES];
    abut_vec3 velocity[BODIES];
    bool there[BODIES], movable[BODIES];
    abut_vec3 normal[PLANES];
    double offset[PLANES];
} crowd;

static abut_aabb moved(abut_aabb box, abut_vec3 by) {
    abut_aabb result = {abut_add(box.lower, by), abut_add(box.upper, by)};
    return result;
}

static void add(crowd *c, random_state *random, int32_t slot) {
    abut_vec3 lower = random_vec3(random, -5.0, 5.0);
    double size = slot < 3 ? 20.0 : 1.0;
    c->box[slot] = (abut_aabb){lower, abut_add(lower, random_vec3(random, 0.1 * size, size))};
    c->velocity[slot] = random_vec3(random, -0.2, 0.2);
    c->there[slot] = true;
    c->movable[slot] = slot >= 3 && slot % 7 != 0;
    broad_add_box(&c->broad, slot, c->movable[slot], c->box[slot]);
}

static crowd make_crowd(random_state *random) {
    crowd c = {.broad = broad_empty()};
    assert_true(broad_reserve(&c.broad, BODIES + PLANES));
    for (int32_t slot = 0; slot < BODIES; slot++) {
        add(&c, random, slot);
    }
    for (int32_t i = 0; i < PLANES; i++) {
        c.normal[i] = random_direction(random);
        c.offset[i] = random_range(random, -5.0, 0.0);
        broad_add_plane(&c.broad, BODIES + i, c.normal[i], c.offset[i]);
    }
    return c;
}

static bool below(const crowd *c, int32_t plane, abut_aabb box) {
    for (int corner = 0; corner < 8; corner++) {
        abut_vec3 p = {corner & 1 ? box.upper.x : box.lower.x, corner & 2 ? box.upper.y : box.lower.y,
                       corner & 4 ? box.upper.z : box.lower.z};
        if (abut_dot(c->normal[plane], p) <= c->offset[plane]) {
            return true;
        }
    }
    return false;
}

static bool meet(const crowd *c, int32_t a, int32_t b) {
    if (!c->there[a] || !c->movable[a]) {
        if (b >= BODIES || !c->there[a] || !c->there[b] || !c->movable[b]) {
            return false;
        }
    }
    if (b >= BODIES) {
        return below(c, b - BODIES, c->box[a]);
    }
    return c->there[b] && aabb_meets(c->box[a], c->box[b]);
}

/* Whether a pair of the list says where it was in the list before. */
static bool remembers(const crowd *c, const broad_pair *pair) {
    int32_t at = -1;
    for (int32_t i = 0; i < c->broad.pair_count; i++) {
        at = c->broad.pairs[i].a == pair->a && c->broad.pairs[i].b == pair->b ? i : at;
    }
    return pair->previous == at;
}

/* The list holds each pair once, in order, and its candidates are exactly the pairs that meet. */
static void check(const crowd *c) {
    static bool listed[BODIES][BODIES + PLANES];
    for (int32_t a = 0; a < BODIES; a++) {
        for (int32_t b = 0; b < BODIES + PLANES; b++) {
            listed[a][b] = false;
        }
    }
    for (int32_t p = 0; p < c->broad.found_count; p++) {
        const broad_pair *pair = &c->broad.found[p];
        assert_true(pair->a < pair->b);
        if (p > 0) {
            const broad_pair *before = pair - 1;
            assert_true(before->a < pair->a || (before->a == pair->a && before->b < pair->b));
        }
        assert_true(p % 16 != 0 || remembers(c, pair));
        if (broad_is_candidate(&c->broad, pair)) {
            listed[pair->a][pair->b] = true;
        }
    }
    for (int32_t a = 0; a < BODIES; a++) {
        for (int32_t b = a + 1; b < BODIES + PLANES; b++) {
            assert_int_equal(listed[a][b], meet(c, a, b));
        }
    }
}

/* Removes the pairs of a body from the committed list, as a world does when it removes the body. */
static void drop_pairs(crowd *c, int32_t slot) {
    int32_t kept = 0;
    for (int32_t p = 0; p < c->broad.pair_count; p++) {
        if (c->broad.pairs[p].a != slot && c->broad.pairs[p].b != slot) {
            c->broad.memories[kept] = c->broad.memories[p];
            c->broad.pairs[kept++] = c->broad.pairs[p];
        }
    }
    c->broad.pair_count = kept;
}

static void advance(crowd *c, random_state *random) {
    for (int32_t slot = 0; slot < BODIES; slot++) {
        if (c->there[slot] && c->movable[slot]) {
            c->box[slot] = moved(c->box[slot], c->velocity[slot]);
            /* Occasionally a body is moved to another place. */
            if (random_below(random, 200) == 0) {
                c->box[slot] = moved(c->box[slot], random_vec3(random, -5.0, 5.0));
                c->velocity[slot] = abut_neg(c->velocity[slot]);
            }
            broad_move_box(&c->broad, slot, c->box[slot], abut_scale(2.0, c->velocity[slot]));
        }
    }
    int32_t plane = random_below(random, PLANES);
    c->offset[plane] += random_range(random, -0.05, 0.05);
    broad_move_plane(&c->broad, BODIES + plane, c->normal[plane], c->offset[plane]);
}

static void test_finds_what_trying_all_pairs_finds(void **state) {
    (void)state;
    random_state random = random_make(random_seed("broad", 5));
    crowd c = make_crowd(&random);
    int32_t most = 0, built = 0;
    for (int32_t step = 0; step < 150; step++) {
        int32_t grown = c.broad.grown;
        assert_true(broad_find(&c.broad, NULL));
        built += c.broad.grown < grown;
        check(&c);
        most = c.broad.found_count > most ? c.broad.found_count : most;
        if (step % 7 == 3) { /* a step in which nothing has moved */
            broad_commit(&c.broad);
            continue;
        }
        /* A list that is not committed belongs to a failed step; the next step finds the same pairs. */
        if (step % 5 != 0) {
            broad_commit(&c.broad);
        }
        int32_t slot = 3 + random_below(&random, BODIES - 3);
        if (c.there[slot]) {
            broad_remove(&c.broad, slot);
            drop_pairs(&c, slot);
            c.there[slot] = false;
        } else {
            add(&c, &random, slot);
        }
        advance(&c, &random);
    }
    assert_true(parts_count(most) > 2);
    assert_in_range(built, 2, 100); /* the tree was built anew, and not in every step */
    broad_release(&c.broad);
}

static void test_pairs_keep_their_memory(void **state) {
    (void)state;
    broad_phase broad = broad_empty();
    assert_true(broad_reserve(&broad, 4));
    abut_aabb box = {{0, 0, 0}, {1, 1, 1}};
    broad_add_box(&broad, 0, true, box);
    broad_add_box(&broad, 2, true, box);
    assert_true(broad_find(&broad, NULL));
    assert_int_equal(broad.found_count, 1);
    assert_int_equal(broad.found[0].previous, -1);
    broad.found_memories[0].normal = abut_vec3_make(0, 0, 1);
    broad_commit(&broad);
    broad_add_box(&broad, 1, true, box);
    assert_true(broad_find(&broad, NULL));
    assert_int_equal(broad.found_count, 3);
    assert_int_equal(broad.found[1].a, 0);
    assert_int_equal(broad.found[1].b, 2);
    assert_int_equal(broad.found[1].previous, 0);
    assert_true(broad.found_memories[1].normal.z == 1.0);
    assert_true(broad.found_memories[2].normal.z == 0.0);
    assert_int_equal(broad.found[2].previous, -1);
    broad_release(&broad);
}

static void test_a_body_that_rests_leaves_the_tree_alone(void **state) {
    (void)state;
    broad_phase broad = broad_empty();
    assert_true(broad_reserve(&broad, 1));
    abut_aabb box = {{0, 0, 0}, {1, 1, 1}};
    broad_add_box(&broad, 0, true, box);
    assert_true(broad_find(&broad, NULL));
    broad_commit(&broad);
    abut_vec3 none = {0, 0, 0};
    for (int i = 0; i < 10; i++) {
        broad_move_box(&broad, 0, moved(box, abut_vec3_make(0.002 * i, 0, 0)), none);
        assert_false(broad.proxies[0].changed);
    }
    broad_move_box(&broad, 0, moved(box, abut_vec3_make(0.2, 0, 0)), none);
    assert_true(broad.proxies[0].changed);
    broad_release(&broad);
}

static void test_out_of_memory_keeps_the_list(void **state) {
    (void)state;
    counting_allocator memory = {.refuse_at = -1};
    for (int64_t refused = 0;; refused++) {
        memory = (counting_allocator){.refuse_at = refused};
        counting_allocator_install(&memory);
        broad_phase broad = broad_empty();
        bool fine = broad_reserve(&broad, 20);
        abut_aabb box = {{0, 0, 0}, {1, 1, 1}};
        for (int32_t slot = 0; slot < 20 && fine; slot++) {
            broad_add_box(&broad, slot, true, box);
        }
        fine = fine && broad_find(&broad, NULL);
        assert_int_equal(fine, !memory.refused);
        if (fine) {
            assert_int_equal(broad.found_count, 190);
        } else {
            assert_int_equal(broad.pair_count, 0);
        }
        broad_release(&broad);
        counting_allocator_remove();
        assert_int_equal(memory.live, 0);
        if (!memory.refused) {
            break;
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finds_what_trying_all_pairs_finds),
        cmocka_unit_test(test_pairs_keep_their_memory),
        cmocka_unit_test(test_a_body_that_rests_leaves_the_tree_alone),
        cmocka_unit_test(test_out_of_memory_keeps_the_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
