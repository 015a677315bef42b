#pragma once

#include <cstdint>
#include <vector>

#include <abut/facetmesh.h>
#include <abut/pressure.h>

#include "core/shape.h"

/*
 * The forces of two bodies on each other: their facets in contact, the places that these form, and pressure, damping and friction of each place. A place is
 * recognised in the next step by its position on the first body.
 */

namespace abut_lammps {

/* What is remembered of a place where two bodies touch. `partner` names the other body for the body that keeps it. */
struct Place {
    int64_t partner;
    abut_pressure_memory memory;  /* friction spring, for the first body along the second one; world frame */
    abut_vec3 spot;               /* where, in the frame of the first body */
    bool is_old;                  /* whether `earlier` has a meaning: the place was there one step before */
    abut_pressure_memory earlier; /* the spring one step before: from it the forces of the last step can be computed again */
};

/* Which of two shapes is the first body of a pair: a mesh before a ball or a plane, the larger mesh, else the one that stands first. Places are remembered in the
 * frame of the first body: a grain that slides along a wall of triangles keeps its place there longer than the wall in the grain's frame. */
bool stands_first(const Shape &a, const Shape &b);

/* Whether forces are those of a step that ends now, or those of the last step once more, as they are needed when a run begins. */
enum class Moment { STEP, AGAIN };

struct Body {
    const Shape *shape;
    abut_vec3 centre; /* centre of mass; of a wall the point that its velocity belongs to */
    abut_quat rotation;
    abut_motion motion;
    double inverse_mass; /* 0 for a wall */
};

/* The pose of the shape's frame. */
abut_pose pose_of(const Body &body);

/* Works with one pair at a time and keeps its memory from call to call. */
class Press {
  public:
    /* before: what is remembered of the pair. after: receives what is to be remembered instead, if the moment is a step; the partners are left to the caller.
     * Throws Mistake for what the library refuses. */
    abut_pressure_result operator()(const abut_pressure_law &law, const Body &a, const Body &b, double time_step, Moment moment,
                                    const std::vector<Place> &before, std::vector<Place> &after);

  private:
    void find_contacts(const Body &a, const Body &b);
    void drop_idle(abut_pressure_mode mode);
    void find_places(const Shape &a, const Shape &b);
    void name_places();
    int find_old(const abut_vec3 &spot, const abut_vec3 &normal, double near, const std::vector<Place> &before) const;
    void find_bearing(const abut_pressure_law &law, const abut_pressure_body bodies[2]);
    void recognise(const Body &a, double near, Moment moment, const std::vector<Place> &before);

    std::vector<abut_facetmesh_contact> found_; /* the first count_ are in use */
    int32_t count_ = 0;
    std::vector<abut_facet_contact> contacts_;
    std::vector<abut_pressure_id> ids_;
    std::vector<int> order_, first_,
        middle_; /* contacts place by place; where each begins; the contact of each that is nearest to the middle of its circle */
    std::vector<abut_pressure_memory> before_, after_;
    std::vector<int> old_;              /* the earlier place of each place; -1 for none */
    std::vector<char> claimed_, bears_; /* of earlier places: whether a place has taken them over; of places: whether they bear a force */
};

} // namespace abut_lammps
