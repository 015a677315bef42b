/*
 * abut depth: the depth of every pair of overlapping elements of tetrahedral meshes, and the separation of the meshes.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tool/depth_answer.h"
#include "tool/inputs.h"
#include "tool/paths.h"
#include "tool/shape_argument.h"
#include "io/tet/tag_map.h"

enum {
    OPTION_POSE,
    OPTION_POSE_A,
    OPTION_MODE,
    OPTION_BEST_K,
    OPTION_WEIGHT_A,
    OPTION_WEIGHT_B,
    OPTION_VOLUME_RATIO,
    OPTION_PAIRS,
    OPTION_RESOLVE,
    OPTION_OUTPUT,
    OPTION_THREADS,
    OPTION_JSON,
    OPTION_COUNT
};

static const cli_option options[OPTION_COUNT] = {
    [OPTION_POSE] = {"pose", 'p', "X,Y,Z[,QX,QY,QZ,QW]",
                     "Pose of B: position, and rotation as a quaternion of any length (default: as in its file)."},
    [OPTION_POSE_A] = {"pose-a", 'a', "X,Y,Z[,QX,QY,QZ,QW]", "Pose of A."},
    [OPTION_MODE] =
        {"mode", 'm', "MODE",
         "Normals along which a pair may be separated. exact44: those of the faces and of the pairs of edges, 44 in both senses "
         "(default). paper: the same, as Kim and Kim printed it. accelerated: only that of the least rigid depth. best-k: those of "
         "least overlap. free-local: any; finds the minimum near the best of the 44. free: any; finds the global minimum."},
    [OPTION_BEST_K] = {"best-k", 'k', "N", "How many directions the mode best-k tries; 1 to 88 (default 6)."},
    [OPTION_WEIGHT_A] = {"weight-a", 0, "W|static", "Cost of moving A, for example its mass (default 1). static: A does not move."},
    [OPTION_WEIGHT_B] = {"weight-b", 0, "W|static", "Cost of moving B."},
    [OPTION_VOLUME_RATIO] =
        {"volume-ratio", 0, "R",
         "Elements keep at least this share of their volume, 0 or more and below 1. 0 forbids elements to turn inside out "
         "(default: no condition), also with --resolve. Not for the mode paper."},
    [OPTION_PAIRS] = {"pairs", 0, "FILE.csv",
                      "Test only the pairs of this table, whether they intersect or not. '-' is the standard input."},
    [OPTION_RESOLVE] = {"resolve", 'r', NULL, "Move the vertices until no two elements intersect, and report the displacements."},
    [OPTION_OUTPUT] =
        {"output", 'o', "OUT.vtu|OUT.csv|-",
         "Write a file. .vtu: the meshes with the depth of each element, for ParaView; with --resolve, after the separation. .csv: all "
         "numbers of each pair. '-': the .csv table on the standard output, instead of the summary."},
    [OPTION_THREADS] =
        {"threads", 0, "N",
         "Use N threads (default: one for each processor that the process may use). The result is the same to the last bit."},
    [OPTION_JSON] = {"json", 'j', NULL, "Print JSON instead of a summary, with all numbers of each pair."},
};

/* ---- settings ---- */

/* A finite number above 0, or "static". */
static bool read_weight(const cli_line *line, int option, double *weight) {
    const char *text = line->values[option];
    if (!text) {
        return true;
    }
    bool fixed = strcmp(text, "static") == 0;
    if (!fixed && (cli_numbers(text, weight, 1) != 1 || *weight <= 0.0)) {
        cli_fail(line->command, CLI_USAGE, "option '--%s': '%s' is not a number above 0, nor 'static'", line->command->options[option].name,
                 text);
        return false;
    }
    *weight = fixed ? INFINITY : *weight;
    return true;
}

static int check_weights(const cli_line *line, const abut_depth_settings *s) {
    if (s->weight_a == INFINITY && s->weight_b == INFINITY) {
        return cli_fail(line->command, CLI_USAGE, "both bodies are static: nothing can move; give one of them a weight");
    }
    /* The library accepts ratios far beyond this limit. */
    double ratio = s->weight_a / s->weight_b;
    if (s->weight_a < INFINITY && s->weight_b < INFINITY && !(ratio <= 1e100 && ratio >= 1e-100)) {
        return cli_fail(line->command, CLI_USAGE, "the weights are more than a factor of 1e100 apart; make the heavier body static");
    }
    return CLI_OK;
}

