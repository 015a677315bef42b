#include "world_op.h"

#include <abut/mesh.h>
#include <abut/smooth.h>

#include "mesh_question.h"
#include "shapes.h"
#include "target.h"

enum { MOST_CORNERS = 64 };

/* ---- shapes ---- */

static double read_length(bytes *in) { return 0.125 + bytes_below(in, 64) / 64.0; }

static abut_shape *read_dumbbell(double radius, double apart) {
    abut_part parts[2] = {{.pose = {{apart, 0, 0}, {0, 0, 0, 1}}}, {.pose = {{-apart, 0, 0}, {0, 0, 0, 1}}}};
    abut_shape *ball = NULL, *made = NULL;
    if (abut_shape_create_sphere(radius, &ball) == ABUT_OK) {
        parts[0].shape = parts[1].shape = ball;
        (void)abut_shape_create_compound(parts, 2, &made);
        abut_shape_release(ball);
    }
    return made;
}

static abut_status create_usual(int32_t kind, double x, double y, double z, abut_shape **made) {
    switch (kind) {
    case 0:
        return abut_shape_create_sphere(x, made);
    case 1:
        return abut_shape_create_capsule(x, y, made);
    case 2:
    case 3:
        return abut_shape_create_box(abut_vec3_make(x, y, z), made);
    case 4:
        return abut_shape_create_cylinder(x, y, made);
    case 5:
        return abut_shape_create_cone(x, y, made);
    case 6:
        return abut_shape_create_prism(x, y, 6, made);
    case 7:
        return abut_shape_create_ellipsoid(abut_vec3_make(x, y, z), made);
    case 8:
        *made = read_dumbbell(x, y);
        return *made != NULL ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
    default:
        return abut_shape_create_plane(abut_vec3_make(0, 0, 1), x - 1.0, made);
    }
}

/* Small enough to collide thousands of times. */
static bool is_small(const abut_shape *shape) { return shapes_vertex_count(shape) + 3 * abut_shape_triangle_count(shape) <= MOST_CORNERS; }

abut_shape *op_read_shape(bytes *in) {
    uint8_t which = bytes_byte(in);
    abut_shape *made = NULL;
    bool two_sided;
    if (which >= 224) {
        made = which & 1 ? mesh_question_read_mesh(in, 0.25, &two_sided) : shapes_read(in, 0.25);
        if (made != NULL && !is_small(made)) {
            abut_shape_release(made);
            made = NULL;
        }
        return made;
    }
    double x = read_length(in), y = read_length(in), z = read_length(in);
    abut_status status = create_usual(which % 10, x, y, z, &made);
    FUZZ_REQUIRE(status == ABUT_OK, "%s", abut_status_name(status));
    if (fuzz_describes()) {
        shapes_describe("shape", made);
    }
    return made;
}

/* ---- bodies ---- */

static abut_filter read_filter(bytes *in) {
    uint8_t how = bytes_byte(in);
    abut_filter filter = {1, UINT64_MAX, 0};
    if (how & 1) {
        filter.category = UINT64_C(1) << bytes_below(in, 4);
    }
    if (how & 2) {
        filter.mask = bytes_byte(in);
    }
    if (how & 4) {
        filter.group = bytes_below(in, 5) - 2;
    }
    return filter;
}

/* On top of another body, up to a small step. */
static void put_on(bytes *in, const abut_world *world, abut_body_id below, abut_body_def *def) {
    abut_body_state state;
    abut_body_info info;
    double step = bytes_small(in);
    if (abut_world_body_state(world, below, &state) != ABUT_OK || abut_world_body_info(world, below, &info) != ABUT_OK) {
        return;
    }
    abut_aabb under = abut_shape_bounds(info.shape, state.pose), own = abut_shape_bounds(def->shape, def->pose);
    double top =
        abut_shape_kind(info.shape) == ABUT_SHAPE_PLANE ? abut_shape_plane_offset(info.shape) + state.pose.position.z : under.upper.z;
    double z = def->pose.position.z + top - own.lower.z + step;
    def->pose.position.z = isfinite(z) ? z : def->pose.position.z;
}

static abut_motion read_motion(bytes *in) { return (abut_motion){shapes_read_vec3(in, 0.5), shapes_read_vec3(in, 0.5)}; }

static abut_body_id name(bytes *in, const op_names *names) {
    uint8_t which = bytes_byte(in);
    return names->body_count > 0 && which < 255 ? names->bodies[which % names->body_count] : (abut_body_id){which, which};
}

static void read_seldom(bytes *in, abut_body_def *def) {
    def->friction = fabs(bytes_number(in));
    def->restitution = in->wild ? bytes_number(in) : bytes_below(in, 17) / 16.0;
    def->linear_damping = fabs(bytes_number(in));
    def->angular_damping = fabs(bytes_number(in));
    def->gravity_scale = bytes_number(in);
    def->mass = fabs(bytes_number(in));
    def->continuous = bytes_byte(in) & 1;
}

