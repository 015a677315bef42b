#pragma once

#include <jansson.h>

#include "module.h"
#include "io/surface/shape_list.h"
#include "io/scene/simulation.h"

/*
 * Shared by the module's files: the single simulation, and how a call fails.
 */

/* A body that was added. It is kept after its removal, so that the world can be built again as it was. */
typedef struct added_body {
    char *name;
    abut_body_def def; /* with a reference to its shape */
} added_body;

/* An addition or removal. The numbers of the world's slots follow from the order of these events. */
typedef struct world_event {
    bool removed; /* otherwise the body was added */
    int32_t body;
} world_event;

/* A shape of an added body, with the text that requested it. */
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

    int32_t body_count;        /* bodies of the scene, and added ones */
    abut_body_id *ids;         /* [body_count] */
    const abut_shape **shapes; /* [body_count] shapes known to the page, with references */
    bool *gone;                /* [body_count] whether the body's removal is among the events */
    added_body *added;         /* [body_count - those of the scene] */
    world_event *events;
    int32_t event_count;
    int32_t capacity, event_capacity; /* of the arrays above */
    int32_t *slot_body;               /* [slot_count] the body whose id has the index; -1 for none */
    int32_t slot_count;

    named_shape *named;
    int32_t named_count;
    shape_list list;   /* of all shapes */
    int32_t first_new; /* first of the shapes of the last added body */
    abut_spring_id springs[MODULE_SPRINGS];
} module_state;

extern module_state module;

/* Writes the message of a failure; returns the status. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
int32_t
module_fail(abut_status status, const char *format, ...);

/* The same with the message of a library error. */
int32_t module_fail_error(const abut_error *error);

/* ABUT_OK when a simulation is loaded, else a failure. */
int32_t module_need(void);

/* ABUT_OK when a simulation is loaded and has had the body, else a failure. */
int32_t module_need_body(int32_t body);

/* Writes the message for a failed call on a body; the text says what could not be done. */
int32_t module_explain(abut_status status, int32_t body, const char *what);

/* Memory for this many elements of `size` bytes. NULL, with nothing changed, if there is no memory. */
void *module_room(void *array, int32_t count, size_t size);

/* The document as text, stored in *text, which the module owns. Takes the document, which may be NULL for lack of memory. */
const char *module_text(json_t *document, char **text);

/* Appends the value, which is taken, to the array. NULL if there is no memory; the array is then freed. */
json_t *module_append(json_t *array, json_t *value);

const char *module_body_name(int32_t body);

/* Turns removals since the last call into events, and clears the bodies' slots. */
void module_note_removals(void);

/* Forgets all springs of the page. */
void module_forget_springs(void);

/* Builds the world as it was after this many events. On an error the current world stays. */
int32_t module_rebuild(int32_t event_count);

abut_vec3 module_vec3(const double *v);
abut_pose module_pose(const double *pose);
