/*
 * Draws sizes of grains. A grain is drawn by number. Where shares are those of the mass, the density of the number is that of the mass over the cube of the
 * size, which has a closed form between two points of a curve. A normal distribution becomes a curve with many points, whose shares are integrals by Simpson's
 * rule.
 */
#include "io/scene/grain/sieve.h"

#include <math.h>
#include <stdlib.h>

enum { PARTS = 1024 }; /* of the curve of a normal distribution */

/* The share of a normal distribution farther from its middle than this number of deviations is 1e-15. */
static const double farthest = 8.0;

/* ---- curves ---- */

/* The number of grains per mass, of sizes that are spread evenly from d to e by mass: the mean of 1 / size^3. */
static double number_per_mass(double d, double e) { return (d + e) / (2.0 * d * d * e * e); }

abut_status sieve_make_curve(const double *sizes, const double *shares, int32_t count, bool by_mass, sieve *made) {
    *made = (sieve){.by_mass = by_mass, .count = count};
    made->sizes = calloc((size_t)count, sizeof *made->sizes);
    made->reached = calloc((size_t)count, sizeof *made->reached);
    if (!made->sizes || !made->reached) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    made->sizes[0] = sizes[0];
    for (int32_t i = 1; i < count; i++) {
        double share = shares[i] - shares[i - 1], d = sizes[i - 1] / sizes[count - 1], e = sizes[i] / sizes[count - 1];
        made->sizes[i] = sizes[i];
        made->reached[i] = made->reached[i - 1] + (by_mass && share > 0.0 ? share * number_per_mass(d, e) : share);
    }
    double all = made->reached[count - 1];
    return isfinite(all) && all > 0.0 ? ABUT_OK : ABUT_ERROR_NOT_FINITE;
}

double sieve_most(const sieve *s) { return s->sizes[s->count - 1]; }

/* A size between d and e that is spread evenly by number, or by mass. */
static double draw_between(bool by_mass, double d, double e, scatter_random *random) {
    double u = scatter_draw(random);
    double size = by_mass ? d / sqrt(1.0 - u * (1.0 - (d / e) * (d / e))) : d + u * (e - d);
    return fmin(fmax(size, d), e);
}

double sieve_draw(const sieve *s, scatter_random *random) {
    double wanted = scatter_draw(random) * s->reached[s->count - 1];
    int32_t below = 0, above = s->count - 1; /* reached[below] <= wanted < reached[above] */
    while (above - below > 1) {
        int32_t middle = below + (above - below) / 2;
        *(s->reached[middle] <= wanted ? &below : &above) = middle;
    }
    return draw_between(s->by_mass, s->sizes[below], s->sizes[above], random);
}

void sieve_release(sieve *s) {
    free(s->sizes);
    free(s->reached);
    *s = (sieve){.count = 0};
}

/* ---- normal distributions, with elementary functions that have the same bits on every machine ---- */

static double exp_of(double x) {
    const double ln2_high = 0x1.62e42fefa0000p-1, ln2_low = 0x1.cf79abc9e3b3ap-40;
    double n = floor(x / ln2_high + 0.5), r = (x - n * ln2_high) - n * ln2_low, sum = 1.0;
    for (int k = 16; k > 0; k--) {
        sum = 1.0 + sum * r / k;
    }
    return ldexp(sum, (int)fmax(-2000.0, fmin(n, 2000.0)));
}

static double log_of(double x) {
    const double ln2 = 0x1.62e42fefa39efp-1, half_root = 0x1.6a09e667f3bcdp-1;
    if (!(x > 0.0) || isinf(x)) {
        return x > 0.0 ? INFINITY : -INFINITY;
    }
    int exponent;
    double m = frexp(x, &exponent);
    if (m < half_root) {
        m *= 2.0;
        exponent--;
    }
    double t = (m - 1.0) / (m + 1.0), sum = 0.0;
    for (int k = 25; k > 0; k -= 2) {
        sum = sum * t * t + 1.0 / k;
    }
    return exponent * ln2 + 2.0 * t * sum;
}

/* The place of a size in deviations from the middle. */
static double place_of(const sieve_normal *n, double size) {
    return (n->logarithmic ? log_of(size / n->middle) : size - n->middle) / n->deviation;
}

static double size_at(const sieve_normal *n, double z) {
    double size = n->logarithmic ? n->middle * exp_of(z * n->deviation) : n->middle + z * n->deviation;
    return fmin(fmax(size, n->least), n->most);
}

/* The density relative to that at `best`, so that it does not underflow everywhere. */
static double density(double z, double best) { return exp_of(-0.5 * (z * z - best * best)); }

abut_status sieve_make_normal(const sieve_normal *n, bool by_mass, sieve *made) {
    *made = (sieve){.count = 0};
    double lower = fmax(place_of(n, n->least), -farthest), upper = fmin(place_of(n, n->most), farthest), h = (upper - lower) / PARTS;
    if (!(h > 0.0)) {
        return ABUT_ERROR_DEGENERATE;
    }
    double sizes[PARTS + 1], shares[PARTS + 1] = {0.0}, best = fmax(lower, fmin(0.0, upper));
    sizes[0] = size_at(n, lower);
    for (int i = 1; i <= PARTS; i++) {
        double z = lower + i * h;
        sizes[i] = fmax(size_at(n, i < PARTS ? z : upper), sizes[i - 1]);
        shares[i] = shares[i - 1] + density(z - h, best) + 4.0 * density(z - 0.5 * h, best) + density(z, best);
    }
    return sieve_make_curve(sizes, shares, PARTS + 1, by_mass, made);
}

