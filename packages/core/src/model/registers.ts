/** Numbers that change from dispatch to dispatch: the moment, and in which slots its states and their adjoints lie. */
export const REGISTERS = ['substep', 'frame', 'stateIn', 'stateOut', 'adjointIn', 'adjointOut'] as const;
export type Register = (typeof REGISTERS)[number];
