// groundForce_adjoint, 1000 invocations
struct Registers { substep: u32, frame: u32, stateIn: u32, stateOut: u32 }
@group(0) @binding(0) var<storage, read_write> floats: array<f32>;
@group(0) @binding(1) var<storage, read_write> words: array<u32>;
@group(0) @binding(2) var<uniform> registers: Registers;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let invocation = id.x;
  if (invocation >= 1000u) { return; }
  let velocity_z = floats[5000u + invocation];
  let force_bar_y = floats[7000u + invocation];
  let force_bar_z = floats[8000u + invocation];
  var t1: f32;
  var t2: f32;
  var t3: f32;
  if ((-floats[1000u + invocation]) > 0.0f) {
    let t4 = exp((-2.0f) * abs(velocity_z));
    let t5 = 1.0f + t4;
    t1 = force_bar_z * (4.0f * t4 / (t5 * t5));
    t2 = -(force_bar_y * 10.0f);
    t3 = -(force_bar_y * 10000.0f);
  } else {
    t1 = 0.0f;
    t2 = 0.0f;
    t3 = 0.0f;
  }
  let out_position_bar_0 = floats[9000u + invocation];
  let out_position_bar_1 = floats[10000u + invocation] + t3;
  let out_position_bar_2 = floats[11000u + invocation];
  let out_velocity_bar_3 = floats[12000u + invocation];
  let out_velocity_bar_4 = floats[13000u + invocation] + t2;
  let out_velocity_bar_5 = floats[14000u + invocation] + t1;
  floats[9000u + invocation] = out_position_bar_0;
  floats[10000u + invocation] = out_position_bar_1;
  floats[11000u + invocation] = out_position_bar_2;
  floats[12000u + invocation] = out_velocity_bar_3;
  floats[13000u + invocation] = out_velocity_bar_4;
  floats[14000u + invocation] = out_velocity_bar_5;
}
