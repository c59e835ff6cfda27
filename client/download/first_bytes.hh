#pragma once

#include <functional>
#include <string>

#include "download/found_object.hh"
#include "download/options/get_options.hh"
#include "transport/connections/curl_loop.hh"

namespace tributary {

/// The first bytes of a file on the disk, enough to know a manifest by (kEnoughOfManifest). Empty: it cannot be read.
std::string first_bytes_of(const std::string& path);
/// Those of an object that was found, decoded if it comes coded; empty: they cannot be. `path`: the file that has them, if
/// the object came whole. `wait` is called until they have come. Throws what it throws, and transport::FetchError.
std::string first_bytes_of(const FoundObject& object, const std::string& path, const GetOptions& options,
                           transport::CurlLoop& loop, const std::function<void()>& wait);

}  // namespace tributary
