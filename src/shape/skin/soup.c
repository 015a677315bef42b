/* Collects the triangles of a skin. */
#include "shape/skin/soup.h"

#include "base/array.h"
#include "base/memory.h"
#include "shape/facet/side.h"

void skin_add(skin_soup *soup, const abut_vec3 corner[3], double radius, abut_feature feature) {
    skin_add_saddle(soup, corner, radius, abut_vec3_make(0.0, 0.0, 0.0), feature);
}

void skin_add_saddle(skin_soup *soup, const abut_vec3 corner[3], double radius, abut_vec3 saddle, abut_feature feature) {
    const abut_facet facet = {{corner[0], corner[1], corner[2]}, radius};
    facet_side side;
    int32_t count = soup->count;
    if (soup->out_of_memory || facet_make_side(&facet, corner[0], &side) == ABUT_ERROR_DEGENERATE) {
        return;
    }
    if (count > INT32_MAX / 3 - 1 || !array_extend(&soup->corner, &soup->corner_capacity, 3 * count, 3 * count + 3, sizeof *soup->corner) ||
        !array_extend(&soup->radius, &soup->radius_capacity, count, count + 1, sizeof *soup->radius) ||
        !array_extend(&soup->saddle, &soup->saddle_capacity, count, count + 1, sizeof *soup->saddle) ||
        !array_extend(&soup->feature, &soup->feature_capacity, count, count + 1, sizeof *soup->feature)) {
        soup->out_of_memory = true;
        return;
    }
    for (int32_t i = 0; i < 3; ++i) {
        soup->corner[3 * count + i] = abut_add(corner[i], abut_vec3_make(0.0, 0.0, 0.0)); /* -0 becomes 0: equal places have equal bits */
    }
    soup->radius[count] = radius;
    soup->saddle[count] = saddle;
    soup->saddled = soup->saddled || saddle.x != 0.0 || saddle.y != 0.0 || saddle.z != 0.0;
    soup->feature[count] = feature;
    soup->count = count + 1;
}

void skin_free(skin_soup *soup) {
    memory_release(soup->corner);
    memory_release(soup->radius);
    memory_release(soup->saddle);
    memory_release(soup->feature);
    *soup = (skin_soup){.count = 0};
}
