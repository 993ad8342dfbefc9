// groundForce_adjoint, 1000 invocations
struct Registers { substep: u32, frame: u32, stateIn: u32, stateOut: u32 }
@group(0) @binding(0) var<storage, read_write> floats: array<f32>;
@group(0) @binding(1) var<storage, read_write> words: array<u32>;
@group(0) @binding(2) var<uniform> registers: Registers;

fn tanh_f32(x: f32) -> f32 {
  let t1 = abs(x);
  let t2 = t1 * t1;
  let t3 = (((((-0.0057049887f) * t2 + 0.020639088f) * t2 + (-0.053739715f)) * t2 + 0.13331442f) * t2 + (-0.3333328f)) * t2;
  let t4 = t1 + t1;
  let t5 = max(min(t4, 89.0f), -87.33655f);
  let t6 = floor(t5 * 1.442695f + 0.5f);
  let t7 = t5 - t6 * 0.6933594f - t6 * (-0.00021219444f);
  let t8 = ((((0.00019875691f * t7 + 0.0013981999f) * t7 + 0.008333452f) * t7 + 0.041665796f) * t7 + 0.16666666f) * t7 + 0.5f;
  let i1 = i32(t6);
  let i2 = i1 >> 1u;
  let t9 = (t8 * (t7 * t7) + t7 + 1.0f) * bitcast<f32>(u32((i2 + 127i) << 23u)) * bitcast<f32>(u32(((i1 - i2) + 127i) << 23u));
  let n1 = bitcast<u32>(select(1.0f - 2.0f / (select(t9, 0.0f, t4 < (-87.33655f)) + 1.0f), t3 * t1 + t1, t1 < 0.625f)) | (bitcast<u32>(x) & 2147483648u);
  return bitcast<f32>(n1);
}

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
    let t4 = tanh_f32(velocity_z);
    t1 = force_bar_z * (1.0f - t4 * t4);
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
