/* Prints a hash of the state of a fixed scene after 100, 200 and 300 steps: on one thread, on two, and on the caller's own scheduler. With --one-thread,
 * it runs on one thread only. A hundred bodies of seven shapes fall into a pit, where a bar turns; bodies are removed and added. The output must not
 * depend on the build of the library, nor on the flags with which this program is compiled. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <abut/abut.h>

#include "support/threads.h"

enum { BODIES = 100, STEPS = 300, SHAPES = 7 };

static void require(abut_status status) {
    if (status != ABUT_OK) {
        fprintf(stderr, "world_hash: %s\n", abut_status_message(status));
        exit(1);
    }
}

/* a + b c with two roundings. A caller's flags may allow the compiler to fuse the two operations; the volatile variable prevents it. */
static double sum(double a, double b, double c) {
    volatile double product = b * c;
    return a + product;
}

/* splitmix64. The scene is made with sums, products and square roots only: IEEE 754 defines their bits. */
static double uniform(uint64_t *state, double lower, double upper) {
    uint64_t word = *state += UINT64_C(0x9e3779b97f4a7c15);
    word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
    return sum(lower, upper - lower, (double)((word ^ word >> 31) >> 11) * 0x1p-53);
}

static abut_quat rotation(uint64_t *random) {
    double x = uniform(random, -1.0, 1.0), y = uniform(random, -1.0, 1.0), z = uniform(random, -1.0, 1.0);
    return abut_quat_unit(abut_quat_make(x, y, z, uniform(random, 0.1, 1.0)));
}

static void make_shapes(abut_shape *shapes[SHAPES]) {
    const abut_vec3 corners[] = {{0.4, 0.4, 0.4}, {-0.4, -0.4, 0.4}, {-0.4, 0.4, -0.4}, {0.4, -0.4, -0.4}};
    const int32_t sizes[] = {3, 3, 3, 3}, faces[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    abut_polytope_def tetrahedron = {.vertices = corners, .vertex_count = 4, .face_sizes = sizes, .face_count = 4, .face_vertices = faces};
    require(abut_shape_create_box(abut_vec3_make(0.3, 0.25, 0.2), &shapes[0]));
    require(abut_shape_create_sphere(0.3, &shapes[1]));
    require(abut_shape_create_capsule(0.2, 0.2, &shapes[2]));
    require(abut_shape_create_prism(0.25, 0.25, 12, &shapes[3]));
    require(abut_shape_create_pyramid(0.35, 0.6, 10, &shapes[4]));
    require(abut_shape_create_polytope(&tetrahedron, NULL, &shapes[5]));
    const abut_part parts[] = {{shapes[0], {{0.2, 0, 0}, {0, 0, 0, 1}}}, {shapes[1], {{-0.3, 0, 0}, {0, 0, 0, 1}}}};
    require(abut_shape_create_compound(parts, 2, &shapes[6]));
}

static void add(abut_world *world, abut_body_kind kind, const abut_shape *shape, abut_pose pose, abut_vec3 spin, abut_body_id *id) {
    abut_body_def def = abut_body_def_default();
    def.kind = kind;
    def.shape = shape;
    def.pose = pose;
    def.motion.angular = spin;
    require(abut_world_add_body(world, &def, id));
}

/* Five planes make a pit, and a bar turns on its ground. */
static void add_pit(abut_world *world) {
    const abut_vec3 normals[] = {{0, 0, 1}, {1, 0, 0.25}, {-1, 0, 0.25}, {0, 1, 0.25}, {0, -1, 0.25}}, none = {0, 0, 0};
    for (int i = 0; i < 5; i++) {
        abut_shape *plane = NULL;
        require(abut_shape_create_plane(normals[i], i == 0 ? 0.0 : -1.5, &plane));
        add(world, ABUT_BODY_STATIC, plane, abut_pose_identity(), none, NULL);
        abut_shape_release(plane);
    }
    abut_shape *bar = NULL;
    require(abut_shape_create_box(abut_vec3_make(1.0, 0.1, 0.1), &bar));
    abut_pose low = {{0.0, 0.0, 0.15}, {0.0, 0.0, 0.0, 1.0}};
    add(world, ABUT_BODY_KINEMATIC, bar, low, abut_vec3_make(0.0, 0.0, 1.5), NULL);
    abut_shape_release(bar);
}

static void add_random(abut_world *world, abut_shape *const shapes[SHAPES], uint64_t *random, int32_t i, abut_body_id *id) {
    /* C leaves the order within a list open. */
    double x = uniform(random, -0.8, 0.8), y = uniform(random, -0.8, 0.8);
    abut_pose pose = {{x, y, sum(1.0, 0.12, i)}, rotation(random)};
    double about_x = uniform(random, -3.0, 3.0), about_y = uniform(random, -3.0, 3.0);
    abut_vec3 spin = {about_x, about_y, uniform(random, -3.0, 3.0)};
    add(world, ABUT_BODY_DYNAMIC, shapes[i % SHAPES], pose, spin, id);
}

static void run(const char *name, abut_parallel parallel) {
    abut_world_def def = abut_world_def_default();
    def.parallel = parallel;
    def.fixed.sleep_time = 0.2;
    abut_world *world = NULL;
    abut_shape *shapes[SHAPES] = {NULL};
    abut_body_id ids[BODIES];
    uint64_t random = 7;
    require(abut_world_create(&def, &world));
    make_shapes(shapes);
    add_pit(world);
    for (int32_t i = 0; i < BODIES; i++) {
        add_random(world, shapes, &random, i, &ids[i]);
    }
    abut_step_report report = {.contacts = 0};
    for (int step = 1; step <= STEPS; step++) {
        if (step % 25 == 0) {
            int32_t k = 3 * step / 25;
            require(abut_world_remove_body(world, ids[k]));
            add_random(world, shapes, &random, k, &ids[k]);
        }
        require(abut_world_step(world, 1.0 / 60.0, &report));
        if (step % 100 == 0) {
            printf("%s, step %d: %016" PRIx64 ", %d contacts\n", name, step, abut_world_hash(world), (int)report.contacts);
        }
    }
    abut_world_destroy(world);
    for (int i = 0; i < SHAPES; i++) {
        abut_shape_release(shapes[i]);
    }
}

int main(int argc, char **argv) {
    three_threads own = {0};
    run("one thread", (abut_parallel){.threads = 1});
    if (argc > 1 && strcmp(argv[1], "--one-thread") == 0) {
        return 0;
    }
    run("two threads", (abut_parallel){.threads = 2});
    run("a caller's threads", three_threads_parallel(&own));
    return 0;
}
