#pragma once

#include <stdint.h>

/**
 * @file module.h
 * The functions that web pages call: the library, scenes and shapes in the WebAssembly module. viewer/src/engine/engine.ts wraps all of them. The module also
 * contains the abut command, by Emscripten's callMain(), without the subcommands that need recordings.
 *
 * There is one simulation at a time. Every call returns. A call that can fail returns an abut_status (0 is success). If its result is a number, -1 means
 * failure; if it is a pointer, NULL means failure. module_error() then returns a message for the user. World frame, units of the scene, signs as in contact.h.
 *
 * Files are in Emscripten's file system, in memory. JavaScript writes them there.
 *
 * The module owns the arrays and texts that it returns. An array is valid until the next call of any function, a text until the next call of the same
 * function. Memory may move when it grows, so JavaScript creates its views again after every call.
 *
 * Bodies are numbered: first the scene's bodies in its order, then added bodies. A removed body keeps its number.
 */

#if defined(__EMSCRIPTEN__)
#include <emscripten.h>
#define MODULE_API EMSCRIPTEN_KEEPALIVE
#else
#define MODULE_API
#endif

/* ---- about the module (module.c) ---- */

/** "major.minor.patch" of the library. */
MODULE_API const char *module_version(void);
/** 1 if the module uses WebAssembly SIMD, else 0. Results do not depend on it. */
MODULE_API int32_t module_has_simd(void);
/** Message of the last failed call, one line; "" if no call failed. */
MODULE_API const char *module_error(void);

/* ---- the scene (scene.c) ---- */

/** Read a scene file and replace the current world by its world. On an error the current world stays. Messages about an error in the file begin with
    FILE:LINE:COLUMN. */
MODULE_API int32_t module_load(const char *path);
/** Release the simulation. Afterwards nothing is loaded. */
MODULE_API void module_unload(void);
/**
 * The scene as JSON: "title", "description", "dt", "steps" (from beginning to end), "duration", "gravity", "stepper" ("fixed", "event", "dem"), "actions"
 * (their number), "warnings", "size" (median radius of the bodies that are not planes), and "bodies", "shapes" and "joints" as in
 * docs/formats/replay-page.md, including added ones. Shapes are undeformed: see module_vertices().
 */
MODULE_API const char *module_scene_json(void);

/**
 * Add a body.
 * @param shape        as on the command line of `abut collide`: "box:1,1,1", "trimesh:FILE"
 * @param name         NULL or "" for a generated name
 * @param kind         0 dynamic, 1 static, 2 kinematic
 * @param pose         [7] position and quaternion, which is normalised
 * @param velocity     [6] of the centre of mass, and angular; NULL for rest
 * @param density      > 0
 * @return the number of the body, -1 on an error
 */
MODULE_API int32_t module_add_body(const char *shape, const char *name, int32_t kind, const double *pose, const double *velocity,
                                   double density, double friction, double restitution);
/** A body as JSON: {"body": as in module_scene_json(), "first": index of the first of "shapes" among all shapes, "shapes": the new shapes of the
    body that was added last}. */
MODULE_API const char *module_body_json(int32_t body);

/* ---- time (step.c) ---- */

/**
 * Make `count` steps of the scene's dt.
 * @param actions  1: with the scene's actions. 0: without actions: active ones end, and later ones never begin, also in later calls, until a state from
 *                 before this call is restored
 */
MODULE_API int32_t module_step(int32_t count, int32_t actions);
/** Report of the last step, or of the state before the first step: one number for each of module_report_names(). Wall times are in seconds. */
MODULE_API const double *module_report(void);
/** Names of the numbers of module_report(), as in /steps of recordings, separated by commas. */
MODULE_API const char *module_report_names(void);
/** 1 if all steps of the scene were made or it is at rest, else 0. More steps are allowed. */
MODULE_API int32_t module_finished(void);
/** Hash of the states of all bodies, as 16 hexadecimal digits: abut_world_hash(). */
MODULE_API const char *module_state_hash(void);
/** Save the current state. Returns the bytes; module_save_size() returns their number. */
MODULE_API const uint8_t *module_save(void);
/** Number of bytes that module_save() last returned. */
MODULE_API int32_t module_save_size(void);
/** Restore an earlier or later state of the loaded scene, which module_save() returned since the scene was loaded. Bodies added after that state disappear,
    and their numbers are free again. */
