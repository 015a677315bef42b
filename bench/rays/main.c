/*
 * bench_rays: the first point of a shape on each of 20,000 rays, one ray at a time: hulls, a bumpy sheet of a million triangles, and the same sheet as a height
 * field; and making the sheet. Processor time on one thread, medians over rounds in which all engines answer in turn.
 */
#include <math.h>
#include <stdlib.h>

#include <abut/mesh.h>
#include <abut/query.h>

#include "peer.h"
#include "support/json_file.h"
#include "support/random.h"
#include "support/statistics.h"

enum { RAYS = 20000, ROUNDS = 11, MAKINGS = 5, SIDE = 708, PEERS = 2 };

static const peer *const peers[PEERS] = {
#ifdef BENCH_WITH_BULLET
    &bullet_peer,
#else
    NULL,
#endif
#ifdef BENCH_WITH_EMBREE
    &embree_peer,
#else
    NULL,
#endif
};

/* ---- shapes ---- */

static abut_vec3 points[SIDE * SIDE];
static double heights[SIDE * SIDE];
static int32_t corners[6 * (SIDE - 1) * (SIDE - 1)];
static const double spacing = 0.1;

/* Squares of 0.1 m with waves of 0.5 m and bumps of 2 cm. */
static target make_sheet(void) {
    random_state random = random_make(11);
    for (int32_t i = 0; i < SIDE * SIDE; i++) {
        double x = spacing * (i % SIDE), y = spacing * (i / SIDE);
        heights[i] = 0.5 * sin(x) * cos(y) + random_range(&random, 0.0, 0.02);
        points[i] = abut_vec3_make(x, y, heights[i]);
    }
    int32_t *to = corners;
    for (int32_t j = 0; j + 1 < SIDE; j++) {
        for (int32_t i = 0; i + 1 < SIDE; i++) {
            int32_t at = j * SIDE + i;
            const int32_t square[6] = {at, at + 1, at + SIDE + 1, at, at + SIDE + 1, at + SIDE};
            for (int k = 0; k < 6; k++) {
                *to++ = square[k];
            }
        }
    }
    return (target){TARGET_MESH, points, SIDE * SIDE, corners, (int32_t)(sizeof corners / sizeof *corners / 3)};
}

static target make_hull(int32_t count) {
    random_state random = random_make(12);
    for (int32_t i = 0; i < count; i++) {
        points[i] = random_direction(&random);
    }
    return (target){.form = TARGET_HULL, .points = points, .point_count = count};
}

static abut_status make_abut(const target *t, bool as_heights, abut_shape **shape) {
    if (t->form == TARGET_HULL) {
        return abut_shape_create_hull(t->points, t->point_count, shape);
    }
    if (as_heights) {
        const abut_heightfield_def field = {.heights = heights, .columns = SIDE, .rows = SIDE, .spacing_x = spacing, .spacing_y = spacing};
        return abut_shape_create_heightfield(&field, shape);
    }
    abut_trimesh_def mesh = abut_trimesh_def_default();
    mesh.vertices = t->points;
    mesh.vertex_count = t->point_count;
    mesh.triangles = t->corners;
    mesh.triangle_count = t->triangle_count;
    return abut_shape_create_trimesh(&mesh, NULL, shape);
}

/* Down through the sheet, up to 45 degrees aslant; or from all sides past the hull's centre. */
static void make_rays(const target *t, ray *rays) {
    random_state random = random_make(13);
    double side = spacing * (SIDE - 1);
    for (int i = 0; i < RAYS; i++) {
        if (t->form == TARGET_MESH) {
            abut_vec3 origin = random_vec3(&random, 0.0, side);
            origin.z = 5.0;
            rays[i] = (ray){origin, {random_range(&random, -7.0, 7.0), random_range(&random, -7.0, 7.0), -10.0}};
        } else {
            abut_vec3 origin = abut_scale(3.0, random_direction(&random));
            rays[i] = (ray){origin, abut_scale(2.0, abut_sub(random_vec3(&random, -0.8, 0.8), origin))};
        }
    }
}

/* ---- measuring ---- */

typedef struct row {
    const char *name;
    double abut[ROUNDS], others[PEERS][ROUNDS], ratio[PEERS][ROUNDS];
    int32_t hits, differ[PEERS]; /* rays whose fractions differ by more than 1e-4 */
} row;

static bool cast_abut(const abut_shape *shape, const ray *rays, double *fractions) {
    bool fine = true;
    for (int i = 0; i < RAYS && fine; i++) {
        abut_hit hit;
        fine = abut_ray_cast(shape, abut_pose_identity(), rays[i].origin, rays[i].way, &hit) == ABUT_OK;
        fractions[i] = fine ? hit.fraction : 1.0;
    }
    return fine;
}

static void compare(const double *mine, const double *other, int32_t *differ) {
    *differ = 0;
    for (int i = 0; i < RAYS; i++) {
        *differ += !(fabs(mine[i] - other[i]) <= 1e-4);
    }
}

