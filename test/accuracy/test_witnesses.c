/* Witness points of abut_distance() at size ratios up to 1e12, and at gaps down to rounding error. The answer certifies itself: the gap along the normal bounds
 * the distance from below, and two points of the bodies bound it from above. Both are evaluated with 256 bits from the definition of the shapes. World
 * frame. */
#include <math.h>

#include "accuracy/accuracy.h"
#include "accuracy/big_body.h"

/* The rounding of a world coordinate, relative to the limit of the rows. */
#define COORDINATE 2e-4
#define LIMIT 1e-12

enum { FULL = 100100 };

typedef struct sample {
    big_body body[2];
    abut_shape *shape[2];
    abut_pose pose[2];
    double larger; /* the size of the larger body */
} sample;

/* What a row asks: kinds of bodies, and powers of ten. */
typedef struct question {
    const big_kind *kinds; /* of A, and of B with planes */
    int kind_count;
    double least_gap, most_gap; /* relative to either body */
    double most_ratio;          /* of the sizes */
    bool frusta;                /* A is a cylinder or a cone, most of them flat */
} question;

/* ---- shapes ---- */

static double share(random_state *random, double decades) {
    return random_below(random, 2) ? 1.0 : pow(10.0, -random_range(random, 0.0, decades));
}

static void add_point(big_body *body, double x, double y, double z) { body->point[body->point_count++] = abut_vec3_make(x, y, z); }

/* Points of an ellipsoid, a prism, a grid, or a simplex or so. */
static void fill_points(random_state *random, big_body *body) {
    const abut_vec3 h = body->half;
    int form = random_below(random, 4), count = form == 1 ? 3 + random_below(random, 7) : 4 + random_below(random, form == 3 ? 3 : 12);
    for (int i = 0; i < count; ++i) {
        abut_vec3 p = form == 0 ? random_direction(random) : random_vec3(random, -1.0, 1.0);
        if (form == 1) {
            double angle = 2.0 * PI * i / count;
            add_point(body, cos(angle) * h.x, sin(angle) * h.y, -h.z);
            p = abut_vec3_make(cos(angle), sin(angle), 1.0);
        } else if (form == 2) {
            p = abut_vec3_make(0.25 * round(4.0 * p.x), 0.25 * round(4.0 * p.y), 0.25 * round(4.0 * p.z));
        }
        add_point(body, p.x * h.x, p.y * h.y, p.z * h.z);
    }
}

/* A cylinder, a cone with its apex up or down, or a truncated one; half of them flat, a quarter slender. */
static void fill_frustum(random_state *random, big_body *body) {
    int form = random_below(random, 4), ratio = random_below(random, 4);
    double radius = 0.5 * body->size, top = form == 0 ? radius : form == 3 ? radius * random_range(random, 0.05, 1.0) : 0.0;
    double flat = pow(10.0, -random_range(random, 3.0, 12.0)), slender = pow(10.0, -random_range(random, 0.0, 5.0));
    double across = ratio == 0 ? slender : 1.0;
    bool wide_top = random_below(random, 2) == 0;
    body->height = body->size * (ratio >= 2 ? flat : ratio == 1 ? random_range(random, 0.1, 1.0) : 1.0);
    body->radius = across * (wide_top ? top : radius);
    body->top_radius = across * (wide_top ? radius : top);
}

static big_body random_body(random_state *random, big_kind kind, double size, double decades) {
    big_body body = {.kind = kind, .size = size};
    abut_vec3 h = {share(random, decades), share(random, decades), share(random, decades)};
    if (random_below(random, 4) == 0) {
        h = abut_vec3_make(0.125 * ceil(8.0 * h.x), 0.125 * ceil(8.0 * h.y), 0.125 * ceil(8.0 * h.z));
    }
    body.half = kind == BIG_PLANE ? random_direction(random) : abut_scale(0.5 * size, h);
    body.radius = 0.5 * size * share(random, decades);
    body.half_length = 0.5 * size * share(random, decades);
    body.e1 = random_range(random, 0.2, 1.8);
    body.e2 = random_range(random, 0.2, 1.8);
    if (kind == BIG_POINTS) {
        fill_points(random, &body);
    } else if (kind == BIG_FRUSTUM) {
        fill_frustum(random, &body);
    }
    return body;
}

/* ---- poses ---- */

