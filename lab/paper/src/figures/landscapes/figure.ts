import { median } from '@gradsim/base';
import { BEAM_TRUTH, publishedCurves } from '@gradsim/examples';
import type { TopLevelSpec } from 'vega-lite';
import type { Trial } from '../../table.ts';
import type { Drawn, FigureRow } from '../figure.ts';
import { defineFigure } from '../figure.ts';
import type { Line } from '../lines.ts';
import { linePanels } from '../lines.ts';
import { quartilesOf, spreadOf } from '../spread.ts';
import { minimaOf } from './false-minima.ts';
import { massLines, massRows, publishedLine } from './frames-figure.ts';
import type { MassFound } from './mass-curves.ts';
import type { BeamFound, Found, MapFound, Settings } from './study.ts';
import { MODULI } from './study.ts';

const MASS_CURVE = 'losses_skip1';
const MODULUS_NAMES: Readonly<Record<string, string>> = { kmu: 'mu', klambda: 'lambda' };
const PANELS = { mass: 'mass of a rigid body', kmu: 'mu of a beam', klambda: 'lambda of a beam' } as const;
const name = 'figure-4';

/** Loss landscapes over the mass, over mu, over lambda, and over both. */
export const figure4 = defineFigure<Settings, Found>({
  name,
  title: 'Loss landscapes over mass, mu and lambda',
  study: new URL('../../../src/figures/landscapes/study.ts', import.meta.url),
  folder: 'landscapes',
  count: 20,
  quickCount: 3,
  published: [MASS_CURVE, 'kmu_loss', 'klambda_loss'],
  draw: async (trials, published): Promise<Drawn> => {
    const theirs = published === undefined ? { mass: [], beam: [] } : publishedCurves(published);
    const of = <T extends Found>(part: Settings['part']): Trial<Settings, T>[] =>
      trials.filter(({ settings }) => settings.part === part) as Trial<Settings, T>[];
    const mass = of<MassFound>('mass');
    const massPanel: Line[] = [
      ...massLines(mass, MASS_CURVE, PANELS.mass),
      ...theirs.mass.filter((curve) => curve.name === MASS_CURVE).map((curve) => publishedLine(curve, PANELS.mass)),
    ];
    const beams = of<BeamFound>('beam').flatMap(({ found }) => found ?? []);
    const beamPanels = (['kmu', 'klambda'] as const).map((curve): Line[] => {
      const runs = beams.map(({ curves }) => curves.find((own) => own.name === curve)!);
      if (runs.length === 0) return [];
      const points = spreadOf(
        runs[0].values,
        runs.map(({ losses }) => losses),
      );
      return [
        { panel: PANELS[curve], series: 'gradsim', points },
        ...theirs.beam.filter((own) => own.name === curve).map((own) => publishedLine(own, PANELS[curve])),
      ];
    });
    const map = of<MapFound>('map')
      .flatMap(({ settings: { mu }, found }) => (found ? [{ mu: mu!, losses: found.losses }] : []))
      .sort((a, b) => a.mu - b.mu);
    const size = { yTitle: 'loss', columns: 1, width: 300, height: 190 };
    return {
      rows: [
        ...massRows(
          name,
          mass,
          MASS_CURVE,
          theirs.mass.find((curve) => curve.name === MASS_CURVE),
        ),
        ...(beams.length > 0 ? ['kmu', 'klambda'].map((curve) => beamRow(beams, curve, theirs.beam)) : []),
        ...mapRows(map, of<MapFound>('map')),
      ],
      curves: {
        mass: massPanel.filter(isOurs),
        beam: beamPanels.flat().filter(isOurs),
        map: { lambda: MODULI, rows: map },
      },
      spec: {
        vconcat: [
          {
            hconcat: [linePanels({ ...size, lines: massPanel, xTitle: 'mass, kg (truth 1)', truth: 1 }), mapChart(map)],
            resolve: { scale: { color: 'independent', strokeDash: 'independent' } },
          },
          {
            hconcat: beamPanels
              .filter((lines) => lines.length > 0)
              .map((lines) =>
                linePanels({
                  ...size,
                  lines,
                  xTitle: `${lines[0].panel.split(' ')[0]}, Pa (truth 1000)`,
                  truth: BEAM_TRUTH,
                }),
              ),
          },
        ],
        resolve: { scale: { color: 'independent', strokeDash: 'independent' } },
      } as TopLevelSpec,
    };
  },
});

