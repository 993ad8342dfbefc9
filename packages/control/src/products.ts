import { bind, f32, kernel, on, when } from '@gradsim/core';
import type { Sight } from './sight.ts';

/**
 * Sees every number of one sight, and next to it that times every number of another: [first][1, second]. Through one layer
 * its weights to sinusoids then change with what else is seen, such as a goal.
 *
 * ```ts
 * const sees = [products(sinusoids({ frequency: 2.5 }), image({ width: 32, height: 32, sees: ['x'] }))];
 * ```
 * The sights have domains with names of their own: of the first sight of a controller `gait`, `gaitSight0First` and
 * `gaitSight0Second`.
 */
export function products(first: Sight, second: Sight): Sight {
  return {
    add: (model, domain, of) => {
      const [one, other] = [`${domain}First`, `${domain}Second`];
      first.add(model, one, of);
      second.add(model, other, of);
      const times = model.domain(other).size + 1;
      model.addDomain(domain, model.domain(one).size * times);
      const multiply = kernel(
        `productsOf_${domain}`,
        { domain, reads: { a: on(one, f32), b: on(other, f32) }, writes: { value: f32 } },
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
