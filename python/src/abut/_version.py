"""The version of the package: that of the library that it is built with."""

VERSION = "0.1.0"
