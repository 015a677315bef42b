/*
 * Data sets for ParaView, read again with HDF5: patches of bodies of rounded triangles sum to Hertz's disc and force, forces balance, periodic space, removed
 * bodies, and files that appear whole or not at all. test_vtk.py tests that VTK reads them, if VTK is installed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <abut/facetmesh.h>

#include "io/export/export.h"
#include "io/record/h5read.h"
#include "io/scene/data.h"
#include "support/demo_recording.h"
#include "support/demo_scene.h"
#include "support/facet_body.h"
#include "support/files.h"
#include "io/export/vtk_patches.h"
#include "io/export/vtk_surface.h"

#define FOLDER ABUT_TEST_SCRATCH_DIR "/folder"
#define RECORDING ABUT_TEST_SCRATCH_DIR "/pressed.h5"
#define RESULT FOLDER "/out.vtkhdf"

static const double pi = 3.14159265358979323846;

/* Pairs of overlapping bodies, far from other pairs, with a step so short that they do not move. Gravity presses some on each other. "0" to "3" and "5"
 * become bodies of rounded triangles. The radii are 1 and 0.7. */
static const char pressed[] =
    "{\"abut_scene\": 1, \"title\": \"Pressed\", \"dt\": 1e-9, \"duration\": 2e-9, \"gravity\": [0, 0, -10],\n"
    " \"materials\": {\"soft\": {\"young\": 2e5, \"poisson\": 0.3}, \"hard\": {\"young\": 9e6, \"poisson\": 0.1}},\n"
    " \"bodies\": [\n"
    "  {\"name\": \"0\", \"shape\": {\"sphere\": {\"radius\": 1}}, \"material\": \"soft\", \"position\": [0, 0, 5]},\n"
    "  {\"name\": \"1\", \"shape\": {\"sphere\": {\"radius\": 0.7}}, \"material\": \"hard\", \"position\": [1, 0.9, 6]},\n"
    "  {\"name\": \"2\", \"shape\": {\"sphere\": {\"radius\": 1}}, \"material\": \"soft\", \"position\": [10, 0, 5]},\n"
    "  {\"name\": \"ball\", \"shape\": {\"sphere\": {\"radius\": 0.7}}, \"material\": \"hard\", \"position\": [10.4, 1.1, 6.19]},\n"
    "  {\"name\": \"3\", \"shape\": {\"sphere\": {\"radius\": 0.7}}, \"material\": \"soft\", \"position\": [20, 0, 0.694],\n"
    "   \"rotation\": {\"axis\": [1, 2, 3], \"degrees\": 40}},\n"
    "  {\"name\": \"floor\", \"kind\": \"static\", \"shape\": {\"plane\": {\"normal\": [0, 0, 1]}}, \"material\": \"hard\"},\n"
    "  {\"name\": \"low\", \"shape\": {\"sphere\": {\"radius\": 1}}, \"material\": \"soft\", \"position\": [30, 0, 0.99]},\n"
    "  {\"name\": \"high\", \"shape\": {\"sphere\": {\"radius\": 0.7}}, \"material\": \"hard\", \"position\": [30, 1, 2.35]}\n"
    " ]}\n";
enum { COARSE, FINE, FACETED, BALL, ON_FLOOR, FLOOR, LOW, HIGH };

static void replace_by_facets(abut_scene *scene, int32_t body, int level) {
    abut_body_def *def = &scene->bodies[body].def;
    double radius = abut_shape_radius(def->shape);
    facet_body mesh = facet_body_ball(level);
    facet_body_scale(&mesh, abut_vec3_make(radius, radius, radius));
    abut_shape_release(def->shape);
    def->shape = facet_body_round(&mesh, radius);
    facet_body_free(&mesh);
}

static void record(abut_scene *scene, const char *path) {
    record_simulation(path, demo_simulation(scene), NULL, abut_scene_step_count(scene));
}

static abut_scene *parse(const char *text) {
    abut_scene *scene = NULL;
    abut_error error = {0};
    if (abut_scene_parse(text, strlen(text), "test.json", &scene, &error)) {
        fail_msg("%s", error.message);
    }
    return scene;
}

