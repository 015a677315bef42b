/*
 * Prints which query answers which pair of kinds of shapes, and which stepper takes which kind: the tables of docs/methods/queries.md. Every pair is asked: one
 * shape on the other, overlapping, touching and apart, with A and B exchanged. An answer counts only if it is right. The program ends with status 1 where one
 * is wrong, or where the status depends on the poses. "pair_table --without-rings" leaves out the shapes that are not convex, which take most of the time.
 */
#include <stdio.h>
#include <string.h>

#include <abut/abut.h>

#include "support/check.h"
#include "support/facet_body.h"
#include "support/shapes.h"
#include "support/user_surface.h"

/* ---- one shape of every kind ---- */

/* The z axis meets the lowest and the highest point of each shape, so that the gap of two shapes on each other is known. */
typedef struct row {
    char name[40];
    abut_shape *shape;
    double bottom, top; /* along z; a plane has no bottom */
    bool ring;          /* not convex, with a hole about the z axis: its place tells nothing about its depth */
    double flat;        /* how far rays, which take rounded triangles as flat, may pass below the top */
    double skin;        /* how far its skin, which bodies of rounded triangles meet, may be off at the top */
} row;

enum { MOST_ROWS = 24 };

static row rows[MOST_ROWS];
static int row_count;

static double skin_of(abut_kind kind) {
    return kind == ABUT_SHAPE_CONE ? 3e-3 : kind == ABUT_SHAPE_ELLIPSOID || kind == ABUT_SHAPE_SUPERQUADRIC ? 1e-4 : 0.0;
}

/* The name is that of the shape's kind, with a note where one kind has several answers. */
static void add(abut_shape *shape, const char *note, double bottom, double top) {
    row *r = &rows[row_count++];
    *r = (row){.shape = shape, .bottom = bottom, .top = top, .skin = skin_of(abut_shape_kind(shape))};
    snprintf(r->name, sizeof r->name, "%s%s", abut_kind_name(abut_shape_kind(shape)), note);
}

static bool without_rings;

static void add_ring(abut_shape *shape, const char *note, double tube) {
    if (without_rings) {
        abut_shape_release(shape);
        return;
    }
    add(shape, note, -tube, tube);
    rows[row_count - 1].ring = true;
}

static abut_shape *superquadric(void) {
    abut_shape *shape;
    assert_ok(abut_shape_create_superquadric(abut_vec3_make(0.5, 0.5, 0.5), 0.7, 0.7, &shape));
    return shape;
}

/* A ball on a box. */
static abut_shape *compound(void) {
    abut_shape *parts[] = {box(0.5, 0.5, 0.25), sphere(0.5)}, *shape;
    const abut_part placed[] = {{parts[0], at(0, 0, -0.25)}, {parts[1], at(0, 0, 0)}};
    assert_ok(abut_shape_create_compound(placed, 2, &shape));
    abut_shape_release(parts[0]);
    abut_shape_release(parts[1]);
    return shape;
}

/* The surface of an octahedron; an open one lacks a triangle below. Vertices: +x, -x, +y, -y, +z, -z. */
static abut_shape *octahedron_of_triangles(bool open) {
    static const int32_t triangles[] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    abut_vec3 vertices[6];
    for (int v = 0; v < 6; v++) {
        double side = v % 2 == 0 ? 0.5 : -0.5;
        vertices[v] = abut_vec3_make(v / 2 == 0 ? side : 0.0, v / 2 == 1 ? side : 0.0, v / 2 == 2 ? side : 0.0);
    }
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = vertices;
    def.vertex_count = 6;
    def.triangles = triangles;
    def.triangle_count = open ? 7 : 8;
    abut_trimesh_report report;
    abut_shape *shape;
    assert_ok(abut_shape_create_trimesh(&def, &report, &shape));
    assert_true(report.closed != open);
    return shape;
}

