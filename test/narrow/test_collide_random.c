/* abut_collide() on thousands of random pairs of convex polytopes, against the exhaustive enumeration of separating axes: no overlap
 * missed, none invented, the depth along the returned normal never below the least depth and close to it. Every sample also checks the
 * invariants of a contact patch, the swap of A and B, rigid motion, uniform scale and the mirror. World frame, normal from B into A. */
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>

/* A pair, and the oracle's knowledge of it. A is placed relative to B by its depth. */
typedef struct sample {
    solid surface_a, surface_b;
    bool box_a, box_b; /* made by abut_shape_create_box with these half sizes */
    abut_vec3 half_a, half_b;
    bool hull; /* made by abut_shape_create_hull */
    abut_pose pose_a, pose_b;
    oracle_body oracle_a, oracle_b;
    oracle_axis least;
    double size, small; /* reach of the larger one; smallest extent of either, roughly */
} sample;

static abut_shape *make_shape(const sample *s, const solid *surface, bool box, abut_vec3 half) {
    abut_shape *shape = NULL;
    if (box) {
        assert_ok(abut_shape_create_box(half, &shape));
    } else if (s->hull) {
        assert_ok(abut_shape_create_hull(surface->vertices, surface->vertex_count, &shape));
    } else {
        shape = solid_shape(surface);
    }
    return shape;
}

static sample box_pair(random_state *random, double smallest, double largest) {
    sample s = {.box_a = true, .box_b = true};
    s.half_a = random_vec3(random, smallest, largest);
    s.half_b = random_vec3(random, smallest, largest);
    s.surface_a = solid_box(s.half_a);
    s.surface_b = solid_box(s.half_b);
    s.small = 2.0 * fmin(fmin(s.half_a.x, fmin(s.half_a.y, s.half_a.z)), fmin(s.half_b.x, fmin(s.half_b.y, s.half_b.z)));
    return s;
}

static sample hull_pair(random_state *random, int32_t vertices, bool by_qhull) {
    sample s = {.hull = by_qhull, .small = 1.0};
    s.surface_a = solid_cloud(random, vertices, random_vec3(random, 0.35, 0.65));
    s.surface_b = solid_cloud(random, vertices, random_vec3(random, 0.35, 0.65));
    return s;
}

static solid any_solid(random_state *random, double size) {
    double p = size * random_log_range(random, 0.05, 1.0), q = size * random_log_range(random, 0.05, 1.0),
           r = size * random_log_range(random, 0.05, 1.0);
    switch (random_below(random, 4)) {
    case 0:
        return solid_box(abut_vec3_make(p, q, r));
    case 1:
        return solid_prism(p, q, 3 + random_below(random, 40));
    case 2:
        return solid_pyramid(p, q, 3 + random_below(random, 40));
    default:
        return solid_cloud(random, 6 + random_below(random, 20), abut_vec3_make(p, q, r));
    }
}

static double thinnest(const solid *s) {
    oracle_body body = oracle_solid(s, abut_pose_identity());
    double inradius = -oracle_outside(&body, solid_centroid(s));
    oracle_free(&body);
    return 2.0 * inradius;
}

static sample mixed_pair(random_state *random) {
    sample s = {0};
    s.surface_a = any_solid(random, 1.0);
    s.surface_b = any_solid(random, random_log_range(random, 0.1, 1.0));
    s.small = fmin(thinnest(&s.surface_a), thinnest(&s.surface_b));
    return s;
}

/* Random rotations; A comes from a random direction, its centroid towards that of B, until the two overlap by -separation (or are
 * apart by it), or nearly concentric when they are too thin for that. */