static abut_quat nearly(random_state *random, abut_quat rotation) {
    double sine = pow(10.0, -random_range(random, 2.0, 17.0));
    abut_vec3 axis = random_direction(random);
    abut_quat turn = {sine * axis.x, sine * axis.y, sine * axis.z, 1.0};
    return abut_quat_unit(abut_quat_mul(rotation, turn));
}

static abut_vec3 axis_of(random_state *random, abut_quat rotation) {
    static const abut_vec3 axis[6] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    return abut_quat_rotate(rotation, axis[random_below(random, 6)]);
}

/* From B to A: any direction, an axis of either body, or nearly one. */
static abut_vec3 random_normal(random_state *random, const sample *s) {
    abut_vec3 normal = random_below(random, 2) ? random_direction(random) : axis_of(random, s->pose[random_below(random, 2)].rotation);
    if (random_below(random, 4) == 0) {
        normal = abut_unit(abut_add_scaled(normal, pow(10.0, -random_range(random, 2.0, 16.0)), random_direction(random)));
    }
    return s->body[1].kind == BIG_PLANE ? abut_quat_rotate(s->pose[1].rotation, s->body[1].half) : normal;
}

static double reach_along(const sample *s, int i, abut_vec3 direction) {
    big_pose pose = big_pose_of(s->pose[i]);
    return s->body[i].kind == BIG_PLANE ? 0.0 : big_double(big_body_support(&s->body[i], &pose, bigv_of(direction)));
}

/* Places A beside B, apart along a normal, with an offset aside; sometimes far from the origin. */
static void place(random_state *random, const question *asked, sample *s, double smaller) {
    s->pose[0] = s->pose[1] = abut_pose_identity();
    s->pose[0].rotation = random_below(random, 3) ? random_rotation(random) : abut_quat_identity();
    int turned = random_below(random, 3);
    s->pose[1].rotation = turned == 0 ? random_rotation(random) : turned == 1 ? s->pose[0].rotation : nearly(random, s->pose[0].rotation);
    abut_vec3 normal = random_normal(random, s), u, v;
    abut_tangent_frame(normal, &u, &v);
    double gap = pow(10.0, random_range(random, asked->least_gap, asked->most_gap)) * (random_below(random, 2) ? s->larger : smaller);
    double side = random_below(random, 4) == 0 ? 0.0 : (asked->frusta ? 1.0 : 0.6) * (random_below(random, 2) ? s->larger : smaller);
    double height = reach_along(s, 0, abut_neg(normal)) + reach_along(s, 1, normal) + gap;
    abut_vec3 aside =
        abut_add(abut_scale(side * random_range(random, -1.0, 1.0), u), abut_scale(side * random_range(random, -1.0, 1.0), v));
    abut_vec3 origin = random_below(random, 3)
                           ? abut_vec3_make(0, 0, 0)
                           : abut_scale(s->larger * pow(10.0, random_range(random, 0.0, 6.0)), random_vec3(random, -1.0, 1.0));
    s->pose[1].position = origin;
    s->pose[0].position = abut_add(origin, abut_add_scaled(aside, height, normal));
}

/* ---- the oracle ---- */

/* The errors of an answer, relative to the larger size; the rounding of world coordinates counts as part of the size. */
static void judge(accuracy *row, const sample *s, const abut_separation *found, bool swapped) {
    int a = swapped ? 1 : 0, b = 1 - a;
    big_pose pose_a = big_pose_of(s->pose[a]), pose_b = big_pose_of(s->pose[b]);
    bigv normal = bigv_of(found->normal), on_a = bigv_of(found->on_a), on_b = bigv_of(found->on_b), apart = bigv_sub(on_a, on_b);
    double coordinates =
        abut_length(s->pose[0].position) + abut_length(s->pose[1].position) + abut_length(found->on_a) + abut_length(found->on_b);
    double scale = s->larger + COORDINATE * (s->larger + coordinates);
    bool plane = s->body[1].kind == BIG_PLANE;
    big lower = big_of(found->gap), gap = big_of(found->gap);
    if (!plane) {
        big reach = big_add(big_body_support(&s->body[a], &pose_a, bigv_scale(big_of(-1.0), normal)),
                            big_body_support(&s->body[b], &pose_b, normal));
        lower = big_sub(big_of(0.0), reach);
    }
    if (!(found->gap > 0.0)) {
        if (big_double(lower) > LIMIT * scale) {
            accuracy_wrong(row, "touching, and %.3g apart", big_double(lower));
        }
        return;
    }
    double along = fabs(big_double(big_sub(bigv_dot(normal, apart), gap))) / scale;
    double aside = big_double(bigv_length(bigv_sub(apart, bigv_scale(gap, normal)))) / scale;
    double below = fabs(big_double(big_sub(lower, gap))) / scale;
    double off_a = fabs(big_body_outside(&s->body[a], &pose_a, on_a)) / scale,
           off_b = fabs(big_body_outside(&s->body[b], &pose_b, on_b)) / scale;
    double worst = fmax(fmax(along, aside), fmax(below, fmax(off_a, off_b)));
    accuracy_error(row, isfinite(off_a + off_b) ? worst : NAN, "%s: along %.2g, aside %.2g, below %.2g, off A %.2g, off B %.2g; gap %.17g",
                   swapped ? "swapped" : "as given", along, aside, below, off_a, off_b, found->gap);
}