static abut_shape *ball_of_facets(void) {
    facet_body ball = facet_body_ball(2);
    facet_body_scale(&ball, abut_vec3_make(0.5, 0.5, 0.5));
    abut_shape *shape = facet_body_round(&ball, 0.5);
    facet_body_free(&ball);
    return shape;
}

static abut_shape *implicit(abut_implicit_def def) {
    abut_shape *shape;
    assert_ok(abut_shape_create_implicit(&def, &shape));
    return shape;
}

static abut_shape *parametric(abut_parametric_def def) {
    abut_shape *shape;
    assert_ok(abut_shape_create_parametric(&def, &shape));
    return shape;
}

static void add_all(void) {
    static user_ellipsoid ball = {{0.5, 0.5, 0.5}, {0, 0, 0}};
    static user_torus torus = {0.4, 0.1};
    add(sphere(0.5), "", -0.5, 0.5);
    add(capsule(0.25, 0.25), "", -0.5, 0.5);
    add(box(0.5, 0.5, 0.5), "", -0.5, 0.5);
    add(prism(0.5, 0.5, 8), "", -0.5, 0.5);
    add(plane(abut_vec3_make(0, 0, 1), 0.5), "", -INFINITY, 0.5);
    add(compound(), "", -0.5, 0.5);
    add(octahedron_of_triangles(false), ", closed", -0.5, 0.5);
    add(octahedron_of_triangles(true), ", open", -0.5, 0.5);
    add(ellipsoid(0.4, 0.5, 0.5), "", -0.5, 0.5);
    add(superquadric(), "", -0.5, 0.5);
    add(implicit(user_ellipsoid_implicit(&ball)), ", convex", -0.5, 0.5);
    add_ring(implicit(user_torus_implicit(&torus)), ", not convex", torus.tube);
    add(parametric(user_ellipsoid_parametric(&ball)), ", convex", -0.5, 0.5);
    add_ring(parametric(user_torus_parametric(&torus)), ", not convex", torus.tube);
    add(ball_of_facets(), "", -0.5, 0.5);
    rows[row_count - 1].flat = 0.02;
    add(cylinder(0.5, 0.5), "", -0.5, 0.5);
    add(cone(0.5, 1.0), "", -0.25, 0.75);
}

/* ---- the queries ---- */

typedef enum query { COLLIDE, OVERLAP, DISTANCE, CAST, QUERIES } query;

static const char *const query_names[] = {"collide", "overlap", "distance", "cast"};
static const char *const call_names[] = {"abut_collide", "abut_overlap", "abut_distance", "abut_shape_cast"};

/* Sizes are about 1. The gap of touching shapes is that of rounding, and casts end within their tolerance. */
static const double lift[] = {-0.0625, 0.0, 0.25}, rounding = 1e-9, cast_tolerance = 1e-6;

enum { OVERLAPPING, TOUCHING, APART, PLACES };

static const char *const place_names[] = {"overlapping", "touching", "apart"};

static bool is_near(double x, double y, double tolerance) { return fabs(x - y) <= tolerance; }

/* How far surfaces of the present pair are known: bodies of rounded triangles meet the skins of the others. */
static double known;

/* Shapes that overlap by `lift` along z are not deeper than that. */
static bool is_gap(double gap, int place) {
    return place == OVERLAPPING ? gap < 0.0 && gap >= lift[place] - known : is_near(gap, lift[place], known);
}

static bool is_of_facets(const abut_shape *shape) { return abut_shape_kind(shape) == ABUT_SHAPE_FACETMESH; }

/* A ball of facets overlaps each face at a vertex along that face's normal, and that is not the shortest way. */
static double overlap_of(const abut_pair *pair, double gap) { return is_of_facets(pair->a) || is_of_facets(pair->b) ? 0.5 * gap : gap; }

