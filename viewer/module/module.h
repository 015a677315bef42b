#pragma once

#include <stdint.h>

/**
 * @file module.h
 * What web pages can call: the library, scenes and shapes in the WebAssembly module. viewer/src/engine/engine.ts wraps all of it. The abut command
 * is in the module besides, by Emscripten's callMain(), without the subcommands that need recordings.
 *
 * There is one simulation at a time. All calls are total: those that can fail return an abut_status (0 is success) or, where a number is the answer,
 * -1, or, where a pointer is, NULL, and module_error() then says what is wrong, for a person. World frame, units of the scene, signs as in contact.h.
 *
 * Files are those of Emscripten's file system, in memory; JavaScript puts them there.
 *
 * Arrays and texts that are returned belong to the module. An array is valid until the next call of any function, a text until the next call of the
 * same function. Memory may move when it grows: JavaScript makes its views of it anew after every call.
 *
 * Bodies are numbered: those of the scene in its order, then those that were added. A body that was removed keeps its number.
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
/** 1 when the module works with vectors of WebAssembly, else 0. Results do not depend on it. */
MODULE_API int32_t module_has_simd(void);
/** What was wrong when a call last failed: one line; "" when none has. */
MODULE_API const char *module_error(void);

/* ---- the scene (scene.c) ---- */

/** Read a scene file and build its world in place of the one that is there; on an error that one stays. Messages begin with
    FILE:LINE:COLUMN where the file is to blame. */
MODULE_API int32_t module_load(const char *path);
/** Give the simulation back. Nothing is loaded then. */
MODULE_API void module_unload(void);
/**
 * The scene as JSON: "title", "description", "dt", "steps" (from beginning to end), "duration", "gravity", "stepper" ("fixed", "event", "dem"),
 * "actions" (how many), "warnings", "size" (median radius of the bodies that are not planes), and "bodies" and "shapes" as in docs/formats/replay-page.md, with
 * those that were added. Shapes are those of the beginning: see module_vertices().
 */
MODULE_API const char *module_scene_json(void);

/**
 * Add a body.
 * @param shape        as on the command line of `abut collide`: "box:1,1,1", "trimesh:FILE"
 * @param name         NULL or "" for one that is made up
 * @param kind         0 dynamic, 1 static, 2 kinematic
 * @param pose         [7] position and quaternion, which is normalised
 * @param velocity     [6] of the centre of mass, and angular; NULL for rest
 * @param density      > 0
 * @return its number, -1 on an error
 */
MODULE_API int32_t module_add_body(const char *shape, const char *name, int32_t kind, const double *pose, const double *velocity,
                                   double density, double friction, double restitution);
/** A body as JSON: {"body": as in module_scene_json(), "first": index of the first of "shapes" among all, "shapes": those that the body that was
    added last brought with it}. */
MODULE_API const char *module_body_json(int32_t body);

/* ---- time (step.c) ---- */

/**
 * Make so many steps of the scene's dt.
 * @param actions  1: with the scene's actions. 0: without; then those that act now end, and those to come do not begin any more, also in later
 *                 calls, until a state from before is restored
 */
MODULE_API int32_t module_step(int32_t count, int32_t actions);
/** What the last step did, or the state before the first: [as many as there are names]. Wall times are in it as seconds. */
MODULE_API const double *module_report(void);
/** The names of its numbers, those of /steps in recordings, with commas between them. */
MODULE_API const char *module_report_names(void);
/** 1 when all steps of the scene were made or it is at rest, else 0. It may be stepped on. */
MODULE_API int32_t module_finished(void);
/** A number made of all bits of all bodies' states, as 16 hexadecimal digits: abut_world_hash(). */
MODULE_API const char *module_state_hash(void);
/** Keep the present state in the bytes that are returned; module_save_size() says how many. */
MODULE_API const uint8_t *module_save(void);
/** Bytes of what module_save() last returned. */
MODULE_API int32_t module_save_size(void);
/** Go back, or forth, to a state of the loaded scene that module_save() gave since it was loaded. Bodies that were added later are no longer there:
    their numbers are free again. */
