/*
 * Free rotation by splitting the kinetic energy L^2 / 2 I0 + sum (1/I_k - 1/I0) L_k^2 / 2, where I0 is the middle principal moment and L the angular momentum
 * in the frame of the body. The first part turns the body about L, each other part about a principal axis, both in closed form. The composition is symmetric
 * (E. Celledoni, N. Saefstroem, "Efficient time-symmetric simulation of torqued rigid bodies using Jacobi elliptic functions", 2006). It is exact for bodies
 * with two equal moments; for others the error of a step is of third order, and the energy is then corrected. The dem stepper of the library does the same.
 */
#include "core/inertia.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace abut_lammps {
namespace {

using Matrix = std::array<std::array<double, 3>, 3>;

/* One Jacobi rotation: makes m[p][q] zero. v collects the axes. */
void rotate_away(Matrix &m, Matrix &v, int p, int q) {
    if (m[p][q] == 0.0) {
        return;
    }
    double theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
    double t = (theta < 0.0 ? -1.0 : 1.0) / (std::fabs(theta) + std::sqrt(theta * theta + 1.0));
    double c = 1.0 / std::sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < 3; ++k) {
        double a = m[k][p], b = m[k][q];
        m[k][p] = c * a - s * b;
        m[k][q] = s * a + c * b;
    }
    for (int k = 0; k < 3; ++k) {
        double a = m[p][k], b = m[q][k];
        m[p][k] = c * a - s * b;
        m[q][k] = s * a + c * b;
    }
    for (int k = 0; k < 3; ++k) {
        double a = v[k][p], b = v[k][q];
        v[k][p] = c * a - s * b;
        v[k][q] = s * a + c * b;
    }
}

/* The rotation about the direction of the vector, by its length as the angle. */
abut_quat turn_by(const abut_vec3 &vector) {
    double angle = abut_length(vector);
    double scale = angle > 0.0 ? std::sin(0.5 * angle) / angle : 0.5;
    return abut_quat_make(scale * vector.x, scale * vector.y, scale * vector.z, std::cos(0.5 * angle));
}

const abut_vec3 &axis_of(const Inertia &inertia, int k) { return k == 0 ? inertia.axes.x : k == 1 ? inertia.axes.y : inertia.axes.z; }
double moment_of(const Inertia &inertia, int k) { return k == 0 ? inertia.moments.x : k == 1 ? inertia.moments.y : inertia.moments.z; }

/* The flow of one part of the energy: turns the body about a principal axis. In the frame of the body L turns the opposite way. */
void turn_about_axis(const Inertia &inertia, int k, double excess, double time, abut_quat &rotation, abut_vec3 &momentum) {
    if (excess == 0.0) {
        return;
    }
    const abut_vec3 &axis = axis_of(inertia, k);
    abut_quat turn = turn_by(abut_scale(excess * abut_dot(momentum, axis) * time, axis));
    rotation = abut_quat_mul(rotation, turn);
    momentum = abut_quat_rotate_inverse(turn, momentum);
}

std::array<int, 3> middle_first(const Inertia &inertia) {
    std::array<int, 3> order{0, 1, 2};
    std::sort(order.begin(), order.end(), [&](int i, int k) { return moment_of(inertia, i) < moment_of(inertia, k); });
    return {order[1], (order[1] + 1) % 3, (order[1] + 2) % 3};
}

abut_vec3 by_moments(const Inertia &inertia, const abut_vec3 &v, bool divide) {
    abut_vec3 p = abut_mat3_apply_transposed(inertia.axes, v);
    const abut_vec3 &m = inertia.moments;
    p = divide ? abut_vec3_make(p.x / m.x, p.y / m.y, p.z / m.z) : abut_vec3_make(p.x * m.x, p.y * m.y, p.z * m.z);
    return abut_mat3_apply(inertia.axes, p);
}