static void try_sample(accuracy *row, uint64_t seed, const question *asked) {
    random_state random = random_make(seed);
    const big_kind *kinds = asked->kinds;
    int first = random_below(&random, asked->kind_count), second = random_below(&random, asked->kind_count + 1);
    sample s;
    big_kind kind_b = second < asked->kind_count ? kinds[second] : BIG_PLANE;
    big_kind kind_a = asked->frusta ? BIG_FRUSTUM : kinds[first];
    bool curved = (kind_a >= BIG_ELLIPSOID && kind_a != BIG_FRUSTUM) || kind_b == BIG_ELLIPSOID || kind_b == BIG_SUPERQUADRIC;
    double decades = curved ? 2.0 : random_below(&random, 2) ? 1.0 : 5.0, unit = pow(10.0, random_range(&random, -3.0, 3.0));
    double ratio = pow(10.0, random_range(&random, 0.0, asked->most_ratio));
    bool large_first = random_below(&random, 2) == 0;
    s.body[0] = random_body(&random, kind_a, large_first ? unit * ratio : unit, decades);
    s.body[1] = random_body(&random, kind_b, large_first ? unit : unit * ratio, decades);
    s.larger = kind_b == BIG_PLANE ? s.body[0].size : unit * ratio;
    s.shape[0] = big_body_make(&s.body[0]);
    s.shape[1] = big_body_make(&s.body[1]);
    if (s.shape[0] != NULL && s.shape[1] != NULL) {
        accuracy_next(row, seed);
        place(&random, asked, &s, kind_b == BIG_PLANE ? s.larger : unit);
        for (int swapped = 0; swapped < 2; ++swapped) {
            abut_separation found;
            abut_pair pair = {s.shape[swapped], s.pose[swapped], s.shape[1 - swapped], s.pose[1 - swapped]};
            abut_status status = abut_distance(&pair, NULL, NULL, &found);
            if (status != ABUT_OK) {
                accuracy_wrong(row, "status %d", (int)status);
            } else {
                judge(row, &s, &found, swapped == 1);
            }
        }
    }
    abut_shape_release(s.shape[0]);
    abut_shape_release(s.shape[1]);
}

static void run(const char *what, uint64_t first, const uint64_t *held, int held_count, const question *asked) {
    accuracy *row = accuracy_begin(what, "256 bits: support functions and surfaces",
                                   "(points aside or off the surface, gap off the bound) / larger size", LIMIT);
    for (int i = 0; i < held_count; ++i) {
        try_sample(row, held[i], asked);
    }
    int32_t count = accuracy_samples(FULL); /* a few make no shape */
    for (int32_t i = 0; i < count; ++i) {
        try_sample(row, first + (uint64_t)i, asked);
    }
    accuracy_end(row);
}

static void flat_and_round(void **state) {
    (void)state;
    static const big_kind kinds[] = {BIG_BALL, BIG_CAPSULE, BIG_BOX, BIG_POINTS};
    static const uint64_t held[] = {1000133, 1000142, 1000153, 1000410, 1000567, 1000840,
                                    1000952, 1001306, 1001418, 1001704, 1001756, 1002169};
    const question asked = {kinds, 4, -5.0, 1.0, 12.0, false};
    run("witness points: balls, capsules, boxes, hulls, planes", 1000000, held, (int)(sizeof held / sizeof *held), &asked);
}

