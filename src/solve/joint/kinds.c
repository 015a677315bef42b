/* The rows of each kind of joint. World frame. d is the way from the origin of frame a to that of frame b, r_a and r_b are the arms of the origins from the
 * centres of mass, x, y, z the axes of frame a, and Z that of frame b.
 *
 * Along a direction n that turns with a, the position n . d changes at n . (v_b - v_a) + (r_b x n) . w_b - ((r_a + d) x n) . w_a. Its acceleration is the same
 * of the bodies' accelerations, and the bend of the row: what its turning makes of their velocities. */
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
    bool bends;            /* the rows get their bend; only then the motions below are set */
    abut_vec3 v, w_a, w_b; /* velocity of b's centre relative to a's; angular velocities */
    abut_vec3 d_rate, r_a_rate, r_b_rate;
} placed;

static const abut_vec3 nothing = {0.0, 0.0, 0.0};

/* The velocity of a vector that turns with body a, or b; zero where it is not asked for. */
static abut_vec3 with_a(const placed *p, abut_vec3 n) { return p->bends ? abut_cross(p->w_a, n) : nothing; }
static abut_vec3 with_b(const placed *p, abut_vec3 n) { return p->bends ? abut_cross(p->w_b, n) : nothing; }

/* The bend of a row that turns at these rates. */
static double bend(const placed *p, abut_vec3 line, abut_vec3 turn_a, abut_vec3 turn_b) {
    return abut_dot(line, p->v) + abut_dot(turn_b, p->w_b) - abut_dot(turn_a, p->w_a);
}

/* n_rate: how n changes */
static void add_line(placed *p, joint_role role, abut_vec3 n, abut_vec3 n_rate, double at) {
    abut_vec3 arm = abut_add(p->r_a, p->d);
    joint_row *row = &p->rows[p->count++];
    *row = (joint_row){.role = role, .line = n, .turn_a = abut_cross(arm, n), .turn_b = abut_cross(p->r_b, n), .at = at, .lever = 1.0};
    if (p->bends) {
        abut_vec3 arm_rate = abut_add(p->r_a_rate, p->d_rate);
        row->curve = bend(p, n_rate, abut_add(abut_cross(arm_rate, n), abut_cross(arm, n_rate)),
                          abut_add(abut_cross(p->r_b_rate, n), abut_cross(p->r_b, n_rate)));
    }
}

/* About a direction that changes at this rate. */
static void add_turn(placed *p, joint_role role, abut_vec3 n, abut_vec3 n_rate, double at) {
    p->rows[p->count++] = (joint_row){
        .role = role, .turn_a = n, .turn_b = n, .at = at, .lever = p->lever, .curve = p->bends ? bend(p, nothing, n_rate, n_rate) : 0.0};
}

/* About a direction fixed on a. */
static void add_turn_of_a(placed *p, joint_role role, abut_vec3 n, double at) { add_turn(p, role, n, with_a(p, n), at); }

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
        joint_row *row = &p->rows[p->count++];
        *row = (joint_row){.role = JOINT_HOLDS,
                           .line = axes[i],
                           .turn_a = abut_cross(p->r_a, axes[i]),
                           .turn_b = abut_cross(p->r_b, axes[i]),
                           .at = abut_dot(axes[i], p->d),
                           .lever = 1.0};
        if (p->bends) {
            row->curve = bend(p, nothing, abut_cross(p->r_a_rate, axes[i]), abut_cross(p->r_b_rate, axes[i]));
        }
    }
}

/* Along a direction fixed on a. */
static void add_line_of_a(placed *p, joint_role role, abut_vec3 n) { add_line(p, role, n, with_a(p, n), abut_dot(n, p->d)); }

static void hold_along(placed *p, abut_vec3 n) { add_line_of_a(p, JOINT_HOLDS, n); }

/* No rotation, by twice the vector part of the quaternion from a to b. */
static void hold_turn(placed *p) {
    abut_quat q = abut_quat_mul(abut_quat_conjugate(p->q_a), p->q_b);
    double twice = q.w < 0.0 ? -2.0 : 2.0;
    add_turn_of_a(p, JOINT_HOLDS, p->x, twice * q.x);
    add_turn_of_a(p, JOINT_HOLDS, p->y, twice * q.y);
    add_turn_of_a(p, JOINT_HOLDS, p->z, twice * q.z);
}

