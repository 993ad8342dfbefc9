import { readFile } from 'node:fs/promises';
import type { Device } from '@gradsim/core';
import type { CheckResult } from './check.ts';
import { clothSheet, clothSphere } from './cloth.ts';
import { type Fields, findUnsupported, requireFields } from './fields.ts';
import { rigidBox } from './rigid-box.ts';
import { softBlock } from './soft-block.ts';
import { softRaster, softRasterSquare } from './soft-raster.ts';
import { springChain } from './spring-chain.ts';

/** What a reference case holds. */
export type CaseContent = Readonly<Record<string, unknown>>;

/** A kind of reference case. */
export interface CaseFormat {
  /** Whether a case is of this kind, by its model line; where that does not tell, by an entry. */
  readonly matches: (model: string, content: CaseContent) => boolean;
  /** Every entry that `check` reads. A case with more is not supported: it would be checked without. */
  readonly fields: Fields;
  readonly check: (content: CaseContent, device: Device) => Promise<CheckResult>;
}

const FORMATS: readonly CaseFormat[] = [
  rigidBox,
  springChain,
  softBlock,
  clothSheet,
  clothSphere,
  softRasterSquare,
  softRaster,
];

/** A case that was read: how to check it, or why it is not supported. */
export type ReferenceCase = { readonly model: string } & (
  | { readonly check: (device: Device) => Promise<CheckResult> }
  | { readonly unsupported: string }
);

/**
 * Reads a reference case of any model.
 * @throws naming the file, when it is not there, not JSON, no reference case, lacks an entry of its kind or has
 * something there that cannot be.
 */
export async function readReferenceCase(file: string): Promise<ReferenceCase> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'there is no such file' : error.message;
    throw new Error(`${file} cannot be read: ${reason}.`);
  });
  const content = parse(file, text);
  if (!isCase(content))
    throw new Error(
      `${file} is no reference case: it must be an object with a line "model" and an object "expected".`,
    );
  const { model } = content;
  const format = FORMATS.find(({ matches }) => matches(model, content));
  if (!format) return { model, unsupported: 'The model is none that gradsim has a check for.' };
  try {
    const unsupported = findUnsupported(content, format.fields);
    if (unsupported !== undefined) return { model, unsupported };
    requireFields(content, format.fields);
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
  }
  return { model, check: (device) => format.check(content, device) };
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
    throw new Error(`${file} is not JSON: ${(error as Error).message}. It may be cut short.`, {
      cause: error,
    });
  }
}
