import type { Job } from '@gradsim/kernel/compiler';
import { wordOf } from '@gradsim/kernel/compiler';
import type { CompiledModel, ProgramName } from '../model/compile.ts';
import { describeElement } from '../model/model.ts';
import { REGISTERS } from '../model/registers.ts';
import { programsIn } from '../model/work.ts';
import type { CompiledRun } from './compiled-run.ts';
import { RoundRunner } from './rounds.ts';
import { registerRows, searchIntervals } from './schedule.ts';
import { stableStep, stepWarning } from './step-limit.ts';

/**
 * Finds where a NaN or infinity came from: runs the simulation forward once more, looks for the frame before which the
 * state broke, runs that one again pass by pass, and looks at what each pass wrote. Gives the error to throw; it names
 * the pass, field, element, world and substep.
 */
export async function locateNonFinite(simulation: CompiledRun, label: string, value: number): Promise<Error> {
  const { compiled, substeps } = simulation;
  const { executor, layout } = compiled;
  const width = compiled.registers.length;
  const rounds = new RoundRunner(compiled);
  const scan = async (
    program: ProgramName,
    registers: Parameters<typeof registerRows>[2],
    when: string,
  ): Promise<Error | null> => {
    const stages = compiled.stages[program];
    const jobs = new Map(programsIn(stages).map((stage) => [stage.program, stage.jobs]));
    for (const { program: part, rows } of rounds.runs(stages, registerRows(width, 1, registers), false)) {
      for (let at = 0; at < rows.length; at += width) {
        const row = rows.slice(at, at + width);
        for (const [k, job] of jobs.get(part)!.entries()) {
          executor.run(part, row, k);
          const found = await nonFiniteOf(compiled, job, row);
          if (!found) continue;
          const { worlds } = compiled.layout;
          const tooLarge = stepWarning(await stableStep(simulation), simulation);
          return new Error(
            `${label} is ${value}: the first value that is not finite is ${found.what}, component ${found.component}` +
              `${worlds > 1 ? `, world ${found.world}` : ''}, written by ${job.label} ${when}. ` +
              (tooLarge ??
                'Most often the time step is too large for the stiffness (raise `substeps`), or an input is out of its range.'),
          );
        }
      }
    }
    return null;
  };
  const run = (program: ProgramName, registers: Parameters<typeof registerRows>[2]): void => {
    for (const { program: part, rows } of rounds.runs(
      compiled.stages[program],
      registerRows(width, 1, registers),
      false,
    ))
      executor.run(part, rows);
  };
  const { f32: floats, u32: wholes } = layout.stateWords;
  const slot = (n: number): number => compiled.slotBase.f32 + (n % 2) * floats;
  const wholeSlot = (n: number): number => compiled.slotBase.u32 + (n % 2) * wholes;
  const physics = (n: number) => ({
    substep: n,
    frame: Math.floor(n / substeps),
    stateIn: n % 2,
    stateOut: (n + 1) % 2,
  });
  const searchInterval = compiled.model.searchInterval;
  const scanFrame = (frame: number): Promise<Error | null> => {
    const n = frame * substeps;
    const registers = { frame, substep: n, stateIn: n % 2, stateOut: n % 2 };
    return scan('frame', () => registers, `in frame ${frame}`);
  };
  let found = (await scan('setup', () => ({}), 'in setup')) ?? (await scanFrame(0));
  for (let frame = 1; frame < simulation.frames && !found; frame++) {
    const [from, to] = [(frame - 1) * substeps, frame * substeps];
    const before = Float64Array.from(await executor.readF32(slot(from), floats));
    const wholesBefore = await executor.readU32(wholeSlot(from), wholes);
    for (const interval of searchIntervals(from, to, searchInterval)) {
      // Searching from a later state than the run did finds the same contacts.
      run('search', () => ({ ...physics(interval.from), stateOut: interval.from % 2 }));
      for (let n = interval.from; n < interval.to; n++) run('physics', () => physics(n));
    }
    const after = await executor.readF32(slot(to), floats);
    if (!after.every(Number.isFinite)) {
      executor.writeF32(slot(from), before);
      executor.writeU32(wholeSlot(from), wholesBefore);
      for (let n = from; n < to && !found; n++) {
        if (n === from || n % searchInterval === 0)
          found = await scan(
            'search',
            () => ({ ...physics(n), stateOut: n % 2 }),
            `in the search before substep ${n}`,
          );
        found ??= await scan('physics', () => physics(n), `in substep ${n}`);
      }
    }
    found ??= await scanFrame(frame);
  }
  return (
    found ??
    new Error(
      `${label} is ${value}, though every value of the forward run is finite: a derivative overflowed. Check for square roots, divisions or logarithms at the edge of their range.`,
    )
  );
}

/** The first value that is not finite, of what a job has written for the registers of a row. */
async function nonFiniteOf(
  { executor, model, fields }: CompiledModel,
  job: Job,
  row: Uint32Array,
): Promise<{ what: string; component: number; world: number } | null> {
  for (const port of new Set(job.form.outputs.map((o) => o.port))) {
    const place = job.places.get(port)!;
    if (place.buffer !== 'f32' || job.elements === 0) continue;
    const chosen = place.register ? row[(REGISTERS as readonly string[]).indexOf(place.register)] : 0;
    const offset = place.offset + chosen * (place.registerStride ?? 0);
    // Of slots that several passes write, the job's own.
    const { components, worlds } = place.shape;
    const last = wordOf(place.shape, components - 1, job.elements - 1, worlds - 1);
    const words = await executor.readF32(offset, last + 1);
    for (let world = 0; world < worlds; world++) {
      for (let e = 0; e < job.elements; e++) {
        for (let component = 0; component < components; component++) {
          if (Number.isFinite(words[wordOf(place.shape, component, e, world)])) continue;
          const isAdded = place.holds === 'slots';
          const { domain } = isAdded ? job.form : fields.field(place.field);
          const named = describeElement(model, domain, e);
          const what = isAdded ? `what is added to ${place.field} by ${named}` : `${place.field} of ${named}`;
          return { what, component, world };
        }
      }
    }
  }
  return null;
}
