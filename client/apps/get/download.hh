#pragma once

#include "apps/get/get_options.hh"

namespace tributary {

/// Downloads what the options say, and reports. The exit status; throws GetError, NoLinkWorked or WriteError where the
/// download could not begin or go on.
int download(const GetOptions& options);

}  // namespace tributary
