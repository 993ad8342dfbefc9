import { REGISTERS } from '../emit/bind.ts';

/** The numbers that change from dispatch to dispatch, for one row. */
export interface Registers {
  readonly substep?: number;
  readonly frame?: number;
  readonly stateIn?: number;
  readonly stateOut?: number;
  readonly adjointIn?: number;
  readonly adjointOut?: number;
}

/** Packs rows of registers in the order of {@link REGISTERS}. */
export function registerRows(count: number, row: (k: number) => Registers): Uint32Array {
  const table = new Uint32Array(count * REGISTERS.length);
  for (let k = 0; k < count; k++) {
    const values = row(k) as Readonly<Record<string, number | undefined>>;
    REGISTERS.forEach((name, r) => {
      table[k * REGISTERS.length + r] = values[name] ?? 0;
    });
  }
  return table;
}

/** A run in frames of equal numbers of substeps. Frame 0 is the initial state. */
export interface Timeline {
  readonly frames: number;
  readonly substeps: number;
}

export const substepsInAll = ({ frames, substeps }: Timeline): number => (frames - 1) * substeps;

/** Stretches of substeps between which something happens: a frame is taken, a segment of kept states is full. */
export function stretches({ frames, substeps }: Timeline, segment: number): { from: number; to: number }[] {
  const end = (frames - 1) * substeps;
  const list: { from: number; to: number }[] = [];
  for (let from = 0; from < end; ) {
    const nextFrame = (Math.floor(from / substeps) + 1) * substeps;
    const nextSegment = (Math.floor(from / segment) + 1) * segment;
    const to = Math.min(nextFrame, nextSegment, end);
    list.push({ from, to });
    from = to;
  }
  return list;
}

/** The stretch from `from` to `to` cut where phase search runs: before every multiple of `interval` substeps. */
export function searchIntervals(
  from: number,
  to: number,
  interval: number,
): { from: number; to: number; search: number }[] {
  if (!Number.isFinite(interval)) return [{ from, to, search: 0 }];
  const list: { from: number; to: number; search: number }[] = [];
  for (let at = from; at < to; ) {
    const search = Math.floor(at / interval) * interval;
    const end = Math.min(search + interval, to);
    list.push({ from: at, to: end, search });
    at = end;
  }
  return list;
}
