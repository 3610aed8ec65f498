#pragma once

#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/result.hpp"

namespace godwit::storage {

struct QemuImgAnswer {
  int status = 0;
  std::string said;
  std::string complaint;  // its last line
};

// libiscsi itself would wait for minutes.
inline constexpr Duration kQemuImgPatience = std::chrono::seconds(20);

// Has qemu-img do something short. The password, where there is one, is in this process' memory alone, and known to
// qemu-img as Place::kLoginSecret. Timeout when it is not done in time.
Result<QemuImgAnswer> askQemuImg(const char* verb, const std::vector<std::string>& words,
                                 const std::string* password = nullptr, Duration patience = kQemuImgPatience);

// As qemu-img takes it: as many bytes of nothing but zeros.
std::string qemuNameOfZeros(std::int64_t bytes);

}  // namespace godwit::storage
