// The step of the falling block, written by hand: scalar, single precision, one thread, one loop over elements that adds
// forces to particles. Its adjoint is written by hand too. To compare with: g++ -O2, no fast-math.
//
// Usage: yardstick IN OUT STEPS RUNS. IN: u32 particles, u32 tets, f32 dt, mu, lambda, damping, density, ke, kd, kf,
// friction, initial velocity (3); then u32 vertices [4 tets], f32 positions [3 particles], f32 seeds [3 particles].
// OUT: f32 final positions, gradients to initial velocities, to mu and to lambda of each tet.
// Prints the milliseconds of each run forward, then of each run back, as one line of JSON.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Vec {
  float x, y, z;
};
static inline Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline Vec operator*(Vec a, float s) { return {a.x * s, a.y * s, a.z * s}; }
static inline float dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline Vec cross(Vec a, Vec b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Columns.
struct Mat {
  Vec c[3];
};
static inline Mat operator+(const Mat &a, const Mat &b) {
  return {{a.c[0] + b.c[0], a.c[1] + b.c[1], a.c[2] + b.c[2]}};
}
static inline Mat operator*(const Mat &a, float s) { return {{a.c[0] * s, a.c[1] * s, a.c[2] * s}}; }
static inline Vec operator*(const Mat &m, Vec v) { return m.c[0] * v.x + m.c[1] * v.y + m.c[2] * v.z; }
static inline Mat operator*(const Mat &a, const Mat &b) { return {{a * b.c[0], a * b.c[1], a * b.c[2]}}; }
static inline Mat transpose(const Mat &m) {
  return {{{m.c[0].x, m.c[1].x, m.c[2].x}, {m.c[0].y, m.c[1].y, m.c[2].y}, {m.c[0].z, m.c[1].z, m.c[2].z}}};
}
static inline float inner(const Mat &a, const Mat &b) {
  return dot(a.c[0], b.c[0]) + dot(a.c[1], b.c[1]) + dot(a.c[2], b.c[2]);
}
static inline Mat cofactors(const Mat &F) {
  return {{cross(F.c[1], F.c[2]), cross(F.c[2], F.c[0]), cross(F.c[0], F.c[1])}};
}

struct Tet {
  uint32_t v[4];
  Mat B; // Dm^-1
  float volume, mu, lambda;
};

static uint32_t particles, tets;
static float dt, mu0, lambda0, damping, density, ke, kd, kf, friction;
static std::vector<Tet> elements;
static std::vector<float> inverseMass;

static Mat edges(const Tet &t, const Vec *at) {
  const Vec x0 = at[t.v[0]];
  return {{at[t.v[1]] - x0, at[t.v[2]] - x0, at[t.v[3]] - x0}};
}

// A touch counts from where it began, so its first substep, in which less is touched than was moved, in part.
static inline bool isFirst(float depth, float vn) { return depth < -vn * dt; }
static inline float dampedVn(float depth, float vn) {
  return isFirst(depth, vn) ? vn / 2 - depth / dt : vn;
}

static void forces(const Vec *x, const Vec *v, Vec *f) {
  for (uint32_t p = 0; p < particles; p++) f[p] = {0, 0, 0};
  for (const Tet &t : elements) {
    const Mat F = edges(t, x) * t.B, rate = edges(t, v) * t.B;
    const float Ic1 = inner(F, F) + 1;
    const float J = dot(F.c[0], cross(F.c[1], F.c[2]));
    const float alpha = 0.75f * t.mu / t.lambda + 1;
    const Mat half = transpose(rate) * F;
    const Mat P = F * (t.mu * (1 - 1 / Ic1)) + cofactors(F) * (t.lambda * (J - alpha)) +
                  F * (half + transpose(half)) * damping;
    const Mat H = P * transpose(t.B) * -t.volume;
    f[t.v[0]] = f[t.v[0]] - (H.c[0] + H.c[1] + H.c[2]);
    for (int k = 0; k < 3; k++) f[t.v[k + 1]] = f[t.v[k + 1]] + H.c[k];
  }
  for (uint32_t p = 0; p < particles; p++) {
    const float depth = -x[p].y;
    if (!(depth > 0)) continue;
    const float fn = std::fmax(0.0f, ke * depth - kd * dampedVn(depth, v[p].y));
    const Vec slip = {v[p].x, 0, v[p].z};
    const float speed = std::sqrt(dot(slip, slip)), limit = friction * fn;
    const float drag = kf * speed <= limit ? kf : limit / speed;
    f[p] = f[p] + Vec{0, fn, 0} - slip * drag;
  }
}

static void step(const Vec *x, const Vec *v, Vec *nextX, Vec *nextV, Vec *f) {
  forces(x, v, f);
  for (uint32_t p = 0; p < particles; p++) {
    nextV[p] = v[p] + (f[p] * inverseMass[p] + Vec{0, -9.81f, 0}) * dt;
    nextX[p] = x[p] + nextV[p] * dt;
  }
}

// The adjoint of `forces`: fBar to additions to xBar, vBar, muBar, lambdaBar.
static void forcesBack(const Vec *x, const Vec *v, const Vec *fBar, Vec *xBar, Vec *vBar, float *muBar,
                       float *lambdaBar) {
  for (uint32_t e = 0; e < tets; e++) {
    const Tet &t = elements[e];
    const Mat F = edges(t, x) * t.B, rate = edges(t, v) * t.B, C = cofactors(F);
    const float Ic1 = inner(F, F) + 1;
    const float J = dot(F.c[0], C.c[0]);
    const float alpha = 0.75f * t.mu / t.lambda + 1;
    const Mat half = transpose(rate) * F, S = half + transpose(half);
    const Mat PBar = edges(t, fBar) * t.B * -t.volume;
    const float ABar = inner(PBar, F), pBar = inner(PBar, C);
    const float p = t.lambda * (J - alpha), alphaBar = -pBar * t.lambda;
    muBar[e] += ABar * (1 - 1 / Ic1) + alphaBar * 0.75f / t.lambda;
    lambdaBar[e] += pBar * (J - alpha) - alphaBar * 0.75f * t.mu / (t.lambda * t.lambda);
    Mat FBar = PBar * (t.mu * (1 - 1 / Ic1)) + F * (2 * ABar * t.mu / (Ic1 * Ic1)) + C * (pBar * t.lambda);
    const Mat CBar = PBar * p;
    // C0 = F1 x F2, C1 = F2 x F0, C2 = F0 x F1.
    FBar.c[0] = FBar.c[0] + cross(F.c[1], CBar.c[2]) + cross(CBar.c[1], F.c[2]);
    FBar.c[1] = FBar.c[1] + cross(F.c[2], CBar.c[0]) + cross(CBar.c[2], F.c[0]);
    FBar.c[2] = FBar.c[2] + cross(F.c[0], CBar.c[1]) + cross(CBar.c[0], F.c[1]);
    const Mat QBar = PBar * damping;
    const Mat SBar = transpose(F) * QBar;
    const Mat halfBar = SBar + transpose(SBar);
    FBar = FBar + QBar * S + rate * halfBar;
    const Mat xEdges = FBar * transpose(t.B), vEdges = F * halfBar * transpose(t.B);
    for (int k = 0; k < 3; k++) {
      xBar[t.v[k + 1]] = xBar[t.v[k + 1]] + xEdges.c[k];
      vBar[t.v[k + 1]] = vBar[t.v[k + 1]] + vEdges.c[k];
    }
    xBar[t.v[0]] = xBar[t.v[0]] - (xEdges.c[0] + xEdges.c[1] + xEdges.c[2]);
    vBar[t.v[0]] = vBar[t.v[0]] - (vEdges.c[0] + vEdges.c[1] + vEdges.c[2]);
  }
  for (uint32_t q = 0; q < particles; q++) {
    const float depth = -x[q].y;
    if (!(depth > 0)) continue;
    const float open = ke * depth - kd * dampedVn(depth, v[q].y), fn = std::fmax(0.0f, open);
    const Vec slip = {v[q].x, 0, v[q].z};
    const float speed = std::sqrt(dot(slip, slip)), limit = friction * fn;
    const bool sticks = kf * speed <= limit;
    const float drag = sticks ? kf : limit / speed;
    float fnBar = fBar[q].y;
    Vec slipBar = Vec{fBar[q].x, 0, fBar[q].z} * -drag;
    if (!sticks) {
      const float dragBar = -dot(slip, fBar[q]);
      fnBar += friction * dragBar / speed;
      slipBar = slipBar + slip * (-dragBar * limit / (speed * speed * speed));
    }
    vBar[q] = vBar[q] + slipBar;
    if (open > 0) {
      const bool first = isFirst(depth, v[q].y);
      xBar[q].y -= (first ? ke + kd / dt : ke) * fnBar;
      vBar[q].y -= (first ? kd / 2 : kd) * fnBar;
    }
  }
}

template <typename T> static void take(FILE *file, T *into, size_t count) {
  if (fread(into, sizeof(T), count, file) != count) std::exit(2);
}

int main(int, char **arguments) {
  FILE *in = fopen(arguments[1], "rb");
  const int steps = std::atoi(arguments[3]), runs = std::atoi(arguments[4]);
  take(in, &particles, 1);
  take(in, &tets, 1);
  float *settings[] = {&dt, &mu0, &lambda0, &damping, &density, &ke, &kd, &kf, &friction};
  for (float *setting : settings) take(in, setting, 1);
  Vec velocity;
  take(in, &velocity, 1);
  std::vector<uint32_t> vertices(4 * tets);
  take(in, vertices.data(), vertices.size());
  std::vector<Vec> start(particles), seeds(particles);
  take(in, start.data(), particles);
  take(in, seeds.data(), particles);
  fclose(in);

  std::vector<float> mass(particles, 0);
  elements.resize(tets);
  for (uint32_t e = 0; e < tets; e++) {
    Tet &t = elements[e];
    for (int k = 0; k < 4; k++) t.v[k] = vertices[4 * e + k];
    const Mat D = edges(t, start.data()), C = cofactors(D);
    const float determinant = dot(D.c[0], C.c[0]);
    t.B = transpose(C) * (1 / determinant);
    t.volume = determinant / 6;
    t.mu = mu0;
    t.lambda = lambda0;
    for (uint32_t corner : t.v) mass[corner] += density * t.volume / 4;
  }
  inverseMass.resize(particles);
  for (uint32_t p = 0; p < particles; p++) inverseMass[p] = 1 / mass[p];

  // Every state is kept for the way back.
  std::vector<Vec> x((steps + 1) * (size_t)particles), v(x.size()), f(particles);
  std::vector<Vec> xBar(particles), vBar(particles), fBar(particles);
  std::vector<float> muBar(tets), lambdaBar(tets);
  std::vector<double> forwardMs, backwardMs;
  const auto now = [] { return std::chrono::steady_clock::now(); };
  const auto since = [&](auto began) { return std::chrono::duration<double, std::milli>(now() - began).count(); };
  for (int run = 0; run < runs; run++) {
    const auto began = now();
    for (uint32_t p = 0; p < particles; p++) x[p] = start[p], v[p] = velocity;
    for (int n = 0; n < steps; n++) {
      const size_t at = n * (size_t)particles;
      step(&x[at], &v[at], &x[at + particles], &v[at + particles], f.data());
    }
    forwardMs.push_back(since(began));
    const auto turned = now();
    for (uint32_t p = 0; p < particles; p++) xBar[p] = seeds[p], vBar[p] = {0, 0, 0};
    for (uint32_t e = 0; e < tets; e++) muBar[e] = lambdaBar[e] = 0;
    for (int n = steps - 1; n >= 0; n--) {
      for (uint32_t p = 0; p < particles; p++) {
        vBar[p] = vBar[p] + xBar[p] * dt;
        fBar[p] = vBar[p] * (dt * inverseMass[p]);
      }
      const size_t at = n * (size_t)particles;
      forcesBack(&x[at], &v[at], fBar.data(), xBar.data(), vBar.data(), muBar.data(), lambdaBar.data());
    }
    backwardMs.push_back(since(turned));
  }
  FILE *out = fopen(arguments[2], "wb");
  fwrite(&x[steps * (size_t)particles], sizeof(Vec), particles, out);
  fwrite(vBar.data(), sizeof(Vec), particles, out);
  fwrite(muBar.data(), sizeof(float), tets, out);
  fwrite(lambdaBar.data(), sizeof(float), tets, out);
  fclose(out);
  const auto list = [](const char *name, const std::vector<double> &times, const char *end) {
    printf("\"%s\":[", name);
    for (size_t k = 0; k < times.size(); k++) printf("%s%.6f", k ? "," : "", times[k]);
    printf("]%s", end);
  };
  printf("{");
  list("forwardMs", forwardMs, ",");
  list("backwardMs", backwardMs, "}\n");
}
