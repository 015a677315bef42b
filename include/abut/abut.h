#pragma once

/**
 * @file abut.h
 * The whole library: includes every public header. Each header is a chapter of the manual.
 *
 * | header      | chapter                                                                                   |
 * |-------------|-------------------------------------------------------------------------------------------|
 * | base.h      | statuses, version, memory, messages, parallel loops                                       |
 * | math.h      | vectors, rotations, matrices, poses, motions                                              |
 * | shape.h     | shapes: spheres, capsules, boxes, polytopes, planes, compounds; mass, bounds, support     |
 * | smooth.h    | ellipsoids, superquadrics, implicit and parametric bodies; curvature of any shape         |
 * | formula.h   | implicit and parametric bodies given by formulas                                          |
 * | mesh.h      | triangle meshes and height fields; closest point of a mesh                                |
 * | contact.h   | the contact record; reduction of a set of contacts                                        |
 * | baseline.h  | methods that abut keeps only to compare with                                              |
 * | collide.h   | contacts of two shapes, alone or in batches; growth distance                              |
 * | placed.h    | shapes placed once and asked about many times                                             |
 * | extremal.h  | extremal pairs: points with a common normal on two curved surfaces                        |
 * | facet.h     | contacts of rounded triangles                                                             |
 * | facetmesh.h | bodies made of rounded triangles                                                          |
 * | pressure.h  | forces of rounded surfaces: Hertz pressure, damping, friction, adhesion                   |
 * | filter.h    | which bodies of a world can touch each other                                              |
 * | surface.h   | what the surfaces of two bodies do to each other at a contact                             |
 * | query.h     | distance, overlap, ray casts, shape casts                                                 |
 * | rates.h     | first and second time derivatives of a contact                                            |
 * | solve.h     | contact forces from linear complementarity problems                                       |
 * | tetra.h     | penetration depth of two deforming tetrahedra                                             |
 * | tetra_mesh.h | overlap, depth and separation of whole tetrahedral meshes                                |
 * | world.h     | bodies that move: worlds, steppers, springs, saved states                                 |
 * | world_events.h | what happened in a step: touches, hits, sensors, sleep                                    |
 * | world_query.h | rays, shape casts, overlaps and closest bodies of a whole world                         |
 * | bond.h      | bonds of bodies of the dem stepper, which break                                           |
 * | cell.h      | elastic cells: bodies of the dem stepper that deform by forces                            |
 * | joint.h     | joints of bodies, their limits, motors and springs                                        |
 */

#include <abut/base.h>
#include <abut/math.h>
#include <abut/shape.h>
#include <abut/smooth.h>
#include <abut/formula.h>
#include <abut/mesh.h>
#include <abut/contact.h>
#include <abut/baseline.h>
#include <abut/collide.h>
#include <abut/extremal.h>
#include <abut/facet.h>
#include <abut/facetmesh.h>
#include <abut/filter.h>
#include <abut/pressure.h>
#include <abut/query.h>
#include <abut/placed.h>
#include <abut/rates.h>
#include <abut/solve.h>
#include <abut/surface.h>
#include <abut/tetra.h>
#include <abut/tetra_mesh.h>
#include <abut/world.h>
#include <abut/world_events.h>
#include <abut/world_query.h>
#include <abut/bond.h>
#include <abut/cell.h>
#include <abut/joint.h>
