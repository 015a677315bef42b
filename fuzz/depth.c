/*
 * Deformable depth of any two simplices with any settings. The status must be documented. An answer must be complete, must separate the bodies, must have the
 * stated cost, and must cost no more than other normals and modes allow. The exchanged pair must give the same answer. Gradients must balance.
 */
#include <abut/tetra.h>

#include "bytes.h"
#include "target.h"

typedef struct asked {
    abut_simplex a, b;
    abut_depth_settings settings;
    abut_vec3 normal; /* given by the caller */
    double size;      /* an upper bound of the distance of the vertices from the first vertex of A */
} asked;

static abut_vec3 read_vec3(bytes *in, double scale) {
    double x = bytes_number(in), y = bytes_number(in), z = bytes_number(in);
    return abut_vec3_make(scale * x, scale * y, scale * z);
}

static abut_simplex read_simplex(bytes *in, double scale) {
    uint8_t choice = bytes_byte(in);
    abut_simplex s = {.count = choice < 192 ? 4 : choice % 8 - 1};
    for (int32_t i = 0; i < 4; ++i) {
        s.vertex[i] = read_vec3(in, scale);
    }
    return s;
}

static double read_weight(bytes *in) {
    uint8_t choice = bytes_byte(in);
    return choice < 128 ? 1.0 : choice < 176 ? INFINITY : choice < 240 ? fabs(bytes_number(in)) + 1e-3 : bytes_number(in);
}

/* Of any size. */
static double largest(abut_vec3 v) { return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z))); }

static asked read_question(bytes *in) {
    asked q;
    in->wild = bytes_byte(in) >= 224;
    uint8_t choice = bytes_byte(in);
    double scale = choice < 224 ? 1.0 : ldexp(1.0, 8 * (choice - 240));
    q.a = read_simplex(in, scale);
    q.b = read_simplex(in, scale);
    q.settings = abut_depth_settings_default();
    q.settings.mode = (abut_depth_mode)bytes_below(in, 6);
    q.settings.best_k = 1 + bytes_below(in, 88);
    q.settings.weight_a = read_weight(in);
    q.settings.weight_b = read_weight(in);
    q.settings.volume_ratio = bytes_byte(in) < 192 ? -INFINITY : bytes_number(in);
    q.normal = read_vec3(in, 1.0);
    q.size = 0.0;
    for (int32_t i = 0; i < 8; ++i) {
        abut_vec3 v = i < 4 ? q.a.vertex[i] : q.b.vertex[i - 4];
        if (i % 4 < (i < 4 ? q.a.count : q.b.count)) {
            q.size = fmax(q.size, 2.0 * largest(abut_sub(v, q.a.vertex[0])));
        }
    }
    return q;
}

static void describe(const asked *q) {
    for (int32_t i = 0; i < 8; ++i) {
        abut_vec3 v = i < 4 ? q->a.vertex[i] : q->b.vertex[i - 4];
        fprintf(stderr, "%s%d: %.17g, %.17g, %.17g\n", i < 4 ? "A" : "B", (int)(i % 4), v.x, v.y, v.z);
    }
    fprintf(stderr, "vertices %d and %d, mode %d, best %d, weights %g and %g, volume ratio %g\n", (int)q->a.count, (int)q->b.count,
            (int)q->settings.mode, (int)q->settings.best_k, q->settings.weight_a, q->settings.weight_b, q->settings.volume_ratio);
}

static void require_status(abut_status status) {
    FUZZ_REQUIRE(status == ABUT_OK || status == ABUT_ERROR_INVALID_ARGUMENT || status == ABUT_ERROR_NOT_FINITE, "%s",
                 abut_status_name(status));
}

/* When the weights are so far apart that one body's displacements are lost in the other's rounding error, or when the squares of the sizes underflow or
 * overflow, we check only statuses and separation. */
static bool is_ordinary(const asked *q) {
    double a = q->settings.weight_a, b = q->settings.weight_b, ratio = a < INFINITY && b < INFINITY ? a / b : 1.0;
    return ratio > 1e-4 && ratio < 1e4 && q->size > 1e-100 && q->size < 1e100 && a > 1e-100 && (a < 1e100 || !(a < INFINITY)) &&
           b > 1e-100 && (b < 1e100 || !(b < INFINITY));
}

