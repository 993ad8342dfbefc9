import type { Pass } from '@gradsim/core';
import { fieldKey } from '@gradsim/kernel/internal';
import { buildProgram } from './build.ts';
import type { PassSpec, Program } from './program.ts';
import type { Random } from './random.ts';
import { allUses, portKey, usesIn } from './tree.ts';

/** The fields that a pass reads, and that it writes or adds to, by key. */
interface Uses {
  readonly reads: ReadonlySet<string>;
  readonly gives: ReadonlySet<string>;
}

/**
 * The program with passes that say before or after which others they run, as they are drawn, and at times with those of
 * a phase registered in another order: whatever reads what others make still comes after them.
 */
export function reordered(program: Program, random: Random): Program {
  const phases = [...new Set(program.passes.map(({ phase }) => phase))];
  const passes = phases.flatMap((phase) => {
    const own = program.passes.filter((p) => p.phase === phase);
    const said = own.map((pass, k) => withNeighbours(program, own, pass, k, random));
    return phase !== 'setup' && random.chance(0.3) ? shuffled(program, said, random) : said;
  });
  return { ...program, passes };
}

/** The pass, and a pass before it or behind it that it names. */
function withNeighbours(
  program: Program,
  passes: readonly PassSpec[],
  pass: PassSpec,
  position: number,
  random: Random,
): PassSpec {
  if (!random.chance(0.12) || passes.length < 2) return pass;
  const other = random.whole(0, passes.length - 1);
  const own = kernelNames(program, passes[other]).filter((name) =>
    passes.every((p, k) => k === other || !kernelNames(program, p).includes(name)),
  );
  if (other === position || own.length === 0) return pass;
  const named = [random.pick(own)];
  return other > position ? { ...pass, before: named } : { ...pass, after: named };
}

/** The passes of a phase in another order, if the data allow any. */
function shuffled(program: Program, passes: readonly PassSpec[], random: Random): readonly PassSpec[] {
  // An adjoint finds what a pass kept for it only where that pass ran last.
  const reliesOnOrder = ({ pass }: PassSpec): boolean =>
    usesIn(pass).some(({ kernel }) => program.kernels[kernel].adjoint?.saved);
  if (passes.some(reliesOnOrder)) return passes;
  return isFree(program, passes) ? random.shuffle(passes) : passes;
}

/** True if no two passes depend on each other, over any number of others. */
function isFree(program: Program, passes: readonly PassSpec[]): boolean {
  const model = buildProgram({ ...program, passes: passes.map(({ phase, pass }) => ({ phase, pass })) });
  const uses = model.passes.map(({ pass }) => usesOf(program, pass));
  const names = (k: number): string[] => kernelNames(program, passes[k]);
  const waits = (b: number, a: number): boolean =>
    a !== b &&
    ([...uses[b].reads].some((key) => uses[a].gives.has(key)) ||
      names(a).some((name) => passes[b].after?.includes(name)) ||
      names(b).some((name) => passes[a].before?.includes(name)));
  const left = new Set(passes.keys());
  for (;;) {
    const next = [...left].find((b) => ![...left].some((a) => waits(b, a)));
    if (next === undefined) return left.size === 0;
    left.delete(next);
  }
}

const kernelNames = (program: Program, { pass }: PassSpec): string[] =>
  usesIn(pass).map(({ kernel }) => program.kernels[kernel].name);

/** Uses of fields by a pass, with everything nested in it. */
export function usesOf(program: Program, pass: Pass): Uses {
  const [reads, gives] = [new Set<string>(), new Set<string>()];
  const walk = (tree: Pass): void => {
    if (tree.kind === 'kernel') {
      const { form } = tree.kernel;
      for (const port of form.ports) {
        const key = fieldKey(port, form.domain, tree.names);
        if (port.kind === 'primal') (port.access === 'read' ? reads : gives).add(key);
      }
    } else if (tree.kind === 'product') {
      for (const { kernel: k, rename } of allUses(program)) {
        const kernel = program.kernels[k];
        const keys = kernel.ports.map((port) => ({ port, key: portKey(kernel, port, rename) }));
        if (!keys.some(({ port, key }) => port.access === 'add' && key === tree.of)) continue;
        for (const { port, key } of keys) if (port.access === 'read') reads.add(key);
      }
      const isAlong = tree.mode === 'jvp';
      for (const key of Object.values(tree.fields)) (isAlong ? reads : gives).add(key);
      (isAlong ? gives : reads).add(tree.with);
    } else {
      tree.passes.forEach(walk);
      if (tree.kind === 'block') [...tree.vjp, ...tree.jvp].forEach(walk);
    }
  };
  walk(pass);
  return { reads, gives };
}
