export * from './arithmetic.ts';
export * from './bits.ts';
export * from './choice.ts';
export * from './comparison.ts';
export * from './conversion.ts';
export * from './exponential.ts';
export * from './power.ts';
export * from './trigonometric.ts';
