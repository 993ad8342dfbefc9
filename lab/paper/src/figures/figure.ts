import type { TopLevelSpec } from 'vega-lite';
import type { Trial } from '../table.ts';
import { trialsIn } from '../table.ts';

/** A line of a figure's summary, with the names that rows of tables use. */
export interface FigureRow {
  readonly table: string;
  readonly row: string;
  /** Number of seeds or instances. */
  readonly n: number;
  /** Median of what the row names; null if no trial gave it. */
  readonly measured: number | null;
  /** Quartiles of the same over the seeds. */
  readonly quartiles: readonly [number, number] | null;
  /** The same of the published curves, if they are at hand and comparable. */
  readonly published: number | null;
  readonly trusted: number | null;
  readonly flaggedOfWrong: number | null;
  /** Median processor time of a trial, s. */
  readonly seconds: number | null;
}

/** A figure as computed from its trials. */
export interface Drawn {
  readonly rows: readonly FigureRow[];
  /** Curves and pictures of gradsim, without the published curves, which are read anew by every run. */
  readonly curves: unknown;
  readonly spec: TopLevelSpec;
}

/** A figure of the paper: a study, and the function that draws its results. */
export interface Figure<Settings extends { readonly instance: number } = never, Found = never> {
  readonly name: string;
  readonly title: string;
  /** Module of the study for `gradsim sweep`; its setting `count` is the number of seeds. */
  readonly study: URL;
  /** Folder of results, for figures of one study. Default: the figure's name. */
  readonly folder?: string;
  /** Number of seeds, in the full figure and in a quick one. */
  readonly count: number;
  readonly quickCount: number;
  /** Names of the published curves that it is drawn over; empty if they are in the paper's picture alone. */
  readonly published: readonly string[];
  /** @param published file of the published curves; undefined if it is not at hand. */
  draw(trials: readonly Trial<Settings, Found>[], published: string | undefined): Promise<Drawn>;
}

/** A figure without the types of its study. */
export interface AnyFigure extends Omit<Figure, 'draw'> {
  readonly drawFrom: (folder: string, count: number, published: string | undefined) => Promise<Drawn>;
}

/** Makes a figure that reads the results of its study from a folder. */
export function defineFigure<Settings extends { readonly instance: number }, Found>({
  draw,
  ...figure
}: Figure<Settings, Found>): AnyFigure {
  return {
    ...figure,
    drawFrom: (folder, count, published) =>
      draw(
        trialsIn<Settings, Found>(folder).filter(({ settings }) => settings.instance <= count),
        published,
      ),
  };
}
