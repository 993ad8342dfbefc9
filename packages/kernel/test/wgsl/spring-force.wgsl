// springForce, 1000 invocations
struct Registers { substep: u32, frame: u32, stateIn: u32, stateOut: u32 }
@group(0) @binding(0) var<storage, read_write> floats: array<f32>;
@group(0) @binding(1) var<storage, read_write> words: array<u32>;
@group(0) @binding(2) var<uniform> registers: Registers;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let invocation = id.x;
  if (invocation >= 1000u) { return; }
  let ends_x = words[invocation];
  let ends_y = words[1000u + invocation];
  let t1 = floats[3000u + ends_x] - floats[3000u + ends_y];
  let t2 = floats[4000u + ends_x] - floats[4000u + ends_y];
  let t3 = floats[5000u + ends_x] - floats[5000u + ends_y];
  let t4 = sqrt(t1 * t1 + t2 * t2 + t3 * t3);
  let t5 = t1 / t4;
  let t6 = t2 / t4;
  let t7 = t3 / t4;
  let t8 = t5 * (floats[6000u + ends_x] - floats[6000u + ends_y]) + t6 * (floats[7000u + ends_x] - floats[7000u + ends_y]);
  let t9 = floats[invocation] * (t4 - floats[2000u + invocation]) + floats[1000u + invocation] * (t8 + t7 * (floats[8000u + ends_x] - floats[8000u + ends_y]));
  let out_pull_0 = t5 * t9;
  let out_pull_1 = t6 * t9;
  let out_pull_2 = t7 * t9;
  floats[9000u + invocation] = out_pull_0;
  floats[10000u + invocation] = out_pull_1;
  floats[11000u + invocation] = out_pull_2;
}
