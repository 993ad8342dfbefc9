/** Options of `gradsim track`. */
export interface TrackCommandOptions {
  readonly track?: number;
  readonly first?: number;
  readonly last?: number;
  readonly frameRate?: number;
  readonly background?: string;
  readonly steady?: boolean;
  /** Known length, m, between two places, px. */
  readonly length?: number;
  readonly between?: readonly number[];
  /** Diameter of the thing, m. */
  readonly size?: number;
  readonly lengthTolerance: number;
  /** Place of the origin, px. */
  readonly origin?: readonly number[];
  /** Angle of the x axis, degrees. */
  readonly axis: number;
  /** Number of the thing that is followed. */
  readonly object?: number;
  readonly marks?: string;
  readonly markError?: number;
  /** True with `--marks-alone`: nothing is followed by itself. */
  readonly marksAlone?: boolean;
  readonly mass?: number;
  readonly gravity: number;
  readonly window?: number;
  readonly fit: readonly string[];
  readonly start: Readonly<Record<string, string>>;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}