/* The momentum of the same length, in the frame of the body, that is next to this one and has twice the given energy: by Newton's method along the sphere. */
abut_vec3 with_energy(const Inertia &inertia, abut_vec3 momentum, double twice) {
    const double square = abut_length_squared(momentum), length = std::sqrt(square);
    const int most_steps = 20;
    for (int i = 0; i < most_steps; ++i) {
        abut_vec3 w = by_moments(inertia, momentum, true);
        double has = abut_dot(w, momentum), missing = twice - has;
        abut_vec3 along = abut_add_scaled(w, -has / square, momentum);
        double slope = 2.0 * abut_length_squared(along);
        if (!(std::fabs(missing) > 1e-15 * twice) || !(slope * square > 1e-24 * twice * twice)) {
            break;
        }
        double most = 0.3 * length / abut_length(along), step = std::clamp(missing / slope, -most, most);
        momentum = abut_scale(length, abut_unit(abut_add_scaled(momentum, step, along)));
    }
    return momentum;
}

/* The shortest rotation from one vector to another one of the same length. */
abut_quat turn_from_to(const abut_vec3 &from, const abut_vec3 &to) {
    abut_vec3 axis = abut_cross(from, to);
    return abut_quat_unit(abut_quat_make(axis.x, axis.y, axis.z, abut_length_squared(from) + abut_dot(from, to)));
}

} // namespace

Inertia inertia_of(const abut_mat3 &tensor) {
    Matrix m{{{tensor.x.x, tensor.y.x, tensor.z.x}, {tensor.x.y, tensor.y.y, tensor.z.y}, {tensor.x.z, tensor.y.z, tensor.z.z}}};
    Matrix v{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const double whole = m[0][0] + m[1][1] + m[2][2];
    const int most_sweeps = 50;
    for (int sweep = 0; sweep < most_sweeps && std::fabs(m[0][1]) + std::fabs(m[0][2]) + std::fabs(m[1][2]) > 1e-17 * whole; ++sweep) {
        rotate_away(m, v, 0, 1);
        rotate_away(m, v, 0, 2);
        rotate_away(m, v, 1, 2);
    }
    return {abut_vec3_make(m[0][0], m[1][1], m[2][2]),
            abut_mat3_make(abut_vec3_make(v[0][0], v[1][0], v[2][0]), abut_vec3_make(v[0][1], v[1][1], v[2][1]),
                           abut_vec3_make(v[0][2], v[1][2], v[2][2]))};
}

abut_vec3 angular_momentum(const Inertia &inertia, const abut_quat &rotation, const abut_vec3 &angular_velocity) {
    return abut_quat_rotate(rotation, by_moments(inertia, abut_quat_rotate_inverse(rotation, angular_velocity), false));
}

abut_vec3 angular_velocity_of(const Inertia &inertia, const abut_quat &rotation, const abut_vec3 &momentum) {
    return abut_quat_rotate(rotation, by_moments(inertia, abut_quat_rotate_inverse(rotation, momentum), true));
}

void turn_freely(const Inertia &inertia, double time, abut_quat &rotation, abut_vec3 &angular_velocity) {
    if (angular_velocity.x == 0.0 && angular_velocity.y == 0.0 && angular_velocity.z == 0.0) {
        return;
    }
    auto [middle, second, third] = middle_first(inertia);
    double inverse = 1.0 / moment_of(inertia, middle);
    double excess_second = 1.0 / moment_of(inertia, second) - inverse, excess_third = 1.0 / moment_of(inertia, third) - inverse;
    abut_vec3 momentum = by_moments(inertia, abut_quat_rotate_inverse(rotation, angular_velocity), false);
    abut_vec3 world = abut_quat_rotate(rotation, momentum);
    double twice = abut_dot(momentum, by_moments(inertia, momentum, true));
    turn_about_axis(inertia, second, excess_second, 0.5 * time, rotation, momentum);
    turn_about_axis(inertia, third, excess_third, time, rotation, momentum);
    turn_about_axis(inertia, second, excess_second, 0.5 * time, rotation, momentum);
    rotation = abut_quat_unit(abut_quat_mul(turn_by(abut_scale(time * inverse, world)), rotation));
    const double noticeable = 1e-4; /* [rad]; below, the error is rounding error */
    if (abut_length(angular_velocity) * time > noticeable) {
        abut_vec3 right = with_energy(inertia, momentum, twice);
        rotation = abut_quat_unit(abut_quat_mul(rotation, turn_from_to(right, momentum)));
        momentum = right;
    }
    angular_velocity = abut_quat_rotate(rotation, by_moments(inertia, momentum, true));
}

} // namespace abut_lammps
