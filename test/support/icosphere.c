#include "support/icosphere.h"

#include <stdlib.h>

#include "support/check.h"

static const int faces[20][3] = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                                 {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                                 {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};

/* The vertices of an icosahedron: cyclic permutations of (0, 1, golden ratio). */
static abut_vec3 corner(int i) {
    const double g = 1.6180339887498949;
    const abut_vec3 v[12] = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                             {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    return abut_unit(v[i]);
}

static void cut(int level, abut_vec3 p, abut_vec3 q, abut_vec3 r, double radius, abut_pose pose, abut_facet **out) {
    if (level == 0) {
        **out = (abut_facet){{abut_pose_apply(pose, abut_scale(radius, p)), abut_pose_apply(pose, abut_scale(radius, q)),
                              abut_pose_apply(pose, abut_scale(radius, r))},
                             radius};
        ++*out;
        return;
    }
    abut_vec3 pq = abut_unit(abut_add(p, q)), qr = abut_unit(abut_add(q, r)), rp = abut_unit(abut_add(r, p));
    cut(level - 1, p, pq, rp, radius, pose, out);
    cut(level - 1, pq, q, qr, radius, pose, out);
    cut(level - 1, rp, qr, r, radius, pose, out);
    cut(level - 1, pq, qr, rp, radius, pose, out);
}

abut_facet *icosphere_make(int level, double radius, abut_pose pose, int32_t *count) {
    *count = 20 << (2 * level);
    abut_facet *facets = check_memory((size_t)*count, sizeof *facets), *next = facets;
    for (int f = 0; f < 20; ++f) {
        cut(level, corner(faces[f][0]), corner(faces[f][1]), corner(faces[f][2]), radius, pose, &next);
    }
    return facets;
}
