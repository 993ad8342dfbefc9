import { GradsimError } from '@gradsim/base';

/** Smallest valid module: only the header. */
const SMALLEST_MODULE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

let mayCompileCached: boolean | undefined;

/**
 * Returns whether WebAssembly may be used here; the policy of a page may forbid it. Cached: browsers report each
 * attempt.
 */
export function mayCompile(): boolean {
  mayCompileCached ??= compilesSmallest();
  return mayCompileCached;
}

function compilesSmallest(): boolean {
  try {
    return new WebAssembly.Module(SMALLEST_MODULE) instanceof WebAssembly.Module;
  } catch {
    return false;
  }
}

export const FORBIDDEN_HINT =
  "This page forbids WebAssembly: add 'wasm-unsafe-eval' to script-src of its content security policy, or use the device " +
  '"webgpu".';

/** @throws where WebAssembly may not be used. */
export function refuseWithoutWebAssembly(): void {
  if (!mayCompile()) throw new GradsimError('kernel/no-webassembly', FORBIDDEN_HINT);
}
