import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** An empty folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gradsim-reference-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A file that is removed after the test, with this text or this as JSON. */
export function write(content: unknown): string {
  const file = join(temporaryFolder(), 'case.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** The reference cases beside the repository; undefined, with a line that says so, where they are not. */
export function referenceFolder(): string | undefined {
  const folder = fileURLToPath(new URL('../../../../shared/reference/', import.meta.url));
  if (existsSync(folder)) return folder;
  console.warn('Skipped: the reference cases are not there (../shared/reference beside the repository).');
  return undefined;
}
