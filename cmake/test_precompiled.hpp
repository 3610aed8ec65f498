// What nearly every test includes and takes longest to read.
#include "precompiled.hpp"

#include <gtest/gtest.h>
