#include "proxy/held/held_answer.hh"

#include <algorithm>
#include <utility>

#include "system/utc_now.hh"
#include "transport/documents/document_fetch.hh"
#include "transport/documents/object_fetch.hh"

namespace tributary::proxy {
namespace {

using transport::DocumentFetch;
using transport::FetchError;
using transport::ObjectFetch;
using transport::ObjectHead;

constexpr DataSize kLargestManifest{64'000'000};
constexpr DataSize kLargestFile{96'000'000};  // of unknown size

class Document : public HeldAnswer {
 public:
  Document(std::string url, Duration at_most, std::function<void(HeldDocument)> done)
      : url_{std::move(url)}, at_most_{at_most}, done_{std::move(done)} {}

  std::unique_ptr<Attempt> ask(transport::CurlLoop& loop, const transport::LinkRules& over_link) override {
    return std::make_unique<Fetch>(*this, loop, over_link);
  }
  void came() override { done_({.file = std::move(file_), .status = 200, .why = ""}); }
  void failed(unsigned status, const std::string& why) override { done_({.file = {}, .status = status, .why = why}); }

 private:
  class Fetch : public Attempt {
   public:
    Fetch(Document& document, transport::CurlLoop& loop, const transport::LinkRules& rules)
        : document_{document},
          fetch_{loop, document.url_, rules, {.size = kLargestManifest, .time = document.at_most_}} {}

    State advance() override {
      if (auto found = fetch_.result()) {
        document_.file_ = FetchedFile{.url = found->url,
                                      .bytes = std::move(found->text),
                                      .date = found->date,
                                      .sent = sent_,
                                      .received = utc_now()};
        return State::kThere;
      }
      return std::exchange(answered_, fetch_.answered()) == fetch_.answered() ? State::kWaits : State::kComes;
    }
    DataSize take_received() override { return {}; }

   private:
    Document& document_;
    DocumentFetch fetch_;
    const UtcTime sent_ = utc_now();
    bool answered_ = false;
  };

  const std::string url_;
  const Duration at_most_;
  const std::function<void(HeldDocument)> done_;
  std::optional<FetchedFile> file_;
};

class File : public HeldAnswer {
 public:
  File(std::string url, std::optional<DataSize> from, std::shared_ptr<IncomingFile> file)
      : url_{std::move(url)}, from_{from}, file_{std::move(file)} {}

  std::unique_ptr<Attempt> ask(transport::CurlLoop& loop, const transport::LinkRules& over_link) override {
    return std::make_unique<Fetch>(*this, loop, over_link);
  }
  void came() override { file_->complete(); }
  void failed(unsigned status, const std::string& why) override { file_->fail(status, why); }

 private:
  class Fetch : public Attempt {
   public:
    Fetch(File& file, transport::CurlLoop& loop, const transport::LinkRules& rules)
        : file_{file}, loop_{loop}, rules_{rules}, begin_{file.from_.value_or(DataSize{}) + file.there()} {
      ask_from(begin_);
    }

    State advance() override {
      const DataSize before = std::exchange(seen_, brought_);
      try {
        if (fetch_->result()) return State::kThere;
      } catch (const FetchError&) {
        // An origin may know no range of a file that grows, and yet all of it.
        if (fetch_->answered() && begin_ > DataSize{} && !file_.from_ && at_ == DataSize{} && !asked_whole_) {
          asked_whole_ = true;
          ask_from({});
          return State::kWaits;
        }
        throw;
      }
      seen_ = brought_;
      return brought_ > before ? State::kComes : State::kWaits;
    }
    DataSize take_received() override { return std::exchange(received_, DataSize{}); }

   private:
    void ask_from(DataSize place) {
      const auto wanted = place > DataSize{} ? ObjectFetch::Wanted::kRest : ObjectFetch::Wanted::kWhole;
      fetch_.emplace(
          loop_, file_.url_, rules_, wanted,
          [this](const ObjectHead& head, std::span<const std::byte> bytes) { take(head, bytes); }, place);
    }

    /// Of what other attempts have brought already, nothing is new.
    void take(const ObjectHead& head, std::span<const std::byte> bytes) {
      const DataSize first = head.ranges ? head.brings.begin : DataSize{};
      const DataSize from = file_.from_.value_or(DataSize{});
      const DataSize begin = first + at_, end = begin + size_of(bytes);
      at_ += size_of(bytes);
      received_ += size_of(bytes);
      if (head.size && *head.size > from) file_.file_->size_is(*head.size - from);
      if (end > from + kLargestFile) throw FetchError{FailureReason::kProtocol, "a file that grows without end"};
      const DataSize there = from + file_.there();
      if (end <= there) return;
      const DataSize known = std::max(there - begin, DataSize{});
      file_.file_->put(begin + known - from, bytes.subspan(static_cast<std::size_t>(known.bytes())));
      brought_ += end - begin - known;
    }

    File& file_;
    transport::CurlLoop& loop_;
    const transport::LinkRules rules_;
    const DataSize begin_;  // of what is asked for, in the origin's file
    bool asked_whole_ = false;
    DataSize at_;        // bytes of the body so far
    DataSize received_;  // that were not taken
    DataSize brought_, seen_;
    std::optional<ObjectFetch> fetch_;
  };

  DataSize there() const { return file_->progress().there; }

  const std::string url_;
  const std::optional<DataSize> from_;
  const std::shared_ptr<IncomingFile> file_;
};

}  // namespace

std::unique_ptr<HeldAnswer> held_document(std::string url, Duration at_most, std::function<void(HeldDocument)> done) {
  return std::make_unique<Document>(std::move(url), at_most, std::move(done));
}

std::unique_ptr<HeldAnswer> held_file(std::string url, std::optional<DataSize> from,
                                      std::shared_ptr<IncomingFile> file) {
  return std::make_unique<File>(std::move(url), from, std::move(file));
}

}  // namespace tributary::proxy
