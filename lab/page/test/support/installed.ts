import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';

/** Application of a test file: its folder outside of the repository, and a function that removes it. */
export interface App {
  readonly folder: string;
  remove(): void;
}

/**
 * Creates a folder with the packed packages, which all test files share, and this application's built programs in
 * `program`.
 */
export function installApp(): App {
  const folder = mkdtempSync(join(tmpdir(), 'gradsim-page-'));
  const installed = inject('installed');
  cpSync(join(installed, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(installed, 'node_modules'), join(folder, 'node_modules'), 'junction');
  cpSync(join(import.meta.dirname, '../../dist'), join(folder, 'program'), { recursive: true });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