static abut_body_def read_body(bytes *in, const op_names *names, const abut_world *world, const abut_shape *shape) {
    abut_body_def def = abut_body_def_default();
    uint8_t what = bytes_byte(in), how = bytes_byte(in);
    def.shape = shape;
    def.kind = what % 8 == 5 ? ABUT_BODY_STATIC : what % 8 == 6 ? ABUT_BODY_KINEMATIC : ABUT_BODY_DYNAMIC;
    if (abut_shape_kind(shape) == ABUT_SHAPE_PLANE && what < 250) {
        def.kind = ABUT_BODY_STATIC;
    }
    def.sensor = what >= 216;
    def.pose = shapes_read_pose(in, 0.25);
    if (how & 1) {
        put_on(in, world, name(in, names), &def);
    }
    if (how & 2) {
        def.motion = read_motion(in);
    }
    if (how & 4) {
        def.filter = read_filter(in);
    }
    if ((how & 0x18) == 0x18) {
        read_seldom(in, &def);
    }
    def.user = bytes_byte(in);
    return def;
}

/* ---- joints ---- */

static abut_pose pose_of(const abut_world *world, abut_body_id id) {
    abut_body_state state = {.pose = abut_pose_identity()};
    (void)abut_world_body_state(world, id, &state);
    return state.pose;
}

static abut_pose frame_on(abut_pose body, abut_pose frame) {
    abut_pose inverse = {abut_pose_apply_inverse(body, abut_vec3_make(0, 0, 0)), abut_quat_conjugate(body.rotation)};
    return abut_pose_compose(inverse, frame);
}

static abut_joint_motor read_motor(bytes *in) {
    abut_joint_motor motor = {(abut_motor_mode)bytes_below(in, 3), bytes_number(in), INFINITY, INFINITY};
    uint8_t how = bytes_byte(in);
    if (how & 1) {
        motor.speed = fabs(bytes_number(in));
    }
    if (how & 2) {
        motor.max_force = fabs(bytes_number(in)) * 100.0;
    }
    if (how >= 250) {
        motor.mode = (abut_motor_mode)(how - 250);
    }
    return motor;
}

static void read_joint_extras(bytes *in, abut_joint_def *def) {
    uint8_t how = bytes_byte(in);
    if (how & 1) {
        def->limited = true;
        def->lower = -fabs(bytes_number(in)) / 8.0;
        def->upper = in->wild ? bytes_number(in) : fabs(bytes_number(in)) / 8.0;
    }
    if (how & 2) {
        def->motor = read_motor(in);
    }
    if (how & 4) {
        def->stiffness = fabs(bytes_number(in)) * 100.0;
        def->damping = fabs(bytes_number(in));
    }
    if (how & 8) {
        def->break_force = fabs(bytes_number(in)) * 100.0;
        def->break_torque = fabs(bytes_number(in)) * 100.0;
    }
    if (how & 16) {
        def->ratio = bytes_number(in);
        def->rest = fabs(bytes_number(in));
    }
    def->collide = (how & 32) != 0;
}

static abut_joint_def read_joint(bytes *in, const op_names *names, const abut_world *world) {
    uint8_t what = bytes_byte(in);
    abut_joint_def def = abut_joint_def_default((abut_joint_kind)(what % 8));
    def.a = name(in, names);
    def.b = name(in, names);
    abut_pose a = pose_of(world, def.a), b = pose_of(world, def.b);
    if (what < 192) { /* frames that fit */
        abut_pose frame = shapes_read_pose(in, 0.125);
        frame.position = abut_add(frame.position, abut_lerp(a.position, b.position, 0.5));
        def.frame_a = frame_on(a, frame);
        def.frame_b = frame_on(b, frame);
    } else {
        def.frame_a = shapes_read_pose(in, 0.25);
        def.frame_b = shapes_read_pose(in, 0.25);
    }
    def.rest = def.kind == ABUT_JOINT_DISTANCE ? abut_distance_between(a.position, b.position) : 0.0;
    read_joint_extras(in, &def);
    return def;
}

static abut_spring_def read_spring(bytes *in, const op_names *names) {
    abut_spring_def def = abut_spring_def_default();
    uint8_t how = bytes_byte(in);
    def.body = name(in, names);
    def.anchor = shapes_read_vec3(in, 0.125);
    def.target = shapes_read_vec3(in, 0.25);
    if (how & 1) {
        def.frequency = fabs(bytes_number(in));
    }
    if (how & 2) {
        def.damping_ratio = fabs(bytes_number(in));
    }
    if (how & 4) {
        def.max_force = fabs(bytes_number(in)) * 100.0;
    }
    return def;
}

