/* The rows of each kind of joint. World frame. d is the way from the origin of frame a to that of frame b, r_a and r_b are the arms of the origins from the
 * centres of mass, x, y, z the axes of frame a, and Z that of frame b.
 *
 * Along a direction n that turns with a, the position n . d changes at n . (v_b - v_a) + (r_b x n) . w_b - ((r_a + d) x n) . w_a. */
#include "solve/joint/joint.h"

#include "base/elementary.h"

/* A joint at a placement. */
typedef struct placed {
    abut_vec3 d, r_a, r_b;
    abut_quat q_a, q_b;         /* frames in the world */
    abut_vec3 x, y, z, other_z; /* axes */
    double lever;
    double *turned;
    joint_row *rows;
    int32_t count;
} placed;

static void add_line(placed *p, joint_role role, abut_vec3 n, double at) {
    p->rows[p->count++] = (joint_row){
        .role = role, .line = n, .turn_a = abut_cross(abut_add(p->r_a, p->d), n), .turn_b = abut_cross(p->r_b, n), .at = at, .lever = 1.0};
}

static void add_turn(placed *p, joint_role role, abut_vec3 turn_a, abut_vec3 turn_b, double at) {
    p->rows[p->count++] = (joint_row){.role = role, .turn_a = turn_a, .turn_b = turn_b, .at = at, .lever = p->lever};
}

/* The angle of a rotation about the z axis, next to the last known one. */
static double angle_about_z(abut_quat q, double *turned) {
    double raw = 2.0 * elementary_atan2(q.z, q.w), whole = 2.0 * REAL_PI;
    *turned = raw + whole * floor((*turned - raw) / whole + 0.5);
    return *turned;
}

/* No distance of the origins: along fixed directions, which do not turn. */
static void hold_origin(placed *p) {
    const abut_vec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int i = 0; i < 3; i++) {
        p->rows[p->count++] = (joint_row){.role = JOINT_HOLDS,
                                          .line = axes[i],
                                          .turn_a = abut_cross(p->r_a, axes[i]),
                                          .turn_b = abut_cross(p->r_b, axes[i]),
                                          .at = abut_dot(axes[i], p->d),
                                          .lever = 1.0};
    }
}

static void hold_along(placed *p, abut_vec3 n) { add_line(p, JOINT_HOLDS, n, abut_dot(n, p->d)); }

/* No rotation, by twice the vector part of the quaternion from a to b. */
static void hold_turn(placed *p) {
    abut_quat q = abut_quat_mul(abut_quat_conjugate(p->q_a), p->q_b);
    double twice = q.w < 0.0 ? -2.0 : 2.0;
    add_turn(p, JOINT_HOLDS, p->x, p->x, twice * q.x);
    add_turn(p, JOINT_HOLDS, p->y, p->y, twice * q.y);
    add_turn(p, JOINT_HOLDS, p->z, p->z, twice * q.z);
}

/* Both z axes along each other. Beyond a right angle the error does not get smaller again, so an axis the wrong way round is an error, too. */
static void hold_axis(placed *p) {
    abut_vec3 e = abut_cross(p->z, p->other_z);
    if (abut_dot(p->z, p->other_z) < 0.0) {
        double length = abut_length(e);
        e = length > 0.0 ? abut_scale(1.0 / length, e) : p->x;
    }
    add_turn(p, JOINT_HOLDS, p->x, p->x, abut_dot(e, p->x));
    add_turn(p, JOINT_HOLDS, p->y, p->y, abut_dot(e, p->y));
}

static void move_about_axis(placed *p, joint_role role, int angle) {
    abut_quat q = abut_quat_mul(abut_quat_conjugate(p->q_a), p->q_b);
    add_turn(p, role, p->z, p->z, angle_about_z(q, &p->turned[angle]));
}

/* The angle between the z axes. */
static void move_in_cone(placed *p) {
    abut_vec3 e = abut_cross(p->z, p->other_z);
    double sine = abut_length(e);
    abut_vec3 axis = sine > 0.0 ? abut_scale(1.0 / sine, e) : p->x;
    add_turn(p, JOINT_SLIDES, axis, axis, elementary_atan2(sine, abut_dot(p->z, p->other_z)));
}

