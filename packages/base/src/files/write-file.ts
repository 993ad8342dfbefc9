import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FileRefused } from './read-file.ts';
import { kindOf, statusOfLink } from './status.ts';

/**
 * Checks that nothing but a regular file is replaced by a file that is written: no link, pipe or device.
 * @throws FileRefused with the reason.
 */
export function requireReplaceable(path: string): void {
  const found = statusOfLink(path);
  if (found && !found.isFile()) throw new FileRefused(path, 'not a file', `it is ${kindOf(found)}, not a file`);
}

/**
 * Writes a file whole or not at all, replacing a file of that name.
 *
 * @param draft name in its folder under which it is written first.
 * @throws FileRefused where there is something else of that name; errors of the file system.
 */
export function writeWhole(
  path: string,
  content: string | Uint8Array,
  draft = `.${basename(path)}.${process.pid}.part`,
): void {
  requireReplaceable(path);
  const first = join(dirname(path), draft);
  try {
    writeFileSync(first, content);
    renameSync(first, path);
  } catch (error) {
    rmSync(first, { force: true });
    throw error;
  }
}
