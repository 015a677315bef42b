/* The short path of spheres, capsules and planes has the bits of the general path: contacts, counts, statuses and caches, over all kinds of pairs, poses,
 * settings and buffers. */
#include "narrow/round/collide.h"

#include <stdio.h>
#include <string.h>

#include "narrow/seam/mend.h"
#include "support/check.h"

enum { ROOM = 4 };

typedef enum placing { TOUCHING, TIDY, SIDES, ENDS, COINCIDENT, CLOSE, FAR, TINY, WRONG, PLACINGS } placing;

static const char *const placing_names[PLACINGS] = {"touching", "tidy", "sides", "ends", "coincident", "close", "far", "tiny", "wrong"};

typedef struct sample {
    abut_shape *shapes[2];
    abut_pair pair;
    abut_collide_settings settings;
    bool with_settings, with_cache;
    abut_cache cache;
    int32_t capacity;
    placing placing;
} sample;

typedef struct answer {
    abut_status status;
    int32_t count;
    abut_contact contacts[ROOM];
    abut_cache cache;
} answer;

static double pick_of(random_state *random, const double *choices, int count) { return choices[random_below(random, count)]; }

/* ---- samples ---- */

static abut_shape *draw_shape(random_state *random, bool may_be_plane, double size) {
    const double ratios[6] = {0.0, 1.0, 5e-324, 1e-14, 1e3, random_range(random, 0.0, 2.0)};
    abut_shape *shape = NULL;
    abut_vec3 half = random_vec3(random, 0.1, 1.0), normals[3] = {{0, 0, 1}, {0, -1, 0}, random_direction(random)};
    double radius = size * (random_below(random, 2) == 0 ? 0.5 : random_log_range(random, 0.05, 5.0));
    switch (random_below(random, may_be_plane ? 8 : 7)) {
    case 0:
    case 1:
    case 2:
        (void)abut_shape_create_sphere(radius, &shape);
        break;
    case 3:
        (void)abut_shape_create_box(abut_scale(size, half), &shape);
        break;
    case 7:
        assert_ok(abut_shape_create_plane(normals[random_below(random, 3)], size * random_range(random, -1.0, 1.0), &shape));
        break;
    default:
        (void)abut_shape_create_capsule(radius, radius * pick_of(random, ratios, 6), &shape);
    }
    if (shape == NULL) { /* the inertia of a tiny capsule vanishes */
        assert_ok(abut_shape_create_sphere(0.5, &shape));
    }
    return shape;
}

static abut_quat draw_rotation(random_state *random) {
    const abut_quat plain[5] = {{0, 0, 0, 1}, {-0.0, -0.0, -0.0, 1}, {0, 0, 0, -1}, {1, -0.0, 0, 0}, {0, -1, 0, -0.0}};
    abut_quat q = random_below(random, 2) == 0 ? random_rotation(random) : random_tidy_rotation(random);
    double stretch = random_below(random, 8) == 0 ? 1.0 + random_range(random, -9e-7, 9e-7) : 1.0;
    q = random_below(random, 4) == 0 ? plain[random_below(random, 5)] : q;
    return (abut_quat){stretch * q.x, stretch * q.y, stretch * q.z, stretch * q.w};
}

/* How far apart the middles of bodies may be that touch somehow. */
static double reach_of(const abut_shape *p, const abut_shape *q) { return 0.5 * (p->size + q->size); }

static abut_vec3 draw_apart(random_state *random, placing placing, const abut_shape *p, const abut_shape *q) {
    const abut_vec3 axes[6] = {{1, 0, -0.0}, {-0.0, -1, 0}, {0, 0, 1}, {-0.0, -0.0, -1}, {1, 1, 0}, {0, -1, 1}};
    double reach = reach_of(p, q), radii = p->radius + q->radius;
    switch (placing) {
    case TIDY:
        return abut_scale(radii * (1.0 + 0.25 * random_below(random, 3) - 0.25), axes[random_below(random, 6)]);
    case COINCIDENT:
        return abut_vec3_make(0.0, random_below(random, 2) == 0 ? 0.0 : -0.0, 0.0);
    case CLOSE:
        return abut_scale(reach * random_log_range(random, 1e-18, 1e-6), random_direction(random));
    case FAR:
        return abut_scale(random_log_range(random, 1e3, 1e120), random_direction(random));
    case SIDES:
    case ENDS:
        return abut_scale(radii * random_range(random, 0.3, 1.05), random_direction(random));
    default:
        return abut_scale(reach * random_range(random, 0.1, 1.2), random_direction(random));
    }
}

/* Capsules beside each other, with B's axis nearly or exactly along or across A's. */
static void put_beside(random_state *random, sample *s) {
    const double angles[5] = {0.0, PI, 0.5 * PI, random_log_range(random, 1e-17, 1e-1), random_range(random, 0.0, PI)};
    const abut_shape *a = s->pair.a, *b = s->pair.b;
    double turn = pick_of(random, angles, 5), along = random_range(random, -1.2, 1.2), way = random_range(random, 0.0, 2.0 * PI);
    if (s->placing == ENDS) {
        along = random_below(random, 2) == 0 ? 1.0 : -1.0;
    }
    double distance = (a->radius + b->radius) * random_range(random, 0.5, 1.02);
    abut_pose beside = {{distance * cos(way), distance * sin(way), along * a->half_length},
                        abut_quat_about(abut_vec3_make(cos(way), sin(way), 0.0), turn)};
    s->pair.pose_b = abut_pose_compose(s->pair.pose_a, beside);
}

