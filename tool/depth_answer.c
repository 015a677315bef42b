/*
 * The answer of `abut depth` as a table and as JSON.
 */
#include "tool/depth_answer.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tool/answer.h"

const char *const depth_modes[] = {"exact44", "paper", "accelerated", "best-k", "free-local", "free", NULL};

const char *depth_relation_name(abut_depth_relation relation) {
    static const char *const names[] = {"none", "disjoint", "touching", "intersecting"};
    return relation <= ABUT_DEPTH_INTERSECTING ? names[relation] : "none";
}

const char *depth_direction_name(abut_depth_direction direction) {
    static const char *const names[] = {"nothing", "face_a", "face_b", "edges", "plane", "search", "caller"};
    return direction <= ABUT_DEPTH_BY_CALLER ? names[direction] : "nothing";
}

/* ---- as a table ---- */

static void print_body(const char *name, const depth_body *body) {
    int32_t count = body->mesh.element_count;
    printf("%s: %s, ", name, body->name);
    if (body->file) {
        printf("%d element%s, %d vertices", (int)count, answer_plural(count), (int)body->mesh.vertex_count);
    } else {
        printf("one tetrahedron from each of %d row%s", (int)count, answer_plural(count));
    }
    if (body->flat > 0) {
        printf(", %d flat", (int)body->flat);
    }
    if (body->file && body->inverted == count && count > 1) {
        printf(", all wound the other way");
    } else if (body->file && body->inverted > 0) {
        printf(", %d inside out", (int)body->inverted);
    }
    printf("\n");
}

static void print_pairs(const depth_answer *q) {
    if (q->given) {
        printf("  %-22s %d: %d intersecting, %d touching, %d apart", "pairs", (int)q->count, (int)q->intersecting, (int)q->touching,
               (int)(q->count - q->intersecting - q->touching - q->failed));
        printf(q->failed > 0 ? ", %d without an answer\n" : "\n", (int)q->failed);
    } else {
        printf("  %-22s %" PRId64 " whose boxes meet\n", "candidate pairs", q->candidates);
        printf("  %-22s %d", "intersecting pairs", (int)q->intersecting);
        if (q->touching + q->failed > 0) {
            printf(", and %d touching, %d without an answer", (int)q->touching, (int)q->failed);
        }
        printf("\n");
    }
    if (q->intersecting > 0 && q->body_count == 2) {
        printf("  %-22s %d of A, %d of B\n", "elements in them", (int)q->touched[0], (int)q->touched[1]);
    } else if (q->intersecting > 0) {
        printf("  %-22s %d\n", "elements in them", (int)q->touched[0]);
    }
}

static void print_deepest(const depth_answer *q) {
    abut_element_pair pair = q->pairs[q->deepest];
    const abut_depth *d = &q->depths[q->deepest];
    const depth_body *a = &q->body[0], *b = depth_second(q);
    printf("  %-22s %.9g; rigid %.9g\n", "deepest", d->depth, -d->rigid.gap);
    printf("  %-22s %" PRId64, q->rows ? "  row" : "  elements", a->tags[pair.a]);
    if (a->regions) {
        printf(" (region %d)", (int)a->regions[pair.a]);
    }
    if (!q->rows) {
        printf(" and %" PRId64, b->tags[pair.b]);
        if (b->regions) {
            printf(" (region %d)", (int)b->regions[pair.b]);
        }
    }
    printf("\n");
    answer_print_vec3("  normal into the first", 22, d->normal);
}

static void print_spread(const char *name, const depth_spread *s, double unit) {
    printf("  %-13s", name);
    for (int i = 0; i < DEPTH_QUANTILES; i++) {
        printf(" %9.4g", unit * s->quantile[i]);
    }
    printf("  %.4g (%.4g)\n", unit * s->mean, unit * s->deviation);
}

static void print_spreads(const depth_answer *q) {
    static const char *const titles[DEPTH_QUANTILES] = {"least", "5 %", "25 %", "median", "75 %", "95 %", "most"};
    printf("\n  %-13s", "");
    for (int i = 0; i < DEPTH_QUANTILES; i++) {
        printf(" %9s", titles[i]);
    }
    printf("  mean (deviation)\n");
    print_spread("depth", &q->depth, 1.0);
    print_spread("of rigid [%]", &q->share, 100.0);
    printf("\n");
}

