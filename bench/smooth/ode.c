#include "ode.h"

#include <stdlib.h>

#include <ode/ode.h>

enum { MOST_CONTACTS = 8 };

typedef struct pair {
    dVector3 position[2], sides[2];
    dMatrix3 rotation[2];
} pair;

struct ode_boxes {
    int32_t count;
    pair *pairs;
};

ode_boxes *ode_boxes_make(int32_t count) {
    ode_boxes *boxes = calloc(1, sizeof *boxes);
    if (boxes != NULL) {
        boxes->count = count;
        boxes->pairs = calloc((size_t)count, sizeof *boxes->pairs);
    }
    return boxes;
}

static void set_one(pair *p, int which, abut_vec3 half, abut_pose pose) {
    abut_mat3 m = abut_mat3_from_quat(pose.rotation);
    const dReal rows[12] = {m.x.x, m.y.x, m.z.x, 0, m.x.y, m.y.y, m.z.y, 0, m.x.z, m.y.z, m.z.z, 0};
    for (int i = 0; i < 12; ++i) {
        p->rotation[which][i] = rows[i];
    }
    p->position[which][0] = pose.position.x;
    p->position[which][1] = pose.position.y;
    p->position[which][2] = pose.position.z;
    p->sides[which][0] = 2 * half.x;
    p->sides[which][1] = 2 * half.y;
    p->sides[which][2] = 2 * half.z;
}

void ode_boxes_set(ode_boxes *boxes, int32_t i, abut_vec3 half_a, abut_pose a, abut_vec3 half_b, abut_pose b) {
    set_one(&boxes->pairs[i], 0, half_a, a);
    set_one(&boxes->pairs[i], 1, half_b, b);
}

int32_t ode_boxes_run(ode_boxes *boxes) {
    int32_t contacts = 0;
    for (int32_t i = 0; i < boxes->count; ++i) {
        const pair *p = &boxes->pairs[i];
        dContactGeom found[MOST_CONTACTS];
        dVector3 normal;
        dReal depth;
        int code;
        contacts += dBoxBox(p->position[0], p->rotation[0], p->sides[0], p->position[1], p->rotation[1], p->sides[1], normal, &depth, &code,
                            MOST_CONTACTS, found, sizeof found[0]);
    }
    return contacts;
}

void ode_boxes_free(ode_boxes *boxes) {
    if (boxes != NULL) {
        free(boxes->pairs);
        free(boxes);
    }
}
