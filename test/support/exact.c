/* Samples of ABUT_NORMAL_MINIMUM and the checks of each. See exact.h. World frame; normals from B into A. */
#include "support/exact.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>

exact_body exact_box(abut_vec3 half) { return (exact_body){.surface = solid_box(half), .maker = EXACT_BOX, .half = half}; }

exact_body exact_polytope(solid surface) { return (exact_body){.surface = surface, .maker = EXACT_POLYTOPE}; }

exact_body exact_hull(solid surface) {
    return (exact_body){.surface = surface, .maker = abut_has(ABUT_CAPABILITY_HULL) ? EXACT_HULL : EXACT_POLYTOPE};
}

abut_shape *exact_shape(const exact_body *body) {
    abut_shape *shape = NULL;
    if (body->maker == EXACT_BOX) {
        assert_ok(abut_shape_create_box(body->half, &shape));
    } else if (body->maker == EXACT_HULL) {
        assert_ok(abut_shape_create_hull(body->surface.vertices, body->surface.vertex_count, &shape));
    } else {
        shape = solid_shape(&body->surface);
    }
    return shape;
}

static double ball_inside(const solid *s) {
    oracle_body body = oracle_solid(s, abut_pose_identity());
    double radius = -oracle_outside(&body, solid_centroid(s));
    oracle_free(&body);
    return radius;
}

exact_pair exact_open(exact_body a, abut_quat rotation_a, exact_body b, abut_pose pose_b) {
    exact_pair pair = {.a = a, .b = b, .shape_a = exact_shape(&a), .shape_b = exact_shape(&b), .pose_b = pose_b};
    abut_vec3 centre_a = abut_quat_rotate(rotation_a, solid_centroid(&a.surface));
    pair.reference = abut_sub(abut_pose_apply(pose_b, solid_centroid(&b.surface)), centre_a);
    pair.pose_a = (abut_pose){pair.reference, rotation_a};
    pair.oracle_a = oracle_solid(&a.surface, pair.pose_a);
    pair.oracle_b = oracle_solid(&b.surface, pose_b);
    pair.facets = oracle_minkowski_swept(&pair.oracle_a, &pair.oracle_b);
    pair.size = fmax(solid_reach(&a.surface), solid_reach(&b.surface));
    pair.small = 2.0 * fmin(ball_inside(&a.surface), ball_inside(&b.surface));
    exact_put(&pair, pair.reference);
    pair.concentric = -pair.least.separation;
    return pair;
}

exact_pair exact_open_at_random(exact_body a, exact_body b, random_state *random) {
    abut_quat rotation_a = random_rotation(random);
    return exact_open(a, rotation_a, b, random_pose(random, 1.0));
}

void exact_close(exact_pair *pair) {
    solid_free(&pair->a.surface);
    solid_free(&pair->b.surface);
    abut_shape_release(pair->shape_a);
    abut_shape_release(pair->shape_b);
    oracle_free(&pair->oracle_a);
    oracle_free(&pair->oracle_b);
    oracle_free_facets(&pair->facets);
}

void exact_put(exact_pair *pair, abut_vec3 position) {
    abut_vec3 shift = abut_sub(position, pair->reference);
    pair->pose_a.position = position;
    oracle_free(&pair->oracle_a);
    pair->oracle_a = oracle_solid(&pair->a.surface, pair->pose_a);
    pair->least = oracle_separation(&pair->facets, shift);
    double clear = 1e-8 * fabs(pair->least.separation) + 1e-11 * pair->size;
    pair->tied = oracle_runner_up(&pair->facets, shift, pair->least) >= pair->least.separation - clear;
}

abut_vec3 exact_position(const exact_pair *pair, abut_vec3 direction, double separation) {
    double way = oracle_place(&pair->facets, direction, fmax(separation, -0.95 * pair->concentric));
    return abut_add_scaled(pair->reference, way, direction);
}

abut_vec3 exact_random_position(const exact_pair *pair, random_state *random, int32_t kind) {
    static const double offsets[5] = {0.0, 1e-16, 1e-12, 1e-6, 1e-2};
    abut_vec3 direction = random_direction(random);
    double small = pair->small;
    switch (kind) {
    case 4:
        return exact_position(pair, direction, -random_range(random, 0.05, 0.5) * small);
    case 5:
        return exact_position(pair, direction, -random_range(random, 0.5, 1.0) * pair->concentric);
    case 6:
        return abut_add_scaled(pair->reference, small * offsets[random_below(random, 5)], direction);
    case 7:
        return exact_position(pair, direction, random_below(random, 2) ? 0.0 : -random_log_range(random, 1e-13, 1e-6) * small);
    case 8:
        return exact_position(pair, direction, random_log_range(random, 1e-12, 1e-6) * small);
    case 9:
        return exact_position(pair, direction, random_log_range(random, 1e-6, 1.0) * small);
    default:
        return exact_position(pair, direction, -random_log_range(random, 1e-6, 0.05) * small);
    }
}