static int record_pressed(void **state) {
    abut_scene *scene = parse(pressed);
    replace_by_facets(scene, COARSE, 0);
    replace_by_facets(scene, FINE, 2);
    replace_by_facets(scene, FACETED, 1);
    replace_by_facets(scene, ON_FLOOR, 2);
    record(scene, RECORDING);
    abut_scene_destroy(scene);
    *state = open_recording(RECORDING);
    return 0;
}

static int close_pressed(void **state) {
    abut_recording_close(*state);
    return 0;
}

static int empty_folder(void **state) {
    (void)state;
    files_limit(0);
    files_empty_folder(FOLDER);
    return 0;
}

/* ---- reading a file of VTK ---- */

/* One frame of one file. */
typedef struct frame {
    hid_t file;
    const char *kind; /* kind of its cells */
    int64_t step, part, points, cells, first_point, first_cell, first_corner;
} frame;

static int64_t number(const frame *f, const char *path, hsize_t width, int64_t row, int column) {
    void *cells = NULL;
    hsize_t count;
    assert_int_equal(h5_read_all(f->file, path, LAYOUT_INT64, width, &cells, &count), ABUT_OK);
    assert_true((hsize_t)row < count);
    int64_t value = ((int64_t *)cells)[row * (int64_t)width + column];
    free(cells);
    return value;
}

static frame open_frame(const char *layer, const char *kind, int64_t step) {
    static const char *const kinds[] = {"Vertices", "Lines", "Polygons"};
    char path[512];
    snprintf(path, sizeof path, FOLDER "/out%s.vtkhdf", layer);
    frame f = {.file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), .kind = kind, .step = step};
    assert_true(f.file >= 0);
    int column = 0;
    while (strcmp(kinds[column], kind) != 0) {
        column++;
    }
    snprintf(path, sizeof path, "VTKHDF/%s/NumberOfCells", kind);
    f.part = number(&f, "VTKHDF/Steps/PartOffsets", 1, step, 0);
    f.points = number(&f, "VTKHDF/NumberOfPoints", 1, f.part, 0);
    f.cells = number(&f, path, 1, f.part, 0);
    f.first_point = number(&f, "VTKHDF/Steps/PointOffsets", 1, step, 0);
    f.first_cell = number(&f, "VTKHDF/Steps/CellOffsets", 4, step, column);
    f.first_corner = number(&f, "VTKHDF/Steps/ConnectivityIdOffsets", 4, step, column);
    return f;
}

static void close_frame(frame *f) { H5Fclose(f->file); }

/* Rows of a dataset from `first`; to be freed. */
static void *read_rows(const frame *f, const char *path, layout_cell cell, int width, int64_t first, int64_t count) {
    h5_rows rows;
    assert_int_equal(h5_rows_open(f->file, path, cell, width > 1 ? 2 : 1, (hsize_t)width, 0, &rows), ABUT_OK);
    void *cells = calloc((size_t)count + 1, (size_t)width * layout_cell_size(cell));
    assert_non_null(cells);
    assert_int_equal(h5_rows_read(&rows, (hsize_t)first, (hsize_t)count, cells), ABUT_OK);
    h5_rows_close(&rows);
    return cells;
}

/* Values of an array at the frame's cells or points; to be freed. */
static void *read_array(const frame *f, const char *data, const char *name, layout_cell cell, int width) {
    char path[256];
    snprintf(path, sizeof path, "VTKHDF/Steps/%sOffsets/%s", data, name);
    int64_t first = number(f, path, 1, f->step, 0);
    snprintf(path, sizeof path, "VTKHDF/%s/%s", data, name);
    return read_rows(f, path, cell, width, first, strcmp(data, "PointData") == 0 ? f->points : f->cells);
}

static double *read_points(const frame *f) { return read_rows(f, "VTKHDF/Points", LAYOUT_DOUBLE, 3, f->first_point, f->points); }

/* Element i is the first corner of cell i, counted from the frame's first corner. */
static int64_t *read_offsets(const frame *f) {
    char path[64];
    snprintf(path, sizeof path, "VTKHDF/%s/Offsets", f->kind);
    return read_rows(f, path, LAYOUT_INT64, 1, f->first_cell + f->part, f->cells + 1);
}

