/* Distance, least depth and growth distance of smooth bodies with aspects up to 1e8. Distances certify themselves with 256 bits: by the gap along the normal,
 * and by points of both bodies. Depths are compared with the least of many directions, sampled where the bodies' normals crowd, and improved. Growth distances
 * of ellipsoids are compared with the contact function of Perram and Wertheim. World frame. */
#include <math.h>

#include "accuracy/accuracy.h"
#include "accuracy/big_body.h"

typedef struct sample {
    big_body body[2];
    abut_shape *shape[2];
    abut_pose pose[2];
    abut_mat3 rotation[2];
    abut_vec3 apart; /* the position of A, as seen from that of B */
} sample;

/* ---- the depth along a direction, in double precision ---- */

static double norm_of(double x, double y, double p) {
    double most = fmax(x, y);
    return most > 0.0 ? most * pow(pow(x / most, p) + pow(y / most, p), 1.0 / p) : 0.0;
}

static double support_of(const big_body *body, abut_vec3 n) {
    double x = fabs(body->half.x * n.x), y = fabs(body->half.y * n.y), z = fabs(body->half.z * n.z), most = -INFINITY;
    switch (body->kind) {
    case BIG_BALL:
        return body->radius;
    case BIG_CAPSULE:
        return body->radius + fabs(body->half_length * n.z);
    case BIG_BOX:
        return x + y + z;
    case BIG_ELLIPSOID:
        return sqrt(x * x + y * y + z * z);
    case BIG_SUPERQUADRIC:
        return norm_of(norm_of(x, y, 2.0 / (2.0 - body->e2)), z, 2.0 / (2.0 - body->e1));
    default:
        break;
    }
    for (int32_t i = 0; i < body->point_count; ++i) {
        most = fmax(most, abut_dot(n, body->point[i]));
    }
    return most;
}

/* direction: from A to B. */
static double depth_along(const sample *s, abut_vec3 direction) {
    return support_of(&s->body[0], abut_mat3_apply_transposed(s->rotation[0], direction)) +
           support_of(&s->body[1], abut_mat3_apply_transposed(s->rotation[1], abut_neg(direction))) + abut_dot(direction, s->apart);
}

/* ---- the least depth, by sampling ---- */

/* A direction of a body's frame, drawn towards the normals of its broad sides, and turned into the world. */
static abut_vec3 stretched(const sample *s, int i, double power, abut_vec3 x) {
    const big_body *body = &s->body[i];
    abut_vec3 h = body->kind == BIG_CAPSULE ? abut_vec3_make(body->radius, body->radius, body->radius + body->half_length) : body->half;
    double least = fmin(h.x, fmin(h.y, h.z));
    if (body->kind != BIG_BALL && body->kind != BIG_POINTS) {
        x = abut_vec3_make(x.x * pow(least / h.x, power), x.y * pow(least / h.y, power), x.z * pow(least / h.z, power));
    }
    return abut_mat3_apply(s->rotation[i], x);
}

static abut_vec3 bell(random_state *random) {
    abut_vec3 sum = {0, 0, 0};
    for (int i = 0; i < 4; ++i) {
        sum = abut_add(sum, random_vec3(random, -0.8, 0.8));
    }
    return sum;
}

/* Random steps of several shapes and lengths, as long as they help. */
static double improve(const sample *s, random_state *random, abut_vec3 *direction, double depth, int steps) {
    double length[6] = {0.1, 0.1, 0.1, 0.1, 0.1, 1e-4};
    for (int i = 0; i < steps; ++i) {
        int form = random_below(random, 6);
        abut_vec3 step = form < 4 ? stretched(s, form / 2, 1.0 + form % 2, bell(random)) : bell(random);
        abut_vec3 next = abut_unit(abut_add_scaled(*direction, length[form] / fmax(abut_length(step), 1e-300), step));
        double there = depth_along(s, next);
        length[form] *= there < depth ? 1.6 : 0.82;
        length[form] = length[form] < 1e-13 ? pow(10.0, -random_range(random, 1.0, 9.0)) : length[form];
        if (there < depth) {
            depth = there;
            *direction = next;
        }
    }
    return depth;
}

