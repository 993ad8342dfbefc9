import { expect, it } from 'vitest';
import { create, globals } from 'webgpu';
import { findSoftwareVulkan } from '../vulkan.js';

Object.assign(globalThis, globals);
/** Dawn ends, and takes the process along, when its GPU object is collected: it is kept here. */
let gpu: GPU | undefined;

/** Doubles every element of a buffer on the adapter, and reads the result back. */
async function double(adapter: GPUAdapter, values: Float32Array<ArrayBuffer>): Promise<Float32Array> {
  const device = await adapter.requestDevice();
  const code = `
    @group(0) @binding(0) var<storage, read_write> x: array<f32>;
    @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
      if (id.x < arrayLength(&x)) { x[id.x] = 2.0 * x[id.x]; }
    }`;
  const module = device.createShaderModule({ code });
  const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module } });
  const { STORAGE, COPY_DST, COPY_SRC, MAP_READ } = GPUBufferUsage;
  const buffer = device.createBuffer({ size: values.byteLength, usage: STORAGE | COPY_DST | COPY_SRC });
  const staging = device.createBuffer({ size: values.byteLength, usage: MAP_READ | COPY_DST });
  device.queue.writeBuffer(buffer, 0, values);
  const layout = pipeline.getBindGroupLayout(0);
  const group = device.createBindGroup({ layout, entries: [{ binding: 0, resource: { buffer } }] });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  pass.dispatchWorkgroups(Math.ceil(values.length / 64));
  pass.end();
  encoder.copyBufferToBuffer(buffer, 0, staging, 0, values.byteLength);
  device.queue.submit([encoder.finish()]);
  await staging.mapAsync(GPUMapMode.READ);
  const result = new Float32Array(staging.getMappedRange().slice(0));
  device.destroy();
  return result;
}

it.skipIf(!findSoftwareVulkan())('a machine with Chromium has a WebGPU adapter in Node that computes', async () => {
  gpu = create([]);
  const adapter = await gpu.requestAdapter();
  expect(adapter).not.toBeNull();
  const values = Float32Array.from({ length: 1000 }, (_, i) => i);
  expect(await double(adapter as GPUAdapter, values)).toEqual(values.map((value) => 2 * value));
});

if (!findSoftwareVulkan()) console.warn('Skipped the software Vulkan test: this machine has no Chromium.');
