import type { FieldKey } from '@gradsim/core';
import { cos, f32, fieldOn, index, kernel, refuseUnknownOptions, several, sin } from '@gradsim/core';
import type { ControllerInput } from './controller-input.ts';
import { addObservedElements, partsOf } from './float-field.ts';

export interface AngleInputOptions {
  /** Numbers of the observed elements. Default: all. */
  readonly elements?: readonly number[];
  /** Observed components of a vector field: 0 for x, and so on. Default: all. */
  readonly components?: readonly number[];
}

/**
 * Controller input: the sine and the cosine of each observed angle of a field, rad, so that full turns make no
 * difference. Shape [element][component][sine, cosine].
 *
 * ```ts
 * const inputs = [angleInput(Link.coordinate), fieldInput(Link.rate, { scale: 0.1 })];
 * ```
 * @throws when the model is built, if it has no such field, element or component.
 */
export function angleInput(field: FieldKey, options: AngleInputOptions = {}): ControllerInput {
  refuseUnknownOptions<AngleInputOptions>('angles', options, { elements: true, components: true });
  return {
    add: (model, domain) => {
      const { field: seen, components, places } = addObservedElements(model, domain, field, options, 2);
      const see = kernel(
        `anglesOf_${domain}`,
        {
          domain: places,
          reads: { of: index(seen.field.domain), angle: fieldOn(seen.ref) },
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
