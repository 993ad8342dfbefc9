import { REGISTERS } from '../model/registers.ts';

/** The numbers that change from dispatch to dispatch, for one row. */
export interface Registers {
  readonly substep?: number;
  readonly frame?: number;
  readonly stateIn?: number;
  readonly stateOut?: number;
  readonly adjointIn?: number;
  readonly adjointOut?: number;
}

const position = (name: keyof Registers): number => REGISTERS.indexOf(name);
const [SUBSTEP, FRAME] = [position('substep'), position('frame')];
const [STATE_IN, STATE_OUT] = [position('stateIn'), position('stateOut')];
const [ADJOINT_IN, ADJOINT_OUT] = [position('adjointIn'), position('adjointOut')];

/**
 * Packs rows of `width` registers, in the order of {@link REGISTERS}. Written out: a substep of a small model takes no
 * longer than to look registers up by name.
 */
export function registerRows(width: number, count: number, row: (k: number) => Registers): Uint32Array {
  const table = new Uint32Array(count * width);
  for (let k = 0; k < count; k++) {
    const { substep = 0, frame = 0, stateIn = 0, stateOut = 0, adjointIn = 0, adjointOut = 0 } = row(k);
    const at = k * width;
    table[at + SUBSTEP] = substep;
    table[at + FRAME] = frame;
    table[at + STATE_IN] = stateIn;
    table[at + STATE_OUT] = stateOut;
    table[at + ADJOINT_IN] = adjointIn;
    table[at + ADJOINT_OUT] = adjointOut;
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
