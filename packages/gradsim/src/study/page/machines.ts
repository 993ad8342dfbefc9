import type { Outcome } from '../results/outcome.ts';

/** Counts of a study's trials that ran on one machine. */
export interface MachineRow {
  readonly study: string;
  readonly machine: string;
  readonly trials: number;
  readonly failed: number;
  /**
   * Trials per minute between the machine's first outcome and its last, by the coordinator's clock; null if both
   * arrived at the same time.
   */
  readonly aMinute: number | null;
  /** Total processor time of the machine's trials, s. */
  readonly cpuSeconds: number;
}

/** Counts trials by the machine that ran them. */
export class MachineCounts {
  readonly #rows = new Map<string, Omit<MachineRow, 'aMinute'> & { readonly first: number; readonly last: number }>();

  add(study: string, { ended, from }: Outcome): void {
    if (!from) return;
    const key = JSON.stringify([study, from.machine]);
    const at = Date.parse(from.arrived);
    const { trials = 0, failed = 0, cpuSeconds = 0, first = at } = this.#rows.get(key) ?? {};
    this.#rows.set(key, {
      study,
      machine: from.machine,
      trials: trials + 1,
      failed: failed + (ended.status === 'failed' ? 1 : 0),
      cpuSeconds: cpuSeconds + (ended.cost.cpuSeconds ?? 0),
      first,
      last: at,
    });
  }

  /** Rows sorted by the names of studies and machines. */
  rows(): MachineRow[] {
    return [...this.#rows]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { first, last, ...row }]) => ({
        ...row,
        aMinute: last > first ? (60_000 * (row.trials - 1)) / (last - first) : null,
      }));
  }
}
