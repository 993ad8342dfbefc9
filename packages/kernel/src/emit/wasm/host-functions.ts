import { PRIMITIVES } from '../../primitives/table.ts';
import { functionText } from '../../primitives/texts.ts';

/**
 * Functions that WebAssembly calls in double precision, having no instruction for them: `evaluate` of the overloads,
 * nearly all from Math, by the overload's unique name `called`.
 */
export const HOST_FUNCTIONS: Readonly<Record<string, (...args: number[]) => number>> = Object.fromEntries(
  PRIMITIVES.flatMap(({ overloads }) => overloads)
    .filter(({ inSingle }) => inSingle)
    .map(({ called, evaluate }) => [called, evaluate]),
);

/** Returns JavaScript source of an object like {@link HOST_FUNCTIONS}, for other threads. */
export const hostFunctionsText = (): string =>
  `({ ${Object.entries(HOST_FUNCTIONS).map(([called, of]) => `${called}: ${functionText(of)}`)} })`;
