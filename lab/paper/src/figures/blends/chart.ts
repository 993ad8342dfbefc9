import type { TopLevelSpec } from 'vega-lite';

/** A picture of a grid of blends. */
export interface Panel {
  readonly row: string;
  readonly column: string;
  readonly picture: string;
}

const SIDE = 150;

/** Grid of blends with the names of rows and columns. */
export function blendGrid(panels: readonly Panel[]): TopLevelSpec {
  const order = (names: readonly string[]): string[] => [...new Set(names)];
  return {
    data: { values: [...panels] },
    facet: {
      row: { field: 'row', type: 'nominal', sort: order(panels.map(({ row }) => row)), title: null },
      column: { field: 'column', type: 'nominal', sort: order(panels.map(({ column }) => column)), title: null },
    },
    spacing: 8,
    spec: {
      width: SIDE,
      height: SIDE,
      mark: { type: 'image', width: SIDE, height: SIDE },
      encoding: { url: { field: 'picture', type: 'nominal' }, x: { value: SIDE / 2 }, y: { value: SIDE / 2 } },
    },
  };
}
