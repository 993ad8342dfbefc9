import type { FieldKey } from '@gradsim/core';
import { cos, f32, index, kernel, on, refuseUnknownOptions, several, sin } from '@gradsim/core';
import { addPlaces, partsOf } from './float-field.ts';
import type { Sight } from './sight.ts';

export interface AngleOptions {
  /** Observed elements. Default all. */
  readonly elements?: readonly number[];
  /** Observed components of vectors. Default all. */
  readonly components?: readonly number[];
}

/**
 * Sees angles, in rad, as the sine and the cosine of each: how something stands, and not how often it has gone round.
 * It is [element][component][sine, cosine].
 *
 * ```ts
 * const sees = [angles(Link.coordinate), states(Link.rate, { scale: 0.1 })];
 * ```
 * @throws when the model is built, where there is no such field, element or component.
 */
export function angles(field: FieldKey, options: AngleOptions = {}): Sight {
  refuseUnknownOptions<AngleOptions>('angles', options, { elements: true, components: true });
  return {
    add: (model, domain) => {
      const { seen, components, places } = addPlaces(model, domain, field, options, 2);
      const see = kernel(
        `anglesOf_${domain}`,
        {
          domain: places,
          reads: { of: index(seen.field.domain), angle: on(seen.ref) },
          writes: { value: several(domain, f32, 2 * components.length) },
        },
        ({ of: at, angle }) => {
          const parts = partsOf(angle.at(at));
          return { value: components.flatMap((c) => [sin(parts[c]), cos(parts[c])]) };
        },
      );
      model.addPass('control', see);
    },
  };
}
