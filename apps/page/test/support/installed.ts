import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPacked } from '../../../../scripts/install-packed.js';
import { build } from '../../../../scripts/setup.js';

/** The packages of a page. */
const PACKAGES = [
  ...['core', 'kernel', 'particles', 'springs', 'fem', 'cloth', 'rigid', 'contact', 'render', 'render-softras'],
  ...['optim', 'mesh', 'video'],
];

/** A folder outside of the repository, with the packed packages installed and this app's built programs in `program`. */
export function installApp(): { folder: string; remove: () => void } {
  build();
  const folder = mkdtempSync(join(tmpdir(), 'gradsim-page-'));
  installPacked(folder, PACKAGES);
  const program = join(folder, 'program');
  mkdirSync(program);
  cpSync(join(import.meta.dirname, '../../dist'), program, { recursive: true });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
