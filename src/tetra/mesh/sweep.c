/* Separates pairs of elements one after the other (tetra/mesh/sweep.h), each by the best plane between its two sets of four vertices
 * (tetra/mesh/parting.h), near the normal of its rigid depth. */
#include "tetra/mesh/sweep.h"

#include "base/memory.h"
#include "base/real.h"
#include "tetra/mesh/meet.h"
#include "tetra/mesh/parting.h"

enum { VERTICES = 8 };

/* The gap between the two beyond touching, relative to the size: above the rounding error of moved vertices. */
static double gap_of(const abut_simplex *p, const abut_simplex *q, double unit) {
    double far = 0.0;
    for (int i = 0; i < 4; i++) {
        abut_vec3 u = p->vertex[i], v = q->vertex[i];
        far = real_max(far, real_max(fabs(u.x), real_max(fabs(u.y), fabs(u.z))));
        far = real_max(far, real_max(fabs(v.x), real_max(fabs(v.y), fabs(v.z))));
    }
    return 8.0 * 2.220446049250313e-16 * real_max(1.0, far * unit);
}

/* The power of two that scales the vertices, relative to the first of p, to about 1. */
static double unit_of(const abut_simplex *p, const abut_simplex *q) {
    double size = 0.0;
    for (int i = 0; i < 4; i++) {
        abut_vec3 u = abut_sub(p->vertex[i], p->vertex[0]), v = abut_sub(q->vertex[i], p->vertex[0]);
        size = real_max(size, real_max(fabs(u.x), real_max(fabs(u.y), fabs(u.z))));
        size = real_max(size, real_max(fabs(v.x), real_max(fabs(v.y), fabs(v.z))));
    }
    int exponent = 0;
    (void)frexp(size, &exponent);
    return ldexp(1.0, exponent < -1000 ? 1000 : -exponent);
}

/* All elements of the pair's vertices keep their ratios. */
static bool all_kept(const joint *j, const volumes *v, const int32_t corner[VERTICES]) {
    bool kept = true;
    for (int i = 0; i < VERTICES && kept && v != NULL; i++) {
        kept = volumes_kept_at(v, j, corner[i]);
    }
    return kept;
}

/* Moves the vertices by a part of the way, halved until all elements keep their ratios: volumes are linear along one normal, so some part always
 * does, unless an element has no room at all. */
static void move_pair(joint *j, const volumes *v, const int32_t corner[VERTICES], const double move[VERTICES], abut_vec3 normal) {
    enum { HALVINGS = 6 };
    abut_vec3 from[VERTICES];
    double part = 1.0;
    for (int i = 0; i < VERTICES; i++) {
        from[i] = j->at[corner[i]];
    }
    for (int k = 0; k <= HALVINGS; k++, part *= 0.5) {
        for (int i = 0; i < VERTICES; i++) {
            joint_move(j, corner[i], k < HALVINGS ? abut_add_scaled(from[i], part * move[i], normal) : from[i]);
        }
        if (all_kept(j, v, corner)) {
            return;
        }
    }
}

static void part_pair(joint *j, const volumes *v, abut_element_pair pair) {
    int32_t element[2] = {pair.a, joint_partner(j, pair.b)}, corner[VERTICES];
    abut_simplex p = joint_element(j, element[0]), q = joint_element(j, element[1]);
    abut_rigid_depth rigid;
    if (!mesh_elements_intersect(&p, &q) || abut_simplex_rigid_depth(&p, &q, &rigid) != ABUT_OK) {
        return;
    }
    joint_corners(j, element[0], corner);
    joint_corners(j, element[1], corner + 4);
    double unit = unit_of(&p, &q), mass[VERTICES], height[VERTICES];
    abut_vec3 at[VERTICES];
    static const int8_t side[VERTICES] = {1, 1, 1, 1, -1, -1, -1, -1};
    for (int i = 0; i < VERTICES; i++) {
        at[i] = abut_scale(unit, abut_sub(j->at[corner[i]], p.vertex[0]));
        mass[i] = j->mass[corner[i]];
    }
    parting_points points = {VERTICES, at, mass, side, gap_of(&p, &q, unit), height};
    parting_plane plane = parting_improve(&points, parting_along(&points, rigid.normal));
    plane = plane.cost < INFINITY ? plane : parting_best(&points, &rigid.normal, 1, 2);
    double move[VERTICES];
    for (int i = 0; i < VERTICES && plane.cost < INFINITY; i++) {
        move[i] = mass[i] < INFINITY ? parting_move(&plane, at[i], side[i], points.gap) / unit : 0.0;
    }
    if (plane.cost < INFINITY) {
        move_pair(j, v, corner, move, plane.normal);
    }
}

abut_status sweep_pairs(joint *j, const volumes *v, int32_t limit, double most, abut_element_pair **pairs, int64_t *count,
                        int32_t *sweeps) {
    abut_status status = ABUT_OK;
    bool hope = true;
    for (int32_t k = 0; k<limit && * count> 0 && status == ABUT_OK && hope; k++) {
        int64_t before = *count;
        for (int64_t i = 0; i < before; i++) {
            part_pair(j, v, (*pairs)[i]);
        }
        memory_release(*pairs);
        status = joint_search(j, pairs, count);
        ++*sweeps;
        double largest;
        hope = !(most < INFINITY) || (joint_displacement(j, &largest) <= most && 4 * *count <= 3 * before);
    }
    return status;
}
