#include "simulation/scenario.hh"

namespace tributary {}
