// Reports and checks of the backward pass, in one module, so that they are loaded with the first simulation that has one.
export { locateInDerivative } from './check-back.ts';
export { singlePrecisionNoise } from './gradient-noise.ts';
export { checkReportOptions, GradientWatch } from './gradient-report.ts';
