#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/random.hpp"
#include "http/message.hpp"
#include "sim/chronicle.hpp"

namespace godwit::sim {

// The server's place on the network: a server that may be down, or be replaced by another on the same store.
struct Exchange {
  http::Handler* server = nullptr;       // null while it is down
  Chronicle chronicle = {};              // of all that is asked there
  std::vector<http::Request> late = {};  // still on their way, while whoever asked has given them up

  // One of the late ones comes to whatever server there is by now.
  void deliverLate(Random& random);
};

// A stream that can break under its reader.
class BreakableStream final : public http::Stream {
 public:
  struct Fate {
    bool broken = false;
    std::function<void()> wake;
  };

  BreakableStream(std::unique_ptr<http::Stream> inner, std::shared_ptr<Fate> fate)
      : inner_(std::move(inner)), fate_(std::move(fate)) {}

  Taken take() override { return fate_->broken ? Taken{{}, true} : inner_->take(); }
  void whenReady(std::function<void()> wake) override {
    if (fate_->broken) return wake();
    fate_->wake = wake;
    inner_->whenReady(std::move(wake));
  }

 private:
  std::unique_ptr<http::Stream> inner_;
  std::shared_ptr<Fate> fate_;
};

// One process's way to the server. Requests and answers get lost, come late, and come twice, as the dice say.
class Line final : public http::Transport {
 public:
  Line(Exchange& exchange, Random& random, std::string whose, const std::string& token)
      : exchange_(exchange), random_(random), whose_(std::move(whose)), authorization_("Bearer " + token) {}

  Result<http::Response> send(const http::Request& request) override;

  // One in so many requests is lost or late, one in so many comes twice, and one in so many answers is lost; 0 means
  // none.
  void loseOneIn(unsigned requests) { lossOneIn_ = requests; }
  // Nothing gets through, and all streams end, until it is mended.
  void cut();
  void mend() { cut_ = false; }
  bool isCut() const { return cut_; }
  // The process dies in the middle of what it does: nothing gets through after so many more requests.
  void dieAfter(unsigned requests) { left_ = requests; }
  bool dead() const { return left_ == 0u; }
  // Ends all streams, as the death of the server or of a connection does.
  void breakStreams();

 private:
  Result<http::Response> deliver(const http::Request& request);
  bool isLost() { return lossOneIn_ != 0 && random_.chance(lossOneIn_); }

  Exchange& exchange_;
  Random& random_;
  const std::string whose_;
  const std::string authorization_;
  unsigned lossOneIn_ = 0;
  bool cut_ = false;
  std::optional<unsigned> left_;  // requests until its death, if that is near
  std::vector<std::weak_ptr<BreakableStream::Fate>> streams_;
};

}  // namespace godwit::sim
