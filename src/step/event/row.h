#pragma once

#include <abut/collide.h>
#include <abut/rates.h>

/*
 * A contact that is followed while its bodies move: the two features that make it, each fixed in its body. From these and the bodies' places follow
 * normal, points and gap at any time, with derivatives; nothing is searched.
 */

typedef enum event_side_kind {
    EVENT_POINT, /* a vertex, the middle of a ball, the end of a capsule's axis */
    EVENT_LINE,  /* an edge, a capsule's axis */
    EVENT_FACE   /* a plane */
} event_side_kind;

/* A feature. Part frame. */
typedef struct event_side {
    event_side_kind kind;
    abut_vec3 point;         /* on it: of a line one end */
    abut_vec3 direction;     /* line: unit; face: outward normal */
    double length;           /* of the line, from `point` on */
    double radius;           /* of the round surface about it; 0 for what is sharp or flat */
    const abut_shape *shape; /* whose feature it is, not retained; NULL for a face that was put there by rule */
    abut_feature feature;    /* of the shape; its part is that of the body */
} event_side;

typedef struct event_row {
    int32_t pair;    /* of primitives */
    int32_t part[2]; /* of that pair: its place in the list may change */
    int32_t body[2]; /* A, B: in the list of bodies */
    event_side side[2];
    abut_contact contact; /* as it was found */
    double slip;          /* then; 0 if it was inside its features: whoever found it may see their ends differently */
    double restitution;
    bool follows; /* a contact of smooth bodies: step/event/follow.h. Of the sides only the shapes are set */
    bool parting; /* too fast to press while the integration step lasts */
} event_row;

/* Where a part is and how its body moves. */
typedef struct event_place {
    abut_pose pose;           /* part frame to world */
    abut_mat3 rotation;       /* the same rotation */
    abut_vec3 position;       /* the same position */
    abut_kinematics motion; /* of the body, about its centre of mass */
} event_place;

/* The row of a contact between two parts; their places at this time. Parts are convex shapes or planes, not compounds. */
void event_row_make(event_row *row, const abut_contact *contact, const abut_shape *a, const event_place *place_a, const abut_shape *b,
                    const event_place *place_b);

/* Normal, points and gap at another place; features, id and the rest stay. */
abut_contact event_row_look(const event_row *row, const event_place *a, const event_place *b);

/* Their derivatives. */
void event_row_rates(const event_row *row, const abut_contact *now, const event_place *a, const event_place *b, abut_rates *rates);

/* How far the contact is outside of its features: past the side of a face, the end of an edge. Negative inside; -INFINITY where nothing ends [length]. */
double event_row_slip(const event_row *row, const abut_contact *now, const event_place *a, const event_place *b);

/* Whether two rows of one pair follow the same features. */
bool event_row_is_same(const event_row *p, const event_row *q);
