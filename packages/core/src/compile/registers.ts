/**
 * Numbers that change from dispatch to dispatch: the moment, which of the moments that this run has values for it is,
 * and in which slots its states and their adjoints lie.
 */
const OF_MOMENTS = [
  ...(['substep', 'frame', 'substepOfRun', 'frameOfRun'] as const),
  ...(['stateIn', 'stateOut', 'adjointIn', 'adjointOut'] as const),
] as const;
/** Round, and slots of the carried values, of an outermost loop and of a loop within one. */
const OF_ROUNDS = [
  ...(['round', 'roundIn', 'roundOut', 'roundAdjointIn', 'roundAdjointOut'] as const),
  ...(['innerRound', 'innerIn', 'innerOut', 'innerAdjointIn', 'innerAdjointOut'] as const),
] as const;

export const REGISTERS = [...OF_MOMENTS, ...OF_ROUNDS] as const;
export type Register = (typeof REGISTERS)[number];

/** The register that holds the number of a frame among those that are compared. */
export const COMPARED = 'compared';

/**
 * The registers of a model, in the order of {@link REGISTERS}: a row of them is packed for every substep. Last that of
 * comparisons, which pack rows of their own.
 */
export const registersFor = (has: { readonly loops: boolean; readonly comparisons: boolean }): readonly string[] => [
  ...(has.loops ? REGISTERS : OF_MOMENTS),
  ...(has.comparisons ? [COMPARED] : []),
];
