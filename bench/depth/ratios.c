#include "depth/ratios.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "depth/inputs.h"
#include "support/depth_problem.h"
#include "support/statistics.h"

enum { CHUNK = 1000, SHOWN = 200, BINS = 200, FIRST = 6 };

/* Reference values: the paper's table I, and an independent implementation by equality-constrained closed forms on 400,000 pairs (free
 * normals: 20,000). NAN: no value. */
typedef struct variant {
    const char *name, *key;
    abut_depth_mode mode;
    bool is_static; /* A */
    double paper_mean, paper_deviation, known_mean, known_deviation;
} variant;

static const variant variants[] = {
    {"static/def, as printed", "static_paper", ABUT_DEPTH_PAPER, true, 43.59, 13.17, 40.97, 9.46},
    {"static/def", "static", ABUT_DEPTH_EXACT44, true, NAN, NAN, 40.56, 9.29},
    {"static/def, free", "static_free", ABUT_DEPTH_FREE, true, NAN, NAN, 38.95, NAN},
    {"def/def, as printed", "paper", ABUT_DEPTH_PAPER, false, 27.94, 3.15, 27.93, 3.03},
    {"def/def, accelerated", "accelerated", ABUT_DEPTH_ACCELERATED, false, 29.39, 3.47, 29.40, 3.39},
    {"def/def", "exact44", ABUT_DEPTH_EXACT44, false, NAN, NAN, 27.51, 3.16},
    {"def/def, best 6", "best_k", ABUT_DEPTH_BEST_K, false, NAN, NAN, NAN, NAN},
    {"def/def, free local", "free_local", ABUT_DEPTH_FREE_LOCAL, false, NAN, NAN, NAN, NAN},
    {"def/def, free", "free", ABUT_DEPTH_FREE, false, NAN, NAN, 25.79, NAN},
};
enum { STATIC_PAPER = 0, PAPER = 3, ACCELERATED = 4, DEFAULT = 5, LOCAL = 7, FREE = 8, VARIANTS = sizeof variants / sizeof *variants };

static const double paper_coincide = 52.33, known_coincide = 52.63, known_first[FIRST] = {52.4, 70.1, 79.0, 84.2, 87.8, 90.2};

static const char note[] = "The paper's static/def does not come out: 41.0 (9.5), not 43.6 (13.2). That is nine standard errors of a run "
                           "of 1,000 pairs. Nor does it\n"
                           "with other constraints, directions, samplings, roles or ratios that were tried; the paper's five other figures "
                           "do, each within what such\n"
                           "a run may be off by. A different sample, or a detail of the paper's program, remains.\n";

typedef struct sums {
    double mean, square; /* by B. P. Welford's recurrence: square is the sum of squared deviations from the mean */
    double least, most;
    int32_t bin[BINS]; /* bins of half a percent */
    double shown[SHOWN];
} sums;

typedef struct totals {
    int32_t pairs, failed;
    sums of[VARIANTS];
    int32_t coincide, first[FIRST];
    double *excess;                         /* [pairs] of the accelerated mode over the paper's */
    double excess_most;                     /* the largest of these */
    double over_default, most_over_default; /* mean and largest excess of the accelerated mode over the default */
    int32_t local_least, below_paper;
} totals;

static void add(sums *s, int32_t before, double ratio) {
    double off = ratio - s->mean;
    s->mean += off / (before + 1);
    s->square += off * (ratio - s->mean);
    s->least = before == 0 ? ratio : fmin(s->least, ratio);
    s->most = before == 0 ? ratio : fmax(s->most, ratio);
    s->bin[(int32_t)fmin(BINS - 1, ratio * BINS / 100.0)]++;
    if (before < SHOWN) {
        s->shown[before] = ratio;
    }
}

static double deviation(const sums *s, int32_t count) { return count > 1 ? sqrt(s->square / (count - 1)) : 0.0; }

static double overlap_along(const abut_simplex *a, const abut_simplex *b, abut_vec3 normal) {
    double highest = -INFINITY, lowest = INFINITY;
    for (int32_t i = 0; i < 4; i++) {
        highest = fmax(highest, abut_dot(normal, abut_sub(b->vertex[i], a->vertex[0])));
        lowest = fmin(lowest, abut_dot(normal, abut_sub(a->vertex[i], a->vertex[0])));
    }
    return highest - lowest;
}

