import { GradsimError } from '@gradsim/base';
import type { Model } from '../model/model.ts';
import type { CompiledModel, CompileOptions } from './compiled-model.ts';
import type { History } from './layout/history.ts';
import { planHistory } from './layout/history.ts';
import type { Layout } from './layout/layout.ts';
import type { Loop } from './steps/versions.ts';

/** Reserves slots for states and for carried values of loops, as many as the gradient keeps. */
export function reserveSlots(
  layout: Layout,
  model: Model,
  { loops, readBack }: { loops: readonly Loop[]; readBack: ReadonlySet<Loop> },
  withAdjoint: boolean,
  options: CompileOptions,
): Pick<CompiledModel, 'history' | 'roundsKept' | 'slotBase' | 'checkpointBase'> {
  const keeps = withAdjoint && options.derivative === 'adjoint';
  const roundsKept = new Map<Loop, History>();
  // A gradient has half of the memory for states, a part of it for rounds where there are any to keep.
  const budget = options.memory / (readBack.size > 0 ? 4 : 2);
  for (const loop of loops) {
    const rounds = layout.rounds(loop);
    if (!readBack.has(loop)) {
      rounds.reserve(layout.arena, 2, 0);
      continue;
    }
    const what = `rounds of ${loop.name}`;
    const bytes = layout.bytesOf({ f32: rounds.words, u32: 0 });
    const history = historyOf(bytes, loop.rounds, keeps, budget / readBack.size, 1, what);
    rounds.reserve(layout.arena, history.segment + 1, history.checkpoints);
    roundsKept.set(loop, history);
  }
  const unit = Number.isFinite(model.searchInterval) ? model.searchInterval : 1;
  const history = historyOf(layout.stateBytes, options.substepsInAll, keeps, budget, unit, 'substeps');
  const slotBase = layout.reserveSlots(withAdjoint ? history.segment + 1 : STATE_COPIES);
  const checkpointBase = layout.reserveStates(history.checkpoints);
  return { history, roundsKept, slotBase, checkpointBase };
}

/**
 * Number of copies of the state in a simulation without a gradient: two alternate, and the third holds the state before
 * the last frame, see `Runner.step`.
 */
const STATE_COPIES = 3;

/**
 * Returns the schedule of states kept of a run of `steps` substeps; without a gradient, two slots alternate. Segments
 * are multiples of `unit` substeps, so that the state of a search is in the segment of the substeps that use its
 * results.
 */
function historyOf(bytes: number, steps: number, keeps: boolean, budget: number, unit: number, what: string): History {
  if (!keeps || bytes === 0) return { segment: Math.max(1, steps), checkpoints: 0 };
  const history = planHistory(steps, Math.floor(budget / bytes), unit);
  if (history) return history;
  const needed = unit + 2;
  const megabytes = (value: number): string => `${(value / 1e6).toPrecision(2)} MB`;
  throw new GradsimError(
    'core/memory-budget',
    `A gradient through ${steps} ${what} needs at least ${needed} states of ${bytes} bytes, ${megabytes(needed * bytes * 2)}; the memory budget is ${megabytes(budget * 2)}.`,
    { hint: 'Raise `memory`.' },
  );
}
