/*
 * abut collide: the contacts between two posed shapes, and how far they overlap or are apart, as a table or as JSON.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include <abut/collide.h>

#include "cli.h"
#include "shape_argument.h"

enum {
    OPTION_POSE,
    OPTION_POSE_A,
    OPTION_MARGIN,
    OPTION_FEATURE_ANGLE,
    OPTION_CONTRACTION,
    OPTION_REDUCE,
    OPTION_HULL,
    OPTION_JSON,
    OPTION_COUNT
};

static const cli_option options[OPTION_COUNT] = {
    [OPTION_POSE] = {"pose", 'p', "X,Y,Z[,QX,QY,QZ,QW]",
                     "Where B is: position, and rotation as a quaternion (default: at the origin, not turned)."},
    [OPTION_POSE_A] = {"pose-a", 'a', "X,Y,Z[,QX,QY,QZ,QW]", "Where A is, likewise."},
    [OPTION_MARGIN] = {"margin", 'm', "LENGTH", "Contacts are made up to this gap (default 0: touching or overlapping only)."},
    [OPTION_FEATURE_ANGLE] = {"feature-angle", 0, "DEGREES",
                              "A face or edge closer than this to the contact plane takes part whole; 0 to 45 (default 2)."},
    [OPTION_CONTRACTION] =
        {"contraction", 0, "POINT",
         "About which points the shapes grow: core (directions compete by absolute depth; the default) or centroid (by depth relative to "
         "size)."},
    [OPTION_REDUCE] = {"reduce", 'r', "N",
                       "Bring every patch down to N contacts; the deepest is kept, and the support area that was lost is said."},
    [OPTION_HULL] = {"hull", 0, NULL, "Replace pieces of a mesh that are not convex by their hulls instead of refusing them."},
    [OPTION_JSON] = {"json", 'j', NULL, "Print JSON instead of a table."},
};

static const char *const contractions[] = {"core", "centroid", NULL};
static const char *const feature_names[] = {"none", "face", "edge", "vertex", "smooth"};

/* A contact patch: what was found, and what a reduction left. */
typedef struct patch {
    int32_t first, count; /* in the printed contacts */
    int32_t found;
    double area;                    /* sum of the contacts' shares, before a reduction */
    double area_before, area_after; /* support area; only with a reduction */
} patch;

/* The question and its answer. */
typedef struct query {
    const char *names[2];
    abut_shape *shapes[2];
    abut_pose poses[2];
    abut_collide_settings settings;
    int64_t reduce; /* 0: no */
    abut_contact *contacts;
    int32_t count;
    patch *patches;
    int32_t patch_count;
    abut_growth growth;
    abut_status growth_status; /* ABUT_OK, ABUT_ERROR_ITERATION_LIMIT, or why there is none */
} query;

/* ---- the question ---- */

static bool read_pose(const cli_line *line, int option, abut_pose *pose, abut_error *error) {
    *pose = abut_identity_pose();
    return !line->values[option] || shape_argument_pose(line->values[option], pose, error) == ABUT_OK;
}

static int read_query(const cli_line *line, query *q) {
    abut_error error;
    int contraction = ABUT_CONTRACTION_CORE;
    double degrees = 2.0;
    q->settings = abut_collide_settings_default();
    bool right =
        cli_real(line, OPTION_MARGIN, 0.0, INFINITY, &q->settings.margin) && cli_real(line, OPTION_FEATURE_ANGLE, 0.0, 45.0, &degrees) &&
        cli_word(line, OPTION_CONTRACTION, contractions, &contraction) && cli_integer(line, OPTION_REDUCE, 1, INT32_MAX, &q->reduce);
    if (!right) {
        return CLI_USAGE;
    }
    if (line->values[OPTION_FEATURE_ANGLE]) {
        /* A quarter of pi, rounded, must not lie outside the settings' range. */
        q->settings.feature_angle = fmin(degrees * (atan(1.0) / 45.0), atan(1.0));
    }
    q->settings.contraction = (abut_contraction)contraction;
    if (!read_pose(line, OPTION_POSE_A, &q->poses[0], &error) || !read_pose(line, OPTION_POSE, &q->poses[1], &error)) {
        return cli_fail_error(line->command, CLI_USAGE, &error);
    }
    for (int i = 0; i < 2; i++) {
        q->names[i] = line->operands[i];
        abut_status status = shape_argument_read(line->operands[i], line->values[OPTION_HULL] != NULL, &q->shapes[i], &error);
        if (status) {
            return cli_fail_error(line->command, status == ABUT_ERROR_OUT_OF_MEMORY ? CLI_FAILED : CLI_USAGE, &error);
        }
    }
    return CLI_OK;
}

