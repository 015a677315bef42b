# Finds the reentrant qhull library: QhullReentrant::QhullReentrant. It searches the header and the library, because Qhull's own package file
# also names libraries that distributions do not ship.
find_path(QhullReentrant_INCLUDE_DIR libqhull_r/libqhull_r.h)
find_library(QhullReentrant_LIBRARY NAMES qhull_r qhullstatic_r)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(QhullReentrant REQUIRED_VARS QhullReentrant_LIBRARY QhullReentrant_INCLUDE_DIR)

if(QhullReentrant_FOUND AND NOT TARGET QhullReentrant::QhullReentrant)
    add_library(QhullReentrant::QhullReentrant UNKNOWN IMPORTED)
    set_target_properties(QhullReentrant::QhullReentrant PROPERTIES
        IMPORTED_LOCATION ${QhullReentrant_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${QhullReentrant_INCLUDE_DIR})
endif()
mark_as_advanced(QhullReentrant_INCLUDE_DIR QhullReentrant_LIBRARY)
