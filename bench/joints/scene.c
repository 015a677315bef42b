#include "joints/scene.h"

#include <math.h>
#include <stdlib.h>

#include "support/random.h"

enum { PEOPLE = 60, LIMBS = 18, LINKS = 100, BRIDGES = 20, PLANKS = 50, MOST_PARTS = 1 + PEOPLE * LIMBS, MOST_JOINTS = 1100 };

const double scene_friction = 0.5;

static const double pi = 3.14159265358979323846;

const char *scene_name(scene_kind kind) {
    static const char *const names[SCENE_KINDS] = {"ragdolls", "heap of ragdolls", "chain", "bridges"};
    return names[kind];
}

static abut_pose at(double x, double y, double z) { return (abut_pose){{x, y, z}, {0.0, 0.0, 0.0, 1.0}}; }

static int32_t add_part(scene *to, bool capsule, abut_vec3 half, double mass, abut_pose pose) {
    to->parts[to->part_count] = (scene_part){capsule, half, mass, pose};
    return to->part_count++;
}

static void add_joint(scene *to, scene_joint joint) { to->joints[to->joint_count++] = joint; }

static void add_floor(scene *to) { (void)add_part(to, false, abut_vec3_make(100.0, 100.0, 1.0), 0.0, at(0.0, 0.0, -1.0)); }

/* ---- people ---- */

/* Parts of a person who stands upright with hanging arms, z up. A limb hangs on an earlier part. */
typedef struct limb {
    bool capsule;
    double x, y, z;    /* half sizes, or radius, -, half length */
    double cx, cy, cz; /* centre */
    double mass;
    int32_t on; /* the part it hangs on; -1 for none */
    bool hinge;
    double px, py, pz;   /* joint */
    double lower, upper; /* of a hinge, about y; of a cone only the upper one */
} limb;

static const limb limbs[LIMBS] = {
    {false, 0.10, 0.17, 0.10, 0, 0, 1.00, 11, -1, false, 0, 0, 0, 0, 0},            /* 0 pelvis */
    {false, 0.09, 0.15, 0.09, 0, 0, 1.20, 9, 0, false, 0, 0, 1.105, 0, 0.5},        /* 1 abdomen */
    {false, 0.11, 0.18, 0.12, 0, 0, 1.42, 13, 1, false, 0, 0, 1.295, 0, 0.5},       /* 2 chest */
    {true, 0.05, 0, 0.02, 0, 0, 1.60, 1, 2, false, 0, 0, 1.54, 0, 0.4},             /* 3 neck */
    {true, 0.10, 0, 0.03, 0, 0, 1.77, 4, 3, false, 0, 0, 1.66, 0, 0.5},             /* 4 head */
    {true, 0.05, 0, 0.14, 0, 0.26, 1.33, 2.5, 2, false, 0, 0.22, 1.50, 0, 1.8},     /* 5, 6 upper arms */
    {true, 0.05, 0, 0.14, 0, -0.26, 1.33, 2.5, 2, false, 0, -0.22, 1.50, 0, 1.8},   /* */
    {true, 0.04, 0, 0.12, 0, 0.26, 1.01, 1.5, 5, true, 0, 0.26, 1.155, -2.3, 0.0},  /* 7, 8 lower arms */
    {true, 0.04, 0, 0.12, 0, -0.26, 1.01, 1.5, 6, true, 0, -0.26, 1.155, -2.3, 0},  /* */
    {false, 0.02, 0.04, 0.08, 0, 0.26, 0.78, 0.5, 7, false, 0, 0.26, 0.86, 0, 0.9}, /* 9, 10 hands */
    {false, 0.02, 0.04, 0.08, 0, -0.26, 0.78, 0.5, 8, false, 0, -0.26, 0.86, 0, 0.9},
    {true, 0.08, 0, 0.17, 0, 0.10, 0.68, 8, 0, false, 0, 0.10, 0.90, 0, 1.2}, /* 11, 12 upper legs */
    {true, 0.08, 0, 0.17, 0, -0.10, 0.68, 8, 0, false, 0, -0.10, 0.90, 0, 1.2},
    {true, 0.06, 0, 0.17, 0, 0.10, 0.25, 3.5, 11, true, 0, 0.10, 0.46, 0.0, 2.3}, /* 13, 14 lower legs */
    {true, 0.06, 0, 0.17, 0, -0.10, 0.25, 3.5, 12, true, 0, -0.10, 0.46, 0.0, 2.3},
    {false, 0.12, 0.05, 0.03, 0.05, 0.10, 0.03, 1, 13, true, 0, 0.10, 0.06, -0.6, 0.6}, /* 15, 16 feet */
    {false, 0.12, 0.05, 0.03, 0.05, -0.10, 0.03, 1, 14, true, 0, -0.10, 0.06, -0.6, 0.6},
    {false, 0.05, 0.14, 0.14, -0.17, 0, 1.42, 6, 2, true, -0.11, 0, 1.30, -0.1, 0.1}, /* 17 a bag on the back */
};