/* ---- calls ---- */

world_op op_read(bytes *in, op_kind kind, const op_names *names, const abut_world *world, abut_shape *shape) {
    world_op op = {.kind = kind};
    if (kind == OP_ADD_BODY) {
        op.body_def = read_body(in, names, world, shape);
    } else if (kind == OP_ADD_JOINT) {
        op.joint_def = read_joint(in, names, world);
    } else if (kind == OP_ADD_SPRING) {
        op.spring_def = read_spring(in, names);
    } else if (kind == OP_REMOVE_JOINT || kind == OP_SET_MOTOR) {
        uint8_t which = bytes_byte(in);
        op.joint = names->joint_count > 0 ? names->joints[which % names->joint_count] : (abut_joint_id){which, 0};
        op.motor = kind == OP_SET_MOTOR ? read_motor(in) : op.motor;
    } else if (kind == OP_REMOVE_SPRING || kind == OP_SET_SPRING) {
        uint8_t which = bytes_byte(in);
        op.spring = names->spring_count > 0 ? names->springs[which % names->spring_count] : (abut_spring_id){which, 0};
        op.vector = kind == OP_SET_SPRING ? shapes_read_vec3(in, 0.25) : op.vector;
    } else if (kind == OP_SET_GRAVITY) {
        op.vector = shapes_read_vec3(in, 1.0);
    } else {
        op.body = name(in, names);
        op.body_def.shape = shape;
    }
    switch (kind) {
    case OP_SET_FILTER:
        op.filter = read_filter(in);
        break;
    case OP_SET_POSE:
        op.pose = shapes_read_pose(in, 0.25);
        break;
    case OP_SET_MOTION:
        op.motion = read_motion(in);
        break;
    case OP_PUSH:
        op.choice = bytes_below(in, 4);
        op.vector = shapes_read_vec3(in, 10.0);
        op.point = shapes_read_vec3(in, 0.25);
        break;
    case OP_SET_VALUE:
        op.choice = bytes_below(in, 5);
        op.numbers[0] = in->wild || op.choice == 4 ? bytes_number(in) : fabs(bytes_number(in));
        op.numbers[1] = fabs(bytes_number(in));
        break;
    default:
        break;
    }
    return op;
}

static abut_status push(abut_world *world, const world_op *op) {
    switch (op->choice) {
    case 0:
        return abut_world_apply_force(world, op->body, op->vector, op->point);
    case 1:
        return abut_world_apply_torque(world, op->body, op->vector);
    case 2:
        return abut_world_apply_impulse(world, op->body, op->vector, op->point);
    default:
        return abut_world_apply_angular_impulse(world, op->body, op->vector);
    }
}

static abut_status set_value(abut_world *world, const world_op *op) {
    switch (op->choice) {
    case 0:
        return abut_world_set_body_mass(world, op->body, op->numbers[0]);
    case 1:
        return abut_world_set_body_friction(world, op->body, op->numbers[0]);
    case 2:
        return abut_world_set_body_restitution(world, op->body, op->numbers[0]);
    case 3:
        return abut_world_set_body_damping(world, op->body, op->numbers[0], op->numbers[1]);
    default:
        return abut_world_set_body_gravity_scale(world, op->body, op->numbers[0]);
    }
}

abut_status op_make(abut_world *world, world_op *op) {
    switch (op->kind) {
    case OP_ADD_BODY:
        return abut_world_add_body(world, &op->body_def, &op->body);
    case OP_REMOVE_BODY:
        return abut_world_remove_body(world, op->body);
    case OP_ADD_JOINT:
        return abut_world_add_joint(world, &op->joint_def, &op->joint);
    case OP_REMOVE_JOINT:
        return abut_world_remove_joint(world, op->joint);
    case OP_SET_MOTOR:
        return abut_world_set_joint_motor(world, op->joint, &op->motor);
    case OP_SET_FILTER:
        return abut_world_set_body_filter(world, op->body, op->filter);
    case OP_SET_POSE:
        return abut_world_set_body_pose(world, op->body, op->pose);
    case OP_SET_MOTION:
        return abut_world_set_body_motion(world, op->body, op->motion);
    case OP_SET_SHAPE:
        return abut_world_set_body_shape(world, op->body, op->body_def.shape);
    case OP_PUSH:
        return push(world, op);
    case OP_SET_VALUE:
        return set_value(world, op);
    case OP_SET_GRAVITY:
        return abut_world_set_gravity(world, op->vector);
    case OP_SLEEP:
        return abut_world_sleep_body(world, op->body);
    case OP_WAKE:
        return abut_world_wake_body(world, op->body);
    case OP_ADD_SPRING:
        return abut_world_add_spring(world, &op->spring_def, &op->spring);
    case OP_SET_SPRING:
        return abut_world_set_spring_target(world, op->spring, op->vector);
    default:
        return abut_world_remove_spring(world, op->spring);
    }
}

