/** Registers of the tests: the two that kernels ask for by name, and two that choose places. */
export const REGISTERS = ['substep', 'frame', 'stateIn', 'stateOut'] as const;
export type Register = (typeof REGISTERS)[number];
