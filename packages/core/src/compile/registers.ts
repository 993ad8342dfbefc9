/**
 * Registers that change from dispatch to dispatch: the moment, its index among the moments that this run has values
 * for, and the slots of its states and their adjoints.
 */
const OF_MOMENTS = [
  ...(['substep', 'frame', 'substepOfRun', 'frameOfRun'] as const),
  ...(['stateIn', 'stateOut', 'adjointIn', 'adjointOut'] as const),
] as const;
/** Registers for the round and the slots of carried values, of an outermost loop and of a nested one. */
const OF_ROUNDS = [
  ...(['round', 'roundIn', 'roundOut', 'roundAdjointIn', 'roundAdjointOut'] as const),
  ...(['innerRound', 'innerIn', 'innerOut', 'innerAdjointIn', 'innerAdjointOut'] as const),
] as const;

export const REGISTERS = [...OF_MOMENTS, ...OF_ROUNDS] as const;
export type Register = (typeof REGISTERS)[number];

/** Register that holds the number of a frame among the compared ones. */
export const COMPARED = 'compared';

/**
 * Registers of a model, in the order of {@link REGISTERS}: a row of them is packed for every substep. The register of
 * comparisons is last; they pack rows of their own.
 */
export const registersFor = (has: { readonly loops: boolean; readonly comparisons: boolean }): readonly string[] => [
  ...(has.loops ? REGISTERS : OF_MOMENTS),
  ...(has.comparisons ? [COMPARED] : []),
];
