/* Heaps in a bin, and a wall. Bodies of about one metre; lengths in metres. */
#include "world/scene.h"

#include <math.h>
#include <stdlib.h>

static const char *const names[SCENE_KINDS] = {"boxes", "hulls", "wall", "columns", "pyramid", "tower", "ratio", "slope"};

const char *scene_name(scene_kind kind) { return names[kind]; }

double scene_density(const scene *of, int32_t shape) {
    return of->shapes[shape].heavy > 0.0 ? of->shapes[shape].heavy * of->density : of->density;
}

/* splitmix64 */
static double uniform(uint64_t *state, double lower, double upper) {
    uint64_t word = *state += UINT64_C(0x9e3779b97f4a7c15);
    word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
    return lower + (upper - lower) * ((double)((word ^ word >> 31) >> 11) * 0x1p-53);
}

static abut_vec3 uniform_vec3(uint64_t *random, double reach) {
    double x = uniform(random, -reach, reach), y = uniform(random, -reach, reach);
    return abut_vec3_make(x, y, uniform(random, -reach, reach));
}

/* A random vector in the unit ball, not near its centre. */
static abut_vec3 direction(uint64_t *random) {
    abut_vec3 v;
    do {
        v = uniform_vec3(random, 1.0);
    } while (abut_length_squared(v) > 1.0 || abut_length_squared(v) < 0.01);
    return abut_unit(v);
}

abut_shape *scene_abut_shape(const scene_shape *shape) {
    abut_shape *made = NULL;
    abut_status status = shape->point_count > 0 ? abut_shape_create_hull(shape->points, shape->point_count, &made)
                                                : abut_shape_create_box(shape->half, &made);
    return status == ABUT_OK ? made : NULL;
}

/* Points on an ellipsoid, so that all of them are vertices, translated so that the centre of mass is the origin. */
static bool make_hull(uint64_t *random, scene_shape *shape) {
    *shape = (scene_shape){.point_count = SCENE_HULL_POINTS};
    abut_vec3 axes = abut_vec3_make(uniform(random, 0.4, 0.6), uniform(random, 0.4, 0.6), uniform(random, 0.4, 0.6));
    for (int i = 0; i < SCENE_HULL_POINTS; i++) {
        abut_vec3 d = direction(random);
        shape->points[i] = abut_vec3_make(axes.x * d.x, axes.y * d.y, axes.z * d.z);
    }
    abut_shape *hull = scene_abut_shape(shape);
    abut_mass mass;
    bool fine = hull != NULL && abut_shape_mass(hull, 1.0, &mass) == ABUT_OK;
    for (int i = 0; fine && i < SCENE_HULL_POINTS; i++) {
        shape->points[i] = abut_sub(shape->points[i], mass.centre);
    }
    abut_shape_release(hull);
    return fine;
}

static void add_wall(scene *made, abut_vec3 half, abut_vec3 position) {
    int32_t i = made->wall_count++;
    made->wall_shapes[i] = (scene_shape){.half = half};
    made->walls[i] = (scene_body){i, {position, {0.0, 0.0, 0.0, 1.0}}};
}

/* Four walls around a square with this half width, on the ground, whose top is z = 0. */
static void add_bin(scene *made, double half, double height) {
    const double thick = 2.0;
    double middle = half + thick, length = half + 2.0 * thick;
    add_wall(made, abut_vec3_make(thick, length, height), abut_vec3_make(-middle, 0.0, height));
    add_wall(made, abut_vec3_make(thick, length, height), abut_vec3_make(middle, 0.0, height));
    add_wall(made, abut_vec3_make(length, thick, height), abut_vec3_make(0.0, -middle, height));
    add_wall(made, abut_vec3_make(length, thick, height), abut_vec3_make(0.0, middle, height));
}

/* Layers on a grid, loose enough that no two bodies touch. */
static void make_heap(scene *made, uint64_t *random) {
    const double spacing = 1.4;
    int32_t side = 1;
    while ((int64_t)side * side * side < made->body_count) {
        side++;
    }
    add_wall(made, abut_vec3_make(spacing * side + 10.0, spacing * side + 10.0, 2.0), abut_vec3_make(0.0, 0.0, -2.0));
    add_bin(made, 0.5 * spacing * side + 0.1, spacing * side);
    for (int32_t i = 0; i < made->body_count; i++) {
        abut_vec3 cell = abut_vec3_make(i % side - 0.5 * (side - 1), i / side % side - 0.5 * (side - 1), i / (side * side) + 0.6);
        made->bodies[i].shape = (int32_t)uniform(random, 0.0, SCENE_SHAPES);
        made->bodies[i].pose.position = abut_add(abut_scale(spacing, cell), uniform_vec3(random, 0.05));
        made->bodies[i].pose.rotation = abut_quat_about(direction(random), uniform(random, 0.0, 3.0));
    }
}

static void make_wall(scene *made) {
    const abut_vec3 half = {0.5, 0.25, 0.25};
    const double joint = 0.01;
    int32_t courses = 1;
    while (courses < 20 && (courses + 1) * (courses + 1) <= made->body_count) {
        courses++;
    }
    int32_t length = (made->body_count + courses - 1) / courses;
    double width = 2.0 * half.x + joint;
    made->shapes[0] = (scene_shape){.half = half};
    made->shape_count = 1;
    add_wall(made, abut_vec3_make(width * length + 10.0, 20.0, 2.0), abut_vec3_make(0.0, 0.0, -2.0));
    for (int32_t i = 0; i < made->body_count; i++) {
        int32_t course = i / length;
        double x = width * (i % length - 0.5 * length + 0.5 * (course % 2));
        made->bodies[i] = (scene_body){0, {{x, 0.0, half.z * (1 + 2 * course)}, {0.0, 0.0, 0.0, 1.0}}};
    }
}

