#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/session_options.hh"
#include "download/files/checksum.hh"
#include "download/options/listed_file.hh"
#include "download/options/login.hh"
#include "program/options/command_line.hh"
#include "transport/http_transport.hh"
#include "units/data_rate.hh"

namespace tributary {

/// The command line of tributary-get.
struct GetOptions : NetworkOptions {
  std::vector<ListedFile> files;  // one after the other
  std::string url;                // of this one, without a user's name
  std::string output;             // empty: the last part of the URL's path
  bool remux = false;             // the URL is a manifest, and its title is wanted
  std::string quality = "best";   // of a title
  std::string audio;              // its language or name; empty: the first sound of a title
  bool resume = false;
  bool overwrite = false;  // a file that is there may be replaced
  std::optional<Checksum> checksum;
  transport::RequestFields fields;  // of the user, for each address
  std::optional<Login> login;
  bool netrc = false;  // without a login, that of ~/.netrc
  std::optional<DataRate> rate_limit;
  bool forget = false;  // what is remembered of links
  SubsegmentApproach subsegments = SubsegmentApproach::kBalanced;
  std::optional<DataSize> subsegment_size;  // nothing: what suits the size of the object
  std::uint32_t depth = 4;
  std::uint32_t connections = 0;  // SessionOptions::connections
  std::optional<std::string> trace_file;
  bool json = false;
  bool quiet = false;
};

/// Throws CommandLineEnd (command_line/parse.hh).
GetOptions parse_command_line(int argc, char** argv);

/// The options of one download: its address, and how requests for it are made. A user's name that the address has counts
/// as that of --user. Throws transport::UrlError; std::runtime_error for a .netrc that cannot be read.
GetOptions options_for(const GetOptions& all, const ListedFile& file);

/// The options of the session that fetches an object of this size.
SessionOptions session_options(const GetOptions& options, DataSize object);

/// The options of the session that fetches a title of this size and number of segments, which are delivered in order.
SessionOptions title_options(const GetOptions& options, const std::string& quality, DataSize title,
                             std::size_t segments);

/// "mp4" of "film.mp4", in lower case; nothing if no film can be written under such a name.
std::optional<std::string> film_suffix(const std::string& path);

}  // namespace tributary