static int check_mode(const cli_line *line, const abut_depth_settings *s) {
    if (line->values[OPTION_BEST_K] && s->mode != ABUT_DEPTH_BEST_K) {
        return cli_fail(line->command, CLI_USAGE, "option '--best-k' is for '--mode best-k'");
    }
    const char *ratio = line->values[OPTION_VOLUME_RATIO];
    if (ratio && s->mode == ABUT_DEPTH_PAPER) {
        return cli_fail(line->command, CLI_USAGE, "option '--volume-ratio' is not for the mode 'paper', which has no such condition");
    }
    if (ratio && s->volume_ratio >= 1.0) {
        return cli_fail(line->command, CLI_USAGE,
                        "option '--volume-ratio': '%s' is not below 1, the share that an element has when it does not move", ratio);
    }
    if (ratio && s->volume_ratio < 0.0) {
        return cli_fail(line->command, CLI_USAGE, "option '--volume-ratio': '%s' is below 0, and 0 forbids elements to turn inside out",
                        ratio);
    }
    return CLI_OK;
}

static int read_settings(const cli_line *line, depth_answer *q) {
    abut_depth_settings *s = &q->settings;
    int mode = ABUT_DEPTH_EXACT44;
    int64_t best_k, threads = 0;
    *s = abut_depth_settings_default();
    best_k = s->best_k;
    bool right = cli_word(line, OPTION_MODE, depth_modes, &mode) && cli_integer(line, OPTION_BEST_K, 1, 88, &best_k) &&
                 read_weight(line, OPTION_WEIGHT_A, &s->weight_a) && read_weight(line, OPTION_WEIGHT_B, &s->weight_b) &&
                 cli_real(line, OPTION_VOLUME_RATIO, -INFINITY, INFINITY, &s->volume_ratio) &&
                 cli_integer(line, OPTION_THREADS, 1, 1024, &threads);
    if (!right) {
        return CLI_USAGE;
    }
    s->mode = (abut_depth_mode)mode;
    s->best_k = (int32_t)best_k;
    q->parallel = (abut_parallel){.threads = (int32_t)threads};
    int status = check_weights(line, s);
    return status ? status : check_mode(line, s);
}

/* ---- options that contradict each other ---- */

static const char *const endings[] = {"-", ".vtu", ".csv", NULL};

/* Refuses an output that would replace an input that is known so far. */
static int keep_inputs(const cli_line *line) {
    return inputs_check_outputs(line->command, &(output_name){line->values[OPTION_OUTPUT], "write elsewhere", false}, 1);
}

static int check_output(const cli_line *line) {
    const char *output = line->values[OPTION_OUTPUT];
    if (!output) {
        return CLI_OK;
    }
    int named = path_check_output(line->command, output, endings);
    if (named) {
        return named;
    }
    if (strcmp(output, "-") == 0 && line->values[OPTION_JSON]) {
        return cli_fail(line->command, CLI_USAGE, "'--output -' and '--json' both print on the standard output; give one of them");
    }
    for (int i = 0; i < line->operand_count; i++) {
        inputs_note(line->operands[i]);
    }
    if (line->values[OPTION_PAIRS]) {
        inputs_note(line->values[OPTION_PAIRS]);
    }
    return keep_inputs(line);
}

static int check_line(const cli_line *line) {
    static const int of_b[] = {OPTION_POSE, OPTION_WEIGHT_A, OPTION_WEIGHT_B};
    if (line->operand_count == 0 && !line->values[OPTION_PAIRS]) {
        return cli_fail(line->command, CLI_USAGE, "an argument is missing; usage: abut %s %s, or --pairs FILE.csv", line->command->name,
                        line->command->operands);
    }
    for (size_t i = 0; i < sizeof of_b / sizeof *of_b; i++) {
        if (line->operand_count == 1 && line->values[of_b[i]]) {
            return cli_fail(line->command, CLI_USAGE, "option '--%s' needs two bodies, but there is only '%s'%s",
                            line->command->options[of_b[i]].name, line->operands[0], of_b[i] == OPTION_POSE ? "; --pose-a places it" : "");
        }
    }
    if (line->values[OPTION_RESOLVE] && line->values[OPTION_PAIRS]) {
        return cli_fail(line->command, CLI_USAGE, "'--resolve' separates whole meshes; leave '--pairs' out");
    }
    int inputs = path_check_inputs(line, line->values[OPTION_PAIRS]);
    return inputs ? inputs : check_output(line);
}

/* ---- what is read ---- */

static abut_status read_pose(const cli_line *line, int option, depth_body *body, abut_error *error) {
    body->pose = abut_pose_identity();
    return line->values[option] ? shape_argument_pose(line->values[option], &body->pose, error) : ABUT_OK;
}