bool op_has_status(op_kind kind, abut_status status) {
    switch (status) {
    case ABUT_OK:
        return true;
    case ABUT_ERROR_INVALID_ARGUMENT:
        return kind != OP_REMOVE_BODY && kind != OP_REMOVE_JOINT && kind != OP_REMOVE_SPRING && kind != OP_SLEEP && kind != OP_WAKE &&
               kind != OP_PUSH && kind != OP_SET_MOTION && kind != OP_SET_GRAVITY && kind != OP_SET_FILTER;
    case ABUT_ERROR_NOT_FINITE:
        return kind == OP_ADD_BODY || kind == OP_ADD_JOINT || kind == OP_ADD_SPRING || kind == OP_SET_MOTOR || kind == OP_SET_MOTION ||
               kind == OP_SET_SHAPE || kind == OP_PUSH || kind == OP_SET_VALUE || kind == OP_SET_GRAVITY || kind == OP_SET_SPRING;
    case ABUT_ERROR_STALE_ID:
        return kind != OP_ADD_BODY && kind != OP_SET_GRAVITY;
    case ABUT_ERROR_UNSUPPORTED:
        return kind == OP_ADD_JOINT || kind == OP_SET_MOTOR || kind == OP_SLEEP;
    case ABUT_ERROR_NOT_CLOSED:
        return kind == OP_ADD_BODY || kind == OP_SET_SHAPE;
    default:
        return false;
    }
}

/* ---- descriptions ---- */

static const char *const op_names_of_kinds[OP_KINDS] = {
    "add body", "remove body", "add joint",   "remove joint", "set motor", "set filter", "set pose",   "set motion",   "set shape",
    "push",     "set value",   "set gravity", "sleep body",   "wake body", "add spring", "set spring", "remove spring"};

static void describe_pose(const char *what, abut_pose p) {
    fprintf(stderr, "    %s {%.17g, %.17g, %.17g} turned {%.17g, %.17g, %.17g, %.17g}\n", what, p.position.x, p.position.y, p.position.z,
            p.rotation.x, p.rotation.y, p.rotation.z, p.rotation.w);
}

static void describe_body(const abut_body_def *d) {
    describe_pose("at", d->pose);
    fprintf(
        stderr,
        "    %s, kind %d, sensor %d, moves {%.17g, %.17g, %.17g}, {%.17g, %.17g, %.17g}, mass %.17g, category %llu, mask %llx, group %d\n",
        abut_kind_name(abut_shape_kind(d->shape)), (int)d->kind, d->sensor, d->motion.linear.x, d->motion.linear.y, d->motion.linear.z,
        d->motion.angular.x, d->motion.angular.y, d->motion.angular.z, d->mass, (unsigned long long)d->filter.category,
        (unsigned long long)d->filter.mask, (int)d->filter.group);
    fprintf(stderr, "    friction %.17g, restitution %.17g, damping %.17g, %.17g, gravity scale %.17g, continuous %d\n", d->friction,
            d->restitution, d->linear_damping, d->angular_damping, d->gravity_scale, d->continuous);
}

static void describe_joint(const abut_joint_def *d) {
    describe_pose("frame a", d->frame_a);
    describe_pose("frame b", d->frame_b);
    fprintf(stderr,
            "    kind %d of %u and %u, collide %d, limited %d: %.17g to %.17g, stiffness %.17g, damping %.17g, rest %.17g, ratio %.17g\n",
            (int)d->kind, d->a.index, d->b.index, d->collide, d->limited, d->lower, d->upper, d->stiffness, d->damping, d->rest, d->ratio);
    fprintf(stderr, "    motor %d, target %.17g, speed %.17g, force %.17g; breaks at %.17g, %.17g\n", (int)d->motor.mode, d->motor.target,
            d->motor.speed, d->motor.max_force, d->break_force, d->break_torque);
}

void op_describe(const world_op *op, abut_status status) {
    fprintf(stderr, "  %s: body %u, joint %u, spring %u: %s\n", op_names_of_kinds[op->kind], op->body.index, op->joint.index,
            op->spring.index, abut_status_name(status));
    if (op->kind == OP_ADD_BODY) {
        describe_body(&op->body_def);
    } else if (op->kind == OP_ADD_JOINT) {
        describe_joint(&op->joint_def);
    } else if (op->kind == OP_SET_POSE) {
        describe_pose("to", op->pose);
    } else if (op->kind != OP_REMOVE_BODY) {
        fprintf(stderr, "    choice %d, numbers %.17g, %.17g, vector {%.17g, %.17g, %.17g}\n", (int)op->choice, op->numbers[0],
                op->numbers[1], op->vector.x, op->vector.y, op->vector.z);
    }
}
