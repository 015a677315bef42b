/*
 * The answer of `abut collide` as a table and as JSON.
 */
#include "tool/collide_answer.h"

#include <jansson.h>
#include <stdlib.h>

#include "tool/answer.h"

enum { NAME_WIDTH = 14 };

static const char *const feature_names[] = {"none", "face", "edge", "vertex", "smooth"};

static bool has_growth(const collide_answer *q) { return q->growth_status == ABUT_OK || q->growth_status == ABUT_ERROR_ITERATION_LIMIT; }

/* The smallest gap of all contacts. */
static double least_gap(const collide_answer *q) {
    double least = q->contacts[0].gap;
    for (int32_t i = 1; i < q->count; i++) {
        least = fmin(least, q->contacts[i].gap);
    }
    return least;
}

/* ---- as a table ---- */

/* shape: 0 for A, 1 for B and the meshes that form one surface with it. */
static void format_feature(const collide_answer *q, int shape, abut_feature feature, char *text, size_t size) {
    const char *name = feature.kind <= ABUT_FEATURE_SMOOTH ? feature_names[feature.kind] : "none";
    bool compound = abut_shape_kind(q->shapes[shape].shape) == ABUT_SHAPE_COMPOUND;
    if (shape == 1 && q->shape_count > 2) {
        snprintf(text, size, "%s %d of mesh %d", name, (int)feature.index, (int)feature.part);
    } else if (compound) {
        snprintf(text, size, "%s %d of part %d", name, (int)feature.index, (int)feature.part);
    } else {
        snprintf(text, size, "%s %d", name, (int)feature.index);
    }
}

static const char *flag_text(uint32_t flags) {
    bool chosen = flags & ABUT_CONTACT_NORMAL_CHOSEN, witness = flags & ABUT_CONTACT_WITNESS;
    return chosen && witness ? "  normal chosen, witness" : chosen ? "  normal chosen" : witness ? "  witness" : "";
}

static void print_patch(const collide_answer *q, int32_t index) {
    const collide_patch *p = &q->patches[index];
    printf("\nPatch %d: %d contact%s", (int)index, (int)p->count, answer_plural(p->count));
    if (p->count < p->found) {
        printf(" of %d (support area %.9g of %.9g)", (int)p->found, p->area_after, p->area_before);
    }
    printf(", area %.9g\n", p->area);
    answer_print_vec3("normal", NAME_WIDTH, q->contacts[p->first].normal);
    printf("  %-13s  %-36s  %-20s  %-20s  %s\n", "gap", "point on B", "of A", "of B", "id");
    for (int32_t i = p->first; i < p->first + p->count; i++) {
        const abut_contact *c = &q->contacts[i];
        char point[80], of_a[40], of_b[40];
        snprintf(point, sizeof point, "%.9g %.9g %.9g", c->on_b.x + 0.0, c->on_b.y + 0.0, c->on_b.z + 0.0);
        format_feature(q, 0, c->feature_a, of_a, sizeof of_a);
        format_feature(q, 1, c->feature_b, of_b, sizeof of_b);
        printf("  %-13.6g  %-36s  %-20s  %-20s  %016llx%s\n", c->gap, point, of_a, of_b, (unsigned long long)c->id, flag_text(c->flags));
    }
}

static void print_growth(const collide_answer *q) {
    const abut_growth *g = &q->growth;
    const char *meaning = g->alpha < 1.0 ? "overlap" : g->alpha > 1.0 ? "apart" : "touch";
    printf("\nGrowth distance: %.9g (%s)%s\n", g->alpha, meaning, q->growth_status ? ", not exact: the iteration limit was reached" : "");
    answer_print_vec3("normal", NAME_WIDTH, g->normal);
    printf("  %-14s %.9g\n", "gap", g->gap);
}

void collide_print_table(const collide_answer *q) {
    for (int32_t i = 0; i < q->shape_count; i++) {
        char name[32];
        snprintf(name, sizeof name, i > 0 && q->shape_count > 2 ? "B, mesh %d" : i > 0 ? "B" : "A", (int)(i - 1));
        const char *kind = abut_kind_name(abut_shape_kind(q->shapes[i].shape));
        printf("%s: %s, %s %s\n", name, q->names[i], kind[0] == 'e' || kind[0] == 'i' ? "an" : "a", kind);
    }
    if (q->count == 0) {
        printf("\nApart: no contact%s\n", q->settings.margin > 0.0 ? " within the margin" : "");
    } else {
        printf("\n%d contact%s in %d patch%s, least gap %.9g; normals point from B into A\n", (int)q->count, answer_plural(q->count),
               (int)q->patch_count, q->patch_count == 1 ? "" : "es", least_gap(q));
    }
    for (int32_t i = 0; i < q->patch_count; i++) {
        print_patch(q, i);
    }
    if (has_growth(q)) {
        print_growth(q);
    }
}