MODULE_API int32_t module_restore(const uint8_t *saved, int32_t size);

/* ---- the present state (state.c) ---- */

/** Number of bodies so far, including removed ones. */
MODULE_API int32_t module_body_count(void);
/** [7 bodies] positions and quaternions of the shapes' frames; NaN for removed bodies. */
MODULE_API const double *module_poses(void);
/** [6 bodies] velocities of the centres of mass, and angular velocities; NaN for removed bodies. */
MODULE_API const double *module_velocities(void);
/** [bodies] 0 removed, 1 asleep (static bodies always), 2 awake. */
MODULE_API const uint8_t *module_presence(void);
/** Gather the contacts of the last step into columns. Returns the number of contacts, -1 on an error. */
MODULE_API int32_t module_contacts(void);
/** [12 contacts] columns, one after another: a, b (bodies); kind, index, part of A's feature, the same of B's; patch; flags; low and high half of
    the id. */
MODULE_API const int32_t *module_contact_integers(void);
/** [15 contacts] columns, one after another: on_a, on_b, normal (three numbers for each contact); gap; area; normal_force; friction (three). */
MODULE_API const double *module_contact_reals(void);
/** [9 joints] for each joint of the scene: 0 gone with a body, 1 broken, 2 holds; coordinate, angle of a wheel, force, torque. NaN after 0. */
MODULE_API const double *module_joints(void);
/** Gather the events of the last step, but for touches that persist. Returns their number, -1 on an error. */
MODULE_API int32_t module_events(void);
/** [9 events] for each event: number of its kind's bit; bodies a and b and joint, -1 for none; point; impulse; speed. */
MODULE_API const double *module_event_reals(void);
/**
 * Vertices of a deforming body, three numbers each, in the frame of its shape. NULL if they have not changed since the last call for this body (for the first
 * call: since the scene was loaded), and for bodies that do not deform. The other columns of the shape do not change.
 */
MODULE_API const double *module_vertices(int32_t body);
/** Number of vertices that module_vertices() last returned. */
MODULE_API int32_t module_vertex_count(void);

/* ---- user interaction (act.c) ---- */

/**
 * A spring between a point of a body and a point of the world: abut_spring_def.
 * @param anchor     [3] frame of the shape
 * @param target     [3]
 * @param max_force  may be infinite
 * @return a handle for the other two functions, -1 on an error
 */
MODULE_API int32_t module_spring_begin(int32_t body, const double *anchor, const double *target, double frequency, double damping_ratio,
                                       double max_force);
/** Move the target of a spring. */
MODULE_API int32_t module_spring_move(int32_t spring, double x, double y, double z);
/** Remove a spring. It is no error if the spring has disappeared with its body. */
MODULE_API int32_t module_spring_end(int32_t spring);
/** A force on a body during the next step. force, point: [3]. */
MODULE_API int32_t module_force(int32_t body, const double *force, const double *point);
MODULE_API int32_t module_remove(int32_t body);
/** pose: [7]; the quaternion is normalised. */
MODULE_API int32_t module_set_pose(int32_t body, const double *pose);
/** velocity: [6] of the centre of mass, and angular. */
MODULE_API int32_t module_set_velocity(int32_t body, const double *velocity);
/**
 * The body that a ray meets first. Bodies in which the ray begins are ignored.
 * @param origin, direction  [3]; the direction may have any length except zero
 * @param length             of the ray, > 0
 * @return [12] body, distance, point, normal, and kind, index and part of the feature, 0; body -1 if the ray meets no body; NULL on an error
 */
MODULE_API const double *module_ray(const double *origin, const double *direction, double length);

/* ---- single shapes (shape.c) ---- */

/**
 * A shape of `abut collide` for drawing, as JSON: {"shapes": as in docs/formats/replay-page.md, "root": index of the shape, "placement": the pose in the
 * argument (at=...), or null, "centre": its centre of mass, or null, "gauss": null but for a box or a polytope}.
 *
 * gauss: {"normals": [x, y, z, x, ...] of the faces, outward, "edges": [[face, face], ...], "vertices": [[face, face, ...], ...] the faces around each
 * vertex, counter-clockwise seen from outside}: the vertices, arcs and cells of the shape's Gauss map.
 *
 * @param hull  1: non-convex pieces of a mesh file are replaced by their hulls
 */
MODULE_API const char *module_shape_json(const char *argument, int32_t hull);