static abut_vec3 drawn(const sample *s, random_state *random, int i) {
    static const abut_vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double power = random_below(random, 2) ? random_below(random, 3) : random_range(random, 0.0, 2.0);
    abut_vec3 x = i < 6 ? abut_mat3_apply(s->rotation[i / 3], axis[i % 3]) : stretched(s, i % 2, power, random_direction(random));
    x = abut_unit(x);
    return depth_along(s, x) <= depth_along(s, abut_neg(x)) ? x : abut_neg(x);
}

/* The best direction found: from the given one, and from the best of many. */
static abut_vec3 least_direction(const sample *s, random_state *random, abut_vec3 given) {
    enum { DRAWN = 200, KEPT = 4 };
    abut_vec3 kept[KEPT + 1] = {given, given, given, given, given}, best = given;
    double depth[KEPT + 1] = {INFINITY, INFINITY, INFINITY, INFINITY, depth_along(s, given)}, least = depth[KEPT];
    for (int i = 0; i < DRAWN; ++i) {
        abut_vec3 direction = drawn(s, random, i);
        double here = depth_along(s, direction);
        int worst = 0;
        for (int k = 1; k < KEPT; ++k) {
            worst = depth[k] > depth[worst] ? k : worst;
        }
        if (here < depth[worst]) {
            depth[worst] = here;
            kept[worst] = direction;
        }
    }
    for (int k = 0; k <= KEPT; ++k) {
        double here = improve(s, random, &kept[k], depth[k], 200);
        if (here < least) {
            least = here;
            best = kept[k];
        }
    }
    return best;
}

/* ---- with 256 bits ---- */

/* direction: from A to B. */
static big exact_depth(const sample *s, abut_vec3 direction) {
    big_pose a = big_pose_of(s->pose[0]), b = big_pose_of(s->pose[1]);
    return big_add(big_body_support(&s->body[0], &a, bigv_of(direction)), big_body_support(&s->body[1], &b, bigv_of(abut_neg(direction))));
}

/* (1 - t) A + t B, with the matrices of the squared semi-axes. */
static void mixed(const sample *s, double t, big m[3][3]) {
    for (int i = 0; i < 9; ++i) {
        m[i / 3][i % 3] = big_of(0.0);
    }
    for (int k = 0; k < 2; ++k) {
        big_pose pose = big_pose_of(s->pose[k]);
        const double half[3] = {s->body[k].half.x, s->body[k].half.y, s->body[k].half.z};
        for (int c = 0; c < 3; ++c) {
            const big column[3] = {pose.column[c].x, pose.column[c].y, pose.column[c].z};
            big factor = big_mul(big_of(k == 0 ? 1.0 - t : t), big_mul(big_of(half[c]), big_of(half[c])));
            for (int i = 0; i < 9; ++i) {
                m[i / 3][i % 3] = big_add(m[i / 3][i % 3], big_mul(factor, big_mul(column[i / 3], column[i % 3])));
            }
        }
    }
}

/* r . M^-1 r by cofactors. */
static big solved(big m[3][3], bigv r) {
    bigv x = {m[0][0], m[0][1], m[0][2]}, y = {m[1][0], m[1][1], m[1][2]}, z = {m[2][0], m[2][1], m[2][2]};
    bigv yz = bigv_cross(y, z), zx = bigv_cross(z, x), xy = bigv_cross(x, y);
    bigv sum = bigv_add(bigv_scale(r.x, yz), bigv_add(bigv_scale(r.y, zx), bigv_scale(r.z, xy)));
    return big_div(bigv_dot(sum, r), bigv_dot(x, yz));
}

/* The contact function at t; its maximum is alpha squared. */
static big contact_function(const sample *s, double t) {
    big m[3][3];
    mixed(s, t, m);
    return big_mul(big_mul(big_of(t), big_sub(big_of(1.0), big_of(t))), solved(m, bigv_of(s->apart)));
}

