#include "world_run.h"

#include "target.h"
#include "world_ask.h"

/* ---- saved states ---- */

/* NULL where the world cannot be saved: after a step of the event stepper that failed during an event. */
static unsigned char *save(const abut_world *world, size_t *size) {
    abut_status status = abut_world_save(world, NULL, 0, size);
    if (status == ABUT_ERROR_UNSUPPORTED) {
        *size = 0;
        return NULL;
    }
    FUZZ_REQUIRE(status == ABUT_ERROR_CAPACITY, "%s", abut_status_name(status));
    unsigned char *bytes = malloc(*size);
    size_t again = 0;
    FUZZ_REQUIRE(bytes != NULL && abut_world_save(world, bytes, *size, &again) == ABUT_OK && again == *size, "%zu bytes, then %zu", *size,
                 again);
    return bytes;
}

static void require_same(const abut_world *p, const abut_world *q, const char *what) {
    size_t size = 0, other = 0;
    unsigned char *bytes = save(p, &size), *others = save(q, &other);
    size_t at = 0;
    while (at < size && at < other && bytes[at] == others[at]) {
        at++;
    }
    FUZZ_REQUIRE(size == other && at == size && abut_world_hash(p) == abut_world_hash(q), "%s: byte %zu of %zu and %zu", what, at, size,
                 other);
    free(bytes);
    free(others);
}

/* ---- building ---- */

static abut_world *create(const abut_world_def *of, int32_t threads) {
    abut_world_def def = *of;
    abut_world *made = NULL;
    def.parallel.threads = threads;
    abut_status status = abut_world_create(&def, &made);
    FUZZ_REQUIRE(status == ABUT_OK || status == ABUT_ERROR_INVALID_ARGUMENT || status == ABUT_ERROR_NOT_FINITE, "%s",
                 abut_status_name(status));
    FUZZ_REQUIRE((status == ABUT_OK) == (made != NULL), "%s", abut_status_name(status));
    return made;
}

void run_begin(world_run *run, const abut_world_def *def, bool twin) {
    run->def = *def;
    run->world = create(def, 1);
    run->twin = twin && run->world != NULL ? create(def, run->threads) : NULL;
    if (run->world != NULL) {
        book_write(run->world, &run->book);
    }
}

void run_end(world_run *run) {
    abut_world_destroy(run->world);
    abut_world_destroy(run->twin);
    for (int32_t i = 0; i < run->shape_count; i++) {
        abut_shape_release(run->shapes[i]);
    }
    for (int32_t i = 0; i < run->saved_count; i++) {
        free(run->saved[i].bytes);
    }
}

static bool has_room(const world_run *run, op_kind kind) {
    bool logs = kind == OP_ADD_BODY || kind == OP_REMOVE_BODY || kind == OP_SET_SHAPE;
    return (!logs || run->log_count < RUN_LOG) && (kind != OP_ADD_BODY || run->body_count < RUN_BODIES) &&
           (kind != OP_ADD_JOINT || run->joint_count < RUN_JOINTS) && (kind != OP_ADD_SPRING || run->spring_count < RUN_SPRINGS);
}

static void note(world_run *run, const world_op *op) {
    if (op->kind == OP_ADD_BODY || op->kind == OP_REMOVE_BODY || op->kind == OP_SET_SHAPE) {
        run->log[run->log_count++] = (run_entry){.kind = op->kind, .body = op->body, .def = op->body_def};
    }
    if (op->kind == OP_ADD_BODY) {
        run->bodies[run->body_count++] = op->body;
    } else if (op->kind == OP_ADD_JOINT) {
        run->joints[run->joint_count++] = op->joint;
    } else if (op->kind == OP_ADD_SPRING) {
        run->springs[run->spring_count++] = op->spring;
    }
}

/* ---- calls ---- */

static void make_on_both(world_run *run, world_op *op) {
    size_t size = 0;
    unsigned char *before = run->thorough ? save(run->world, &size) : NULL;
    abut_status status = op_make(run->world, op);
    if (fuzz_describes()) {
        op_describe(op, status);
    }
    FUZZ_REQUIRE(op_has_status(op->kind, status), "call %d: %s", (int)op->kind, abut_status_name(status));
    if (status != ABUT_OK && before != NULL) {
        size_t now = 0;
        unsigned char *after = save(run->world, &now);
        FUZZ_REQUIRE(after != NULL && now == size && memcmp(before, after, size) == 0, "call %d changes the world: %s", (int)op->kind,
                     abut_status_name(status));
        free(after);
    }
    free(before);
    if (run->twin != NULL) {
        world_op again = *op;
        abut_status other = op_make(run->twin, &again);
        FUZZ_REQUIRE(other == status && again.body.index == op->body.index && again.joint.index == op->joint.index,
                     "call %d: %s instead of %s", (int)op->kind, abut_status_name(other), abut_status_name(status));
    }
    if (status == ABUT_OK) {
        note(run, op);
    }
}