/* ---- reading ---- */

static abut_status check_point(const scene_reader *reader, const scene_place *place, const double *point, const double *before, bool last) {
    if (!(point[0] > 0.0)) {
        return read_fail(reader, place, "a size must be above 0, not %g", point[0]);
    }
    if (before && !(point[0] >= before[0] && point[1] >= before[1])) {
        return read_fail(reader, place, "sizes and shares of a 'curve' must not fall: [%g, %g] follows [%g, %g]", point[0], point[1],
                         before[0], before[1]);
    }
    if (!before && point[1] != 0.0) {
        return read_fail(reader, place, "a 'curve' must begin with the share 0, not %g", point[1]);
    }
    if (last && point[1] != 1.0) {
        return read_fail(reader, place, "a 'curve' must end with the share 1, not %g%s", point[1],
                         point[1] == 100.0 ? ": shares are parts of 1, not percentages" : "");
    }
    return ABUT_OK;
}

static abut_status read_curve_points(const scene_reader *reader, const scene_place *place, double *sizes, double *shares, size_t count) {
    double before[2] = {0.0, 0.0};
    for (size_t i = 0; i < count; i++) {
        scene_place element = read_element(place, i);
        double point[2];
        abut_status status = read_numbers_at(reader, &element, "a point of 'curve', [size, share]", 2, point);
        status = status == ABUT_OK ? check_point(reader, &element, point, i > 0 ? before : NULL, i + 1 == count) : status;
        if (status != ABUT_OK) {
            return status;
        }
        sizes[i] = before[0] = point[0];
        shares[i] = before[1] = point[1];
    }
    return ABUT_OK;
}

static abut_status fail_sizes(const scene_reader *reader, const scene_place *place, abut_status status) {
    return status == ABUT_ERROR_NOT_FINITE ? read_fail(reader, place, "the sizes are too far from each other")
           : status == ABUT_ERROR_DEGENERATE
               ? read_fail(reader, place, "no size from 'least' to 'most' is within eight deviations of the middle")
           : status == ABUT_ERROR_OUT_OF_MEMORY ? read_no_memory(reader)
                                                : status;
}

static abut_status read_curve(const scene_reader *reader, const scene_place *place, bool by_mass, sieve *made) {
    abut_status status = read_array(reader, place, 2, "curve");
    if (status != ABUT_OK) {
        return status;
    }
    size_t count = json_array_size(place->value);
    double *sizes = calloc(count, sizeof *sizes), *shares = calloc(count, sizeof *shares);
    status = sizes && shares ? read_curve_points(reader, place, sizes, shares, count) : read_no_memory(reader);
    if (status == ABUT_OK) {
        status = sieve_make_curve(sizes, shares, (int32_t)count, by_mass, made);
        status = fail_sizes(reader, place, status);
    }
    free(sizes);
    free(shares);
    return status;
}

static abut_status read_normal(const scene_reader *reader, const scene_place *place, bool logarithmic, bool by_mass, sieve *made) {
    sieve_normal normal = {.logarithmic = logarithmic};
    const number_key numbers[] = {{logarithmic ? "median" : "mean", NUMBER_POSITIVE, &normal.middle},
                                  {"deviation", NUMBER_POSITIVE, &normal.deviation},
                                  {"least", NUMBER_POSITIVE, &normal.least},
                                  {"most", NUMBER_POSITIVE, &normal.most}};
    abut_status status = read_object(reader, place, logarithmic ? SCENE_LOG_NORMAL : SCENE_GAUSS, logarithmic ? "'log_normal'" : "'gauss'");
    status = status == ABUT_OK ? read_number_keys(reader, place, numbers, sizeof numbers / sizeof *numbers) : status;
    if (status == ABUT_OK && !(normal.least < normal.most)) {
        status = read_fail(reader, place, "'most' %g must be above 'least' %g", normal.most, normal.least);
    }
    return status == ABUT_OK ? fail_sizes(reader, place, sieve_make_normal(&normal, by_mass, made)) : status;
}

abut_status sieve_read(const scene_reader *reader, const scene_place *place, sieve *made) {
    static const char *const bases[] = {"number", "mass", NULL}, *const kinds[] = {"curve", "gauss", "log_normal"};
    *made = (sieve){.count = 0};
    int base = 0, found = 0, kind = 0;
    abut_status status = read_object(reader, place, SCENE_SIZES, "'sizes'");
    status = status == ABUT_OK ? read_choice(reader, place, "by", bases, &base) : status;
    if (status != ABUT_OK) {
        return status;
    }
    scene_place value;
    for (int i = 0; i < 3; i++) {
        if (read_member(place, kinds[i], &value)) {
            kind = i;
            found++;
        }
    }
    if (found != 1) {
        return read_fail(reader, place, "'sizes' must have exactly one of 'curve', 'gauss' and 'log_normal', not %d", found);
    }
    read_member(place, kinds[kind], &value);
    return kind == 0 ? read_curve(reader, &value, base == 1, made) : read_normal(reader, &value, kind == 2, base == 1, made);
}