static int64_t *read_corners(const frame *f, int64_t count) {
    char path[64];
    snprintf(path, sizeof path, "VTKHDF/%s/Connectivity", f->kind);
    return read_rows(f, path, LAYOUT_INT64, 1, f->first_corner, count);
}

static void export_well(abut_recording *recording, int32_t every) {
    abut_export_vtk_settings settings = abut_export_vtk_settings_default();
    abut_error error = {0};
    settings.every = every;
    if (abut_export_vtk(recording, RESULT, &settings, &error)) {
        fail_msg("%s", error.message);
    }
}

/* ---- patches ---- */

/* Hertz's solution for two bodies at their recorded poses. */
typedef struct hertz {
    double overlap, area, force, largest;
} hertz;

static const double radius_of[] = {
    [COARSE] = 1, [FINE] = 0.7, [FACETED] = 1, [BALL] = 0.7, [ON_FLOOR] = 0.7, [FLOOR] = INFINITY, [LOW] = 1, [HIGH] = 0.7};

static double plane_modulus(const abut_recording *recording, int32_t body) {
    abut_recorded_body b;
    assert_int_equal(abut_recording_body(recording, body, &b), ABUT_OK);
    return b.material.young / (1.0 - b.material.poisson * b.material.poisson);
}

static hertz hertz_of(abut_recording *recording, int64_t index, int32_t a, int32_t b) {
    abut_recorded_frame f;
    assert_int_equal(abut_recording_frame(recording, index, &f, NULL), ABUT_OK);
    abut_vec3 p = f.bodies[a].pose.position, q = f.bodies[b].pose.position;
    int32_t ball = a == FLOOR ? b : a;
    bool floor = a == FLOOR || b == FLOOR;
    double overlap = floor ? radius_of[ball] - f.bodies[ball].pose.position.z : radius_of[a] + radius_of[b] - abut_distance_between(p, q);
    double radius = 1.0 / (1.0 / radius_of[a] + 1.0 / radius_of[b]);
    double modulus = 1.0 / (1.0 / plane_modulus(recording, a) + 1.0 / plane_modulus(recording, b));
    return (hertz){overlap, pi * radius * overlap, 4.0 / 3.0 * modulus * sqrt(radius) * pow(overlap, 1.5),
                   2.0 * modulus / pi * sqrt(overlap / radius)};
}

static void assert_near(double value, double expected, double relative) {
    if (!(fabs(value - expected) <= relative * fabs(expected))) {
        fail_msg("%.17g is not %.17g within %g", value, expected, relative);
    }
}

static double polygon_area(const double *points, const int64_t *corners, int64_t count, abut_vec3 normal) {
    abut_vec3 sum = {0, 0, 0}, first = {points[3 * corners[0]], points[3 * corners[0] + 1], points[3 * corners[0] + 2]};
    for (int64_t i = 1; i + 1 < count; i++) {
        const double *p = points + 3 * corners[i], *q = points + 3 * corners[i + 1];
        sum =
            abut_add(sum, abut_cross(abut_sub(abut_vec3_make(p[0], p[1], p[2]), first), abut_sub(abut_vec3_make(q[0], q[1], q[2]), first)));
    }
    return 0.5 * abut_dot(sum, normal);
}

