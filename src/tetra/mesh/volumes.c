/* Volumes of a separation's elements, and the share of them that must be kept. */
#include "tetra/mesh/volumes.h"

#include "base/memory.h"
#include "base/real.h"
#include "tetra/mesh/view.h"

static double volume_at(const joint *j, const abut_vec3 *at, int32_t element) {
    int32_t c[4];
    joint_corners(j, element, c);
    abut_vec3 edge[3];
    for (int i = 0; i < 3; i++) {
        edge[i] = abut_scale(j->unit, abut_sub(at[c[i + 1]], at[c[0]]));
    }
    return abut_dot(edge[0], abut_cross(edge[1], edge[2]));
}

/* The cube of the element's size: its product with 1e-16 is the rounding error of the volume. */
static double cube_at(const joint *j, int32_t element) {
    int32_t c[4];
    joint_corners(j, element, c);
    abut_aabb box = {j->begin[c[0]], j->begin[c[0]]};
    for (int i = 1; i < 4; i++) {
        mesh_box_include(&box, j->begin[c[i]]);
    }
    abut_vec3 e = abut_scale(j->unit, abut_sub(box.upper, box.lower));
    double size = e.x + e.y + e.z;
    return size * size * size;
}

static void set_least(volumes *v, const joint *j, double ratio) {
    const double flat = 1e-14, rounding = 1e-15;
    for (int32_t e = 0; e < j->element_count; e++) {
        double cube = cube_at(j, e);
        v->begin[e] = volume_at(j, j->begin, e);
        bool has = fabs(v->begin[e]) > flat * cube;
        v->least[e] = has ? ratio + real_min(rounding * cube / fabs(v->begin[e]), 0.5 * (1.0 - ratio)) : -INFINITY;
    }
}

/* After counting, first[v] is the end of the vertex; filling moves it to the beginning. */
static void set_elements(volumes *v, const joint *j) {
    int32_t c[4];
    for (int32_t e = 0; e < j->element_count; e++) {
        joint_corners(j, e, c);
        for (int i = 0; i < 4; i++) {
            ++v->first[c[i]];
        }
    }
    for (int32_t k = 0; k < j->vertex_count; k++) {
        v->first[k + 1] += v->first[k];
    }
    for (int32_t e = j->element_count - 1; e >= 0; e--) {
        joint_corners(j, e, c);
        for (int i = 0; i < 4; i++) {
            v->element[--v->first[c[i]]] = e;
        }
    }
}

bool volumes_make(volumes *v, const joint *j, double ratio) {
    size_t elements = (size_t)j->element_count;
    *v = (volumes){.begin = memory_allocate(elements, sizeof *v->begin),
                   .least = memory_allocate(elements, sizeof *v->least),
                   .first = memory_allocate((size_t)j->vertex_count + 1, sizeof *v->first),
                   .element = memory_allocate(4 * elements, sizeof *v->element)};
    if (v->begin == NULL || v->least == NULL || v->first == NULL || v->element == NULL) {
        volumes_release(v);
        return false;
    }
    set_least(v, j, ratio);
    set_elements(v, j);
    return true;
}

void volumes_release(volumes *v) {
    memory_release(v->begin);
    memory_release(v->least);
    memory_release(v->first);
    memory_release(v->element);
}

double volumes_ratio(const volumes *v, const joint *j, int32_t element) {
    return v->least[element] > -INFINITY ? volume_at(j, j->at, element) / v->begin[element] : 1.0;
}

bool volumes_kept_at(const volumes *v, const joint *j, int32_t vertex) {
    for (int64_t i = v->first[vertex]; i < v->first[vertex + 1]; i++) {
        if (!(volumes_ratio(v, j, v->element[i]) >= v->least[v->element[i]])) {
            return false;
        }
    }
    return true;
}