static void spoil(random_state *random, sample *s) {
    const double values[4] = {NAN, INFINITY, -INFINITY, 1.1};
    double value = pick_of(random, values, 4);
    switch (random_below(random, 7)) {
    case 0:
        s->pair.pose_a.position.y = value;
        break;
    case 1:
        s->pair.pose_b.rotation.z = value;
        break;
    case 2:
        s->pair.pose_a.rotation.w = value;
        break;
    case 3:
        s->settings.margin = random_below(random, 2) == 0 ? -1e-300 : value;
        break;
    case 4:
        s->settings.previous_normal.x = value;
        break;
    case 5:
        s->settings.weld = value;
        break;
    default:
        s->settings.normal = (abut_normal_policy)7;
    }
}

static abut_collide_settings draw_settings(random_state *random, double size) {
    const double margins[5] = {0.0, 0.01, 0.3, 5e-324, 1e30}, welds[4] = {1e-6, 0.0, 0.1, 1e-3},
                 angles[4] = {0.0, 1e-3, 0.034906585039886591, 0.7};
    abut_collide_settings s = abut_collide_settings_default();
    s.margin = size * pick_of(random, margins, 5);
    s.weld = pick_of(random, welds, 4);
    s.feature_angle = pick_of(random, angles, 4);
    s.normal = random_below(random, 2) == 0 ? ABUT_NORMAL_GROWTH : ABUT_NORMAL_MINIMUM;
    s.contraction = random_below(random, 2) == 0 ? ABUT_CONTRACTION_CENTROID : ABUT_CONTRACTION_CORE;
    s.refine_normal = random_below(random, 2) == 0;
    s.previous_normal = random_below(random, 2) == 0 ? random_direction(random) : s.previous_normal;
    return s;
}

static abut_feature draw_feature(random_state *random) {
    return (abut_feature){(abut_feature_kind)random_below(random, 5), random_below(random, 9) - 2, random_below(random, 2)};
}

static sample draw_sample(random_state *random) {
    const double sizes[4] = {1.0, 1.0, random_log_range(random, 1e-3, 1e3), random_log_range(random, 1e-3, 1e3)};
    sample s = {.placing = (placing)random_below(random, PLACINGS)};
    double size = s.placing == TINY ? random_log_range(random, 1e-45, 1e-20) : pick_of(random, sizes, 4);
    s.shapes[0] = draw_shape(random, s.placing != TINY, size);
    s.shapes[1] = draw_shape(random, s.placing != TINY && s.shapes[0]->kind != ABUT_SHAPE_PLANE,
                             random_below(random, 8) == 0 ? size * random_log_range(random, 1e-15, 1.0) : size);
    bool swap = random_below(random, 2) == 0;
    s.pair.a = s.shapes[swap];
    s.pair.b = s.shapes[!swap];
    s.pair.pose_a = (abut_pose){random_below(random, 3) == 0 ? abut_vec3_make(0.0, -0.0, 0.0) : random_vec3(random, -size, size),
                                draw_rotation(random)};
    s.pair.pose_b = (abut_pose){abut_add(s.pair.pose_a.position, draw_apart(random, s.placing, s.pair.a, s.pair.b)), draw_rotation(random)};
    if (s.placing == SIDES || s.placing == ENDS) {
        put_beside(random, &s);
    }
    s.with_settings = random_below(random, 3) > 0 || s.placing == WRONG;
    s.settings = draw_settings(random, size);
    if (s.placing == WRONG) {
        spoil(random, &s);
    }
    s.with_cache = random_below(random, 2) == 0;
    s.cache.axis = random_below(random, 2) == 0 ? random_direction(random) : abut_sub(s.pair.pose_b.position, s.pair.pose_a.position);
    s.cache.feature_a = draw_feature(random);
    s.cache.feature_b = draw_feature(random);
    s.capacity = random_below(random, 4) == 0 ? random_below(random, 2) : ROOM;
    return s;
}

static void release(sample *s) {
    abut_shape_release(s->shapes[0]);
    abut_shape_release(s->shapes[1]);
}

/* ---- answers ---- */

typedef enum path { GENERAL, SINGLE, PLACED } path;