static void place(depth_body *body) {
    for (int32_t i = 0; i < body->mesh.vertex_count; i++) {
        body->vertices[i] = abut_pose_apply(body->pose, body->vertices[i]);
    }
}

static abut_status read_mesh(const char *path, depth_body *body, abut_error *error) {
    abut_status status = abut_tetfile_load(path, &body->file, error);
    if (!status) {
        body->name = path;
        body->vertices = body->file->vertices;
        body->elements = body->file->elements;
        body->tags = body->file->element_tags;
        body->regions = body->file->regions;
        body->flat = body->file->flat_count;
        body->inverted = body->file->inverted_count;
        body->mesh = abut_tetfile_mesh(body->file);
    }
    return status;
}

/* Makes a body of the first (index 0) or second (1) tetrahedra of all rows. */
static abut_status take_rows(const char *path, const abut_pairsfile *rows, int index, depth_body *body, abut_error *error) {
    size_t count = (size_t)rows->count;
    if (rows->count > INT32_MAX / 8) {
        return abut_fail(error, ABUT_ERROR_FORMAT, "%s: %d rows are too many; at most %d at a time", path, (int)rows->count, INT32_MAX / 8);
    }
    body->name = path;
    body->vertices = malloc(4 * count * sizeof *body->vertices);
    body->elements = malloc(4 * count * sizeof *body->elements);
    body->tags = malloc(count * sizeof *body->tags);
    if (!body->vertices || !body->elements || !body->tags) {
        return abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory for its tetrahedra", path);
    }
    for (int32_t i = 0; i < rows->count; i++) {
        body->tags[i] = i + 1;
        for (int32_t v = 0; v < 4; v++) {
            body->vertices[4 * i + v] = rows->corners[8 * (int64_t)i + 4 * index + v];
            body->elements[4 * i + v] = 4 * i + v;
        }
    }
    body->mesh = (abut_tetra_mesh){body->vertices, 4 * rows->count, body->elements, rows->count};
    return ABUT_OK;
}

static abut_status find_element(const depth_body *body, const tag_map *map, int64_t tag, const char *path, int32_t line, int32_t *element,
                                abut_error *error) {
    *element = tag_map_find(map, tag);
    if (*element >= 0) {
        return ABUT_OK;
    }
    int64_t least = body->tags[0], most = least;
    for (int32_t e = 0; e < body->mesh.element_count; e++) {
        least = body->tags[e] < least ? body->tags[e] : least;
        most = body->tags[e] > most ? body->tags[e] : most;
    }
    return abut_fail(error, ABUT_ERROR_FORMAT, "%s:%d: '%s' has no tetrahedron %" PRId64 "; its numbers go from %" PRId64 " to %" PRId64,
                     path, (int)line, body->name, tag, least, most);
}

/* Converts the element numbers of the rows to indices. */
static abut_status find_elements(const char *path, const abut_pairsfile *rows, depth_answer *q, abut_error *error) {
    tag_map map[2] = {{0}, {0}};
    abut_status status = ABUT_OK;
    for (int b = 0; b < 2; b++) {
        const depth_body *body = b == 0 ? &q->body[0] : depth_second(q);
        if (!tag_map_make(body->tags, body->mesh.element_count, sizeof *body->tags, &map[b])) {
            status = abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory for its numbers", body->name);
        }
    }
    for (int32_t i = 0; i < rows->count && !status; i++) {
        abut_element_pair *pair = &q->pairs[i];
        status = find_element(&q->body[0], &map[0], rows->elements[2 * (int64_t)i], path, rows->lines[i], &pair->a, error);
        status = status ? status
                        : find_element(depth_second(q), &map[1], rows->elements[2 * (int64_t)i + 1], path, rows->lines[i], &pair->b, error);
        if (!status && q->body_count == 1 && pair->a == pair->b) {
            status = abut_fail(error, ABUT_ERROR_FORMAT, "%s:%d: element %" PRId64 " is paired with itself", path, (int)rows->lines[i],
                               rows->elements[2 * (int64_t)i]);
        }
    }
    tag_map_release(&map[0]);
    tag_map_release(&map[1]);
    return status;
}

