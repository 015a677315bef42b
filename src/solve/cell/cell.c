/*
 * Springs, dampers and pressure of an elastic cell.
 *
 * The pressure p presses each triangle with p times its area along its normal, a third at each corner. Over a closed mesh this is p times the derivative of the
 * volume. So springs and pressure are the derivative of one energy, and have neither a sum nor a moment.
 */
#include "solve/cell/cell.h"

#include <math.h>

#include "base/real.h"

/* Twice the area of a triangle along its normal. */
static abut_vec3 twice_area(const cell_mesh *mesh, const abut_vec3 *position, int32_t t) {
    const int32_t *corner = &mesh->corner[3 * t];
    const abut_vec3 a = position[corner[0]];
    return abut_cross(abut_sub(position[corner[1]], a), abut_sub(position[corner[2]], a));
}

/* From a node on, so that it does not lose digits far from the origin. */
double cell_volume(const cell_mesh *mesh, const abut_vec3 *position) {
    const abut_vec3 origin = position[mesh->corner[0]];
    double six = 0.0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        six += abut_dot(abut_sub(position[mesh->corner[3 * t]], origin), twice_area(mesh, position, t));
    }
    return six / 6.0;
}

/* ---- forces ---- */

/* Returns the length of the edge. */
static double bear_edge(const cell_law *law, const cell_mesh *mesh, int32_t e, const abut_vec3 *position, const abut_vec3 *velocity,
                        abut_vec3 *force, cell_load *load) {
    const int32_t a = mesh->edge[2 * e], b = mesh->edge[2 * e + 1];
    const abut_vec3 way = abut_sub(position[b], position[a]);
    const double length = abut_length(way);
    if (!(length > 0.0)) {
        return 0.0;
    }
    const abut_vec3 along = abut_scale(1.0 / length, way);
    const double stretch = length - mesh->rest[e], parting = abut_dot(abut_sub(velocity[b], velocity[a]), along);
    const double pull = law->stiffness * stretch, drag = law->damping * parting;
    force[a] = abut_add_scaled(force[a], pull + drag, along);
    force[b] = abut_add_scaled(force[b], -(pull + drag), along);
    load->energy += 0.5 * pull * stretch;
    load->power += drag * parting;
    load->stretched += pull * length;
    return length;
}

static void bear_pressure(const cell_mesh *mesh, double pressure, const abut_vec3 *position, abut_vec3 *force) {
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        const abut_vec3 push = abut_scale(pressure / 6.0, twice_area(mesh, position, t));
        for (int k = 0; k < 3; ++k) {
            const int32_t node = mesh->corner[3 * t + k];
            force[node] = abut_add(force[node], push);
        }
    }
}

/* The sum over all nodes of |dV/dx|^2 / m. */
static double volume_mobility(const cell_mesh *mesh, const abut_vec3 *slope) {
    double sum = 0.0;
    for (int32_t i = 0; i < mesh->node_count; ++i) {
        sum += mesh->mass[i] > 0.0 ? abut_length_squared(slope[i]) / mesh->mass[i] : 0.0;
    }
    return sum;
}

/* The squared frequency is bounded by Gershgorin's theorem. A spring of stiffness k couples both of its nodes by blocks of norm k: 2 k times the number of a
 * node's edges, over its mass. The change of direction of the pressure's forces couples nodes of an edge by p / 6 times the distance of the two vertices beside
 * it, which is below two edges. The bulk modulus B adds one motion, of the squared frequency B / V sum |dV/dx|^2 / m. */
cell_load cell_bear(const cell_law *law, const cell_mesh *mesh, const abut_vec3 *position, const abut_vec3 *velocity, abut_vec3 *force) {
    cell_load load = {.volume = cell_volume(mesh, position)};
    for (int32_t i = 0; i < mesh->node_count; ++i) {
        force[i] = abut_vec3_make(0.0, 0.0, 0.0);
    }
    if (law->bulk > 0.0) { /* the forces serve as working memory */
        bear_pressure(mesh, 1.0, position, force);
        load.square = law->bulk / law->volume * volume_mobility(mesh, force);
        for (int32_t i = 0; i < mesh->node_count; ++i) {
            force[i] = abut_vec3_make(0.0, 0.0, 0.0);
        }
    }
    double longest = 0.0;
    for (int32_t e = 0; e < mesh->edge_count; ++e) {
        longest = real_max(longest, bear_edge(law, mesh, e, position, velocity, force, &load));
    }
    const double growth = load.volume - law->volume;
    load.pressure = law->pressure - law->bulk * growth / law->volume;
    load.energy += (0.5 * law->bulk * growth / law->volume - law->pressure) * growth;
    bear_pressure(mesh, load.pressure, position, force);
    load.square += (2.0 * law->stiffness + fabs(load.pressure) * longest / 3.0) * mesh->crowding;
    load.damping = 2.0 * law->damping * mesh->crowding;
    return load;
}

/* ---- the rigid motion ---- */

