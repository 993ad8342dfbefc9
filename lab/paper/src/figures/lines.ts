import type { TopLevelSpec } from 'vega-lite';
import { COLORS, PUBLISHED_COLOR } from './chart.ts';
import type { SpreadPoint } from './spread.ts';

/** A curve of a panel. */
export interface Line {
  readonly panel: string;
  readonly series: string;
  readonly points: readonly (Pick<SpreadPoint, 'x' | 'y'> & Partial<SpreadPoint>)[];
  /** True for a published curve, drawn dashed. */
  readonly isPublished?: boolean;
  /** True for a curve without a meaning of its own between points, drawn as dots. */
  readonly isScatter?: boolean;
}

/** Panels of curves over a shared kind of axis. */
export interface Panels {
  readonly lines: readonly Line[];
  readonly xTitle: string;
  readonly yTitle: string;
  readonly isLog?: boolean;
  /** Values below this are drawn at it, on a logarithmic axis. */
  readonly floor?: number;
  /** Position of a vertical line in every panel. */
  readonly truth?: number;
  /** Panels beside each other. */
  readonly columns: number;
  readonly width: number;
  readonly height: number;
}

/** Name of the published series in legends; `the paper, NAME` has the colour of the series NAME. */
export const PUBLISHED = 'the paper';

/** Chart of panels of curves with bands between quartiles. */
export function linePanels(panels: Panels): TopLevelSpec {
  const { lines, xTitle, yTitle, isLog = false, floor = 0, truth, columns, width, height } = panels;
  const shown = (y: number | undefined): number | undefined => (y === undefined ? undefined : Math.max(y, floor));
  const values = lines.flatMap(({ panel, series, points, isPublished = false, isScatter = false }) =>
    points.map(({ x, y, low, high }) => ({
      panel,
      series,
      x,
      y: shown(y),
      low: shown(low),
      high: shown(high),
      kind: isScatter ? 'scatter' : isPublished ? 'published' : 'line',
    })),
  );
  const names = [...new Set(lines.map(({ series }) => series))];
  const published = new Set(lines.filter((line) => line.isPublished).map(({ series }) => series));
  const own = names.filter((name) => !published.has(name));
  const colorOf = (name: string): string => {
    const like = own.indexOf(published.has(name) ? name.slice(`${PUBLISHED}, `.length) : name);
    return like < 0 ? PUBLISHED_COLOR : COLORS[like % COLORS.length];
  };
  const color = {
    field: 'series',
    type: 'nominal',
    scale: {
      domain: names,
      range: names.map(colorOf),
    },
  } as const;
  // As the colour, so that the legend has dashes too.
  const strokeDash = {
    field: 'series',
    type: 'nominal',
    scale: { domain: names, range: names.map((name) => (published.has(name) ? [5, 4] : [1, 0])) },
  } as const;
  const x = { field: 'x', type: 'quantitative', title: xTitle, scale: { zero: false, nice: false } } as const;
  const scale = isLog ? ({ type: 'log' } as const) : ({ zero: true } as const);
  const y = {
    field: 'y',
    type: 'quantitative',
    title: yTitle,
    scale,
    axis: isLog ? { format: '.0e', tickCount: 6 } : {},
  } as const;
  return {
    data: { values },
    facet: { field: 'panel', type: 'nominal', sort: [...new Set(lines.map(({ panel }) => panel))] },
    columns,
    resolve: { scale: { x: 'independent', y: isLog ? 'shared' : 'independent' } },
    spec: {
      width,
      height,
      layer: [
        ...(truth === undefined
          ? []
          : [
              {
                // One for each panel, not for each point.
                transform: [{ aggregate: [{ op: 'count' as const, as: 'points' }] }],
                mark: { type: 'rule' as const, color: '#9aa1aa', strokeDash: [2, 3] },
                encoding: { x: { datum: truth } },
              },
            ]),
        {
          transform: [{ filter: 'isValid(datum.low)' }],
          mark: { type: 'area', opacity: 0.18 },
          encoding: { x, y: { ...y, field: 'low' }, y2: { field: 'high' }, color },
        },
        {
          transform: [{ filter: "datum.kind == 'line'" }],
          mark: { type: 'line', strokeWidth: 2, clip: true },
          encoding: { x, y, color, strokeDash },
        },
        {
          transform: [{ filter: "datum.kind == 'scatter'" }],
          mark: { type: 'circle', size: 9, opacity: 0.7 },
          encoding: { x, y, color },
        },
        {
          transform: [{ filter: "datum.kind == 'published'" }],
          mark: { type: 'line', strokeWidth: 1.5 },
          encoding: { x, y, color, strokeDash },
        },
      ],
    },
  };
}
