import { PROGRAMS } from '../model/compile.ts';
import type { Job } from '../model/jobs.ts';
import type { Model } from '../model/model.ts';
import type { Place } from '../model/places.ts';
import { wordOf } from '../model/places.ts';
import { registerRows, substepsInAll } from './schedule.ts';
import type { Simulation } from './simulation.ts';

/**
 * Finds where a NaN or infinity came from: runs the simulation forward once more, pass by pass, and looks at what
 * each one wrote. Gives the error to throw; it names the pass, field, element, world and substep.
 */
export async function locateNonFinite(simulation: Simulation, label: string, value: number): Promise<Error> {
  const { compiled, substeps } = simulation;
  const { executor, jobs } = compiled;
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
              const { field, domain } = whatLiesAt(place, job);
              const key = place.label.includes('.slots') ? `what is added to ${field} by` : `${field} of`;
              const named = describeElement(compiled.model, domain, e);
              return new Error(
                `${label} is ${value}: the first value that is not finite is ${key} ${named}, component ${c}` +
                  `${worlds > 1 ? `, world ${w}` : ''}, written by ${job.label} ${when}. ` +
                  'Most often the time step is too large for the stiffness (raise `substeps`), or an input is out of its range.',
              );
            }
          }
        }
      }
    }
    return null;
  };
  let found = await scan('setup', () => ({}), 'in setup');
  for (let n = 0; n <= substepsInAll(simulation.options) && !found; n++) {
    if (n % substeps === 0) {
      found = await scan(
        'frame',
        () => ({ frame: n / substeps, substep: n, stateIn: n % 2, stateOut: n % 2 }),
        `in frame ${n / substeps}`,
      );
    }
    if (n < substepsInAll(simulation.options) && !found) {
      found = await scan(
        'physics',
        () => ({ substep: n, frame: Math.floor(n / substeps), stateIn: n % 2, stateOut: (n + 1) % 2 }),
        `in substep ${n}`,
      );
    }
  }
  return (
    found ??
    new Error(
      `${label} is ${value}, though every value of the forward run is finite: a derivative overflowed. Check for square roots, divisions or logarithms at the edge of their range.`,
    )
  );
}

/** The field that a place belongs to, and the domain whose elements a job writes there. */
function whatLiesAt(place: Place, job: Job): { field: string; domain: string } {
  const field = place.label.replace(/([@~<=[].*|\.slots'?|\.parts'?)$/, '');
  return { field, domain: place.label.includes('.slots') ? job.form.domain : field.split('.')[0] };
}

/** An element's name in messages: the entity that it came from, as any field of its domain knows it. */
function describeElement(model: Model, domain: string, element: number): string {
  const known = [...model.fields.values()].find((f) => f.domain === domain && f.describe);
  return known?.describe?.(element) ?? `element ${element}`;
}
