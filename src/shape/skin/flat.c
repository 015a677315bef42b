/* Skins of flat faces: boxes, polytopes and meshes. */
#include <math.h>

#include "shape/skin/soup.h"
#include "shape/trimesh.h"

void skin_of_polytope(const abut_shape *shape, skin_soup *soup) {
    const polytope *p = &shape->surface;
    for (int32_t f = 0; f < p->face_count; ++f) {
        const int32_t *loop = &p->face_vertices[p->face_first[f]];
        int32_t count = p->face_first[f + 1] - p->face_first[f];
        for (int32_t i = 2; i < count; ++i) {
            const abut_vec3 corner[3] = {p->vertices[loop[0]], p->vertices[loop[i - 1]], p->vertices[loop[i]]};
            skin_add(soup, corner, INFINITY, (abut_feature){.kind = ABUT_FEATURE_FACE, .index = f});
        }
    }
}

/* A surface with two sides is two surfaces. */
void skin_of_mesh(const abut_shape *shape, skin_soup *soup) {
    const trimesh *mesh = shape->mesh;
    soup->two_sided = mesh->two_sided;
    for (int32_t i = 0; i < mesh->triangle_count && !soup->out_of_memory; ++i) {
        const abut_feature feature = {.kind = ABUT_FEATURE_FACE, .index = i};
        abut_triangle t;
        trimesh_triangle(mesh, i, &t);
        skin_add(soup, t.corner, INFINITY, feature);
        const abut_vec3 back[3] = {t.corner[0], t.corner[2], t.corner[1]};
        if (mesh->two_sided) {
            skin_add(soup, back, INFINITY, feature);
        }
    }
}
