/* Forces of a pair, by the library's public functions. The grouping into places is that of its dem stepper. */
#include "core/contact.h"

#include <algorithm>
#include <cmath>

namespace abut_lammps {
namespace {

/* Two contacts whose normals are turned against each other by more are two places: the sides of an edge, or of a valley. */
constexpr double LEAST_COSINE = 0.7;

void check(abut_status status, const char *what) {
    if (status != ABUT_OK) {
        throw Mistake(std::string(what) + ": " + abut_status_message(status));
    }
}

/* ---- two whole surfaces: a ball and a ball or a plane ---- */

/* The contact of two whole surfaces of which the first is a ball. False: there is none. */
bool meet_whole(const Body &a, const Body &b, abut_facet_contact &c) {
    c = abut_facet_contact{};
    c.status = ABUT_OK;
    c.relation = ABUT_FACET_CONTACT;
    double radius = a.shape->radius, from_centre;
    if (b.shape->kind == ABUT_SHAPE_PLANE) {
        c.normal = abut_quat_rotate(b.rotation, b.shape->normal);
        from_centre = abut_dot(abut_sub(a.centre, b.centre), c.normal);
        c.sphere_gap = from_centre - radius;
        c.radius = radius;
    } else {
        abut_vec3 way = abut_sub(a.centre, b.centre);
        double distance = abut_length(way), other = b.shape->radius;
        c.sphere_gap = distance - radius - other;
        if (!(distance > 0.0) || !(c.sphere_gap < 0.0)) {
            return false;
        }
        c.normal = abut_scale(1.0 / distance, way);
        c.radius = radius * other / (radius + other);
        from_centre = 0.5 * (distance + (radius - other) * (radius + other) / distance);
    }
    /* Past an equator the theory ends, as for facets (ABUT_FACET_ENGULFED). */
    if (!(c.sphere_gap < 0.0) || from_centre < 0.0 ||
        (b.shape->kind != ABUT_SHAPE_PLANE && abut_distance_between(a.centre, b.centre) < from_centre)) {
        return false;
    }
    c.gap = c.sphere_gap;
    c.circle_radius = std::sqrt(std::max(0.0, (radius - from_centre) * (radius + from_centre)));
    c.centre = c.point = abut_add_scaled(a.centre, -from_centre, c.normal);
    const double pi = 3.14159265358979323846;
    c.area = c.area_in_circle = pi * c.circle_radius * c.circle_radius;
    return true;
}

/* ---- places ---- */

bool are_neighbours(const Shape &shape, int32_t f, int32_t g) {
    if (f == g || shape.facets.empty()) {
        return true;
    }
    const auto &p = shape.facets[f], &q = shape.facets[g];
    return std::any_of(p.begin(), p.end(), [&](int corner) { return std::find(q.begin(), q.end(), corner) != q.end(); });
}

bool belong_together(const Shape &a, const Shape &b, const abut_facetmesh_contact &p, const abut_facetmesh_contact &q) {
    return abut_dot(p.contact.normal, q.contact.normal) > LEAST_COSINE && are_neighbours(a, p.facet_a, q.facet_a) &&
           are_neighbours(b, p.facet_b, q.facet_b);
}

} // namespace

bool stands_first(const Shape &a, const Shape &b) {
    const bool mesh_a = a.has_facets(), mesh_b = b.has_facets();
    if (mesh_a != mesh_b) {
        return mesh_a;
    }
    return a.kind != ABUT_SHAPE_PLANE && (!mesh_a || a.extent >= b.extent);
}

abut_pose pose_of(const Body &body) { return {abut_sub(body.centre, abut_quat_rotate(body.rotation, body.shape->centre)), body.rotation}; }

void Press::find_contacts(const Body &a, const Body &b) {
    constexpr std::size_t FEW = 64;
    if (found_.size() < FEW) {
        found_.resize(FEW);
    }
    count_ = 0;
    if (!a.shape->has_facets() && !b.shape->has_facets()) {
        found_[0].facet_a = found_[0].facet_b = -1;
        count_ = meet_whole(a, b, found_[0].contact) ? 1 : 0;
        return;
    }
    const abut_pair pair{a.shape->handle.get(), pose_of(a), b.shape->handle.get(), pose_of(b)};
    abut_status status = abut_collide_facets(&pair, found_.data(), static_cast<int32_t>(found_.size()), &count_);
    if (status == ABUT_ERROR_CAPACITY) {
        found_.resize(count_);
        status = abut_collide_facets(&pair, found_.data(), count_, &count_);
    }
    check(status, "contacts of two bodies");
}

/* In area mode, contacts of round facets beyond the radius of Hertz's pressure carry nothing; they shall not join places either. */
void Press::drop_idle(abut_pressure_mode mode) {
    if (mode == ABUT_PRESSURE_AREA) {
        auto idle = [](const abut_facetmesh_contact &c) {
            return c.contact.circle_radius > 0.0 && c.contact.offset * c.contact.offset >= c.contact.radius * -c.contact.sphere_gap;
        };
        count_ = static_cast<int32_t>(std::remove_if(found_.begin(), found_.begin() + count_, idle) - found_.begin());
    }
}

/* Places are connected sets of contacts, each grown from its first one: first by facets of B, then of A. Contacts of flat facets are all in the middle of their
 * own circle, so the order decides which of them stands for the place. */
void Press::find_places(const Shape &a, const Shape &b) {
    const int count = count_;
    order_.resize(count);
    first_.clear();
    for (int i = 0; i < count; ++i) {
        order_[i] = i;
    }
    std::stable_sort(order_.begin(), order_.end(), [&](int i, int k) { return found_[i].facet_b < found_[k].facet_b; });
    int placed = 0;
    for (int at = 0; at < count; ++at) {
        if (at == placed) {
            first_.push_back(placed++);
        }
        for (int k = placed; k < count; ++k) {
            if (belong_together(a, b, found_[order_[at]], found_[order_[k]])) {
                std::swap(order_[placed++], order_[k]);
            }
        }
    }
    first_.push_back(count);
}

/* All contacts of place r are between the surfaces r and 0. */
void Press::name_places() {
    contacts_.clear();
    ids_.clear();
    middle_.clear();
    for (int r = 0; r + 1 < static_cast<int>(first_.size()); ++r) {
        int best = order_[first_[r]];
        for (int i = first_[r]; i < first_[r + 1]; ++i) {
            const abut_facetmesh_contact &c = found_[order_[i]];
            best = c.contact.offset < found_[best].contact.offset ? order_[i] : best;
            contacts_.push_back(c.contact);
            ids_.push_back({c.facet_a, c.facet_b, r, 0});
        }
        middle_.push_back(best);
    }
}

/* A place whose facets do not press, such as flat ones at a right angle, bears no force, and must not take the memory of one that does. */
void Press::find_bearing(const abut_pressure_law &law, const abut_pressure_body bodies[2]) {
    const bool several = middle_.size() > 1;
    bears_.assign(middle_.size(), several ? 0 : 1);
    if (!several) {
        return;
    }
    abut_pressure_history now{after_.data(), 0, static_cast<int32_t>(after_.size())};
    abut_pressure_result result;
    check(abut_pressure_pair(contacts_.data(), ids_.data(), static_cast<int32_t>(contacts_.size()), &law, bodies, 0.0, nullptr, &now,
                             &result),
          "forces of two bodies");
    for (int32_t i = 0; i < now.count; ++i) {
        bears_[after_[i].surface_a] = 1;
    }
}

/* The earlier place nearest to a place that no other one has taken. */
int Press::find_old(const abut_vec3 &spot, const abut_vec3 &normal, double near, const std::vector<Place> &before) const {
    double least = near * near;
    int best = -1;
    for (std::size_t i = 0; i < before.size(); ++i) {
        double square = abut_length_squared(abut_sub(before[i].spot, spot));
        if (!claimed_[i] && square <= least && abut_dot(before[i].memory.normal, normal) > LEAST_COSINE) {
            least = square;
            best = static_cast<int>(i);
        }
    }
    return best;
}

/* Each place takes over the memory of an earlier one. Memories that none takes follow: their springs end. */
void Press::recognise(const Body &a, double near, Moment moment, const std::vector<Place> &before) {
    before_.clear();
    old_.clear();
    claimed_.assign(before.size(), 0);
    auto add = [&](const Place &place, int32_t surface) {
        if (moment == Moment::STEP || place.is_old) {
            before_.push_back(moment == Moment::STEP ? place.memory : place.earlier);
            before_.back().surface_a = surface;
            before_.back().surface_b = 0;
        }
    };
    for (std::size_t r = 0; r < middle_.size(); ++r) {
        const abut_facet_contact &c = found_[middle_[r]].contact;
        old_.push_back(!bears_[r] ? -1
                                  : find_old(abut_quat_rotate_inverse(a.rotation, abut_sub(c.point, a.centre)), c.normal, near, before));
        if (old_.back() >= 0) {
            claimed_[old_.back()] = 1;
            add(before[old_.back()], static_cast<int32_t>(r));
        }
    }
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (!claimed_[i]) {
            add(before[i], static_cast<int32_t>(middle_.size() + i));
        }
    }
}