static void place_sample(sample *s, random_state *random, double separation) {
    s->pose_a = random_pose(random, 0.3);
    s->pose_b = random_pose(random, 1.0);
    abut_vec3 centre_a = abut_quat_rotate(s->pose_a.rotation, solid_centroid(&s->surface_a));
    s->pose_a.position = abut_sub(abut_pose_apply(s->pose_b, solid_centroid(&s->surface_b)), centre_a);
    s->oracle_a = oracle_solid(&s->surface_a, s->pose_a);
    s->oracle_b = oracle_solid(&s->surface_b, s->pose_b);
    oracle_facets facets = oracle_minkowski(&s->oracle_a, &s->oracle_b);
    double concentric = oracle_separation(&facets, abut_vec3_make(0, 0, 0)).separation;
    abut_vec3 direction = random_direction(random);
    abut_vec3 shift = abut_scale(oracle_place(&facets, direction, fmax(separation, 0.9 * concentric)), direction);
    s->least = oracle_separation(&facets, shift);
    oracle_free_facets(&facets);
    oracle_free(&s->oracle_a);
    s->pose_a.position = abut_add(s->pose_a.position, shift);
    s->oracle_a = oracle_solid(&s->surface_a, s->pose_a);
    s->size = fmax(solid_reach(&s->surface_a), solid_reach(&s->surface_b));
}

static void free_sample(sample *s) {
    solid_free(&s->surface_a);
    solid_free(&s->surface_b);
    oracle_free(&s->oracle_a);
    oracle_free(&s->oracle_b);
}

static check_answer answer, wide, other, expected;

static void check_symmetries(tally *t, const check_pair *pair, const abut_pose motion) {
    check_pair moved = *pair;
    moved.a = pair->b;
    moved.b = pair->a;
    moved.pose_a = pair->pose_b;
    moved.pose_b = pair->pose_a;
    check_collide(t, &moved, NULL, &other);
    check_swap(&answer, &expected);
    check_same(t, "swap of A and B", &other, &expected, abut_pose_identity(), 1.0, true, 1e-9 * pair->size);
    moved = *pair;
    moved.pose_a = abut_pose_compose(motion, pair->pose_a);
    moved.pose_b = abut_pose_compose(motion, pair->pose_b);
    check_collide(t, &moved, NULL, &other);
    check_same(t, "rigid motion", &other, &answer, motion, 1.0, true, 1e-9 * pair->size);
}

static void check_scaled(tally *t, const sample *s, double factor) {
    solid a = solid_scaled(&s->surface_a, factor), b = solid_scaled(&s->surface_b, factor);
    abut_shape *shape_a = make_shape(s, &a, s->box_a, abut_scale(factor, s->half_a)),
               *shape_b = make_shape(s, &b, s->box_b, abut_scale(factor, s->half_b));
    check_pair pair = {.a = shape_a, .b = shape_b, .pose_a = s->pose_a, .pose_b = s->pose_b};
    pair.pose_a.position = abut_scale(factor, s->pose_a.position);
    pair.pose_b.position = abut_scale(factor, s->pose_b.position);
    check_collide(t, &pair, NULL, &other);
    check_same(t, factor < 1.0 ? "scale 1e-3" : "scale 1e3", &other, &answer, abut_pose_identity(), factor, !s->hull,
               1e-9 * s->size * factor);
    abut_shape_release(shape_a);
    abut_shape_release(shape_b);
    solid_free(&a);
    solid_free(&b);
}

static void check_mirrored(tally *t, const sample *s) {
    solid a = solid_mirrored(&s->surface_a), b = solid_mirrored(&s->surface_b);
    abut_shape *shape_a = make_shape(s, &a, s->box_a, s->half_a), *shape_b = make_shape(s, &b, s->box_b, s->half_b);
    check_pair pair = {.a = shape_a, .b = shape_b, .pose_a = check_mirror_pose(s->pose_a), .pose_b = check_mirror_pose(s->pose_b)};
    check_collide(t, &pair, NULL, &other);
    check_mirror(&answer, &expected);
    check_same(t, "mirror", &other, &expected, abut_pose_identity(), 1.0, false, 1e-9 * s->size);
    abut_shape_release(shape_a);
    abut_shape_release(shape_b);
    solid_free(&a);
    solid_free(&b);
}

