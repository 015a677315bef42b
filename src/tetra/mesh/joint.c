/* Two meshes, or one, as one set of vertices and elements with masses: first and current positions, and what has changed. */
#include "tetra/mesh/joint.h"

#include <string.h>

#include "base/memory.h"
#include "base/real.h"
#include "tetra/mesh/view.h"

/* The power of two that scales the largest element to about 1. */
static double unit_of(const abut_tetra_mesh *a, const abut_tetra_mesh *b) {
    double size = 0.0;
    for (int k = 0; k < 2; k++) {
        const abut_tetra_mesh *mesh = k == 0 ? a : b;
        for (int32_t e = 0; e < mesh->element_count; e++) {
            abut_aabb box = mesh_box(mesh, e);
            abut_vec3 extent = abut_sub(box.upper, box.lower);
            size = real_max(size, real_max(extent.x, real_max(extent.y, extent.z)));
        }
    }
    int exponent = 0;
    (void)frexp(real_min(size, 0x1p1000), &exponent);
    return ldexp(1.0, exponent < -1000 ? 1000 : -exponent);
}

/* ---- masses ---- */

/* Each vertex gets a quarter of the mass of each of its elements; volumes are scaled by 6 times 4. No mass is below a thousandth of the
 * mean, so that vertices of flat elements have mass as well. */
static void lump_masses(const abut_tetra_mesh *mesh, double unit, double *mass) {
    double sum = 0.0;
    int32_t used = 0;
    memset(mass, 0, (size_t)mesh->vertex_count * sizeof *mass);
    for (int32_t e = 0; e < mesh->element_count; e++) {
        double volume = fabs(mesh_volume(mesh, e, unit));
        for (int i = 0; i < 4; i++) {
            mass[mesh->elements[4 * (int64_t)e + i]] += volume;
        }
    }
    for (int32_t i = 0; i < mesh->vertex_count; i++) {
        sum += mass[i];
        used += mass[i] > 0.0;
    }
    double least = used > 0 ? 1e-3 * sum / used : 1.0;
    for (int32_t i = 0; i < mesh->vertex_count; i++) {
        mass[i] = mass[i] > least ? mass[i] : least;
    }
}

static void set_masses(const abut_tetra_mesh *mesh, const double *given, double unit, double *mass) {
    if (given != NULL) {
        memcpy(mass, given, (size_t)mesh->vertex_count * sizeof *mass);
    } else {
        lump_masses(mesh, unit, mass);
        for (int32_t i = 0; i < mesh->vertex_count; i++) {
            mass[i] /= 24.0;
        }
    }
}

static void make_relative(double *mass, int32_t count) {
    double largest = 0.0;
    for (int32_t i = 0; i < count; i++) {
        largest = mass[i] < INFINITY && mass[i] > largest ? mass[i] : largest;
    }
    for (int32_t i = 0; i < count && largest > 0.0; i++) {
        mass[i] /= largest;
    }
}

/* ---- making ---- */

static bool allocate(joint *j) {
    size_t vertices = (size_t)j->vertex_count;
    j->begin = memory_allocate(vertices, sizeof *j->begin);
    j->at = memory_allocate(vertices, sizeof *j->at);
    j->mass = memory_allocate(vertices, sizeof *j->mass);
    j->changed_vertex = memory_allocate(vertices, sizeof *j->changed_vertex);
    j->changed_element = memory_allocate((size_t)j->element_count, sizeof *j->changed_element);
    return j->begin != NULL && j->at != NULL && j->mass != NULL && j->changed_vertex != NULL && j->changed_element != NULL;
}

