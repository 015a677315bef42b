#pragma once

#include "engine.h"

/* All engines; engines.c lists those that are built. */

#ifdef __cplusplus
extern "C" {
#endif

/* abut.c: poses are converted in the call, so the conversion is timed. */
extern const engine abut_collide_minimum, abut_collide_minimum_cached; /* default settings */
extern const engine abut_collide_growth, abut_collide_growth_cached;   /* settings.normal = ABUT_NORMAL_GROWTH */
extern const engine abut_collide_of_placed, abut_collide_in_batches; /* default settings, poses converted before; batches of 1,000 pairs */
extern const engine abut_distance_cold, abut_distance_cached;

extern const engine ode_box_box, ode_collide;                                  /* ode.c: dBoxBox alone; dCollide with prepared geoms */
extern const engine ccd_mpr, ccd_gjk_epa;                                      /* ccd.c: libccd with a linear search for support */
extern const engine fcl_collide_libccd, fcl_collide_indep, fcl_collide_cached; /* fcl.cpp: fcl::collide with both of its solvers */
extern const engine fcl_distance_libccd, fcl_distance_indep;                   /* fcl.cpp: fcl::distance */
extern const engine bullet_box_box, bullet_gjk_epa, bullet_distance;           /* bullet.cpp: detectors of its narrow phase */
extern const engine remote_mujoco_collision, remote_mujoco_distance;           /* remote.c: all pairs in one call; pair by pair */
extern const engine remote_coal_collide, remote_coal_distance;                 /* remote.c: pair by pair */

#ifdef __cplusplus
}
#endif