abut_pressure_result Press::operator()(const abut_pressure_law &common, const Body &a, const Body &b, double time_step, Moment moment,
                                       const std::vector<Place> &before, std::vector<Place> &after) {
    after.clear();
    abut_pressure_result result{};
    find_contacts(a, b);
    drop_idle(common.mode);
    if (count_ == 0 && before.empty()) {
        return result;
    }
    find_places(*a.shape, *b.shape);
    name_places();
    abut_pressure_law law = common;
    double layer = std::min(a.shape->layer, b.shape->layer);
    law.layer = std::isfinite(layer) ? layer : 0.0;
    const abut_pressure_body bodies[2] = {{a.centre, a.motion, a.inverse_mass}, {b.centre, b.motion, b.inverse_mass}};
    after_.resize(contacts_.size());
    find_bearing(law, bodies);
    recognise(a, 0.5 * std::min(a.shape->extent, b.shape->extent), moment, before);
    abut_pressure_history then{before_.data(), static_cast<int32_t>(before_.size()), static_cast<int32_t>(before_.size())};
    abut_pressure_history now{after_.data(), 0, static_cast<int32_t>(after_.size())};
    /* Bodies that have not been seen together before have made no step along each other. */
    const double passed = moment == Moment::AGAIN && before.empty() ? 0.0 : time_step;
    check(abut_pressure_pair(contacts_.data(), ids_.data(), static_cast<int32_t>(contacts_.size()), &law, bodies, passed, &then, &now,
                             &result),
          "forces of two bodies");
    for (int32_t i = 0; i < now.count && moment == Moment::STEP; ++i) {
        const int r = after_[i].surface_a, old = old_[r];
        const abut_facet_contact &c = found_[middle_[r]].contact;
        after.push_back({0, after_[i], abut_quat_rotate_inverse(a.rotation, abut_sub(c.point, a.centre)), old >= 0,
                         old >= 0 ? before[old].memory : abut_pressure_memory{}});
    }
    return result;
}

} // namespace abut_lammps
