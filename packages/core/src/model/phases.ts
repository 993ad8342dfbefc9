import type { Pass } from './pass.ts';

/** Names of phases in running order, grouped by rate: once, every few substeps, every substep, every frame. */
export const PHASES = {
  setup: ['setup'],
  search: ['search'],
  physics: ['control', 'force', 'stage', 'integrate'],
  frame: ['pose', 'render', 'observe'],
} as const;
export type Cycle = keyof typeof PHASES;
export type Phase = (typeof PHASES)[Cycle][number];

const CYCLES = new Map(
  (Object.keys(PHASES) as Cycle[]).flatMap((cycle) => PHASES[cycle].map((phase) => [phase as Phase, cycle])),
);
export const cycleOf = (phase: Phase): Cycle => CYCLES.get(phase)!;

/** A pass with its phase, and the order constraints that its plugin states. */
export interface PhasePass extends Required<PassOptions> {
  readonly phase: Phase;
  readonly pass: Pass;
  /** Name of the plugin that added the pass. */
  readonly owner: string | undefined;
}

/** Options of {@link Model.addPass}. */
export interface PassOptions extends PassOrder {
  /**
   * True for a pass whose results are needed by derivatives alone, such as one that adds exactly 0 with a derivative
   * (`x.sub(detach(x))`). Simulations without a derivative leave it out.
   */
  readonly derivativeOnly?: boolean;
}

/**
 * Order constraints of a pass, for cases that data dependence leaves open: names of passes, kernels or plugins of its
 * phase.
 */
export interface PassOrder {
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}
