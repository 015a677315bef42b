#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <abut/math.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Other engines with the same shape. Each has one shape at a time and answers one ray after the other. */

typedef enum target_form { TARGET_HULL, TARGET_MESH } target_form;

/* Points of a hull, or vertices and triangles of a mesh. */
typedef struct target {
    target_form form;
    const abut_vec3 *points; /* [point_count] */
    int32_t point_count;
    const int32_t *corners; /* [3 * triangle_count] */
    int32_t triangle_count;
} target;

typedef struct ray {
    abut_vec3 origin, way;
} ray;

typedef struct peer {
    const char *name;
    bool hulls; /* it takes hulls, too; all take meshes */
    void *(*make)(const target *shape);
    void (*cast)(void *made, const ray *rays, int32_t count, double *fractions); /* of the first hit; 1 for none */
    void (*release)(void *made);
} peer;

extern const peer bullet_peer; /* bullet.cpp, double precision */
extern const peer embree_peer; /* embree.c, single precision */

#ifdef __cplusplus
}
#endif