/* ---- as JSON ---- */

static json_t *json_feature(abut_feature feature) {
    const char *name = feature.kind <= ABUT_FEATURE_SMOOTH ? feature_names[feature.kind] : "none";
    return json_pack("{s:s, s:i, s:i}", "kind", name, "index", (int)feature.index, "part", (int)feature.part);
}

/* Many JSON readers do not keep 64 bits of a number, so ids are hexadecimal text. */
static json_t *json_contact(const abut_contact *c) {
    return json_pack("{s:o, s:o, s:o, s:f, s:f, s:o, s:o, s:o, s:i, s:b, s:b}", "on_a", answer_json_vec3(c->on_a), "on_b",
                     answer_json_vec3(c->on_b), "normal", answer_json_vec3(c->normal), "gap", c->gap, "area", c->area, "feature_a",
                     json_feature(c->feature_a), "feature_b", json_feature(c->feature_b), "id",
                     json_sprintf("%016llx", (unsigned long long)c->id), "patch", (int)c->patch, "normal_chosen",
                     (c->flags & ABUT_CONTACT_NORMAL_CHOSEN) != 0, "witness", (c->flags & ABUT_CONTACT_WITNESS) != 0);
}

static json_t *json_patch(const collide_answer *q, const collide_patch *p) {
    json_t *object = json_pack("{s:i, s:i, s:i, s:f, s:o}", "first", (int)p->first, "count", (int)p->count, "found", (int)p->found, "area",
                               p->area, "normal", answer_json_vec3(q->contacts[p->first].normal));
    if (object && q->reduce > 0) {
        json_object_set_new(object, "support_area_before", json_real(p->area_before));
        json_object_set_new(object, "support_area_after", json_real(p->area_after));
    }
    return object;
}

static json_t *json_growth(const collide_answer *q) {
    const abut_growth *g = &q->growth;
    return json_pack("{s:f, s:f, s:o, s:f, s:o, s:o, s:o, s:o, s:o, s:i, s:b, s:b}", "alpha", g->alpha, "alpha_lower", g->alpha_lower,
                     "normal", answer_json_vec3(g->normal), "gap", g->gap, "touch", answer_json_vec3(g->touch), "on_a",
                     answer_json_vec3(g->on_a), "on_b", answer_json_vec3(g->on_b), "contraction_a", answer_json_vec3(g->contraction_a),
                     "contraction_b", answer_json_vec3(g->contraction_b), "iterations", (int)g->iterations, "normal_chosen",
                     (int)g->normal_chosen, "exact", q->growth_status == ABUT_OK);
}

static json_t *json_shape(const collide_answer *q, int32_t index) {
    abut_pose pose = q->shapes[index].pose;
    json_t *name = json_string(q->names[index]);
    return json_pack("{s:o, s:s, s:o, s:o}", "shape", name ? name : json_string(""), "kind",
                     abut_kind_name(abut_shape_kind(q->shapes[index].shape)), "position", answer_json_vec3(pose.position), "rotation",
                     answer_json_quat(pose.rotation));
}

int collide_print_json(const cli_command *command, const collide_answer *q) {
    json_t *contacts = json_array(), *patches = json_array();
    for (int32_t i = 0; i < q->count; i++) {
        json_array_append_new(contacts, json_contact(&q->contacts[i]));
    }
    for (int32_t i = 0; i < q->patch_count; i++) {
        json_array_append_new(patches, json_patch(q, &q->patches[i]));
    }
    json_t *document =
        json_pack("{s:o, s:o, s:f, s:o, s:o, s:o}", "a", json_shape(q, 0), "b", json_shape(q, 1), "margin", q->settings.margin, "contacts",
                  contacts, "patches", patches, "growth", has_growth(q) ? json_growth(q) : json_null());
    if (document && q->shape_count > 2) {
        json_t *meshes = json_array();
        for (int32_t i = 1; i < q->shape_count; i++) {
            json_array_append_new(meshes, json_shape(q, i));
        }
        json_object_set_new(document, "meshes", meshes);
    }
    char *text = document ? json_dumps(document, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(document);
    if (!text) {
        return cli_fail(command, CLI_FAILED, "no memory");
    }
    printf("%s\n", text);
    free(text);
    return CLI_OK;
}