void run_call(world_run *run, bytes *in, op_kind kind) {
    const op_names names = {run->bodies, run->joints, run->springs, run->body_count, run->joint_count, run->spring_count};
    abut_shape *shape = NULL;
    if (!has_room(run, kind) || (run->shape_count == RUN_LOG && (kind == OP_ADD_BODY || kind == OP_SET_SHAPE))) {
        return;
    }
    if (kind == OP_ADD_BODY || kind == OP_SET_SHAPE) {
        shape = op_read_shape(in);
        if (shape == NULL) {
            return;
        }
        run->shapes[run->shape_count++] = shape;
    }
    world_op op = op_read(in, kind, &names, run->world, shape);
    make_on_both(run, &op);
}

void run_ask(world_run *run, bytes *in) {
    size_t size = 0, now = 0;
    unsigned char *before = run->thorough ? save(run->world, &size) : NULL;
    ask_check(in, run->world, run->twin);
    if (before != NULL) {
        unsigned char *after = save(run->world, &now);
        FUZZ_REQUIRE(after != NULL && now == size && memcmp(before, after, size) == 0, "a query changes the world");
        free(after);
    }
    free(before);
}

/* ---- what must hold after a step ---- */

static bool is_unit(abut_vec3 n) { return fabs(abut_length(n) - 1.0) <= 1e-9; }

static void check_bodies(const world_run *run) {
    for (int32_t i = 0; i < run->body_count; i++) {
        abut_body_state state;
        abut_body_info info;
        abut_status status = abut_world_body_state(run->world, run->bodies[i], &state);
        FUZZ_REQUIRE(status == abut_world_body_info(run->world, run->bodies[i], &info), "%s", abut_status_name(status));
        FUZZ_REQUIRE(status == ABUT_OK || status == ABUT_ERROR_STALE_ID, "%s", abut_status_name(status));
        if (status != ABUT_OK) {
            continue;
        }
        abut_vec3 v = state.motion.linear, w = state.motion.angular;
        FUZZ_REQUIRE(abut_pose_is_valid(state.pose) && abut_vec3_is_finite(v) && abut_vec3_is_finite(w),
                     "body %u is at (%g, %g, %g) and moves (%g, %g, %g)", run->bodies[i].index, state.pose.position.x,
                     state.pose.position.y, state.pose.position.z, v.x, v.y, v.z);
        bool rests = v.x == 0.0 && v.y == 0.0 && v.z == 0.0 && w.x == 0.0 && w.y == 0.0 && w.z == 0.0;
        FUZZ_REQUIRE(info.kind != ABUT_BODY_DYNAMIC || state.awake || rests, "body %u sleeps and moves", run->bodies[i].index);
    }
}

static void check_contacts(const world_run *run) {
    const abut_world_contact *contacts;
    int32_t count;
    FUZZ_REQUIRE(abut_world_contacts(run->world, &contacts, &count) == ABUT_OK, "no contacts");
    for (int32_t i = 0; i < count; i++) {
        const abut_world_contact *c = &contacts[i];
        abut_body_info a, b;
        FUZZ_REQUIRE(abut_world_body_info(run->world, c->a, &a) == ABUT_OK && abut_world_body_info(run->world, c->b, &b) == ABUT_OK,
                     "a contact of %u and %u", c->a.index, c->b.index);
        FUZZ_REQUIRE(!a.sensor && !b.sensor && abut_filters_agree(a.filter, b.filter), "bodies %u and %u do not touch", c->a.index,
                     c->b.index);
        FUZZ_REQUIRE(a.kind == ABUT_BODY_DYNAMIC || b.kind == ABUT_BODY_DYNAMIC, "bodies %u and %u do not move", c->a.index, c->b.index);
        FUZZ_REQUIRE(c->normal_force >= 0.0 && isfinite(c->normal_force) && abut_vec3_is_finite(c->friction_force) &&
                         isfinite(c->contact.gap) && is_unit(c->contact.normal) && abut_vec3_is_finite(c->contact.on_a),
                     "gap %g, force %g", c->contact.gap, c->normal_force);
    }
}

