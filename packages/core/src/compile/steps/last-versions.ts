import type { Field } from '../../model/field.ts';
import type { Cycle } from '../../model/phases.ts';
import type { Steps } from './step.ts';
import { allSteps, madeBy } from './step.ts';
import type { Version } from './versions.ts';

/** For each field, the number of the last version that a cycle writes. */
export class LastVersions {
  readonly #last: Readonly<Record<Cycle, Map<Field, number>>> = {
    setup: new Map(),
    search: new Map(),
    physics: new Map(),
    frame: new Map(),
  };

  constructor(steps: Steps) {
    for (const { field, cycle, loop, number } of Object.values(steps).flatMap((s) => allSteps(s).flatMap(madeBy))) {
      if (loop) continue;
      const last = this.#last[cycle];
      last.set(field, Math.max(last.get(field) ?? 0, number));
    }
  }

  has({ field, cycle, loop, number }: Version): boolean {
    return !loop && number === (this.#last[cycle].get(field) ?? 0);
  }
}
