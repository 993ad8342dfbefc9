import type { Job, QuerySteps } from '@gradsim/kernel/internal';
import { wordOf } from '@gradsim/kernel/internal';
import type { CompiledModel } from '../../compile/compiled-model.ts';
import { REGISTERS } from '../../compile/layout/registers.ts';

/** Location of a value that is not finite, as text and numbers. */
export interface NonFiniteLocation {
  /** Name of the field with that of the element. */
  readonly name: string;
  readonly field: string;
  readonly element: string;
  readonly component: number;
  readonly world: number;
}

/** Returns the first non-finite value that a job has written for the registers of a row. */
export function* nonFiniteOf(
  { model, fields, layout }: CompiledModel,
  job: Job,
  row: Uint32Array,
): QuerySteps<NonFiniteLocation | null> {
  for (const port of new Set(job.form.outputs.map((o) => o.port))) {
    const place = job.places.get(port)!;
    if (place.buffer !== 'f32' || job.elements === 0) continue;
    const chosen = place.register ? row[(REGISTERS as readonly string[]).indexOf(place.register)] : 0;
    const offset = place.offset + chosen * (place.registerStride ?? 0);
    // Slots of several passes: check the job's own.
    const { components, worlds } = place.shape;
    const last = wordOf(place.shape, components - 1, job.elements - 1, worlds - 1);
    const [words] = yield [{ arena: 'f32', from: offset, words: last + 1 }];
    for (let world = 0; world < worlds; world++) {
      for (let e = 0; e < job.elements; e++) {
        for (let component = 0; component < components; component++) {
          if (Number.isFinite(words[wordOf(place.shape, component, e, world)])) continue;
          const isAdded = place.contents === 'slots';
          const { domain } = isAdded ? job.form : fields.field(place.field);
          const element = model.describe(domain, e);
          const isAdjoint = port.kind === 'adjoint' || layout.isAdjoint(place);
          const field = isAdjoint ? `the adjoint of ${place.field}` : place.field;
          const name = isAdded ? `what is added to ${field} by ${element}` : `${field} of ${element}`;
          return { name, field: place.field, element, component, world };
        }
      }
    }
  }
  return null;
}