static void check_joints(const world_run *run) {
    for (int32_t i = 0; i < run->joint_count; i++) {
        abut_joint_state s;
        abut_status status = abut_world_joint_state(run->world, run->joints[i], &s);
        FUZZ_REQUIRE(status == ABUT_OK || status == ABUT_ERROR_STALE_ID, "%s", abut_status_name(status));
        FUZZ_REQUIRE(status != ABUT_OK || (isfinite(s.coordinate) && isfinite(s.spin) && isfinite(s.error) && isfinite(s.turn_error) &&
                                           abut_vec3_is_finite(s.force) && abut_vec3_is_finite(s.torque)),
                     "joint %u: coordinate %g, error %g, force %g", run->joints[i].index, s.coordinate, s.error, s.force.x);
    }
}

static void check_report(const world_run *run, const abut_step_report *report) {
    int32_t contacts, bodies;
    const abut_world_contact *list;
    FUZZ_REQUIRE(abut_world_contacts(run->world, &list, &contacts) == ABUT_OK, "no contacts");
    abut_status status = abut_world_body_ids(run->world, NULL, 0, &bodies);
    FUZZ_REQUIRE(status == ABUT_OK || status == ABUT_ERROR_CAPACITY, "%s", abut_status_name(status));
    FUZZ_REQUIRE(report->contacts == contacts && report->bodies == bodies && report->awake >= 0 && report->awake <= bodies &&
                     report->touching <= contacts && report->max_penetration >= 0.0,
                 "%d contacts of %d, %d bodies of %d", (int)report->contacts, (int)contacts, (int)report->bodies, (int)bodies);
}

static bool same_id(abut_body_id p, abut_body_id q) { return p.index == q.index && p.generation == q.generation; }

/* A restored world no longer knows the user values of bodies that had been removed before. */
static bool is_gone(const abut_world *world, abut_body_id id) {
    abut_body_state state;
    return abut_world_body_state(world, id, &state) != ABUT_OK;
}

static void require_same_events(const abut_world *p, const abut_world *q) {
    const abut_world_event *a, *b;
    int32_t count, other;
    FUZZ_REQUIRE(abut_world_events(p, &a, &count) == ABUT_OK && abut_world_events(q, &b, &other) == ABUT_OK && count == other,
                 "%d events and %d", (int)count, (int)other);
    for (int32_t i = 0; i < count; i++) {
        FUZZ_REQUIRE(a[i].kind == b[i].kind && same_id(a[i].a, b[i].a) && same_id(a[i].b, b[i].b) && a[i].impulse == b[i].impulse &&
                         a[i].speed == b[i].speed && (a[i].user_a == b[i].user_a || is_gone(p, a[i].a)) &&
                         a[i].contact.gap == b[i].contact.gap && a[i].joint.index == b[i].joint.index,
                     "event %d", (int)i);
    }
}

static void check_after(world_run *run, const abut_step_report *report) {
    world_book now;
    check_bodies(run);
    check_contacts(run);
    check_joints(run);
    check_report(run, report);
    book_write(run->world, &now);
    book_check(run->world, &run->book, &now, run->def.events, run->def.hit_speed);
    run->book = now;
}

/* The dem stepper refuses a world as a check does. */
static bool is_checked(const world_run *run, abut_status status) {
    return run->def.stepper == ABUT_STEPPER_DEM && abut_world_check(run->world) == status;
}

static bool has_step_status(const world_run *run, abut_status status) {
    bool fixed = run->def.stepper == ABUT_STEPPER_FIXED;
    switch (status) {
    case ABUT_OK:
    case ABUT_ERROR_NOT_FINITE:
        return true;
    case ABUT_ERROR_UNSUPPORTED_PAIR:
        return true; /* moving meshes with planes and meshes; bodies that a stepper refuses */
    case ABUT_ERROR_INVALID_ARGUMENT:
        return !(run->dt > 0.0 && isfinite(run->dt)) || is_checked(run, status); /* a periodic space that is too short */
    case ABUT_ERROR_DEGENERATE: /* a mesh without an area has no rounded triangles, and a check says so */
        return is_checked(run, status);
    case ABUT_ERROR_ITERATION_LIMIT:
    case ABUT_ERROR_INFEASIBLE:
        return !fixed;
    default:
        return false;
    }
}

/* What a caller can see of a world. The boxes of the broad phase may differ, in which a saved state has them. */
static uint64_t look(const abut_world *world) {
    const abut_world_contact *contacts;
    int32_t count;
    uint64_t hash = abut_world_hash(world);
    FUZZ_REQUIRE(abut_world_contacts(world, &contacts, &count) == ABUT_OK, "no contacts");
    for (int32_t i = 0; i < count; i++) {
        uint64_t bits[2];
        memcpy(&bits[0], &contacts[i].contact.gap, sizeof bits[0]);
        memcpy(&bits[1], &contacts[i].normal_force, sizeof bits[1]);
        hash = (hash ^ bits[0] ^ contacts[i].a.index) * 1099511628211u;
        hash = (hash ^ bits[1] ^ contacts[i].b.index) * 1099511628211u;
    }
    return hash;
}