/* Of a symmetric matrix without negative eigenvalues, in units of its trace, so that nothing underflows. Zero when there is none. */
static abut_mat3 inverse_of(abut_mat3 m) {
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    const double trace = m.x.x + m.y.y + m.z.z;
    if (!(trace > 0.0)) {
        return abut_mat3_make(zero, zero, zero);
    }
    const abut_vec3 x = abut_scale(1.0 / trace, m.x), y = abut_scale(1.0 / trace, m.y), z = abut_scale(1.0 / trace, m.z),
                    yz = abut_cross(y, z);
    const double determinant = abut_dot(x, yz), factor = 1.0 / determinant / trace;
    if (!(determinant > 0.0) || !isfinite(factor)) {
        return abut_mat3_make(zero, zero, zero);
    }
    return abut_mat3_transpose(
        abut_mat3_make(abut_scale(factor, yz), abut_scale(factor, abut_cross(z, x)), abut_scale(factor, abut_cross(x, y))));
}

/* Adds weight (|r|^2 - r r^T). */
static void add_inertia(double weight, abut_vec3 r, abut_mat3 *to) {
    const double square = abut_length_squared(r);
    to->x = abut_add_scaled(abut_add(to->x, abut_vec3_make(weight * square, 0.0, 0.0)), -weight * r.x, r);
    to->y = abut_add_scaled(abut_add(to->y, abut_vec3_make(0.0, weight * square, 0.0)), -weight * r.y, r);
    to->z = abut_add_scaled(abut_add(to->z, abut_vec3_make(0.0, 0.0, weight * square)), -weight * r.z, r);
}

cell_rigid cell_rigid_of(const cell_mesh *mesh, double mass, const abut_vec3 *position, const abut_vec3 *velocity) {
    const abut_vec3 zero = {0.0, 0.0, 0.0}, origin = position[mesh->corner[0]];
    cell_rigid made = {.centre = zero};
    for (int32_t i = 0; i < mesh->node_count; ++i) {
        made.centre = abut_add_scaled(made.centre, mesh->mass[i], abut_sub(position[i], origin));
        made.velocity = abut_add_scaled(made.velocity, mesh->mass[i], velocity[i]);
    }
    made.centre = abut_add_scaled(origin, 1.0 / mass, made.centre);
    made.velocity = abut_scale(1.0 / mass, made.velocity);
    made.inertia = abut_mat3_make(zero, zero, zero);
    abut_vec3 momentum = zero;
    for (int32_t i = 0; i < mesh->node_count; ++i) {
        const abut_vec3 arm = abut_sub(position[i], made.centre);
        add_inertia(mesh->mass[i], arm, &made.inertia);
        momentum = abut_add_scaled(momentum, mesh->mass[i], abut_cross(arm, abut_sub(velocity[i], made.velocity)));
    }
    made.inverse = inverse_of(made.inertia);
    made.spin = abut_mat3_apply(made.inverse, momentum);
    return made;
}

double cell_inner_energy(const cell_mesh *mesh, const cell_rigid *rigid, const abut_vec3 *position, const abut_vec3 *velocity) {
    double energy = 0.0;
    for (int32_t i = 0; i < mesh->node_count; ++i) {
        const abut_vec3 arm = abut_sub(position[i], rigid->centre), own = abut_add(rigid->velocity, abut_cross(rigid->spin, arm));
        energy += 0.5 * mesh->mass[i] * abut_length_squared(abut_sub(velocity[i], own));
    }
    return energy;
}

/* ---- the forces of a facet ---- */

void cell_weights(const abut_vec3 corner[3], abut_vec3 point, double weights[3]) {
    const abut_vec3 u = abut_sub(corner[1], corner[0]), v = abut_sub(corner[2], corner[0]), w = abut_sub(point, corner[0]);
    const abut_vec3 normal = abut_cross(u, v);
    const double square = abut_length_squared(normal);
    weights[1] = square > 0.0 ? abut_dot(abut_cross(w, v), normal) / square : 1.0 / 3.0;
    weights[2] = square > 0.0 ? abut_dot(abut_cross(u, w), normal) / square : 1.0 / 3.0;
    weights[0] = 1.0 - weights[1] - weights[2];
}

/* The moment that the shares of the force do not have is that of forces a x d on the nodes, with arms d from their middle. These have no sum. */
void cell_share(const abut_vec3 corner[3], const double weights[3], abut_vec3 force, abut_vec3 moment, abut_vec3 out[3]) {
    const abut_vec3 middle = abut_scale(1.0 / 3.0, abut_add(corner[0], abut_add(corner[1], corner[2]))), zero = {0.0, 0.0, 0.0};
    abut_mat3 inertia = abut_mat3_make(zero, zero, zero);
    abut_vec3 arm[3], lacking = moment;
    for (int k = 0; k < 3; ++k) {
        arm[k] = abut_sub(corner[k], middle);
        out[k] = abut_scale(weights[k], force);
        lacking = abut_sub(lacking, abut_cross(arm[k], out[k]));
        add_inertia(1.0, arm[k], &inertia);
    }
    const abut_vec3 turning = abut_mat3_apply(inverse_of(inertia), lacking);
    for (int k = 0; k < 3; ++k) {
        out[k] = abut_add(out[k], abut_cross(turning, arm[k]));
    }
}
