#include "facet/bodies.h"

#include <stdlib.h>

#include <abut/facetmesh.h>
#include <abut/pressure.h>

#include "support/ball_mesh.h"
#include "support/counting.h"
#include "support/random.h"
#include "support/statistics.h"

enum { LEVELS = 5, ROUNDS = 21, POSES = 40, ROOM = 4096 };

/* Depths of two unit balls in each other: grains of a stiff bed, and of a soft one. */
enum { DEPTHS = 2 };
static const double depths[DEPTHS] = {0.002, 0.05};

typedef struct figures {
    int32_t triangles;
    double contacts[DEPTHS];   /* mean number of facet pairs in contact */
    statistics meet[DEPTHS];   /* microseconds */
    statistics forces[DEPTHS]; /* pressure only, microseconds */
    statistics build, move;    /* nanoseconds per triangle */
    double said, held,
        moved; /* bytes per triangle: from the report, from the allocator, and from the allocator for one more body with moved vertices */
    double error; /* relative error of the force between the balls */
} figures;

/* A ball, and its partner's poses at each depth. */
typedef struct ball {
    ball_mesh mesh;
    double *radii;
    abut_vec3 *moved; /* vertices of a slightly elongated ball */
    abut_shape *shape;
    abut_facetmesh_def def;
    abut_pose at[DEPTHS][POSES], own[POSES];
} ball;

static bool ball_make(int level, ball *made) {
    *made = (ball){0};
    if (!ball_mesh_make(level, abut_vec3_make(1, 1, 1), &made->mesh)) {
        return false;
    }
    const ball_mesh *m = &made->mesh;
    made->radii = calloc((size_t)m->triangle_count, sizeof *made->radii);
    made->moved = calloc((size_t)m->vertex_count, sizeof *made->moved);
    if (made->radii == NULL || made->moved == NULL) {
        fprintf(stderr, "bench_facet: no memory\n");
        return false;
    }
    for (int32_t t = 0; t < m->triangle_count; t++) {
        made->radii[t] = 1.0;
    }
    for (int32_t v = 0; v < m->vertex_count; v++) {
        made->moved[v] = abut_vec3_make(m->vertices[v].x, m->vertices[v].y, 1.1 * m->vertices[v].z);
    }
    made->def = (abut_facetmesh_def){.vertices = m->vertices,
                                     .vertex_count = m->vertex_count,
                                     .triangles = m->triangles,
                                     .triangle_count = m->triangle_count,
                                     .radii = made->radii};
    random_state random = random_make(7);
    for (int i = 0; i < POSES; i++) {
        made->own[i] = (abut_pose){.rotation = random_rotation(&random)};
        abut_vec3 way = random_direction(&random);
        abut_quat turned = random_rotation(&random);
        for (int d = 0; d < DEPTHS; d++) {
            made->at[d][i] = (abut_pose){abut_scale(2.0 - depths[d], way), turned};
        }
    }
    return true;
}

static void ball_free(ball *b) {
    ball_mesh_free(&b->mesh);
    free(b->radii);
    free(b->moved);
    abut_shape_release(b->shape);
}

/* ---- memory ---- */

static bool measure_memory(ball *b, figures *f) {
    abut_shape *built = NULL, *moved = NULL;
    abut_facetmesh_report report = {0};
    counting_begin();
    bool fine = abut_shape_create_facetmesh(&b->def, &report, &built) == ABUT_OK;
    size_t held = counting_held();
    fine = fine && abut_shape_create_facetmesh_moved(built, b->moved, NULL, NULL, &moved) == ABUT_OK;
    f->said = (double)report.bytes / f->triangles;
    f->held = (double)held / f->triangles;
    f->moved = (double)(counting_held() - held) / f->triangles;
    abut_shape_release(moved);
    abut_shape_release(built);
    counting_end();
    return fine;
}

/* ---- times ---- */

static abut_facetmesh_contact found[ROOM];
static abut_facet_contact contacts[ROOM];
static abut_pressure_id ids[ROOM];

static int32_t meet(const ball *b, int depth, int pose) {
    int32_t count = 0;
    abut_status status = abut_collide_facets(&(abut_pair){b->shape, b->own[pose], b->shape, b->at[depth][pose]}, found, ROOM, &count);
    return status == ABUT_OK ? count : -1;
}

/* Adds the seconds of the pressure computation. Returns the force; for a ball it is 4/3 sqrt(R) d^1.5 per modulus. */
static double press(const ball *b, int depth, int pose, int32_t count, double *seconds) {
    const abut_material material = {1.0, 0.0};
    const abut_pressure_body bodies[2] = {{.inverse_mass = 1.0}, {.centre = b->at[depth][pose].position, .inverse_mass = 1.0}};
    abut_pressure_law law;
    abut_pressure_result result;
    abut_pressure_memory memory[4];
    abut_pressure_history after = {memory, 0, 4};
    (void)abut_pressure_law_make(&material, &material, &law);
    law.damping = 0.2;
    law.friction = 0.5;
    for (int32_t i = 0; i < count; i++) {
        contacts[i] = found[i].contact;
        ids[i] = (abut_pressure_id){found[i].facet_a, found[i].facet_b, 0, 0};
    }
    double start = clock_processor_seconds();
    abut_status status = abut_pressure_pair(contacts, ids, count, &law, bodies, 1e-5, NULL, &after, &result);
    *seconds += clock_processor_seconds() - start;
    return status == ABUT_OK ? abut_length(result.force) / law.modulus : NAN;
}

