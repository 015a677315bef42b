/* Linear complementarity problems. */
#include <memory>

#include <nanobind/stl/string.h>

#include "core.h"

namespace {

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

/* (z, w, residual, pivots). */
nb::tuple solve(const Matrix &matrix, const Numbers &q, const std::string &method, double tolerance) {
    size_t n = q.size();
    if (matrix.shape(0) != n || matrix.shape(1) != n) {
        throw nb::value_error("the matrix must have as many rows and columns as q has numbers");
    }
    if (method != "active-set" && method != "lemke") {
        throw nb::value_error("method is active-set or lemke");
    }
    abut_lcp *made = nullptr;
    forget_message();
    check(abut_lcp_create(&made));
    std::unique_ptr<abut_lcp, void (*)(abut_lcp *)> lcp(made, abut_lcp_destroy);
    abut_lcp_settings settings = abut_lcp_settings_default();
    settings.method = method == "lemke" ? ABUT_LCP_LEMKE : ABUT_LCP_ACTIVE_SET;
    settings.tolerance = tolerance;
    std::vector<double> z(n), w(n);
    abut_lcp_result result = {};
    abut_status status;
    {
        nb::gil_scoped_release released;
        forget_message();
        status = abut_lcp_set_matrix(lcp.get(), count_of(n), matrix.data());
        if (status == ABUT_OK) {
            status = abut_lcp_solve(lcp.get(), q.data(), &settings, z.data(), w.data(), &result);
        }
    }
    check(status);
    return nb::make_tuple(records(std::move(z)), records(std::move(w)), result.residual, result.pivots);
}

} // namespace

void define_lcp(nb::module_ &module) { module.def("lcp_solve", &solve); }
