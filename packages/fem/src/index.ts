export type { TetMaterial } from './force.ts';
export { dampingStress, elasticStress, restOfTet, tetEnergy, tetForce } from './force.ts';
export type { Moduli, Stiffness } from './moduli.ts';
export { moduliOf, stiffnessOf } from './moduli.ts';
export { fem } from './plugin.ts';
export type { SoftBodyOptions } from './soft-body.ts';
export { addSoftBody } from './soft-body.ts';
export { Tet } from './tet.ts';
