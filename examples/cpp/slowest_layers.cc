// The layers that take most time: slowest_layers ENGINE [COUNT]
#include <planex/session.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const std::size_t wanted = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 10;

  const auto session = planex::Session::open(argv[1]);
  if (!session) {
    std::fprintf(stderr, "%s\n", planex::describe(session.error(), false).c_str());
    return 3;
  }

  const planex::tables::Layers layers = session->engine().layers();
  const planex::Texts names = layers.name();
  const planex::Reals times = layers.median_ms();
  const planex::Integers bytes = layers.footprint_bytes();

  // Rows with a time; the others have no place among the slowest.
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < layers.row_count(); ++row) {
    if (!times.is_null(row)) rows.push_back(row);
  }
  const std::size_t count = std::min(wanted, rows.size());
  std::partial_sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count), rows.end(),
                    [&](std::size_t a, std::size_t b) {
                      return *times[a] != *times[b] ? *times[a] > *times[b] : a < b;
                    });

  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t row = rows[i];
    std::printf("%zu %.4f ms ", row, *times[row]);
    if (const auto moved = bytes[row]) {
      std::printf("%lld bytes ", static_cast<long long>(*moved));
    }
    std::printf("%.*s\n", static_cast<int>(names[row].size()), names[row].data());
  }
}