abut_status joint_make(const abut_tetra_mesh *a, const abut_tetra_mesh *b, const double *mass_a, const double *mass_b,
                       const abut_parallel *parallel, joint *made) {
    const abut_tetra_mesh none = {NULL, 0, NULL, 0};
    *made = (joint){.mesh = {*a, b != NULL ? *b : none}, .self = b == NULL, .parallel = parallel};
    made->vertex_count = a->vertex_count + made->mesh[1].vertex_count;
    made->element_count = a->element_count + made->mesh[1].element_count;
    if (!allocate(made)) {
        joint_release(made);
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    made->unit = unit_of(&made->mesh[0], &made->mesh[1]);
    const double *given[2] = {mass_a, mass_b};
    int32_t first = 0;
    for (int k = 0; k < 2; k++) {
        abut_tetra_mesh *mesh = &made->mesh[k];
        if (mesh->vertex_count > 0) {
            memcpy(made->begin + first, mesh->vertices, (size_t)mesh->vertex_count * sizeof *mesh->vertices);
            set_masses(mesh, given[k], made->unit, made->mass + first);
        }
        mesh->vertices = made->at + first;
        first += mesh->vertex_count;
    }
    memcpy(made->at, made->begin, (size_t)made->vertex_count * sizeof *made->at);
    make_relative(made->mass, made->vertex_count);
    return ABUT_OK;
}

void joint_release(joint *j) {
    memory_release(j->begin);
    memory_release(j->at);
    memory_release(j->mass);
    memory_release(j->changed_vertex);
    memory_release(j->changed_element);
}

/* ---- use ---- */

abut_simplex joint_element(const joint *j, int32_t element) {
    int32_t corner[4];
    joint_corners(j, element, corner);
    return abut_simplex_make_tetra(j->at[corner[0]], j->at[corner[1]], j->at[corner[2]], j->at[corner[3]]);
}

void joint_move(joint *j, int32_t vertex, abut_vec3 to) {
    abut_vec3 from = j->at[vertex];
    j->changed_vertex[vertex] |= from.x != to.x || from.y != to.y || from.z != to.z;
    j->at[vertex] = to;
}

static abut_status search_by(joint *j, mesh_search search, abut_element_pair **pairs, int64_t *count) {
    mesh_found found;
    search.a = &j->mesh[0];
    search.b = j->self ? NULL : &j->mesh[1];
    search.kind = MESH_SEARCH_INTERSECTIONS;
    search.parallel = j->parallel;
    abut_status status = mesh_search_all(&search, pairs, &found);
    *count = found.count;
    j->tested += found.tested;
    memset(j->changed_vertex, 0, (size_t)j->vertex_count);
    return status;
}

abut_status joint_search(joint *j, abut_element_pair **pairs, int64_t *count) {
    return search_by(j, (mesh_search){.a = NULL}, pairs, count);
}

abut_status joint_search_changed(joint *j, const int32_t *group, abut_element_pair **pairs, int64_t *count) {
    for (int32_t e = 0; e < j->element_count; e++) {
        int32_t c[4];
        joint_corners(j, e, c);
        j->changed_element[e] = j->changed_vertex[c[0]] | j->changed_vertex[c[1]] | j->changed_vertex[c[2]] | j->changed_vertex[c[3]];
    }
    int32_t first_b = j->mesh[0].element_count;
    return search_by(
        j,
        (mesh_search){
            .changed_a = j->changed_element, .changed_b = j->changed_element + first_b, .group_a = group, .group_b = group + first_b},
        pairs, count);
}

double joint_displacement(const joint *j, double *largest) {
    double mass = 0.0, sum = 0.0, most = 0.0;
    for (int32_t v = 0; v < j->vertex_count; v++) {
        double distance = abut_length(abut_scale(j->unit, abut_sub(j->at[v], j->begin[v])));
        most = real_max(most, distance);
        mass += j->mass[v] < INFINITY ? j->mass[v] : 0.0;
        sum += j->mass[v] < INFINITY ? j->mass[v] * distance * distance : 0.0;
    }
    *largest = most / j->unit;
    return mass > 0.0 ? sqrt(sum / mass) / j->unit : 0.0;
}
