/*
 * Closed meshes that are not convex, of many kinds: boxes, plates and combs of cells, dents, stars, gears, rings, bowls, pegs in holes, with slivers, at many
 * scales and far from the origin. Near a touch, at places of a grid where they touch exactly, and deep in each other.
 */
#include <abut/mesh.h>
#include <abut/query.h>

#include "accuracy/closed_judge.h"
#include "accuracy/closed_shapes.h"

typedef struct kind_case {
    closed_pair pair;
    double unit;  /* of the sizes */
    bool tidy;    /* places on a grid */
    bool fitting; /* the shapes fit into each other at `start` */
    abut_vec3 start;
} kind_case;

/* ---- shapes ---- */

static closed_shape pick_shape(random_state *random, bool tidy, bool convex) {
    closed_shape shape = convex ? closed_shape_pick_convex(random, tidy) : closed_shape_pick(random, tidy);
    if (!tidy && random_below(random, 4) == 0) { /* plates and needles */
        closed_shape_scale(&shape, abut_vec3_make(1.0, random_log_range(random, 0.01, 1.0),
                                                  random_below(random, 2) ? 1.0 : random_log_range(random, 0.01, 1.0)));
    }
    if (random_below(random, 3) == 0) {
        closed_shape_cut(&shape, random, 1 + random_below(random, 12));
    }
    return shape;
}

static abut_quat pick_turn(random_state *random, bool tidy) {
    static const abut_quat quarter[6] = {{0, 0, 0, 1},         {1, 0, 0, 0},          {0, 0, 1, 0},
                                         {0.5, 0.5, 0.5, 0.5}, {-0.5, 0.5, 0.5, 0.5}, {0, 1, 0, 0}};
    return tidy ? quarter[random_below(random, 6)] : closed_pick_turn(random);
}

static void make_case(kind_case *of, random_state *random, bool convex) {
    static const double units[5] = {1.0, 1.0, 1e-3, 1e3, 0.03};
    closed_shape shape[2];
    of->tidy = random_below(random, 3) == 0;
    of->fitting = random_below(random, 4) == 0;
    of->unit = of->tidy ? ldexp(1.0, random_below(random, 3) * 10 - 10) : units[random_below(random, 5)];
    of->start = abut_vec3_make(0, 0, 0);
    abut_quat turn = pick_turn(random, of->tidy);
    if (of->fitting) {
        closed_shape_pick_fitting(random, of->tidy, shape, &of->start);
        if (random_below(random, 2) == 0) {
            closed_shape_cut(&shape[0], random, 1 + random_below(random, 12));
        }
    } else {
        shape[0] = pick_shape(random, of->tidy, false);
        shape[1] = pick_shape(random, of->tidy, convex);
        double other = random_below(random, 4) != 0 ? 1.0 : of->tidy ? 0.5 : random_log_range(random, 0.1, 3.0);
        closed_shape_scale(&shape[1], abut_vec3_make(other, other, other));
    }
    of->pair = (closed_pair){.scale = 0.0};
    for (int i = 0; i < 2; i++) {
        closed_shape_scale(&shape[i], abut_vec3_make(of->unit, of->unit, of->unit));
        of->pair.mesh[i] = closed_shape_mesh(&shape[i]);
        of->pair.body[i] = judged_body_of(of->pair.mesh[i]);
        of->pair.pose[i] = (abut_pose){{0, 0, 0}, i == 0 || of->fitting ? turn : pick_turn(random, of->tidy)};
        of->pair.scale += fmax(closed_span_of(of->pair.mesh[i]), of->pair.body[i].size);
    }
    of->start = abut_quat_rotate(turn, abut_scale(of->unit, of->start));
    closed_place_b(&of->pair, of->start);
    judged_body_place(&of->pair.body[0], of->pair.pose[0]);
}

static bool is_closed(const kind_case *of) {
    bool closed = true;
    for (int i = 0; i < 2; i++) {
        abut_mass mass;
        closed = closed && abut_shape_mass(of->pair.mesh[i], 1.0, &mass) == ABUT_OK && judged_is_simple(&of->pair.body[i]);
    }
    return closed;
}

/* ---- questions ---- */

static void check_exchanged(accuracy *row, const closed_pair *pair, double gap, const abut_contact *c, int32_t count,
                            const abut_contact *back, int32_t back_count) {
    double rounding = 1e-14 * pair->scale;
    if (count < 0 || back_count < 0) {
        return;
    }
    double least = count > 0 ? closed_deepest_of(c, count)->gap : INFINITY,
           other = back_count > 0 ? closed_deepest_of(back, back_count)->gap : INFINITY;
    if (fabs(gap) > rounding && !(least == other || fabs(least - other) <= 1e-9 * fabs(least) + rounding)) {
        accuracy_wrong(row, "gap %.17g, exchanged %.17g, exact %.6g", least, other, gap);
    } else if (fabs(gap) > 10.0 * rounding && count != back_count) {
        accuracy_wrong(row, "%d contacts, exchanged %d, exact %.6g", (int)count, (int)back_count, gap);
    }
}

