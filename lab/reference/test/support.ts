import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** Creates an empty folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gradsim-reference-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a file that is removed after the test, with the given text, or with a given value as JSON. */
export function write(content: unknown): string {
  const file = join(temporaryFolder(), 'case.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/**
 * Returns the folder of reference cases beside the repository; undefined, after printing a line, if it does not exist.
 */
export function referenceFolder(): string | undefined {
  const folder = fileURLToPath(new URL('../../../../shared/reference/', import.meta.url));
  if (existsSync(folder)) return folder;
  console.warn('Skipped: the reference cases are not there (../shared/reference beside the repository).');
  return undefined;
}
