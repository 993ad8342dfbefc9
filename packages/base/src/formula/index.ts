export { type FitOfFormula, fitFormula } from './fit.ts';
export { type Formula, FormulaFault, parseFormula } from './formula.ts';