/* No contact is deeper than the whole bodies are along its normal. */
static void check_depths(accuracy *row, const closed_pair *pair, bool swapped, const abut_contact *c, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        abut_vec3 onwards = swapped ? c[i].normal : abut_neg(c[i].normal);
        double most = (double)judged_depth_along(&pair->body[0], &pair->body[1], onwards);
        if (c[i].gap < 0.0 && -c[i].gap > most * (1.0 + 1e-9) + 1e-14 * pair->scale) {
            accuracy_wrong(row, "depth %.17g, along the normal %.17g, swapped %d", -c[i].gap, most, swapped);
        }
    }
}

static void check_separation(accuracy *row, const closed_pair *pair, bool overlap, double gap) {
    const abut_pair asked = {pair->mesh[0], pair->pose[0], pair->mesh[1], pair->pose[1]};
    double rounding = 1e-14 * pair->scale;
    abut_separation s;
    bool touch;
    abut_status status = abut_distance(&asked, NULL, NULL, &s), other = abut_overlap(&asked, NULL, &touch);
    if (status != ABUT_OK || other != ABUT_OK) {
        accuracy_wrong(row, "status of the distance %d, of overlap %d", (int)status, (int)other);
        return;
    }
    if (touch != (s.gap <= 0.0)) {
        accuracy_wrong(row, "overlap %d, distance %.17g", touch, s.gap);
    }
    if (fabs(gap) > rounding && touch != overlap) {
        accuracy_wrong(row, "overlap %d, exact %d, gap %.6g", touch, overlap, gap);
    }
    abut_separation back;
    const abut_pair exchanged = {pair->mesh[1], pair->pose[1], pair->mesh[0], pair->pose[0]};
    status = abut_distance(&exchanged, NULL, NULL, &back);
    if (status != ABUT_OK || (fabs(gap) > rounding && fabs(back.gap - s.gap) > 1e-9 * fabs(s.gap) + rounding)) {
        accuracy_wrong(row, "distance %.17g, exchanged %.17g", s.gap, back.gap);
    }
    if (!overlap) {
        accuracy_error(row, fabs(s.gap - gap) / (fabs(gap) + 1e-6 * pair->scale), "distance %.17g, exact %.17g", s.gap, gap);
    }
}

static void ask(accuracy *row, closed_pair *pair, bool overlap, double gap, bool back, bool linear, double margin) {
    static abut_contact c[2][CLOSED_ROOM];
    int32_t count[2];
    for (int swapped = 0; swapped < 2; swapped++) {
        count[swapped] = closed_judge(row, pair, &(closed_known){overlap, gap, back, linear, margin, swapped == 1}, c[swapped]);
        check_depths(row, pair, swapped == 1, c[swapped], count[swapped]);
    }
    check_exchanged(row, pair, gap, c[0], count[0], c[1], count[1]);
    check_separation(row, pair, overlap, gap);
}

static double pick_margin(random_state *random, const kind_case *of, double gap) {
    double margin = random_below(random, 2) == 0 ? 0.01 * of->unit : 1.5 * fabs(gap) + 1e-9 * of->unit;
    return random_below(random, 3) == 0 ? 0.0 : margin;
}

/* ---- near a touch ---- */

typedef struct approach {
    abut_vec3 start; /* of B, apart */
    quad distance;   /* there */
    qvec normal;
    abut_vec3 n; /* rounded */
    bool linear;
} approach;

static bool find_approach(kind_case *of, random_state *random, approach *to) {
    closed_pair *pair = &of->pair;
    const double near = 1e-3 * of->unit;
    bool inside = of->fitting && random_below(random, 4) != 0;
    abut_vec3 way = random_direction(random), aim = abut_scale(of->unit, random_vec3(random, -0.3, 0.3));
    if (random_below(random, 3) == 0) {
        way = abut_quat_rotate(pair->pose[0].rotation, abut_vec3_make(0, 0, random_below(random, 2) ? 1 : -1));
    }
    aim = random_below(random, 3) == 0 || inside ? of->start : aim;
    judged_gap from;
    closed_place_b(pair, aim);
    bool starts_inside = inside || (random_below(random, 3) == 0 && !judged_overlap(&pair->body[0], &pair->body[1]));
    if ((starts_inside && judged_overlap(&pair->body[0], &pair->body[1])) ||
        !closed_bring_near(pair, way, aim, starts_inside ? 0.0 : 3.0 * pair->scale, near, &from) || (double)from.distance < 1e-9 * near) {
        return false;
    }
    to->start = pair->pose[1].position;
    to->distance = from.distance;
    to->normal = qvec_scale(1 / from.distance, qvec_sub(from.on_a, from.on_b));
    to->n = qvec_round(to->normal);
    closed_place_b(pair, abut_add_scaled(to->start, (1.0 - 1e-5) * (double)from.distance, to->n));
    judged_gap check = judged_closest(&pair->body[0], &pair->body[1]);
    quad shift = qvec_dot(to->normal, qvec_sub(qvec_of(pair->pose[1].position), qvec_of(to->start)));
    double off = (double)(check.distance - (from.distance - shift)), step = 1e-6 * of->unit;
    to->linear = check.distance > 0 && !(of->tidy && of->fitting) && /* walls can be flush */ fabs(off) <= 1e-14 * step &&
                 step < 0.1 * (double)from.distance && closed_is_facet(pair, to->start, to->n, from.distance, to->normal, step);
    return true;
}

