#pragma once

#include <stdbool.h>

#include <abut/abut.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The scenes: bodies and their poses. The same for every engine and every run.
 */

typedef enum scene_kind {
    SCENE_BOXES,   /* boxes of eight sizes, randomly rotated, that collapse into a heap in a square bin, about as high as wide */
    SCENE_HULLS,   /* the same with eight hulls of 20 random points */
    SCENE_WALL,    /* a brick wall in running bond, of twenty courses (fewer if it would be higher than long) */
    SCENE_COLUMNS, /* columns of ten cubes, 1.3 m apart, each cube shifted by up to 0.1 m */
    SCENE_PYRAMID, /* a plane pyramid of cubes */
    SCENE_TOWER,   /* towers of twenty cubes, one exactly above the other */
    SCENE_RATIO,   /* towers of five cubes that carry one of a hundred times their mass */
    SCENE_SLOPE,   /* single boxes on a slope of 0.9 of the angle of friction */
    SCENE_KINDS
} scene_kind;

enum { SCENE_SHAPES = 8, SCENE_HULL_POINTS = 20 };

/* A box, or a hull when there are points. The centre of mass is the origin. */
typedef struct scene_shape {
    double heavy; /* factor of the scene's density; 0 counts as 1 */
    abut_vec3 half;
    int32_t point_count;
    abut_vec3 points[SCENE_HULL_POINTS];
} scene_shape;

/* Pose of the shape's frame; at rest. */
typedef struct scene_body {
    int32_t shape;
    abut_pose pose;
} scene_body;

typedef struct scene {
    scene_kind kind;
    scene_shape shapes[SCENE_SHAPES];
    int32_t shape_count;
    scene_body *bodies; /* [body_count], dynamic */
    int32_t body_count;
    scene_body *walls; /* [wall_count], static; the first one is the ground */
    scene_shape wall_shapes[5];
    int32_t wall_count;
    double density, friction;
    abut_vec3 gravity;
} scene;

const char *scene_name(scene_kind kind);

/* The density of bodies of a shape. */
double scene_density(const scene *of, int32_t shape);

/* False when there is no memory, or the build has no hulls. Free it with scene_free(). */
bool scene_make(scene_kind kind, int32_t bodies, scene *made);
void scene_free(scene *made);

/* The shape in abut; NULL on failure. The caller releases it. */
abut_shape *scene_abut_shape(const scene_shape *shape);

#ifdef __cplusplus
}
#endif
