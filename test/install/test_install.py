"""Installs the tested build to a temporary prefix and uses it from a separate project: by find_package and by pkg-config, static and shared, in C and
in C++, and as a subproject. The installed tree is moved before use, because it must not contain the path of its creation."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(os.environ["ABUT_TEST_SOURCE_DIR"])
BUILD = Path(os.environ["ABUT_TEST_BUILD_DIR"])
SCRATCH = Path(os.environ["ABUT_TEST_SCRATCH_DIR"])
HERE = SOURCE / "test" / "install"


def cache():
    """The settings of the tested build."""
    entries = {}
    for line in (BUILD / "CMakeCache.txt").read_text().splitlines():
        match = re.match(r"^([^#/:][^:]*):[A-Z]+=(.*)$", line)
        if match:
            entries[match[1]] = match[2]
    return entries


CACHE = cache()
CMAKE = CACHE["CMAKE_COMMAND"]
COMPILER = CACHE["CMAKE_C_COMPILER"]
FLAGS = CACHE.get("CMAKE_C_FLAGS", "").split()
VERSION = ".".join(re.search(rf"ABUT_VERSION_{part} (\d+)", (SOURCE / "include/abut/base.h").read_text())[1] for part in ("MAJOR", "MINOR", "PATCH"))
EXPECTED = f"abut {VERSION}: 1 contact, gap -0.500, loop 99\n"


def run(*command, **options):
    """Runs a command; its whole output is in the error when it fails."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(str(word) for word in command)}\nended with {done.returncode}:\n{done.stdout}")
    return done.stdout


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(dir=SCRATCH))
        run(CMAKE, "--install", BUILD, "--prefix", cls.folder / "first")
        cls.prefix = cls.folder / "moved"
        (cls.folder / "first").rename(cls.prefix)
        cls.library = next(cls.prefix.rglob("libabut.a")).parent

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def environment(self):
        return {**os.environ, "PKG_CONFIG_PATH": str(self.library / "pkgconfig"), "LD_LIBRARY_PATH": str(self.library)}

    def pkg_config(self, *options):
        return run("pkg-config", *options, "abut", env=self.environment()).split()

    def build_with_cmake(self, name, *options):
        build = self.folder / name
        run(CMAKE, "-S", HERE / "consumer", "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DCMAKE_C_COMPILER={COMPILER}",
            f"-DCMAKE_C_FLAGS={' '.join(FLAGS)}", *options)
        run(CMAKE, "--build", build)
        return build / "consumer"

    def needs_shared_abut(self, program):
        return "libabut" in run("readelf", "-d", program)

    def test_find_package(self):
        for name, options, shared in (("default", [], False), ("static", ["-DCONSUMER_VARIANT=static"], False),
                                      ("shared", ["-DCONSUMER_VARIANT=shared"], True), ("asked", ["-DBUILD_SHARED_LIBS=ON"], True)):
            with self.subTest(name):
                program = self.build_with_cmake(name, *options)
                self.assertEqual(run(program), EXPECTED)
                self.assertEqual(self.needs_shared_abut(program), shared)

    def test_find_package_checks_the_version(self):
        self.assertTrue(self.build_with_cmake("same", f"-DCONSUMER_VERSION={VERSION}").exists())
        major, minor, _ = VERSION.split(".")
        for wrong in (f"{major}.{int(minor) + 1}", f"{int(major) + 1}.0"):
            with self.subTest(wrong), self.assertRaisesRegex(AssertionError, "considered but not accepted"):
                self.build_with_cmake("other" + wrong, f"-DCONSUMER_VERSION={wrong}")

    def test_find_package_refuses_an_unknown_component(self):
        with self.assertRaisesRegex(AssertionError, "abut"):
            self.build_with_cmake("unknown", "-DCONSUMER_VARIANT=plastic")

    def test_pkg_config_shared(self):
        program = self.folder / "by-pkg-config-shared"
        run(COMPILER, *FLAGS, HERE / "consumer" / "main.c", *self.pkg_config("--cflags", "--libs"), "-o", program, env=self.environment())
        self.assertTrue(self.needs_shared_abut(program))
        self.assertEqual(run(program, env=self.environment()), EXPECTED)

    def test_pkg_config_static(self):
        program = self.folder / "by-pkg-config-static"
        libraries = ["-l:libabut.a" if word == "-labut" else word for word in self.pkg_config("--static", "--libs")]
        run(COMPILER, *FLAGS, HERE / "consumer" / "main.c", *self.pkg_config("--cflags"), *libraries, "-o", program, env=self.environment())
        self.assertFalse(self.needs_shared_abut(program))
        self.assertEqual(run(program), EXPECTED)

    def test_pkg_config_version(self):
        self.assertEqual(self.pkg_config("--modversion"), [VERSION])

    def test_headers_are_cxx(self):
        compiler = shutil.which("c++")
        if compiler is None:
            self.skipTest("no C++ compiler")
        program = self.folder / "in-cxx"
        flags = [] if any("sanitize" in flag for flag in FLAGS) and "clang" in COMPILER else FLAGS
        run(compiler, "-std=c++11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", *flags, HERE / "consumer" / "main.cpp",
            *self.pkg_config("--cflags", "--libs"), "-o", program, env=self.environment())
        self.assertEqual(run(program, env=self.environment()), f"abut {VERSION}: 1\n")

    def test_every_header_stands_alone(self):
        headers = sorted((self.prefix / "include" / "abut").glob("*.h"))
        self.assertEqual([header.name for header in headers], sorted(path.name for path in (SOURCE / "include" / "abut").glob("*.h")))
        for header in headers:
            with self.subTest(header.name):
                run(COMPILER, "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-fsyntax-only", "-include", header, "-x", "c",
                    os.devnull, *self.pkg_config("--cflags"), env=self.environment())

    def test_only_public_names_are_exported(self):
        symbols = run("nm", "-D", "--defined-only", self.library / "libabut.so").splitlines()
        names = [line.split()[-1] for line in symbols]
        self.assertIn("abut_version", names)
        foreign = [name for name in names if not name.startswith("abut_") and not re.match(r"_?_(asan|ubsan|odr|tsan|sanitizer)|_(init|fini)$", name)]
        self.assertEqual(foreign, [])

    def test_nothing_remembers_where_it_was_built(self):
        for file in [*self.prefix.rglob("*.cmake"), *self.prefix.rglob("*.pc")]:
            with self.subTest(file.name):
                text = file.read_text()
                for place in (SOURCE, BUILD, self.folder):
                    self.assertNotIn(str(place) + "/", text)

    def test_the_command_and_its_man_page_are_installed(self):
        if "ABUT_TEST_COMMAND" not in os.environ:
            self.skipTest("built without the command")
        self.assertIn(VERSION, run(self.prefix / "bin" / "abut", "--version"))
        page = (self.prefix / "share" / "man" / "man1" / "abut.1").read_text()
        self.assertEqual(page, run(self.prefix / "bin" / "abut", "help", "--man"))
        self.assertRegex(page, r"(?m)^\.TH ABUT 1")
        # Every command of the help is in the man page.
        for command in re.findall(r"(?m)^    (\w+) {2,}\S", run(self.prefix / "bin" / "abut", "--help").split("Commands:")[1].split("Options:")[0]):
            self.assertIn(command, page)

    def manual(self):
        if "ABUT_TEST_COMMAND" not in os.environ:
            self.skipTest("built without the command")
        return (self.prefix / "share" / "man" / "man1" / "abut.1").read_text().replace("\\-", "-")

    def test_every_path_in_the_man_page_is_installed(self):
        """Paths below PREFIX, documents, and the scenes and meshes of the examples."""
        text, documents = self.manual(), self.prefix / "share" / "doc" / "abut"
        paths = set(re.findall(r"PREFIX/([\w./-]*\w)", text))
        self.assertTrue({"share/doc/abut/docs", "share/doc/abut/scenes", "share/doc/abut/examples"} <= paths, paths)
        if not (BUILD / "viewer" / "replay.html").exists():
            paths -= {"share/abut/replay.html"}
        for path in paths:
            self.assertTrue((self.prefix / path).exists(), path)
        names = set(re.findall(r"\b(?:docs|scenes)/[\w./-]+\.\w+", text)) | {f"docs/{name}" for name in re.findall(r"(?<![\w/])formats/[\w.-]+\.json", text)}
        self.assertTrue({"docs/formats/recording.md", "docs/formats/scene.schema.json", "scenes/wall.json", "scenes/meshes/stairs.obj"} <= names, names)
        for name in names:
            self.assertTrue((documents / name).is_file(), name)

    def test_installed_documents_are_whole(self):
        """There are as many files as in the sources, and the links between them have existing targets."""
        documents = self.prefix / "share" / "doc" / "abut"
        for folder in ("docs", "scenes", "examples"):
            sources = {path.relative_to(SOURCE) for path in (SOURCE / folder).rglob("*") if path.is_file()}
            expected = {path for path in sources if path.name not in ("Doxyfile", "CMakeLists.txt")}
            self.assertEqual({path.relative_to(documents) for path in (documents / folder).rglob("*") if path.is_file()}, expected)
        for page in (documents / "docs").rglob("*.md"):
            for link in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text()):
                target = (page.parent / link).resolve()
                if documents.resolve() in target.parents and target.relative_to(documents.resolve()).parts[0] in ("docs", "scenes", "examples"):
                    self.assertTrue(target.exists(), f"{page.name}: {link}")

    def test_installed_scenes_run(self):
        self.manual()
        scenes = sorted((self.prefix / "share" / "doc" / "abut" / "scenes").glob("*.json"))
        self.assertGreater(len(scenes), 20)
        self.assertEqual(run(self.prefix / "bin" / "abut", "check", *scenes).count(": OK, "), len(scenes))

    def test_subproject(self):
        build = self.folder / "subproject"
        run(CMAKE, "-S", HERE / "subproject", "-B", build, "-G", "Ninja", f"-DABUT_SOURCE_DIR={SOURCE}", f"-DCMAKE_C_COMPILER={COMPILER}")
        tests = run(Path(CMAKE).with_name("ctest"), "--test-dir", build, "-N")
        self.assertIn("Total Tests: 0", tests)


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)
    unittest.main(verbosity=2)