/* The number of directions, out of 44 in both senses, with a smaller overlap than this normal. */
static int32_t rank_of(const abut_simplex *a, const abut_simplex *b, abut_vec3 normal) {
    depth_direction directions[DEPTH_DIRECTIONS];
    int32_t count = depth_directions(a, b, directions), rank = 0;
    double own = overlap_along(a, b, normal) * (1.0 - 1e-9);
    for (int32_t i = 0; i < count; i++) {
        rank += overlap_along(a, b, directions[i].normal) < own;
        rank += overlap_along(a, b, abut_neg(directions[i].normal)) < own;
    }
    return rank;
}

static void count_pair(totals *t, const abut_simplex *a, const abut_simplex *b, abut_depth depth[VARIANTS]) {
    for (int v = 0; v < VARIANTS; v++) {
        if (depth[v].relation != ABUT_DEPTH_INTERSECTING) {
            t->failed++;
            return;
        }
    }
    for (int v = 0; v < VARIANTS; v++) {
        add(&t->of[v], t->pairs, 100.0 * depth[v].depth / -depth[v].rigid.gap);
    }
    int32_t rank = rank_of(a, b, depth[PAPER].normal);
    for (int k = 0; k < FIRST; k++) {
        t->first[k] += rank <= k;
    }
    t->coincide += abut_distance_between(depth[PAPER].normal, depth[ACCELERATED].normal) < 1e-9;
    t->excess[t->pairs] = 100.0 * (depth[ACCELERATED].depth / depth[PAPER].depth - 1.0);
    t->excess_most = fmax(t->excess_most, t->excess[t->pairs]);
    double over_default = 100.0 * (depth[ACCELERATED].depth / depth[DEFAULT].depth - 1.0);
    t->over_default += (over_default - t->over_default) / (t->pairs + 1);
    t->most_over_default = fmax(t->most_over_default, over_default);
    t->local_least += depth[LOCAL].depth <= depth[FREE].depth * (1.0 + 1e-9);
    t->below_paper += depth[FREE].depth < depth[PAPER].depth * (1.0 - 1e-9);
    t->pairs++;
}

static void run_chunk(totals *t, inputs *in, int32_t count) {
    static abut_simplex a[CHUNK], b[CHUNK];
    static abut_depth depths[VARIANTS][CHUNK];
    inputs_next(in, count, a, b);
    for (int v = 0; v < VARIANTS; v++) {
        abut_depth_settings settings = abut_depth_settings_default();
        settings.mode = variants[v].mode;
        settings.weight_a = variants[v].is_static ? INFINITY : 1.0;
        (void)abut_simplex_depth_batch(a, b, count, &settings, NULL, depths[v]);
    }
    for (int32_t i = 0; i < count; i++) {
        abut_depth depth[VARIANTS];
        for (int v = 0; v < VARIANTS; v++) {
            depth[v] = depths[v][i];
        }
        count_pair(t, &a[i], &b[i], depth);
    }
}

static void print_figures(double mean, double deviation_of) {
    char text[32] = "";
    if (!isnan(mean)) {
        (void)snprintf(text, sizeof text, isnan(deviation_of) ? "%.2f" : "%.2f (%.2f)", mean, deviation_of);
    }
    printf(" %15s", text);
}

static double share(int32_t count, const totals *t) { return t->pairs > 0 ? 100.0 * count / t->pairs : 0.0; }

static void print_tables(const totals *t, int32_t tried, statistics error) {
    printf("deformable depth over rigid depth, in percent: mean (standard deviation) of %d random pairs that intersect (%.1f %% do)\n\n",
           (int)t->pairs, 100.0 * t->pairs / tried);
    printf("  %-26s %15s %15s %15s %8s %8s\n", "", "abut", "paper", "known", "least", "most");
    for (int v = 0; v < VARIANTS; v++) {
        printf("  %-26s", variants[v].name);
        print_figures(t->of[v].mean, deviation(&t->of[v], t->pairs));
        print_figures(variants[v].paper_mean, variants[v].paper_deviation);
        print_figures(variants[v].known_mean, variants[v].known_deviation);
        printf(" %8.2f %8.2f\n", t->of[v].least, t->of[v].most);
    }
    printf("\n%s\n", note);
    printf("  %-44s %10s %10s %10s\n", "percent of the pairs", "abut", "paper", "known");
    printf("  %-44s %10.2f %10.2f %10.2f\n", "accelerated has the direction of the least", share(t->coincide, t), paper_coincide,
           known_coincide);
    for (int k = 0; k < FIRST; k++) {
        printf("  the least is among the %d of least overlap     %10.2f %10s %10.2f\n", k + 1, share(t->first[k], t),
               k + 1 == FIRST ? "> 90" : "", known_first[k]);
    }
    printf("  %-44s %10.2f %10s %10.2f\n", "free local is the least of all normals", share(t->local_least, t), "", 96.0);
    printf("  %-44s %10.2f %10s %10.2f\n", "a free normal is better than all 44", share(t->below_paper, t), "", 100.0);
    printf("  accelerated over as printed, in percent: mean %.2f, median %.2f, 90th percentile %.1f; of the means %.2f (paper: < 5)\n",
           error.mean, error.median, error.p90, 100.0 * (t->of[ACCELERATED].mean / t->of[PAPER].mean - 1.0));
    printf("  at most %.2f; over the default: mean %.2f, at most %.2f\n", t->excess_most, t->over_default, t->most_over_default);
    if (t->failed > 0) {
        printf("  %d pairs FAILED\n", (int)t->failed);
    }
}

