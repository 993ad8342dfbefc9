// One substep of elastic material points in three dimensions, as one writes it in plain C++: a scalar loop over points in
// single precision, on one thread. What it computes is what @gradsim/mpm does, for one material and a floor.
// Arguments: points along a side of the cube, nodes along a side of the grid, substeps, substeps that are not measured.
// Prints milliseconds of processor time a substep, and the height of the centre of mass, m.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

struct Point {
  float x[3], v[3], C[9], g[9];
};

int main(int, char **argv) {
  const int side = atoi(argv[1]), n = atoi(argv[2]), steps = atoi(argv[3]), warm = atoi(argv[4]);
  const float h = 1.0f / n, dt = 1e-4f * 48 / n, volume = h * h * h / 8, mass = volume * 1000, G = 1e5f / 2.6f, L = 2 * G * 0.3f / 0.4f;
  const float mu = G * 4 / 3, lambda = L + G * 5 / 6;
  std::vector<Point> points;
  const float x0 = 0.5f - side * h / 4, y0 = 4 * h;
  for (int i = 0; i < side; i++)
    for (int j = 0; j < side; j++)
      for (int k = 0; k < side; k++)
        points.push_back({{x0 + (i + 0.5f) * h / 2, y0 + (j + 0.5f) * h / 2, x0 + (k + 0.5f) * h / 2}, {0, -1, 0}, {}, {}});
  std::vector<float> nodes(4 * n * n * n);
  clock_t began = clock();
  for (int step = 0; step < steps + warm; step++) {
    if (step == warm) began = clock();
    for (float &value : nodes) value = 0;
    for (const Point &p : points) {
      int base[3];
      float w[3][3], d[3][3];
      for (int a = 0; a < 3; a++) {
        const float at = p.x[a] / h;
        base[a] = (int)(at - 0.5f);
        const float f = at - base[a];
        w[a][0] = 0.5f * (1.5f - f) * (1.5f - f);
        w[a][1] = 0.75f - (f - 1) * (f - 1);
        w[a][2] = 0.5f * (f - 0.5f) * (f - 0.5f);
        for (int k = 0; k < 3; k++) d[a][k] = (k - f) * h;
      }
      const float *g = p.g;
      float B[9], t = 0;
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
          B[3 * i + j] = g[3 * i + j] + g[3 * j + i] + g[3 * i] * g[3 * j] + g[3 * i + 1] * g[3 * j + 1] + g[3 * i + 2] * g[3 * j + 2];
          if (i == j) t += B[3 * i + j];
        }
      const float minors = g[0] * g[4] - g[1] * g[3] + g[0] * g[8] - g[2] * g[6] + g[4] * g[8] - g[5] * g[7];
      const float det = g[0] * (g[4] * g[8] - g[5] * g[7]) - g[1] * (g[3] * g[8] - g[5] * g[6]) + g[2] * (g[3] * g[7] - g[4] * g[6]);
      const float j = g[0] + g[4] + g[8] + minors + det, s = t / (4 * (4 + t));
      const float onDiagonal = mu * s + lambda * j * (1 + j) - 0.75f * mu * j, pull = dt * volume * 4 / (h * h);
      float Q[9];
      for (int i = 0; i < 9; i++) Q[i] = mass * p.C[i] - pull * (mu * (0.75f + s) * B[i] + (i % 4 ? 0 : onDiagonal));
      for (int i = 0; i < 3; i++)
        for (int jj = 0; jj < 3; jj++)
          for (int k = 0; k < 3; k++) {
            const float weight = w[0][i] * w[1][jj] * w[2][k], dx = d[0][i], dy = d[1][jj], dz = d[2][k];
            float *node = &nodes[4 * (((base[0] + i) * n + base[1] + jj) * n + base[2] + k)];
            for (int a = 0; a < 3; a++) node[a] += weight * (mass * p.v[a] + Q[3 * a] * dx + Q[3 * a + 1] * dy + Q[3 * a + 2] * dz);
            node[3] += weight * mass;
          }
    }
    for (int i = 0; i < n * n * n; i++) {
      float *node = &nodes[4 * i];
      if (node[3] <= 1e-30f) continue;
      for (int a = 0; a < 3; a++) node[a] /= node[3];
      node[1] -= 9.81f * dt;
      if ((i / n) % n < 3 && node[1] < 0) node[1] = 0;
    }
    for (Point &p : points) {
      int base[3];
      float w[3][3], d[3][3];
      for (int a = 0; a < 3; a++) {
        const float at = p.x[a] / h;
        base[a] = (int)(at - 0.5f);
        const float f = at - base[a];
        w[a][0] = 0.5f * (1.5f - f) * (1.5f - f);
        w[a][1] = 0.75f - (f - 1) * (f - 1);
        w[a][2] = 0.5f * (f - 0.5f) * (f - 0.5f);
        for (int k = 0; k < 3; k++) d[a][k] = (k - f) * h;
      }
      float v[3] = {}, C[9] = {};
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          for (int k = 0; k < 3; k++) {
            const float weight = w[0][i] * w[1][j] * w[2][k];
            const float *node = &nodes[4 * (((base[0] + i) * n + base[1] + j) * n + base[2] + k)];
            for (int a = 0; a < 3; a++) {
              const float part = weight * node[a];
              v[a] += part;
              C[3 * a] += part * d[0][i];
              C[3 * a + 1] += part * d[1][j];
              C[3 * a + 2] += part * d[2][k];
            }
          }
      for (int i = 0; i < 9; i++) p.C[i] = C[i] * 4 / (h * h);
      float after[9];
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          after[3 * i + j] = p.g[3 * i + j] + dt * (p.C[3 * i + j] + p.C[3 * i] * p.g[j] + p.C[3 * i + 1] * p.g[3 + j] + p.C[3 * i + 2] * p.g[6 + j]);
      for (int i = 0; i < 9; i++) p.g[i] = after[i];
      for (int a = 0; a < 3; a++) {
        p.v[a] = v[a];
        p.x[a] += dt * v[a];
      }
    }
  }
  double height = 0;
  for (const Point &p : points) height += p.x[1];
  printf("{\"substepMs\":%g,\"height\":%.7g}\n", 1e3 * (clock() - began) / CLOCKS_PER_SEC / steps, height / points.size());
}
