#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <openssl/err.h>

#include "base/result.hpp"

namespace godwit::http {

template <auto Free>
struct Release {
  template <class T>
  void operator()(T* owned) const noexcept {
    Free(owned);
  }
};

// Something OpenSSL made, and how it is given back.
template <class T, auto Free>
using Owned = std::unique_ptr<T, Release<Free>>;

// OpenSSL keeps its reasons in a thread-local list, so this must be asked on the thread that failed. Empties the list.
inline Error opensslError(std::string_view what) {
  const unsigned long reason = ERR_get_error();
  ERR_clear_error();
  const char* text = reason == 0 ? nullptr : ERR_reason_error_string(reason);
  return within(what, Error{Code::Invalid, text ? text : "OpenSSL gives no reason", {}});
}

}  // namespace godwit::http