abut_vec3 exact_binary(abut_vec3 position) {
    return abut_vec3_make(0x1p-30 * rint(position.x * 0x1p30), 0x1p-30 * rint(position.y * 0x1p30), 0x1p-30 * rint(position.z * 0x1p30));
}

double exact_tolerance(double depth, double size) { return fmax(1e-9 * fabs(depth), 1e-13 * size); }

static check_pair pair_of(const exact_pair *pair) {
    return (check_pair){.a = pair->shape_a,
                        .b = pair->shape_b,
                        .pose_a = pair->pose_a,
                        .pose_b = pair->pose_b,
                        .oracle_a = &pair->oracle_a,
                        .oracle_b = &pair->oracle_b,
                        .size = pair->size,
                        .weld = pair->delicate ? 1e-6 * pair->size : 0.0};
}

static abut_collide_settings settings_of(abut_normal_policy policy, double margin) {
    abut_collide_settings settings = abut_collide_settings_default();
    settings.normal = policy;
    settings.margin = margin;
    return settings;
}

static check_answer answer, wide, other, expected;

#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
static void
fail_of(tally *t, const char *policy, const char *what, const char *format, ...) {
    char kind[80], detail[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(detail, sizeof detail, format, arguments);
    va_end(arguments);
    snprintf(kind, sizeof kind, "%s: %s", policy, what);
    tally_fail(t, kind, "%s", detail);
}

/* Checks that there are contacts if the bodies overlap, and none if they are apart. */
static void check_decision(tally *t, const exact_pair *pair, const char *policy) {
    double separation = pair->least.separation, rounding = 1e-13 * pair->size;
    if (answer.count == 0 && separation < -rounding) {
        fail_of(t, policy, "missed overlap", "least depth %.17g", -separation);
    }
    if (answer.count > 0 && separation > rounding) {
        fail_of(t, policy, "contact of bodies apart", "separation %.17g, deepest gap %.17g", separation, check_deepest(&answer));
    }
}

/* An error of the normal within the tolerance of depths changes the corners' gaps by several times as much. */
static bool shows(double gap, double separation, double size) { return fabs(gap - separation) <= 4.0 * exact_tolerance(separation, size); }

/* Checks the depth along the normal, and that the deepest contact has this depth: -gap = h_A(-n) + h_B(n). Returns the depth. */
static double check_depth(tally *t, const exact_pair *pair, const char *policy) {
    double least = -pair->least.separation, depth = -oracle_gap_along(&pair->oracle_a, &pair->oracle_b, answer.contacts[0].normal);
    if (!shows(check_deepest(&answer), -depth, pair->size)) {
        fail_of(t, policy, "the deepest gap is not the separation along the normal",
                "deepest %.17g, depth along the normal %.17g, flags %u", check_deepest(&answer), depth, (unsigned)answer.contacts[0].flags);
    }
    if (!(depth >= least - exact_tolerance(depth, pair->size))) {
        fail_of(t, policy, "a depth below the least one", "depth %.17g, least %.17g", depth, least);
    }
    return depth;
}

static void check_growth_policy(tally *t, const exact_pair *pair) {
    check_pair p = pair_of(pair);
    abut_collide_settings settings = settings_of(ABUT_NORMAL_GROWTH, 0.0);
    check_collide(t, &p, &settings, &answer);
    check_contacts(t, &p, &answer, 0.0, false);
    check_decision(t, pair, "growth");
    if (answer.count > 0) {
        check_depth(t, pair, "growth");
    }
}

static void check_minimum_policy(exact_record *record, const exact_pair *pair) {
    tally *t = &record->failures;
    check_pair p = pair_of(pair);
    abut_collide_settings settings = settings_of(ABUT_NORMAL_MINIMUM, 0.0);
    check_collide(t, &p, &settings, &answer);
    check_contacts(t, &p, &answer, 0.0, false);
    check_decision(t, pair, "minimum");
    double least = -pair->least.separation, tolerance = exact_tolerance(least, pair->size);
    if (answer.count == 0 || least < tolerance) {
        return;
    }
    record->overlaps++;
    double depth = check_depth(t, pair, "minimum");
    record->worst = fmax(record->worst, depth / least);
    if (depth <= least + tolerance) {
        record->exact++;
    } else {
        tally_fail(t, "minimum: not the least depth", "depth %.17g, least %.17g, ratio 1 + %.3g", depth, least, depth / least - 1.0);
    }
}

/* The contact of the answer with the deepest gap. */
static const abut_contact *deepest_of(const check_answer *all) {
    const abut_contact *deepest = &all->contacts[0];
    for (int32_t i = 1; i < all->count; i++) {
        deepest = all->contacts[i].gap < deepest->gap ? &all->contacts[i] : deepest;
    }
    return deepest;
}

/* For bodies apart, the separation along the normal is a lower bound of the distance, and the distance of the two points is an upper bound. For small bodies
 * the oracle also knows the distance. */
static void check_apart(exact_record *record, const exact_pair *pair, const check_pair *p) {
    tally *t = &record->failures;
    const abut_contact *deepest = deepest_of(&wide);
    double gap = deepest->gap, tolerance = exact_tolerance(gap, pair->size);
    if (!(gap >= pair->least.separation - 4.0 * tolerance)) {
        tally_fail(t, "apart: gap below what a facet separates", "gap %.17g, a facet separates %.17g", gap, pair->least.separation);
    }
    if (pair->oracle_a.edge_count * pair->oracle_b.edge_count < 200000) {
        /* The relative error of a direction is that of the points' difference. With this error, another vertex has a smaller gap. */
        double distance = oracle_signed_distance(&pair->oracle_a, &pair->oracle_b), doubt = 1e-15 * pair->size * pair->size / distance;
        if (!shows(gap, distance, pair->size) && !(gap <= distance && gap >= distance - doubt)) {
            tally_fail(t, "apart: not the distance", "gap %.17g, distance %.17g", gap, distance);
        }
    } else if (!(abut_distance_between(deepest->on_a, deepest->on_b) <= gap + 1e-9 * pair->size)) {
        tally_fail(t, "apart: the points do not show the distance", "gap %.17g, points %.17g apart", gap,
                   abut_distance_between(deepest->on_a, deepest->on_b));
    }
    record->apart++;
    double step = fmax(1e-3 * gap, 1e-12 * pair->size);
    abut_collide_settings settings = settings_of(ABUT_NORMAL_MINIMUM, fmax(0.0, gap - step));
    check_collide(t, p, &settings, &other);
    if (other.count != 0 && gap > step) {
        tally_fail(t, "apart: contacts between bodies farther apart than the margin", "%d, distance %.17g", (int)other.count, gap);
    }
    settings.margin = fmax(0.0, gap + step);
    check_collide(t, p, &settings, &other);
    check_contacts(t, p, &other, settings.margin, false);
    if (other.count == 0 || !shows(check_deepest(&other), gap, pair->size)) {
        tally_fail(t, "apart: the gap depends on the margin", "%d contacts, gap %.17g, with a wide margin %.17g", (int)other.count,
                   check_deepest(&other), gap);
    }
}

/* With a wide margin no corner is left out: the shares add up to the whole patch, and the normal is that of margin 0. */
static void check_wide(exact_record *record, const exact_pair *pair) {
    tally *t = &record->failures;
    check_pair p = pair_of(pair);
    abut_collide_settings settings = settings_of(ABUT_NORMAL_MINIMUM, 10.0 * pair->size);
    check_collide(t, &p, &settings, &wide);
    check_contacts(t, &p, &wide, settings.margin, true);
    if (wide.count == 0) {
        tally_fail(t, "no contact within a wide margin", "margin %g", settings.margin);
        return;
    }
    double along = oracle_gap_along(&pair->oracle_a, &pair->oracle_b, wide.contacts[0].normal);
    if (!shows(check_deepest(&wide), along, pair->size)) {
        tally_fail(t, "wide margin: the deepest gap is not the separation along the normal", "deepest %.17g, along the normal %.17g",
                   check_deepest(&wide), along);
    }
    if (pair->least.separation > 1e-12 * pair->size) {
        check_apart(record, pair, &p);
    } else if (answer.count > 0 && pair->least.separation < -1e-12 * pair->size &&
               !shows(check_deepest(&wide), check_deepest(&answer), pair->size)) {
        tally_fail(t, "the depth depends on the margin", "deepest %.17g, with a wide margin %.17g", check_deepest(&answer),
                   check_deepest(&wide));
    }
}

void exact_check(exact_record *record, const exact_pair *pair) {
    record->samples++;
    check_growth_policy(&record->failures, pair);
    check_minimum_policy(record, pair);
    check_wide(record, pair);
}

/* The contacts must be the expected ones. If several normals are equally good, or if rounding chooses the features, only the depth must agree. */
static void compare(exact_record *record, const exact_pair *pair, const char *what, const check_answer *wanted, abut_pose motion,
                    double scale, bool by_id) {
    tally *t = &record->failures;
    if (pair->tied || pair->delicate) {
        double found = check_deepest(&other), deepest = scale * check_deepest(wanted);
        bool alike = other.count > 0 && wanted->count > 0 && fabs(found - deepest) <= scale * exact_tolerance(deepest / scale, pair->size);
        if (!alike && (other.count > 0 || wanted->count > 0)) {
            tally_fail(t, what, "deepest %.17g, expected %.17g", found, deepest);
        }
        return;
    }
    check_same(t, what, &other, wanted, motion, scale, by_id, 1e-9 * pair->size * scale);
}

static solid scaled(const solid *s, double factor, bool mirrored) { return mirrored ? solid_mirrored(s) : solid_scaled(s, factor); }

/* The pair made of scaled bodies, or of bodies mirrored in the plane x = 0. */
static void check_remade(exact_record *record, const exact_pair *pair, const char *what, double factor, bool mirrored) {
    exact_body a = {scaled(&pair->a.surface, factor, mirrored), pair->a.maker, abut_scale(factor, pair->a.half)};
    exact_body b = {scaled(&pair->b.surface, factor, mirrored), pair->b.maker, abut_scale(factor, pair->b.half)};
    abut_shape *shape_a = exact_shape(&a), *shape_b = exact_shape(&b);
    check_pair p = {.a = shape_a, .b = shape_b, .pose_a = pair->pose_a, .pose_b = pair->pose_b};
    p.pose_a.position = abut_scale(factor, p.pose_a.position);
    p.pose_b.position = abut_scale(factor, p.pose_b.position);
    if (mirrored) {
        p.pose_a = check_mirror_pose(p.pose_a);
        p.pose_b = check_mirror_pose(p.pose_b);
        check_mirror(&answer, &expected);
    }
    abut_collide_settings settings = settings_of(ABUT_NORMAL_MINIMUM, 0.0);
    check_collide(&record->failures, &p, &settings, &other);
    bool by_id = !mirrored && pair->a.maker != EXACT_HULL && pair->b.maker != EXACT_HULL;
    compare(record, pair, what, mirrored ? &expected : &answer, abut_pose_identity(), factor, by_id);
    abut_shape_release(shape_a);
    abut_shape_release(shape_b);
    solid_free(&a.surface);
    solid_free(&b.surface);
}

void exact_symmetries(exact_record *record, const exact_pair *pair, random_state *random) {
    abut_pose motion = random_pose(random, 3.0 * pair->size);
    if (fabs(pair->least.separation) <= 1e-11 * pair->size) {
        return; /* rounding decides */
    }
    tally *t = &record->failures;
    abut_collide_settings settings = settings_of(ABUT_NORMAL_MINIMUM, 0.0);
    check_pair p = pair_of(pair), moved = p;
    check_collide(t, &p, &settings, &answer);
    moved.a = p.b;
    moved.b = p.a;
    moved.pose_a = p.pose_b;
    moved.pose_b = p.pose_a;
    check_collide(t, &moved, &settings, &other);
    check_swap(&answer, &expected);
    compare(record, pair, "swap of A and B", &expected, abut_pose_identity(), 1.0, true);
    moved = p;
    moved.pose_a = abut_pose_compose(motion, p.pose_a);
    moved.pose_b = abut_pose_compose(motion, p.pose_b);
    check_collide(t, &moved, &settings, &other);
    compare(record, pair, "rigid motion", &answer, motion, 1.0, true);
    check_remade(record, pair, "scale 1e-3", 1e-3, false);
    check_remade(record, pair, "scale 1e3", 1e3, false);
    check_remade(record, pair, "mirror", 1.0, true);
}

void exact_far_away(exact_record *record, const exact_pair *pair) {
    const abut_vec3 far = {0x1p20, -0x1p20, 0x1p19};
    tally *t = &record->failures;
    abut_collide_settings settings = settings_of(ABUT_NORMAL_MINIMUM, 0.0);
    check_pair near = pair_of(pair), away = near;
    away.origin = far;
    away.pose_a.position = abut_add(near.pose_a.position, far);
    away.pose_b.position = abut_add(near.pose_b.position, far);
    check_collide(t, &near, &settings, &answer);
    check_collide(t, &away, &settings, &other);
    check_contacts(t, &away, &other, 0.0, false);
    abut_pose motion = {far, abut_quat_identity()};
    check_same(t, "far from the origin", &other, &answer, motion, 1.0, true, 1e-9 * pair->size + 8.0 * DBL_EPSILON * abut_length(far));
    if (answer.count > 0 && other.count > 0 && !(fabs(check_deepest(&other) - check_deepest(&answer)) <= 1e-15 * pair->size)) {
        tally_fail(t, "far from the origin: depth", "%.17g, near %.17g", check_deepest(&other), check_deepest(&answer));
    }
}

void exact_end(const char *name, const exact_record *record) {
    printf("%s: %d samples, %d overlaps, of these %d with the least depth, worst ratio %.9g; %d apart\n", name, (int)record->samples,
           (int)record->overlaps, (int)record->exact, record->worst, (int)record->apart);
    tally_end(&record->failures);
}
