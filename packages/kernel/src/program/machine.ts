import { tangent } from '../derivatives/tangent.ts';
import type { Device, Executor } from '../devices/device.ts';
import { runQuery } from '../devices/query.ts';
import type { BoundKernel } from '../emit/bound-kernel.ts';
import { activeVersions } from './active-versions.ts';
import { layBlocks } from './aliasing/overlay.ts';
import type { Version } from './chain.ts';
import { clearAccessRecords, firstBadAccess } from './indices/access-records.ts';
import type { Job } from './jobs/jobs.ts';
import { Binder } from './jobs/jobs.ts';
import type { Table } from './jobs/surroundings.ts';
import { writeTables } from './jobs/surroundings.ts';
import { forwardJobs } from './passes/forward.ts';
import { ProgramLayout } from './passes/layout.ts';
import { reverseJobs } from './passes/reverse.ts';
import type { Plan } from './plan.ts';
import { isFloat } from './plan.ts';
import type { Words } from './values.ts';

/** Kind of run: forward (`run`), forward and backward (`vjp`), or forward with tangents (`jvp`). */
export type Mode = 'run' | 'vjp' | 'jvp';

const REGISTERS = ['substep', 'frame'] as const;
const [FORWARD, BACK] = [0, 1];

/** Input values of a run, and the numbers of its substep and frame. */
export interface RunInputs {
  readonly words: ReadonlyMap<Version, Words>;
  readonly substep: number;
  readonly frame: number;
}

/** A plan compiled for one kind of run, on a device. */
export class Machine {
  readonly executor: Executor;
  readonly layout: ProgramLayout;
  /** Returns whether a version has an adjoint after a backward run. */
  readonly hasAdjoint: (version: Version) => boolean;
  #ran: RunInputs | null = null;

  private constructor(executor: Executor, layout: ProgramLayout, hasAdjoint: Machine['hasAdjoint']) {
    this.executor = executor;
    this.layout = layout;
    this.hasAdjoint = hasAdjoint;
  }

  static async create(plan: Plan, device: Device, mode: Mode): Promise<Machine> {
    const { chain, outputs } = plan;
    const layout = new ProgramLayout(chain, plan.indices, plan.worlds, device);
    const tables: Table[] = [];
    const active = mode === 'run' ? new Set<Version>() : activeVersions(chain, plan.wrt, outputs.filter(isFloat));
    // Host inputs have a place even if no kernel reads them.
    for (const version of [...chain.inputs.values(), ...chain.adjointInputs.values()]) layout.primal(version);
    if (mode === 'jvp') for (const version of plan.wrt) layout.tangent(layout.primal(version));
    const tangents = mode === 'jvp' ? { isActive: (version: Version) => active.has(version), tangent } : undefined;
    const forward = forwardJobs(layout, chain.steps, tables, tangents);
    const seeds = outputs.filter((version) => mode === 'vjp' && active.has(version));
    for (const version of seeds) layout.adjoint(version);
    const backward =
      mode === 'vjp' ? reverseJobs(layout, chain, active, seeds, tables) : { jobs: [], hasAdjoint: () => false };
    layout.arena.layRecords();
    layBlocks(layout.arena, [[...forward.values()].flat(), backward.jobs]);
    const binder = new Binder({ device, steps: plan.dt, registers: REGISTERS });
    // Domains without elements have nothing to run.
    const bind = (jobs: readonly Job[]): BoundKernel[] =>
      jobs.filter(({ elements }) => elements > 0).map((job) => binder.bind(job));
    const programs = [
      { name: 'forward', kernels: bind([...forward.values()].flat()) },
      { name: 'back', kernels: bind(backward.jobs) },
    ];
    const { f32Words, u32Words } = layout.arena;
    layout.arena.close();
    const executor = await device.createExecutor({
      f32Words: Math.max(f32Words, 4),
      u32Words: Math.max(u32Words, 4),
      registers: REGISTERS,
      programs,
    });
    writeTables(executor, tables);
    for (const [key, version] of chain.indices) layout.writeIndices(executor, version, plan.indices.get(key)!);
    return new Machine(executor, layout, backward.hasAdjoint);
  }

  forward(given: RunInputs): void {
    for (const [version, words] of given.words) {
      const { offset } = this.layout.primal(version);
      if (words instanceof Uint32Array) this.executor.writeU32(offset, words);
      else this.executor.writeF32(offset, words);
    }
    clearAccessRecords(this.executor, this.layout.accessRecords, false);
    this.executor.run(FORWARD, Uint32Array.of(given.substep, given.frame));
    this.#ran = given;
  }

  /** Runs backward from the adjoints of the outputs; first forward, if the last forward run had other inputs. */
  back(given: RunInputs, seeds: ReadonlyMap<Version, Words>, outputs: readonly Version[]): void {
    if (this.#ran !== given) this.forward(given);
    clearAccessRecords(this.executor, this.layout.accessRecords, true);
    for (const version of outputs) {
      if (!this.hasAdjoint(version)) continue;
      const { offset, words } = this.layout.adjoint(version);
      const seed = seeds.get(version);
      if (seed) this.executor.writeF32(offset, seed);
      else this.executor.clear('f32', offset, words);
    }
    this.executor.run(BACK, Uint32Array.of(given.substep, given.frame));
  }

  /** Reads the records of the last run. @throws if it accessed an index out of range. */
  async refuseBadAccess(): Promise<void> {
    const first = await runQuery(
      this.executor,
      firstBadAccess(this.layout.accessRecords, (domain, e) => `element ${e} of ${domain}`),
    );
    if (first) throw first.error;
  }

  /** Runs forward together with tangents of the inputs `wrt`. */
  forwardWithTangents(given: RunInputs, directions: ReadonlyMap<Version, Words>, wrt: readonly Version[]): void {
    for (const version of wrt) {
      const { offset, words } = this.layout.tangent(this.layout.primal(version));
      const direction = directions.get(version);
      if (direction) this.executor.writeF32(offset, direction);
      else this.executor.clear('f32', offset, words);
    }
    this.forward(given);
  }
}