static void with_smooth(void **state) {
    (void)state;
    static const big_kind kinds[] = {BIG_ELLIPSOID, BIG_SUPERQUADRIC, BIG_BALL, BIG_BOX, BIG_POINTS, BIG_CAPSULE};
    static const uint64_t held[] = {2000088, 2000133, 2000593, 2000760, 2000778, 2000853, 2001010,
                                    2001018, 2001214, 2001252, 2001403, 2001632, 2029889};
    const question asked = {kinds, 6, -5.0, 1.0, 12.0, false};
    run("witness points: ellipsoids, superquadrics and the same", 2000000, held, (int)(sizeof held / sizeof *held), &asked);
}

/* A search that stops too early shows only here: an edge's rounding error can weigh more than the gap. */
static void nearly_touching(void **state) {
    (void)state;
    static const big_kind kinds[] = {BIG_BALL, BIG_CAPSULE, BIG_BOX, BIG_POINTS, BIG_ELLIPSOID, BIG_SUPERQUADRIC};
    const question asked = {kinds, 6, -14.0, -3.0, 2.0, false};
    run("witness points: convex shapes of all these kinds, nearly touching", 4000000, NULL, 0, &asked);
}

/* The normals of the side of a flat cone lie as close to its axis as it is flat, and its whole side is nearly a face. */
static void frusta(void **state) {
    (void)state;
    static const big_kind kinds[] = {BIG_FRUSTUM, BIG_FRUSTUM, BIG_BALL, BIG_CAPSULE, BIG_BOX, BIG_POINTS, BIG_ELLIPSOID, BIG_SUPERQUADRIC};
    static const uint64_t held[] = {5000306, 5000323, 5000557, 5000761, 5000826, 5000983, 5001036, 5001199};
    static const uint64_t held_near[] = {6000030, 6000068, 6000647, 6000650, 6000803, 6001363, 6001445};
    const question asked = {kinds, 8, -5.0, 1.0, 12.0, true}, near = {kinds, 8, -14.0, -3.0, 2.0, true};
    run("witness points: cylinders and cones, flat and slender, and convex shapes", 5000000, held, (int)(sizeof held / sizeof *held),
        &asked);
    run("witness points: cylinders and cones, flat and slender, nearly touching", 6000000, held_near,
        (int)(sizeof held_near / sizeof *held_near), &near);
}

/* ---- meshes, height fields and compounds ---- */

enum { PARTS = 8 };

/* A union of bodies: triangles, or convex parts. */
typedef struct whole {
    big_body part[PARTS];
    abut_shape *alone[PARTS]; /* the shape of each part */
    abut_pose in_whole[PARTS];
    int32_t count;
    abut_shape *shape;
    abut_pose pose;
    double size;
} whole;

static void add_part(whole *w, big_body part, abut_pose in_whole) {
    w->in_whole[w->count] = in_whole;
    w->alone[w->count] = big_body_make(&part);
    w->part[w->count] = part;
    w->count += w->alone[w->count] != NULL;
}

static big_body triangle_of(abut_vec3 a, abut_vec3 b, abut_vec3 c) {
    return (big_body){.kind = BIG_TRIANGLE, .point = {a, b, c}, .point_count = 3};
}

static void make_soup(random_state *random, whole *w) {
    abut_vec3 corner[3 * PARTS];
    int32_t index[3 * PARTS], count = 1 + random_below(random, PARTS - 1);
    double thin = share(random, 5.0);
    for (int32_t i = 0; i < 3 * count; ++i) {
        abut_vec3 p = random_vec3(random, -0.5 * w->size, 0.5 * w->size);
        corner[i] = i > 2 && random_below(random, 2) ? corner[i - 3] : abut_vec3_make(p.x, p.y, thin * p.z);
        index[i] = i;
    }
    for (int32_t i = 0; i < count; ++i) {
        add_part(w, triangle_of(corner[3 * i], corner[3 * i + 1], corner[3 * i + 2]), abut_pose_identity());
    }
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = corner;
    def.vertex_count = 3 * count;
    def.triangles = index;
    def.triangle_count = count;
    def.two_sided = true;
    (void)abut_shape_create_trimesh(&def, NULL, &w->shape);
}

