import { withPorts } from '@gradsim/kernel/internal';
import { adjoint } from '@gradsim/kernel/internal/derivatives';
import { buildKernel } from '../program/build.ts';
import type { DrawnField } from '../program/fields.ts';
import type { KernelSpec, KernelUse, PassTree, ProductSpec } from '../program/program.ts';
import { isFloat, keyOf } from '../program/program.ts';
import { portKey } from '../program/tree.ts';
import type { Kept } from './kernel-writer.ts';
import type { PassWriter } from './pass-writer.ts';

/** Maximum number of rounds of loops that end by a condition: more than any drawn loop needs. */
const MAX_ROUNDS = 30;

/**
 * Draws a loop of passes, a block of passes with hand-written derivatives, or a product with a Jacobian; returns
 * whether it did.
 */
export function drawGroup(writer: PassWriter): boolean {
  const p = writer.random.next();
  const isInLoop = writer.site.loops > 0;
  if (p < 0.37) return writer.site.loops < 2 && drawRepeat(writer);
  if (p < 0.54) return writer.site.loops < 2 && drawIterate(writer);
  if (p < 0.7) return drawBlock(writer);
  if (p < 0.77) return !isInLoop && drawSolve(writer);
  return drawProduct(writer);
}

function drawRepeat(writer: PassWriter): boolean {
  const { random } = writer;
  const times = random.whole(1, writer.mostRounds);
  const passes = writer.within(times, () => {
    // Stages of an integrator: forces, and what moves by them.
    if (random.chance(0.3)) writer.drawAdding();
    for (let k = random.whole(1, 3); k > 0; k--) writer.drawPass();
  });
  writer.push({ kind: 'repeat', times, passes });
  return true;
}

/** Draws a loop that runs until a value of the world is small: one that counts down or the change of an iteration. */
function drawIterate(writer: PassWriter): boolean {
  return writer.random.chance(0.3) ? drawApproach(writer) : drawCounted(writer);
}

function drawCounted(writer: PassWriter): boolean {
  const { random, fields } = writer;
  const { cycle } = writer.site;
  const known = fields.readable('world', cycle).filter((f) => f.type === 'f32' && !f.over && !f.sumOf);
  const start = known.find((f) => f.kind !== 'table') ?? fields.declare('world', 'g', 'f32', 'input');
  start.isRead = true;
  const left = fields.name('left');
  const isByRound = random.chance(0.4);
  if (!isByRound) writer.push(writer.template('countFrom', 'world', { start: start.name, left }));
  const passes = writer.within(4, () => {
    const count = (): void =>
      writer.push(
        isByRound
          ? writer.template('countRounds', 'world', { start: start.name, left })
          : writer.template('countDown', 'world', { left }),
      );
    const isFirst = random.chance(0.4);
    if (isFirst) count();
    for (let k = random.whole(1, 2); k > 0; k--) writer.drawPass();
    if (!isFirst) count();
  });
  writer.push({ kind: 'iterate', passes, until: left, below: 0.3, most: MAX_ROUNDS });
  return true;
}

/** Draws an iteration that converges; it ends when the sum of its changes is small. */
function drawApproach(writer: PassWriter): boolean {
  const { fields } = writer;
  const { cycle } = writer.site;
  const domain = writer.domain();
  const x = writer.scalarOf(domain, cycle);
  if (!x) return false;
  x.isRead = true;
  const y = fields.make(domain, 'm', 'f32', cycle);
  const change = fields.name('change');
  writer.push(writer.template('approachFrom', domain, { x: x.name, y: y.name }));
  const passes = [writer.template('approach', domain, { x: x.name, y: y.name, change })];
  writer.push({ kind: 'iterate', passes, until: change, below: 1e-4, most: MAX_ROUNDS });
  return true;
}

/** Draws a block of one kernel with hand-written adjoint and tangent; at times the adjoint uses a field of its own. */
function drawBlock(writer: PassWriter): boolean {
  const { random, fields } = writer;
  const { cycle } = writer.site;
  const domain = writer.domain();
  const byHand = writer.adjoint();
  const source = random.chance(0.6) ? writer.scalarOf(domain, cycle) : null;
  // What the derivative keeps for itself, or finds kept by a pass before the block.
  const isBefore = random.chance(0.4);
  let kept: Kept | undefined;
  if (source) {
    source.isRead = true;
    const saved: DrawnField = isBefore
      ? fields.make(domain, 'm', 'f32', cycle)
      : { ...source, name: fields.name('h'), kind: 'made', isDeclared: false };
    kept = { source, saved };
    if (isBefore) writer.push(writer.keep(domain, kept));
  }
  const drawn = writer.drawWriting(domain, byHand, kept);
  const use = writer.use(drawn);
  // What depends on nothing has no derivative.
  if (!drawn.kernel.ports.some((p) => p.access === 'read' && isFloat(p.type))) {
    writer.push(use);
    return true;
  }
  const vjp: PassTree[] = [{ ...use, as: 'adjoint' }];
  if (kept && !isBefore) vjp.unshift(writer.keep(domain, kept));
  writer.push({ kind: 'block', passes: [use], vjp, jvp: [{ ...use, as: 'tangent' }] });
  return true;
}