static void move_apart(placed *p, bool held, double rest) {
    double length = abut_length(p->d);
    abut_vec3 n = length > 0.0 ? abut_scale(1.0 / length, p->d) : p->z;
    add_line(p, held ? JOINT_HOLDS : JOINT_MOVES, n, held ? length - rest : length);
}

static void hold_right_angle(placed *p) {
    abut_vec3 other_x = abut_quat_rotate(p->q_b, abut_vec3_make(1.0, 0.0, 0.0)), n = abut_cross(other_x, p->z);
    n = abut_length_squared(n) > 0.0 ? n : p->x; /* as far from a right angle as can be: any way is as good */
    add_turn(p, JOINT_HOLDS, n, n, abut_dot(p->z, other_x));
}

static void hold_gear(placed *p, const solver_joint *j) {
    abut_quat a = abut_quat_mul(abut_quat_conjugate(j->begun_a), p->q_a), b = abut_quat_mul(abut_quat_conjugate(j->begun_b), p->q_b);
    double at = angle_about_z(a, &p->turned[0]) + j->def->ratio * angle_about_z(b, &p->turned[1]);
    add_turn(p, JOINT_HOLDS, abut_neg(p->z), abut_scale(j->def->ratio, p->other_z), at);
}

static bool is_held(const abut_joint_def *def) {
    return !def->limited && def->motor.mode == ABUT_MOTOR_OFF && !(def->stiffness > 0.0) && !(def->damping > 0.0);
}

static void add_rows(placed *p, const solver_joint *j) {
    switch (j->def->kind) {
    case ABUT_JOINT_WELD:
        hold_origin(p);
        hold_turn(p);
        break;
    case ABUT_JOINT_SPHERICAL:
        hold_origin(p);
        move_in_cone(p);
        break;
    case ABUT_JOINT_REVOLUTE:
        hold_origin(p);
        hold_axis(p);
        move_about_axis(p, JOINT_MOVES, 0);
        break;
    case ABUT_JOINT_PRISMATIC:
        hold_along(p, p->x);
        hold_along(p, p->y);
        hold_turn(p);
        add_line(p, JOINT_MOVES, p->z, abut_dot(p->z, p->d));
        break;
    case ABUT_JOINT_UNIVERSAL:
        hold_origin(p);
        hold_right_angle(p);
        break;
    case ABUT_JOINT_DISTANCE:
        move_apart(p, is_held(j->def), j->def->rest);
        break;
    case ABUT_JOINT_WHEEL:
        hold_along(p, p->y);
        hold_along(p, p->z);
        hold_axis(p);
        add_line(p, JOINT_SLIDES, p->x, abut_dot(p->x, p->d));
        move_about_axis(p, JOINT_SPINS, 0);
        break;
    case ABUT_JOINT_GEAR:
        hold_gear(p, j);
        break;
    }
}

int32_t joint_rows(const solver_joint *joint, const solver_body *a, const solver_body *b, double turned[2], joint_row rows[JOINT_ROWS]) {
    placed p = {.lever = joint->lever, .turned = turned, .rows = rows};
    p.r_a = abut_mat3_apply(a->axes, joint->local_a);
    p.r_b = abut_mat3_apply(b->axes, joint->local_b);
    p.d = abut_add(abut_add(joint->offset, abut_sub(b->moved, a->moved)), abut_sub(p.r_b, p.r_a));
    p.q_a = abut_quat_mul(a->rotation, joint->frame_a);
    p.q_b = abut_quat_mul(b->rotation, joint->frame_b);
    abut_mat3 axes = abut_mat3_from_quat(p.q_a);
    p.x = axes.x;
    p.y = axes.y;
    p.z = axes.z;
    p.other_z = abut_quat_rotate(p.q_b, abut_vec3_make(0.0, 0.0, 1.0));
    add_rows(&p, joint);
    return p.count;
}
