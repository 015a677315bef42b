"""The version of the plugin: that of the library that it is built with."""

VERSION = "0.1.0"
