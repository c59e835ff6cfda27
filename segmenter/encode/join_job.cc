#include "segmenter/encode/join_job.hh"

#include <fmt/format.h>

#include <map>
#include <set>

#include "segmenter/encode/finish_run.hh"
#include "segmenter/failure.hh"
#include "segmenter/publish/file_bytes.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;

struct Shard {
  fs::path directory;
  UnfinishedRun run;
};

[[noreturn]] void refuse(const fs::path& directory, const std::string& why) {
  throw Failure{ExitCode::kInput, fmt::format("{}: {}", directory.string(), why)};
}

/// By their numbers.
using Shards = std::map<std::uint64_t, Shard>;

Shards read_shards(const std::vector<fs::path>& directories) {
  Shards shards;
  for (const fs::path& directory : directories) {
    auto run = UnfinishedRun::find(directory);
    if (!run || !run->shard()) refuse(directory, "no shard that was made with --shard");
    const ShardNumber shard = *run->shard();
    if (!shards.empty()) {
      const Shard& other = shards.begin()->second;
      const std::string differs = difference(run->terms(), other.run.terms());
      if (!differs.empty())
        refuse(directory, fmt::format("no shard of what {} is a shard of: {}", other.directory.string(), differs));
      if (shard.of != other.run.shard()->of)
        refuse(directory, fmt::format("one of {} shards, but {} is one of {}", shard.of, other.directory.string(),
                                      other.run.shard()->of));
    }
    const auto [place, is_new] = shards.try_emplace(shard.number, Shard{directory, *std::move(run)});
    if (!is_new)
      refuse(directory,
             fmt::format("shard {} of {}, as {} is", shard.number, shard.of, place->second.directory.string()));
  }
  return shards;
}

void check_all_there(const Shards& shards) {
  const std::uint64_t of = shards.begin()->second.run.shard()->of;
  std::string missing;
  for (std::uint64_t number = 1; number <= of; ++number) {
    if (!shards.contains(number)) missing += fmt::format("{}{}/{}", missing.empty() ? "" : ", ", number, of);
  }
  if (!missing.empty()) throw Failure{ExitCode::kInput, fmt::format("not given: shard {}", missing)};
  std::uint64_t next = 0;
  for (const auto& [number, shard] : shards) {
    const auto unfinished = [&, number = number, &directory = shard.directory](const std::string& why) {
      refuse(directory,
             fmt::format("shard {}/{} is not finished{} (the same command goes on with it)", number, of, why));
    };
    if (!shard.run.shard_is_finished()) unfinished("");
    if (number == of && !shard.run.pictures())
      unfinished(", the end or files of the sound or of subtitles are missing");
    for (const auto& [section, content] : shard.run.sections()) {
      if (section != next++)
        unfinished(fmt::format(", files before {} are missing", content.tracks[0].segment(SegmentIndex{0}).uri));
    }
  }
  if (next == 0) refuse(shards.begin()->second.directory, "no segment");
}

class Joining {
 public:
  Joining(const Publication& publication, const std::atomic<bool>& interrupted)
      : publication_{publication}, interrupted_{interrupted} {}

  void take(const fs::path& directory, const Presentation& content) {
    for (const Track& track : content.tracks) {
      if (track.init) take_init(directory, track.init->uri);
      if (track.whole) publication_.publish_link(*track.whole, directory / *track.whole);
      for (std::size_t i = 0; i < track.sizes.size(); ++i) {
        if (interrupted_) throw Failure{ExitCode::kInterrupted, "interrupted"};
        const std::string name = track.segment(static_cast<SegmentIndex>(i)).uri;
        publication_.publish_link(name, directory / name);
      }
    }
  }

 private:
  void take_init(const fs::path& directory, const std::string& name) {
    const auto init = read_file(directory / name);
    if (!init) refuse(directory, fmt::format("cannot read {}", name));
    const auto [known, is_new] = inits_.try_emplace(name, *init);
    if (is_new) publication_.publish(name, *init);
    if (known->second != *init) refuse(directory, fmt::format("{} is not that of the other shards", name));
  }

  const Publication& publication_;
  const std::atomic<bool>& interrupted_;
  std::map<std::string, std::string> inits_;
};

}  // namespace

EncodeResult join(const JoinOptions& options, const std::atomic<bool>& interrupted) {
  const Shards shards = read_shards(options.shards);
  check_all_there(shards);
  const Publication publication{options.output, options.existing};
  UnfinishedRun whole{{}, {}};
  Joining joining{publication, interrupted};
  for (const auto& [number, shard] : shards) {
    for (const auto& [section, content] : shard.run.sections()) {
      joining.take(shard.directory, content);
      whole.add_section(publication, section, content);
    }
  }
  const UnfinishedRun& last = shards.rbegin()->second.run;
  if (last.sound()) joining.take(shards.rbegin()->second.directory, *last.sound());
  whole.add_end(publication, last.sound(), *last.pictures());
  finish(publication, whole, finish_terms(last.terms()), interrupted);
  return {.pictures = *last.pictures(), .segments = whole.segments(), .expected = {}, .remarks = {}};
}

}  // namespace tributary::segmenter