static abut_status ask_collide(const abut_pair *pair, int place, bool *right) {
    enum { ROOM = 4096 };
    static abut_contact contacts[ROOM];
    int32_t count;
    abut_status status = abut_collide(pair, NULL, NULL, contacts, ROOM, &count);
    *right = status != ABUT_OK || place == TOUCHING || (count > 0) == (place == OVERLAPPING);
    for (int32_t i = 0; i < count; i++) {
        double gap = contacts[i].gap;
        *right = *right && is_gap(place == OVERLAPPING ? overlap_of(pair, gap) : gap, gap < -known ? OVERLAPPING : TOUCHING);
    }
    return status;
}

static abut_status ask_overlap(const abut_pair *pair, int place, bool *right) {
    bool overlap;
    abut_status status = abut_overlap(pair, NULL, &overlap);
    *right = status != ABUT_OK || place == TOUCHING || overlap == (place == OVERLAPPING);
    return status;
}

static abut_status ask_distance(const abut_pair *pair, int place, bool *right) {
    abut_separation separation;
    abut_status status = abut_distance(pair, NULL, NULL, &separation);
    *right = status != ABUT_OK || is_gap(place == OVERLAPPING ? overlap_of(pair, separation.gap) : separation.gap, place);
    return status;
}

/* The upper shape falls by twice the gap of the shapes apart. */
static abut_status ask_cast(const abut_pair *pair, bool upper_is_a, int place, bool *right) {
    const abut_motion falls = {.linear = {0, 0, -2.0 * lift[APART]}}, rests = {.linear = {0, 0, 0}};
    abut_hit hit;
    abut_status status = abut_shape_cast(pair, upper_is_a ? falls : rests, upper_is_a ? rests : falls, 0.0, &hit);
    double expected = place == APART ? 0.5 : 0.0;
    *right = status != ABUT_OK || (hit.hit && is_near(hit.fraction, expected, (2.0 * cast_tolerance + known) / lift[APART]));
    *right = *right && (status != ABUT_OK || place == TOUCHING || hit.started_inside == (place == OVERLAPPING));
    return status;
}

static abut_status ask(query q, const abut_pair *pair, bool upper_is_a, int place, bool *right) {
    switch (q) {
    case COLLIDE:
        return ask_collide(pair, place, right);
    case OVERLAP:
        return ask_overlap(pair, place, right);
    case DISTANCE:
        return ask_distance(pair, place, right);
    default:
        return ask_cast(pair, upper_is_a, place, right);
    }
}

/* ---- all pairs ---- */

static int faults;
static abut_status answers[QUERIES][MOST_ROWS][MOST_ROWS], rays[MOST_ROWS];

/* Two planes, one above the other with the same normal, overlap in every place. */
static bool is_judged(const row *upper, const row *lower) { return !upper->ring && !lower->ring && isfinite(upper->bottom); }

/* The status of a query at all places and in both orders. */
static abut_status ask_everywhere(query q, const row *upper, const row *lower) {
    abut_status first = ABUT_OK;
    bool facets = is_of_facets(upper->shape) || is_of_facets(lower->shape);
    known = rounding + (facets ? fmax(upper->skin, lower->skin) : 0.0);
    bool rings = upper->ring || lower->ring; /* nothing is known of their answers but the status; two in each other take long */
    for (int place = rings ? APART : 0; place < PLACES; place++) {
        double bottom = isfinite(upper->bottom) ? upper->bottom : 0.0;
        abut_pose high = turned(at(0, 0, lower->top - bottom + lift[place]), abut_vec3_make(0, 0, 1), 0.3), low = at(0, 0, 0);
        for (int order = 0; order < (rings ? 1 : 2); order++) { /* the other order comes with the shapes exchanged */
            bool upper_is_a = order == 0, right = true;
            abut_pair pair =
                upper_is_a ? (abut_pair){upper->shape, high, lower->shape, low} : (abut_pair){lower->shape, low, upper->shape, high};
            abut_status status = ask(q, &pair, upper_is_a, place, &right);
            first = place == (rings ? APART : 0) && order == 0 ? status : first;
            if (status != first || (!right && is_judged(upper, lower))) {
                fprintf(stderr, "pair_table: %s of %s on %s, %s, the upper one as %c: %s\n", call_names[q], upper->name, lower->name,
                        place_names[place], upper_is_a ? 'A' : 'B', status != first ? abut_status_name(status) : "a wrong answer");
                faults++;
            }
        }
    }
    return first;
}

