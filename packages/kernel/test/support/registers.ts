/** Registers of the tests: the two that kernels use by name, and two that select copies. */
export const REGISTERS = ['substep', 'frame', 'stateIn', 'stateOut'] as const;
export type Register = (typeof REGISTERS)[number];
