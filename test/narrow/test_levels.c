/*
 * The instruction set of the searches changes no bit of any result: contacts and growth distances of random pairs of all kinds, for every
 * set of this machine (geom/scan.h).
 */
#include "support/check.h"

#include <stdio.h>
#include <string.h>

#include "geom/scan.h"
#include "narrow/box/kernel.h"
#include "narrow/normal/box_axes.h"
#include "narrow/normal/guess/search.h"

enum { KIND_BOX, KIND_HULL, KIND_PRISM, KIND_CAPSULE, KIND_COMPOUND, KINDS, CAPACITY = 1024 };

static abut_shape *make_hull(random_state *random, int32_t vertices) {
    solid cloud = solid_cloud(random, vertices, random_vec3(random, 0.3, 0.7));
    abut_shape *shape = solid_shape(&cloud);
    solid_free(&cloud);
    return shape;
}

/* A box and a hull beside it. */
static abut_shape *make_compound(random_state *random) {
    abut_part parts[2] = {{.pose = abut_pose_identity()}, {.pose = {abut_vec3_make(0.4, 0.0, 0.1), random_rotation(random)}}};
    abut_shape *box, *hull = make_hull(random, 8 + random_below(random, 25)), *compound;
    assert_ok(abut_shape_create_box(random_vec3(random, 0.2, 0.5), &box));
    parts[0].shape = box;
    parts[1].shape = hull;
    assert_ok(abut_shape_create_compound(parts, 2, &compound));
    abut_shape_release(box);
    abut_shape_release(hull);
    return compound;
}

/* With a size of about 1. */
static abut_shape *make_shape(random_state *random, int32_t kind) {
    abut_shape *shape = NULL;
    switch (kind) {
    case KIND_BOX:
        assert_ok(abut_shape_create_box(random_vec3(random, 0.2, 0.6), &shape));
        break;
    case KIND_HULL:
        shape = make_hull(random, 8 + random_below(random, 121));
        break;
    case KIND_PRISM:
        assert_ok(
            abut_shape_create_prism(random_range(random, 0.3, 0.6), random_range(random, 0.2, 0.6), 3 + random_below(random, 38), &shape));
        break;
    case KIND_CAPSULE:
        assert_ok(abut_shape_create_capsule(random_range(random, 0.1, 0.4), random_range(random, 0.1, 0.5), &shape));
        break;
    default:
        shape = make_compound(random);
        break;
    }
    return shape;
}

/* Selects the set for all searches. False, without effect, if the machine does not have it. */
static bool use_set(instruction_set set) { return scan_use(set) && box_axes_use(set) && box_kernel_use(set) && guess_use(set); }

/* Shapes and poses: touching, one deep in the other, apart. */
typedef struct pair {
    abut_shape *a, *b;
    abut_pose pose_a, pose_b;
    int32_t kind_a, kind_b;
} pair;

static pair make_pair(random_state *random) {
    pair p = {.kind_a = random_below(random, KINDS), .kind_b = random_below(random, KINDS)};
    p.a = make_shape(random, p.kind_a);
    p.b = make_shape(random, p.kind_b);
    p.pose_a = random_pose(random, 2.0);
    p.pose_b = random_pose(random, 0.0);
    p.pose_b.position = abut_add_scaled(p.pose_a.position, random_range(random, 0.0, 1.3), random_direction(random));
    if (random_below(random, 4) == 0) { /* in line, where directions are ties */
        p.pose_b.rotation = p.pose_a.rotation;
    }
    return p;
}

static void free_pair(pair *p) {
    abut_shape_release(p->a);
    abut_shape_release(p->b);
}

/* The result of one call. Cleared before, so that all bytes can be compared. */
typedef struct answer {
    abut_status status;
    int32_t count;
    abut_contact contacts[CAPACITY];
} answer;

static void collide(const pair *p, const abut_collide_settings *settings, answer *out) {
    memset(out, 0, sizeof *out);
    out->status = abut_collide(&(abut_pair){p->a, p->pose_a, p->b, p->pose_b}, settings, NULL, out->contacts, CAPACITY, &out->count);
}