/* Cubes of one metre on a ground of this half width. */
static void begin_cubes(scene *made, double half) {
    made->shapes[0] = (scene_shape){.half = {0.5, 0.5, 0.5}};
    made->shape_count = 1;
    add_wall(made, abut_vec3_make(half + 10.0, half + 10.0, 2.0), abut_vec3_make(0.0, 0.0, -2.0));
}

static void put(scene *made, int32_t body, double x, double y, double z) {
    made->bodies[body] = (scene_body){0, {{x, y, z}, {0.0, 0.0, 0.0, 1.0}}};
}

/* Stacks of cubes on a square grid. */
static void make_stacks(scene *made, uint64_t *random, int32_t height, double spacing, double shift) {
    int32_t stacks = (made->body_count + height - 1) / height, side = 1;
    while (side * side < stacks) {
        side++;
    }
    begin_cubes(made, 0.5 * spacing * side);
    for (int32_t i = 0; i < made->body_count; i++) {
        int32_t stack = i / height;
        double x = spacing * (stack % side - 0.5 * (side - 1)), y = spacing * (stack / side - 0.5 * (side - 1));
        double dx = uniform(random, -shift, shift), dy = uniform(random, -shift, shift);
        put(made, i, x + dx, y + dy, 0.5 + i % height);
    }
}

/* The lowest course has as many cubes as there are courses. */
static void make_pyramid(scene *made) {
    const double spacing = 1.05;
    int32_t courses = 1, body = 0;
    while ((courses + 1) * (courses + 2) / 2 <= made->body_count) {
        courses++;
    }
    made->body_count = courses * (courses + 1) / 2;
    begin_cubes(made, 0.5 * spacing * courses);
    for (int32_t course = 0; course < courses; course++) {
        for (int32_t i = 0; i < courses - course; i++) {
            put(made, body++, spacing * (i - 0.5 * (courses - course - 1)), 0.0, 0.5 + course);
        }
    }
}

static void make_ratio(scene *made, uint64_t *random) {
    enum { HEIGHT = 6 };
    make_stacks(made, random, HEIGHT, 3.0, 0.0);
    made->shapes[1] = (scene_shape){.half = {0.5, 0.5, 0.5}, .heavy = 100.0};
    made->shape_count = 2;
    for (int32_t i = HEIGHT - 1; i < made->body_count; i += HEIGHT) {
        made->bodies[i].shape = 1;
    }
}

/* Gravity is inclined instead of the ground. */
static void make_slope(scene *made, uint64_t *random) {
    double angle = 0.9 * atan(made->friction);
    make_stacks(made, random, 1, 2.0, 0.0);
    made->shapes[0].half = abut_vec3_make(0.5, 0.4, 0.3);
    made->gravity = abut_vec3_make(9.81 * sin(angle), 0.0, -9.81 * cos(angle));
    for (int32_t i = 0; i < made->body_count; i++) {
        made->bodies[i].pose.position.z = 0.3;
        made->bodies[i].pose.rotation = abut_quat_about(abut_vec3_make(0.0, 0.0, 1.0), uniform(random, 0.0, 3.0));
    }
}

static void make_bodies(scene *made, uint64_t *random) {
    switch (made->kind) {
    case SCENE_WALL:
        make_wall(made);
        break;
    case SCENE_COLUMNS:
        make_stacks(made, random, 10, 1.3, 0.1);
        break;
    case SCENE_PYRAMID:
        make_pyramid(made);
        break;
    case SCENE_TOWER:
        make_stacks(made, random, 20, 3.0, 0.0);
        break;
    case SCENE_RATIO:
        make_ratio(made, random);
        break;
    case SCENE_SLOPE:
        make_slope(made, random);
        break;
    default:
        make_heap(made, random);
        break;
    }
}

static bool make_shapes(scene *made, uint64_t *random) {
    made->shape_count = SCENE_SHAPES;
    for (int i = 0; i < SCENE_SHAPES; i++) {
        if (made->kind == SCENE_HULLS) {
            if (!make_hull(random, &made->shapes[i])) {
                return false;
            }
        } else {
            made->shapes[i].half = abut_vec3_make(uniform(random, 0.3, 0.5), uniform(random, 0.3, 0.5), uniform(random, 0.3, 0.5));
        }
    }
    return true;
}

bool scene_make(scene_kind kind, int32_t bodies, scene *made) {
    uint64_t random = 1;
    *made = (scene){.kind = kind, .body_count = bodies, .density = 1000.0, .friction = 0.5, .gravity = {0.0, 0.0, -9.81}};
    made->bodies = calloc((size_t)bodies, sizeof *made->bodies);
    made->walls = calloc(5, sizeof *made->walls);
    if (made->bodies == NULL || made->walls == NULL || !make_shapes(made, &random)) {
        scene_free(made);
        return false;
    }
    make_bodies(made, &random);
    return true;
}

void scene_free(scene *made) {
    free(made->bodies);
    free(made->walls);
    *made = (scene){.body_count = 0};
}