static void add_person(scene *to, abut_pose where) {
    const abut_quat across = abut_quat_about(abut_vec3_make(1, 0, 0), -0.5 * pi); /* z along y */
    int32_t first = to->part_count;
    for (int32_t i = 0; i < LIMBS; i++) {
        const limb *l = &limbs[i];
        (void)add_part(to, l->capsule, abut_vec3_make(l->x, l->y, l->z), l->mass, abut_pose_compose(where, at(l->cx, l->cy, l->cz - 1.0)));
        if (l->on >= 0) {
            abut_pose frame = at(l->px, l->py, l->pz - 1.0);
            frame.rotation = l->hinge ? across : frame.rotation;
            add_joint(to, (scene_joint){l->hinge, first + l->on, first + i, abut_pose_compose(where, frame), true, l->lower, l->upper});
        }
    }
}

static void make_people(scene *to, bool heap) {
    random_state random = random_make(11);
    add_floor(to);
    for (int32_t i = 0; i < PEOPLE; i++) {
        abut_pose where = heap ? at(random_range(&random, -1.0, 1.0), random_range(&random, -1.0, 1.0), 1.5 + 0.5 * i)
                               : at(3.0 * (i % 8), 3.0 * (i / 8), random_range(&random, 1.2, 2.0)); /* NOLINT: rows of whole numbers */
        where.rotation = random_rotation(&random);
        add_person(to, where);
    }
}

/* ---- chains ---- */

static void make_chain(scene *to) {
    const double step = 0.1, angle = 0.5;
    const abut_vec3 way = {sin(angle), 0.0, -cos(angle)};
    const abut_quat turn = abut_quat_about(abut_vec3_make(0, 1, 0), -angle);
    int32_t last = add_part(to, false, abut_vec3_make(0.1, 0.1, 0.1), 0.0, at(0.0, 0.0, 0.2));
    for (int32_t i = 0; i <= LINKS; i++) {
        bool heavy = i == LINKS;
        abut_pose joint = {abut_scale(step * i, way), turn}, centre = {abut_scale(step * i + (heavy ? 0.5 : 0.5 * step), way), turn};
        abut_vec3 half = heavy ? abut_vec3_make(0.5, 0.5, 0.5) : abut_vec3_make(0.02, 0.02, 0.05);
        int32_t link = add_part(to, false, half, heavy ? 1000.0 : 1.0, centre);
        add_joint(to, (scene_joint){false, last, link, joint, false, 0.0, 0.0});
        last = link;
    }
}

/* Planks between two posts, on an arc that is longer than the way between them. */
static void add_bridge(scene *to, double y) {
    const double half = 0.2;
    const abut_quat across = abut_quat_about(abut_vec3_make(1, 0, 0), -0.5 * pi);
    abut_vec3 end = {0.0, y, 10.0};
    int32_t last = add_part(to, false, abut_vec3_make(0.1, 0.5, 0.1), 0.0, at(end.x - 0.1, y, end.z));
    for (int32_t i = 0; i < PLANKS; i++) {
        double slope = 0.4 * (1.0 - (2.0 * i + 1.0) / PLANKS); /* falls, then rises */
        abut_vec3 way = {cos(slope), 0.0, -sin(slope)};
        abut_pose pose = {abut_add_scaled(end, half, way), abut_quat_about(abut_vec3_make(0, 1, 0), slope)};
        int32_t plank = add_part(to, false, abut_vec3_make(half, 0.5, 0.03), 10.0, pose);
        add_joint(to, (scene_joint){true, last, plank, {end, across}, false, 0.0, 0.0});
        end = abut_add_scaled(end, 2.0 * half, way);
        last = plank;
    }
    int32_t post = add_part(to, false, abut_vec3_make(0.1, 0.5, 0.1), 0.0, at(end.x + 0.1, y, end.z));
    add_joint(to, (scene_joint){true, last, post, {end, across}, false, 0.0, 0.0});
}

bool scene_make(scene_kind kind, scene *made) {
    *made = (scene){.kind = kind};
    made->parts = calloc(MOST_PARTS, sizeof *made->parts);
    made->joints = calloc(MOST_JOINTS, sizeof *made->joints);
    if (made->parts == NULL || made->joints == NULL) {
        scene_free(made);
        return false;
    }
    if (kind == SCENE_RAGDOLLS || kind == SCENE_HEAP) {
        make_people(made, kind == SCENE_HEAP);
    } else if (kind == SCENE_CHAIN) {
        make_chain(made);
    } else {
        for (int32_t i = 0; i < BRIDGES; i++) {
            add_bridge(made, 2.0 * i);
        }
    }
    return true;
}

void scene_free(scene *made) {
    free(made->parts);
    free(made->joints);
    *made = (scene){.parts = NULL};
}

abut_pose scene_frame_on(const scene_part *part, abut_pose frame) {
    const abut_pose inverse = {abut_pose_apply_inverse(part->pose, abut_vec3_make(0, 0, 0)), abut_quat_conjugate(part->pose.rotation)};
    return abut_pose_compose(inverse, frame);
}
