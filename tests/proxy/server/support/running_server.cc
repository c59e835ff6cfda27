#include "running_server.hh"

#include <algorithm>
#include <span>
#include <utility>

#include "units/split_mix.hh"

namespace tributary::proxy {

using namespace std::chrono_literals;

void TableHandler::handle(Request request, std::function<void(Answer)> done) {
  const auto known = reactions_.find(request.target.substr(0, request.target.find('?')));
  if (known != reactions_.end()) {
    known->second(request, std::move(done));
  } else {
    done({.status = 404, .body = "unknown\n"});
  }
  const std::lock_guard lock{mutex_};
  requests_.push_back(std::move(request));
}

void TableHandler::left(const std::shared_ptr<IncomingFile>& file) {
  const std::lock_guard lock{mutex_};
  left_.push_back(file);
}

void TableHandler::reads(const std::shared_ptr<IncomingFile>& file, bool reads) {
  const std::lock_guard lock{mutex_};
  reads_[file.get()] = reads;
}

bool TableHandler::is_read(const std::shared_ptr<IncomingFile>& file) const {
  const std::lock_guard lock{mutex_};
  const auto told = reads_.find(file.get());
  return told == reads_.end() || told->second;
}

void TableHandler::answer(const std::string& target, Answer answer) {
  react(target,
        [answer = std::move(answer)](const Request&, const std::function<void(Answer)>& done) { done(answer); });
}

std::vector<Request> TableHandler::requests() const {
  const std::lock_guard lock{mutex_};
  return requests_;
}

void TableHandler::forget_requests() {
  const std::lock_guard lock{mutex_};
  requests_.clear();
}

std::vector<std::shared_ptr<IncomingFile>> TableHandler::left_files() const {
  const std::lock_guard lock{mutex_};
  return left_;
}

bool TableHandler::waits_for_left(std::size_t count) const {
  return holds_soon([&] { return left_files().size() >= count; });
}

bool TableHandler::waits_for_requests(std::size_t count) const {
  return holds_soon([&] { return requests().size() >= count; });
}

bool holds_soon(const std::function<bool()>& condition) {
  for (int i = 0; i < 4'000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(5ms);
  }
  return false;
}

std::string RunningServer::path(const std::string& target) const {
  const std::string address = server_.address();
  return address.substr(address.rfind('/')) + target;
}

std::string RunningServer::request(const std::string& method, const std::string& target,
                                   const std::string& fields) const {
  return method + " " + path(target) + " HTTP/1.1\r\nHost: " + host() + "\r\n" + fields + "\r\n";
}

Reply RunningServer::ask(const std::string& method, const std::string& target, const std::string& fields) const {
  RawClient client{port()};
  client.send(request(method, target, fields));
  return client.reply(method == "HEAD");
}

std::shared_ptr<IncomingFile> complete_file(const std::string& content) {
  auto file = std::make_shared<IncomingFile>();
  put(*file, 0, content);
  file->complete();
  return file;
}

void put(IncomingFile& file, std::int64_t offset, const std::string& content) {
  file.put(DataSize{offset}, std::as_bytes(std::span{content}));
}

std::string some_content(std::size_t size) {
  std::string content(size, '\0');
  SplitMix chance{7};
  std::ranges::generate(content, [&] { return static_cast<char>(chance.next()); });
  return content;
}

}  // namespace tributary::proxy
