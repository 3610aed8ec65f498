# cmake -DBINARY=boot.bin -DHEADER=boot_sector.hpp -P embed.cmake: the bytes of a file as a C++ array.
file(READ ${BINARY} hex HEX)
string(REGEX REPLACE "(..)" "0x\\1, " bytes "${hex}")
file(WRITE ${HEADER} "#pragma once\n\n#include <array>\n#include <cstdint>\n\nnamespace godwit::guest {\n\n"
  "inline constexpr auto kBootSector = std::to_array<std::uint8_t>({${bytes}});\n\n}  // namespace godwit::guest\n")
