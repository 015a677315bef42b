/* A heap of a hundred bodies of many kinds, stepped 300 times: prints the hash of its state with one thread and with two. Built by test_builds.py
 * with several compilers and options; every line must be the same. */
#include <stdio.h>
#include <stdlib.h>

#include <abut/abut.h>

enum { BODIES = 100, STEPS = 300, KINDS = 6 };

static void require(abut_status status) {
    if (status != ABUT_OK) {
        fprintf(stderr, "%s\n", abut_status_message(status));
        exit(1);
    }
}

static double uniform(uint64_t *state, double lower, double upper) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return lower + (upper - lower) * ((double)(*state >> 11) * 0x1p-53);
}

/* One number after the other: the order in which arguments are evaluated is the compiler's. */
static abut_quat any_rotation(uint64_t *state) {
    double x = uniform(state, -1, 1), y = uniform(state, -1, 1), z = uniform(state, -1, 1), w = uniform(state, -1, 1);
    return abut_quat_unit(abut_make_quat(x, y, z, w));
}

static void make_shapes(abut_shape *shapes[KINDS]) {
    require(abut_create_box(abut_make_vec3(0.3, 0.2, 0.25), &shapes[0]));
    require(abut_create_sphere(0.25, &shapes[1]));
    require(abut_create_capsule(0.15, 0.2, &shapes[2]));
    require(abut_create_cylinder(0.25, 0.2, 12, &shapes[3]));
    require(abut_create_cone(0.3, 0.5, 10, &shapes[4]));
    const abut_part parts[] = {{shapes[0], {{0.2, 0, 0}, {0, 0, 0, 1}}}, {shapes[1], {{-0.3, 0, 0}, {0, 0, 0, 1}}}};
    require(abut_create_compound(parts, 2, &shapes[5]));
}

static uint64_t run(int32_t threads) {
    abut_world_def def = abut_world_def_default();
    def.parallel.threads = threads;
    abut_world *world;
    abut_shape *shapes[KINDS], *ground;
    require(abut_create_world(&def, &world));
    make_shapes(shapes);
    require(abut_create_plane(abut_make_vec3(0, 0, 1), 0.0, &ground));
    abut_body_def body = abut_body_def_default();
    body.kind = ABUT_BODY_STATIC;
    body.shape = ground;
    require(abut_world_add_body(world, &body, NULL));
    body.kind = ABUT_BODY_DYNAMIC;
    uint64_t state = 1;
    for (int32_t i = 0; i < BODIES; i++) {
        body.shape = shapes[i % KINDS];
        double x = uniform(&state, -0.8, 0.8), y = uniform(&state, -0.8, 0.8);
        body.pose.position = abut_make_vec3(x, y, 0.5 + 0.3 * i);
        body.pose.rotation = any_rotation(&state);
        require(abut_world_add_body(world, &body, NULL));
    }
    for (int32_t i = 0; i < STEPS; i++) {
        require(abut_world_step(world, 1.0 / 60.0, NULL));
    }
    uint64_t hash = abut_world_hash(world);
    abut_world_destroy(world);
    for (int32_t i = 0; i < KINDS; i++) {
        abut_shape_release(shapes[i]);
    }
    abut_shape_release(ground);
    return hash;
}

int main(void) {
    printf("%016llx\n%016llx\n", (unsigned long long)run(1), (unsigned long long)run(2));
    return 0;
}