static void ask(const sample *s, path path, answer *found) {
    const abut_collide_settings *settings = s->with_settings ? &s->settings : NULL;
    memset(found, 0x5a, sizeof *found);
    found->cache = s->cache;
    abut_cache *cache = s->with_cache ? &found->cache : NULL;
    abut_contact *contacts = s->capacity > 0 ? found->contacts : NULL;
    const abut_placed a = collide_place_body(s->pair.a, &s->pair.pose_a), b = collide_place_body(s->pair.b, &s->pair.pose_b);
    if (path == GENERAL) {
        found->status = collide_generally(&a, &b, NULL, false, settings, cache, contacts, s->capacity, &found->count);
    } else if (path == PLACED) {
        found->status = collide_beside(&a, &b, NULL, false, settings, cache, contacts, s->capacity, &found->count);
    } else {
        found->status = abut_collide(&s->pair, settings, cache, contacts, s->capacity, &found->count);
    }
}

/* Whether the short path decides by itself. */
static bool is_short(const sample *s) {
    const abut_collide_settings defaults = abut_collide_settings_default(), *settings = s->with_settings ? &s->settings : &defaults;
    abut_contact contacts[ROOM];
    round_answer found = {NULL, contacts, ROOM, 0};
    const round_body a = {s->pair.a, &s->pair.pose_a, NULL}, b = {s->pair.b, &s->pair.pose_b, NULL};
    return round_is_fit(a.shape, b.shape) && collide_check_settings(settings) == ABUT_OK && abut_pose_is_valid(s->pair.pose_a) &&
           abut_pose_is_valid(s->pair.pose_b) && round_collide(&a, &b, settings, &found);
}

static void compare(tally *t, const sample *s, const answer *expected, const answer *found, const char *what) {
    if (expected->status != found->status || expected->count != found->count) {
        tally_fail(t, what, "%s %s: %s %d, not %s %d", abut_kind_name(s->pair.a->kind), abut_kind_name(s->pair.b->kind),
                   abut_status_name(found->status), (int)found->count, abut_status_name(expected->status), (int)expected->count);
    } else if (memcmp(expected->contacts, found->contacts, sizeof expected->contacts) != 0) {
        const abut_contact *p = &expected->contacts[0], *q = &found->contacts[0];
        tally_fail(t, what, "%s %s: contacts: gaps %.17g %.17g, normals %.17g %.17g %.17g, %.17g %.17g %.17g",
                   abut_kind_name(s->pair.a->kind), abut_kind_name(s->pair.b->kind), p->gap, q->gap, p->normal.x, p->normal.y, p->normal.z,
                   q->normal.x, q->normal.y, q->normal.z);
    } else if (memcmp(&expected->cache, &found->cache, sizeof expected->cache) != 0) {
        abut_vec3 p = expected->cache.axis, q = found->cache.axis;
        tally_fail(t, what, "%s %s: axes %.17g %.17g %.17g, %.17g %.17g %.17g", abut_kind_name(s->pair.a->kind),
                   abut_kind_name(s->pair.b->kind), p.x, p.y, p.z, q.x, q.y, q.z);
    }
}

static void as_by_the_general_path(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("as_by_the_general_path", 11));
    int32_t samples = random_samples("as_by_the_general_path", 800000), fit[PLACINGS] = {0}, decided[PLACINGS] = {0},
            touching[PLACINGS] = {0}, boxes = 0, decided_boxes = 0;
    for (int32_t i = 0; i < samples; i++) {
        sample s = draw_sample(&random);
        answer expected, found;
        tally_sample(&t, "sample %d: %s", (int)i, placing_names[s.placing]);
        ask(&s, GENERAL, &expected);
        ask(&s, SINGLE, &found);
        if (s.pair.a->kind != ABUT_SHAPE_BOX || s.pair.b->kind != ABUT_SHAPE_BOX) { /* boxes have a path of their own */
            compare(&t, &s, &expected, &found, "single call");
            ask(&s, PLACED, &found);
            compare(&t, &s, &expected, &found, "placed bodies");
        }
        bool by_short = is_short(&s);
        fit[s.placing] += round_is_fit(s.pair.a, s.pair.b) && expected.status != ABUT_ERROR_NOT_FINITE;
        decided[s.placing] += by_short;
        touching[s.placing] += by_short && expected.count > 0;
        if (s.placing == TOUCHING && (s.pair.a->kind == ABUT_SHAPE_BOX) != (s.pair.b->kind == ABUT_SHAPE_BOX)) {
            boxes += round_is_fit(s.pair.a, s.pair.b);
            decided_boxes += by_short;
        }
        release(&s);
    }
    tally_end(&t);
    for (int i = 0; i < PLACINGS; i++) {
        printf("as_by_the_general_path: %s: %d of %d decided, %d with contacts\n", placing_names[i], (int)decided[i], (int)fit[i],
               (int)touching[i]);
        assert_true(decided[i] > fit[i] / (i == COINCIDENT || i == CLOSE || i == WRONG ? 100 : i == FAR ? 4 : 2));
    }
    printf("as_by_the_general_path: boxes that touch: %d of %d decided\n", (int)decided_boxes, (int)boxes);
    assert_true(boxes > samples / 100 && decided_boxes > boxes * 3 / 4);
    assert_true(touching[TOUCHING] > fit[TOUCHING] / 4 && touching[TIDY] > fit[TIDY] / 4 && touching[SIDES] > fit[SIDES] / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_by_the_general_path)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
