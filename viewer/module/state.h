#pragma once

#include <jansson.h>

#include "module.h"
#include "io/surface/shape_list.h"
#include "io/scene/simulation.h"

/*
 * What the module's files share: the one simulation, and how a call fails.
 */

/* A body that was added. It is kept when it is removed, too, so that the world can be built again as it was. */
typedef struct added_body {
    char *name;
    abut_body_def def; /* with a reference to its shape */
} added_body;

/* What became of the world's slots: they are numbered by how bodies came and went. */
typedef struct world_event {
    bool removed; /* else it was added */
    int32_t body;
} world_event;

/* A shape that came with a body, by the text that it was asked for with. */
typedef struct named_shape {
    char *text;
    abut_shape *shape;
    abut_pose placement;
} named_shape;

enum { MODULE_SPRINGS = 16 };

typedef struct module_state {
    abut_scene *scene;
    abut_simulation *simulation; /* NULL when nothing is loaded */
    abut_step_report report;

    int32_t body_count;        /* of the scene, and added */
    abut_body_id *ids;         /* [body_count] */
    const abut_shape **shapes; /* [body_count] that the page knows; references are held */
    bool *gone;                /* [body_count] whether its removal is among the events */
    added_body *added;         /* [body_count - those of the scene] */
    world_event *events;
    int32_t event_count;
    int32_t capacity, event_capacity; /* of the arrays above */
    int32_t *slot_body;               /* [slot_count] the body whose id has the index; -1 for none */
    int32_t slot_count;

    named_shape *named;
    int32_t named_count;
    shape_list list;   /* of all shapes */
    int32_t first_new; /* of those that the last added body brought with it */
    abut_spring_id springs[MODULE_SPRINGS];
} module_state;

extern module_state module;

/* Writes the message of a failure; returns the status. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
int32_t
module_fail(abut_status status, const char *format, ...);

/* The same with the message of an error of the library. */
int32_t module_fail_error(const abut_error *error);

/* ABUT_OK when a simulation is loaded, else a failure. */
int32_t module_need(void);

/* ABUT_OK when a simulation is loaded and has had the body, else a failure. */
int32_t module_need_body(int32_t body);

/* The message for a status of a call on a body: what was to be done with it. */
int32_t module_explain(abut_status status, int32_t body, const char *what);

/* Room for so many elements of `size` bytes; NULL, and nothing changed, when there is no memory. */
void *module_room(void *array, int32_t count, size_t size);

/* The document as text, which belongs to the module, in the place of *text; takes the document, which may be NULL for no memory. */
const char *module_text(json_t *document, char **text);

/* The array with the value at its end, which is taken; NULL, and the array is freed, when there is no memory. */
json_t *module_append(json_t *array, json_t *value);

const char *module_body_name(int32_t body);

/* What was removed meanwhile becomes an event, and is forgotten where it stood. */
void module_note_removals(void);

/* Springs of the page are no longer known. */
void module_forget_springs(void);

/* Build the world again as it was after so many events. On an error the one that is there stays. */
int32_t module_rebuild(int32_t event_count);

abut_vec3 module_vec3(const double *v);
abut_pose module_pose(const double *pose);
