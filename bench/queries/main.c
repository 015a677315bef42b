/*
 * bench_queries: the first body on each of 10,000 rays through worlds of 1,000 and 10,000 bodies that stand still in a cube; and bringing the tree up to date
 * after all bodies have moved. Processor time on one thread, medians over rounds in which both engines answer in turn.
 */
#include <math.h>
#include <stdlib.h>

#include <abut/world_query.h>

#include "peer.h"
#include "support/json_file.h"
#include "support/random.h"
#include "support/statistics.h"

enum { RAYS = 10000, ROUNDS = 15, POINTS = 12 };

static const char *const form_names[FORMS] = {"boxes", "balls", "hulls of 12"};

typedef struct bench_world {
    placed_form *forms; /* [count] */
    abut_shape **shapes;
    abut_body_id *ids;
    abut_world *abut;
    peer_world *bullet;
    int32_t count;
    double side; /* of the cube */
} bench_world;

static bool make_shape(placed_form *form, random_state *random, abut_vec3 *points, abut_shape **shape) {
    form->half = random_vec3(random, 0.1, 0.5);
    if (form->form == FORM_BOX) {
        return abut_shape_create_box(form->half, shape) == ABUT_OK;
    }
    if (form->form == FORM_BALL) {
        return abut_shape_create_sphere(form->half.x, shape) == ABUT_OK;
    }
    for (int i = 0; i < POINTS; i++) {
        abut_vec3 way = random_direction(random);
        points[i] = abut_vec3_make(form->half.x * way.x, form->half.y * way.y, form->half.z * way.z);
    }
    form->points = points;
    form->point_count = POINTS;
    return abut_shape_create_hull(points, POINTS, shape) == ABUT_OK;
}

static void free_world(bench_world *w) {
    abut_world_destroy(w->abut);
#ifdef BENCH_WITH_BULLET
    if (w->bullet != NULL) {
        peer_free(w->bullet);
    }
#endif
    for (int32_t i = 0; i < w->count && w->shapes != NULL; i++) {
        abut_shape_release(w->shapes[i]);
    }
    free(w->forms);
    free(w->shapes);
    free(w->ids);
}

/* A tenth of the cube is filled. points: [count * POINTS] */
static bool make_world(body_form form, int32_t count, abut_vec3 *points, bench_world *w) {
    random_state random = random_make(7);
    *w = (bench_world){.count = count, .side = cbrt(count)};
    w->forms = calloc((size_t)count, sizeof *w->forms);
    w->shapes = calloc((size_t)count, sizeof *w->shapes);
    w->ids = calloc((size_t)count, sizeof *w->ids);
    abut_world_def world = abut_world_def_default();
    world.parallel.threads = 1;
    bool fine = w->forms != NULL && w->shapes != NULL && w->ids != NULL && abut_world_create(&world, &w->abut) == ABUT_OK;
    for (int32_t i = 0; i < count && fine; i++) {
        w->forms[i].form = form;
        fine = make_shape(&w->forms[i], &random, points + (size_t)i * POINTS, &w->shapes[i]);
        w->forms[i].pose = (abut_pose){random_vec3(&random, 0.0, w->side), random_rotation(&random)};
        abut_body_def body = abut_body_def_default();
        body.kind = ABUT_BODY_STATIC;
        body.shape = w->shapes[i];
        body.pose = w->forms[i].pose;
        body.user = (uint64_t)i;
        fine = fine && abut_world_add_body(w->abut, &body, &w->ids[i]) == ABUT_OK;
    }
#ifdef BENCH_WITH_BULLET
    w->bullet = fine ? peer_make(w->forms, count) : NULL;
#endif
    return fine;
}

typedef struct answers {
    abut_world_hit hits[RAYS];
    double fractions[RAYS];
    int32_t bodies[RAYS];
} answers;

typedef struct times {
    double abut[ROUNDS], bullet[ROUNDS], ratio[ROUNDS], move[ROUNDS], peer_move[ROUNDS];
    int32_t hits, differ;
} times;

/* All bodies move by the same small way, there and back. */
static bool move_all(bench_world *w, int round, times *t) {
    const abut_vec3 way = {round % 2 == 0 ? 0.3 : -0.3, 0.0, 0.0};
    for (int32_t i = 0; i < w->count; i++) {
        w->forms[i].pose.position = abut_add(w->forms[i].pose.position, way);
        if (abut_world_set_body_pose(w->abut, w->ids[i], w->forms[i].pose) != ABUT_OK) {
            return false;
        }
    }
    const abut_aabb nowhere = {{-9e9, -9e9, -9e9}, {-8e9, -8e9, -8e9}};
    int32_t none;
    double begin = clock_processor_seconds();
    bool fine = abut_world_overlap_box(w->abut, nowhere, NULL, NULL, 0, &none) == ABUT_OK; /* only brings the tree up to date */
    t->move[round] = 1e3 * (clock_processor_seconds() - begin);
#ifdef BENCH_WITH_BULLET
    begin = clock_processor_seconds();
    peer_move(w->bullet, way);
    t->peer_move[round] = 1e3 * (clock_processor_seconds() - begin);
#endif
    return fine;
}

