class Abut < Formula
  desc "Contact between bodies: where, along which normal, how deep, with which forces"
  homepage "https://abut.example"
  url "https://abut.example/archive/v0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "hdf5"
  depends_on "jansson"
  depends_on "qhull"

  uses_from_macos "zlib"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DABUT_REQUIRE_ALL=ON", "-DABUT_TESTS=OFF", "-DABUT_EXAMPLES=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    (testpath/"ball.json").write <<~JSON
      {"abut_scene": 1, "duration": 0.1, "bodies": [{"name": "ball", "shape": {"sphere": {"radius": 0.1}}}]}
    JSON
    system bin/"abut", "check", "ball.json"
  end
end
