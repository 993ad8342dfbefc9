import type { F32, Kernel } from '@gradsim/core';
import { abs, adjointOf, f32, kernel, on, select, sin, tanh, u32, vjp } from '@gradsim/core';

/** What two partners do to the first one. */
const between = ({ a, b }: { a: F32; b: F32 }): { y: F32 } => ({
  y: sin(a)
    .mul(b)
    .mul(0.7)
    .add(tanh(a.sub(b.mul(0.4)))),
});

/** Elements in twos, in one of two ways: each is its partner's partner. `last` is the last element. */
const findPartners = (name: string, domain: string): Kernel =>
  kernel(
    name,
    { domain, reads: { x: on(domain, f32), last: u32 }, writes: { partner: u32 } },
    ({ x, last }, { element, substep }) => {
      const beside = element.xor(1);
      const neighbour = select(beside.le(last), beside, element);
      // Others from time to time, so that the way back has to find them again.
      const areBeside = x.at(u32(0)).gt(0.1).xor(substep.rem(3).eq(1));
      return { partner: select(areBeside, neighbour, last.sub(element)) };
    },
  );

/** Partners act on each other; the adjoint reads what the partner's output has, as that of contact does. */
const pairs = (name: string, domain: string): Kernel => {
  const reads = { partner: u32, x: on(domain, f32) } as const;
  const back = kernel(
    `${name}_adjoint`,
    {
      domain,
      reads: { ...reads, y_bar: adjointOf('y', on(domain, f32)) },
      adds: { x_bar: adjointOf('x', f32) },
    },
    ({ partner, x, y_bar, x_bar }, { element }) => {
      const [a, b] = [x.at(element), x.at(partner)];
      const own = vjp(between, { a, b }, { y: y_bar.at(element) });
      const other = vjp(between, { a: b, b: a }, { y: y_bar.at(partner) });
      x_bar.add(own.a.add(other.b));
    },
  );
  return kernel(
    name,
    { domain, reads, writes: { y: f32 }, adjoint: () => [back] },
    ({ partner, x }, { element }) => between({ a: x.at(element), b: x.at(partner) }),
  );
};

const alarm = (name: string, domain: string): Kernel =>
  kernel(name, { domain, reads: { x: f32, alarm: f32 }, writes: { alarm: f32 } }, (fields, { substep }) => ({
    alarm: select(abs(fields.x).gt(1e6), substep.toF32().add(1), fields.alarm),
  }));

/**
 * Kernels that no drawing of statements comes upon, by what their names begin with: partners that a search finds, and
 * an alarm. Their ports have the names that stand here; passes rename them.
 */
export const TEMPLATES: Readonly<Record<string, (name: string, domain: string) => Kernel>> = {
  findPartners,
  pairs,
  alarm,
};
