/** Numbers that change from dispatch to dispatch: the moment, and in which slots its states and their adjoints lie. */
export const REGISTERS = [
  ...(['substep', 'frame', 'stateIn', 'stateOut', 'adjointIn', 'adjointOut'] as const),
  // Of the loop that stands in no other, and of one within: the round, and where what it hands on lies.
  ...(['round', 'roundIn', 'roundOut', 'roundAdjointIn', 'roundAdjointOut'] as const),
  ...(['innerRound', 'innerIn', 'innerOut', 'innerAdjointIn', 'innerAdjointOut'] as const),
] as const;
export type Register = (typeof REGISTERS)[number];