static void compare_contacts(tally *t, const pair *p, const abut_collide_settings *settings, int32_t *touching) {
    static answer scalar, other;
    assert_true(use_set(INSTRUCTIONS_SCALAR));
    collide(p, settings, &scalar);
    *touching += scalar.count > 0;
    for (int level = INSTRUCTIONS_SCALAR + 1; level < INSTRUCTION_SETS; level++) {
        if (!use_set((instruction_set)level)) {
            continue;
        }
        collide(p, settings, &other);
        if (memcmp(&other, &scalar, sizeof other) != 0) {
            tally_fail(t, "other contacts", "level %d: %s with %d contacts, gap %.17g; plain %s with %d, gap %.17g", level,
                       abut_status_name(other.status), (int)other.count, other.contacts[0].gap, abut_status_name(scalar.status),
                       (int)scalar.count, scalar.contacts[0].gap);
        }
    }
}

static void contacts(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("contacts", 501));
    int32_t pairs = random_samples("contacts", 20000), touching = 0;
    for (int32_t i = 0; i < pairs; i++) {
        pair p = make_pair(&random);
        for (int k = 0; k < 4; k++) {
            abut_collide_settings settings = abut_collide_settings_default();
            settings.normal = k / 2 ? ABUT_NORMAL_MINIMUM : ABUT_NORMAL_GROWTH;
            settings.margin = k % 2 ? random_range(&random, 0.01, 0.3) : 0.0;
            tally_sample(&t, "pair %d, kinds %d and %d, policy %d, margin %g", (int)i, (int)p.kind_a, (int)p.kind_b, (int)settings.normal,
                         settings.margin);
            compare_contacts(&t, &p, &settings, &touching);
        }
        free_pair(&p);
    }
    printf("contacts: %d of %d answers have some\n", (int)touching, (int)(4 * pairs));
    tally_end(&t);
    assert_true(touching > pairs && touching < 4 * pairs);
}

static void compare_growth(tally *t, const pair *p, const abut_collide_settings *settings) {
    abut_growth scalar, other;
    memset(&scalar, 0, sizeof scalar);
    assert_true(use_set(INSTRUCTIONS_SCALAR));
    abut_status expected = abut_growth_distance(&(abut_pair){p->a, p->pose_a, p->b, p->pose_b}, settings, &scalar);
    for (int level = INSTRUCTIONS_SCALAR + 1; level < INSTRUCTION_SETS; level++) {
        if (!use_set((instruction_set)level)) {
            continue;
        }
        memset(&other, 0, sizeof other);
        abut_status status = abut_growth_distance(&(abut_pair){p->a, p->pose_a, p->b, p->pose_b}, settings, &other);
        bool same = memcmp(&other, &scalar, offsetof(abut_growth, normal_chosen)) == 0; /* all but the padding */
        if (status != expected || !same || other.normal_chosen != scalar.normal_chosen) {
            tally_fail(t, "another growth distance", "level %d: %s, %.17g; plain %s, %.17g", level, abut_status_name(status), other.alpha,
                       abut_status_name(expected), scalar.alpha);
        }
    }
}

static void growth_distances(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("growth_distances", 502));
    int32_t pairs = random_samples("growth_distances", 20000);
    for (int32_t i = 0; i < pairs; i++) {
        pair p = make_pair(&random);
        for (int k = 0; k < 4; k++) {
            abut_collide_settings settings = abut_collide_settings_default();
            settings.contraction = k / 2 ? ABUT_CONTRACTION_CENTROID : ABUT_CONTRACTION_CORE;
            settings.baseline.growth = k % 2 ? ABUT_GROWTH_RAY_CAST : ABUT_GROWTH_EXPANSION;
            tally_sample(&t, "pair %d, kinds %d and %d, contraction %d, method %d", (int)i, (int)p.kind_a, (int)p.kind_b,
                         (int)settings.contraction, (int)settings.baseline.growth);
            compare_growth(&t, &p, &settings);
        }
        free_pair(&p);
    }
    tally_end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(contacts), cmocka_unit_test(growth_distances)};
    return cmocka_run_group_tests_name("narrow/levels", tests, NULL, NULL);
}
