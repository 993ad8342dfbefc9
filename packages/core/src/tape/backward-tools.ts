// What only backward passes need: the adjoints that they begin with, reports and checks, in one module, so that they are loaded with the first simulation that has one.
export { locateInDerivative } from './checks/check-back.ts';
export { GradientWatch } from './gradient/report.ts';
export { SeedWriter } from './gradient/seeds.ts';
export { gradientsOf } from './gradients-of.ts';
