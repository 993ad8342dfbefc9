import { expect, it } from 'vitest';
import { f32, fieldOn, index, kernel, mat22, perWorld, vec3 } from '../src/index.ts';
import { checkKernel } from '../src/testing/index.ts';
import { agree } from './support/agree.ts';
import { randomFields } from './support/random.ts';

const { numbers } = randomFields('own and other elements of a field');
const elements = 11;
const next = Array.from({ length: elements }, (_, k) => (k + 3) % elements);

it('a field of the own domain is read at the own element, and at others by `at`, as by a second name', async () => {
  const by = (others: 'at' | 'name') =>
    kernel(
      'difference',
      {
        domain: 'points',
        reads: { x: vec3, mass: f32, to: index('points'), more: fieldOn('points', f32), all: fieldOn('points', vec3) },
        writes: { y: vec3 },
      },
      ({ x, mass, to, more, all }) => {
        const [there, weight] = others === 'at' ? [x.at(to), mass.at(to)] : [all.at(to), more.at(to)];
        return { y: there.sub(x).mul(weight).add(x.at(2).mul(mass)) };
      },
    ).form;
  const [x, mass] = [numbers(3 * elements), numbers(elements)];
  const inputs = { x, mass, to: next, all: x, more: mass };
  const byAt = await agree(by('at'), { elements, sizes: { points: elements }, inputs });
  expect(byAt).toEqual(await agree(by('name'), { elements, sizes: { points: elements }, inputs }));
  for (let e = 0; e < elements; e++)
    expect(byAt['new y'][e]).toBeCloseTo((x[next[e]] - x[e]) * mass[next[e]] + x[2] * mass[e], 5);
});

it('derivatives by the own element and by others are those of one field', () =>
  checkKernel(
    kernel(
      'pull',
      { domain: 'points', reads: { x: vec3, m: mat22, to: index('points', 2) }, adds: { f: vec3 } },
      ({ x, m, to: [i, j], f }) =>
        f.add(
          x
            .at(i)
            .mul(m.entry(0, 1))
            .add(x.mul(m.at(j).entry(1, 0)))
            .add(x.at(j)),
        ),
    ),
  ));

it('`at` is refused of what is no field of the own domain, and for indices of another', () => {
  const written =
    (read: (fields: { x: ReturnType<typeof f32>; g: ReturnType<typeof f32> }) => ReturnType<typeof f32>) => () =>
      kernel('wrong', { domain: 'points', reads: { x: f32, g: perWorld(f32) }, writes: { y: f32 } }, (fields) => ({
        y: read(fields),
      }));
  expect(written(({ x }) => x.mul(2).at(1))).toThrowCode({ code: 'kernel/not-a-field', values: ['wrong'] });
  expect(written(({ g }) => g.at(1))).toThrowCode('kernel/not-a-field');
  expect(() =>
    kernel('strayed', { domain: 'points', reads: { x: f32, of: index('ropes') }, writes: { y: f32 } }, ({ x, of }) => ({
      y: x.at(of),
    })),
  ).toThrowCode({ code: 'kernel/wrong-domain', values: ['ropes'] });
});
