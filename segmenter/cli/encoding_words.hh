#pragma once

#include <CLI/CLI.hpp>

#include "segmenter/encode/encoding_options.hh"

namespace tributary::segmenter {

/// Adds the options of qualities, codecs and sound. `options` get the program's defaults, and must outlive the app.
void declare_encoding(CLI::App& app, EncodingOptions& options);
/// Throws UsageError that names an option that another one contradicts.
void check_encoding(const EncodingOptions& options);

}  // namespace tributary::segmenter
