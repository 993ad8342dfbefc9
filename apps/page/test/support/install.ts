import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { installPacked } from '../../../../scripts/install-packed.js';
import { build } from '../../../../scripts/setup.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the packed packages. */
    readonly installed: string;
  }
}

/** The packages of a page. */
const PACKAGES = [
  ...['core', 'kernel', 'particles', 'springs', 'fem', 'cloth', 'rigid', 'contact', 'render', 'render-softras'],
  ...['optim', 'mesh', 'video'],
];

/** Packs and installs what pages need, once a run, beside the types of WebGPU; removes it after the run. */
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
