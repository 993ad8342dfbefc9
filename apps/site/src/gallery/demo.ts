import type { FieldKey, Model } from 'gradsim/core';
import type { Pen, View } from './pen.ts';

/** A number of a demo that a visitor changes while it runs. */
export interface Slider {
  readonly name: string;
  readonly unit?: string;
  /** Field that it sets, in all elements or those named, and the component of a vector. */
  readonly field: FieldKey;
  readonly component?: number;
  readonly elements?: readonly number[];
  readonly range: readonly [least: number, most: number];
  readonly value: number;
  /** True where the slider moves the logarithm: stiffnesses. */
  readonly isLogarithmic?: boolean;
  /** True for an initial state, with which a run begins anew. */
  readonly isStart?: boolean;
}

/** A demo of the gallery: a scene, what can be changed, what is differentiated, and how it is drawn. */
export interface Demo {
  readonly title: string;
  /** Timeline of a run; after its end it begins anew. */
  readonly run: { readonly frames: number; readonly frameRate: number; readonly substeps: number };
  readonly model: () => Model;
  readonly sliders: readonly Slider[];
  /** Number at the end of a run whose derivatives are shown: the sum of weights times values of a field. */
  readonly output: {
    readonly name: string;
    readonly unit: string;
    readonly field: FieldKey;
    readonly weights: (count: number) => ArrayLike<number>;
  };
  readonly view: View;
  /** Fields whose values `draw` is given in every frame, in this order. */
  readonly reads: readonly FieldKey[];
  readonly draw: (pen: Pen, values: readonly Float64Array[]) => void;
}

/** A demo by name, as the gallery lists it: its source is what a visitor reads, changes and runs. */
export interface DemoSource {
  readonly name: string;
  readonly title: string;
  /** Time of a run, s. */
  readonly seconds: number;
  readonly code: string;
}

/** Source of a demo with its imports of gradsim at the addresses of the site's library. */
export const withAddresses = (code: string, library: string): string =>
  code.replace(
    /(\bfrom\s+|\bimport\s+)(['"])gradsim\/([\w-]+)\2/g,
    (_, start, quote, name) => `${start}${quote}${library}${name}.js${quote}`,
  );