static void put_number(FILE *json, const char *name, double x) {
    if (isnan(x)) {
        fprintf(json, ", \"%s\": null", name);
    } else {
        fprintf(json, ", \"%s\": %.4f", name, x);
    }
}

static void put_variant(FILE *json, const variant *v, const sums *s, int32_t pairs) {
    fprintf(json, "\n  {\"name\": \"%s\", \"key\": \"%s\"", v->name, v->key);
    put_number(json, "mean", s->mean);
    put_number(json, "deviation", deviation(s, pairs));
    put_number(json, "least", s->least);
    put_number(json, "most", s->most);
    put_number(json, "paper_mean", v->paper_mean);
    put_number(json, "paper_deviation", v->paper_deviation);
    put_number(json, "known_mean", v->known_mean);
    put_number(json, "known_deviation", v->known_deviation);
    fprintf(json, ",\n   \"histogram\": [");
    for (int i = 0; i < BINS; i++) {
        fprintf(json, "%s%d", i > 0 ? ", " : "", (int)s->bin[i]);
    }
    fprintf(json, "],\n   \"first_pairs\": [");
    for (int i = 0; i < SHOWN && i < pairs; i++) {
        fprintf(json, "%s%.2f", i > 0 ? ", " : "", s->shown[i]);
    }
    fprintf(json, "]}");
}

static void put_json(FILE *json, const totals *t, int32_t tried, statistics error) {
    fprintf(json, "\"ratios\": {\"pairs\": %d, \"tried\": %d, \"failed\": %d, \"bin_percent\": %g, \"variants\": [", (int)t->pairs,
            (int)tried, (int)t->failed, 100.0 / BINS);
    for (int v = 0; v < VARIANTS; v++) {
        fprintf(json, v > 0 ? "," : "");
        put_variant(json, &variants[v], &t->of[v], t->pairs);
    }
    fprintf(json, "],\n  \"coincide\": %.4f, \"paper_coincide\": %.2f, \"known_coincide\": %.2f, \"first\": [", share(t->coincide, t),
            paper_coincide, known_coincide);
    for (int k = 0; k < FIRST; k++) {
        fprintf(json, "%s{\"share\": %.4f, \"known\": %.1f}", k > 0 ? ", " : "", share(t->first[k], t), known_first[k]);
    }
    fprintf(json, "], \"local_is_least\": %.4f, \"free_below_paper\": %.4f,\n", share(t->local_least, t), share(t->below_paper, t));
    fprintf(json, "  \"accelerated_excess\": {\"mean\": %.4f, \"median\": %.4f, \"p90\": %.4f, \"most\": %.4f},\n", error.mean,
            error.median, error.p90, t->excess_most);
    fprintf(json, "  \"accelerated_over_default\": {\"mean\": %.4f, \"most\": %.4f}}", t->over_default, t->most_over_default);
}

bool ratios_run(FILE *json, int32_t pairs) {
    totals *t = calloc(1, sizeof *t);
    double *excess = calloc((size_t)pairs, sizeof *excess);
    bool ran = t != NULL && excess != NULL;
    if (ran) {
        inputs in = inputs_make(1);
        t->excess = excess;
        for (int32_t done = 0; done < pairs; done += CHUNK) {
            run_chunk(t, &in, pairs - done < CHUNK ? pairs - done : CHUNK);
        }
        statistics error = statistics_of(excess, (size_t)t->pairs);
        print_tables(t, in.tried, error);
        put_json(json, t, in.tried, error);
        ran = t->failed == 0;
    }
    free(excess);
    free(t);
    return ran;
}