/* The maximum of a concave function, by golden sections in the logarithm of the odds, because it may lie next to an end. */
static double growth_of(const sample *s) {
    const double golden = 0.6180339887498949;
    double low = -60.0, high = 60.0, x = high - golden * (high - low), y = low + golden * (high - low);
    big fx = contact_function(s, 1.0 / (1.0 + exp(-x))), fy = contact_function(s, 1.0 / (1.0 + exp(-y)));
    for (int i = 0; i < 48; ++i) {
        if (big_less(fx, fy)) {
            low = x;
            x = y;
            fx = fy;
            y = low + golden * (high - low);
            fy = contact_function(s, 1.0 / (1.0 + exp(-y)));
        } else {
            high = y;
            y = x;
            fy = fx;
            x = high - golden * (high - low);
            fx = contact_function(s, 1.0 / (1.0 + exp(-x)));
        }
    }
    return big_double(big_sqrt(big_max(fx, fy)));
}

/* ---- samples ---- */

static abut_vec3 slender(random_state *random, double decades) {
    double thin =
        pow(10.0, random_below(random, 3) ? -random_range(random, 0.0, decades) : -floor(random_range(random, 0.0, decades + 1.0)));
    int form = random_below(random, 4);
    abut_vec3 h = form == 0   ? abut_vec3_make(1.0, 1.0, thin)
                  : form == 1 ? abut_vec3_make(thin, thin, 1.0)
                  : form == 2 ? abut_vec3_make(1.0, pow(10.0, -random_range(random, 0.0, decades)), thin)
                              : abut_vec3_make(1.0, thin, sqrt(thin));
    if (random_below(random, 2)) {
        h = abut_vec3_make(h.x * random_range(random, 0.5, 1.0), h.y * random_range(random, 0.5, 1.0),
                           h.z * random_range(random, 0.5, 1.0));
    }
    for (int turns = random_below(random, 3); turns > 0; --turns) {
        h = abut_vec3_make(h.z, h.x, h.y);
    }
    return h;
}

static big_body random_body(random_state *random, big_kind kind, double size, double decades) {
    big_body body = {.kind = kind, .half = abut_scale(size, slender(random, decades)), .size = 2.0 * size};
    body.e1 = random_range(random, 0.2, 1.8);
    body.e2 = random_range(random, 0.2, 1.8);
    body.radius = body.half.x;
    body.half_length = body.half.z;
    body.point_count = kind == BIG_POINTS ? 4 + random_below(random, 10) : 0;
    for (int32_t i = 0; i < body.point_count; ++i) {
        abut_vec3 d = random_direction(random);
        body.point[i] = abut_vec3_make(d.x * body.half.x, d.y * body.half.y, d.z * body.half.z);
    }
    return body;
}

/* Apart or overlapping by any share of their extent along a normal of one of them. */
static void place(random_state *random, sample *s, double decades) {
    for (int i = 0; i < 2; ++i) {
        s->pose[i] = (abut_pose){{0, 0, 0}, random_below(random, 4) ? random_rotation(random) : abut_quat_identity()};
    }
    s->pose[1].rotation = random_below(random, 6) ? s->pose[1].rotation : s->pose[0].rotation;
    s->rotation[0] = abut_mat3_from_quat(s->pose[0].rotation);
    s->rotation[1] = abut_mat3_from_quat(s->pose[1].rotation);
    s->apart = abut_vec3_make(0, 0, 0);
    abut_vec3 x = random_direction(random), u, v;
    abut_vec3 normal = abut_unit(stretched(s, random_below(random, 2), random_below(random, 3) ? random_range(random, 0.0, 2.0) : 0.0, x));
    double reach = depth_along(s, normal), part = pow(10.0, -random_range(random, 0.0, decades + 2.0));
    int kind = random_below(random, 4);
    double gap = reach * (kind == 0   ? -random_range(random, 0.0, 1.0)
                          : kind == 1 ? random_range(random, 0.0, 1.0)
                          : kind == 2 ? -part
                                      : part);
    double side = random_below(random, 2) ? 0.0 : pow(10.0, -random_range(random, 0.0, decades));
    abut_tangent_frame(normal, &u, &v);
    abut_vec3 aside =
        abut_add(abut_scale(side * random_range(random, -0.5, 0.5), u), abut_scale(side * random_range(random, -0.5, 0.5), v));
    s->pose[0].position = random_below(random, 16) ? abut_add_scaled(aside, -(reach + gap), normal) : abut_vec3_make(0, 0, 0);
    s->apart = s->pose[0].position;
}

