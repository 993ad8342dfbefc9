import { deadParameters } from '@gradsim/core';
import { buildProgram } from '../program/build.ts';
import type { Block, Gift, KernelSpec, Program, Statement } from '../program/program.ts';
import { keyOf } from '../program/program.ts';
import { allUses } from '../program/tree.ts';
import type { Random } from '../random.ts';

/**
 * Returns the program with, at times, one more input that acts only without a derivative: through a comparison, a
 * rounded value, the condition of a branch, or a number of rounds. `dead` lists this input and the drawn parameters
 * that have no derivative by chance.
 */
export function withDeadParameters(program: Program, random: Random): Program {
  const drawn = random.chance(0.4) ? withThreshold(program, random) : null;
  const used = drawn ?? program;
  const { parameters, outputs } = used.run;
  const byChance = deadByChance(used);
  return {
    ...used,
    dead: [...(drawn && outputs.length > 0 ? drawn.dead! : []), ...byChance],
    run: { ...used.run, parameters: parameters.filter((key) => !byChance.includes(key)) },
  };
}

function deadByChance(program: Program): string[] {
  const { parameters, outputs } = program.run;
  if (parameters.length === 0) return [];
  try {
    return [...deadParameters(buildProgram(program), { parameters, outputs }).keys()];
  } catch {
    // A program that is refused is so when it is judged.
    return [];
  }
}

/** Ways in which an input can act on outputs without a derivative. */
const WAYS = ['select', 'branch', 'floor', 'whole', 'rounds'] as const;

/** Adds such an input to one of the kernels; null if no kernel can take it. */
function withThreshold(program: Program, random: Random): Program | null {
  // What a pass keeps for an adjoint by hand has to be what that adjoint supposes.
  const saved = new Set(program.kernels.map(({ adjoint }) => adjoint?.saved?.field));
  const keeps = (rename: Readonly<Record<string, string>>): boolean =>
    Object.values(rename).some((name) => saved.has(name));
  const uses = allUses(program);
  // A kernel may stand in several places, and keep what is saved in one of them.
  const keeping = new Set(uses.flatMap(({ kernel, rename }) => (keeps(rename) ? [kernel] : [])));
  const ordinary = new Set(
    uses.flatMap(({ kernel, as }) =>
      as === undefined && (program.kernels[kernel].adjoint || !keeping.has(kernel)) ? [kernel] : [],
    ),
  );
  const places = [...ordinary].flatMap((at) => {
    const { gives, body, adjoint, refers, domain } = program.kernels[at];
    if (adjoint || refers || domain === 'world') return [];
    return gives.flatMap((gift, g) =>
      gift.values.flatMap((id, v) =>
        body.statements.some((s) => s.id === id && s.type === 'f32') ? [{ at, g, v }] : [],
      ),
    );
  });
  // Derivatives of blocks, and products, are of the kernels as they are.
  if (places.length === 0 || allUses(program).some(({ as }) => as !== undefined)) return null;
  const { at, g, v } = random.pick(places);
  const kernel = program.kernels[at];
  const field = {
    domain: 'world',
    name: 'threshold',
    type: 'f32',
    values: [Math.fround(random.between(-1.5, 1.5))],
  } as const;
  const { body, id } = acting(kernel.body, kernel.gives[g].values[v], random);
  const gives = kernel.gives.map(
    (gift, k): Gift => (k === g ? { ...gift, values: gift.values.map((value, j) => (j === v ? id : value)) } : gift),
  );
  const port = { name: 'threshold', access: 'read', kind: 'perWorld', type: 'f32' } as const;
  const changed: KernelSpec = { ...kernel, ports: [...kernel.ports, port], body, gives };
  return {
    ...program,
    fields: [...program.fields, field],
    kernels: program.kernels.map((other, k) => (k === at ? changed : other)),
    dead: [keyOf(field)],
  };
}

/**
 * Extends a block by a value computed from the value `value` and the added input, without a derivative with respect to
 * the input; returns the block and the id of the new value.
 */
function acting(block: Block, value: number, random: Random): { readonly body: Block; readonly id: number } {
  let next = highest(block) + 1;
  const added: Statement[] = [];
  const put = (statement: Omit<Statement, 'id'>): number => {
    const id = next++;
    added.push({ ...statement, id });
    return id;
  };
  const f32 = (op: string, ...args: number[]): number => put({ type: 'f32', op, args });
  const literal = (x: number): number => put({ type: 'f32', op: 'literal', args: [], literal: [x] });
  const threshold = put({ type: 'f32', op: 'load', args: [], port: 'threshold' });
  const comparison = (): number =>
    put({
      type: 'bool',
      op: random.pick(['f32.lt', 'f32.ge']),
      args: random.chance(0.5) ? [value, threshold] : [threshold, value],
    });
  const half = f32('f32.mul', value, literal(0.5));
  const way = random.pick(WAYS);
  const made = {
    select: () => put({ type: 'f32', op: 'f32.select', args: [comparison(), value, half] }),
    branch: () => {
      const side = (id: number): Block => ({ params: [], statements: [], results: [id] });
      return put({ type: 'f32', op: 'when', args: [comparison()], blocks: [side(value), side(half)] });
    },
    floor: () => f32('f32.mul', value, f32('floor', threshold)),
    whole: () => f32('f32.mul', value, f32('u32.toF32', put({ type: 'u32', op: 'f32.toU32', args: [threshold] }))),
    rounds: () => {
      const [counter, carried, inner] = [next++, next++, next++];
      const body: Block = {
        params: [
          { id: counter, type: 'u32' },
          { id: carried, type: 'f32' },
        ],
        statements: [{ id: inner, type: 'f32', op: 'tanh', args: [carried] }],
        results: [inner],
      };
      const start = put({ type: 'u32', op: 'literal', args: [], literal: [0] });
      const end = put({ type: 'u32', op: 'f32.toU32', args: [threshold] });
      return put({ type: 'f32', op: 'forRange', args: [start, end, value], blocks: [body] });
    },
  }[way]();
  return { body: { ...block, statements: [...block.statements, ...added] }, id: made };
}

/** The highest value id in a block, nested blocks included; -1 if it has none. */
function highest({ params, statements }: Block): number {
  return Math.max(
    -1,
    ...params.map(({ id }) => id),
    ...statements.flatMap(({ id, blocks = [] }) => [id, ...blocks.map(highest)]),
  );
}