static void check_answer(const asked *q, const abut_depth *d) {
    FUZZ_REQUIRE(fabs(abut_length(d->normal) - 1.0) <= 1e-14, "length of the normal %.17g", abut_length(d->normal));
    FUZZ_REQUIRE(d->depth >= 0.0 && isfinite(d->depth), "depth %g", d->depth);
    double low = INFINITY, high = -INFINITY;
    for (int32_t i = 0; i < q->a.count; ++i) {
        low = fmin(low, abut_dot(d->normal, abut_add(abut_sub(q->a.vertex[i], q->a.vertex[0]), d->displacement_a[i])));
    }
    for (int32_t i = 0; i < q->b.count; ++i) {
        high = fmax(high, abut_dot(d->normal, abut_add(abut_sub(q->b.vertex[i], q->a.vertex[0]), d->displacement_b[i])));
    }
    double slack = 1e-12 * q->size + 1e-322; /* a few times the smallest positive number */
    if (d->relation == ABUT_DEPTH_INTERSECTING) {
        FUZZ_REQUIRE(low - high >= -slack, "gap %g of %g", low - high, q->size);
    } else {
        FUZZ_REQUIRE(d->depth == 0.0 && d->sigma_a == 0.0 && d->sigma_b == 0.0, "depth %g", d->depth);
        FUZZ_REQUIRE(low - high >= -slack, "relation %d, gap %g of %g", (int)d->relation, low - high, q->size);
    }
}

/* The depth by another mode, or with A and B exchanged, for a pair that has an answer. */
static double other_depth(const asked *q, abut_depth_mode mode, bool swap) {
    abut_depth_settings s = q->settings;
    s.mode = mode;
    s.weight_a = swap ? q->settings.weight_b : q->settings.weight_a;
    s.weight_b = swap ? q->settings.weight_a : q->settings.weight_b;
    abut_depth d;
    abut_status status = abut_simplex_depth(swap ? &q->b : &q->a, swap ? &q->a : &q->b, &s, &d);
    FUZZ_REQUIRE(status == ABUT_OK, "%s", abut_status_name(status));
    return d.depth;
}

static void check_others(const asked *q, const abut_depth *d) {
    double unit = sqrt(
        fmax(q->settings.weight_a < INFINITY ? q->settings.weight_a : 0.0, q->settings.weight_b < INFINITY ? q->settings.weight_b : 0.0));
    double slack = 1e-11 * d->depth + 1e-13 * q->size * unit;
    double exact = other_depth(q, ABUT_DEPTH_EXACT44, false);
    if (q->settings.mode == ABUT_DEPTH_EXACT44) {
        double swapped = other_depth(q, ABUT_DEPTH_EXACT44, true);
        FUZZ_REQUIRE(fabs(swapped - d->depth) <= 100.0 * slack, "depth %.17g, swapped %.17g", d->depth, swapped);
    }
    if (q->settings.volume_ratio > -INFINITY) {
        return;
    }
    double free = other_depth(q, ABUT_DEPTH_FREE, false), paper = other_depth(q, ABUT_DEPTH_PAPER, false);
    FUZZ_REQUIRE(free <= d->depth + slack, "depth %.17g, free %.17g", d->depth, free);
    FUZZ_REQUIRE(free <= exact + slack && exact <= paper + slack, "free %.17g, exact %.17g, paper %.17g", free, exact, paper);
    abut_depth along;
    if (abut_simplex_depth_along(&q->a, &q->b, q->normal, &q->settings, &along) == ABUT_OK) {
        FUZZ_REQUIRE(along.depth >= free - slack, "along %.17g, free %.17g", along.depth, free);
    }
}