MODULE_API int32_t module_restore(const uint8_t *saved, int32_t size);

/* ---- the present state (state.c) ---- */

/** How many bodies there have been. */
MODULE_API int32_t module_body_count(void);
/** [7 bodies] positions and quaternions of the shapes' frames; not a number when removed. */
MODULE_API const double *module_poses(void);
/** [6 bodies] velocities of the centres of mass, and angular ones; likewise. */
MODULE_API const double *module_velocities(void);
/** [bodies] 0 removed, 1 asleep (static bodies always), 2 awake. */
MODULE_API const uint8_t *module_presence(void);
/** Gather the contacts of the last step into columns: how many there are, -1 on an error. */
MODULE_API int32_t module_contacts(void);
/** [12 contacts] columns, one behind the other: a, b (bodies); kind, index, part of A's feature, the same of B's; patch; flags; low and high half of
    the id. */
MODULE_API const int32_t *module_contact_integers(void);
/** [15 contacts] likewise: on_a, on_b, normal (three numbers for each contact); gap; area; normal_force; friction (three). */
MODULE_API const double *module_contact_reals(void);
/**
 * Vertices of a body that deforms, three numbers each, in the frame of its shape: NULL when they are those of the last call for this body, or at
 * first those of the scene; also for bodies that do not deform. The other columns of the shape stay.
 */
MODULE_API const double *module_vertices(int32_t body);
/** How many vertices module_vertices() last gave. */
MODULE_API int32_t module_vertex_count(void);

/* ---- what a hand does (act.c) ---- */

/**
 * A spring between a point of a body and a point of the world: abut_spring_def.
 * @param anchor     [3] frame of the shape
 * @param target     [3]
 * @param max_force  may be infinite
 * @return a handle for the other two functions, -1 on an error
 */
MODULE_API int32_t module_spring_begin(int32_t body, const double *anchor, const double *target, double frequency, double damping_ratio,
                                       double max_force);
/** Pull to another place. */
MODULE_API int32_t module_spring_move(int32_t spring, double x, double y, double z);
/** Let go. A spring whose body was removed is gone already: that is no error. */
MODULE_API int32_t module_spring_end(int32_t spring);
/** A force on a body during the next step. force, point: [3]. */
MODULE_API int32_t module_force(int32_t body, const double *force, const double *point);
MODULE_API int32_t module_remove(int32_t body);
/** pose: [7]; the quaternion is normalised. */
MODULE_API int32_t module_set_pose(int32_t body, const double *pose);
/** velocity: [6] of the centre of mass, and angular. */
MODULE_API int32_t module_set_velocity(int32_t body, const double *velocity);
/**
 * The body that a ray meets first; one in which the ray begins is looked through.
 * @param origin, direction  [3]; the direction is of any length but zero
 * @param length             of the ray, > 0
 * @return [12] body, distance, point, normal, and kind, index and part of the feature, 0; body -1 when it meets none; NULL on an error
 */
MODULE_API const double *module_ray(const double *origin, const double *direction, double length);

/* ---- shapes by themselves (shape.c) ---- */

/**
 * A shape of `abut collide` for drawing, as JSON: {"shapes": as in docs/formats/replay-page.md, "root": index of the shape, "placement": the pose that the
 * argument says (at=...), or null, "centre": its centre of mass, or null, "gauss": null but for a box or a polytope}.
 *
 * gauss: {"normals": [x, y, z, x, ...] of the faces, outward, "edges": [[face, face], ...], "vertices": [[face, face, ...], ...] the faces around each
 * vertex, counter-clockwise seen from outside}: the vertices, arcs and cells of the shape's Gauss map.
 *
 * @param hull  1: pieces of a mesh file that are not convex are replaced by their hulls
 */
MODULE_API const char *module_shape_json(const char *argument, int32_t hull);