/* ---- the answer ---- */

static abut_status find_contacts(query *q) {
    int32_t capacity = 64;
    for (;;) {
        abut_contact *contacts = realloc(q->contacts, sizeof *contacts * (size_t)capacity);
        if (!contacts) {
            return ABUT_ERROR_OUT_OF_MEMORY;
        }
        q->contacts = contacts;
        abut_status status =
            abut_collide(q->shapes[0], q->poses[0], q->shapes[1], q->poses[1], &q->settings, NULL, q->contacts, capacity, &q->count);
        if (status != ABUT_ERROR_CAPACITY) {
            return status;
        }
        capacity = q->count;
    }
}

/* The ranges of equal patch, each reduced when that was asked for; the contacts that are left move together. */
static abut_status find_patches(query *q) {
    q->patches = calloc((size_t)q->count + 1, sizeof *q->patches);
    if (!q->patches) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    int32_t kept = 0;
    for (int32_t first = 0, end; first < q->count; first = end) {
        patch *p = &q->patches[q->patch_count++];
        for (end = first; end < q->count && q->contacts[end].patch == q->contacts[first].patch; end++) {
            p->area += q->contacts[end].area;
        }
        p->found = p->count = end - first;
        p->first = kept;
        if (q->reduce > 0) {
            abut_reduction reduction;
            abut_status status = abut_reduce(q->contacts + first, p->found, (int32_t)q->reduce, q->contacts + first, &reduction);
            if (status) {
                return status;
            }
            p->count = reduction.kept;
            p->area_before = reduction.area_before;
            p->area_after = reduction.area_after;
        }
        memmove(q->contacts + kept, q->contacts + first, sizeof *q->contacts * (size_t)p->count);
        kept += p->count;
    }
    q->count = kept;
    return ABUT_OK;
}

static abut_status answer(query *q) {
    abut_status status = find_contacts(q);
    status = status ? status : find_patches(q);
    q->growth_status = abut_growth_distance(q->shapes[0], q->poses[0], q->shapes[1], q->poses[1], &q->settings, &q->growth);
    return status;
}

static bool has_growth(const query *q) { return q->growth_status == ABUT_OK || q->growth_status == ABUT_ERROR_ITERATION_LIMIT; }

/* The least gap of all contacts. */
static double least_gap(const query *q) {
    double least = q->contacts[0].gap;
    for (int32_t i = 1; i < q->count; i++) {
        least = fmin(least, q->contacts[i].gap);
    }
    return least;
}

/* ---- as a table ---- */

/* Adding 0 turns a negative zero into a plain one. */
static void print_vec3(const char *name, abut_vec3 v) { printf("  %-14s %.9g %.9g %.9g\n", name, v.x + 0.0, v.y + 0.0, v.z + 0.0); }

static const char *plural(int32_t count) { return count == 1 ? "" : "s"; }

static void format_feature(abut_feature feature, bool compound, char *text, size_t size) {
    const char *name = feature.kind <= ABUT_FEATURE_SMOOTH ? feature_names[feature.kind] : "none";
    if (compound) {
        snprintf(text, size, "%s %d of part %d", name, (int)feature.index, (int)feature.part);
    } else {
        snprintf(text, size, "%s %d", name, (int)feature.index);
    }
}

static const char *flag_text(uint32_t flags) {
    bool chosen = flags & ABUT_CONTACT_NORMAL_CHOSEN, witness = flags & ABUT_CONTACT_WITNESS;
    return chosen && witness ? "  normal chosen, witness" : chosen ? "  normal chosen" : witness ? "  witness" : "";
}

