"""Conan 2: conan create packaging/conan --version 0.1.0"""

import os

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, get, rmdir

required_conan_version = ">=2.0"


class AbutConan(ConanFile):
    name = "abut"
    description = "Contact between bodies: where, along which normal, how deep, and which forces follow"
    license = "MIT"
    homepage = "https://abut.example"
    topics = ("contact", "collision", "physics")
    package_type = "static-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"fPIC": [True, False], "hull": [True, False]}
    default_options = {"fPIC": True, "hull": True}

    def config_options(self):
        if self.settings.os == "Windows":
            del self.options.fPIC

    def configure(self):
        self.settings.rm_safe("compiler.libcxx")
        self.settings.rm_safe("compiler.cppstd")

    def layout(self):
        cmake_layout(self, src_folder="src")

    def requirements(self):
        if self.options.hull:
            self.requires("qhull/8.0.2")

    def source(self):
        get(self, **self.conan_data["sources"][self.version], strip_root=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for option in ("IO", "TOOL", "TESTS", "EXAMPLES", "BENCH"):
            toolchain.cache_variables[f"ABUT_{option}"] = False
        toolchain.cache_variables["ABUT_HULL"] = bool(self.options.hull)
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        for folder in ("lib/cmake", "lib/pkgconfig", "share"):
            rmdir(self, os.path.join(self.package_folder, folder))

    def package_info(self):
        self.cpp_info.libs = ["abut"]
        self.cpp_info.set_property("cmake_target_name", "abut::static")
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["m", "pthread"]
