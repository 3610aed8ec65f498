#pragma once

#include "base/descriptor.hpp"