static bool measure_contact(const ball *b, int depth, figures *f) {
    double times[ROUNDS], forces[ROUNDS], total = 0.0;
    for (int round = -1; round < ROUNDS; round++) {
        double pressing = 0.0, meeting = 0.0, timed = 0.0;
        for (int i = 0; i < POSES; i++) {
            double start = clock_processor_seconds();
            int32_t count = meet(b, depth, i);
            meeting += clock_processor_seconds() - start;
            double force = count >= 0 ? press(b, depth, i, count, &pressing) : NAN;
            double right = 4.0 / 3.0 * sqrt(0.5) * pow(depths[depth], 1.5);
            f->error = fmax(f->error, fabs(force / right - 1.0));
            total += round < 0 ? count : 0;
            timed += force;
        }
        if (!(timed > 0.0)) {
            return false;
        }
        if (round >= 0) {
            times[round] = meeting / POSES * 1e6;
            forces[round] = pressing / POSES * 1e6;
        }
    }
    f->contacts[depth] = total / POSES;
    f->meet[depth] = statistics_of(times, ROUNDS);
    f->forces[depth] = statistics_of(forces, ROUNDS);
    return true;
}

/* Repeats until it takes some milliseconds. */
static bool measure_making(const ball *b, bool move, figures *f) {
    double times[ROUNDS];
    int32_t times_each = 1 + 20000 / f->triangles;
    for (int round = -1; round < ROUNDS; round++) {
        double start = clock_processor_seconds();
        for (int32_t i = 0; i < times_each; i++) {
            abut_shape *made = NULL;
            abut_status status = move ? abut_shape_create_facetmesh_moved(b->shape, b->moved, NULL, NULL, &made)
                                      : abut_shape_create_facetmesh(&b->def, NULL, &made);
            abut_shape_release(made);
            if (status != ABUT_OK) {
                return false;
            }
        }
        if (round >= 0) {
            times[round] = (clock_processor_seconds() - start) / ((double)times_each * f->triangles) * 1e9;
        }
    }
    *(move ? &f->move : &f->build) = statistics_of(times, ROUNDS);
    return true;
}

static bool measure(int level, figures *f) {
    ball b;
    bool fine = ball_make(level, &b);
    f->triangles = b.mesh.triangle_count;
    fine = fine && measure_memory(&b, f) && abut_shape_create_facetmesh(&b.def, NULL, &b.shape) == ABUT_OK &&
           measure_making(&b, false, f) && measure_making(&b, true, f);
    for (int depth = 0; depth < DEPTHS && fine; depth++) {
        fine = measure_contact(&b, depth, f);
    }
    ball_free(&b);
    return fine && f->error < 1e-9;
}

/* ---- report ---- */

static void put_head(void) {
    printf("balls of triangles: two in contact [us], medians of %d rounds over %d poses; building and moving of one [ns a triangle]; "
           "memory [bytes a triangle]\n\n",
           ROUNDS, POSES);
    printf("  %9s", "triangles");
    for (int d = 0; d < DEPTHS; d++) {
        printf("  depth %5.3f: %6s %9s %9s", depths[d], "pairs", "contact", "+ force");
    }
    printf(" %8s %8s %8s %8s %8s %9s\n", "build", "move", "said", "held", "moved", "error");
}

static void put_times(FILE *json, const char *name, const statistics *s) {
    fprintf(json, ", \"%s\": {\"median\": %.4f, \"p10\": %.4f, \"p90\": %.4f}", name, s->median, s->p10, s->p90);
}

static void put_row(FILE *json, const figures *f) {
    printf("  %9d", (int)f->triangles);
    fprintf(json, "{\"triangles\": %d, \"depths\": [", (int)f->triangles);
    for (int d = 0; d < DEPTHS; d++) {
        printf("  %12s %6.1f %9.2f %9.2f", "", f->contacts[d], f->meet[d].median, f->meet[d].median + f->forces[d].median);
        fprintf(json, "%s{\"depth\": %g, \"pairs\": %.3f", d > 0 ? ", " : "", depths[d], f->contacts[d]);
        put_times(json, "contact_us", &f->meet[d]);
        put_times(json, "force_us", &f->forces[d]);
        fprintf(json, "}");
    }
    printf(" %8.0f %8.0f %8.1f %8.1f %8.1f %9.1e\n", f->build.median, f->move.median, f->said, f->held, f->moved, f->error);
    fprintf(json, "]");
    put_times(json, "build_ns", &f->build);
    put_times(json, "move_ns", &f->move);
    fprintf(json, ", \"bytes_said\": %.2f, \"bytes_held\": %.2f, \"bytes_moved\": %.2f, \"error\": %.2e}", f->said, f->held, f->moved,
            f->error);
    fflush(stdout);
}

bool bodies_run(FILE *json) {
    bool right = true;
    put_head();
    fprintf(json, "\"bodies\": {\"rounds\": %d, \"poses\": %d, \"rows\": [", ROUNDS, POSES);
    for (int level = 0; level < LEVELS && right; level++) {
        figures f = {0};
        right = measure(level, &f);
        fprintf(json, "%s\n  ", level > 0 ? "," : "");
        put_row(json, &f);
    }
    fprintf(json, "]}\n");
    if (!right) {
        fprintf(stderr, "bench_facet: a ball could not be made or met, or its force is not that of the ball\n");
    }
    return right;
}