/* Sums over the patches of a pair: areas and forces from the arrays, and the drawn area. */
static int64_t check_pair(abut_recording *recording, int32_t a, int32_t b, bool in_facets) {
    frame f = open_frame(".patches", "Polygons", 1);
    int32_t *of_a = read_array(&f, "CellData", "a", LAYOUT_INT32, 1), *of_b = read_array(&f, "CellData", "b", LAYOUT_INT32, 1);
    int32_t *facet_a = read_array(&f, "CellData", "facet_a", LAYOUT_INT32, 1),
            *facet_b = read_array(&f, "CellData", "facet_b", LAYOUT_INT32, 1);
    double *area = read_array(&f, "CellData", "area", LAYOUT_DOUBLE, 1), *force = read_array(&f, "CellData", "force", LAYOUT_DOUBLE, 1);
    double *mean = read_array(&f, "CellData", "mean_pressure", LAYOUT_DOUBLE, 1),
           *overlap = read_array(&f, "CellData", "overlap", LAYOUT_DOUBLE, 1);
    double *largest = read_array(&f, "CellData", "largest_pressure", LAYOUT_DOUBLE, 1),
           *normal = read_array(&f, "CellData", "normal", LAYOUT_DOUBLE, 3);
    double *points = read_points(&f);
    int64_t *offsets = read_offsets(&f), *corners = read_corners(&f, offsets[f.cells]), pieces = 0;
    hertz h = hertz_of(recording, 1, a, b), sum = {0};
    double drawn = 0.0;
    for (int64_t i = 0; i < f.cells; i++) {
        if ((of_a[i] != a || of_b[i] != b) && (of_a[i] != b || of_b[i] != a)) {
            continue;
        }
        pieces++;
        assert_int_equal(facet_a[i] >= 0 || facet_b[i] >= 0, in_facets);
        sum.area += area[i];
        sum.force += force[i];
        sum.largest = fmax(sum.largest, largest[i]);
        sum.overlap = fmax(sum.overlap, overlap[i]);
        assert_near(mean[i] * area[i], force[i], 1e-12);
        assert_true(mean[i] <= largest[i] * (1.0 + 1e-9));
        drawn += polygon_area(points, corners + offsets[i], offsets[i + 1] - offsets[i],
                              abut_vec3_make(normal[3 * i], normal[3 * i + 1], normal[3 * i + 2]));
    }
    void *const blocks[] = {of_a, of_b, facet_a, facet_b, area, force, mean, overlap, largest, normal, points, offsets, corners};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        free(blocks[i]);
    }
    close_frame(&f);
    assert_true(pieces > 0 && h.overlap > 1e-3);
    assert_near(sum.area, h.area, 1e-9);
    assert_near(sum.force, h.force, 1e-9);
    assert_near(sum.largest, h.largest, 1e-9);
    assert_near(sum.overlap, h.overlap, 1e-9);
    /* The drawn polygons tile the regular polygon about the disc. */
    assert_near(drawn, h.area / pi * VTK_PATCH_DISC * tan(pi / VTK_PATCH_DISC), 1e-9);
    return pieces;
}

static void test_patches_of_facets_add_up_to_the_disc_and_force_of_hertz(void **state) {
    export_well(*state, 1);
    assert_true(check_pair(*state, COARSE, FINE, true) > 1);
    assert_true(check_pair(*state, FACETED, BALL, true) > 1);
    assert_true(check_pair(*state, ON_FLOOR, FLOOR, true) > 1);
    assert_int_equal(files_count(FOLDER), 6);
}

static void test_balls_and_planes_touch_in_one_disc(void **state) {
    export_well(*state, 1);
    assert_int_equal(check_pair(*state, LOW, FLOOR, false), 1);
    assert_int_equal(check_pair(*state, LOW, HIGH, false), 1);
}

static void test_the_beginning_has_no_contacts_and_equal_frames_are_stored_once(void **state) {
    export_well(*state, 1);
    static const char *const layers[][2] = {{".patches", "Polygons"}, {".contacts", "Vertices"}, {".chains", "Lines"}};
    for (int i = 0; i < 3; i++) {
        frame begin = open_frame(layers[i][0], layers[i][1], 0), next = open_frame(layers[i][0], layers[i][1], 1);
        assert_int_equal(begin.cells, 0);
        assert_int_equal(begin.points, 0);
        assert_true(next.cells > 0);
        /* The empty part takes the place of one cell, so that its cells and those of the next part begin differently. */
        assert_int_equal(next.first_cell, 1);
        close_frame(&begin);
        close_frame(&next);
    }
    /* Cells never change; the bodies have not begun to move. */
    frame first = open_frame("", "Polygons", 0), last = open_frame("", "Polygons", 2);
    assert_int_equal(first.part, last.part);
    assert_int_equal(first.first_cell, last.first_cell);
    assert_int_equal(first.first_corner, last.first_corner);
    int64_t static_arrays[] = {number(&last, "VTKHDF/Steps/CellDataOffsets/body", 1, 2, 0),
                               number(&last, "VTKHDF/Steps/CellDataOffsets/curvature", 1, 2, 0)};
    assert_int_equal(static_arrays[0], 0);
    assert_int_equal(static_arrays[1], 0);
    close_frame(&first);
    close_frame(&last);
}