/* A ray down hits the top, or passes by a bounded shape. */
static bool is_ray(const row *r, double aside, const abut_hit *hit) {
    bool passes = aside > 1.0 && isfinite(r->bottom);
    double below = r->top - hit->point.z;
    return passes ? !hit->hit : hit->hit && below >= -rounding && below <= r->flat + rounding;
}

/* Rays from above that hit the top, pass by, and begin on the top. */
static abut_status ask_rays(const row *r) {
    static const double from[][2] = {{0.0, 2.0}, {9.0, 2.0}, {0.0, 0.0}}; /* aside, above the top */
    abut_status first = ABUT_OK;
    for (int i = 0; i < 3; i++) {
        abut_hit hit;
        abut_status status =
            abut_ray_cast(r->shape, at(0, 0, 0), abut_vec3_make(from[i][0], 0, r->top + from[i][1]), abut_vec3_make(0, 0, -3), &hit);
        bool right = status != ABUT_OK || r->ring || is_ray(r, from[i][0], &hit);
        first = i == 0 ? status : first;
        if (status != first || !right) {
            fprintf(stderr, "pair_table: abut_ray_cast of %s, ray %d: %s\n", r->name, i,
                    status != first ? abut_status_name(status) : "a wrong answer");
            faults++;
        }
    }
    return first;
}

/* A plane is always the lower one. */
static void ask_all(void) {
    for (int i = 0; i < row_count; i++) {
        rays[i] = ask_rays(&rows[i]);
        for (int k = 0; k < row_count; k++) {
            bool swap = !isfinite(rows[i].bottom);
            for (int q = 0; q < QUERIES; q++) {
                answers[q][i][k] = ask_everywhere((query)q, &rows[swap ? k : i], &rows[swap ? i : k]);
                if (k < i && answers[q][i][k] != answers[q][k][i]) {
                    fprintf(stderr, "pair_table: %s of %s and %s depends on which one is above\n", call_names[q], rows[i].name,
                            rows[k].name);
                    faults++;
                }
            }
        }
    }
}

/* ---- the tables ---- */

static void print_cell(int i, int k) {
    int answered = 0, listed = 0;
    for (int q = 0; q < QUERIES; q++) {
        answered += answers[q][i][k] == ABUT_OK;
    }
    printf(" %s", answered == QUERIES ? "all" : answered == 0 ? "**none**" : "");
    for (int q = 0; q < QUERIES && answered < QUERIES; q++) {
        if (answers[q][i][k] == ABUT_OK) {
            printf("%s%s", listed++ > 0 ? ", " : "", query_names[q]);
        }
    }
    printf(" |");
}

static void print_matrix(void) {
    printf("| A or B |");
    for (int k = 0; k < row_count; k++) {
        printf(" %s |", rows[k].name);
    }
    printf(" ray |\n|---|");
    for (int k = 0; k <= row_count; k++) {
        printf(":-:|");
    }
    for (int i = 0; i < row_count; i++) {
        printf("\n| %s |", rows[i].name);
        for (int k = 0; k < row_count; k++) {
            print_cell(i, k);
        }
        printf(" %s |", rays[i] == ABUT_OK ? "yes" : "**no**");
    }
    printf("\n");
}

/* Which pairs have not been listed under a status. */
static bool listed[MOST_ROWS][MOST_ROWS];

static bool is_to_list(query q, abut_status status, int i, int k) { return answers[q][i][k] == status && !listed[i][k]; }

