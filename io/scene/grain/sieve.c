/*
 * Draws sizes of grains. A grain is drawn by number. Where shares are those of the mass, the density of the number is that of the mass over the cube of the
 * size, which has a closed form between two points of a curve. A normal distribution becomes a curve with many points, whose shares are integrals by Simpson's
 * rule.
 */
#include "io/scene/grain/sieve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "io/scene/table_file.h"

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

/* Sizes and shares of a curve while it is read. */
typedef struct points {
    double *sizes, *shares; /* [count] */
    size_t count;
} points;

enum { MOST_TEXT = 160 };

/* What is wrong with a point; false when nothing is. */
static bool point_is_wrong(const points *p, size_t i, char text[MOST_TEXT]) {
    double size = p->sizes[i], share = p->shares[i];
    if (!(size > 0.0)) {
        snprintf(text, MOST_TEXT, "a size must be above 0, not %g", size);
    } else if (i > 0 && !(size >= p->sizes[i - 1] && share >= p->shares[i - 1])) {
        snprintf(text, MOST_TEXT, "sizes and shares of a 'curve' must not fall: [%g, %g] follows [%g, %g]", size, share, p->sizes[i - 1],
                 p->shares[i - 1]);
    } else if (i == 0 && share != 0.0) {
        snprintf(text, MOST_TEXT, "a 'curve' must begin with the share 0, not %g", share);
    } else if (i + 1 == p->count && share != 1.0) {
        snprintf(text, MOST_TEXT, "a 'curve' must end with the share 1, not %g%s", share,
                 share == 100.0 ? ": shares are parts of 1, not percentages" : "");
    } else {
        return false;
    }
    return true;
}

static bool points_make(points *p, size_t count) {
    *p = (points){calloc(count, sizeof *p->sizes), calloc(count, sizeof *p->shares), count};
    return p->sizes && p->shares;
}

static abut_status read_point_array(const scene_reader *reader, const scene_place *place, double scale, points *p) {
    abut_status status = read_array(reader, place, 2, "curve");
    if (status != ABUT_OK) {
        return status;
    }
    if (!points_make(p, json_array_size(place->value))) {
        return read_no_memory(reader);
    }
    for (size_t i = 0; i < p->count; i++) {
        scene_place element = read_element(place, i);
        double point[2] = {0.0, 0.0};
        char text[MOST_TEXT];
        status = read_numbers_at(reader, &element, "a point of 'curve', [size, share]", 2, point);
        p->sizes[i] = scale * point[0];
        p->shares[i] = point[1];
        if (status == ABUT_OK && point_is_wrong(p, i, text)) {
            status = read_fail(reader, &element, "%s", text);
        }
        if (status != ABUT_OK) {
            return status;
        }
    }
    return ABUT_OK;
}

/* Laboratories write percentages, and often the coarsest sieve first: then returns true. */
static bool take_rows(const scene_table *table, double scale, points *p) {
    const double *rows = table->numbers;
    size_t last = p->count - 1;
    bool falls = rows[0] > rows[2 * last];
    double whole = rows[falls ? 1 : 2 * last + 1] == 100.0 ? 100.0 : 1.0;
    for (size_t i = 0; i < p->count; i++) {
        size_t row = falls ? last - i : i;
        p->sizes[i] = scale * rows[2 * row];
        p->shares[i] = rows[2 * row + 1] / whole;
    }
    return falls;
}

static abut_status take_table(const scene_reader *reader, const scene_place *place, const scene_table *table, double scale, points *p) {
    if (table->count < 2) {
        return scene_table_fail(reader, place, table, 0, "a 'curve' needs at least 2 points, but this row is the only one");
    }
    if (!points_make(p, (size_t)table->count)) {
        return read_no_memory(reader);
    }
    bool falls = take_rows(table, scale, p);
    for (size_t i = 0; i < p->count; i++) {
        char text[MOST_TEXT];
        if (point_is_wrong(p, i, text)) {
            return scene_table_fail(reader, place, table, (int32_t)(falls ? p->count - 1 - i : i), "%s", text);
        }
    }
    return ABUT_OK;
}

static abut_status read_point_file(const scene_reader *reader, const scene_place *place, double scale, points *p) {
    scene_table table;
    abut_status status = scene_table_read(reader, place, 2, "[size, share]", &table);
    status = status == ABUT_OK ? take_table(reader, place, &table, scale, p) : status;
    scene_table_release(&table);
    return status;
}

static abut_status fail_sizes(const scene_reader *reader, const scene_place *place, abut_status status) {
    return status == ABUT_ERROR_NOT_FINITE ? read_fail(reader, place, "the sizes are too far from each other")
           : status == ABUT_ERROR_DEGENERATE
               ? read_fail(reader, place, "no size from 'least' to 'most' is within eight deviations of the middle")
           : status == ABUT_ERROR_OUT_OF_MEMORY ? read_no_memory(reader)
                                                : status;
}

static abut_status read_curve(const scene_reader *reader, const scene_place *place, double scale, bool by_mass, sieve *made) {
    points p = {NULL, NULL, 0};
    abut_status status =
        json_is_string(place->value) ? read_point_file(reader, place, scale, &p) : read_point_array(reader, place, scale, &p);
    if (status == ABUT_OK) {
        status = sieve_make_curve(p.sizes, p.shares, (int32_t)p.count, by_mass, made);
        status = fail_sizes(reader, place, status);
    }
    free(p.sizes);
    free(p.shares);
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

/* "scale" of the sizes of a curve; other distributions have none. */
static abut_status read_scale(const scene_reader *reader, const scene_place *place, bool curve, double *scale) {
    scene_place key;
    if (!curve && read_member(place, "scale", &key)) {
        return read_fail_as(reader, ABUT_ERROR_FORMAT, &key, true, "'scale' is for the sizes of a 'curve'");
    }
    return read_number(reader, place, "scale", NUMBER_POSITIVE, scale);
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
    double scale = 1.0;
    status = read_scale(reader, place, kind == 0, &scale);
    if (status != ABUT_OK) {
        return status;
    }
    return kind == 0 ? read_curve(reader, &value, scale, base == 1, made) : read_normal(reader, &value, kind == 2, base == 1, made);
}
