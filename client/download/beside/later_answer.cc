#include "download/beside/later_answer.hh"

#include <chrono>
#include <utility>

namespace tributary {

transport::OriginPace endless_patience() {
  transport::OriginPace pace;
  pace.went_on_after(std::chrono::hours{24});
  return pace;
}

LaterAnswer::LaterAnswer(ChunkSink& sink, transport::RangeRequest asked, Connect connect)
    : sink_{sink}, asked_{std::move(asked)}, connect_{std::move(connect)} {}

void LaterAnswer::begin(ByteRange range, TimePoint now) {
  asked_.range = range;
  transport_ = connect_();
  transport_->submit(asked_, now);
}

bool LaterAnswer::advance(TimePoint now) {
  if (!transport_) return false;
  transport_->advance(now);
  while (transport_) {
    const auto event = transport_->next_event();
    if (!event) return false;
    take(*event);
  }
  return true;
}

void LaterAnswer::take(const transport::Event& event) {
  if (const auto* body = std::get_if<transport::BodyReceived>(&event)) {
    sink_.write(body->offset, body->bytes);
    received_ += size_of(body->bytes);
  } else if (!std::holds_alternative<transport::ResponseBegan>(event)) {
    const auto* failed = std::get_if<transport::RequestFailed>(&event);
    is_of_another_ = failed != nullptr && (failed->reason == FailureReason::kEntityChanged ||
                                           failed->reason == FailureReason::kVersionsDiffer);
    transport_.reset();
  }
}

std::optional<TimePoint> LaterAnswer::next_deadline() const {
  return transport_ ? transport_->next_deadline() : std::nullopt;
}

}  // namespace tributary
