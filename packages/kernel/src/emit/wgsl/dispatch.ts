import type { BoundKernel } from '../bound-kernel.ts';
import { barriersOf } from '../order/barriers.ts';
import type { Dispatch } from '../order/dispatches.ts';
import { shaderFunctions } from './functions.ts';
import {
  ARENA_BINDINGS,
  dispatchDimensions,
  kernelFunction,
  REGISTERS_BINDING,
  registersStruct,
  registerWords,
  WIDEST_DISPATCH,
  WORKGROUP_SIZE,
} from './shader.ts';

const groupsOf = ({ invocations }: BoundKernel): number => Math.ceil(invocations / WORKGROUP_SIZE);

/** Returns the number of workgroups of a dispatch. */
export const workgroupsOf = (dispatch: Dispatch): readonly [number, number] =>
  dispatchDimensions(dispatch.reduce((sum, [first]) => sum + groupsOf(first), 0));

/** Returns kernels as WGSL functions, named in their order. */
function functions(kernels: readonly BoundKernel[]): { text: string; names: Map<BoundKernel, string> } {
  const names = new Map(
    kernels.map((kernel, k) => [kernel, `${kernel.name.replace(/\W+/g, '_').replace(/^(?=\d|_)/, 'k')}_${k}`]),
  );
  const bodies = kernels.map((kernel) => kernelFunction(kernel, names.get(kernel)!));
  return { text: [...shaderFunctions(kernels), ...bodies].join('\n'), names };
}

/**
 * Returns WGSL source of a dispatch of several kernels, with the bindings of `wgslSource`: strands have workgroups side
 * by side, and their kernels run one after another.
 */
export function dispatchSource(dispatch: Dispatch): string {
  const { text, names } = functions(dispatch.flat());
  let end = 0;
  const branches = dispatch.map((strand) => {
    const [first] = strand;
    const start = end;
    end += groupsOf(first);
    const calls = strand.map((kernel) => `      ${names.get(kernel)}(invocation, registers);`);
    return [
      `if (group < ${end}u) {`,
      `    let invocation = (group - ${start}u) * ${WORKGROUP_SIZE}u + lane;`,
      `    if (invocation < ${first.invocations}u) {`,
      ...calls,
      '    }',
      '  }',
    ].join('\n');
  });
  return [
    `// ${dispatch.map((strand) => strand.map(({ name }) => name).join(', then ')).join('; beside it ')}`,
    registersStruct(dispatch[0][0]),
    ARENA_BINDINGS,
    REGISTERS_BINDING,
    '',
    text,
    `@compute @workgroup_size(${WORKGROUP_SIZE})`,
    'fn main(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) id: vec3u) {',
    `  let group = id.y * ${WIDEST_DISPATCH}u + id.x;`,
    `  ${branches.join(' else ')}`,
    '}',
    '',
  ].join('\n');
}

/**
 * Returns WGSL source of a whole program that one workgroup runs, looping over register rows in one dispatch. It has
 * barriers only between kernels of which one needs what other invocations wrote. The dispatch's own row holds the
 * numbers of the first row and of rows; binding 3 holds all rows.
 */
export function loopSource(kernels: readonly BoundKernel[], rowWords: number): string {
  const { text, names } = functions(kernels);
  const barriers = barriersOf(kernels);
  const calls = kernels.flatMap((kernel, k) => [
    ...(barriers[k] ? ['    storageBarrier();'] : []),
    `    if (invocation < ${kernel.invocations}u) { ${names.get(kernel)}(invocation, registers); }`,
  ]);
  return [
    `// ${kernels.map(({ name }) => name).join(', ')}, row after row`,
    registersStruct(kernels[0]),
    `struct Row { registers: Registers, @size(${(rowWords - registerWords(kernels[0])) * 4}) first: u32 }`,
    'struct Span { registers: Registers, first: u32, rows: u32 }',
    ARENA_BINDINGS,
    '@group(0) @binding(2) var<uniform> span: Span;',
    '@group(0) @binding(3) var<storage, read> rows: array<Row>;',
    '',
    text,
    `@compute @workgroup_size(${Math.max(...kernels.map(({ invocations }) => invocations))})`,
    'fn main(@builtin(local_invocation_index) invocation: u32) {',
    '  for (var row = span.first; row < span.first + span.rows; row++) {',
    '    let registers = rows[row].registers;',
    ...calls,
    '  }',
    '}',
    '',
  ].join('\n');
}
