import type { Executor } from '@gradsim/kernel/device';
import type { Job, Overlay, Place } from '@gradsim/kernel/internal';
import type { Field } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import type { Comparisons } from './comparison/comparison.ts';
import type { PlacedComparison } from './comparison/place-comparisons.ts';
import type { Fields } from './fields.ts';
import type { GrowthWatch } from './growth-watch.ts';
import type { History } from './history.ts';
import type { ByArena, Layout } from './layout.ts';
import type { Requests } from './requests.ts';
import type { Role } from './roles.ts';
import type { PassStep } from './step.ts';
import type { Loop } from './versions.ts';
import type { Stage } from './work.ts';

export interface CompileOptions extends Requests {
  readonly worlds: number;
  /** Tangents of each world. */
  readonly tangents: number;
  readonly frames: number;
  readonly substepsInAll: number;
  readonly dt: number;
  /** Memory limit for states along the run and for frames kept to avoid rendering them again, bytes. */
  readonly memory: number;
  readonly comparisons?: Comparisons;
  /** True if every buffer has memory of its own, so that none is aliased. */
  readonly isApart: boolean;
}

export const PROGRAMS = [
  'setup',
  'search',
  'physics',
  'frame',
  'physicsReverse',
  'frameReverse',
  'final',
  'setupReverse',
  'growth',
] as const;
export type ProgramName = (typeof PROGRAMS)[number];
/** Programs of the backward pass. */
export const BACKWARD: ReadonlySet<ProgramName> = new Set(['physicsReverse', 'frameReverse', 'setupReverse']);

/** A comparison with the numbers of its programs at the executor. */
export interface CompiledComparison extends Omit<PlacedComparison, 'sumJobs' | 'seedJobs'> {
  readonly sumProgram: number;
  readonly seedProgram: number | null;
}

/** A model on a device: programs and memory layout. */
export interface CompiledModel {
  readonly model: Model;
  readonly fields: Fields;
  readonly layout: Layout;
  readonly executor: Executor;
  /** Names of the registers in each row that programs run with. */
  readonly registers: readonly string[];
  readonly roles: ReadonlyMap<string, Role>;
  readonly active: ReadonlySet<string>;
  /** Stages of each program, in order. */
  readonly stages: Readonly<Record<ProgramName, readonly Stage[]>>;
  readonly has: (program: ProgramName) => boolean;
  readonly comparisons: readonly CompiledComparison[];
  /** Field that holds every frame of a recorded one. */
  readonly recorded: ReadonlyMap<string, Field>;
  /** States and checkpoints that a gradient keeps of the run. */
  readonly history: History;
  /**
   * Rounds kept of the loops whose rounds the backward pass reads; those of other loops alternate between two slots.
   */
  readonly roundsKept: ReadonlyMap<Loop, History>;
  /** Offset of state slot 0: of the first kept state of a segment, or of the first of the alternating slots. */
  readonly slotBase: ByArena;
  /** Offset of the checkpoints. */
  readonly checkpointBase: ByArena;
  readonly persistentSlots: readonly Place[];
  /** Pass whose adjoint each job of the backward pass is. */
  readonly reversePasses: ReadonlyMap<Job, PassStep>;
  /** Samples of adjoints from which their growth over a backward pass is computed. */
  readonly growth: GrowthWatch | null;
  /** Keys of the fields whose initial values setup reads. */
  readonly readAtStart: ReadonlySet<string>;
  /** States that setup computes and that have a derivative. */
  readonly madeAtStart: readonly Field[];
  /** Size of the memory shared by values that live within a substep or a frame. */
  readonly overlay: Overlay;
}
