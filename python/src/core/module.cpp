/* The extension module abut._core: the functions of the library over arrays. The package abut gives them their public form. */
#include "core.h"

NB_MODULE(_core, module) {
    module.doc() = "The functions of libabut over arrays; use the package abut instead.";
    define_status(module);
    define_layout(module);
    define_shape(module);
    define_pair(module);
    define_facet(module);
    define_rates(module);
    define_depth(module);
    define_lcp(module);
    define_world(module);
}
