import { readFile } from 'node:fs/promises';
import { GradsimError, isGradsimError } from '@gradsim/core';
import type { CaseFormat, ReadCase } from './case-format.ts';
import type { CheckResult } from './errors.ts';
import type { CaseContent } from './fields.ts';
import { FORMATS } from './formats.ts';

/**
 * A case that was read: why it is not supported, or how to check it. `check` runs it on a device, which stays the
 * caller's, and gives its errors; it throws what the run throws, and where the run gave numbers that are not finite.
 */
export type ReferenceCase = { readonly model: string } & ReadCase;

/**
 * Reads a reference case of any model.
 *
 * ```ts
 * const reference = await readReferenceCase('rigid-box-0.json');
 * if ('check' in reference) console.log(await reference.check(cpuDevice()));
 * else console.log(reference.unsupported);
 * ```
 *
 * @throws naming the file, when it is not there, not JSON, no reference case, lacks an entry of its kind or has
 * something there that cannot be.
 */
export async function readReferenceCase(file: string): Promise<ReferenceCase> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'there is no such file' : error.message;
    throw new GradsimError('reference/file-unreadable', `${file} cannot be read: ${reason}.`);
  });
  const content = parse(file, text);
  if (!isCase(content))
    throw new GradsimError('reference/not-a-case', `${file} is no reference case.`, {
      hint: 'It must be an object with a line "model" and an object "expected".',
    });
  const { model } = content;
  const format = FORMATS.find(({ matches }) => matches(model, content));
  if (!format) return { model, unsupported: 'The model is none that gradsim has a check for.' };
  const read = readAs(format, content, file);
  if ('unsupported' in read) return { model, unsupported: read.unsupported };
  return { model, check: async (device) => requireFinite(await read.check(device)) };
}

function readAs(format: CaseFormat, content: CaseContent, file: string): ReadCase {
  try {
    return format.read(content);
  } catch (error) {
    const message = `${file}: ${(error as Error).message}`;
    throw isGradsimError(error)
      ? GradsimError.from({ ...error.toJSON(), message }, error)
      : new GradsimError('reference/not-a-case', message, { cause: error });
  }
}

/** @throws when the run gave something that is no number, which JSON would show as null. */
function requireFinite(errors: CheckResult): CheckResult {
  const unknown = Object.entries(errors).find(([, error]) => typeof error === 'number' && !Number.isFinite(error));
  if (unknown)
    throw new GradsimError(
      'reference/not-finite',
      `The run gave numbers that are not finite, so there is no ${unknown[0]}.`,
    );
  return errors;
}

function isCase(content: unknown): content is CaseContent & { readonly model: string } {
  if (typeof content !== 'object' || content === null) return false;
  const { model, expected } = content as CaseContent;
  return typeof model === 'string' && typeof expected === 'object' && expected !== null;
}

/** Text, which stays as it is, or a number that Python writes and JSON does not know. */
const TEXT_OR_NOT_FINITE = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g;

function parse(file: string, text: string): unknown {
  // As text, so that the entry which has one is refused by its path.
  const json = text.replace(TEXT_OR_NOT_FINITE, (found) => (found[0] === '"' ? found : `"${found}"`));
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new GradsimError(
      'reference/not-json',
      `${file} is not JSON: ${(error as Error).message}. It may be cut short.`,
      { cause: error },
    );
  }
}