static bool same_feature(abut_feature p, abut_feature q) { return p.kind == q.kind && p.index == q.index; }

/* A vertex of A on a face of B, and that face of A on that vertex of B, have the same name, because swapping A and B exchanges them. */
static bool has_twin(const check_answer *all, const abut_contact *c) {
    for (int32_t i = 0; i < all->count; i++) {
        const abut_contact *d = &all->contacts[i];
        if (d != c && same_feature(d->feature_a, c->feature_b) && same_feature(d->feature_b, c->feature_a)) {
            return true;
        }
    }
    return false;
}

/* The contacts of the wide margin that the narrow margin must keep. */
static void check_kept(tally *t, const check_pair *pair, const abut_contact *w) {
    for (int32_t i = 0; i < answer.count; i++) {
        const abut_contact *c = &answer.contacts[i];
        if (abut_distance_between(c->on_a, w->on_a) <= 1e-12 * pair->size && c->gap == w->gap) {
            if (c->id != w->id && !has_twin(&wide, w)) {
                tally_fail(t, "a margin changes the id of a contact that is within it anyway", "gap %.17g", w->gap);
            }
            return;
        }
    }
    tally_fail(t, "a margin changes the contacts that are within it anyway", "gap %.17g is lost or moved", w->gap);
}

/* A wide margin drops nothing, and a narrow one returns exactly those of its contacts with small gaps. */
static void check_margin(tally *t, const check_pair *pair) {
    abut_collide_settings settings = abut_collide_settings_default();
    settings.margin = 10.0 * pair->size;
    check_collide(t, pair, &settings, &wide);
    check_contacts(t, pair, &wide, settings.margin, true);
    if (wide.count == 0) {
        tally_fail(t, "no contact within a wide margin", "margin %g", settings.margin);
    }
    int32_t kept = 0;
    bool touching = false; /* within rounding of the narrow margin, on either side */
    for (int32_t i = 0; i < wide.count; i++) {
        const abut_contact *w = &wide.contacts[i];
        touching = touching || fabs(w->gap) <= 1e-11 * pair->size;
        kept += w->gap <= 0.0;
        if (answer.count > 0 && w->gap <= -1e-11 * pair->size) {
            check_kept(t, pair, w);
        }
    }
    if (answer.count > 0 && kept != answer.count && !touching) {
        tally_fail(t, "a margin changes the contacts that are within it anyway", "%d contacts, %d of %d with a wide margin",
                   (int)answer.count, (int)kept, (int)wide.count);
    }
    for (int32_t i = 1; i < answer.count; i++) {
        if (answer.contacts[i].patch != 0) {
            tally_fail(t, "two patches between convex shapes", "%d contacts", (int)answer.count);
        }
    }
}

static void check_apart(tally *t, const check_pair *pair, double distance) {
    abut_collide_settings settings = abut_collide_settings_default();
    settings.margin = 0.999 * distance;
    check_collide(t, pair, &settings, &other);
    if (other.count != 0) {
        tally_fail(t, "contacts between shapes farther apart than the margin", "%d, distance %.17g, deepest gap %.17g", (int)other.count,
                   distance, check_deepest(&other));
    }
    settings.margin = 1.001 * distance;
    check_collide(t, pair, &settings, &other);
    if (other.count == 0) {
        tally_fail(t, "no contact between shapes closer than the margin", "distance %.17g", distance);
    }
    check_contacts(t, pair, &other, settings.margin, false);
}

