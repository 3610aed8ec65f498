#pragma once

#include "controllers/data_volume/decide.hpp"
#include "kinds/pod.hpp"
#include "kinds/volume.hpp"

namespace godwit::controllers::data_volume {

// What the status is made from, beside the step.
struct Account {
  const kinds::PersistentVolumeClaim* claim = nullptr;
  const kinds::Pod* pod = nullptr;
  std::string trouble = {};  // with the request or its source, in a sentence
  Timestamp now = {};
};

// The word and the sentence for why the volume is where it is.
std::string reasonFor(const Step& step, const Account& account);
std::string explain(const Step& step, const Account& account);

// The status to have on record.
kinds::DataVolumeStatus statusAfter(const kinds::DataVolume& volume, const Step& step, const Account& account);

}  // namespace godwit::controllers::data_volume
