// newtonRoot, 1000 invocations
struct Registers { substep: u32, frame: u32, stateIn: u32, stateOut: u32 }
@group(0) @binding(0) var<storage, read_write> floats: array<f32>;
@group(0) @binding(1) var<storage, read_write> words: array<u32>;
@group(0) @binding(2) var<uniform> registers: Registers;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let invocation = id.x;
  if (invocation >= 1000u) { return; }
  let square = floats[invocation];
  var t1: f32 = 0.0f;
  var t2: f32 = square;
  let k_end = words[invocation];
  for (var k = 0u; k < k_end; k++) {
    let t3 = (t1 + t2) * 0.5f;
    var t4: f32;
    var t5: f32;
    if ((t3 * t3) < square) {
      t4 = t3;
      t5 = t2;
    } else {
      t4 = t1;
      t5 = t3;
    }
    let t1_next = t4;
    let t2_next = t5;
    t1 = t1_next;
    t2 = t2_next;
  }
  let t6 = square * 0.001f;
  var t7: f32 = square;
  loop {
    if (!((t7 * t7 - square) > t6)) { break; }
    t7 = (t7 + square / t7) * 0.5f;
  }
  floats[1000u + invocation] = t1;
  floats[2000u + invocation] = t7;
}