/**
 * Draws the sweeps of a linear solver with a symmetric matrix, whose derivatives are sweeps with the transposed, that
 * is the same, matrix.
 */
function drawSolve(writer: PassWriter): boolean {
  const { random, fields } = writer;
  const { cycle } = writer.site;
  const domain = writer.domain();
  const size = fields.size(domain);
  const x = writer.scalarOf(domain, cycle);
  if (!x || size === 0 || x.kind === 'table') return false;
  x.isRead = true;
  const last = fields.name('last');
  fields.specs.push({ domain, name: last, type: 'u32', values: Array<number>(size).fill(size - 1) });
  const y = fields.target(domain, 'f32', cycle, [x]);
  const [w, t] = [fields.name('h'), fields.name('h')];
  const times = random.whole(1, writer.mostRounds);
  const sweeps = (sweep: PassTree): PassTree => ({ kind: 'repeat', times, passes: [sweep] });
  const [from, to] = [x.name, y.name];
  writer.push({
    kind: 'block',
    passes: [
      writer.template('solveFrom', domain, { x: from, y: to }),
      sweeps(writer.template('solve', domain, { x: from, y: to, last })),
    ],
    vjp: [
      writer.template('solveBackFrom', domain, { y: to, w }),
      sweeps(writer.template('solveBack', domain, { y: to, w, last })),
      writer.template('solveGive', domain, { x: from, w }),
    ],
    jvp: [
      writer.template('solveAlongFrom', domain, { x: from, t }),
      sweeps(writer.template('solveAlong', domain, { x: from, t, last })),
      writer.template('solveTake', domain, { y: to, t }),
    ],
  });
  return true;
}

/** Draws a product of a vector with the Jacobian of a sum that earlier passes of this cycle have computed. */
function drawProduct(writer: PassWriter): boolean {
  const { random, fields, adders, kernels } = writer;
  const { cycle, phase } = writer.site;
  const sums = fields.all.filter((f) => {
    const from = adders.get(keyOf(f));
    if (!f.sumOf || !f.isWritten || f.cycle !== cycle || !from) return false;
    return from.every(({ kernel }) => !kernels[kernel].adjoint?.saved);
  });
  if (sums.length === 0) {
    if (random.chance(0.5)) return false;
    writer.drawAdding();
    return drawProduct(writer);
  }
  const sum = random.pickLate(sums);
  const from = adders.get(keyOf(sum))!;
  // What is there now of what the sum depends on; of what does not vary, there may be no adjoint.
  const along = fields.all.filter(
    (f) =>
      f.kind !== 'table' &&
      fields.canRead(f, cycle) &&
      from.some((use) => dependsOn(kernels[use.kernel], use, keyOf(sum), keyOf(f))),
  );
  if (along.length === 0) return false;
  const chosen = along.length > 1 && random.chance(0.4) ? along.slice(0, 2) : [random.pick(along)];
  const like = (f: DrawnField): DrawnField | undefined => {
    const fitting = fields.readable(f.domain, cycle).filter((other) => other.type === f.type);
    return fitting.length > 0 ? random.pickLate(fitting) : undefined;
  };
  const into = (f: DrawnField): string => keyOf(fields.sum(f.domain, f.type, phase, cycle, true));
  const pairs = (other: (f: DrawnField) => string): Record<string, string> =>
    Object.fromEntries(chosen.map((f) => [keyOf(f), other(f)]));
  const vectors = chosen.map((f) => like(f)!);
  const weights = like(sum);
  for (const f of [sum, ...along, ...vectors, ...(weights ? [weights] : [])]) f.isRead = true;
  const product: ProductSpec =
    weights && random.chance(0.5)
      ? { kind: 'product', mode: 'vjp', of: keyOf(sum), fields: pairs(into), with: keyOf(weights) }
      : {
          kind: 'product',
          mode: 'jvp',
          of: keyOf(sum),
          fields: Object.fromEntries(chosen.map((f, k) => [keyOf(f), keyOf(vectors[k])])),
          with: into(sum),
        };
  writer.push(product);
  if (random.chance(0.7)) writer.drawKernel(product.mode === 'jvp' ? sum.domain : chosen[0].domain);
  return true;
}

/** Returns whether a kernel's addition to the field `sum` depends differentiably on the field `field`. */
function dependsOn(spec: KernelSpec, { rename }: KernelUse, sum: string, field: string): boolean {
  const ports = (access: string, key: string): Set<string> =>
    new Set(spec.ports.filter((p) => p.access === access && portKey(spec, p, rename) === key).map((p) => p.name));
  const [seeds, wrt] = [ports('add', sum), ports('read', field)];
  if (seeds.size === 0 || wrt.size === 0) return false;
  const kernel = buildKernel(spec);
  if (kernel.adjoint) return true;
  // Simplified once more, as a product is.
  return withPorts(adjoint(kernel.form, { wrt, seeds }), (port) => port).outputs.length > 0;
}