static void test_facets_know_their_curvature(void **state) {
    export_well(*state, 1);
    frame f = open_frame("", "Polygons", 1);
    int32_t *body = read_array(&f, "CellData", "body", LAYOUT_INT32, 1), *face = read_array(&f, "CellData", "face", LAYOUT_INT32, 1);
    double *curvature = read_array(&f, "CellData", "curvature", LAYOUT_DOUBLE, 1);
    int32_t facets[HIGH + 1] = {0};
    for (int64_t i = 0; i < f.cells; i++) {
        assert_near(curvature[i], 1.0 / radius_of[body[i]], 1e-6);
        assert_int_equal(face[i], body[i] == BALL || body[i] == LOW || body[i] == HIGH ? -1 : facets[body[i]]);
        facets[body[i]]++;
    }
    assert_int_equal(facets[COARSE], 20);
    assert_int_equal(facets[FINE], 320);
    assert_int_equal(facets[FLOOR], 1);
    free(body);
    free(face);
    free(curvature);
    close_frame(&f);
}

/* The recording as an earlier version wrote it. */
static abut_recording *without(const char *const *names, int count) {
    static const char path[] = ABUT_TEST_SCRATCH_DIR "/old.h5";
    size_t size;
    char *bytes = files_read(RECORDING, &size);
    files_write(path, bytes, size);
    free(bytes);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    for (int i = 0; i < count; i++) {
        assert_true(H5Ldelete(file, names[i], H5P_DEFAULT) >= 0);
    }
    H5Fclose(file);
    return open_recording(path);
}

static void test_recordings_without_materials_have_areas_but_no_pressures(void **state) {
    (void)state;
    static const char *const names[] = {"bodies/young", "bodies/poisson", "bodies/adhesion_work"};
    abut_recording *old = without(names, 3);
    abut_recorded_body body;
    assert_int_equal(abut_recording_body(old, 0, &body), ABUT_OK);
    assert_true(body.material.young == 0.0 && body.material.poisson == 0.0 && body.adhesion_work == 0.0);
    export_well(old, 1);
    frame f = open_frame(".patches", "Polygons", 1);
    double *area = read_array(&f, "CellData", "area", LAYOUT_DOUBLE, 1), *force = read_array(&f, "CellData", "force", LAYOUT_DOUBLE, 1);
    assert_true(f.cells > 5);
    for (int64_t i = 0; i < f.cells; i++) {
        assert_true(area[i] > 0.0 && isnan(force[i]));
    }
    free(area);
    free(force);
    close_frame(&f);
    abut_recording_close(old);
}

static void test_recordings_without_radii_have_no_patches_of_facets(void **state) {
    (void)state;
    static const char *const names[] = {"shapes/radius_first", "shapes/radii"};
    abut_recording *old = without(names, 2);
    export_well(old, 1);
    frame f = open_frame(".patches", "Polygons", 1);
    assert_int_equal(f.cells, 2); /* those of the balls */
    close_frame(&f);
    abut_recording_close(old);
}

/* ---- forces ---- */

static void test_forces_of_bodies_are_those_of_their_contacts(void **state) {
    abut_recording *recording = *state;
    export_well(recording, 1);
    frame f = open_frame(".centres", "Vertices", 2);
    assert_int_equal(f.points, 7); /* the plane has no centre */
    int32_t *body = read_array(&f, "PointData", "body", LAYOUT_INT32, 1),
            *coordination = read_array(&f, "PointData", "coordination", LAYOUT_INT32, 1);
    double *force = read_array(&f, "PointData", "contact_force", LAYOUT_DOUBLE, 3), *points = read_points(&f);
    const abut_recorded_contact *contacts;
    int32_t count;
    assert_int_equal(abut_recording_contacts(recording, 2, &contacts, &count, NULL), ABUT_OK);
    abut_recorded_frame read;
    assert_int_equal(abut_recording_frame(recording, 2, &read, NULL), ABUT_OK);
    double total = 0.0;
    for (int64_t i = 0; i < f.points; i++) {
        abut_vec3 sum = {0, 0, 0}, at = read.bodies[body[i]].pose.position;
        for (int32_t c = 0; c < count; c++) {
            double sign = contacts[c].a == body[i] ? 1.0 : contacts[c].b == body[i] ? -1.0 : 0.0;
            sum = abut_add_scaled(sum, sign * contacts[c].normal_force, contacts[c].contact.normal);
            sum = abut_add_scaled(sum, sign, contacts[c].friction_force);
        }
        total += abut_length(sum);
        assert_true(abut_distance_between(sum, abut_vec3_make(force[3 * i], force[3 * i + 1], force[3 * i + 2])) <=
                    1e-12 * (1.0 + abut_length(sum)));
        assert_int_equal(coordination[i], body[i] == LOW ? 2 : 1);
        assert_true(abut_distance_between(at, abut_vec3_make(points[3 * i], points[3 * i + 1], points[3 * i + 2])) < 1e-12);
    }
    assert_true(total > 0.0);
    free(body);
    free(coordination);
    free(force);
    free(points);
    close_frame(&f);
}