/* The rigid depth alone is that of the answer. On an error it is not written. */
static void check_rigid(const asked *q, const abut_depth *d) {
    const abut_rigid_depth *of = &d->rigid;
    abut_rigid_depth r = {.gap = -7.0};
    abut_status status = abut_simplex_rigid_depth(&q->a, &q->b, &r);
    require_status(status);
    FUZZ_REQUIRE(status == ABUT_OK || r.gap == -7.0, "%s, but the gap is %g", abut_status_name(status), r.gap);
    FUZZ_REQUIRE(d->status != ABUT_OK || status != ABUT_OK ||
                     (r.gap == of->gap && r.normal.x == of->normal.x && r.normal.y == of->normal.y && r.normal.z == of->normal.z &&
                      r.direction == of->direction && r.feature_a == of->feature_a && r.feature_b == of->feature_b &&
                      r.relation == of->relation),
                 "rigid depth %.17g alone, %.17g with an answer", -r.gap, -of->gap);
}

/* The displacement has the stated norm, and is that of a push to the plane where no volume is kept. */
static void check_norm(const asked *q, const abut_depth *d) {
    abut_vec3 pushed[4];
    double sigma = -7.0, slack = 1e-9 * d->sigma_a + 1e-12 * q->size * q->size,
           norm = abut_object_norm_squared(q->a.count, d->displacement_a);
    FUZZ_REQUIRE(fabs(norm - d->sigma_a) <= slack, "norm %.17g, stated %.17g", norm, d->sigma_a);
    abut_simplex a = q->a;
    for (int32_t i = 0; i < a.count; ++i) {
        a.vertex[i] = abut_sub(q->a.vertex[i], q->a.vertex[0]);
    }
    double offset = d->offset - abut_dot(d->normal, q->a.vertex[0]);
    if (q->settings.volume_ratio == -INFINITY && q->settings.mode != ABUT_DEPTH_PAPER && fabs(d->offset) <= 100.0 * q->size) {
        abut_status status = abut_simplex_push(&a, abut_neg(d->normal), -offset, pushed, &sigma);
        FUZZ_REQUIRE(status == ABUT_OK && (!(q->settings.weight_a < INFINITY) || sigma <= d->sigma_a + slack),
                     "pushed %.17g, displaced %.17g", sigma, d->sigma_a);
    }
}

static void check_gradient(const asked *q, const abut_depth *d) {
    abut_vec3 gradient[8], force = {0.0, 0.0, 0.0};
    abut_status status = abut_depth_gradient(&q->a, &q->b, &q->settings, d, gradient, gradient + 4);
    require_status(status);
    double most = 0.0;
    for (int32_t i = 0; i < 8 && status == ABUT_OK; ++i) {
        if (i % 4 < (i < 4 ? q->a.count : q->b.count)) {
            force = abut_add(force, gradient[i]);
            most = fmax(most, abut_length(gradient[i]));
        }
    }
    /* For a very small depth, displacements are differences of coordinates. The displacements of the heavier body are the smaller ones. */
    double a = q->settings.weight_a, b = q->settings.weight_b, ratio = a < INFINITY && b < INFINITY ? fmax(a / b, b / a) : 1.0;
    double rounding = 1e-14 * ratio * q->size / sqrt(d->sigma_a + d->sigma_b); /* infinite where squares of displacements underflow */
    bool balanced = most > 0.0 ? abut_length(force) <= (1e-9 + rounding) * most : abut_length(force) == 0.0;
    FUZZ_REQUIRE(status != ABUT_OK || balanced, "force %g of %g", abut_length(force), most);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bytes in = bytes_make(data, size);
    asked q = read_question(&in);
    if (fuzz_describes()) {
        describe(&q);
    }
    abut_depth d, again;
    abut_status status = abut_simplex_depth(&q.a, &q.b, &q.settings, &d);
    require_status(status);
    if (status != ABUT_OK) {
        return 0;
    }
    check_answer(&q, &d);
    check_rigid(&q, &d);
    status = abut_simplex_depth_batch(&q.a, &q.b, 1, &q.settings, NULL, &again);
    FUZZ_REQUIRE(status == ABUT_OK && memcmp(&again, &d, sizeof d) == 0, "%s, depth %.17g, batch %.17g", abut_status_name(status), d.depth,
                 again.depth);
    if (d.relation == ABUT_DEPTH_INTERSECTING && is_ordinary(&q)) {
        check_others(&q, &d);
        check_norm(&q, &d);
        check_gradient(&q, &d);
    }
    return 0;
}
