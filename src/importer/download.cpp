#include "importer/download.hpp"

#include <curl/curl.h>

#include <array>
#include <memory>
#include <optional>

#include <fmt/format.h>

namespace godwit::importer {
namespace {

constexpr long kMostRedirects = 10;
constexpr long kConnectSeconds = 30;
// A server that has sent nothing for this long will not.
constexpr long kSilentSeconds = 60;
constexpr long kBufferBytes = 256 << 10;

template <auto Free>
struct Release {
  template <class T>
  void operator()(T* owned) const {
    Free(owned);
  }
};

Code codeOf(long status) {
  if (status == 404 || status == 410) return Code::NotFound;
  if (status == 401 || status == 403) return Code::Forbidden;
  return status >= 400 && status < 500 && status != 408 && status != 429 ? Code::Invalid : Code::Unavailable;
}

// One request, and why it was broken off.
class Transfer {
 public:
  Transfer(const Download& wanted, const Sink& into, const Note& note)
      : wanted_(wanted), into_(into), note_(note), curl_(curl_easy_init()) {
    ENSURE(curl_, "there is memory for libcurl");
    for (const std::string& header : wanted.headers) {
      curl_slist* const longer = curl_slist_append(headers_.get(), header.c_str());
      ENSURE(longer, "there is memory for libcurl");
      (void)headers_.release();
      headers_.reset(longer);
    }
  }

  // What the last answer has said of who may ask.
  std::string challenge() const {
    curl_header* header = nullptr;
    const bool said = curl_easy_header(curl_.get(), "WWW-Authenticate", 0, CURLH_HEADER, -1, &header) == CURLHE_OK;
    return said ? header->value : "";
  }

  Result<> run() {
    prepare();
    const CURLcode code = curl_easy_perform(curl_.get());
    if (broken_) return fail(std::move(*broken_));
    const std::string name = withoutSecrets(wanted_.url);
    if (code != CURLE_OK) {
      const bool hopeless = code == CURLE_URL_MALFORMAT || code == CURLE_UNSUPPORTED_PROTOCOL;
      const char* why = complaint_[0] ? complaint_.data() : curl_easy_strerror(code);
      return fail(hopeless ? Code::Invalid : Code::Unavailable, fmt::format("{}: {}", name, why));
    }
    // Without a body nobody has looked yet.
    return judge();
  }

 private:
  template <class Value>
  void set(CURLoption option, Value value) {
    curl_easy_setopt(curl_.get(), option, value);
  }

  void prepare() {
    set(CURLOPT_URL, wanted_.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    set(CURLOPT_FOLLOWLOCATION, 1L);
    set(CURLOPT_MAXREDIRS, kMostRedirects);
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
    set(CURLOPT_LOW_SPEED_LIMIT, 1L);
    set(CURLOPT_LOW_SPEED_TIME, kSilentSeconds);
    set(CURLOPT_BUFFERSIZE, kBufferBytes);
    set(CURLOPT_ERRORBUFFER, complaint_.data());
    set(CURLOPT_USERAGENT, "godwit");
    if (headers_) set(CURLOPT_HTTPHEADER, headers_.get());
    // Sent only to the host that the URL names, and not where it redirects to.
    if (!wanted_.user.empty()) set(CURLOPT_USERNAME, wanted_.user.c_str());
    if (!wanted_.password.empty()) set(CURLOPT_PASSWORD, wanted_.password.c_str());
    // Takes the place of the machine's bundle; its directory of authorities counts as before.
    curl_blob authorities{const_cast<char*>(wanted_.certificates.data()), wanted_.certificates.size(), CURL_BLOB_COPY};
    if (!wanted_.certificates.empty()) set(CURLOPT_CAINFO_BLOB, &authorities);
    set(CURLOPT_WRITEFUNCTION, &Transfer::write);
    set(CURLOPT_WRITEDATA, this);
    set(CURLOPT_NOPROGRESS, 0L);
    set(CURLOPT_XFERINFOFUNCTION, &Transfer::progress);
    set(CURLOPT_XFERINFODATA, this);
  }

  Result<> judge() const {
    long status = 0;
    curl_easy_getinfo(curl_.get(), CURLINFO_RESPONSE_CODE, &status);
    if (status == 200) return {};
    return fail(codeOf(status), fmt::format("{}: the server answers {}", withoutSecrets(wanted_.url), status));
  }

  bool goesOn(Result<> result) {
    if (!result) broken_ = std::move(result).error();
    return !broken_;
  }

  static std::size_t write(char* bytes, std::size_t one, std::size_t count, void* self) {
    auto& transfer = *static_cast<Transfer*>(self);
    const bool good = transfer.goesOn(transfer.judge()) && transfer.goesOn(transfer.into_({bytes, one * count}));
    return good ? one * count : CURL_WRITEFUNC_ERROR;
  }

  static int progress(void* self, curl_off_t total, curl_off_t done, curl_off_t, curl_off_t) {
    auto& transfer = *static_cast<Transfer*>(self);
    return transfer.goesOn(transfer.note_(done, total)) ? 0 : 1;
  }

  const Download& wanted_;
  const Sink& into_;
  const Note& note_;
  const std::unique_ptr<CURL, Release<curl_easy_cleanup>> curl_;
  std::unique_ptr<curl_slist, Release<curl_slist_free_all>> headers_;
  std::array<char, CURL_ERROR_SIZE> complaint_ = {};
  std::optional<Error> broken_;
};

}  // namespace

std::string withoutSecrets(const std::string& url) {
  const std::unique_ptr<CURLU, Release<curl_url_cleanup>> parts(curl_url());
  if (curl_url_set(parts.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK) return "the URL";
  for (const CURLUPart part :
       {CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS, CURLUPART_QUERY, CURLUPART_FRAGMENT})
    curl_url_set(parts.get(), part, nullptr, 0);
  char* text = nullptr;
  if (curl_url_get(parts.get(), CURLUPART_URL, &text, 0) != CURLUE_OK) return "the URL";
  const std::unique_ptr<char, Release<curl_free>> owned(text);
  return text;
}

std::string escaped(const std::string& text) {
  const std::unique_ptr<char, Release<curl_free>> safe(
      curl_easy_escape(nullptr, text.data(), static_cast<int>(text.size())));
  ENSURE(safe, "there is memory for libcurl");
  return safe.get();
}

Result<> fetch(const Download& wanted, const Sink& into, const Note& note, std::string* challenge) {
  Transfer transfer(wanted, into, note);
  auto outcome = transfer.run();
  if (!outcome && outcome.error().code == Code::Forbidden && challenge) *challenge = transfer.challenge();
  return outcome;
}

}  // namespace godwit::importer
