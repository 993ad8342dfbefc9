/** Message of the page to the worker of a demo. */
export type WorkerOrder =
  | { readonly type: 'play'; readonly address: string; readonly canvas: OffscreenCanvas; readonly isPaused: boolean }
  | { readonly type: 'derive'; readonly address: string }
  | { readonly type: 'set'; readonly values: readonly number[] }
  | { readonly type: 'pause'; readonly isPaused: boolean }
  | { readonly type: 'differentiate'; readonly values: readonly number[]; readonly isCheck: boolean };

/** A slider as the page shows it. */
export interface ShownSlider {
  readonly name: string;
  readonly unit: string;
  readonly range: readonly [least: number, most: number];
  readonly value: number;
  readonly isLogarithmic: boolean;
}

/** Message of the worker of a demo to the page. */
export type WorkerReport =
  | {
      readonly type: 'ready';
      readonly title: string;
      readonly sliders: readonly ShownSlider[];
      readonly output: { readonly name: string; readonly unit: string };
      readonly device: string;
    }
  | { readonly type: 'derives' }
  | { readonly type: 'round' }
  | {
      readonly type: 'gradient';
      readonly values: readonly number[];
      readonly output: number;
      readonly gradient: readonly number[];
    }
  | { readonly type: 'check'; readonly values: readonly number[]; readonly differences: readonly number[] }
  | {
      readonly type: 'error';
      readonly message: string;
      /** Line of the demo's code that failed, counted from 1, where its code was run. */
      readonly line?: number;
    };