/* Checks one sample. Returns the ratio of the depth along the returned normal to the least depth; 0 if the two are apart or just touch. */
static double check_sample(tally *t, const sample *s, random_state *random) {
    abut_shape *a = make_shape(s, &s->surface_a, s->box_a, s->half_a), *b = make_shape(s, &s->surface_b, s->box_b, s->half_b);
    check_pair pair = {
        .a = a, .b = b, .pose_a = s->pose_a, .pose_b = s->pose_b, .oracle_a = &s->oracle_a, .oracle_b = &s->oracle_b, .size = s->size};
    double rounding = 1e-12 * s->size, least = -s->least.separation, ratio = 0.0;
    check_collide(t, &pair, NULL, &answer);
    check_contacts(t, &pair, &answer, 0.0, false);
    check_certificate(t, &pair, &answer, 0.0);
    if (answer.count == 0 && least > rounding) {
        tally_fail(t, "missed overlap", "least depth %.17g", least);
    }
    if (answer.count > 0 && least < -rounding) {
        tally_fail(t, "false contact", "separation %.17g, deepest gap %.17g", -least, check_deepest(&answer));
    }
    if (answer.count > 0 && least > rounding) {
        double depth = -oracle_gap_along(&s->oracle_a, &s->oracle_b, answer.contacts[0].normal);
        ratio = depth / least;
        if (!(depth >= least - rounding)) {
            tally_fail(t, "depth along the normal below the least depth", "depth %.17g, least %.17g", depth, least);
        }
    }
    check_margin(t, &pair);
    if (least < -1e-8 * s->size) {
        check_apart(t, &pair, oracle_signed_distance(&s->oracle_a, &s->oracle_b));
    }
    abut_pose motion = random_pose(random, 3.0);
    if (fabs(least) > rounding) {
        check_symmetries(t, &pair, motion);
        check_scaled(t, s, 1e-3);
        check_scaled(t, s, 1e3);
        check_mirrored(t, s);
    }
    abut_shape_release(a);
    abut_shape_release(b);
    return ratio;
}

/* Ratios of the depth along the normal to the least depth. */
typedef struct ratios {
    int32_t count;
    double value[4096];
} ratios;

static void add_ratio(ratios *r, double value) {
    if (value > 0.0 && r->count < 4096) {
        r->value[r->count++] = value;
    }
}

static int compare(const void *left, const void *right) {
    double p = *(const double *)left, q = *(const double *)right;
    return p < q ? -1 : p > q;
}

static double report(const char *name, ratios *r) {
    if (r->count == 0) {
        printf("%s: no overlap found\n", name);
        return INFINITY;
    }
    qsort(r->value, (size_t)r->count, sizeof r->value[0], compare);
    int32_t close = 0;
    while (close < r->count && r->value[close] <= 1.01) {
        close++;
    }
    printf("%s: %d overlaps; depth over least depth: median %.6f, 99th percentile %.6f, worst %.6f; within 1 %%: %.2f %%\n", name,
           (int)r->count, r->value[r->count / 2], r->value[(r->count * 99) / 100], r->value[r->count - 1], 100.0 * close / r->count);
    return r->value[r->count - 1];
}

/* Of every ten samples six overlap by up to `shallow`, two by more, one is apart and one just touches. */
static double choose_separation(random_state *random, int i, double shallow, double small) {
    switch (i % 10) {
    case 6:
    case 7:
        return -random_range(random, shallow, 0.4 * small);
    case 8:
        return random_log_range(random, 1e-9 * small, small);
    case 9:
        return 0.0;
    default:
        return -random_log_range(random, 1e-3 * shallow, shallow);
    }
}

static void box_pairs(void **state) {
    (void)state;
    random_state random = random_make(random_seed("box_pairs", 31));
    static tally t;
    static ratios shallow, deep;
    for (int i = 0; i < 2000; i++) {
        bool slender = i % 4 == 3;
        sample s = slender ? box_pair(&random, 0.03, 0.65) : box_pair(&random, 0.35, 0.65);
        double separation = choose_separation(&random, (i / 4) % 10, 0.05 * s.small, s.small);
        place_sample(&s, &random, separation);
        tally_sample(&t, "box pair %d: halves (%.17g, %.17g, %.17g) (%.17g, %.17g, %.17g), separation %.17g", i, s.half_a.x, s.half_a.y,
                     s.half_a.z, s.half_b.x, s.half_b.y, s.half_b.z, s.least.separation);
        add_ratio((i / 4) % 10 < 6 ? &shallow : &deep, check_sample(&t, &s, &random));
        free_sample(&s);
    }
    double worst = report("boxes overlapping up to 5 % of the smallest side", &shallow);
    report("boxes overlapping more, up to 40 %", &deep);
    tally_end(&t);
    assert_true(shallow.count > 1100);
    assert_true(worst <= 1.02);
}

