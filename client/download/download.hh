#pragma once

#include "download/options/get_options.hh"

namespace tributary {

/// Downloads the object that the options name, and reports. Returns the exit status. Throws GetError, NoLinkWorked or
/// WriteError if the download cannot begin or go on.
int download(const GetOptions& options);

}  // namespace tributary
