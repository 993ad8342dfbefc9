import { formatNumber } from '../../../terminal/numbers.ts';
import type { Cell } from '../csv.ts';
import type { PageData } from '../data.ts';

/** Data of the page, which it contains as JSON. */
export const data = JSON.parse(at('data').textContent!) as PageData;

/** Element of the page by its id. */
export function at(id: string): HTMLElement {
  return document.getElementById(id)!;
}

/** New element with attributes, of which undefined ones are left out, and children. */
export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Rows of all trials. */
export const all: readonly number[] = data.ids.map((_, row) => row);
export const isTwo = data.studies.length > 1;
/** Names of the unknowns, and of those among them whose truth is known for some trial. */
export const unknowns = Object.keys(data.unknowns);
export const known = unknowns.filter((name) => data.unknowns[name].truth.some((truth) => truth !== null));

/** Rows of a trial that the page shows, and the one whose details it shows. */
export const view: { visible: readonly number[]; chosen: number | null } = { visible: all, chosen: null };

const redraws: (() => void)[] = [];
/** Calls a function whenever rows, size or colours change. */
export const onRedraw = (redraw: () => void): void => void redraws.push(redraw);
export const redrawAll = (): void => {
  for (const redraw of redraws) redraw();
};

/** Cells of a column; none without such a column. */
export const cellsOf = (name: string): readonly Cell[] => data.columns.find((each) => each.name === name)?.cells ?? [];

/** Values of one of the studies. */
export const ofStudy = <T>(cells: readonly T[], which: number): T[] =>
  cells.filter((_, row) => data.study[row] === which);

/** Finite numbers among values, in ascending order. */
export const numbers = (values: readonly Cell[]): number[] =>
  values
    .filter((value) => typeof value === 'number' && Number.isFinite(value))
    .sort((a, b) => Number(a) - Number(b)) as number[];

/** Value below which a share of sorted numbers is. */
export const quantile = (sorted: readonly number[], share: number): number =>
  sorted.length === 0
    ? Number.NaN
    : (sorted[Math.floor((sorted.length - 1) * share)] + sorted[Math.ceil((sorted.length - 1) * share)]) / 2;

/** Text of a value; a dash for none. */
export function shown(value: Cell | undefined, digits = 4): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  return typeof value === 'number' ? formatNumber(value, digits) : String(value);
}

/** Text of a duration given in seconds. */
export function duration(seconds: number): string {
  if (seconds < 90 || Number.isNaN(seconds)) return `${shown(seconds, 3)} s`;
  return seconds < 5400 ? `${shown(seconds / 60, 3)} min` : `${shown(seconds / 3600, 3)} h`;
}
