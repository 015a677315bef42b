/*
 * A program of calls on a world: bodies of all kinds, joints and springs that come and go, filters, forces, sleep, steps, queries, saved states. Statuses must
 * be documented, numbers finite, contacts between bodies that may touch. Events must tell the changes of a second bookkeeping, queries must agree with asking
 * all bodies, two threads and restored worlds must give the same bits.
 */
#include "shapes.h"
#include "target.h"
#include "world_run.h"

enum { MOST_CALLS = 96 };

/* ---- the world ---- */

static void read_fixed(bytes *in, abut_fixed_settings *s) {
    uint8_t how = bytes_byte(in);
    s->exact = (how & 1) != 0;
    s->effort = 1 + how / 2 % 4;
    s->substeps = 1 + how / 8 % 3;
    s->iterations = 1 + how / 32 % 4;
    s->sleep_time = how & 128 ? 0.02 : 0.5;
    uint8_t seldom = bytes_byte(in);
    s->sleeping = seldom % 8 != 0;
    if (seldom >= 224) {
        s->margin = fabs(bytes_number(in));
        s->contact_frequency = fabs(bytes_number(in));
        s->contact_damping = fabs(bytes_number(in));
        s->max_push_speed = fabs(bytes_number(in));
        s->restitution_speed = fabs(bytes_number(in));
        s->contacts_per_patch = bytes_below(in, 64) - 1;
        s->sleep_speed = fabs(bytes_number(in));
    }
}

/* Long searches for events, and thousands of integration steps, take too long for a fuzzer. */
static void read_other(bytes *in, abut_world_def *def, double dt) {
    uint8_t how = bytes_byte(in);
    def->event.tolerance = 1e-5;
    def->event.event_limit = 100;
    def->event.impulses = how & 1 ? ABUT_IMPULSES_SEQUENTIAL : ABUT_IMPULSES_SIMULTANEOUS;
    def->event.friction = how / 16 % 4 == 3;
    def->dem.step = dt > 0.0 ? dt / (1 + how / 2 % 4) : 1e-3;
    if (how >= 240) {
        def->dem.periodic[how % 3] = true;
        def->dem.lower = abut_vec3_make(-8.0, -8.0, -8.0);
        def->dem.upper = abut_vec3_make(8.0, 8.0, 8.0);
    }
}

static double read_time(bytes *in) {
    static const double usual[] = {1.0 / 60.0, 1.0 / 60.0, 1.0 / 240.0, 1e-3, 0.1};
    uint8_t which = bytes_byte(in);
    return which < 240 ? usual[which % 5] : bytes_number(in);
}

static abut_world_def read_world(bytes *in, double *dt) {
    abut_world_def def = abut_world_def_default();
    uint8_t stepper = bytes_byte(in), events = bytes_byte(in);
    def.stepper = stepper < 208 ? ABUT_STEPPER_FIXED : stepper < 236 ? ABUT_STEPPER_DEM : ABUT_STEPPER_EVENT;
    def.method = stepper % 16 == 15 ? ABUT_METHOD_TRACKING : ABUT_METHOD_PATCH;
    def.events = events < 128 ? ABUT_EVENT_ALL : events * 2 & ABUT_EVENT_ALL;
    def.hit_speed = 0.25;
    *dt = read_time(in);
    read_fixed(in, &def.fixed);
    if (def.stepper != ABUT_STEPPER_FIXED) {
        read_other(in, &def, *dt);
    }
    return def;
}

/* ---- the program ---- */

/* Whether the dem stepper makes a skin of thousands of facets for the shape: for everything curved but balls. */
static bool has_fine_skin(const abut_shape *shape) {
    abut_polytope_view view;
    abut_kind kind = abut_shape_kind(shape);
    return kind != ABUT_SHAPE_SPHERE && kind != ABUT_SHAPE_PLANE && kind != ABUT_SHAPE_TRIMESH &&
           abut_shape_polytope(shape, &view) != ABUT_OK;
}

