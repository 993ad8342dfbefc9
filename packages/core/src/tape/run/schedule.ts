import { REGISTERS } from '../../compile/layout/registers.ts';

/** Values of the registers in one row, which change from dispatch to dispatch. */
export interface Registers {
  readonly substep?: number;
  readonly frame?: number;
  readonly substepOfRun?: number;
  readonly frameOfRun?: number;
  readonly stateIn?: number;
  readonly stateOut?: number;
  readonly adjointIn?: number;
  readonly adjointOut?: number;
}

const position = (name: keyof Registers): number => REGISTERS.indexOf(name);
const [SUBSTEP, FRAME] = [position('substep'), position('frame')];
const [SUBSTEP_OF_RUN, FRAME_OF_RUN] = [position('substepOfRun'), position('frameOfRun')];
const [STATE_IN, STATE_OUT] = [position('stateIn'), position('stateOut')];
const [ADJOINT_IN, ADJOINT_OUT] = [position('adjointIn'), position('adjointOut')];

/**
 * Packs rows of `width` registers, in the order of {@link REGISTERS}. Each register is written out: looking them up by
 * name would take as long as a substep of a small model.
 */
export function registerRows(width: number, count: number, row: (k: number) => Registers): Uint32Array {
  const table = new Uint32Array(count * width);
  for (let k = 0; k < count; k++) {
    const registers = row(k);
    const { substep = 0, frame = 0, substepOfRun = 0, frameOfRun = 0 } = registers;
    const { stateIn = 0, stateOut = 0, adjointIn = 0, adjointOut = 0 } = registers;
    const at = k * width;
    table[at + SUBSTEP] = substep;
    table[at + FRAME] = frame;
    table[at + SUBSTEP_OF_RUN] = substepOfRun;
    table[at + FRAME_OF_RUN] = frameOfRun;
    table[at + STATE_IN] = stateIn;
    table[at + STATE_OUT] = stateOut;
    table[at + ADJOINT_IN] = adjointIn;
    table[at + ADJOINT_OUT] = adjointOut;
  }
  return table;
}

/** A run as frames with equal numbers of substeps. Frame 0 is the initial state. */
export interface Timeline {
  readonly frames: number;
  readonly substeps: number;
}

export const substepsInAll = ({ frames, substeps }: Timeline): number => (frames - 1) * substeps;

/** A range of substeps without a frame or a search inside. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Returns the stretch that begins at `from` and ends where a frame is taken or a segment of kept states is full. */
export function stretchFrom(from: number, { substeps }: Pick<Timeline, 'substeps'>, segment: number): Stretch {
  const nextFrame = (Math.floor(from / substeps) + 1) * substeps;
  const nextSegment = (Math.floor(from / segment) + 1) * segment;
  return { from, to: Math.min(nextFrame, nextSegment) };
}

/** Yields all stretches of a run that ends at a frame, after `end` substeps. */
export function stretches(end: number, timeline: Pick<Timeline, 'substeps'>, segment: number): Stretch[] {
  const list: Stretch[] = [];
  for (let from = 0; from < end; from = list.at(-1)!.to) list.push(stretchFrom(from, timeline, segment));
  return list;
}

/** Range of substeps that use the results of one search, which runs before substep `search`. */
export interface SearchInterval extends Stretch {
  readonly search: number;
}

/**
 * Divides the stretch from `from` to `to` at the substeps before which phase search runs: every `interval`th, counted
 * from `origin`.
 */
export function searchIntervals(from: number, to: number, interval: number, origin = 0): SearchInterval[] {
  if (!Number.isFinite(interval)) return [{ from, to, search: 0 }];
  const list: SearchInterval[] = [];
  for (let at = from; at < to; ) {
    const search = origin + Math.floor((at - origin) / interval) * interval;
    const end = Math.min(search + interval, to);
    list.push({ from: at, to: end, search });
    at = end;
  }
  return list;
}
