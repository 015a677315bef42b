#pragma once

#include <stdbool.h>

/*
 * The keys of every object in a scene file. The loader accepts these and no others; docs/formats/scene.schema.json has a definition of the same
 * name and the same keys for each, and a test compares the two.
 */

enum { SCENE_MAX_KEYS = 36 };

typedef enum scene_object {
    SCENE_SCENE,
    SCENE_FIXED_STEPPER,
    SCENE_EVENT_STEPPER,
    SCENE_DEM_STEPPER,
    SCENE_PERIODIC,
    SCENE_UNTIL,
    SCENE_START,
    SCENE_CONTACT,
    SCENE_MATERIAL,
    SCENE_MATERIAL_PAIR,
    SCENE_SHAPE, /* exactly one of its keys */
    SCENE_SPHERE,
    SCENE_CAPSULE,
    SCENE_BOX,
    SCENE_ELLIPSOID,
    SCENE_SUPERQUADRIC,
    SCENE_TORUS,
    SCENE_IMPLICIT,
    SCENE_PARAMETRIC,
    SCENE_CYLINDER,
    SCENE_CONE,
    SCENE_PRISM,
    SCENE_PYRAMID,
    SCENE_PLANE,
    SCENE_HULL,
    SCENE_POLYTOPE,
    SCENE_PART,
    SCENE_MESH,
    SCENE_TRIMESH,   /* file, or vertices and triangles */
    SCENE_FACETMESH, /* file, or vertices and triangles */
    SCENE_HEIGHTFIELD,
    SCENE_ROTATION, /* axis and degrees, or quaternion */
    SCENE_BODY,
    SCENE_FILL,
    SCENE_INLET, /* a rate and a region */
    SCENE_DISC,
    SCENE_SIZES, /* exactly one of curve, gauss, log_normal */
    SCENE_GAUSS,
    SCENE_LOG_NORMAL,
    SCENE_MOTION, /* exactly one of oscillate, rotate, table */
    SCENE_OSCILLATE,
    SCENE_ROTATE,
    SCENE_SERVO,
    SCENE_OUTLET,  /* a box or a half space, which has the keys of a plane */
    SCENE_MEASURE, /* exactly one of force_on, flow_through, average_in */
    SCENE_AVERAGE,
    SCENE_DEFORM, /* exactly one of stretch, matrix, press */
    SCENE_PRESS,
    SCENE_CELL,
    SCENE_JOINT,
    SCENE_JOINT_MOTOR, /* exactly one of speed and position */
    SCENE_ACTION,      /* exactly one of remove, spring, force, velocity, stop, bond; at or when */
    SCENE_BOND,        /* between all near balls */
    SCENE_WHEN,        /* rest, or a series that is above or below a value */
    SCENE_SPRING,
    SCENE_FORCE,
    SCENE_VELOCITY,
    SCENE_OBJECTS
} scene_object;

typedef struct scene_key {
    const char *name; /* NULL ends the list */
    bool required;
} scene_key;

typedef struct scene_keys {
    const char *definition; /* its name in the schema; the file itself is "scene" */
    scene_key keys[SCENE_MAX_KEYS];
} scene_keys;

extern const scene_keys scene_key_table[SCENE_OBJECTS];