static void hull_pairs(void **state) {
    (void)state;
    random_state random = random_make(random_seed("hull_pairs", 32));
    static tally t;
    static ratios shallow[3], deep;
    static const int32_t sizes[3] = {8, 32, 128}, counts[3] = {400, 400, 200};
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < counts[k]; i++) {
            sample s = hull_pair(&random, sizes[k], i % 2 && abut_has(ABUT_CAPABILITY_HULL));
            place_sample(&s, &random, choose_separation(&random, i / 2, 0.05, s.small));
            tally_sample(&t, "hull pair %d with %d vertices, separation %.17g", i, (int)sizes[k], s.least.separation);
            add_ratio((i / 2) % 10 < 6 ? &shallow[k] : &deep, check_sample(&t, &s, &random));
            free_sample(&s);
        }
    }
    double worst = report("hulls of 8 vertices, extents 0.7 to 1.3, overlapping up to 0.05", &shallow[0]);
    worst = fmax(worst, report("hulls of 32 vertices", &shallow[1]));
    worst = fmax(worst, report("hulls of 128 vertices", &shallow[2]));
    report("hulls overlapping more, up to 0.4", &deep);
    tally_end(&t);
    assert_true(shallow[0].count >= 200 && shallow[1].count >= 200 && shallow[2].count >= 100);
    assert_true(worst <= 1.1);
}

static void mixed_pairs(void **state) {
    (void)state;
    random_state random = random_make(random_seed("mixed_pairs", 33));
    static tally t;
    static ratios shallow, deep;
    for (int i = 0; i < 600; i++) {
        sample s = mixed_pair(&random);
        place_sample(&s, &random, choose_separation(&random, i, 0.05 * s.small, s.small));
        tally_sample(&t, "mixed pair %d with %d and %d vertices, separation %.17g, sizes %.3g and %.3g", i, (int)s.surface_a.vertex_count,
                     (int)s.surface_b.vertex_count, s.least.separation, solid_reach(&s.surface_a), solid_reach(&s.surface_b));
        add_ratio(i % 10 < 6 ? &shallow : &deep, check_sample(&t, &s, &random));
        free_sample(&s);
    }
    report("boxes, prisms, pyramids and hulls of any size, overlapping up to 5 % of the thinner one", &shallow);
    report("the same, overlapping more, up to 40 %", &deep);
    tally_end(&t);
}

/* One of the 24 turns of a cube, half of the time followed by an eighth of a turn about an axis. */
static abut_quat grid_rotation(random_state *random) {
    const double eighth = 0.78539816339744831;
    static const abut_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    abut_quat q = abut_quat_identity();
    for (int i = 0; i < 3; i++) {
        q = abut_quat_mul(abut_quat_about(axes[i], 2.0 * eighth * random_below(random, 4)), q);
    }
    return random_below(random, 2) ? q : abut_quat_mul(abut_quat_about(axes[random_below(random, 3)], eighth), q);
}

static solid grid_solid(random_state *random) {
    static const double sizes[4] = {0.25, 0.5, 0.75, 1.0};
    double p = sizes[random_below(random, 4)], q = sizes[random_below(random, 4)], r = sizes[random_below(random, 4)];
    switch (random_below(random, 4)) {
    case 0:
        return solid_prism(p, q, random_below(random, 2) ? 6 : 8);
    case 1:
        return solid_tetrahedron(abut_vec3_make(0, 0, 0), abut_vec3_make(p, 0, 0), abut_vec3_make(0, q, 0), abut_vec3_make(0, 0, r));
    default:
        return solid_box(abut_vec3_make(p, q, r));
    }
}

