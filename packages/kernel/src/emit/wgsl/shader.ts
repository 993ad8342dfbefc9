import { GradsimError } from '@gradsim/base';
import type { BoundKernel } from '../bound-kernel.ts';
import type { Syntax } from '../text.ts';
import { writeText } from '../text.ts';
import { floatText, shaderFunctions } from './functions.ts';
import { registerName, wgslSyntax } from './syntax.ts';

/** Number of invocations in one workgroup. */
export const WORKGROUP_SIZE = 64;
/** Maximum workgroups along one dimension that every WebGPU device supports. */
export const WIDEST_DISPATCH = 65535;

/**
 * Returns the dimensions of a dispatch of at least `count` workgroups: one row, or several if one would be too long.
 */
export const dispatchDimensions = (count: number): readonly [number, number] =>
  count <= WIDEST_DISPATCH ? [count, 1] : [WIDEST_DISPATCH, Math.ceil(count / WIDEST_DISPATCH)];

/** Returns the number of workgroups of a kernel in x and y. */
export const workgroups = (invocations: number): readonly [number, number] =>
  dispatchDimensions(Math.ceil(invocations / WORKGROUP_SIZE));

/**
 * Returns WGSL lines that compute `invocation` from the position in the dispatch, and return early beyond the last one.
 */
function invocationLines(invocations: number): string[] {
  const isWide = workgroups(invocations)[1] > 1;
  return [
    `  let invocation = ${isWide ? `id.y * ${WIDEST_DISPATCH * WORKGROUP_SIZE}u + id.x` : 'id.x'};`,
    ...(invocations % WORKGROUP_SIZE || isWide ? [`  if (invocation >= ${invocations}u) { return; }`] : []),
  ];
}

const syntaxOf = (kernel: BoundKernel): Syntax =>
  wgslSyntax((value) => {
    if (!Number.isFinite(value) || Number.isFinite(Math.fround(value))) return floatText(value);
    throw new GradsimError('kernel/constant-not-finite', `the constant ${value} is no finite f32.`, {
      kernel: kernel.name,
      hint: 'Use a smaller number (1e30, say) or Infinity.',
    });
  }, kernel.registers);

/** Returns the number of words in the register struct: a multiple of four, as WGSL requires of uniform memory. */
export const registerWords = ({ registers }: Pick<BoundKernel, 'registers'>): number =>
  Math.max(4, Math.ceil(registers.length / 4) * 4);

export function registersStruct(kernel: BoundKernel): string {
  const names = kernel.registers.map(registerName);
  while (names.length < registerWords(kernel)) names.push(`unused${names.length}`);
  return `struct Registers { ${names.map((name) => `${name}: u32`).join(', ')} }`;
}

/** WGSL bindings of both arenas, the same in every shader. */
export const ARENA_BINDINGS = `@group(0) @binding(0) var<storage, read_write> floats: array<f32>;
@group(0) @binding(1) var<storage, read_write> words: array<u32>;`;
/** WGSL binding of the register row of this dispatch. */
export const REGISTERS_BINDING = '@group(0) @binding(2) var<uniform> registers: Registers;';

/** Writes a kernel as a WGSL function of the invocation and a row of registers. */
export const kernelFunction = (kernel: BoundKernel, name: string): string =>
  [`fn ${name}(invocation: u32, registers: Registers) {`, writeText(kernel, syntaxOf(kernel), '  '), '}', ''].join(
    '\n',
  );

/**
 * Returns WGSL source of a compute shader with the entry point `main`: the f32 arena at binding 0, the u32 arena at 1,
 * the registers (one u32 each, in all a multiple of four) at 2, all in group 0. Dispatch it with {@link workgroups}.
 *
 * Sines, inverse trigonometric functions, logarithms and powers are functions of the shader itself, because WGSL
 * specifies too low an accuracy for its own, or none.
 *
 * @throws when the kernel has a constant that is finite in double precision alone.
 */
export const wgslSource = (kernel: BoundKernel): string =>
  [
    `// ${kernel.name}, ${kernel.invocations} invocations`,
    registersStruct(kernel),
    ARENA_BINDINGS,
    REGISTERS_BINDING,
    '',
    ...shaderFunctions([kernel]),
    `@compute @workgroup_size(${WORKGROUP_SIZE})`,
    'fn main(@builtin(global_invocation_id) id: vec3u) {',
    ...invocationLines(kernel.invocations),
    writeText(kernel, syntaxOf(kernel), '  '),
    '}',
    '',
  ].join('\n');
