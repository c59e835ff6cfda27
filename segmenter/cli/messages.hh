#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "segmenter/encode/encode_job.hh"
#include "segmenter/libav/source_damage.hh"
#include "segmenter/progress.hh"

namespace tributary::segmenter {

inline constexpr const char* kMessageGroup = "Messages";

/// What the program says of its work, for people or for programs. Warnings are always said.
struct Messages {
  bool quiet = false;
  bool json = false;  // one object a line on standard output

  ProgressReport progress() const;
  /// For programs only: the last event of a successful run, with the place of its output and `fields`.
  void tell_result(const std::filesystem::path& output, const nlohmann::ordered_json& fields) const;
  void tell_result(const std::filesystem::path& output, const EncodeResult& result) const;
  void tell_error(int exit_status, const std::string& text) const;
  /// Whether people are told of a success.
  bool for_people() const { return !quiet && !json; }
};

/// --quiet and --json.
void declare_messages(CLI::App& app, Messages& messages);

/// One JSON object a line, for programs.
void print_event(const nlohmann::ordered_json& event);
nlohmann::ordered_json with_damage(nlohmann::ordered_json fields, const SourceDamage& damage);
void warn_of_damage(const std::string& input, const SourceDamage& damage);

/// Shows the progress of `make`, warns of faults of the input, and tells the result.
void report_on(const Messages& messages, const std::string& input, const std::filesystem::path& output,
               const std::function<EncodeResult(ProgressReport&)>& make);

}  // namespace tributary::segmenter