static abut_status take_pairs(const char *path, const abut_pairsfile *rows, depth_answer *q, abut_error *error) {
    q->given = true;
    q->count = rows->count;
    q->pairs = malloc((size_t)rows->count * sizeof *q->pairs);
    if (!q->pairs) {
        return abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory for its pairs", path);
    }
    if (rows->elements) {
        return q->rows
                   ? abut_fail(error, ABUT_ERROR_FORMAT,
                               "%s:%d: this row names elements; name the meshes that they belong to, or give 24 coordinates in each row",
                               path, (int)rows->lines[0])
                   : find_elements(path, rows, q, error);
    }
    if (!q->rows) {
        return abut_fail(
            error, ABUT_ERROR_FORMAT,
            "%s:%d: this row has coordinates of its own, and needs no mesh; leave '%s' out, or give two element numbers in each row", path,
            (int)rows->lines[0], q->body[0].name);
    }
    for (int32_t i = 0; i < rows->count; i++) {
        q->pairs[i] = (abut_element_pair){i, i};
    }
    abut_status status = take_rows(path, rows, 0, &q->body[0], error);
    return status ? status : take_rows(path, rows, 1, &q->body[1], error);
}

static abut_status read_all(const cli_line *line, depth_answer *q, abut_error *error) {
    const char *pairs = line->values[OPTION_PAIRS];
    q->rows = line->operand_count == 0;
    q->body_count = line->operand_count == 1 ? 1 : 2;
    q->candidates = -1;
    abut_status status = read_pose(line, OPTION_POSE_A, &q->body[0], error);
    status = status ? status : read_pose(line, OPTION_POSE, &q->body[1], error);
    for (int i = 0; i < line->operand_count && !status; i++) {
        status = read_mesh(line->operands[i], &q->body[i], error);
    }
    if (pairs && !status) {
        abut_pairsfile *rows = NULL;
        status = abut_pairsfile_load(pairs, &rows, error);
        status = status ? status : take_pairs(pairs, rows, q, error);
        abut_pairsfile_destroy(rows);
    }
    if (!status && line->values[OPTION_POSE_A]) {
        place(&q->body[0]);
    }
    if (!status && line->values[OPTION_POSE]) {
        place(&q->body[1]);
    }
    return status;
}

static void release(depth_answer *q) {
    for (int b = 0; b < 2; b++) {
        if (!q->body[b].file) {
            free(q->body[b].vertices);
            free(q->body[b].elements);
            free(q->body[b].tags);
        }
        abut_tetfile_destroy(q->body[b].file);
    }
    if (q->separation) {
        free(q->separation->moved[0]);
        free(q->separation->moved[1]);
        free(q->separation->remaining);
        free(q->separation->ratio[0]);
        free(q->separation->ratio[1]);
    }
    free(q->separation);
    free(q->pairs);
    free(q->depths);
}

/* ---- the answer ---- */

/* Explains why the computation failed. */
static int fail_computing(const cli_line *line, const depth_answer *q, abut_status status) {
    const char *a = q->body[0].name, *b = depth_second(q)->name;
    switch (status) {
    case ABUT_ERROR_OUT_OF_MEMORY:
        if (q->candidates > 0) {
            return cli_fail(line->command, CLI_FAILED, "no memory for the pairs of '%s' and '%s': the boxes of %" PRId64 " meet", a, b,
                            q->candidates);
        }
        return cli_fail(line->command, CLI_FAILED, "no memory for the pairs of '%s' and '%s'", a, b);
    case ABUT_ERROR_NOT_FINITE:
        return cli_fail(line->command, CLI_USAGE,
                        "'%s' and '%s': where they are posed, coordinates are beyond 1e307; bring them nearer to the origin, or scale "
                        "them",
                        a, b);
    case ABUT_ERROR_INVALID_ARGUMENT:
        return cli_fail(line->command, CLI_USAGE,
                        "'%s' and '%s' are too large: a mesh may have 2^29 - 1 elements, and for --resolve all vertices and elements "
                        "together must be fewer than 2^31",
                        a, b);
    default:
        return cli_fail(line->command, CLI_FAILED, "'%s' and '%s': %s", a, b, abut_status_message(status));
    }
}

static int compute(const cli_line *line, depth_answer *q) {
    progress bar = progress_begin(1, true);
    abut_status status = depth_find(q, &bar);
    if (!status && line->values[OPTION_RESOLVE]) {
        status = depth_separate(q, &bar);
    }
    progress_end(&bar);
    return status ? fail_computing(line, q, status) : CLI_OK;
}

static int print_answer(const cli_line *line, const depth_answer *q) {
    const char *output = line->values[OPTION_OUTPUT];
    if (output && strcmp(output, "-") == 0) {
        return CLI_OK; /* the standard output has the .csv table */
    }
    if (!line->values[OPTION_JSON]) {
        depth_print_table(q);
    } else if (!depth_print_json(q)) {
        return cli_fail(line->command, CLI_FAILED, "no memory to print the answer");
    }
    return cli_finish_output(line->command);
}

