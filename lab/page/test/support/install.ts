import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { installPacked } from '../../../../scripts/pack/install-packed.js';
import { build } from '../../../../scripts/setup.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the folder with the packed and installed packages. */
    readonly installed: string;
  }
}

/** Names of the packages that the pages use. */
const PACKAGES = [
  ...['core', 'kernel', 'particles', 'springs', 'fem', 'cloth', 'rigid', 'contact', 'render', 'render-softras'],
  ...['optim', 'mesh', 'video'],
];

/**
 * Packs and installs the packages that pages need and the types of WebGPU, once per test run; removes them afterwards.
 */
export default function install(project: TestProject): () => void {
  build();
  const folder = mkdtempSync(join(tmpdir(), 'gradsim-page-packages-'));
  installPacked(folder, PACKAGES);
  const types = createRequire(import.meta.url).resolve('@webgpu/types/package.json');
  mkdirSync(join(folder, 'node_modules/@webgpu'));
  symlinkSync(realpathSync(dirname(types)), join(folder, 'node_modules/@webgpu/types'));
  project.provide('installed', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