static bool cast_all(const bench_world *w, const abut_ray *rays, int round, answers *found, times *t) {
    double begin = clock_processor_seconds();
    bool fine = abut_world_ray_cast_batch(w->abut, rays, RAYS, NULL, found->hits) == ABUT_OK;
    t->abut[round] = 1e6 / RAYS * (clock_processor_seconds() - begin);
#ifdef BENCH_WITH_BULLET
    begin = clock_processor_seconds();
    peer_cast(w->bullet, rays, RAYS, found->fractions, found->bodies);
    t->bullet[round] = 1e6 / RAYS * (clock_processor_seconds() - begin);
    t->ratio[round] = t->abut[round] / t->bullet[round];
#endif
    return fine;
}

/* Rays whose fractions differ by more than a thousandth. Bullet's rays through hulls end within a tolerance. A ray that begins inside a body hits it at once
 * with abut, and not with Bullet: such rays do not count. */
static void compare(const answers *found, times *t) {
    t->hits = t->differ = 0;
    for (int i = 0; i < RAYS; i++) {
        const abut_hit *hit = &found->hits[i].hit;
        t->hits += hit->hit;
#ifdef BENCH_WITH_BULLET
        t->differ += !hit->started_inside && fabs(hit->fraction - found->fractions[i]) > 1e-3;
#endif
    }
}

static void put(FILE *json, body_form form, int32_t count, times *t, bool first) {
    statistics abut = statistics_of(t->abut, ROUNDS), move = statistics_of(t->move, ROUNDS);
    printf("%-12s %8d %10.2f", form_names[form], (int)count, abut.median);
    fprintf(json, "%s\n  {\"bodies\": \"%s\", \"count\": %d, \"us\": %.3f, \"update_ms\": %.3f, \"hits\": %d", first ? "" : ",",
            form_names[form], (int)count, abut.median, move.median, (int)t->hits);
#ifdef BENCH_WITH_BULLET
    statistics bullet = statistics_of(t->bullet, ROUNDS), ratio = statistics_of(t->ratio, ROUNDS),
               peer = statistics_of(t->peer_move, ROUNDS);
    printf(" %10.2f %8.2f %10.2f %10.2f %8d %8d\n", bullet.median, ratio.median, move.median, peer.median, (int)t->hits, (int)t->differ);
    fprintf(json, ", \"bullet_us\": %.3f, \"ratio\": %.3f, \"bullet_update_ms\": %.3f, \"differ\": %d", bullet.median, ratio.median,
            peer.median, (int)t->differ);
#else
    printf(" %10s %8s %10.2f %10s %8d\n", "", "", move.median, "", (int)t->hits);
#endif
    fprintf(json, "}");
    (void)fflush(stdout);
}

static bool measure(FILE *json, body_form form, int32_t count, answers *found, bool first) {
    static abut_ray rays[RAYS];
    static times t;
    abut_vec3 *points = calloc((size_t)count * POINTS, sizeof *points);
    bench_world w = {.count = 0};
    bool fine = points != NULL && make_world(form, count, points, &w);
    random_state random = random_make(8);
    for (int i = 0; i < RAYS; i++) {
        rays[i] = (abut_ray){random_vec3(&random, 0.0, w.side), abut_scale(0.5 * w.side, random_direction(&random))};
    }
    for (int round = 0; round < ROUNDS && fine; round++) {
        fine = move_all(&w, round, &t) && cast_all(&w, rays, round, found, &t);
    }
    if (fine) {
        compare(found, &t);
        put(json, form, count, &t, first);
    }
    free_world(&w);
    free(points);
    return fine;
}

int main(int count, char **arguments) {
    static const int32_t sizes[] = {1000, 10000};
    FILE *json = json_file_open(
        count, arguments,
        "usage: bench_queries [--json FILE] [--help]\n\n  --json FILE  write JSON to FILE; a table goes to standard output in any case\n");
    answers *found = calloc(1, sizeof *found);
    bool fine = found != NULL;
    printf("%-12s %8s %10s %10s %8s %10s %10s %8s %8s\n", "bodies", "count", "ray [us]", "Bullet", "ratio", "tree [ms]", "Bullet", "hits",
           "differ");
    fprintf(json, "{\"benchmark\": \"queries\", \"version\": \"%s\", \"rounds\": %d, \"rays\": %d, \"rows\": [", abut_version(), ROUNDS,
            RAYS);
    for (int form = 0; form < FORMS && fine; form++) {
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes && fine; s++) {
            fine = measure(json, (body_form)form, sizes[s], found, form == 0 && s == 0);
        }
    }
    fprintf(json, "]}\n");
    free(found);
    fine = json_file_close(json, "bench_queries") && fine;
    return fine ? 0 : 1;
}
