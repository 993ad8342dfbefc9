import type { Executor, ExecutorSpec } from '@gradsim/kernel/device';
import type { Job, MemoryPlace, Overlay, StepClock, Table } from '@gradsim/kernel/internal';
import type { Field } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import type { Comparisons } from './comparison/comparison.ts';
import type { PlacedComparison } from './comparison/place-comparisons.ts';
import type { GrowthWatch } from './layout/growth-watch.ts';
import type { History } from './layout/history.ts';
import type { ByArena, Layout } from './layout/layout.ts';
import type { Requests } from './requests.ts';
import type { Fields } from './steps/fields.ts';
import type { Role } from './steps/roles.ts';
import type { PassStep } from './steps/step.ts';
import type { Loop } from './steps/versions.ts';
import type { Stage } from './work.ts';

export interface CompileOptions extends Requests {
  readonly worlds: number;
  /** Number of tangents of each world. */
  readonly tangents: number;
  readonly frames: number;
  readonly substepsInAll: number;
  readonly clock: StepClock;
  /** Memory limit, bytes, for states along the run and for frames that are kept instead of being rendered again. */
  readonly memory: number;
  readonly comparisons?: Comparisons;
  /** True if every buffer has its own memory, so that none is aliased. */
  readonly isApart?: boolean;
}

export const PROGRAM_NAMES = [
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
export type ProgramName = (typeof PROGRAM_NAMES)[number];
/** Names of the programs of the backward pass. */
export const BACKWARD_PROGRAMS: ReadonlySet<ProgramName> = new Set(['physicsReverse', 'frameReverse', 'setupReverse']);

/** A comparison with the numbers by which the executor knows its programs. */
export interface CompiledComparison extends Omit<PlacedComparison, 'sumJobs' | 'seedJobs'> {
  readonly sumProgram: number;
  readonly seedProgram: number | null;
}

/** A model compiled for a device: programs and memory layout. */
export interface CompiledModel {
  readonly model: Model;
  readonly fields: Fields;
  readonly layout: Layout;
  /** Programs and memory of the executor. */
  readonly spec: ExecutorSpec;
  /** Constant tables in its memory. */
  readonly tables: readonly Table[];
  /** Place of the table of the substeps, which depends on the clock alone. */
  readonly steps: MemoryPlace;
  readonly executor: Executor;
  /** Names of the registers in a row, in order; each run of a program gets a row of their values. */
  readonly registers: readonly string[];
  readonly roles: ReadonlyMap<string, Role>;
  readonly active: ReadonlySet<string>;
  /** Stages of each program, in running order. */
  readonly stages: Readonly<Record<ProgramName, readonly Stage[]>>;
  readonly has: (program: ProgramName) => boolean;
  readonly comparisons: readonly CompiledComparison[];
  /** For each recorded field, by key, the field that holds all its frames. */
  readonly recorded: ReadonlyMap<string, Field>;
  /** Schedule of the states and checkpoints that are kept of a run for its gradient. */
  readonly history: History;
  /**
   * Schedule of the rounds that are kept of loops whose rounds the backward pass reads; the rounds of other loops
   * alternate between two slots.
   */
  readonly roundsKept: ReadonlyMap<Loop, History>;
  /**
   * Offset of state slot 0, in words: of the first kept state of a segment, or of the first of the alternating slots.
   */
  readonly slotBase: ByArena;
  /** Offset of the checkpoints, in words. */
  readonly checkpointBase: ByArena;
  readonly persistentSlots: readonly MemoryPlace[];
  /** For each job of the backward pass, the pass whose adjoint it computes. */
  readonly reversePasses: ReadonlyMap<Job, PassStep>;
  /** Sampling of adjoints, from which their growth over a backward pass is computed. */
  readonly growth: GrowthWatch | null;
  /** Keys of the fields whose initial values setup reads. */
  readonly readAtStart: ReadonlySet<string>;
  /** States that setup computes and that have a derivative. */
  readonly madeAtStart: readonly Field[];
  /** Memory shared by values that live within a substep or a frame. */
  readonly overlay: Overlay;
}
