import type { Plugin } from '@gradsim/core';
import { buildModel, createScene, defineOffer, definePlugin, Model, Surfaces } from '@gradsim/core';
import { describe, expect, it } from 'vitest';

const Lamps = defineOffer<{ readonly watts: number }>('lamps');

/** Returns a plugin that appends its name to `order` when it builds. */
function part(name: string, options: Partial<Plugin>, order: string[] = []): Plugin {
  const { build, ...rest } = options;
  return definePlugin({
    name,
    contract: 1,
    ...rest,
    build: (context) => {
      order.push(name);
      build?.(context);
    },
  });
}
const lamp = (watts: number, name = `lamp of ${watts}`, order?: string[]): Plugin =>
  part(name, { offers: [Lamps], build: ({ model }) => model.offer(Lamps, { watts }) }, order);

describe('offers between plugins', () => {
  it.each([[[0, 1, 2, 3]], [[3, 2, 1, 0]], [[2, 0, 3, 1]]])(
    'reach the plugins that use them, amended, in any order of registration: %s',
    (turn) => {
      const order: string[] = [];
      let seen: readonly { watts: number }[] = [];
      const all = [
        lamp(40, 'lamp', order),
        lamp(60, 'other lamp', order),
        part(
          'dimmer',
          {
            amends: [Lamps],
            build: ({ model }) => model.amend(Lamps, ({ watts }) => ({ watts: watts / 2 })),
          },
          order,
        ),
        part(
          'meter',
          {
            takes: [Lamps],
            build: ({ model }) => {
              seen = model.offered(Lamps);
            },
          },
          order,
        ),
      ];
      buildModel(createScene(turn.map((k) => all[k])));
      expect(seen.map(({ watts }) => watts).sort()).toEqual([20, 30]);
      expect(order.slice(2)).toEqual(['dimmer', 'meter']);
    },
  );

  it('are refused if the check in their definition finds a flaw', () => {
    const Bulbs = defineOffer<{ readonly watts: number }>('bulbs', ({ watts }, before) =>
      before.length > 0 ? 'twice' : watts > 0 ? undefined : `of ${watts} W`,
    );
    const bulb = (watts: number, name: string): Plugin =>
      part(name, { offers: [Bulbs], build: ({ model }) => model.offer(Bulbs, { watts }) });
    expect(buildModel(createScene([bulb(5, 'bulb')])).offered(Bulbs)).toEqual([{ watts: 5 }]);
    expect(() => buildModel(createScene([bulb(-5, 'bulb')]))).toThrowCode({ code: 'core/wrong-offer', values: [-5] });
    expect(() => buildModel(createScene([bulb(5, 'bulb'), bulb(6, 'another')]))).toThrowCode('core/wrong-offer');
    expect(() => new Model().offer(Surfaces, { triangles: [] } as never)).toThrowCode({
      code: 'core/wrong-offer',
      values: ['`position`'],
    });
  });

  it('can be read by any plugin once all have built', () => {
    let found = 0;
    const early = part('early', {
      finish: ({ model }) => {
        found = model.offered(Lamps).length;
      },
    });
    buildModel(createScene([early, lamp(1), lamp(2)]));
    expect(found).toBe(2);
  });

  it('are refused to and from plugins that do not declare them', () => {
    const silent = part('silent', { build: ({ model }) => model.offer(Lamps, { watts: 1 }) });
    expect(() => buildModel(createScene([silent]))).toThrowCode({
      code: 'core/offer-not-declared',
      values: ['silent', 'lamps'],
    });
    const curious = part('curious', { build: ({ model }) => void model.offered(Lamps) });
    expect(() => buildModel(createScene([curious]))).toThrowCode({
      code: 'core/offer-not-declared',
      values: ['curious', 'takes', 'lamps'],
    });
    const model = new Model();
    model.offer(Lamps, { watts: 3 });
    expect(model.offered(Lamps)).toEqual([{ watts: 3 }]);
  });

  it('are refused if they form a cycle between plugins; `requires` determines the build order', () => {
    const order: string[] = [];
    buildModel(
      createScene([part('late', { requires: ['first'] }, order), part('first', {}, order), part('last', {}, order)]),
    );
    expect(order).toEqual(['first', 'late', 'last']);
    const Rooms = defineOffer('rooms');
    const circle = [part('a', { offers: [Lamps], takes: [Rooms] }), part('b', { offers: [Rooms], takes: [Lamps] })];
    expect(() => createScene(circle)).toThrowCode({ code: 'core/plugins-in-circle', values: ['`finish`'] });
    const integrator = [part('stages', { offers: [Lamps], requires: ['points'] }), part('points', { takes: [Lamps] })];
    expect(() => createScene(integrator)).toThrowCode({
      code: 'core/plugins-in-circle',
      values: ['Leave points out of what stages requires', 'lamps'],
    });
  });
});