/* Both z axes along each other. Beyond a right angle the error does not get smaller again, so an axis the wrong way round is an error, too. */
static void hold_axis(placed *p) {
    abut_vec3 e = abut_cross(p->z, p->other_z);
    if (abut_dot(p->z, p->other_z) < 0.0) {
        double length = abut_length(e);
        e = length > 0.0 ? abut_scale(1.0 / length, e) : p->x;
    }
    add_turn_of_a(p, JOINT_HOLDS, p->x, abut_dot(e, p->x));
    add_turn_of_a(p, JOINT_HOLDS, p->y, abut_dot(e, p->y));
}

static void move_about_axis(placed *p, joint_role role, int angle) {
    abut_quat q = abut_quat_mul(abut_quat_conjugate(p->q_a), p->q_b);
    add_turn_of_a(p, role, p->z, angle_about_z(q, &p->turned[angle]));
}

/* The angle between the z axes. */
static void move_in_cone(placed *p) {
    abut_vec3 e = abut_cross(p->z, p->other_z);
    double sine = abut_length(e);
    abut_vec3 axis = sine > 0.0 ? abut_scale(1.0 / sine, e) : p->x;
    add_turn_of_a(p, JOINT_SLIDES, axis, elementary_atan2(sine, abut_dot(p->z, p->other_z))); /* a limit only; its bend is not asked for */
}

static void move_apart(placed *p, bool held, double rest) {
    double length = abut_length(p->d);
    abut_vec3 n = length > 0.0 ? abut_scale(1.0 / length, p->d) : p->z;
    abut_vec3 across = abut_add_scaled(p->d_rate, -abut_dot(n, p->d_rate), n);
    abut_vec3 n_rate = length > 0.0 ? abut_scale(1.0 / length, across) : with_a(p, n);
    add_line(p, held ? JOINT_HOLDS : JOINT_MOVES, n, n_rate, held ? length - rest : length);
}

static void hold_right_angle(placed *p) {
    abut_vec3 other_x = abut_quat_rotate(p->q_b, abut_vec3_make(1.0, 0.0, 0.0)), n = abut_cross(other_x, p->z);
    abut_vec3 n_rate = abut_add(abut_cross(with_b(p, other_x), p->z), abut_cross(other_x, with_a(p, p->z)));
    bool any = !(abut_length_squared(n) > 0.0); /* as far from a right angle as can be: any way is as good */
    add_turn(p, JOINT_HOLDS, any ? p->x : n, any ? with_a(p, p->x) : n_rate, abut_dot(p->z, other_x));
}

static void hold_gear(placed *p, const solver_joint *j) {
    abut_quat a = abut_quat_mul(abut_quat_conjugate(j->begun_a), p->q_a), b = abut_quat_mul(abut_quat_conjugate(j->begun_b), p->q_b);
    double at = angle_about_z(a, &p->turned[0]) + j->def->ratio * angle_about_z(b, &p->turned[1]);
    p->rows[p->count++] = (joint_row){
        .role = JOINT_HOLDS, .turn_a = abut_neg(p->z), .turn_b = abut_scale(j->def->ratio, p->other_z), .at = at, .lever = p->lever};
    /* Each axis turns with its body, across that body's angular velocity, so the row does not bend. */
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
        add_line_of_a(p, JOINT_MOVES, p->z);
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
        add_line_of_a(p, JOINT_SLIDES, p->x);
        move_about_axis(p, JOINT_SPINS, 0);
        break;
    case ABUT_JOINT_GEAR:
        hold_gear(p, j);
        break;
    }
}

static int32_t place(const solver_joint *joint, const solver_body *a, const solver_body *b, double turned[2], bool bends,
                     joint_row rows[JOINT_ROWS]) {
    placed p = {.lever = joint->lever, .turned = turned, .rows = rows, .bends = bends};
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
    if (bends) {
        p.w_a = a->angular_velocity;
        p.w_b = b->angular_velocity;
        p.v = abut_sub(b->velocity, a->velocity);
        p.r_a_rate = with_a(&p, p.r_a);
        p.r_b_rate = with_b(&p, p.r_b);
        p.d_rate = abut_add(p.v, abut_sub(p.r_b_rate, p.r_a_rate));
    }
    add_rows(&p, joint);
    return p.count;
}

int32_t joint_rows(const solver_joint *joint, const solver_body *a, const solver_body *b, double turned[2], joint_row rows[JOINT_ROWS]) {
    return place(joint, a, b, turned, false, rows);
}

int32_t joint_rows_bent(const solver_joint *joint, const solver_body *a, const solver_body *b, double turned[2],
                        joint_row rows[JOINT_ROWS]) {
    return place(joint, a, b, turned, true, rows);
}
