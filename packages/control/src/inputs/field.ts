import type { F32, FieldKey } from '@gradsim/core';
import { bind, f32, fieldOn, index, kernel, perWorld, refuseUnknownOptions, several } from '@gradsim/core';
import type { ControllerInput } from './controller-input.ts';
import { refuseNumber } from './controller-input.ts';
import { addObservedElements, partsOf, valueFromParts } from './float-field.ts';

export interface FieldInputOptions {
  /** Numbers of the observed elements. Default: all. */
  readonly elements?: readonly number[];
  /** Observed components of a vector field: 0 for x, and so on. Default: all. */
  readonly components?: readonly number[];
  /** Factor of the values, to bring them to the order of 1. Default 1. */
  readonly scale?: number;
  /**
   * True to subtract the mean over all observed elements, so that a position is relative to their centre. Default
   * false.
   */
  readonly fromMean?: boolean;
}

const OPTIONS = { elements: true, components: true, scale: true, fromMean: true } as const;

/**
 * Controller input: values of a field at the start of the substep, such as positions, velocities or joint angles. Shape
 * [element][component].
 *
 * ```ts
 * const inputs = [fieldInput(Particle.position, { fromMean: true, scale: 5 }), fieldInput(Particle.velocity)];
 * ```
 * @throws when the model is built, if it has no such field, element or component.
 */
export function fieldInput(field: FieldKey, options: FieldInputOptions = {}): ControllerInput {
  refuseUnknownOptions<FieldInputOptions>('states', options, OPTIONS);
  const { scale = 1, fromMean = false } = options;
  refuseNumber('The scale of states', scale, 'be finite');
  return {
    add: (model, domain) => {
      const { field: seen, elements, components, places } = addObservedElements(model, domain, field, options);
      const reads = { of: index(seen.field.domain), state: fieldOn(seen.ref) };
      const writes = { value: several(domain, f32, components.length) };
      const chosen = (parts: readonly F32[]): F32[] => components.map((c) => parts[c].mul(scale));
      if (!fromMean) {
        const see = kernel(`statesOf_${domain}`, { domain: places, reads, writes }, ({ of: at, state }) => ({
          value: chosen(partsOf(state.at(at))),
        }));
        model.addPass('control', see);
        return;
      }
      const mean = perWorld(seen.type);
      const sum = kernel(
        `meanOf_${domain}`,
        { domain: places, reads, adds: { mean } },
        ({ of: at, state, mean: sum }) => {
          const share = partsOf(state.at(at)).map((part) => part.div(elements.length));
          sum.add(valueFromParts(seen.type, share));
        },
      );
      const see = kernel(
        `statesOf_${domain}`,
        { domain: places, reads: { ...reads, mean }, writes },
        ({ of: at, state, mean: middle }) => {
          const from = partsOf(middle);
          return { value: chosen(partsOf(state.at(at)).map((part, c) => part.sub(from[c]))) };
        },
      );
      model.addPass('control', bind(sum, { mean: `${domain}Mean` }));
      model.addPass('control', bind(see, { mean: `${domain}Mean` }));
    },
  };
}