const isOurs = ({ isPublished }: Line): boolean => !isPublished;

const NO_VERDICT = { table: name, trusted: null, flaggedOfWrong: null } as const;

/** Number of false minima of a curve over a modulus, ours beside the published. */
function beamRow(
  beams: readonly BeamFound[],
  curve: string,
  theirs: readonly { readonly name: string; readonly losses: readonly number[] }[],
): FigureRow {
  const counts = beams.map(({ curves }) => minimaOf([curves.find((own) => own.name === curve)!.losses]).length - 1);
  const other = theirs.find((own) => own.name === curve);
  const [low, middle, high] = quartilesOf(counts);
  return {
    ...NO_VERDICT,
    row: `false minima over ${MODULUS_NAMES[curve]}`,
    n: beams.length,
    measured: middle,
    quartiles: [low, high],
    published: other ? minimaOf([other.losses]).length - 1 : null,
    seconds: median(beams.map(({ seconds }) => seconds)),
  };
}

interface MapLine {
  readonly mu: number;
  readonly losses: readonly number[];
}

/** The false minima of the map, each with its place. */
function mapRows(map: readonly MapLine[], trials: readonly Trial<Settings, MapFound>[]): FigureRow[] {
  const seconds = trials.flatMap(({ found }) => found?.seconds ?? []);
  if (seconds.length === 0) return [];
  return falseMinima(map).map(({ mu, lambda, loss }) => ({
    ...NO_VERDICT,
    row: `loss at the false minimum at mu ${Math.round(mu)}, lambda ${Math.round(lambda)} Pa, of the largest`,
    n: 1,
    measured: loss / Math.max(...map.flatMap(({ losses }) => losses)),
    quartiles: null,
    published: null,
    seconds: median(seconds),
  }));
}

const falseMinima = (map: readonly MapLine[]): { mu: number; lambda: number; loss: number }[] =>
  minimaOf(map.map(({ losses }) => losses))
    .map(({ row, column, loss }) => ({ mu: map[row].mu, lambda: MODULI[column], loss }))
    .filter(({ mu, lambda }) => mu !== BEAM_TRUTH || lambda !== BEAM_TRUTH);

/** Heat map of the loss over mu and lambda, with the truth and the false minima. */
function mapChart(map: readonly MapLine[]): TopLevelSpec {
  const half = 2 ** (1 / 12);
  const values = map.flatMap(({ mu, losses }) =>
    losses.map((loss, k) => ({
      mu: mu / half,
      mu2: mu * half,
      lambda: MODULI[k] / half,
      lambda2: MODULI[k] * half,
      loss,
    })),
  );
  const log = { type: 'log', nice: false, domain: [MODULI[0] / half, MODULI[MODULI.length - 1] * half] } as const;
  const axis = { values: [50, 100, 200, 500, 1000, 2000], grid: false } as const;
  const marks = [
    ...falseMinima(map).map(({ mu, lambda }) => ({ mu, lambda, mark: 'false minimum' })),
    { mu: BEAM_TRUTH, lambda: BEAM_TRUTH, mark: 'truth' },
  ];
  return {
    title: 'mu and lambda of a beam',
    width: 250,
    height: 210,
    layer: [
      {
        data: { values },
        mark: 'rect',
        encoding: {
          x: { field: 'mu', type: 'quantitative', title: 'mu, Pa', scale: log, axis },
          x2: { field: 'mu2' },
          y: { field: 'lambda', type: 'quantitative', title: 'lambda, Pa', scale: log, axis },
          y2: { field: 'lambda2' },
          color: {
            field: 'loss',
            type: 'quantitative',
            scale: { type: 'sqrt', scheme: 'viridis' },
            legend: { title: 'loss', format: '.2f', symbolType: 'square', orient: 'right', columns: 1 },
          },
        },
      },
      {
        data: { values: marks },
        mark: { type: 'point', filled: false, stroke: '#ffffff', size: 70, strokeWidth: 2 },
        encoding: {
          x: { field: 'mu', type: 'quantitative' },
          y: { field: 'lambda', type: 'quantitative' },
          shape: {
            field: 'mark',
            type: 'nominal',
            scale: { domain: ['truth', 'false minimum'], range: ['cross', 'circle'] },
            legend: { orient: 'bottom', title: null, symbolStrokeColor: '#4d545d' },
          },
        },
      },
    ],
  } as TopLevelSpec;
}
