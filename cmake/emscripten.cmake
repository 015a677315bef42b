# Toolchain file: includes the toolchain file of the installed Emscripten.
find_program(ABUT_EM_CONFIG em-config DOC "Emscripten's em-config, which prints Emscripten's folder")
if(NOT ABUT_EM_CONFIG)
    message(FATAL_ERROR "Emscripten is missing (Debian: emscripten); scripts/dev/setup.sh viewer installs it.")
endif()
execute_process(COMMAND ${ABUT_EM_CONFIG} EMSCRIPTEN_ROOT OUTPUT_VARIABLE emscripten_root OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
include(${emscripten_root}/cmake/Modules/Platform/Emscripten.cmake)
