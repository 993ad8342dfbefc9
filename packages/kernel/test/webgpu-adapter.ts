import { describe } from 'vitest';
import { findAdapter } from '../src/devices/webgpu/adapter.ts';

/** Reason why WebGPU cannot be tested here; null if it can. */
export const missingAdapter: string | null = await findAdapter({ allowSoftware: true }).then(
  () => null,
  (error: Error) => error.message,
);

if (missingAdapter) console.warn(`SKIPPED, NOT TESTED: everything on the device webgpu. ${missingAdapter}`);

/** `describe` for tests that need an adapter: skipped, with the reason printed, if there is none. */
export const describeWithAdapter = describe.skipIf(missingAdapter !== null);