static void print_patch(const query *q, int32_t index) {
    const patch *p = &q->patches[index];
    printf("\nPatch %d: %d contact%s", (int)index, (int)p->count, plural(p->count));
    if (p->count < p->found) {
        printf(" of %d (support area %.9g of %.9g)", (int)p->found, p->area_after, p->area_before);
    }
    printf(", area %.9g\n", p->area);
    print_vec3("normal", q->contacts[p->first].normal);
    printf("  %-13s  %-36s  %-20s  %-20s  %s\n", "gap", "point on B", "of A", "of B", "id");
    for (int32_t i = p->first; i < p->first + p->count; i++) {
        const abut_contact *c = &q->contacts[i];
        char point[80], of_a[40], of_b[40];
        snprintf(point, sizeof point, "%.9g %.9g %.9g", c->on_b.x + 0.0, c->on_b.y + 0.0, c->on_b.z + 0.0);
        format_feature(c->feature_a, abut_shape_get_kind(q->shapes[0]) == ABUT_SHAPE_COMPOUND, of_a, sizeof of_a);
        format_feature(c->feature_b, abut_shape_get_kind(q->shapes[1]) == ABUT_SHAPE_COMPOUND, of_b, sizeof of_b);
        printf("  %-13.6g  %-36s  %-20s  %-20s  %016llx%s\n", c->gap, point, of_a, of_b, (unsigned long long)c->id, flag_text(c->flags));
    }
}

static void print_growth(const query *q) {
    const abut_growth *g = &q->growth;
    const char *meaning = g->alpha < 1.0 ? "overlap" : g->alpha > 1.0 ? "apart" : "touch";
    printf("\nGrowth distance: %.9g (%s)%s\n", g->alpha, meaning, q->growth_status ? ", not exact: the iteration limit was met" : "");
    print_vec3("normal", g->normal);
    printf("  %-14s %.9g\n", "gap", g->gap);
}