/* ---- other recordings ---- */

/* Two balls that touch across the border of periodic space, and are both outside of it, one along x and one along y. */
static const char across[] = "{\"abut_scene\": 1, \"dt\": 1e-4, \"duration\": 2e-4, \"gravity\": [0, 0, 0],\n"
                             " \"stepper\": {\"kind\": \"dem\", \"periodic\": {\"x\": [0, 10], \"y\": [-5, 5]}},\n"
                             " \"bodies\": [\n"
                             "  {\"name\": \"left\", \"shape\": {\"sphere\": {\"radius\": 1}}, \"position\": [10.5, 2, 0]},\n"
                             "  {\"name\": \"right\", \"shape\": {\"sphere\": {\"radius\": 1}}, \"position\": [8.6, -8, 0]}\n"
                             " ]}\n";

static void test_periodic_space_holds_its_bodies_and_the_contacts_across(void **state) {
    (void)state;
    static const char path[] = ABUT_TEST_SCRATCH_DIR "/across.h5";
    abut_scene *scene = parse(across);
    record(scene, path);
    abut_scene_destroy(scene);
    abut_recording *recording = open_recording(path);
    export_well(recording, 1);
    abut_recording_close(recording);
    frame centres = open_frame(".centres", "Vertices", 1), chains = open_frame(".chains", "Lines", 1);
    frame patches = open_frame(".patches", "Polygons", 1), contacts = open_frame(".contacts", "Vertices", 1);
    assert_int_equal(chains.cells, 1);
    assert_int_equal(patches.cells, 1);
    double *c = read_points(&centres), *line = read_points(&chains), *disc = read_points(&patches), *contact = read_points(&contacts);
    assert_true(fabs(c[0] - 0.5) < 1e-3 && fabs(c[1] - 2.0) < 1e-3 && fabs(c[3] - 8.6) < 1e-3 && fabs(c[4] - 2.0) < 1e-3);
    assert_true(fabs(fabs(line[0] - line[3]) - 1.9) < 1e-3 && fabs(line[1] - line[4]) < 1e-3);
    double middle = 0.0;
    for (int64_t i = 0; i < patches.points; i++) {
        middle += disc[3 * i] / (double)patches.points;
    }
    assert_true(fabs(middle - 0.5 * (line[0] + line[3])) < 1e-3);
    assert_true(fabs(contact[0] - middle) < 1e-3 && fabs(contact[1] - 2.0) < 1e-3);
    free(c);
    free(line);
    free(disc);
    free(contact);
    close_frame(&centres);
    close_frame(&chains);
    close_frame(&patches);
    close_frame(&contacts);
}

static void test_bodies_that_are_removed_are_no_longer_drawn(void **state) {
    (void)state;
    static const char path[] = ABUT_TEST_SCRATCH_DIR "/demo.h5";
    abut_recording *recording = demo_recording(path, DEMO_STEPS);
    export_well(recording, 7); /* frames 0, 7, .. 56 and 60 */
    abut_recording_close(recording);
    static const int64_t before = DEMO_REMOVED_AFTER / 7, last = 9;
    for (int64_t step = 0; step <= last; step++) {
        frame f = open_frame("", "Polygons", step), centres = open_frame(".centres", "Vertices", step);
        int32_t *body = read_array(&f, "CellData", "body", LAYOUT_INT32, 1);
        int64_t of_ball = 0;
        for (int64_t i = 0; i < f.cells; i++) {
            of_ball += body[i] == DEMO_BALL;
        }
        assert_int_equal(of_ball, step <= before ? 2 * VTK_SURFACE_MOST_RINGS * 4 * VTK_SURFACE_MOST_RINGS : 0);
        assert_int_equal(centres.points, DEMO_BODIES - (step <= before ? 1 : 2));
        assert_int_equal(f.part, step <= before ? 0 : 1);
        free(body);
        close_frame(&f);
        close_frame(&centres);
    }
}

