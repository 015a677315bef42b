/* The output of `abut depth --json`, read back, has the bits of the library's answer to the same question. */
#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include <abut/tetra_mesh.h>

#include "tool/depth_answer.h"
#include "support/random.h"

enum { VERTICES = 60, ELEMENTS = 80 };

/* A mesh of random elements. The first elements use every vertex; the others may share vertices. */
typedef struct random_mesh {
    abut_vec3 vertices[VERTICES];
    int32_t elements[4 * ELEMENTS];
    abut_tetra_mesh mesh;
} random_mesh;

/* Element e has the number 5 e + 3, its vertices count from 1. */
static void make_mesh(random_state *r, const char *path, random_mesh *m) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%d\n", VERTICES);
    for (int i = 0; i < VERTICES; i++) {
        m->vertices[i] = abut_vec3_make(random_range(r, -1.0, 1.0), random_range(r, -1.0, 1.0), random_range(r, -1.0, 1.0));
        fprintf(file, "%d %.17g %.17g %.17g\n", i + 1, m->vertices[i].x, m->vertices[i].y, m->vertices[i].z);
    }
    fprintf(file, "$EndNodes\n$Elements\n%d\n", ELEMENTS);
    for (int e = 0; e < ELEMENTS; e++) {
        /* The first elements use every vertex, so that none is unused. */
        int32_t first = e < VERTICES / 4 ? 4 * e : random_below(r, VERTICES),
                step = e < VERTICES / 4 ? 1 : 1 + random_below(r, VERTICES / 4);
        for (int c = 0; c < 4; c++) {
            m->elements[4 * e + c] = (first + c * step) % VERTICES;
        }
        const int32_t *corner = &m->elements[4 * e];
        fprintf(file, "%d 4 2 1 1 %d %d %d %d\n", 5 * e + 3, corner[0] + 1, corner[1] + 1, corner[2] + 1, corner[3] + 1);
    }
    fprintf(file, "$EndElements\n");
    assert_int_equal(fclose(file), 0);
    m->mesh = (abut_tetra_mesh){m->vertices, VERTICES, m->elements, ELEMENTS};
}

static json_t *answer_of(const char *operands, int status) {
    char command[2048];
    snprintf(command, sizeof command, "\"%s\" depth %s --json 2>%s/errors", ABUT_TEST_COMMAND, operands, ABUT_TEST_SCRATCH_DIR);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    json_error_t mistake;
    json_t *answer = json_loadf(pipe, 0, &mistake);
    if (!answer) {
        fail_msg("%s: %s", command, mistake.text);
    }
    int ended = pclose(pipe);
    assert_int_equal(ended, status << 8);
    return answer;
}

static void assert_real(const json_t *object, const char *key, double expected) {
    double read = json_number_value(json_object_get(object, key));
    assert_memory_equal(&read, &expected, sizeof read);
}

static void assert_vec3(const json_t *array, abut_vec3 expected) {
    abut_vec3 read = {json_number_value(json_array_get(array, 0)), json_number_value(json_array_get(array, 1)),
                      json_number_value(json_array_get(array, 2))};
    assert_int_equal(json_array_size(array), 3);
    assert_memory_equal(&read, &expected, sizeof read);
}

static void assert_text(const json_t *object, const char *key, const char *expected) {
    assert_string_equal(json_string_value(json_object_get(object, key)), expected);
}

static void assert_integer(const json_t *object, const char *key, int64_t expected) {
    assert_true(json_is_integer(json_object_get(object, key)));
    assert_int_equal(json_integer_value(json_object_get(object, key)), expected);
}

static void assert_depth(const json_t *pair, const abut_depth *d) {
    assert_text(pair, "relation", depth_relation_name(d->relation));
    assert_real(pair, "depth", d->depth);
    assert_real(pair, "sigma_a", d->sigma_a);
    assert_real(pair, "sigma_b", d->sigma_b);
    assert_real(pair, "offset", d->offset);
    assert_real(pair, "volume_force_a", d->volume_force_a);
    assert_real(pair, "volume_force_b", d->volume_force_b);
    assert_vec3(json_object_get(pair, "normal"), d->normal);
    for (size_t i = 0; i < 4; i++) {
        assert_vec3(json_array_get(json_object_get(pair, "displacement_a"), i), d->displacement_a[i]);
        assert_vec3(json_array_get(json_object_get(pair, "displacement_b"), i), d->displacement_b[i]);
    }
    assert_text(pair, "direction", depth_direction_name(d->direction));
    assert_integer(pair, "feature_a", d->feature_a);
    assert_integer(pair, "feature_b", d->feature_b);
    assert_int_equal(json_is_true(json_object_get(pair, "certified")), d->certified);
    const json_t *rigid = json_object_get(pair, "rigid");
    assert_real(rigid, "depth", -d->rigid.gap);
    assert_vec3(json_object_get(rigid, "normal"), d->rigid.normal);
    assert_text(rigid, "direction", depth_direction_name(d->rigid.direction));
}

