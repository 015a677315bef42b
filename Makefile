# The common tasks. CMake does the work: see CMakePresets.json.
# CMAKE_OPTIONS is passed to CMake, for example: make test CMAKE_OPTIONS=-DABUT_WERROR=ON
CMAKE_OPTIONS ?=
SCENE ?= scenes/wall.json
FUZZ_SECONDS ?= 300
RESULT ?= out/$(basename $(notdir $(SCENE))).h5

# `make run` does not install packages that only the tests need. The tests are off until `make test` turns them on.
WITHOUT_TESTS = $(if $(wildcard build/release/CMakeCache.txt),,-DABUT_TESTS=OFF)

.PHONY: help run viewer module python lammps windows test test-asan test-tsan bench fuzz docs format clean

help:
	@echo "make run         install missing packages, build, simulate a brick wall"
	@echo "                 (another scene: make run SCENE=scenes/NAME.json)"
	@echo "make viewer      install missing packages (Emscripten, npm's packages), build the web pages: replay, contact explorer, sandbox"
	@echo "make module      install missing packages (Emscripten), build the WebAssembly module of the web pages"
	@echo "make python      install missing packages, build the Python package, test its wheel in a fresh environment (build/python)"
	@echo "make lammps      install missing packages, build the LAMMPS plugin, test its wheel on 1, 2 and 4 ranks (build/lammps; some minutes)"
	@echo "make windows     install missing packages (wine), build the library and the command for Windows, test them in wine (build/windows; some minutes)"
	@echo "make test        install missing packages, build, run every test"
	@echo "make test-asan   the same with the address and undefined-behaviour sanitizers"
	@echo "make test-tsan   the tests of worlds and batches on several threads, with the thread sanitizer"
	@echo "make bench       install missing packages (including other libraries for comparison), build, run the benchmarks"
	@echo "make fuzz        install missing packages (clang), search for inputs that break something, five minutes for each target"
	@echo "                 (longer: make fuzz FUZZ_SECONDS=3600)"
	@echo "make docs        make the reference manual of the headers (Doxygen)"
	@echo "make format      format all sources with clang-format"
	@echo "make clean       remove build/"

run:
	@scripts/dev/setup.sh run
	@cmake --preset release -DABUT_REQUIRE_ALL=ON $(WITHOUT_TESTS) $(CMAKE_OPTIONS)
	@cmake --build --preset release --target abut_command
	@mkdir -p $(dir $(RESULT))
	build/release/abut run $(SCENE) -o $(RESULT)
	@echo
	@echo "The recording is $(RESULT) (HDF5). What to do next:"
	@echo "    build/release/abut view $(RESULT) -o $(basename $(RESULT)).html   watch it in a browser (after 'make viewer')"
	@echo "    build/release/abut export $(RESULT) $(basename $(RESULT)).glb   the same for any glTF viewer"
	@echo "    build/release/abut export $(RESULT) $(basename $(RESULT)).csv   every step's contacts, penetration, energies and timings"
	@echo "    build/release/abut --help                     everything else"

viewer:
	@scripts/dev/setup.sh viewer
	@cmake --preset release -DABUT_REQUIRE_ALL=ON -DABUT_VIEWER=ON $(WITHOUT_TESTS) $(CMAKE_OPTIONS)
	@cmake --build --preset release --target abut_viewer abut_command
	@echo
	@echo "Pages to open in a browser, from the disk as they are:"
	@echo "    build/release/viewer/sandbox.html     drag bodies about"
	@echo "    build/release/viewer/explorer.html    two shapes: every number of their contact"
	@echo "    build/release/abut view RUN.h5        makes a page that replays a recording"

module:
	@scripts/dev/setup.sh viewer
	@scripts/dev/module.sh

python:
	@scripts/dev/setup.sh python
	@scripts/dev/python.sh

lammps:
	@scripts/dev/setup.sh lammps
	@scripts/dev/lammps.sh

windows:
	@scripts/dev/setup.sh windows
	@cmake --preset release -DABUT_REQUIRE_ALL=ON $(WITHOUT_TESTS) $(CMAKE_OPTIONS)
	@cmake --build --preset release --target abut_command
	@scripts/dev/windows.sh

test:
	@scripts/dev/setup.sh test
	@scripts/dev/test.sh release -DABUT_VIEWER=ON $(CMAKE_OPTIONS)

test-asan:
	@scripts/dev/setup.sh test
	@scripts/dev/test.sh asan-ubsan $(CMAKE_OPTIONS)

test-tsan:
	@scripts/dev/setup.sh test
	@scripts/dev/test.sh tsan $(CMAKE_OPTIONS)

bench:
	@scripts/dev/setup.sh bench
	@cmake --preset release -DABUT_REQUIRE_ALL=ON -DABUT_BENCH=ON $(WITHOUT_TESTS) $(CMAKE_OPTIONS)
	@cmake --build --preset release
	build/release/bench/bench_narrow --json build/release/bench/narrow.json
	build/release/bench/bench_smooth --json build/release/bench/smooth.json
	build/release/bench/bench_lcp --json build/release/bench/lcp.json
	build/release/bench/bench_depth --json build/release/bench/depth.json
	build/release/bench/bench_tetmesh --json build/release/bench/tetmesh.json
	build/release/bench/bench_facet --json build/release/bench/facet.json
	build/release/bench/bench_dem --json build/release/bench/dem.json
	build/release/bench/bench_grains --json build/release/bench/grains.json
	build/release/bench/bench_joints --json build/release/bench/joints.json
	build/release/bench/bench_world
	@echo
	@echo "python3 scripts/measure/bench_report.py build/release/bench/NAME.json writes the tables of a benchmark into docs/results/NAME.md"

fuzz:
	@scripts/dev/setup.sh fuzz
	@scripts/dev/fuzz.sh $(FUZZ_SECONDS)

docs:
	@command -v doxygen >/dev/null || { echo "make docs: doxygen is missing (Debian: doxygen)" >&2; exit 1; }
	@mkdir -p build/docs
	@doxygen docs/Doxyfile
	@echo "The manual is build/docs/html/index.html"

format:
	@command -v clang-format >/dev/null || { echo "make format: clang-format is missing (Debian: clang-format)" >&2; exit 1; }
	@git ls-files '*.c' '*.h' '*.cpp' ':!src/base/elementary_tables.h' ':!src/narrow/dispatch.c' ':!include' | xargs clang-format -i

clean:
	rm -rf build
