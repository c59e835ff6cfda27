#include "download/options/get_options.hh"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "download/files/chunk_plan.hh"
#include "download/files/file_name.hh"
#include "download/film/film_file.hh"
#include "program/options/channel_option.hh"
#include "program/options/given_address.hh"
#include "program/options/proxy_options.hh"
#include "transport/connections/address_guard.hh"
#include "transport/connections/cookie_jar.hh"
#include "transport/connections/origin.hh"
#include "transport/connections/own_fields.hh"
#include "transport/sockets/rate_limit.hh"
#include "units/text/quantity_text.hh"

namespace tributary {
namespace {

constexpr const char* kStandardOutput = "/dev/stdout";
constexpr std::uint32_t kChunksInFlight = 8;
constexpr DataSize kTitleInFlight{64'000'000};  // kept in memory
constexpr std::uint32_t kMostSegmentsInFlight = 32;

const Introduction kIntroduction{
    "Downloads files over all links at once, from any web server; or the title of an HLS or DASH manifest, as one "
    "film. While it runs, FILE.part has the bytes, and FILE.part.json says which of them are there.",
    "0 if the file is whole, 2 for a wrong command line, 130 after Ctrl-C, 63 if the caps of all links are used up, "
    "32 if it is not the file of --checksum; others are those of curl. Of several files: of the first that failed.",
    {"tributary-get https://example.org/film.iso",
     "tributary-get -C -o film.iso https://example.org/film.iso    # go on",
     "tributary-get -o film.mp4 https://example.org/film.mpd       # the title"}};

void add_title_options(CLI::App& app, GetOptions& options, std::vector<std::string>& channels) {
  app.add_flag(
      "--remux", options.remux,
      "URL is a manifest: write its title into one film, without encoding. So does a manifest with -o FILE.mp4, "
      ".mkv, .mov or .webm.");
  app.add_option("--quality", options.quality, "Fetch this quality: best, lowest, its name, or at most as 720p.")
      ->option_text("QUALITY")
      ->default_str(options.quality);
  app.add_option("--audio", options.audio, "Fetch the sound in this language, as de or pt-BR, or with this name.")
      ->option_text("LANGUAGE")
      ->default_str("the first");
  add_channel(app, channels);
  group(app, "Title of a manifest", {"--remux", "--quality", "--audio", "--channel"});
}

void add_file_options(CLI::App& app, GetOptions& options, std::optional<std::string>& list) {
  app.add_option("-o,--output", options.output, "Write to this file, or into this folder; - is standard output.")
      ->option_text("FILE")
      ->default_str(
          "the name that the server gives it, or else the last part of the URL, in this folder, with a number if there is "
          "such a file");
  app.add_flag("--overwrite", options.overwrite, "Replace a file that is there.");
  app.add_flag("-C,--continue", options.resume, "Go on with an interrupted download. A file that is whole stays.");
  app.add_option("--input-file", list,
                 "Fetch the addresses of this file as well, one in each line; - is standard input. A line that begins "
                 "with a blank is about the address before it: out=NAME, dir=FOLDER, checksum=TYPE=DIGITS.")
      ->option_text("FILE");
  add_read(app, "--checksum", options.checksum, read_checksum,
           "Keep the file only if it has this digest, as sha256:0a1b and so on.")
      ->option_text("TYPE:DIGITS");
  group(app, "File", {"--output", "--overwrite", "--continue", "--input-file", "--checksum"});
}

/// Without a unit, or with k, M or G alone, the number is of bytes, as for curl, wget and aria2.
DataRate read_limit(const std::string& text) {
  DataRate rate;
  if (text.ends_with("bps") || text.ends_with("bit/s")) {
    rate = parse_rate(text);
  } else {
    std::string size = text.ends_with("B/s") ? text.substr(0, text.size() - 2) : text;
    if (!size.empty() && std::string_view{"kKmMgG"}.find(size.back()) != std::string_view::npos)
      size = fmt::format("{}{}iB", size.substr(0, size.size() - 1), static_cast<char>(std::toupper(size.back())));
    rate = parse_size(size) / Duration{std::chrono::seconds{1}};
  }
  if (rate < DataRate::bits_per_second(8)) throw std::invalid_argument{fmt::format("\"{}\" lets nothing come", text)};
  return rate;
}

void add_request_options(CLI::App& app, GetOptions& options) {
  app.add_option_function<std::vector<std::string>>(
         "-H,--header",
         [&options](const std::vector<std::string>& lines) {
           read_for("--header", [&] {
             for (const std::string& line : lines) options.fields.push_back(transport::read_field(line));
           });
         },
         "Send this field with each request; repeat the option for more. Authorization and Cookie go to the origin of the "
         "URL only, also after a redirection.")
      ->option_text("\"NAME:VALUE\"")
      ->allow_extra_args(false);
  app.add_option_function<std::string>(
         "--user", [&options](const std::string& text) { options.login = read_login(text); },
         "Ask as this user (Basic). An address may have the user in it as well.")
      ->option_text("NAME:PASSWORD");
  app.add_flag("--netrc", options.netrc, "Take the user of each server from ~/.netrc.");
  add_read(app, "--limit-rate", options.rate_limit, read_limit,
           "Let all links together bring no more: 500kB/s, 4Mbps, or 500k, which are KiB/s as for curl.")
      ->option_text("RATE");
  group(app, "Server", {"--header", "--user", "--netrc", "--limit-rate"});
}

/// Throws UsageError, or std::invalid_argument.
std::vector<ListedFile> files_of_list(const std::string& name) {
  if (name == "-") return read_list(std::cin, "standard input");
  errno = 0;
  std::ifstream file{name};
  if (!file) throw UsageError{fmt::format("cannot read {}: {}", name, std::strerror(errno))};
  return read_list(file, name);
}

/// Throws std::invalid_argument.
void expect_what_fits(const GetOptions& options) {
  const bool several = options.files.size() > 1;
  const bool in_folder = options.output.empty() || is_folder(options.output);
  if (several && !in_folder)
    throw std::invalid_argument("--output: several files need a folder, and there is no folder " + options.output);
  if (several && options.checksum) throw std::invalid_argument("--checksum is that of one file: give one URL");
  if (several && options.trace_file) throw std::invalid_argument("--trace is that of one file: give one URL");
  if (options.checksum && (options.remux || options.output == kStandardOutput))
    throw std::invalid_argument("--checksum needs a plain file: neither a title nor standard output");
  if (options.json && options.output == kStandardOutput)
    throw std::invalid_argument("--json prints on standard output, where the file goes: say -o FILE");
}

/// Throws std::invalid_argument.
void expect_a_film(const GetOptions& options, bool asks_for_parts) {
  const bool is_film = film_suffix(options.output).has_value();
  if (options.remux && !options.output.empty() && !is_film)
    throw std::invalid_argument("--remux writes .mp4, .mkv, .mov or .webm: say -o FILE.mp4");
  if (asks_for_parts && !options.remux && !is_film)
    throw std::invalid_argument("--quality and --audio are for the title of a manifest: say -o FILE.mp4, or --remux");
}

/// The film of a folder is that of its title: the folder itself is no file.
bool wants_title_of_folder(const GetOptions& options, const std::string& url) {
  return film_suffix(options.output) && url.substr(0, url.find_first_of("?#")).ends_with('/');
}

/// `output`: that of all.
std::string output_of(const ListedFile& file, const std::string& output) {
  if (file.folder.empty() && file.name.empty()) return output;
  const std::filesystem::path folder{file.folder.empty() && is_folder(output) ? output : file.folder};
  return folder / file.name;  // without a name, ends with a slash, as a folder does
}

}  // namespace

GetOptions options_for(const GetOptions& all, const ListedFile& file) {
  GetOptions options = all;
  options.url = file.url;
  options.output = output_of(file, all.output);
  if (file.checksum) options.checksum = file.checksum;
  options.remux = all.remux || wants_title_of_folder(options, file.url);
  if (const auto named = take_login(options.url); named && !options.login) options.login = named;
  const transport::Origin origin = transport::parse_url(options.url).origin;
  if (options.netrc && !options.login) options.login = login_in_netrc(read_netrc(), origin.host);
  transport::OwnFields own{origin, options.fields};
  if (options.login && !transport::has_field(own.fields, "Authorization"))
    own.fields.push_back(transport::basic_authorization(options.login->user, options.login->password));
  options.rules.guard = std::make_shared<transport::AddressGuard>(options.url);
  options.rules.cookies = std::make_shared<transport::CookieJar>();
  if (!own.fields.empty()) options.rules.own_fields = std::make_shared<transport::OwnFields>(std::move(own));
  if (options.rate_limit) options.rules.rate_limit = std::make_shared<transport::RateLimit>(*options.rate_limit);
  return options;
}

GetOptions parse_command_line(int argc, char** argv) {
  GetOptions options;
  CLI::App app{"", "tributary-get"};
  introduce(app, kIntroduction);
  add_version(app, TRIBUTARY_VERSION);
  std::vector<std::string> urls;
  app.add_option("URL", urls, "The address of the file: http or https. Several are fetched one after the other.");
  std::optional<std::string> list;
  add_file_options(app, options, list);
  std::vector<std::string> channels;
  add_title_options(app, options, channels);
  add_network_options(app, options);
  add_proxy_options(app, options);
  add_connections(app, options.connections);
  add_request_options(app, options);
  add_approach(
      app, options.subsegments,
      "Size requests so that all links end together (balanced), by the rate of each link (dynamic), or alike (static).");
  add_read(app, "--subsegment-size", options.subsegment_size, parse_size, "Bytes of a request.")
      ->option_text("SIZE")
      ->default_str("50kB to 400kB, by the size of the file");
  app.add_option("--depth", options.depth, "Outstanding requests on each link, with dynamic and static subsegments.")
      ->option_text("N")
      ->default_str("4");
  add_forget(app, options.forget);
  app.add_option("--trace", options.trace_file, "Write every event, and every decision with its reason.")
      ->option_text("FILE");
  app.add_flag("--json", options.json, "Print the figures of the download as JSON, one line on standard output.");
  app.add_flag("-q,--quiet", options.quiet, "Print only errors, and the figures of --json.");
  group(app, "", {"--subsegments", "--subsegment-size", "--depth"});  // for experiments: not in --help
  group(app, "Messages and figures", {"--json", "--quiet", "--trace"});
  constexpr std::array<std::string_view, 3> kSecretOptions{"--header", "-H", "--user"};
  const auto check = [&] {
    choose_channels(channels, urls);
    for (const std::string& url : urls) options.files.push_back({.url = url, .folder = "", .name = ""});
    if (list) std::ranges::move(files_of_list(*list), std::back_inserter(options.files));
    if (options.files.empty() && !options.forget) throw CLI::RequiredError("URL");
    for (ListedFile& file : options.files) file.url = given_address("tributary-get", file.url, options.quiet);
    if (options.output == "-") options.output = kStandardOutput;
    expect_what_fits(options);
    expect_a_film(options, app.count("--quality") + app.count("--audio") > 0);
    validate(session_options(options, DataSize{}));
  };
  parse(app, argc, argv, check, kSecretOptions);
  return options;
}

SessionOptions session_options(const GetOptions& options, DataSize object) {
  SessionOptions session;
  session.mode = StreamingMode::kDownload;
  session.subsegments = options.subsegments;
  session.subsegment_size = options.subsegment_size.value_or(subsegment_size_for(object));
  session.depth = options.depth;
  session.connections = options.connections;
  session.buffer_segments = kChunksInFlight;
  session.adaptation = std::string{"fixed:"} + kObjectTrack;
  session.start = StartRule::kFast;  // by what is remembered of the links
  return session;
}

SessionOptions title_options(const GetOptions& options, const std::string& quality, DataSize title,
                             std::size_t segments) {
  SessionOptions session = session_options(options, title);
  session.adaptation = "fixed:" + quality;
  session.in_order = true;
  const double in_flight = kTitleInFlight / title * static_cast<double>(segments);
  session.buffer_segments =
      static_cast<std::uint32_t>(std::clamp<double>(in_flight, kChunksInFlight, kMostSegmentsInFlight));
  return session;
}

std::optional<std::string> film_suffix(const std::string& path) {
  std::string suffix = std::filesystem::path{path}.extension().string();
  std::ranges::transform(suffix, suffix.begin(), [](unsigned char c) { return std::tolower(c); });
  if (suffix.empty() || !is_film_suffix(suffix.substr(1))) return std::nullopt;
  return suffix.substr(1);
}

}  // namespace tributary