/* Compares all pairs of the answer with the library's. */
static void assert_pairs(const json_t *answer, const abut_tetra_mesh *a, const abut_tetra_mesh *b, const abut_depth_settings *settings) {
    static abut_element_pair pairs[ELEMENTS * ELEMENTS];
    static abut_depth depths[ELEMENTS * ELEMENTS];
    int64_t count = 0, candidates = 0;
    assert_int_equal(abut_tetra_mesh_candidates(a, b, NULL, pairs, ELEMENTS * ELEMENTS, &candidates), ABUT_OK);
    assert_int_equal(abut_tetra_mesh_intersections(a, b, NULL, pairs, ELEMENTS * ELEMENTS, &count), ABUT_OK);
    assert_int_equal(abut_tetra_mesh_depth(a, b, pairs, (int32_t)count, settings, NULL, depths), ABUT_OK);
    const json_t *list = json_object_get(answer, "pairs");
    assert_true(count > 5);
    assert_int_equal(json_array_size(list), count);
    assert_integer(answer, "candidates", candidates);
    int64_t deepest = 0;
    double mean = 0.0;
    for (int64_t i = 0; i < count; i++) {
        const json_t *pair = json_array_get(list, (size_t)i);
        assert_integer(pair, "a", 5 * pairs[i].a + 3);
        assert_integer(pair, "b", 5 * pairs[i].b + 3);
        assert_depth(pair, &depths[i]);
        deepest = depths[i].depth > depths[deepest].depth ? i : deepest;
        mean += depths[i].depth / (double)count;
    }
    assert_integer(answer, "deepest", deepest);
    const json_t *spread = json_object_get(answer, "depth"), *quantiles = json_object_get(spread, "quantiles");
    assert_true(fabs(json_number_value(json_object_get(spread, "mean")) - mean) <= 1e-12 * mean);
    assert_true(json_number_value(json_array_get(json_array_get(quantiles, 6), 1)) == depths[deepest].depth);
}

#define A ABUT_TEST_SCRATCH_DIR "/a.msh"
#define B ABUT_TEST_SCRATCH_DIR "/b.msh"

static void move_mesh(random_mesh *m, abut_pose pose) {
    for (int i = 0; i < VERTICES; i++) {
        m->vertices[i] = abut_pose_apply(pose, m->vertices[i]);
    }
}

/* Two meshes with poses; every mode and setting. */
static void test_two_meshes(void **state) {
    (void)state;
    static random_mesh a, b;
    random_state r = random_make(random_seed("depth", 20));
    make_mesh(&r, A, &a);
    make_mesh(&r, B, &b);
    abut_pose pose = {abut_vec3_make(0.25, -0.5, 1.0 / 3.0), abut_quat_unit(abut_quat_make(0.1, 0.2, 0.3, 0.4))};
    move_mesh(&b, pose);
    abut_depth_settings s = abut_depth_settings_default();
    for (int mode = 0; depth_modes[mode]; mode++) {
        char line[1024];
        s.mode = (abut_depth_mode)mode;
        s.best_k = mode == ABUT_DEPTH_BEST_K ? 3 : 6;
        s.weight_a = 2.5;
        s.weight_b = mode % 2 ? INFINITY : 0.75;
        snprintf(line, sizeof line,
                 A " " B " --pose 0.25,-0.5,0.33333333333333331,0.1,0.2,0.3,0.4 --mode %s %s --weight-a 2.5 --weight-b %s",
                 depth_modes[mode], mode == ABUT_DEPTH_BEST_K ? "--best-k 3" : "", mode % 2 ? "static" : "0.75");
        json_t *answer = answer_of(line, 0);
        assert_text(json_object_get(answer, "settings"), "mode", depth_modes[mode]);
        assert_pairs(answer, &a.mesh, &b.mesh, &s);
        json_decref(answer);
    }
    s = abut_depth_settings_default();
    s.volume_ratio = 0.5;
    json_t *answer = answer_of(A " " B " --pose 0.25,-0.5,0.33333333333333331,0.1,0.2,0.3,0.4 --volume-ratio 0.5 --threads 2", 0);
    assert_pairs(answer, &a.mesh, &b.mesh, &s);
    json_decref(answer);
}

static void test_one_mesh(void **state) {
    (void)state;
    static random_mesh a;
    random_state r = random_make(random_seed("depth", 20));
    make_mesh(&r, A, &a);
    json_t *answer = answer_of(A, 0);
    assert_true(json_is_null(json_object_get(answer, "b")));
    assert_pairs(answer, &a.mesh, NULL, NULL);
    json_decref(answer);
}