static void print_table(const query *q) {
    for (int i = 0; i < 2; i++) {
        const char *kind = abut_shape_kind_name(abut_shape_get_kind(q->shapes[i]));
        printf("%c: %s, %s %s\n", 'A' + i, q->names[i], kind[0] == 'e' ? "an" : "a", kind);
    }
    if (q->count == 0) {
        printf("\nApart: no contact%s\n", q->settings.margin > 0.0 ? " within the margin" : "");
    } else {
        printf("\n%d contact%s in %d patch%s, least gap %.9g; normals point from B into A\n", (int)q->count, plural(q->count),
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

static json_t *json_vec3(abut_vec3 v) { return json_pack("[f,f,f]", v.x, v.y, v.z); }

static json_t *json_feature(abut_feature feature) {
    const char *name = feature.kind <= ABUT_FEATURE_SMOOTH ? feature_names[feature.kind] : "none";
    return json_pack("{s:s, s:i, s:i}", "kind", name, "index", (int)feature.index, "part", (int)feature.part);
}

/* Ids have 64 bits, more than many readers of JSON keep of a number: hexadecimal text. */
static json_t *json_contact(const abut_contact *c) {
    return json_pack("{s:o, s:o, s:o, s:f, s:f, s:o, s:o, s:o, s:i, s:b, s:b}", "on_a", json_vec3(c->on_a), "on_b", json_vec3(c->on_b),
                     "normal", json_vec3(c->normal), "gap", c->gap, "area", c->area, "feature_a", json_feature(c->feature_a), "feature_b",
                     json_feature(c->feature_b), "id", json_sprintf("%016llx", (unsigned long long)c->id), "patch", (int)c->patch,
                     "normal_chosen", (c->flags & ABUT_CONTACT_NORMAL_CHOSEN) != 0, "witness", (c->flags & ABUT_CONTACT_WITNESS) != 0);
}

static json_t *json_patch(const query *q, const patch *p) {
    json_t *object = json_pack("{s:i, s:i, s:i, s:f, s:o}", "first", (int)p->first, "count", (int)p->count, "found", (int)p->found, "area",
                               p->area, "normal", json_vec3(q->contacts[p->first].normal));
    if (object && q->reduce > 0) {
        json_object_set_new(object, "support_area_before", json_real(p->area_before));
        json_object_set_new(object, "support_area_after", json_real(p->area_after));
    }
    return object;
}

static json_t *json_growth(const query *q) {
    const abut_growth *g = &q->growth;
    return json_pack("{s:f, s:f, s:o, s:f, s:o, s:o, s:o, s:o, s:o, s:i, s:b, s:b}", "alpha", g->alpha, "alpha_lower", g->alpha_lower,
                     "normal", json_vec3(g->normal), "gap", g->gap, "touch", json_vec3(g->touch), "on_a", json_vec3(g->on_a), "on_b",
                     json_vec3(g->on_b), "contraction_a", json_vec3(g->contraction_a), "contraction_b", json_vec3(g->contraction_b),
                     "iterations", (int)g->iterations, "normal_chosen", (int)g->normal_chosen, "exact", q->growth_status == ABUT_OK);
}

static json_t *json_shape(const query *q, int index) {
    abut_pose pose = q->poses[index];
    json_t *name = json_string(q->names[index]);
    return json_pack("{s:o, s:s, s:o, s:[f,f,f,f]}", "shape", name ? name : json_string(""), "kind",
                     abut_shape_kind_name(abut_shape_get_kind(q->shapes[index])), "position", json_vec3(pose.position), "rotation",
                     pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w);
}

static int print_json(const cli_command *command, const query *q) {
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
    char *text = document ? json_dumps(document, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(document);
    if (!text) {
        return cli_fail(command, CLI_FAILED, "no memory");
    }
    printf("%s\n", text);
    free(text);
    return CLI_OK;
}

static int run(const cli_line *line) {
    query q = {0};
    int status = read_query(line, &q);
    if (!status) {
        abut_status found = answer(&q);
        if (found == ABUT_ERROR_UNSUPPORTED_PAIR) {
            status =
                cli_fail(line->command, CLI_USAGE, "there are no contacts between a %s and a %s",
                         abut_shape_kind_name(abut_shape_get_kind(q.shapes[0])), abut_shape_kind_name(abut_shape_get_kind(q.shapes[1])));
        } else if (found) {
            status = cli_fail(line->command, CLI_FAILED, "'%s' and '%s': %s", q.names[0], q.names[1], abut_status_message(found));
        } else if (line->values[OPTION_JSON]) {
            status = print_json(line->command, &q);
        } else {
            print_table(&q);
        }
    }
    if (!status) {
        status = cli_finish_output(line->command);
    }
    abut_shape_release(q.shapes[0]);
    abut_shape_release(q.shapes[1]);
    free(q.contacts);
    free(q.patches);
    return status;
}

static const char *const text[] = {
    "A and B are mesh files (.obj, .stl, .ply, .gltf, .glb; every group or connected piece is a convex part of the shape), or shapes by "
    "their numbers:",
    shape_argument_help,
    "trimesh:FILE is the surface of a mesh file as it is, convex or not, closed or not, touched from outside: one shape of all its triangles. "
    "It meets every other shape but planes and other surfaces.",
    "Each contact is a pair of points that face each other along the normal, which points from B into A; its gap is negative where the "
    "shapes overlap. Contacts that share a normal make a patch. Two convex shapes without planes also have a growth distance: the factor "
    "by which both must grow about their inner points until they touch, below 1 when they overlap. Shapes that are apart are a result "
    "like any other: the exit status is 0.",
    NULL,
};

static const char *const examples[] = {"abut collide box:1,1,1 box:1,1,1 --pose 0.5,0.5,1.99",
                                       "abut collide sphere:1 part.obj --pose 0,0,0.9 --margin 0.1 --json",
                                       "abut collide trimesh:scenes/meshes/stairs.obj sphere:0.3 --pose 2.3,0,1.29", NULL};

const cli_command command_collide = {
    .name = "collide",
    .operands = "A B",
    .least_operands = 2,
    .most_operands = 2,
    .summary = "find the contacts of two shapes",
    .text = text,
    .examples = examples,
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run,
};
