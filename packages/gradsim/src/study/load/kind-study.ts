import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { experimentFiles, type Value } from '@gradsim/kinds';
import type { FoundKind } from '../../new/find-kind.ts';
import { withPathsFrom } from '../../new/measurements.ts';
import type { EstimatedStage, Study } from '../define/index.ts';
import { summaryOfStage } from './film-study.ts';

/** Settings of a trial of a line of a sheet. */
export interface LineSettings {
  /** Who filmed it, or what it is called. */
  readonly group: string;
  /** Measurements; paths are absolute. */
  readonly measured: Readonly<Record<string, Value>>;
  /** Hashes of the films and tables that it names, by measure. */
  readonly sha256: Readonly<Record<string, string>>;
}

/** Folder of a trial's experiment, in the trial's folder. */
const EXPERIMENT = 'experiment';

/**
 * Study of a kind on the lines of a sheet: a trial writes the experiment that `gradsim new` would, and estimates it; its
 * result is that of its last stage.
 */
export const kindStudy = ({ kind, importFrom }: FoundKind): Study<LineSettings, EstimatedStage> => ({
  trials: [],
  run: async ({ measured }, { estimate, folder }) => {
    const place = join(folder(), EXPERIMENT);
    mkdirSync(place);
    const files = experimentFiles(kind, importFrom(place), withPathsFrom(place, kind, measured));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text);
    return (await estimate(join(place, `${kind.name}.ts`))).at(-1)!;
  },
  summary: summaryOfStage,
});
