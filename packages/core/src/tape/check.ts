import { wordOf } from '@gradsim/kernel/compiler';
import { PROGRAMS } from '../model/compile.ts';
import { describeElement } from '../model/model.ts';
import { registerRows, searchIntervals } from './schedule.ts';
import type { Simulation } from './simulation.ts';
import { stableStep, stepWarning } from './step-limit.ts';

/**
 * Finds where a NaN or infinity came from: runs the simulation forward once more, looks for the frame before which the
 * state broke, runs that one again pass by pass, and looks at what each pass wrote. Gives the error to throw; it names
 * the pass, field, element, world and substep.
 */
export async function locateNonFinite(simulation: Simulation, label: string, value: number): Promise<Error> {
  const { compiled, substeps } = simulation;
  const { executor, jobs, layout } = compiled;
  const scan = async (
    program: (typeof PROGRAMS)[number],
    registers: Parameters<typeof registerRows>[1],
    when: string,
  ): Promise<Error | null> => {
    const row = registerRows(1, registers);
    const values = registers(0) as Readonly<Record<string, number | undefined>>;
    for (let k = 0; k < jobs[program].length; k++) {
      executor.run(PROGRAMS.indexOf(program), row, k);
      const job = jobs[program][k];
      for (const port of new Set(job.form.outputs.map((o) => o.port))) {
        const place = job.places.get(port)!;
        if (place.buffer !== 'f32') continue;
        const offset =
          place.offset + (place.register ? (values[place.register] ?? 0) * place.registerStride! : 0);
        // Of slots that several passes write, the job's own.
        const { components, worlds } = place.shape;
        if (job.elements === 0) continue;
        const last = wordOf(place.shape, components - 1, job.elements - 1, worlds - 1);
        const words = await executor.readF32(offset, last + 1);
        for (let w = 0; w < worlds; w++) {
          for (let e = 0; e < job.elements; e++) {
            for (let c = 0; c < components; c++) {
              const found = words[wordOf(place.shape, c, e, w)];
              if (Number.isFinite(found)) continue;
              const { field, holds } = place;
              const isAdded = holds === 'slots';
              const { domain } = isAdded ? job.form : compiled.model.field(field);
              const key = isAdded ? `what is added to ${field} by` : `${field} of`;
              const named = describeElement(compiled.model, domain, e);
              const tooLarge = stepWarning(await stableStep(simulation), simulation);
              return new Error(
                `${label} is ${value}: the first value that is not finite is ${key} ${named}, component ${c}` +
                  `${worlds > 1 ? `, world ${w}` : ''}, written by ${job.label} ${when}. ` +
                  (tooLarge ??
                    'Most often the time step is too large for the stiffness (raise `substeps`), or an input is out of its range.'),
              );
            }
          }
        }
      }
    }
    return null;
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
  const row = (n: number) => registerRows(1, () => ({ ...physics(n), stateOut: n % 2 }));
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
      if (compiled.has('search')) executor.run(PROGRAMS.indexOf('search'), row(interval.from));
      executor.run(
        PROGRAMS.indexOf('physics'),
        registerRows(interval.to - interval.from, (k) => physics(interval.from + k)),
      );
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
