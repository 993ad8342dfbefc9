import { extname, resolve } from 'node:path';
import { reasonOfSystem, requireReadable } from '@gradsim/base/files';
import { GradsimError } from '@gradsim/core';
import type { Kind, Value } from '@gradsim/kinds';
import { measuredOf } from '@gradsim/kinds';
import { splitPart } from '@gradsim/recordings/files';
import { filmFiles } from '@gradsim/video';
import { checkedAgainstCamera } from './camera.ts';
import { pathFrom } from './find-kind.ts';

/** Types of measures that are paths. */
const PATHS = ['file', 'camera', 'data', 'written'];

/**
 * Reads the measurements of an experiment from texts, with the camera that a file tells; its paths become absolute.
 *
 * @param givenTexts texts, as of `--set name=value`.
 * @throws for an unknown, missing or invalid measurement, and a file that cannot be read.
 */
export async function measurementsFrom(
  kind: Kind,
  givenTexts: Readonly<Record<string, string>>,
): Promise<Record<string, Value>> {
  const { measures } = kind;
  const measured = measuredOf(kind, givenTexts);
  const values = 'video' in measures ? await checkedAgainstCamera(kind, measured, givenTexts) : { ...measured };
  for (const [measure, { type }] of Object.entries(measures)) {
    const value = values[measure];
    if (!PATHS.includes(String(type)) || typeof value !== 'string') continue;
    if (type === 'file') await filmFiles(value);
    else if (type === 'data') refuseUnreadable(splitPart(value).file);
    else if (type === 'written') refuseOtherFormat(value);
    values[measure] = resolve(value);
  }
  return values;
}

/** Returns measurements whose paths are as modules in a folder name them. */
export const withPathsFrom = (
  folder: string,
  { measures }: Kind,
  values: Readonly<Record<string, Value>>,
): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      PATHS.includes(String(measures[name].type)) && typeof value === 'string' ? pathFrom(folder, value) : value,
    ]),
  );

function refuseOtherFormat(path: string): void {
  if (extname(path) === '.xml') return;
  throw new GradsimError('gradsim/option-wrong', `--export takes a file that ends in .xml, not "${path}".`, {
    field: '--export',
    hint: 'For a .glb of its motion, estimate, then gradsim render EXPERIMENT --from RESULT --out FILE.glb.',
  });
}

function refuseUnreadable(path: string): void {
  try {
    requireReadable(path);
  } catch (cause) {
    throw new GradsimError('gradsim/file-unreadable', `${path} cannot be read: ${reasonOfSystem(cause)}.`, { cause });
  }
}
