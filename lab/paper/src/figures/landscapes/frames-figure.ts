import { median } from '@gradsim/base';
import { publishedCurves, risesTowardsTruth } from '@gradsim/examples';
import type { Trial } from '../../table.ts';
import type { Drawn, FigureRow } from '../figure.ts';
import { defineFigure } from '../figure.ts';
import type { Line } from '../lines.ts';
import { linePanels, PUBLISHED } from '../lines.ts';
import { quartilesOf, spreadOf } from '../spread.ts';
import type { MassFound } from './mass-curves.ts';

/** Display names of the curves, by their names in the file of published curves. */
export const FRAMES: Readonly<Record<string, string>> = {
  losses_skip1: 'all frames',
  losses_skip5: 'every fifth frame',
  losses_first_and_mid: 'first and middle frame',
  losses_first_and_last: 'first and last frame',
};

interface Settings {
  readonly instance: number;
}

/** The study of landscapes over the mass alone, with its folder of results and its seeds. */
export const FRAMES_STUDY = {
  study: new URL('../../../src/figures/landscapes/frames-study.ts', import.meta.url),
  folder: 'frames',
  count: 20,
  quickCount: 3,
} as const;

/** Panels of losses over the mass, two beside each other. */
export const MASS_PANELS = {
  xTitle: 'mass, kg (truth 1)',
  yTitle: 'loss',
  truth: 1,
  columns: 2,
  width: 300,
  height: 190,
} as const;

const name = 'figure-12';

/** Loss over the mass from all frames, from every fifth, and from two. */
export const figure12 = defineFigure<Settings, MassFound>({
  name,
  title: 'Loss over the mass from fewer frames',
  ...FRAMES_STUDY,
  published: Object.keys(FRAMES),
  draw: async (trials, published): Promise<Drawn> => {
    const theirs = published === undefined ? [] : publishedCurves(published).mass;
    const curves = Object.keys(FRAMES).map((curve) => ({ curve, other: theirs.find((one) => one.name === curve) }));
    const lines = curves.flatMap(({ curve, other }): Line[] => [
      ...massLines(trials, curve, FRAMES[curve]),
      ...(other ? [publishedLine(other, FRAMES[curve])] : []),
    ]);
    return {
      rows: curves.flatMap(({ curve, other }) => [
        ...massRows(name, trials, curve, other),
        ...steepnessRow(trials, curve, other),
      ]),
      curves: lines.filter(({ isPublished }) => !isPublished),
      spec: linePanels({ lines, ...MASS_PANELS }),
    };
  },
});

/** The curve of a landscape over the mass: median and quartiles over the pushes. */
export function massLines(
  trials: readonly Trial<unknown, MassFound>[],
  curve: string,
  panel: string,
  series = 'gradsim',
): Line[] {
  const own = trials.flatMap(({ found }) => found?.curves.find(({ name }) => name === curve) ?? []);
  if (own.length === 0) return [];
  const points = spreadOf(
    own[0].values,
    own.map(({ losses }) => losses),
  );
  return [{ panel, series, points }];
}

/** A published curve. */
export const publishedLine = (
  { values, losses }: { readonly values: readonly number[]; readonly losses: readonly number[] },
  panel: string,
): Line => ({ panel, series: PUBLISHED, points: values.map((x, k) => ({ x, y: losses[k] })), isPublished: true });

/** Share of steps of a landscape in which the loss rises towards the truth, ours beside the published. */
export function massRows(
  table: string,
  trials: readonly Trial<unknown, MassFound>[],
  curve: string,
  theirs: { readonly values: readonly number[]; readonly losses: readonly number[] } | undefined,
): FigureRow[] {
  const found = trials.flatMap((trial) => trial.found ?? []);
  if (found.length === 0) return [];
  const own = found.map(({ curves }) => curves.find(({ name }) => name === curve)!);
  const shares = own.map((line, k) => risesTowardsTruth(line, found[k].truth) / (line.values.length - 1));
  const least = own.map(({ values, losses }, k) =>
    Math.abs(values[losses.indexOf(Math.min(...losses))] / found[k].truth - 1),
  );
  const share = (line: NonNullable<typeof theirs>): number =>
    risesTowardsTruth({ ...line, name: '' }, line.values[line.losses.indexOf(Math.min(...line.losses))]) /
    (line.values.length - 1);
  const row = rowsOf(table, trials, curve);
  return [
    row('share of steps that rise towards the truth', shares, theirs ? share(theirs) : null),
    row('distance of the minimum from the truth, relative', least, null),
  ];
}

/** Loss at half of the true mass, of the largest: how steep a landscape is. */
function steepnessRow(
  trials: readonly Trial<unknown, MassFound>[],
  curve: string,
  theirs: { readonly values: readonly number[]; readonly losses: readonly number[] } | undefined,
): FigureRow[] {
  const found = trials.flatMap((trial) => trial.found ?? []);
  if (found.length === 0) return [];
  const at = ({ values, losses }: NonNullable<typeof theirs>, truth: number): number => {
    const distances = values.map((value) => Math.abs(value - truth / 2));
    return losses[distances.indexOf(Math.min(...distances))] / Math.max(...losses);
  };
  const own = found.map(({ curves, truth }) => at(curves.find(({ name }) => name === curve)!, truth));
  const row = rowsOf(name, trials, curve);
  return [row('loss at half of the true mass, of the largest', own, theirs ? at(theirs, 1) : null)];
}

/** Makes rows of a curve from values of all pushes. */
function rowsOf(table: string, trials: readonly Trial<unknown, MassFound>[], curve: string) {
  const seconds = median(trials.flatMap(({ found }) => found?.seconds ?? []));
  return (text: string, values: readonly number[], published: number | null): FigureRow => {
    const [low, middle, high] = quartilesOf(values);
    return {
      table,
      row: `${FRAMES[curve]}: ${text}`,
      n: trials.length,
      measured: middle,
      quartiles: [low, high],
      published,
      trusted: null,
      flaggedOfWrong: null,
      seconds,
    };
  };
}
