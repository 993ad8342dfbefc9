/**
 * Kind of a measured number. `part` is a fraction, such as a relative tolerance; `place` and `turn` are lengths and angles
 * of any sign and size, such as coordinates.
 */
export type Quantity = 'length' | 'angle' | 'acceleration' | 'density' | 'mass' | 'part' | 'place' | 'turn';

/** Types of values that a text of one word gives, each with the type of the value. */
interface ValueTypes {
  readonly file: string;
  readonly camera: string;
  readonly data: string;
  readonly written: string;
  readonly text: string;
  readonly positive: number;
  readonly tolerance: number;
  readonly number: number;
  readonly vector: readonly [number, number, number];
  readonly numbers: readonly number[];
}

/** A quantity that is measured beside a film or a recording, before an experiment. */
export interface Measure {
  /** Description of the quantity, with its unit. */
  readonly what: string;
  /**
   * Type of the value: `file`, a film or a picture, `camera` and `data` are paths, `written` that of a file to write;
   * `vector` is three numbers, `numbers` any count of them; a `tolerance` is positive, or 0 for an exact value; a list
   * holds the words that may be chosen.
   */
  readonly type: keyof ValueTypes | readonly string[];
  /** Option that gives it, with what it takes. Default: `--set`. */
  readonly option?: string;
  /** Default of an optional measure. Null: unknown, and the experiment works without it. */
  readonly default?: string | number | readonly number[] | null;
  /** True if null, unknown, may replace a default that is not null. Default false. */
  readonly isOptional?: boolean;
  /** Kind of a number, from which a value given in another unit is recognised. */
  readonly quantity?: Quantity;
  /** Names of other measures; any of them, if given, makes this required one optional, since it may supply the value. */
  readonly unless?: readonly string[];
  /** Answer of the kind that null makes of it: `radius of gyration`. Default: the answer of its own name, if there is one. */
  readonly unknown?: string;
  /** True if a form asks for it first; others are folded away. Default false. */
  readonly isFirst?: boolean;
}

/** Measures of a kind, by name. */
export type Measures = Readonly<Record<string, Measure>>;

/** Value of a measure. */
export type Value = string | number | readonly number[] | null;

/** True if the value of a measure may be null, which means unknown. */
export const maybeUnknown = ({ default: own, isOptional, unless }: Measure): boolean =>
  own === null || isOptional === true || unless !== undefined;

type Null<T extends Measure> = T extends
  | { readonly default: null }
  | { readonly isOptional: true }
  | { readonly unless: readonly string[] }
  ? null
  : never;

type ValueOf<T extends Measure> = Measure extends T ? Value : ValueOfMeasure<T> | Null<T>;

type ValueOfMeasure<T extends Measure> = T['type'] extends keyof ValueTypes
  ? ValueTypes[T['type']]
  : T['type'] extends readonly (infer Word)[]
    ? Word
    : never;

/** Values of measures, by name: the type of `measured` in an experiment's `measured.ts`. */
export type MeasuredBy<M extends Measures> = { readonly [name in keyof M]: ValueOf<M[name]> };
