import type { Overload, Statement } from '../../form/nodes.ts';
import { ARGUMENT_PORT } from '../../form/port.ts';
import { everyStatement } from '../../form/walk.ts';
import { Builder } from '../../language/builder.ts';
import { removeUnused } from '../../language/simplify.ts';
import type { BoundKernel } from '../bound-kernel.ts';
import { writeFunction } from '../text.ts';
import { finiteFloat, wgslSyntax } from './syntax.ts';

/**
 * WGSL function that converts the bits of a float. Its calls are not constant-folded; WGSL refuses a constant
 * expression whose result is not finite.
 */
const FLOAT_OF_BITS = `fn floatOfBits(bits: u32) -> f32 {
  return bitcast<f32>(bits);
}
`;
/** WGSL expressions of the constants that have no literal: infinities and NaN. */
const NOT_FINITE = new Map([
  [Number.POSITIVE_INFINITY, 'floatOfBits(0x7f800000u)'],
  [Number.NEGATIVE_INFINITY, 'floatOfBits(0xff800000u)'],
  [Number.NaN, 'floatOfBits(0x7fc00000u)'],
]);
/**
 * Returns the WGSL text of a float, finite or not; a shader with one that is not finite must include {@link
 * shaderFunctions}.
 */
export const floatText = (value: number): string => NOT_FINITE.get(Math.fround(value)) ?? finiteFloat(value);
const syntax = wgslSyntax(floatText);

/** A function that a shader defines for an operation, and its WGSL source. */
interface ShaderFunction {
  readonly source: string;
  readonly hasFiniteConstants: boolean;
}

/** Writes an operation as a WGSL function, from its lowering. */
function shaderFunction({ called, args, result, lowering, inSingle }: Overload): ShaderFunction {
  const b = new Builder(called, { lowersFor: 'f32' });
  const params = args.map((scalar, k) => b.load({ ...ARGUMENT_PORT, scalar }, k, null));
  const names = new Map(params.map((node, k) => [node, 'xyz'[k]]));
  const value = (lowering ?? inSingle)!(b, params);
  removeUnused(b.root, [value], []);
  const source = [
    `fn ${called}(${params.map((node) => `${names.get(node)}: ${node.type}`).join(', ')}) -> ${result} {`,
    writeFunction({ name: called, root: b.root, value, names }, syntax, '  '),
    '}',
    '',
  ].join('\n');
  return { source, hasFiniteConstants: [...everyStatement(b.root)].every(hasLiteral) };
}

/** Returns false for a constant that WGSL has no literal for. */
const hasLiteral = (node: Statement): boolean =>
  !(node.op === 'const' && node.type === 'f32') || Number.isFinite(Math.fround(node.value));

/** Returns whether the shader defines a function for this overload. */
const isFunction = ({ wgsl, lowering, inSingle }: Overload): boolean => !wgsl && !!(lowering ?? inSingle);

const functionCache = new Map<Overload, ShaderFunction>();

/** Returns the functions that kernels call because WGSL's own are too inaccurate or missing. */
export function shaderFunctions(kernels: readonly BoundKernel[]): string[] {
  const called = new Set<Overload>();
  let hasFiniteConstants = true;
  for (const { root } of kernels) {
    for (const node of everyStatement(root)) {
      hasFiniteConstants &&= hasLiteral(node);
      if (node.op === 'pure' && isFunction(node.overload)) called.add(node.overload);
    }
  }
  const functions = [...called].map((overload) => {
    const written = functionCache.get(overload) ?? shaderFunction(overload);
    functionCache.set(overload, written);
    return written;
  });
  const sources = functions.map(({ source }) => source);
  hasFiniteConstants &&= functions.every((written) => written.hasFiniteConstants);
  return hasFiniteConstants ? sources : [FLOAT_OF_BITS, ...sources];
}