static int count_to_list(query q, abut_status status, int i) {
    int count = 0;
    for (int k = 0; k < row_count; k++) {
        count += is_to_list(q, status, i, k);
    }
    return count;
}

static int count_of_status(query q, abut_status status, int i) {
    int count = 0;
    for (int k = 0; k < row_count; k++) {
        count += answers[q][i][k] == status;
    }
    return count;
}

/* The shape with the most pairs that have this status and are not listed yet; of equals the last one, which is the rarer kind. -1 for none. */
static int find_most(query q, abut_status status) {
    int best = -1, most = 1;
    for (int i = 0; i < row_count; i++) {
        int count = count_to_list(q, status, i);
        best = count >= most ? i : best;
        most = count >= most ? count : most;
    }
    return best;
}

static void print_partners(query q, abut_status status, int i) {
    int count = 0;
    printf("| `%s` | %s |%s", call_names[q], rows[i].name, count_of_status(q, status, i) == row_count ? " every shape" : "");
    for (int k = 0; k < row_count; k++) {
        if (is_to_list(q, status, i, k)) {
            if (count_of_status(q, status, i) < row_count) {
                printf("%s %s", count++ == 0 ? "" : ";", rows[k].name);
            }
            listed[i][k] = listed[k][i] = true;
        }
    }
    printf(" | `%s` |\n", abut_status_name(status));
}

static void print_statuses(void) {
    printf("\n| not answered by | shape | with | status |\n|---|---|---|---|\n");
    for (int q = 0; q < QUERIES; q++) {
        memset(listed, 0, sizeof listed);
        for (abut_status status = ABUT_OK + 1; status <= ABUT_ERROR_INTERNAL; status++) {
            for (int i = find_most((query)q, status); i >= 0; i = find_most((query)q, status)) {
                print_partners((query)q, status, i);
            }
        }
    }
    for (int i = 0; i < row_count; i++) {
        if (rays[i] != ABUT_OK) {
            printf("| `abut_ray_cast` | %s | | `%s` |\n", rows[i].name, abut_status_name(rays[i]));
        }
    }
}

/* The shapes that a stepper takes as bodies, or those that it refuses. */
static void print_bodies(abut_stepper stepper, bool taken) {
    int count = 0;
    for (int i = 0; i < row_count; i++) {
        bool fixed = abut_stepper_refusal(stepper, ABUT_BODY_STATIC, rows[i].shape) == NULL;
        bool goes = abut_stepper_refusal(stepper, ABUT_BODY_KINEMATIC, rows[i].shape) == NULL;
        bool moves = abut_stepper_refusal(stepper, ABUT_BODY_DYNAMIC, rows[i].shape) == NULL;
        const char *kinds = !fixed || moves ? "" : goes ? " (static or kinematic)" : " (static)";
        if (fixed == taken) {
            printf("%s%s%s", count++ == 0 ? " " : "; ", rows[i].name, kinds);
        }
    }
    printf("%s |", count == 0 ? " none" : "");
}

static void print_steppers(void) {
    static const char *const names[] = {[ABUT_STEPPER_FIXED] = "fixed", [ABUT_STEPPER_EVENT] = "event", [ABUT_STEPPER_DEM] = "dem"};
    printf("\n| stepper | bodies that it takes | bodies that it refuses |\n|---|---|---|\n");
    for (int stepper = ABUT_STEPPER_FIXED; stepper <= ABUT_STEPPER_DEM; stepper++) {
        printf("| %s |", names[stepper]);
        print_bodies((abut_stepper)stepper, true);
        print_bodies((abut_stepper)stepper, false);
        printf("\n");
    }
}

int main(int count, char **words) {
    without_rings = count > 1 && strcmp(words[1], "--without-rings") == 0;
    add_all();
    ask_all();
    print_matrix();
    print_statuses();
    print_steppers();
    for (int i = 0; i < row_count; i++) {
        abut_shape_release(rows[i].shape);
    }
    return faults > 0;
}