/* ---- files ---- */

static void test_a_full_disk_is_one_error_and_leaves_the_old_files(void **state) {
    static const char *const names[] = {"", ".centres", ".contacts", ".patches", ".chains", ".joints"};
    char path[512];
    for (int i = 0; i < 6; i++) {
        snprintf(path, sizeof path, FOLDER "/out%s.vtkhdf", names[i]);
        files_write(path, "old", 3);
    }
    abut_error error = {0};
    files_limit(9000);
    assert_int_equal(abut_export_vtk(*state, RESULT, NULL, &error), ABUT_ERROR_FILE);
    files_limit(0);
    assert_non_null(strstr(error.message, FOLDER "/out"));
    for (int i = 0; i < 6; i++) {
        size_t size;
        snprintf(path, sizeof path, FOLDER "/out%s.vtkhdf", names[i]);
        char *bytes = files_read(path, &size);
        assert_int_equal(size, 3);
        assert_memory_equal(bytes, "old", 3);
        free(bytes);
    }
    assert_int_equal(files_count(FOLDER), 6);
    assert_int_equal(abut_export_vtk(*state, "/dev/full", NULL, &error), ABUT_ERROR_FILE);
    assert_int_equal(abut_export_vtk(*state, FOLDER "/missing/out.vtkhdf", NULL, &error), ABUT_ERROR_FILE);
    assert_int_equal(abut_export_vtk(*state, FOLDER, NULL, &error), ABUT_ERROR_FILE);
    assert_int_equal(files_count(FOLDER), 6);
}

static void test_arguments_out_of_range_are_refused(void **state) {
    abut_export_vtk_settings settings = abut_export_vtk_settings_default();
    assert_int_equal(abut_export_vtk(NULL, RESULT, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_export_vtk(*state, NULL, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    settings.every = 0;
    assert_int_equal(abut_export_vtk(*state, RESULT, &settings, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(files_count(FOLDER), 0);
    /* A file next to the result is the recording itself. */
    size_t size;
    char *bytes = files_read(RECORDING, &size);
    files_write(FOLDER "/out.chains.vtkhdf", bytes, size);
    free(bytes);
    abut_recording *recording = open_recording(FOLDER "/out.chains.vtkhdf");
    abut_error error = {0};
    assert_int_equal(abut_export_vtk(recording, RESULT, NULL, &error), ABUT_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "it is the recording itself"));
    abut_recording_close(recording);
    assert_int_equal(files_count(FOLDER), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_patches_of_facets_add_up_to_the_disc_and_force_of_hertz, empty_folder),
        cmocka_unit_test_setup(test_balls_and_planes_touch_in_one_disc, empty_folder),
        cmocka_unit_test_setup(test_the_beginning_has_no_contacts_and_equal_frames_are_stored_once, empty_folder),
        cmocka_unit_test_setup(test_facets_know_their_curvature, empty_folder),
        cmocka_unit_test_setup(test_recordings_without_materials_have_areas_but_no_pressures, empty_folder),
        cmocka_unit_test_setup(test_recordings_without_radii_have_no_patches_of_facets, empty_folder),
        cmocka_unit_test_setup(test_forces_of_bodies_are_those_of_their_contacts, empty_folder),
        cmocka_unit_test_setup(test_periodic_space_holds_its_bodies_and_the_contacts_across, empty_folder),
        cmocka_unit_test_setup(test_bodies_that_are_removed_are_no_longer_drawn, empty_folder),
        cmocka_unit_test_setup(test_a_full_disk_is_one_error_and_leaves_the_old_files, empty_folder),
        cmocka_unit_test_setup(test_arguments_out_of_range_are_refused, empty_folder),
    };
    return cmocka_run_group_tests(tests, record_pressed, close_pressed);
}