bool run_step(world_run *run) {
    abut_step_report report;
    uint64_t before = look(run->world);
    abut_status status = abut_world_step(run->world, run->dt, &report);
    if (fuzz_describes()) {
        fprintf(stderr, "  step of %g: %s\n", run->dt, abut_status_name(status));
    }
    FUZZ_REQUIRE(has_step_status(run, status), "%s", abut_status_name(status));
    FUZZ_REQUIRE(status == ABUT_OK || look(run->world) == before, "a step that failed changes the world");
    if (run->twin != NULL) {
        abut_status other = abut_world_step(run->twin, run->dt, NULL);
        FUZZ_REQUIRE(other == status, "%s instead of %s", abut_status_name(other), abut_status_name(status));
        require_same(run->world, run->twin, "two threads");
        if (status == ABUT_OK) { /* a restored world has no events before its first step */
            require_same_events(run->world, run->twin);
        }
    }
    if (status == ABUT_OK) {
        check_after(run, &report);
    }
    return status == ABUT_OK;
}

/* ---- going back ---- */

void run_save(world_run *run) {
    if (run->saved_count == RUN_SAVED) {
        return;
    }
    run_saved *made = &run->saved[run->saved_count];
    made->bytes = save(run->world, &made->size);
    made->book = run->book;
    made->log_count = run->log_count;
    run->saved_count += made->bytes != NULL;
}

void run_restore(world_run *run, int32_t which) {
    if (run->saved_count == 0 || run->log_count == RUN_LOG) {
        return;
    }
    which %= run->saved_count;
    const run_saved *from = &run->saved[which];
    size_t size = 0, now = 0;
    unsigned char *before = save(run->world, &size);
    abut_status status = abut_world_restore(run->world, from->bytes, from->size);
    if (fuzz_describes()) {
        fprintf(stderr, "  restore: %s\n", abut_status_name(status));
    }
    FUZZ_REQUIRE(status == ABUT_OK || (status == ABUT_ERROR_FOREIGN && from->log_count != run->log_count), "%s", abut_status_name(status));
    unsigned char *after = save(run->world, &now);
    const unsigned char *expected = status == ABUT_OK ? from->bytes : before;
    size_t expected_size = status == ABUT_OK ? from->size : size;
    FUZZ_REQUIRE(expected == NULL || (now == expected_size && memcmp(after, expected, now) == 0), "restored another state");
    free(before);
    free(after);
    if (run->twin != NULL) {
        abut_status other = abut_world_restore(run->twin, from->bytes, from->size);
        FUZZ_REQUIRE(other == status, "%s instead of %s", abut_status_name(other), abut_status_name(status));
    }
    if (status == ABUT_OK) {
        run->log[run->log_count++] = (run_entry){.kind = OP_KINDS, .saved = which};
        run->book = from->book;
    }
}

static abut_status repeat(const world_run *run, abut_world *world, const run_entry *entry) {
    abut_body_id id;
    switch (entry->kind) {
    case OP_ADD_BODY:
        return abut_world_add_body(world, &entry->def, &id);
    case OP_REMOVE_BODY:
        return abut_world_remove_body(world, entry->body);
    case OP_SET_SHAPE:
        return abut_world_set_body_shape(world, entry->body, entry->def.shape);
    default:
        return abut_world_restore(world, run->saved[entry->saved].bytes, run->saved[entry->saved].size);
    }
}

void run_renew(world_run *run) {
    size_t size = 0;
    unsigned char *bytes = save(run->world, &size);
    if (bytes == NULL) {
        return;
    }
    abut_world_destroy(run->twin);
    run->twin = create(&run->def, run->threads);
    for (int32_t i = 0; i < run->log_count; i++) {
        abut_status status = repeat(run, run->twin, &run->log[i]);
        FUZZ_REQUIRE(status == ABUT_OK, "entry %d: %s", (int)i, abut_status_name(status));
    }
    abut_status status = abut_world_restore(run->twin, bytes, size);
    if (fuzz_describes()) {
        fprintf(stderr, "  another world: %s\n", abut_status_name(status));
    }
    FUZZ_REQUIRE(status == ABUT_OK, "%s", abut_status_name(status));
    require_same(run->world, run->twin, "a restored world");
    free(bytes);
}
