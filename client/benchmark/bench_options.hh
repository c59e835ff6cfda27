#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/session_options.hh"
#include "program/options/command_line.hh"

namespace tributary {

/// The command line of tributary-bench.
struct BenchOptions : NetworkOptions {
  std::string index;  // URL, or a file where nothing is fetched
  SessionOptions session;
  std::string audio;  // its language or name; empty: the first sound
  std::optional<std::size_t> segments;
  std::optional<Duration> part;  // prepared content is published in partial segments of this length
  std::uint64_t seed = 1;
  std::optional<std::string> scenario;   // simulate
  std::optional<std::string> community;  // no session, but an experiment with a community
  bool forget_sizes = false;             // and learn them from answers
  std::optional<std::string> replay;     // a trace
  bool batch = false;                    // more command lines follow
  bool forget = false;                   // what is remembered of links
  std::string run_id;

  std::optional<std::string> summary_file, segments_file, requests_file, links_file, misses_file, p1203_file,
      trace_file, save_film, save_raw;
  bool explain = false;
  bool quiet = false;
};

/// Throws CommandLineEnd (command_line/parse.hh).
BenchOptions parse_command_line(int argc, char** argv);

}  // namespace tributary
