/*
 * Convex bodies that touch a peak or a ridge of an open mesh, are just apart or have just sunk in. Both are made on the two sides of a plane, so moving the
 * body along its normal by as much as it sank is a way out. No contact may be deeper than this way. The oracle is this construction.
 */
#include <abut/collide.h>
#include <abut/mesh.h>
#include <abut/shape.h>

#include <math.h>

#include "accuracy/accuracy.h"
#include "support/random.h"

enum { ROOM = 256, CORNERS = 16, SIDES_MOST = 7 };

typedef struct touching {
    abut_vec3 vertex[CORNERS], point[CORNERS]; /* of the mesh, below the plane; of the body, above it */
    int32_t triangle[SIDES_MOST][3], vertices, triangles, points;
    abut_vec3 axis[3]; /* axis[2]: normal of the plane */
    double size;
} touching;

static abut_vec3 place(const touching *t, double angle, double far, double height) {
    abut_vec3 at = abut_add_scaled(abut_scale(far * cos(angle), t->axis[0]), far * sin(angle), t->axis[1]);
    return abut_scale(t->size, abut_add_scaled(at, height, t->axis[2]));
}

static double random_slope(random_state *random) {
    double slope = random_below(random, 3) ? random_range(random, 0.1, 3) : random_log_range(random, 0.1, 10);
    return random_below(random, 3) ? slope : 0.25 * ceil(4 * slope); /* round ones, for equal slopes */
}

static void add_peak(touching *t, random_state *random) {
    int sides = 3 + random_below(random, 5);
    double part[SIDES_MOST], sum, widest, angle = random_range(random, 0, 7);
    do {
        sum = widest = 0.0;
        for (int i = 0; i < sides; i++) {
            part[i] = random_range(random, 0.1, 1);
            sum += part[i];
            widest = fmax(widest, part[i]);
        }
    } while (widest > 0.48 * sum);
    t->vertex[t->vertices++] = abut_vec3_make(0, 0, 0);
    for (int i = 0; i < sides; i++) {
        double far = random_range(random, 0.2, 2);
        t->vertex[t->vertices++] = place(t, angle, far, -far * random_slope(random));
        angle += 6.283185307179586 * part[i] / sum;
        t->triangle[i][0] = 0;
        t->triangle[i][1] = 1 + i;
        t->triangle[i][2] = 1 + (i + 1) % sides;
    }
    t->triangles = sides;
}

static void add_ridge(touching *t, random_state *random) {
    static const int32_t slopes[2][3] = {{0, 1, 2}, {1, 0, 3}};
    double angle = random_range(random, 0, 7);
    t->vertex[t->vertices++] = place(t, angle, -random_range(random, 0.3, 2), 0);
    t->vertex[t->vertices++] = place(t, angle, random_range(random, 0.3, 2), 0);
    for (int i = 0; i < 2; i++) {
        double far = random_range(random, 0.2, 2);
        t->vertex[t->vertices++] = place(t, angle + (i ? -1 : 1) * random_range(random, 0.3, 2.8), far, -far * random_slope(random));
        for (int k = 0; k < 3; k++) {
            t->triangle[i][k] = slopes[i][k];
        }
    }
    t->triangles = 2;
}

static void add_body(touching *t, random_state *random) {
    double angle = random_range(random, 0, 7);
    int more = 3 + random_below(random, 6);
    if (random_below(random, 2)) {
        t->point[t->points++] = abut_vec3_make(0, 0, 0);
    } else {
        t->point[t->points++] = place(t, angle, -random_range(random, 0.3, 2), 0);
        t->point[t->points++] = place(t, angle, random_range(random, 0.3, 2), 0);
    }
    for (int i = 0; i < more; i++) {
        double far = random_range(random, 0.1, 1.5);
        t->point[t->points++] = place(t, random_range(random, 0, 7), far, far * random_slope(random));
    }
}

static touching random_touching(random_state *random) {
    touching t = {.size = random_log_range(random, 1e-2, 1e2)};
    abut_quat turn = random_below(random, 2) ? random_rotation(random) : abut_quat_identity();
    t.axis[0] = abut_quat_rotate(turn, abut_vec3_make(1, 0, 0));
    t.axis[1] = abut_quat_rotate(turn, abut_vec3_make(0, 1, 0));
    t.axis[2] = abut_quat_rotate(turn, abut_vec3_make(0, 0, 1));
    if (random_below(random, 2)) {
        add_peak(&t, random);
    } else {
        add_ridge(&t, random);
    }
    add_body(&t, random);
    return t;
}

static abut_shape *mesh_of(const touching *t) {
    abut_trimesh_def def = abut_trimesh_def_default();
    def.vertices = t->vertex;
    def.vertex_count = t->vertices;
    def.triangles = &t->triangle[0][0];
    def.triangle_count = t->triangles;
    abut_shape *mesh = NULL;
    assert_ok(abut_shape_create_trimesh(&def, NULL, &mesh));
    return mesh;
}

static void sample(accuracy *row, uint64_t seed) {
    random_state random = random_make(seed);
    touching t = random_touching(&random);
    double sign = random_below(&random, 2) ? 1 : -1;
    double lifted = random_below(&random, 4) == 0 ? 0.0 : sign * t.size * random_log_range(&random, 1e-17, 1e-3);
    abut_pose pose = random_below(&random, 2) ? abut_pose_identity() : random_pose(&random, t.size), flat = abut_pose_identity();
    abut_vec3 local[CORNERS];
    for (int32_t i = 0; i < t.points; i++) {
        local[i] = abut_pose_apply_inverse(pose, t.point[i]);
    }
    pose.position = abut_add_scaled(pose.position, lifted, t.axis[2]);
    abut_shape *body = NULL;
    if (abut_shape_create_hull(local, t.points, &body) != ABUT_OK) {
        return; /* it is flat */
    }
    abut_shape *mesh = mesh_of(&t);
    abut_contact contacts[ROOM];
    int32_t count;
    abut_pair pair = random_below(&random, 2) ? (abut_pair){mesh, flat, body, pose} : (abut_pair){body, pose, mesh, flat};
    accuracy_next(row, seed);
    assert_ok(abut_collide(&pair, NULL, NULL, contacts, ROOM, &count));
    for (int32_t i = 0; i < count; i++) {
        accuracy_error(row, (fmin(lifted, 0.0) - contacts[i].gap) / t.size,
                       "%d triangles, %d points: gap %g, right at least %g, of size %g", (int)t.triangles, (int)t.points, contacts[i].gap,
                       fmin(lifted, 0.0), t.size);
    }
    abut_shape_release(body);
    abut_shape_release(mesh);
}

static void on_peaks_and_ridges(void **state) {
    (void)state;
    accuracy *row = accuracy_begin("convex bodies that hardly touch a peak or a ridge of an open mesh", "a plane between both",
                                   "depth beyond a known way out, over the size", 1e-12);
    static const uint64_t held[] = {UINT64_C(180500020449), UINT64_C(180500056479), UINT64_C(180500090919),
                                    UINT64_C(180500133139)}; /* once wrong */
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        sample(row, held[i]);
    }
    for (int32_t i = 0; i < accuracy_samples(150000); i++) {
        sample(row, UINT64_C(180500000000) + (uint64_t)i);
    }
    accuracy_end(row);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(on_peaks_and_ridges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
