/*
 * bench_many: one body that reaches every triangle of a mesh, by kind of body and mesh. Milliseconds of processor time, contacts, and the power with which
 * the time grows from a quarter of the triangles.
 */
#include <math.h>
#include <stdlib.h>

#include <abut/collide.h>
#include <abut/smooth.h>

#include "support/json_file.h"
#include "support/random.h"
#include "support/statistics.h"
#include "surfaces.h"

enum { TRIANGLES = 80000, PART = 4, ROUNDS = 3, ENOUGH = 400 /* ms */, ROOM = 1 << 18 };

typedef enum body_kind { BALL, CAPSULE, BOX, CYLINDER, CONE, HULL, FINE_HULL, ELLIPSOID, SUPERQUADRIC, BODY_KINDS } body_kind;

static const char *const body_names[BODY_KINDS] = {
    "ball", "capsule", "box", "cylinder", "cone", "hull of 32 points", "hull of 200 points", "ellipsoid", "superquadric"};

static abut_status make_hull(int32_t points, abut_shape **body) {
    random_state random = random_make(1);
    abut_vec3 point[200];
    for (int32_t i = 0; i < points; i++) {
        abut_vec3 way = random_direction(&random);
        point[i] = abut_vec3_make(1.5 * way.x, 1.5 * way.y, 0.2 * way.z);
    }
    return abut_shape_create_hull(point, points, body);
}

/* Wider than the mesh, and 0.4 m high, but for the ball and the capsule. */
static abut_status make_body(body_kind kind, abut_shape **body) {
    const abut_vec3 half = {1.5, 1.5, 0.2};
    switch (kind) {
    case BALL:
        return abut_shape_create_sphere(1.5, body);
    case CAPSULE:
        return abut_shape_create_capsule(0.4, 1.1, body);
    case BOX:
        return abut_shape_create_box(abut_vec3_make(1.1, 1.1, 0.2), body);
    case CYLINDER:
        return abut_shape_create_cylinder(1.5, 0.2, body);
    case CONE:
        return abut_shape_create_cone(1.5, 0.4, body);
    case HULL:
        return make_hull(32, body);
    case FINE_HULL:
        return make_hull(200, body);
    case ELLIPSOID:
        return abut_shape_create_ellipsoid(half, body);
    default:
        return abut_shape_create_superquadric(half, 0.6, 0.8, body);
    }
}

/* In the middle of a mesh without an upper side; otherwise half of the lower half of the body is below the origin. */
static abut_pose pose_of(const abut_shape *body, body_kind kind, const surface_kind *surface) {
    abut_pose pose = abut_pose_identity();
    if (kind == CAPSULE) {
        pose.rotation = abut_quat_about(abut_vec3_make(0, 1, 0), 1.5707963267948966);
    }
    double lowest = abut_shape_bounds(body, pose).lower.z;
    pose.position = abut_vec3_make(0.01, 0.02, surface->is_volume || kind == BALL ? 0.1 : -0.5 * lowest);
    return pose;
}

typedef struct measured {
    int32_t triangles, contacts;
    double milliseconds;
} measured;

/* False when something could not be made. */
static bool measure(body_kind kind, const surface_kind *of, int32_t triangles, abut_contact *room, measured *m) {
    surface s = of->make(triangles);
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = s.vertices;
    def.vertex_count = s.vertex_count;
    def.triangles = s.corners;
    def.triangle_count = s.triangle_count;
    abut_shape *mesh = NULL, *body = NULL;
    bool fine = abut_shape_create_trimesh(&def, NULL, &mesh) == ABUT_OK && make_body(kind, &body) == ABUT_OK;
    double times[ROUNDS], sum = 0.0;
    size_t rounds = 0;
    m->triangles = s.triangle_count;
    for (; rounds < ROUNDS && sum < ENOUGH && fine; rounds++) {
        double begin = clock_processor_seconds();
        const abut_pair pair = {body, pose_of(body, kind, of), mesh, abut_pose_identity()};
        fine = abut_collide(&pair, NULL, NULL, room, ROOM, &m->contacts) == ABUT_OK;
        times[rounds] = 1e3 * (clock_processor_seconds() - begin);
        sum += times[rounds];
    }
    m->milliseconds = fine ? statistics_of(times, rounds).median : 0.0;
    abut_shape_release(mesh);
    abut_shape_release(body);
    surface_free(&s);
    return fine;
}

static bool measure_row(FILE *json, body_kind kind, const surface_kind *of, abut_contact *room, bool first) {
    measured part, whole;
    if (!measure(kind, of, TRIANGLES / PART, room, &part) || !measure(kind, of, TRIANGLES, room, &whole)) {
        return false;
    }
    double power = log(whole.milliseconds / part.milliseconds) / log((double)whole.triangles / part.triangles);
    printf("%-20s %-8s %10d %12.1f %8.2f %10d\n", body_names[kind], of->name, (int)whole.triangles, whole.milliseconds, power,
           (int)whole.contacts);
    (void)fflush(stdout);
    fprintf(json, "%s\n  {\"body\": \"%s\", \"mesh\": \"%s\", \"triangles\": %d, \"ms\": %.2f, \"power\": %.3f, \"contacts\": %d}",
            first ? "" : ",", body_names[kind], of->name, (int)whole.triangles, whole.milliseconds, power, (int)whole.contacts);
    return true;
}

int main(int count, char **arguments) {
    FILE *json = json_file_open(
        count, arguments,
        "usage: bench_many [--json FILE] [--help]\n\n  --json FILE  write JSON to FILE; a table goes to standard output in any case\n");
    abut_contact *room = calloc(ROOM, sizeof *room);
    bool fine = room != NULL;
    printf("%-20s %-8s %10s %12s %8s %10s\n", "body", "mesh", "triangles", "ask [ms]", "power", "contacts");
    fprintf(json, "{\"benchmark\": \"many\", \"version\": \"%s\", \"rounds\": %d, \"part\": %d, \"rows\": [", abut_version(), ROUNDS, PART);
    for (int kind = 0; kind < BODY_KINDS && fine; kind++) {
        for (int s = 0; s < surface_kind_count && fine; s++) {
            fine = measure_row(json, (body_kind)kind, &surface_kinds[s], room, kind + s == 0);
        }
    }
    fprintf(json, "]}\n");
    free(room);
    fine = json_file_close(json, "bench_many") && fine;
    return fine ? 0 : 1;
}
