# Install rules: headers, both libraries, a CMake package, a pkg-config file, the command, its man page, and the documents.
include(CMakePackageConfigHelpers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/abut DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

# Each variant has its own export file: the shared library's users do not need the dependencies of the static library.
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/abut)
foreach(variant IN LISTS variants)
    install(TARGETS abut_${variant} EXPORT abut-${variant}
            LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(EXPORT abut-${variant} NAMESPACE abut:: FILE abut-${variant}.cmake DESTINATION ${package_folder})
endforeach()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/abut-config.cmake.in ${PROJECT_BINARY_DIR}/abut-config.cmake
                              INSTALL_DESTINATION ${package_folder} NO_SET_AND_CHECK_MACRO)
# While the major version is 0, a minor version may be incompatible with the one before.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/abut-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/abut-config.cmake ${PROJECT_BINARY_DIR}/abut-config-version.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindQhullReentrant.cmake DESTINATION ${package_folder})

set(pc_private_libraries)
if(math_library)
    string(APPEND pc_private_libraries " -l${math_library}")
endif()
if(ABUT_WITH_HULL)
    string(APPEND pc_private_libraries " ${QhullReentrant_LIBRARY}")
endif()
if(ABUT_WITH_THREADS AND CMAKE_THREAD_LIBS_INIT)
    string(APPEND pc_private_libraries " ${CMAKE_THREAD_LIBS_INIT}")
endif()
# Its paths are relative to the file itself, so an installed tree can be moved.
file(RELATIVE_PATH pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
configure_file(${PROJECT_SOURCE_DIR}/cmake/abut.pc.in ${PROJECT_BINARY_DIR}/abut.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/abut.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# Whole folders, laid out as in the sources: documents link to scenes, examples and each other by relative paths.
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs ${PROJECT_SOURCE_DIR}/scenes ${PROJECT_SOURCE_DIR}/examples
        DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN Doxyfile EXCLUDE PATTERN CMakeLists.txt EXCLUDE)
if(ABUT_WITH_TOOL)
    install(TARGETS abut_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