static void print_separation(const depth_answer *q) {
    const abut_resolve_report *r = &q->separation->report;
    printf("  %-22s %" PRId64 " of %" PRId64 " pair%s", "separated",
           r->pairs_begin > r->pairs_remaining ? r->pairs_begin - r->pairs_remaining : 0, r->pairs_begin, answer_plural(r->pairs_begin));
    printf(r->pairs_remaining > 0 ? "; %" PRId64 " intersect now\n" : "\n", r->pairs_remaining);
    printf("  %-22s %d round%s, %d zone%s", "by zones", (int)r->rounds, answer_plural(r->rounds), (int)r->zones, answer_plural(r->zones));
    printf(r->zones_stuck > 0 ? ", %d of them stuck\n" : "\n", (int)r->zones_stuck);
    if (r->sweeps > 0) {
        printf("  %-22s %d%s\n", "sweeps", (int)r->sweeps, r->swept ? "" : " tried, not taken");
    }
    printf("  %-22s %.9g root mean square, %.9g at most\n", "displacement", r->displacement_rms, r->displacement_max);
    printf("  %-22s %d flat, %d before; %d turned inside out\n", "elements", (int)r->flat_after, (int)r->flat_before, (int)r->inverted);
    if (q->separation->ratio[0]) {
        printf("  %-22s %.9g at least; it holds back %d element%s\n", "share of the volume", r->volume_ratio_least, (int)r->at_volume_ratio,
               answer_plural(r->at_volume_ratio));
    }
}

void depth_print_table(const depth_answer *q) {
    bool two = q->body_count == 2;
    print_body(two ? "A" : "A, with itself", &q->body[0]);
    if (two && !q->rows) {
        print_body("B", &q->body[1]);
    }
    print_pairs(q);
    if (q->intersecting > 0) {
        print_deepest(q);
        print_spreads(q);
    }
    if (q->separation) {
        print_separation(q);
    }
    printf("  %-22s %.3g s: reading %.3g, pairs %.3g, depths %.3g", "time",
           q->seconds_read + q->seconds_pairs + q->seconds_depths + q->seconds_resolve, q->seconds_read, q->seconds_pairs,
           q->seconds_depths);
    if (q->separation) {
        printf(", separation %.3g", q->seconds_resolve);
    }
    printf("\n");
}

/* ---- as JSON ---- */

static json_t *json_displacement(const abut_vec3 d[4]) {
    return json_pack("[o,o,o,o]", answer_json_vec3(d[0]), answer_json_vec3(d[1]), answer_json_vec3(d[2]), answer_json_vec3(d[3]));
}

static json_t *json_rigid(const abut_rigid_depth *r) {
    return json_pack("{s:f, s:o, s:s, s:i, s:i}", "depth", -r->gap, "normal", answer_json_vec3(r->normal), "direction",
                     depth_direction_name(r->direction), "feature_a", (int)r->feature_a, "feature_b", (int)r->feature_b);
}

static json_t *json_pair(const depth_answer *q, int32_t index) {
    const abut_depth *d = &q->depths[index];
    int64_t a = q->body[0].tags[q->pairs[index].a], b = depth_second(q)->tags[q->pairs[index].b];
    if (d->status) {
        return json_pack("{s:I, s:I, s:s, s:s}", "a", (json_int_t)a, "b", (json_int_t)b, "relation", depth_relation_name(d->relation),
                         "problem", abut_status_message(d->status));
    }
    return json_pack("{s:I, s:I, s:s, s:f, s:f, s:f, s:o, s:f, s:o, s:o, s:s, s:i, s:i, s:b, s:f, s:f, s:o}", "a", (json_int_t)a, "b",
                     (json_int_t)b, "relation", depth_relation_name(d->relation), "depth", d->depth, "sigma_a", d->sigma_a, "sigma_b",
                     d->sigma_b, "normal", answer_json_vec3(d->normal), "offset", d->offset, "displacement_a",
                     json_displacement(d->displacement_a), "displacement_b", json_displacement(d->displacement_b), "direction",
                     depth_direction_name(d->direction), "feature_a", (int)d->feature_a, "feature_b", (int)d->feature_b, "certified",
                     d->certified != 0, "volume_force_a", d->volume_force_a, "volume_force_b", d->volume_force_b, "rigid",
                     json_rigid(&d->rigid));
}

static json_t *json_body(const depth_body *body) {
    json_t *name = json_string(body->name);
    return json_pack("{s:o, s:i, s:i, s:i, s:i, s:o, s:o}", "file", name ? name : json_string(""), "elements",
                     (int)body->mesh.element_count, "vertices", (int)body->mesh.vertex_count, "flat", (int)body->flat, "inverted",
                     (int)body->inverted, "position", answer_json_vec3(body->pose.position), "rotation",
                     answer_json_quat(body->pose.rotation));
}

static json_t *json_weight(double weight) { return weight < INFINITY ? json_real(weight) : json_string("static"); }

static json_t *json_settings(const abut_depth_settings *s) {
    return json_pack("{s:s, s:i, s:o, s:o, s:o}", "mode", depth_modes[s->mode], "best_k", (int)s->best_k, "weight_a",
                     json_weight(s->weight_a), "weight_b", json_weight(s->weight_b), "volume_ratio",
                     s->volume_ratio > -INFINITY ? json_real(s->volume_ratio) : json_null());
}

