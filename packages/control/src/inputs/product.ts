import { bind, f32, fieldOn, kernel, when } from '@gradsim/core';
import type { ControllerInput } from './controller-input.ts';

/**
 * Controller input: each number of a first input, times 1 and times each number of a second one, [first][1, second]. A
 * single layer then can change the amplitudes of sinusoids with the second input, such as a goal.
 *
 * ```ts
 * const inputs = [productInput(sinusoidInput({ frequency: 2.5 }), imageInput({ width: 32, height: 32, outputs: ['x'] }))];
 * ```
 * Both inputs have domains of their own: as the first input of a controller `gait`, `gaitSight0First` and
 * `gaitSight0Second`.
 */
export function productInput(first: ControllerInput, second: ControllerInput): ControllerInput {
  return {
    add: (model, domain, of) => {
      const [one, other] = [`${domain}First`, `${domain}Second`];
      first.add(model, one, of);
      second.add(model, other, of);
      const times = model.domain(other).size + 1;
      model.addDomain(domain, model.domain(one).size * times);
      const multiply = kernel(
        `productsOf_${domain}`,
        { domain, reads: { a: fieldOn(one, f32), b: fieldOn(other, f32) }, writes: { value: f32 } },
        ({ a, b }, { element }) => {
          const row = element.div(times);
          const column = element.sub(row.mul(times));
          const own = a.at(row);
          const factor = when(
            column.eq(0),
            () => f32(1),
            () => b.at(column.sub(1)),
          );
          return { value: own.mul(factor) };
        },
      );
      model.addPass('control', bind(multiply, { a: 'value', b: 'value' }));
    },
  };
}
