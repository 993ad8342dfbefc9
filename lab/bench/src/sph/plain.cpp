// A cube of water that falls and swells, smoothed particles, as one writes it in plain C++: scalar loops in single
// precision, on one thread, with lists of neighbours that are renewed every four substeps. What it computes is what
// sph/water.ts does. Arguments: particles along a side of the cube, substeps.
// Prints milliseconds of processor time a substep, and the root mean square distance from the middle, m.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

struct Vector {
  float x, y, z;
};

int main(int, char **argv) {
  const int side = atoi(argv[1]), steps = atoi(argv[2]), n = side * side * side, most = 90, refresh = 4;
  const float H = 0.1f, spacing = 0.05f, rest = 1000, mass = rest * spacing * spacing * spacing, dt = 5e-4f;
  const float listed = H + 2 * 4 * refresh * dt, stiffness = 5, viscosity = 2, pi = 3.14159265f;
  const float weigh = mass * 315 / (64 * pi * powf(H, 9)), press = 45 * mass / (pi * powf(H, 6));
  std::vector<Vector> x, v(n, Vector{0, 0, 0});
  std::vector<float> density(n);
  std::vector<int> lists(most * n), lengths(n), sorted(n);
  for (int i = 0; i < side; i++)
    for (int j = 0; j < side; j++)
      for (int k = 0; k < side; k++) x.push_back({0.97f * spacing * i, 0.97f * spacing * j, 0.97f * spacing * k});
  const clock_t began = clock();
  for (int step = 0; step < steps; step++) {
    if (step % refresh == 0) {
      Vector low = x[0], high = x[0];
      for (const Vector &p : x) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
      }
      const int ny = (int)((high.y - low.y) / listed) + 3, nz = (int)((high.z - low.z) / listed) + 3;
      const int nx = (int)((high.x - low.x) / listed) + 3;
      auto key = [&](const Vector &p) {
        const int i = (int)((p.x - low.x) / listed) + 1, j = (int)((p.y - low.y) / listed) + 1;
        return (i * ny + j) * nz + (int)((p.z - low.z) / listed) + 1;
      };
      std::vector<int> starts(nx * ny * nz + 1);
      for (const Vector &p : x) starts[key(p) + 1]++;
      for (size_t k = 0; k + 1 < starts.size(); k++) starts[k + 1] += starts[k];
      std::vector<int> filled = starts;
      for (int i = 0; i < n; i++) sorted[filled[key(x[i])]++] = i;
      for (int i = 0; i < n; i++) {
        int length = 0;
        const int own = key(x[i]);
        for (int a = -1; a <= 1; a++)
          for (int b = -1; b <= 1; b++) {
            const int cell = own + (a * ny + b) * nz;
            for (int s = starts[cell - 1]; s < starts[cell + 2]; s++) {
              const int j = sorted[s];
              const float dx = x[j].x - x[i].x, dy = x[j].y - x[i].y, dz = x[j].z - x[i].z;
              if (j != i && dx * dx + dy * dy + dz * dz < listed * listed && length < most) lists[most * i + length++] = j;
            }
          }
        lengths[i] = length;
      }
    }
    for (int i = 0; i < n; i++) {
      float sum = powf(H, 6);
      for (int k = 0; k < lengths[i]; k++) {
        const Vector &p = x[lists[most * i + k]];
        const float dx = p.x - x[i].x, dy = p.y - x[i].y, dz = p.z - x[i].z;
        const float q = std::max(H * H - (dx * dx + dy * dy + dz * dz), 0.0f);
        sum += q * q * q;
      }
      density[i] = weigh * sum;
    }
    std::vector<Vector> a(n, Vector{0, -9.81f, 0});
    for (int i = 0; i < n; i++)
      for (int k = 0; k < lengths[i]; k++) {
        const int j = lists[most * i + k];
        const float dx = x[j].x - x[i].x, dy = x[j].y - x[i].y, dz = x[j].z - x[i].z;
        const float distance = sqrtf(dx * dx + dy * dy + dz * dz), inside = H - distance;
        if (inside <= 0) continue;
        const float left = press * inside / (density[i] * density[j]);
        const float push = stiffness * (density[i] + density[j] - 2 * rest) * 0.5f * inside / distance;
        a[i].x += left * (viscosity * (v[j].x - v[i].x) - push * dx);
        a[i].y += left * (viscosity * (v[j].y - v[i].y) - push * dy);
        a[i].z += left * (viscosity * (v[j].z - v[i].z) - push * dz);
      }
    for (int i = 0; i < n; i++) {
      v[i] = {v[i].x + dt * a[i].x, v[i].y + dt * a[i].y, v[i].z + dt * a[i].z};
      x[i] = {x[i].x + dt * v[i].x, x[i].y + dt * v[i].y, x[i].z + dt * v[i].z};
    }
  }
  double sums[3] = {}, squares = 0;
  for (const Vector &p : x) {
    sums[0] += p.x, sums[1] += p.y, sums[2] += p.z;
    squares += (double)p.x * p.x + (double)p.y * p.y + (double)p.z * p.z;
  }
  for (const double sum : sums) squares -= sum * sum / n;
  printf("{\"substepMs\":%g,\"spread\":%.7g}\n", 1e3 * (clock() - began) / CLOCKS_PER_SEC / steps, sqrt(squares / n));
}
