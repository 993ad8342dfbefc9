import type { F32, Kernel } from '@gradsim/core';
import {
  abs,
  adjointOf,
  f32,
  fieldOn,
  floor,
  kernel,
  perWorld,
  select,
  sigmoid,
  sin,
  tangentOf,
  tanh,
  u32,
  vjp,
} from '@gradsim/core';

/** Interaction of two partners: its effect on the first one. */
const between = ({ a, b }: { a: F32; b: F32 }): { y: F32 } => ({
  y: sin(a)
    .mul(b)
    .mul(0.7)
    .add(tanh(a.sub(b.mul(0.4)))),
});

/**
 * Kernel that groups elements in pairs, in one of two ways: `partner` is the index of the other element. `last` is the
 * index of the last element.
 */
const findPartners = (name: string, domain: string): Kernel =>
  kernel(
    name,
    { domain, reads: { x: fieldOn(domain, f32), last: u32 }, writes: { partner: u32 } },
    ({ x, last }, { element, substep }) => {
      const beside = element.xor(1);
      const neighbour = select(beside.le(last), beside, element);
      // Others from time to time, so that the way back has to find them again.
      const areBeside = x.at(u32(0)).gt(0.1).xor(substep.rem(3).eq(1));
      return { partner: select(areBeside, neighbour, last.sub(element)) };
    },
  );

/**
 * Kernel in which partners act on each other. Like that of contact, its adjoint reads the adjoint of the partner's
 * output.
 */
const pairs = (name: string, domain: string): Kernel => {
  const reads = { partner: u32, x: fieldOn(domain, f32) } as const;
  const back = kernel(
    `${name}_adjoint`,
    {
      domain,
      reads: { ...reads, y_bar: adjointOf('y', fieldOn(domain, f32)) },
      adds: { x_bar: adjointOf('x', f32) },
    },
    ({ partner, x, y_bar, x_bar }, { element }) => {
      const [a, b] = [x.at(element), x.at(partner)];
      const own = vjp(between, { a, b }, { y: y_bar.at(element) });
      const other = vjp(between, { a: b, b: a }, { y: y_bar.at(partner) });
      x_bar.add(own.a.add(other.b));
    },
  );
  return kernel(name, { domain, reads, writes: { y: f32 }, adjoint: () => [back] }, ({ partner, x }, { element }) =>
    between({ a: x.at(element), b: x.at(partner) }),
  );
};

const alarm = (name: string, domain: string): Kernel =>
  kernel(name, { domain, reads: { x: f32, alarm: f32 }, writes: { alarm: f32 } }, (fields, { substep }) => ({
    alarm: select(abs(fields.x).gt(1e6), substep.toF32().add(1), fields.alarm),
  }));

/** Number of rounds minus a half, 0.5 to 4.5 in steps of 1, from a value of the world. */
const roundsOf = (start: F32): F32 => floor(sigmoid(start.mul(3)).mul(5)).add(0.5);

const countFrom = (name: string): Kernel =>
  kernel(name, { domain: 'world', reads: { start: f32 }, writes: { left: f32 } }, ({ start }) => ({
    left: roundsOf(start),
  }));
const countDown = (name: string): Kernel =>
  kernel(name, { domain: 'world', reads: { left: f32 }, writes: { left: f32 } }, ({ left }) => ({
    left: left.sub(1),
  }));
const countRounds = (name: string): Kernel =>
  kernel(name, { domain: 'world', reads: { start: f32 }, writes: { left: f32 } }, ({ start }, { round }) => ({
    left: roundsOf(start).sub(round.toF32()),
  }));

/**
 * Kernel of one step of an iteration towards y = 0.2 sin y + tanh x; each step leaves less than a third of the error.
 */
const approach = (name: string, domain: string): Kernel =>
  kernel(
    name,
    { domain, reads: { x: f32, y: f32 }, writes: { y: f32 }, adds: { change: perWorld(f32) } },
    ({ x, y, change }) => {
      const by = sin(y).mul(0.2).add(tanh(x)).sub(y).mul(0.9);
      change.add(abs(by));
      return { y: y.add(by) };
    },
  );
const approachFrom = (name: string, domain: string): Kernel =>
  kernel(name, { domain, reads: { x: f32 }, writes: { y: f32 } }, ({ x }) => ({ y: tanh(x.mul(0.5)) }));

/** Kernels that solve y = x + 0.4 y', where y' is the value of the opposite element: this one sets the start y = x. */
const solveFrom = (name: string, domain: string): Kernel =>
  kernel(name, { domain, reads: { x: f32 }, writes: { y: f32 } }, ({ x }) => ({ y: x }));
const solve = (name: string, domain: string): Kernel =>
  kernel(
    name,
    { domain, reads: { x: f32, y: fieldOn(domain, f32), last: u32 }, writes: { y: f32 } },
    ({ x, y, last }, { element }) => ({ y: x.add(y.at(last.sub(element)).mul(0.4)) }),
  );
const solveBackFrom = (name: string, domain: string): Kernel =>
  kernel(name, { domain, reads: { bar: adjointOf('y', f32) }, writes: { w: f32 } }, ({ bar }) => ({
    w: bar,
  }));
const solveBack = (name: string, domain: string): Kernel =>
  kernel(
    name,
    { domain, reads: { bar: adjointOf('y', f32), w: fieldOn(domain, f32), last: u32 }, writes: { w: f32 } },
    ({ bar, w, last }, { element }) => ({ w: bar.add(w.at(last.sub(element)).mul(0.4)) }),
  );
const solveGive = (name: string, domain: string): Kernel =>
  kernel(name, { domain, reads: { w: f32 }, adds: { bar: adjointOf('x', f32) } }, ({ w, bar }) => bar.add(w));
const solveAlongFrom = (name: string, domain: string): Kernel =>
  kernel(name, { domain, reads: { dot: tangentOf('x', f32) }, writes: { t: f32 } }, ({ dot }) => ({
    t: dot,
  }));
const solveAlong = (name: string, domain: string): Kernel =>
  kernel(
    name,
    { domain, reads: { dot: tangentOf('x', f32), t: fieldOn(domain, f32), last: u32 }, writes: { t: f32 } },
    ({ dot, t, last }, { element }) => ({ t: dot.add(t.at(last.sub(element)).mul(0.4)) }),
  );
const solveTake = (name: string, domain: string): Kernel =>
  kernel(name, { domain, reads: { t: f32 }, writes: { dot: tangentOf('y', f32) } }, ({ t }) => ({ dot: t }));

/**
 * Hand-written kernels that random statements cannot produce, by the beginning of their names: partners found by a
 * search, an alarm, loops that end by a condition, a solver with its derivatives. Passes bind other fields to their
 * ports.
 */
export const TEMPLATES: Readonly<Record<string, (name: string, domain: string) => Kernel>> = {
  findPartners,
  pairs,
  alarm,
  countFrom,
  countDown,
  countRounds,
  approach,
  approachFrom,
  solveFrom,
  solve,
  solveBackFrom,
  solveBack,
  solveGive,
  solveAlongFrom,
  solveAlong,
  solveTake,
};
