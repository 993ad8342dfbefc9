import { readFile } from 'node:fs/promises';
import type { Device } from '@gradsim/core';
import type { CheckResult } from './check.ts';
import { clothSheet, clothSphere } from './cloth.ts';
import { requireFields, type Shape } from './fields.ts';
import { rigidBox } from './rigid-box.ts';
import { softBlock } from './soft-block.ts';
import { softRaster } from './soft-raster.ts';
import { springChain } from './spring-chain.ts';

/** What a reference case holds beyond its `model` line. */
export type CaseContent = Readonly<Record<string, unknown>>;

/** A kind of reference case. */
export interface CaseFormat {
  /** Whether a case is of this kind, by its model line and its fields. */
  readonly matches: (model: string, content: CaseContent) => boolean;
  /** What `check` reads, by path. */
  readonly fields: Readonly<Record<string, Shape>>;
  readonly check: (content: CaseContent, device: Device) => Promise<CheckResult>;
}

const FORMATS: readonly CaseFormat[] = [
  rigidBox,
  springChain,
  softBlock,
  clothSheet,
  clothSphere,
  softRaster,
];

/** A case that was read; without a format when its model is not supported. */
export interface ReferenceCase {
  readonly file: string;
  readonly model: string;
  readonly content: CaseContent;
  readonly format?: CaseFormat;
}

/**
 * Reads a reference case of any model.
 * @throws when the file is not there, not JSON, no reference case, or lacks a field of its format.
 */
export async function readReferenceCase(file: string): Promise<ReferenceCase> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOENT' ? 'there is no such file' : error.message;
    throw new Error(`${file} cannot be read: ${reason}.`);
  });
  const content = parse(file, text);
  const isCase =
    typeof content === 'object' && content !== null && 'model' in content && 'expected' in content;
  if (!isCase || typeof content.model !== 'string')
    throw new Error(
      `${file} is no reference case: it must be an object with a line "model" and a field "expected".`,
    );
  const { model } = content;
  const fields = content as CaseContent;
  const format = FORMATS.find(({ matches }) => matches(model, fields));
  if (format) requireFields(file, fields, format.fields);
  return { file, model, content: fields, format };
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is not JSON: ${(error as Error).message}. It may be cut short.`, {
      cause: error,
    });
  }
}
