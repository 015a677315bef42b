#pragma once

/**
 * @file abut.h
 * The whole library.
 */

#include <abut/base.h>
#include <abut/math.h>
#include <abut/shape.h>
#include <abut/smooth.h>
#include <abut/mesh.h>
#include <abut/contact.h>
#include <abut/baseline.h>
#include <abut/collide.h>
#include <abut/extremal.h>
#include <abut/facet.h>
#include <abut/facetmesh.h>
#include <abut/pressure.h>
#include <abut/query.h>
#include <abut/rates.h>
#include <abut/solve.h>
#include <abut/tetra.h>
#include <abut/tetra_mesh.h>
#include <abut/world.h>