static void make_field(random_state *random, whole *w) {
    double height[9], step = 0.5 * w->size, bumps = step * share(random, 8.0);
    for (int i = 0; i < 9; ++i) {
        height[i] = random_below(random, 3) ? random_range(random, -bumps, bumps) : 0.0;
    }
    const abut_heightfield_def def = {.heights = height, .columns = 3, .rows = 3, .spacing_x = step, .spacing_y = step, .two_sided = true};
    for (int cell = 0; cell < 4; ++cell) {
        abut_vec3 corner[4];
        for (int k = 0; k < 4; ++k) {
            int column = cell % 2 + k % 2, row = cell / 2 + k / 2;
            corner[k] = abut_vec3_make(step * column, step * row, height[3 * row + column]);
        }
        add_part(w, triangle_of(corner[0], corner[1], corner[3]), abut_pose_identity());
        add_part(w, triangle_of(corner[0], corner[3], corner[2]), abut_pose_identity());
    }
    (void)abut_shape_create_heightfield(&def, &w->shape);
}

static void make_compound(random_state *random, whole *w) {
    static const big_kind kinds[] = {BIG_BALL, BIG_CAPSULE, BIG_BOX, BIG_POINTS, BIG_ELLIPSOID};
    abut_part parts[PARTS];
    int32_t count = 1 + random_below(random, 4);
    for (int32_t i = 0; i < count; ++i) {
        big_body body = random_body(random, kinds[random_below(random, 5)], 0.5 * w->size * share(random, 4.0), 2.0);
        add_part(w, body, (abut_pose){random_vec3(random, -0.5 * w->size, 0.5 * w->size), random_rotation(random)});
    }
    for (int32_t i = 0; i < w->count; ++i) {
        parts[i] = (abut_part){w->alone[i], w->in_whole[i]};
    }
    (void)abut_shape_create_compound(parts, w->count, &w->shape);
}

static whole random_whole(random_state *random, double size, bool convex) {
    static const big_kind kinds[] = {BIG_BALL, BIG_CAPSULE, BIG_BOX, BIG_POINTS, BIG_ELLIPSOID};
    whole w = {.size = size, .pose = abut_pose_identity()};
    int form = convex ? 3 : random_below(random, 3);
    if (form == 0) {
        make_soup(random, &w);
    } else if (form == 1) {
        make_field(random, &w);
    } else if (form == 2) {
        make_compound(random, &w);
    } else {
        add_part(&w, random_body(random, kinds[random_below(random, 5)], size, 2.0), abut_pose_identity());
        w.shape = w.count > 0 ? (abut_shape *)abut_shape_retain(w.alone[0]) : NULL;
    }
    return w;
}

static void release_whole(whole *w) {
    for (int32_t i = 0; i < w->count; ++i) {
        abut_shape_release(w->alone[i]);
    }
    abut_shape_release(w->shape);
}

static double whole_reach(const whole *w, abut_vec3 direction) {
    big_pose outer = big_pose_of(w->pose);
    double most = -INFINITY;
    for (int32_t i = 0; i < w->count; ++i) {
        big_pose pose = big_pose_within(&outer, w->in_whole[i]);
        most = fmax(most, big_double(big_body_support(&w->part[i], &pose, bigv_of(direction))));
    }
    return most;
}

static double whole_off(const whole *w, abut_vec3 point) {
    big_pose outer = big_pose_of(w->pose);
    double least = INFINITY;
    for (int32_t i = 0; i < w->count; ++i) {
        big_pose pose = big_pose_within(&outer, w->in_whole[i]);
        least = fmin(least, fabs(big_body_outside(&w->part[i], &pose, bigv_of(point))));
    }
    return least;
}

static abut_pose pose_of_part(const whole *w, int32_t i) {
    const abut_pose *inner = &w->in_whole[i];
    return (abut_pose){abut_pose_apply(w->pose, inner->position), abut_quat_unit(abut_quat_mul(w->pose.rotation, inner->rotation))};
}

/* The distance of two parts is at least the gap along any direction. That of the library's answer for the parts alone is a good one. */
static double parts_apart(const whole *a, int32_t i, const whole *b, int32_t k) {
    big_pose outer_a = big_pose_of(a->pose), outer_b = big_pose_of(b->pose);
    big_pose pose_a = big_pose_within(&outer_a, a->in_whole[i]), pose_b = big_pose_within(&outer_b, b->in_whole[k]);
    abut_separation found;
    abut_pair pair = {a->alone[i], pose_of_part(a, i), b->alone[k], pose_of_part(b, k)};
    if (abut_distance(&pair, NULL, NULL, &found) != ABUT_OK) {
        return NAN;
    }
    bigv normal = bigv_of(found.normal);
    big reach =
        big_add(big_body_support(&a->part[i], &pose_a, bigv_scale(big_of(-1.0), normal)), big_body_support(&b->part[k], &pose_b, normal));
    return -big_double(reach);
}