static bool measure(const target *t, bool as_heights, row *r) {
    static ray rays[RAYS];
    static double mine[RAYS], other[RAYS];
    void *made[PEERS] = {NULL};
    abut_shape *shape = NULL;
    bool fine = make_abut(t, as_heights, &shape) == ABUT_OK;
    make_rays(t, rays);
    for (int p = 0; p < PEERS && fine; p++) {
        bool takes = peers[p] != NULL && (t->form == TARGET_MESH || peers[p]->hulls);
        made[p] = takes ? peers[p]->make(t) : NULL;
    }
    for (int round = 0; round < ROUNDS && fine; round++) {
        double begin = clock_processor_seconds();
        fine = cast_abut(shape, rays, mine);
        r->abut[round] = 1e9 / RAYS * (clock_processor_seconds() - begin);
        for (int p = 0; p < PEERS && fine; p++) {
            if (made[p] != NULL) {
                begin = clock_processor_seconds();
                peers[p]->cast(made[p], rays, RAYS, other);
                r->others[p][round] = 1e9 / RAYS * (clock_processor_seconds() - begin);
                r->ratio[p][round] = r->abut[round] / r->others[p][round];
                compare(mine, other, &r->differ[p]);
            }
        }
    }
    r->hits = 0;
    for (int i = 0; i < RAYS; i++) {
        r->hits += mine[i] < 1.0;
    }
    for (int p = 0; p < PEERS; p++) {
        if (made[p] != NULL) {
            peers[p]->release(made[p]);
        }
    }
    abut_shape_release(shape);
    return fine;
}

static void put(FILE *json, row *r, bool first) {
    double abut = statistics_of(r->abut, ROUNDS).median;
    printf("%-24s %10.0f", r->name, abut);
    fprintf(json, "%s\n  {\"shape\": \"%s\", \"ns\": %.1f, \"hits\": %d", first ? "" : ",", r->name, abut, (int)r->hits);
    for (int p = 0; p < PEERS; p++) {
        double other = statistics_of(r->others[p], ROUNDS).median, ratio = statistics_of(r->ratio[p], ROUNDS).median;
        if (other > 0.0) {
            printf("  %s %.0f, ratio %.2f, %d differ", peers[p]->name, other, ratio, (int)r->differ[p]);
            fprintf(json, ", \"%s_ns\": %.1f, \"%s_ratio\": %.3f, \"%s_differ\": %d", peers[p]->name, other, peers[p]->name, ratio,
                    peers[p]->name, (int)r->differ[p]);
        }
    }
    printf("\n");
    fprintf(json, "}");
    (void)fflush(stdout);
}

/* Seconds for making the mesh, in the order of abut and the peers; 0 for one that is not there. */
static bool measure_making(const target *t, double seconds[1 + PEERS]) {
    double times[1 + PEERS][MAKINGS] = {{0.0}};
    bool fine = true;
    for (int round = 0; round < MAKINGS && fine; round++) {
        abut_shape *shape = NULL;
        double begin = clock_processor_seconds();
        fine = make_abut(t, false, &shape) == ABUT_OK;
        times[0][round] = clock_processor_seconds() - begin;
        abut_shape_release(shape);
        for (int p = 0; p < PEERS && fine; p++) {
            if (peers[p] != NULL) {
                begin = clock_processor_seconds();
                void *made = peers[p]->make(t);
                times[1 + p][round] = clock_processor_seconds() - begin;
                peers[p]->release(made);
            }
        }
    }
    for (int e = 0; e < 1 + PEERS; e++) {
        seconds[e] = statistics_of(times[e], MAKINGS).median;
    }
    return fine;
}

static void put_making(FILE *json, const target *t, const double seconds[1 + PEERS]) {
    printf("making %d triangles: %.3f s", (int)t->triangle_count, seconds[0]);
    fprintf(json, "], \"making\": {\"triangles\": %d, \"s\": %.4f", (int)t->triangle_count, seconds[0]);
    for (int p = 0; p < PEERS; p++) {
        if (seconds[1 + p] > 0.0) {
            printf("  %s %.3f s", peers[p]->name, seconds[1 + p]);
            fprintf(json, ", \"%s_s\": %.4f", peers[p]->name, seconds[1 + p]);
        }
    }
    printf("\n");
    fprintf(json, "}}\n");
}

int main(int count, char **arguments) {
    FILE *json = json_file_open(
        count, arguments,
        "usage: bench_rays [--json FILE] [--help]\n\n  --json FILE  write JSON to FILE; a table goes to standard output in any case\n");
    static row rows[4] = {{.name = "hull of 32"}, {.name = "hull of 128"}, {.name = "mesh"}, {.name = "height field"}};
    double seconds[1 + PEERS];
    fprintf(json, "{\"benchmark\": \"rays\", \"version\": \"%s\", \"rounds\": %d, \"rays\": %d, \"rows\": [", abut_version(), ROUNDS, RAYS);
    bool fine = true;
    for (int i = 0; i < 4 && fine; i++) {
        target t = i < 2 ? make_hull(i == 0 ? 32 : 128) : make_sheet();
        fine = measure(&t, i == 3, &rows[i]);
        put(json, &rows[i], i == 0);
    }
    target sheet = make_sheet();
    fine = fine && measure_making(&sheet, seconds);
    if (fine) {
        put_making(json, &sheet, seconds);
    }
    fine = json_file_close(json, "bench_rays") && fine;
    return fine ? 0 : 1;
}