/* Pairs from a table, including pairs that are apart: pairs of elements, and the same tetrahedra given by their corners. */
static void test_given_pairs(void **state) {
    (void)state;
    static random_mesh a, b;
    enum { PAIRS = 200 };
    random_state r = random_make(random_seed("depth", 20));
    make_mesh(&r, A, &a);
    make_mesh(&r, B, &b);
    FILE *elements = fopen(ABUT_TEST_SCRATCH_DIR "/elements.csv", "w"), *corners = fopen(ABUT_TEST_SCRATCH_DIR "/corners.csv", "w");
    assert_true(elements && corners);
    abut_simplex p[PAIRS], q[PAIRS];
    int64_t tags[PAIRS][2];
    for (int i = 0; i < PAIRS; i++) {
        int32_t element[2] = {random_below(&r, ELEMENTS), random_below(&r, ELEMENTS)};
        for (int s = 0; s < 2; s++) {
            abut_simplex *simplex = s == 0 ? &p[i] : &q[i];
            const random_mesh *m = s == 0 ? &a : &b;
            simplex->count = 4;
            tags[i][s] = 5 * element[s] + 3;
            for (int c = 0; c < 4; c++) {
                abut_vec3 v = simplex->vertex[c] = m->vertices[m->elements[4 * element[s] + c]];
                fprintf(corners, "%s%.17g,%.17g,%.17g", s + c > 0 ? "," : "", v.x, v.y, v.z);
            }
        }
        fprintf(corners, "\n");
        fprintf(elements, "%d,%d\n", (int)tags[i][0], (int)tags[i][1]);
    }
    assert_int_equal(fclose(elements) + fclose(corners), 0);
    static const char *const lines[] = {A " " B " --pairs " ABUT_TEST_SCRATCH_DIR "/elements.csv --mode free",
                                        "--pairs " ABUT_TEST_SCRATCH_DIR "/corners.csv --mode free"};
    abut_depth_settings settings = abut_depth_settings_default();
    settings.mode = ABUT_DEPTH_FREE;
    abut_depth depths[PAIRS];
    assert_int_equal(abut_simplex_depth_batch(p, q, PAIRS, &settings, NULL, depths), ABUT_OK);
    for (int way = 0; way < 2; way++) {
        json_t *answer = answer_of(lines[way], 0);
        const json_t *list = json_object_get(answer, "pairs");
        assert_true(json_is_null(json_object_get(answer, "candidates")));
        assert_int_equal(json_array_size(list), PAIRS);
        for (int i = 0; i < PAIRS; i++) {
            const json_t *pair = json_array_get(list, (size_t)i);
            assert_integer(pair, "a", way == 0 ? tags[i][0] : i + 1);
            assert_integer(pair, "b", way == 0 ? tags[i][1] : i + 1);
            assert_depth(pair, &depths[i]);
        }
        json_decref(answer);
    }
}

/* The report of a separation, also with masses that the command computes from weights. */
static void test_separation(void **state) {
    (void)state;
    static random_mesh a, b;
    static abut_vec3 moved[2][VERTICES];
    static double fixed[VERTICES];
    random_state r = random_make(random_seed("depth", 20));
    make_mesh(&r, A, &a);
    make_mesh(&r, B, &b);
    for (int i = 0; i < VERTICES; i++) {
        fixed[i] = INFINITY;
    }
    for (int way = 0; way < 2; way++) {
        abut_resolve_report report;
        abut_status status =
            abut_tetra_mesh_resolve(&a.mesh, &b.mesh, NULL, way == 0 ? NULL : fixed, NULL, NULL, moved[0], moved[1], NULL, 0, &report);
        json_t *answer = answer_of(way == 0 ? A " " B " --resolve" : A " " B " --resolve --weight-b static", status != ABUT_OK);
        const json_t *told = json_object_get(answer, "separation");
        assert_text(told, "end", status == ABUT_OK ? "apart" : status == ABUT_ERROR_INFEASIBLE ? "infeasible" : "limit");
        assert_integer(told, "pairs_begin", report.pairs_begin);
        assert_integer(told, "pairs_remaining", report.pairs_remaining);
        assert_integer(told, "pairs_tested", report.pairs_tested);
        assert_integer(told, "rounds", report.rounds);
        assert_integer(told, "sweeps", report.sweeps);
        assert_integer(told, "zones", report.zones);
        assert_integer(told, "zones_stuck", report.zones_stuck);
        assert_integer(told, "flat_before", report.flat_before);
        assert_integer(told, "flat_after", report.flat_after);
        assert_integer(told, "inverted", report.inverted);
        assert_real(told, "displacement_rms", report.displacement_rms);
        assert_real(told, "displacement_max", report.displacement_max);
        json_decref(answer);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_meshes),
        cmocka_unit_test(test_one_mesh),
        cmocka_unit_test(test_given_pairs),
        cmocka_unit_test(test_separation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
