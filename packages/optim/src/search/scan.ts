import type { StopSignal } from '@gradsim/core';
import { BatchLosses, LOSSES_AT_ONCE } from '../plan/batch-losses.ts';
import type { Plan } from '../plan/plan.ts';

/** Ranks points by their loss on few frames, many points at a time. */
export class Scan {
  readonly #losses: BatchLosses;
  readonly #signal?: StopSignal;

  constructor(plan: Plan) {
    this.#losses = new BatchLosses(plan, plan.fewFrames);
    this.#signal = plan.controls.signal;
  }

  /**
   * Returns the `keep` points of least loss, best first; all of them, unranked, if there are no more. A point that fits
   * exactly ends the ranking and is returned alone.
   */
  async best(points: readonly Float64Array[], keep: number): Promise<Float64Array[]> {
    if (points.length <= keep) return [...points];
    const { objective } = this.#losses;
    const losses: number[] = [];
    let isSolved = false;
    for (let from = 0; from < points.length && !isSolved; from += LOSSES_AT_ONCE) {
      if (this.#signal?.aborted && from > 0) break;
      for (const loss of await this.#losses.losses(points.slice(from, from + LOSSES_AT_ONCE))) {
        losses.push(loss);
        isSolved ||= objective.isExact(loss);
      }
    }
    const ranked = [...losses.keys()].sort((a, b) => losses[a] - losses[b]);
    return ranked.slice(0, isSolved ? 1 : keep).map((k) => points[k]);
  }

  dispose(): void {
    this.#losses.dispose();
  }
}
