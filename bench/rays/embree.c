/* Embree: triangles, single precision, its hierarchy for static scenes, built and asked on one thread, one ray at a time. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include <embree3/rtcore.h>

#include "peer.h"

typedef struct embree_mesh {
    RTCDevice device;
    RTCScene scene;
} embree_mesh;

static void *make(const target *t) {
    embree_mesh *made = calloc(1, sizeof *made);
    if (made == NULL) {
        return NULL;
    }
    made->device = rtcNewDevice("threads=1,set_affinity=0");
    made->scene = rtcNewScene(made->device);
    RTCGeometry geometry = rtcNewGeometry(made->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    float *vertices =
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), (size_t)t->point_count);
    unsigned *corners =
        rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(unsigned), (size_t)t->triangle_count);
    for (int32_t i = 0; i < t->point_count; i++) {
        vertices[3 * i] = (float)t->points[i].x;
        vertices[3 * i + 1] = (float)t->points[i].y;
        vertices[3 * i + 2] = (float)t->points[i].z;
    }
    for (int32_t i = 0; i < 3 * t->triangle_count; i++) {
        corners[i] = (unsigned)t->corners[i];
    }
    rtcCommitGeometry(geometry);
    (void)rtcAttachGeometry(made->scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(made->scene);
    return made;
}

static void cast(void *opaque, const ray *rays, int32_t count, double *fractions) {
    const embree_mesh *made = opaque;
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    for (int32_t i = 0; i < count; i++) {
        const ray *r = &rays[i];
        struct RTCRayHit one = {.ray = {.org_x = (float)r->origin.x,
                                        .org_y = (float)r->origin.y,
                                        .org_z = (float)r->origin.z,
                                        .dir_x = (float)r->way.x,
                                        .dir_y = (float)r->way.y,
                                        .dir_z = (float)r->way.z,
                                        .tfar = 1.0f,
                                        .mask = ~0u}};
        one.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        rtcIntersect1(made->scene, &context, &one);
        fractions[i] = one.hit.geomID != RTC_INVALID_GEOMETRY_ID ? (double)one.ray.tfar : 1.0;
    }
}

static void release(void *opaque) {
    embree_mesh *made = opaque;
    if (made != NULL) {
        rtcReleaseScene(made->scene);
        rtcReleaseDevice(made->device);
    }
    free(made);
}

const peer embree_peer = {"Embree", false, make, cast, release};
