// Compilation of comparisons, in one module, so that it is loaded with the first of them.
export { checkComparisons } from './check-comparisons.ts';
export { placeComparisons } from './place-comparisons.ts';
