#include "support/facet_body.h"

#include <stdlib.h>

#include "support/check.h"
#include "support/icosphere.h"

static int compare(const void *p, const void *q) {
    const abut_vec3 *a = p, *b = q;
    double d = a->x != b->x ? a->x - b->x : a->y != b->y ? a->y - b->y : a->z - b->z;
    return (d > 0.0) - (d < 0.0);
}

facet_body facet_body_ball(int level) {
    facet_body body = {0};
    abut_facet *facets = icosphere_make(level, 1.0, abut_pose_identity(), &body.triangle_count);
    size_t corners = 3 * (size_t)body.triangle_count;
    body.vertices = check_memory(corners, sizeof *body.vertices);
    body.triangles = check_memory(corners, sizeof *body.triangles);
    for (size_t c = 0; c < corners; ++c) {
        body.vertices[c] = facets[c / 3].corner[c % 3];
    }
    qsort(body.vertices, corners, sizeof *body.vertices, compare);
    for (size_t c = 0; c < corners; ++c) {
        if (c == 0 || compare(&body.vertices[c], &body.vertices[body.vertex_count - 1]) != 0) {
            body.vertices[body.vertex_count++] = body.vertices[c];
        }
    }
    for (size_t c = 0; c < corners; ++c) {
        const abut_vec3 *found = bsearch(&facets[c / 3].corner[c % 3], body.vertices, (size_t)body.vertex_count, sizeof *found, compare);
        body.triangles[c] = (int32_t)(found - body.vertices);
    }
    free(facets);
    return body;
}

facet_body facet_body_torus(double radius, double tube, int32_t around, int32_t across) {
    facet_body body = {.vertex_count = around * across, .triangle_count = 2 * around * across};
    body.vertices = check_memory((size_t)body.vertex_count, sizeof *body.vertices);
    body.triangles = check_memory(3 * (size_t)body.triangle_count, sizeof *body.triangles);
    for (int32_t i = 0; i < around; ++i) {
        for (int32_t k = 0; k < across; ++k) {
            double u = 2.0 * PI * i / around, v = 2.0 * PI * k / across, far = radius + tube * cos(v);
            body.vertices[i * across + k] = abut_vec3_make(far * cos(u), far * sin(u), tube * sin(v));
            int32_t next = (i + 1) % around, up = (k + 1) % across, *t = &body.triangles[6 * (i * across + k)];
            const int32_t cell[6] = {i * across + k, next * across + k,  next * across + up,
                                     i * across + k, next * across + up, i * across + up};
            for (int c = 0; c < 6; ++c) {
                t[c] = cell[c];
            }
        }
    }
    return body;
}

void facet_body_scale(facet_body *body, abut_vec3 scale) {
    for (int32_t v = 0; v < body->vertex_count; ++v) {
        abut_vec3 *p = &body->vertices[v];
        *p = abut_vec3_make(scale.x * p->x, scale.y * p->y, scale.z * p->z);
    }
}

abut_shape *facet_body_shape(const facet_body *body, const double *radii) {
    const abut_facetmesh_def def = {.vertices = body->vertices,
                                    .vertex_count = body->vertex_count,
                                    .triangles = body->triangles,
                                    .triangle_count = body->triangle_count,
                                    .radii = radii};
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_facetmesh(&def, NULL, &shape));
    return shape;
}

abut_shape *facet_body_round(const facet_body *body, double radius) {
    double *radii = check_memory((size_t)body->triangle_count, sizeof *radii);
    for (int32_t i = 0; i < body->triangle_count; ++i) {
        radii[i] = radius;
    }
    abut_shape *shape = facet_body_shape(body, radii);
    free(radii);
    return shape;
}

abut_shape *facet_body_meshed_ball(int level, double radius) {
    facet_body body = facet_body_ball(level);
    facet_body_scale(&body, (abut_vec3){radius, radius, radius});
    abut_shape *shape = facet_body_round(&body, radius);
    facet_body_free(&body);
    return shape;
}

void facet_body_free(facet_body *body) {
    free(body->vertices);
    free(body->triangles);
    *body = (facet_body){0};
}