static void judge_wholes(accuracy *row, const whole *a, const whole *b, double larger) {
    abut_separation found;
    abut_pair pair = {a->shape, a->pose, b->shape, b->pose};
    abut_status status = abut_distance(&pair, NULL, NULL, &found);
    if (status != ABUT_OK) {
        accuracy_wrong(row, "status %d", (int)status);
        return;
    }
    double coordinates = abut_length(a->pose.position) + abut_length(b->pose.position) + abut_length(found.on_a) + abut_length(found.on_b);
    double scale = larger + COORDINATE * (larger + coordinates), lower = INFINITY;
    bool meshes = a->part[0].kind == BIG_TRIANGLE && b->part[0].kind == BIG_TRIANGLE; /* whether these touch is judged elsewhere */
    for (int32_t i = 0; i < a->count && !meshes; ++i) {
        for (int32_t k = 0; k < b->count; ++k) {
            lower = fmin(lower, parts_apart(a, i, b, k));
        }
    }
    if (!(found.gap > 0.0)) {
        if (lower > LIMIT * scale && !meshes) {
            accuracy_wrong(row, "touching, and %.3g apart", lower);
        }
        return;
    }
    abut_vec3 apart = abut_sub(found.on_a, found.on_b);
    double aside = abut_length(abut_add_scaled(apart, -found.gap, found.normal)) / scale,
           below = meshes ? 0.0 : fabs(lower - found.gap) / scale;
    double off_a = whole_off(a, found.on_a) / scale, off_b = whole_off(b, found.on_b) / scale;
    accuracy_error(row, fmax(fmax(aside, below), fmax(off_a, off_b)), "aside %.2g, below %.2g, off A %.2g, off B %.2g; gap %.17g", aside,
                   below, off_a, off_b, found.gap);
}

static void try_wholes(accuracy *row, uint64_t seed) {
    random_state random = random_make(seed);
    double unit = pow(10.0, random_range(&random, -3.0, 3.0)), ratio = pow(10.0, random_range(&random, 0.0, 12.0));
    bool large_first = random_below(&random, 2) == 0;
    whole a = random_whole(&random, large_first ? unit * ratio : unit, false),
          b = random_whole(&random, large_first ? unit : unit * ratio, random_below(&random, 2));
    if (a.shape != NULL && b.shape != NULL) {
        accuracy_next(row, seed);
        a.pose.rotation = random_rotation(&random);
        b.pose.rotation = random_below(&random, 2) ? random_rotation(&random) : a.pose.rotation;
        abut_vec3 normal = random_below(&random, 2) ? random_direction(&random) : axis_of(&random, a.pose.rotation), u, v;
        abut_tangent_frame(normal, &u, &v);
        double gap = pow(10.0, random_range(&random, -5.0, 1.0)) * unit * (random_below(&random, 2) ? 1.0 : ratio);
        double side = random_below(&random, 2) ? 0.5 * unit : 0.5 * unit * ratio;
        a.pose.position =
            abut_add(abut_scale(side * random_range(&random, -1.0, 1.0), u), abut_scale(side * random_range(&random, -1.0, 1.0), v));
        a.pose.position = abut_add_scaled(a.pose.position, whole_reach(&a, abut_neg(normal)) + whole_reach(&b, normal) + gap, normal);
        judge_wholes(row, &a, &b, unit * ratio);
        judge_wholes(row, &b, &a, unit * ratio);
    }
    release_whole(&a);
    release_whole(&b);
}

static void unions(void **state) {
    (void)state;
    accuracy *row =
        accuracy_begin("witness points: meshes, height fields, compounds", "256 bits: support functions and surfaces of all parts",
                       "(points aside or off the surface, gap off the bound) / larger size", LIMIT);
    static const uint64_t held[] = {3000390, 3000931, 3001293, 3002796, 3002924, 3003816, 3010765, 3019515};
    for (size_t i = 0; i < sizeof held / sizeof *held; ++i) {
        try_wholes(row, held[i]);
    }
    int32_t count = accuracy_samples(FULL); /* a few make no shape */
    for (int32_t i = 0; i < count; ++i) {
        try_wholes(row, 3000000 + (uint64_t)i);
    }
    accuracy_end(row);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(flat_and_round), cmocka_unit_test(with_smooth), cmocka_unit_test(nearly_touching),
                                       cmocka_unit_test(frusta), cmocka_unit_test(unions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
