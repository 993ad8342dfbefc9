/**
 * Functions that a shader brings along, because WGSL promises too little of its own: `sin` may be off by 5e-4, `atan`
 * by 4096 units in the last place; `tanh` may overflow, `pow(0, 0)` and `atan2(0, 0)` are left undefined.
 *
 * The polynomials are those of the single-precision part of S. Moshier's Cephes library (sinf, atanf, asinf, tanhf).
 */
const functions: Readonly<Record<string, string>> = {
  quarterTurns: `// x in quarter turns, rounded to a whole number.
fn quarterTurns(x: f32) -> f32 { return round(x * 0.63661977f); }`,

  withoutTurns: `// x minus so many quarter turns; pi/2 in three parts keeps the digits.
fn withoutTurns(x: f32, turns: f32) -> f32 {
  return ((x - turns * 1.5703125f) - turns * 4.83751297e-4f) - turns * 7.54978995e-8f;
}`,

  sineNearZero: `// |r| <= pi/4
fn sineNearZero(r: f32) -> f32 {
  let z = r * r;
  return ((-1.9515295891e-4f * z + 8.3321608736e-3f) * z - 1.6666654611e-1f) * z * r + r;
}`,

  cosineNearZero: `// |r| <= pi/4
fn cosineNearZero(r: f32) -> f32 {
  let z = r * r;
  return ((2.443315711809948e-5f * z - 1.388731625493765e-3f) * z + 4.166664568298827e-2f) * z * z - 0.5f * z + 1.0f;
}`,

  sine: `fn sine(x: f32) -> f32 {
  let turns = quarterTurns(x);
  let r = withoutTurns(x, turns);
  let quadrant = i32(turns) & 3;
  let value = select(sineNearZero(r), cosineNearZero(r), (quadrant & 1) == 1);
  return select(value, -value, quadrant >= 2);
}`,

  cosine: `fn cosine(x: f32) -> f32 {
  let turns = quarterTurns(x);
  let r = withoutTurns(x, turns);
  let quadrant = i32(turns) & 3;
  let value = select(cosineNearZero(r), sineNearZero(r), (quadrant & 1) == 1);
  return select(value, -value, ((quadrant + 1) & 2) == 2);
}`,

  tangent: `fn tangent(x: f32) -> f32 {
  let turns = quarterTurns(x);
  let r = withoutTurns(x, turns);
  let s = sineNearZero(r);
  let c = cosineNearZero(r);
  return select(s, -c, (i32(turns) & 1) == 1) / select(c, s, (i32(turns) & 1) == 1);
}`,

  arcTangent: `fn arcTangent(x: f32) -> f32 {
  let size = abs(x);
  var base = 0.0f;
  var a = size;
  if (size > 2.4142135f) {
    base = 1.57079633f;
    a = -1.0f / size;
  } else if (size > 0.41421356f) {
    base = 0.785398163f;
    a = (size - 1.0f) / (size + 1.0f);
  }
  let z = a * a;
  let series = (((8.05374449538e-2f * z - 1.38776856032e-1f) * z + 1.99777106478e-1f) * z - 3.33329491539e-1f) * z * a + a;
  return select(base + series, -(base + series), x < 0.0f);
}`,

  angleOf: `// The angle of the point (x, y), 0 at the origin.
fn angleOf(y: f32, x: f32) -> f32 {
  let larger = max(abs(x), abs(y));
  let ratio = min(abs(x), abs(y)) / select(larger, 1.0f, larger == 0.0f);
  var angle = arcTangent(ratio);
  if (abs(y) > abs(x)) { angle = 1.57079633f - angle; }
  if ((bitcast<u32>(x) >> 31u) == 1u) { angle = 3.14159265f - angle; }
  return select(angle, -angle, (bitcast<u32>(y) >> 31u) == 1u);
}`,

  arcSineNearZero: `// 0 <= s <= 1/2
fn arcSineNearZero(s: f32) -> f32 {
  let z = s * s;
  return ((((4.2163199048e-2f * z + 2.4181311049e-2f) * z + 4.5470025998e-2f) * z + 7.4953002686e-2f) * z + 1.6666752422e-1f) * z * s + s;
}`,

  arcSine: `fn arcSine(x: f32) -> f32 {
  let size = abs(x);
  var angle: f32;
  if (size > 0.5f) { angle = 1.57079633f - 2.0f * arcSineNearZero(sqrt(0.5f * (1.0f - size))); }
  else { angle = arcSineNearZero(size); }
  return select(angle, -angle, x < 0.0f);
}`,

  arcCosine: `fn arcCosine(x: f32) -> f32 {
  let size = abs(x);
  if (size <= 0.5f) { return 1.57079633f - arcSine(x); }
  let angle = 2.0f * arcSineNearZero(sqrt(0.5f * (1.0f - size)));
  return select(angle, 3.14159265f - angle, x < 0.0f);
}`,

  hyperbolicTangent: `fn hyperbolicTangent(x: f32) -> f32 {
  let size = abs(x);
  if (size < 0.625f) {
    let z = x * x;
    return ((((-5.70498872745e-3f * z + 2.06390887954e-2f) * z - 5.37397155531e-2f) * z + 1.33314422036e-1f) * z - 3.33332819422e-1f) * z * x + x;
  }
  let t = exp(-2.0f * size);
  return sign(x) * ((1.0f - t) / (1.0f + t));
}`,

  power: `fn power(base: f32, exponent: f32) -> f32 {
  if (exponent == 0.0f) { return 1.0f; }
  if (base == 0.0f) { return select(0.0f, 1.0f / base, exponent < 0.0f); }
  return pow(base, exponent);
}`,

  remainder: `// The sign of x, and less than |y|.
fn remainder(x: f32, y: f32) -> f32 {
  let rest = fma(-y, trunc(x / y), x);
  let step = select(abs(y), -abs(y), x < 0.0f);
  if (rest * step < 0.0f) { return rest + step; }
  return select(rest, rest - step, abs(rest) >= abs(y));
}`,
};

export const wgslFunctionNames: readonly string[] = Object.keys(functions);

/** Lines with those of the functions above that the source calls, each before the first that calls it. */
export function wgslFunctions(source: string): string[] {
  const needed = new Set<string>();
  const need = (text: string): void => {
    for (const [, name] of text.matchAll(/\b([A-Za-z]\w*)\(/g)) {
      if (!(name in functions) || needed.has(name)) continue;
      needed.add(name);
      need(functions[name]);
    }
  };
  need(source);
  return wgslFunctionNames.filter((name) => needed.has(name)).flatMap((name) => [functions[name], '']);
}
