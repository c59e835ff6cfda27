#pragma once

#include <boost/container/small_vector.hpp>

#include "units/identifiers.hh"

namespace tributary {

/// A value for each of some links. There are few, and they are looked through with every event: they need no heap.
template <typename T>
using OfLinks = boost::container::small_vector<T, 4>;

using LinkIds = OfLinks<LinkId>;

}  // namespace tributary
