#include "segmenter/encoders/encoder_settings.hh"

#include <nlohmann/json.hpp>

namespace tributary::segmenter {
namespace {

using nlohmann::json;

template <typename T>
json or_null(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

std::optional<int> integer_or_nothing(const json& value) {
  return value.is_null() ? std::nullopt : std::optional{value.get<int>()};
}

}  // namespace

json to_json(const EncoderSettings& settings) {
  const VideoEncoding& encoding = settings.encoding;
  const EncoderTask& task = settings.task;
  return {{"codec", encoding.codec},
          {"encoder", encoding.encoder},
          {"preset", encoding.preset},
          {"rateControl", encoding.rate_control},
          {"crf", or_null(encoding.crf)},
          {"quality", settings.quality},
          {"size", {settings.size.width, settings.size.height}},
          {"pixelAspect", {settings.pixel_aspect.num, settings.pixel_aspect.den}},
          {"colors", {settings.colors.primaries, settings.colors.transfer, settings.colors.matrix}},
          {"rate", {settings.rate.num, settings.rate.den}},
          {"group", settings.group},
          {"threads", settings.threads},
          {"target", {task.rate.average, task.rate.most, task.rate.buffer}},
          {"lookAhead", task.look_ahead ? json{task.look_ahead->pictures, task.look_ahead->strict} : json(nullptr)},
          {"pass", task.pass ? json(task.pass->number) : json(nullptr)},
          {"statistics", task.pass ? task.pass->statistics : ""}};
}

EncoderSettings encoder_settings_from(const json& settings) {
  EncoderSettings read;
  read.encoding = {settings.at("codec"), settings.at("encoder"), settings.at("preset"), settings.at("rateControl"),
                   integer_or_nothing(settings.at("crf"))};
  read.quality = settings.at("quality");
  read.size = {settings.at("size").at(0), settings.at("size").at(1)};
  read.pixel_aspect = {settings.at("pixelAspect").at(0), settings.at("pixelAspect").at(1)};
  const json& colors = settings.at("colors");
  read.colors = {colors.at(0), colors.at(1), colors.at(2)};
  read.rate = {settings.at("rate").at(0), settings.at("rate").at(1)};
  read.group = settings.at("group");
  read.threads = settings.at("threads");
  const json& target = settings.at("target");
  read.task = {{target.at(0), target.at(1), target.at(2)}, {}, {}};
  const json& ahead = settings.at("lookAhead");
  if (!ahead.is_null()) read.task.look_ahead = LookAhead{ahead.at(0), ahead.at(1)};
  if (!settings.at("pass").is_null()) read.task.pass = EncoderPass{settings.at("pass"), settings.at("statistics")};
  return read;
}

}  // namespace tributary::segmenter