static json_t *json_spread(const depth_answer *q, const depth_spread *s) {
    if (q->intersecting == 0) {
        return json_null();
    }
    json_t *quantiles = json_array();
    for (int i = 0; i < DEPTH_QUANTILES; i++) {
        json_array_append_new(quantiles, json_pack("[f,f]", depth_quantile_shares[i], s->quantile[i]));
    }
    return json_pack("{s:f, s:f, s:o}", "mean", s->mean, "deviation", s->deviation, "quantiles", quantiles);
}

/* The numbers of the elements that the volume ratio holds back, as the report counts them: with less than 3 % of what they could lose left. */
static json_t *json_held(const depth_answer *q, int b) {
    const double *ratio = b < q->body_count ? q->separation->ratio[b] : NULL, least = q->settings.volume_ratio;
    if (!ratio) {
        return json_null();
    }
    json_t *held = json_array();
    for (int32_t e = 0; e < q->body[b].mesh.element_count; e++) {
        if (ratio[e] < least + 0.03 * (1.0 - least)) {
            json_array_append_new(held, json_integer(q->body[b].tags[e]));
        }
    }
    return held;
}

static json_t *json_separation(const depth_answer *q) {
    const depth_separation *s = q->separation;
    if (!s) {
        return json_null();
    }
    const abut_resolve_report *r = &s->report;
    const char *end = s->status == ABUT_OK ? "apart" : s->status == ABUT_ERROR_INFEASIBLE ? "infeasible" : "limit";
    return json_pack("{s:s, s:I, s:I, s:I, s:i, s:i, s:b, s:i, s:i, s:f, s:f, s:i, s:i, s:i, s:o, s:o, s:o}", "end", end, "pairs_begin",
                     (json_int_t)r->pairs_begin, "pairs_remaining", (json_int_t)r->pairs_remaining, "pairs_tested",
                     (json_int_t)r->pairs_tested, "rounds", (int)r->rounds, "sweeps", (int)r->sweeps, "swept", (int)r->swept, "zones",
                     (int)r->zones, "zones_stuck", (int)r->zones_stuck, "displacement_rms", r->displacement_rms, "displacement_max",
                     r->displacement_max, "flat_before", (int)r->flat_before, "flat_after", (int)r->flat_after, "inverted",
                     (int)r->inverted, "volume_ratio_least", s->ratio[0] ? json_real(r->volume_ratio_least) : json_null(), "held_a",
                     json_held(q, 0), "held_b", json_held(q, 1));
}

static json_t *json_seconds(const depth_answer *q) {
    return json_pack("{s:f, s:f, s:f, s:f}", "reading", q->seconds_read, "pairs", q->seconds_pairs, "depths", q->seconds_depths,
                     "separation", q->seconds_resolve);
}

/* Everything except the pairs; NULL when there is no memory. */
static json_t *json_summary(const depth_answer *q) {
    return json_pack("{s:o, s:o, s:o, s:o, s:i, s:i, s:i, s:i, s:o, s:o, s:o, s:o, s:o}", "a", json_body(&q->body[0]), "b",
                     q->body_count == 2 ? json_body(&q->body[1]) : json_null(), "settings", json_settings(&q->settings), "candidates",
                     q->candidates >= 0 ? json_integer(q->candidates) : json_null(), "count", (int)q->count, "intersecting",
                     (int)q->intersecting, "touching", (int)q->touching, "failed", (int)q->failed, "deepest",
                     q->deepest >= 0 ? json_integer(q->deepest) : json_null(), "depth", json_spread(q, &q->depth), "depth_over_rigid",
                     json_spread(q, &q->share), "separation", json_separation(q), "seconds", json_seconds(q));
}

/* Prints the value and releases it. False when there is no memory. */
static bool put_json(const char *before, json_t *value) {
    char *text = value ? json_dumps(value, JSON_REAL_PRECISION(17) | JSON_ENCODE_ANY) : NULL;
    json_decref(value);
    if (text) {
        printf("%s%s", before, text);
    }
    free(text);
    return text != NULL;
}

/* Prints piece by piece, because there may be millions of pairs. */
bool depth_print_json(const depth_answer *q) {
    json_t *summary = json_summary(q), *value;
    const char *key;
    bool whole = summary != NULL;
    printf("{\n");
    json_object_foreach(summary, key, value) {
        printf("  \"%s\": ", key);
        whole = whole && put_json("", json_incref(value));
        printf(",\n");
    }
    json_decref(summary);
    printf("  \"pairs\": [");
    for (int32_t i = 0; i < q->count && whole; i++) {
        whole = put_json(i > 0 ? ",\n    " : "\n    ", json_pair(q, i));
    }
    printf("\n  ]\n}\n");
    return whole;
}
