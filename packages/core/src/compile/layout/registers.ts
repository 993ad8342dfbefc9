/**
 * Registers that change from dispatch to dispatch: the substep and the frame, counted in the simulation and in this
 * run, and the slots of the states and of their adjoints.
 */
const MOMENT_REGISTERS = [
  ...(['substep', 'frame', 'substepOfRun', 'frameOfRun'] as const),
  ...(['stateIn', 'stateOut', 'adjointIn', 'adjointOut'] as const),
] as const;
/**
 * Registers of an outermost loop, then of a nested one: the number of the round, and the slots of carried values and of
 * their adjoints.
 */
const LOOP_REGISTERS = [
  ...(['round', 'roundIn', 'roundOut', 'roundAdjointIn', 'roundAdjointOut'] as const),
  ...(['innerRound', 'innerIn', 'innerOut', 'innerAdjointIn', 'innerAdjointOut'] as const),
] as const;

export const REGISTERS = [...MOMENT_REGISTERS, ...LOOP_REGISTERS] as const;
export type Register = (typeof REGISTERS)[number];

/** Name of the register that holds the index of a frame among the compared frames. */
export const COMPARED_REGISTER = 'compared';

/**
 * Returns the registers that a model uses, in the order of {@link REGISTERS}: a row of their values is packed for every
 * substep. The register of comparisons is last; comparisons pack their own rows.
 */
export const registersFor = (has: { readonly loops: boolean; readonly comparisons: boolean }): readonly string[] => [
  ...(has.loops ? REGISTERS : MOMENT_REGISTERS),
  ...(has.comparisons ? [COMPARED_REGISTER] : []),
];
