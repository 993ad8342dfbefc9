// groundForce, 1000 invocations
struct Registers { substep: u32, frame: u32, stateIn: u32, stateOut: u32 }
@group(0) @binding(0) var<storage, read_write> floats: array<f32>;
@group(0) @binding(1) var<storage, read_write> words: array<u32>;
@group(0) @binding(2) var<uniform> registers: Registers;

fn hyperbolicTangent(x: f32) -> f32 {
  let size = abs(x);
  if (size < 0.625f) {
    let z = x * x;
    return ((((-5.70498872745e-3f * z + 2.06390887954e-2f) * z - 5.37397155531e-2f) * z + 1.33314422036e-1f) * z - 3.33332819422e-1f) * z * x + x;
  }
  let t = exp(-2.0f * size);
  return sign(x) * ((1.0f - t) / (1.0f + t));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let invocation = id.x;
  if (invocation >= 1000u) { return; }
  let position_y = floats[1000u + invocation];
  let velocity_y = floats[4000u + invocation];
  let velocity_z = floats[5000u + invocation];
  var t1: f32;
  var t2: f32;
  var t3: f32;
  if ((-position_y) > 0.0f) {
    t1 = 0.0f;
    t2 = (-(position_y * 10000.0f)) - velocity_y * 10.0f;
    t3 = hyperbolicTangent(velocity_z);
  } else {
    t1 = 0.0f;
    t2 = 0.0f;
    t3 = 0.0f;
  }
  let out_side_3 = (bitcast<i32>(words[invocation]) / (-3i)) + 1i;
  floats[6000u + invocation] = t1;
  floats[7000u + invocation] = t2;
  floats[8000u + invocation] = t3;
  words[invocation] = bitcast<u32>(out_side_3);
}
