import { GradsimError, isGradsimError } from '@gradsim/core';
import { type FileRefused, readText } from '@gradsim/core/files';
import type { CaseFormat, ReadCase } from './case-format.ts';
import type { CheckResult } from './errors.ts';
import type { CaseContent } from './fields.ts';
import { FORMATS } from './formats.ts';

/**
 * A case that was read: the reason why it is not supported, or a function `check` that runs it on a device and returns
 * its errors. The caller keeps ownership of the device. `check` throws what the run throws, and if a result is not
 * finite.
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
 * @throws naming the file, if it does not exist, is not JSON, is not a reference case, or lacks an entry of its kind or
 * has an invalid one.
 */
export async function readReferenceCase(file: string): Promise<ReferenceCase> {
  const text = await readText(file).catch((error: FileRefused) => {
    const reason = error.kind === 'missing' ? 'there is no such file' : error.reason;
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

/** @throws when a result of the run is not finite: JSON would show it as null. */
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

/** Matches a string of JSON, or a number NaN, Infinity or -Infinity, which Python writes and JSON does not allow. */
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