/* Sizes, positions and rotations on a grid: coplanar faces, parallel edges, vertices on edges, equal depths and exact touching in almost
 * every pair. The normal may be any of several, but the answer must be valid, and every overlap must be found. */
static void grid_pairs(void **state) {
    (void)state;
    random_state random = random_make(random_seed("grid_pairs", 34));
    static tally t;
    static ratios all;
    for (int i = 0; i < 3000; i++) {
        solid a = grid_solid(&random), b = grid_solid(&random);
        abut_pose pose_a = {{0, 0, 0}, grid_rotation(&random)}, pose_b = {{0, 0, 0}, grid_rotation(&random)};
        pose_a.position = abut_vec3_make(0.25 * random_below(&random, 5), 0.25 * random_below(&random, 5), 0.25 * random_below(&random, 7));
        oracle_body oracle_a = oracle_solid(&a, pose_a), oracle_b = oracle_solid(&b, pose_b);
        oracle_facets facets = oracle_minkowski(&oracle_a, &oracle_b);
        oracle_axis least = oracle_separation(&facets, abut_vec3_make(0, 0, 0));
        oracle_free_facets(&facets);
        check_pair pair = {.a = solid_shape(&a),
                           .b = solid_shape(&b),
                           .pose_a = pose_a,
                           .pose_b = pose_b,
                           .oracle_a = &oracle_a,
                           .oracle_b = &oracle_b,
                           .size = fmax(solid_reach(&a), solid_reach(&b))};
        tally_sample(&t, "grid pair %d: %d and %d vertices, at (%g, %g, %g), separation %.17g", i, (int)a.vertex_count, (int)b.vertex_count,
                     pose_a.position.x, pose_a.position.y, pose_a.position.z, least.separation);
        check_collide(&t, &pair, NULL, &answer);
        check_contacts(&t, &pair, &answer, 0.0, false);
        check_certificate(&t, &pair, &answer, 0.0);
        if (answer.count == 0 && least.separation < -1e-12) {
            tally_fail(&t, "missed overlap", "least depth %.17g", -least.separation);
        }
        if (answer.count > 0 && least.separation > 1e-12) {
            tally_fail(&t, "false contact", "separation %.17g", least.separation);
        }
        if (answer.count > 0 && least.separation < -1e-12) {
            double depth = -oracle_gap_along(&oracle_a, &oracle_b, answer.contacts[0].normal);
            add_ratio(&all, -depth / least.separation);
            if (!(depth >= -least.separation - 1e-12)) {
                tally_fail(&t, "depth along the normal below the least depth", "depth %.17g, least %.17g", depth, -least.separation);
            }
        }
        check_pair reverse = {.a = pair.b, .b = pair.a, .pose_a = pose_b, .pose_b = pose_a, .size = pair.size};
        check_collide(&t, &reverse, NULL, &other);
        if ((answer.count > 0) != (other.count > 0) && fabs(least.separation) > 1e-12) {
            tally_fail(&t, "swap of A and B: contact one way only", "%d and %d contacts", (int)answer.count, (int)other.count);
        }
        abut_shape_release(pair.a);
        abut_shape_release(pair.b);
        oracle_free(&oracle_a);
        oracle_free(&oracle_b);
        solid_free(&a);
        solid_free(&b);
    }
    report("boxes, prisms and tetrahedra on a grid", &all);
    assert_true(all.count > 1000);
    tally_end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_pairs),
        cmocka_unit_test(hull_pairs),
        cmocka_unit_test(mixed_pairs),
        cmocka_unit_test(grid_pairs),
    };
    return cmocka_run_group_tests_name("narrow/collide_random", tests, NULL, NULL);
}
