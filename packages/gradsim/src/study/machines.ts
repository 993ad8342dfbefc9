import type { Outcome } from './outcome.ts';

/** Trials of a study that a machine ran. */
export interface MachineRow {
  readonly study: string;
  readonly machine: string;
  readonly trials: number;
  readonly failed: number;
  /** Rate between its first outcome and its last, by the coordinator's clock; null where these are at once. */
  readonly aMinute: number | null;
  /** Processor time of its trials, s. */
  readonly cpuSeconds: number;
}

/** Counts trials by the machine that ran them. */
export class MachineTally {
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

  /** Rows by the names of studies and machines. */
  rows(): MachineRow[] {
    return [...this.#rows]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { first, last, ...row }]) => ({
        ...row,
        aMinute: last > first ? (60_000 * (row.trials - 1)) / (last - first) : null,
      }));
  }
}