/* Whether the bodies overlap by more than a length, if they are tidy: such a body can just fit between two walls, and then it only touches them. */
static bool overlaps(kind_case *of, double inwards) {
    judged_body *a = &of->pair.body[0], *b = &of->pair.body[1];
    return judged_overlap(a, b) && (!of->tidy || judged_overlap_clearly(a, b, inwards));
}

static void ask_near(accuracy *row, kind_case *of, random_state *random, const approach *to) {
    closed_pair *pair = &of->pair;
    double gap = closed_pick_gap(random), scale = pair->scale;
    gap = of->unit * (random_below(random, 2) == 0 ? 0.1 : 1.0) * gap;
    abut_vec3 by = {0, 0, 0}, at = abut_add_scaled(to->start, (double)to->distance - gap, to->n);
    if (random_below(random, 5) == 0) {
        by = abut_scale(scale * random_log_range(random, 1.0, 1e3), random_direction(random));
        pair->scale += abut_length(by);
    }
    pair->pose[0].position = by;
    judged_body_place(&pair->body[0], pair->pose[0]);
    closed_place_b(pair, abut_add(at, by));
    bool overlap = overlaps(of, 0.3 * fabs(gap));
    qvec moved = qvec_sub(qvec_sub(qvec_of(pair->pose[1].position), qvec_of(by)), qvec_of(to->start));
    quad exact = to->distance - qvec_dot(to->normal, moved);
    exact = overlap ? exact : judged_closest(&pair->body[0], &pair->body[1]).distance;
    ask(row, pair, overlap, (double)exact, overlap, to->linear && fabs(gap) <= 1e-4 * of->unit, pick_margin(random, of, gap));
    pair->pose[0].position = abut_vec3_make(0, 0, 0);
    judged_body_place(&pair->body[0], pair->pose[0]);
    pair->scale = scale;
}

/* ---- on a grid, and anywhere ---- */

static void ask_anywhere(accuracy *row, kind_case *of, random_state *random) {
    closed_pair *pair = &of->pair;
    abut_vec3 at;
    if (of->tidy) {
        at = abut_vec3_make(random_below(random, 17) - 8, random_below(random, 17) - 8, random_below(random, 17) - 8);
        at = abut_add(of->start, abut_scale(0.0625 * of->unit * (random_below(random, 2) ? 2.0 : 1.0), at));
    } else {
        at = abut_add_scaled(of->start, of->unit * random_log_range(random, 1e-3, 1.0), random_direction(random));
    }
    closed_place_b(pair, at);
    bool overlap = overlaps(of, 1e-4 * of->unit);
    double gap = overlap ? -1e-3 * of->unit : (double)judged_closest(&pair->body[0], &pair->body[1]).distance;
    ask(row, pair, overlap, gap, false, false, pick_margin(random, of, overlap ? 0.01 : gap));
}

/* ---- rows ---- */

static const uint64_t held[] = {1000010, 1000130, 1000220, 2000091,         2000144,         2000195,      2000664,     2000778,
                                2001013, 2001424, 2001658, 2001787,         2001860,         2001891,      2002166,     2002302,
                                2002562, 6000057, 7100337, 212231195203069, 212231195203416, 300000001019, 300000015449};

static void sample(accuracy *row, uint64_t seed) {
    enum { ROUNDS = 2, NEAR = 5, ANYWHERE = 3 };
    random_state random = random_make(seed);
    kind_case of;
    random_state other = random_make(~seed);
    make_case(&of, &random, random_below(&other, 5) == 0);
    approach to = {.linear = false};
    bool closed = is_closed(&of), found = closed && find_approach(&of, &random, &to);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < NEAR && found; i++) {
            accuracy_next(row, seed);
            ask_near(row, &of, &random, &to);
        }
        for (int i = 0; i < ANYWHERE && closed; i++) {
            accuracy_next(row, seed);
            ask_anywhere(row, &of, &random);
        }
    }
    closed_pair_release(&of.pair);
}

static void kinds(void **state) {
    (void)state;
    accuracy *row = accuracy_begin("closed meshes of many kinds that are not convex: gap, overlap, depth near a touch",
                                   "all pairs of features; 113 bits", "|gap - exact| / (|exact| + 1e-6 sizes)", 1e-8);
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        sample(row, held[i]);
    }
    int32_t n = accuracy_samples(8500);
    for (int32_t i = 0; i < n; i++) {
        sample(row, UINT64_C(0xc105ed000000) + (uint64_t)i);
    }
    accuracy_end(row);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(kinds)};
    return cmocka_run_group_tests_name("accuracy/closed_kinds", tests, NULL, NULL);
}