typedef struct rows {
    accuracy *distance, *depth, *growth;
    const big_kind *first, *second;
    int first_count, second_count;
    double decades, depth_limit;
    const uint64_t *held; /* seeds that were wrong once; ends with 0 */
} rows;

static double scale_of(const sample *s) { return 1.0 + abut_length(s->apart); }

/* The gap belongs to its normal, and the points face each other on both surfaces. */
static void judge_distance(accuracy *row, const sample *s, const abut_separation *found) {
    big_pose a = big_pose_of(s->pose[0]), b = big_pose_of(s->pose[1]);
    abut_vec3 apart = abut_sub(found->on_a, found->on_b);
    double below = fabs(big_double(big_add(exact_depth(s, abut_neg(found->normal)), big_of(found->gap))));
    double aside = abut_length(abut_add_scaled(apart, -found->gap, found->normal));
    double off_a = fabs(big_body_outside(&s->body[0], &a, bigv_of(found->on_a))),
           off_b = fabs(big_body_outside(&s->body[1], &b, bigv_of(found->on_b)));
    accuracy_error(row, isfinite(off_a + off_b) ? fmax(fmax(below, aside), fmax(off_a, off_b)) / scale_of(s) : NAN,
                   "gap %.9g: below %.2g, aside %.2g, off A %.2g, off B %.2g", found->gap, below, aside, off_a, off_b);
}

static void judge_depth(const rows *r, const sample *s, random_state *random, const abut_separation *found) {
    abut_vec3 given = abut_neg(found->normal), best = least_direction(s, random, given);
    double rounding = 1e-13 * scale_of(s), depth = big_double(exact_depth(s, given)), least = big_double(exact_depth(s, best));
    if (least < -rounding) {
        accuracy_wrong(r->depth, "depth %.9g of bodies that are %.9g apart", -found->gap, -least);
        return;
    }
    double missed = fmax(depth - least - rounding, 0.0) / least, wrong = fmax(fabs(depth + found->gap) - rounding, 0.0) / depth;
    accuracy_error(r->depth, found->gap < 0.0 ? fmax(missed, wrong) : 0.0, "depth %.9g, along the normal %.9g, least %.9g", -found->gap,
                   depth, least);
}

static void judge_growth(accuracy *row, const sample *s, const abut_growth *found) {
    double width = big_double(exact_depth(s, abut_neg(found->normal))) + abut_dot(found->normal, s->apart);
    double right = growth_of(s), rounding = 1e-14 * scale_of(s) / width;
    accuracy_error(row, fmax(fabs(found->alpha - right) / right - rounding, 0.0), "alpha %.17g, right %.17g, width %.3g", found->alpha,
                   right, width);
}

