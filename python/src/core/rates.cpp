/* Rates of contacts, and their derivatives by the motions of the bodies. */
#include "batch.h"

namespace {

/* The shapes and poses of one pair, and the contacts that it made. */
struct Touch {
    abut_pair pair;
    std::vector<abut_contact> contacts;
};

Touch touch_of(const Shape &a, const Poses &pose_a, const Shape &b, const Poses &pose_b, const nb::bytes &contacts) {
    Touch touch = {{a.shape, poses(pose_a)[0], b.shape, poses(pose_b)[0]}, {}};
    if (contacts.size() % sizeof(abut_contact) != 0) {
        throw nb::value_error("these are no contacts");
    }
    touch.contacts.resize(contacts.size() / sizeof(abut_contact));
    if (contacts.size() > 0) {
        std::memcpy(touch.contacts.data(), contacts.data(), contacts.size());
    }
    return touch;
}

Bytes rates(const Shape &a, const Poses &pose_a, const Motions &motion_a, const Shape &b, const Poses &pose_b, const Motions &motion_b,
            const nb::bytes &contacts) {
    Touch touch = touch_of(a, pose_a, b, pose_b, contacts);
    std::vector<abut_rates> all(touch.contacts.size());
    abut_kinematics of_a = {}, of_b = {};
    of_a.centre = touch.pair.pose_a.position;
    of_a.velocity = motions(motion_a)[0];
    of_b.centre = touch.pair.pose_b.position;
    of_b.velocity = motions(motion_b)[0];
    for (size_t i = 0; i < all.size(); i++) {
        abut_curvature surface_a, surface_b;
        forget_message();
        check(abut_contact_surfaces(&touch.contacts[i], &touch.pair, &surface_a, &surface_b));
        check(abut_contact_rates(&touch.contacts[i], &surface_a, &surface_b, &of_a, &of_b, &all[i]));
    }
    return records(std::move(all));
}

template <typename T> nb::object array(std::vector<T> &&values, std::initializer_list<size_t> shape) {
    auto *kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept, [](void *memory) noexcept { delete static_cast<std::vector<T> *>(memory); });
    return nb::cast(nb::ndarray<nb::numpy, T>(kept->data(), shape, owner));
}

/* [n, 3, 12] of [n][12] vectors. */
void append(std::vector<double> &all, const abut_vec3 column[12]) {
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < 12; k++) {
            const double three[3] = {column[k].x, column[k].y, column[k].z};
            all.push_back(three[axis]);
        }
    }
}

nb::tuple derivatives(const Shape &a, const Poses &pose_a, const Shape &b, const Poses &pose_b, const nb::bytes &contacts) {
    Touch touch = touch_of(a, pose_a, b, pose_b, contacts);
    std::vector<double> gap, normal, on_a, on_b;
    std::vector<uint32_t> flags;
    size_t count = touch.contacts.size();
    for (const abut_contact &contact : touch.contacts) {
        abut_curvature surface_a, surface_b;
        abut_contact_derivatives one;
        forget_message();
        check(abut_contact_surfaces(&contact, &touch.pair, &surface_a, &surface_b));
        check(abut_contact_differentiate(&contact, &surface_a, &surface_b, touch.pair.pose_a.position, touch.pair.pose_b.position, &one));
        gap.insert(gap.end(), one.gap, one.gap + 12);
        append(normal, one.normal);
        append(on_a, one.on_a);
        append(on_b, one.on_b);
        flags.push_back(one.flags);
    }
    return nb::make_tuple(array(std::move(gap), {count, 12}), array(std::move(normal), {count, 3, 12}),
                          array(std::move(on_a), {count, 3, 12}), array(std::move(on_b), {count, 3, 12}), array(std::move(flags), {count}));
}

/* The derivatives of a gap by the 12 coordinates of both motions. The points are where the distance is stationary, so they may count as fixed on the bodies, and the
 * normal as fixed, too: only the motion of the matter at the points changes the gap to first order. */
abut_status differentiate_distance(const abut_pair &pair, const abut_collide_settings *settings, abut_separation *separation,
                                   double gap[12]) {
    abut_status status = abut_distance(&pair, settings, nullptr, separation);
    if (status != ABUT_OK) {
        return status;
    }
    const abut_vec3 n = separation->normal;
    const abut_vec3 turn_a = abut_cross(abut_sub(separation->on_a, pair.pose_a.position), n);
    const abut_vec3 turn_b = abut_cross(n, abut_sub(separation->on_b, pair.pose_b.position));
    const abut_vec3 all[4] = {n, turn_a, abut_neg(n), turn_b};
    std::memcpy(gap, all, sizeof all);
    return ABUT_OK;
}

nb::tuple distance_derivatives(nb::handle a, const Poses &pose_a, nb::handle b, const Poses &pose_b, const abut_collide_settings *settings,
                               int32_t threads) {
    const Pairs pairs(a, pose_a, b, pose_b);
    const size_t count = pairs.count;
    Buffer<abut_separation> separations(count);
    std::vector<double> gaps(12 * count);
    for_all(count, threads, 64, [&](size_t i) { return differentiate_distance(pairs[i], settings, &separations[i], &gaps[12 * i]); });
    return nb::make_tuple(records(std::move(separations)), array(std::move(gaps), {count, 12}));
}

} // namespace

void define_rates(nb::module_ &module) {
    module.def("distance_derivatives", &distance_derivatives, nb::arg("a"), nb::arg("pose_a"), nb::arg("b"), nb::arg("pose_b"),
               nb::arg("settings").none(), nb::arg("threads"));
    module.def("rates", &rates);
    module.def("derivatives", &derivatives);
}