static int32_t count_fine_skins(const abut_world *world) {
    abut_body_id ids[BOOK_SLOTS];
    int32_t count = 0, fine = 0;
    FUZZ_REQUIRE(abut_world_body_ids(world, ids, BOOK_SLOTS, &count) == ABUT_OK, "%d bodies", (int)count);
    for (int32_t i = 0; i < count; i++) {
        abut_body_info info;
        fine += abut_world_body_info(world, ids[i], &info) == ABUT_OK && has_fine_skin(info.shape);
    }
    return fine;
}

/* Two fine skins deep in each other have a hundred thousand facet pairs that may touch, and take some hundredths of a second for each step, and ten times as
 * long in a fuzzer. */
static int32_t most_steps(const world_run *run) {
    enum { MOST_DEM = 16, LEAST_DEM = 1, SKIN_PAIRS_IN_ALL_STEPS = 8 };
    if (run->def.stepper != ABUT_STEPPER_DEM) {
        return run->def.stepper == ABUT_STEPPER_FIXED ? 48 : 4;
    }
    int32_t fine = count_fine_skins(run->world), pairs = fine * (fine - 1) / 2, steps = SKIN_PAIRS_IN_ALL_STEPS / (pairs > 0 ? pairs : 1);
    return steps > MOST_DEM ? MOST_DEM : steps < LEAST_DEM ? LEAST_DEM : steps;
}

/* Whether a shape may come into the world. Three fine skins meet in every way in which more of them do, and a fourth doubles the time. */
static bool may_add_shape(const world_run *run) {
    enum { MOST_FINE = 3 };
    return run->def.stepper != ABUT_STEPPER_DEM || count_fine_skins(run->world) < MOST_FINE;
}

static bool may_call(const world_run *run, op_kind kind) {
    const int32_t most = run->def.stepper == ABUT_STEPPER_EVENT ? 5 : RUN_BODIES;
    return (kind != OP_ADD_BODY || run->body_count < most) && ((kind != OP_ADD_BODY && kind != OP_SET_SHAPE) || may_add_shape(run));
}

static op_kind read_kind(uint8_t what) {
    static const op_kind kinds[] = {OP_ADD_BODY,    OP_ADD_BODY,     OP_ADD_BODY,   OP_ADD_JOINT,    OP_ADD_JOINT,   OP_ADD_JOINT,
                                    OP_REMOVE_BODY, OP_REMOVE_JOINT, OP_SET_MOTOR,  OP_SET_FILTER,   OP_SET_POSE,    OP_SET_MOTION,
                                    OP_SET_SHAPE,   OP_PUSH,         OP_PUSH,       OP_SET_VALUE,    OP_SET_GRAVITY, OP_SLEEP,
                                    OP_WAKE,        OP_ADD_SPRING,   OP_SET_SPRING, OP_REMOVE_SPRING};
    return kinds[what % (sizeof kinds / sizeof *kinds)];
}

static void run_program(world_run *run, bytes *in) {
    int32_t steps = 0;
    for (int32_t i = 0; i < MOST_CALLS && bytes_left(in) > 0; i++) {
        uint8_t what = bytes_byte(in);
        if (what < 64) {
            const int32_t most = most_steps(run);
            for (int32_t k = what % 8; k >= 0 && steps < most; k--, steps++) {
                (void)run_step(run);
            }
        } else if (what < 96) {
            run_ask(run, in);
        } else if (what < 104) {
            run_save(run);
        } else if (what < 112) {
            run_restore(run, what);
        } else if (what < 120) {
            run_renew(run);
        } else {
            op_kind kind = read_kind(what);
            if (may_call(run, kind)) {
                run_call(run, in, kind);
            }
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bytes in = bytes_make(data, size);
    static world_run run;
    uint8_t how = bytes_byte(&in);
    run = (world_run){.thorough = (how & 3) == 3, .threads = (how & 0xe0) == 0 ? 2 : 1}; /* threads take most of the time */
    in.wild = (how & 0x1c) == 0x1c;
    abut_world_def def = read_world(&in, &run.dt);
    run_begin(&run, &def, (how & 0x60) == 0);
    if (run.world != NULL) {
        run_program(&run, &in);
    }
    run_end(&run);
    return 0;
}