static int write_output(const cli_line *line, const depth_answer *q) {
    const char *path = line->values[OPTION_OUTPUT];
    abut_error error;
    abut_status status = !path ? ABUT_OK : path_ends_in(path, ".vtu") ? depth_write_vtu(q, path, &error) : depth_write_csv(q, path, &error);
    return status ? cli_fail_error(line->command, cli_error_status(status), &error) : CLI_OK;
}

/* Remaining pairs are a failure. The answer is printed and written before this is reported. */
static int tell_remaining(const cli_line *line, const depth_answer *q) {
    const depth_separation *s = q->separation;
    if (!s || s->status == ABUT_OK) {
        return CLI_OK;
    }
    const char *output = line->values[OPTION_OUTPUT];
    const char *why = s->ratio[0]                          ? "no method separates them and keeps the volume ratio"
                      : s->status != ABUT_ERROR_INFEASIBLE ? "no method separates them"
                      : q->body_count == 2                 ? "the static parts leave no room"
                                                           : "no plane separates a mesh that is folded into itself";
    return cli_fail(line->command, CLI_FAILED, "%" PRId64 " pair%s of elements still intersect%s after the separation: %s%s%s%s",
                    s->report.pairs_remaining, s->report.pairs_remaining == 1 ? "" : "s", s->report.pairs_remaining == 1 ? "s" : "", why,
                    output ? "; '" : "", output ? output : "", output ? "' lists them" : "");
}

static int run(const cli_line *line) {
    depth_answer q = {0};
    abut_error error;
    int status = check_line(line);
    status = status ? status : read_settings(line, &q);
    if (!status) {
        double begun = clock_seconds();
        abut_status read = read_all(line, &q, &error);
        status = read ? cli_fail_error(line->command, cli_error_status(read), &error) : CLI_OK;
        q.seconds_read = clock_seconds() - begun;
        status = status ? status : keep_inputs(line);
    }
    status = status ? status : compute(line, &q);
    status = status ? status : write_output(line, &q);
    status = status ? status : print_answer(line, &q);
    status = status ? status : tell_remaining(line, &q);
    release(&q);
    return status;
}

static const char *const text[] = {
    "A and B are tetrahedral meshes: Gmsh (.msh), TetGen (.node, .ele), VTK (.vtk, .vtu), Medit (.mesh) or Abaqus (.inp) files, or '-' for "
    "one on the standard input, but not TetGen's two. With one mesh, pairs of its own elements that share no vertex are tested.",
    "Every pair of elements that intersect has a depth (docs/methods/depth.md): the least root mean square displacement of the points of "
    "both elements "
    "that brings them to different sides of a plane. The vertices move, and the points inside follow linearly. The summary shows the "
    "number "
    "of pairs, the deepest pair, and the distribution of depths, also as a share of the rigid depth, which is the least translation that "
    "separates. Normals point from the second element into the first.",
    "--pairs reads a table with commas. A row has 2 columns: the numbers of an element of A and of one of B (with one mesh, of two of its "
    "elements) as the files number them. Or it has 24 columns, and no mesh is given: x, y, z of the four corners of the first element, "
    "then "
    "of the second. A first line of names and everything behind a # are ignored. All pairs are reported, also those that are apart.",
    "A .vtu file has these arrays for each element: depth, rigid_depth, normal (from the partner into the element), displacement (the mean "
    "over its points) and partner (its number, or -1), all of its deepest pair; partners (their count), body (0 for A, 1 for B), tag (the "
    "element's number) and region. With --resolve it also has remaining (partners that still intersect) and, for each vertex, moved.",
    "--resolve uses the weights as masses and divides them among the vertices by volume. Two meshes can always be separated, unless static "
    "meshes leave no room. In a mesh that intersects itself some pairs may remain. Remaining pairs are reported, outputs are written "
    "nevertheless, and the exit status is 1.",
    NULL,
};

static const char *const examples[] = {"abut depth scenes/meshes/tet_ball.msh scenes/meshes/tet_torus.msh -p 1.9,0,0",
                                       "abut depth ball.msh torus.msh -p 1.2,0,0 --resolve -o apart.vtu",
                                       "abut depth ball.msh block.msh --weight-b static --mode free --json",
                                       "abut depth --pairs tetrahedra.csv -o depths.csv", NULL};

const cli_command command_depth = {
    .name = "depth",
    .operands = "[A.msh [B.msh]]",
    .least_operands = 0,
    .most_operands = 2,
    .summary = "find how deep tetrahedral meshes overlap, and separate them",
    .text = text,
    .examples = examples,
    .options = options,
    .option_count = OPTION_COUNT,
    .run = run,
};