static void try_sample(const rows *r, uint64_t seed) {
    random_state random = random_make(seed);
    sample s;
    double size = random_below(&random, 2) ? 1.0 : pow(10.0, -random_range(&random, 0.0, 3.0));
    s.body[0] = random_body(&random, r->first[random_below(&random, r->first_count)], 1.0, r->decades);
    s.body[1] = random_body(&random, r->second[random_below(&random, r->second_count)], size, r->decades);
    s.shape[0] = big_body_make(&s.body[0]);
    s.shape[1] = big_body_make(&s.body[1]);
    if (s.shape[0] != NULL && s.shape[1] != NULL) {
        place(&random, &s, r->decades);
        abut_pair pair = {s.shape[0], s.pose[0], s.shape[1], s.pose[1]};
        abut_separation found;
        abut_growth growth;
        abut_status status = abut_distance(&pair, NULL, NULL, &found);
        accuracy *row = status == ABUT_OK && found.gap > 0.0 ? r->distance : r->depth;
        accuracy_next(row, seed);
        if (status != ABUT_OK) {
            accuracy_wrong(row, "status %d", (int)status);
        } else if (row == r->distance) {
            judge_distance(row, &s, &found);
        } else {
            judge_depth(r, &s, &random, &found);
        }
        bool apart = abut_length(s.apart) > 0.0, ellipsoids = s.body[0].kind == BIG_ELLIPSOID && s.body[1].kind == BIG_ELLIPSOID;
        if (apart) {
            accuracy_next(r->growth, seed);
            status = abut_growth_distance(&pair, NULL, &growth);
            if (status != ABUT_OK) {
                accuracy_wrong(r->growth, "status %d, alpha %.17g, at least %.17g", (int)status, growth.alpha, growth.alpha_lower);
            } else if (ellipsoids && seed % 4 == 0) {
                judge_growth(r->growth, &s, &growth);
            }
        }
    }
    abut_shape_release(s.shape[0]);
    abut_shape_release(s.shape[1]);
}

static void run(rows *r, const char *distance, const char *depth, const char *growth, uint64_t first, int32_t full) {
    r->distance = accuracy_begin(distance, "256 bits: support functions and surfaces",
                                 "(points aside or off the surface, gap off the bound) / sizes", 1e-12);
    r->depth = accuracy_begin(depth, "least of sampled and improved directions, 256 bits",
                              "(depth - least) / least, beyond 1e-13 of the sizes", r->depth_limit);
    r->growth = accuracy_begin(growth, "ellipsoids: Perram and Wertheim, 256 bits; else its status",
                               "relative, beyond 1e-14 of the sizes over the width", 1e-9);
    for (const uint64_t *seed = r->held; *seed != 0; ++seed) {
        try_sample(r, *seed);
    }
    int32_t count = accuracy_samples(full);
    for (int32_t i = 0; i < count; ++i) {
        try_sample(r, first + (uint64_t)i);
    }
    accuracy_end(r->distance);
    accuracy_end(r->depth);
    accuracy_end(r->growth);
}

static const big_kind ellipsoid[] = {BIG_ELLIPSOID}, smooth[] = {BIG_ELLIPSOID, BIG_SUPERQUADRIC},
                      any[] = {BIG_ELLIPSOID, BIG_SUPERQUADRIC, BIG_BALL, BIG_CAPSULE, BIG_BOX, BIG_POINTS};

/* A fifth of the samples overlap, fewer of ellipsoids, and each row needs 100,000 in the full run. */
enum { FULL = 520000, ELLIPSOIDS = 545000 };

static void ellipsoids(void **state) {
    (void)state;
    static const uint64_t held[] = {1000214, 1002068, 1002860, 1002956, 1013601, 0};
    rows r = {
        .held = held, .first = ellipsoid, .second = ellipsoid, .first_count = 1, .second_count = 1, .decades = 8.0, .depth_limit = 2e-5};
    run(&r, "distance of ellipsoids, aspects to 1e8", "depth of ellipsoids, aspects to 1e8",
        "growth distance of ellipsoids, aspects to 1e8", 1000000, ELLIPSOIDS);
}

static void all_smooth(void **state) {
    (void)state;
    static const uint64_t held[] = {2000100, 2000635, 2000689, 2000745, 2000768, 2000896, 2001449, 2001655, 2001675, 2001841, 2001925,
                                    2002140, 2022771, 2029044, 2032921, 2162752, 2177539, 2195184, 2360843, 2436439, 6070275, 0};
    rows r = {.held = held, .first = smooth, .second = any, .first_count = 2, .second_count = 6, .decades = 6.0, .depth_limit = 2e-5};
    run(&r, "distance of smooth and any bodies, aspects to 1e6", "depth of smooth and any bodies, aspects to 1e6",
        "growth distance of smooth and any bodies, aspects to 1e6", 2000000, FULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ellipsoids), cmocka_unit_test(all_smooth)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
