export { airForce } from './air.ts';
export { bendForce, hinge, hingeAngle } from './bending.ts';
export { Hinge, Triangle } from './components.ts';
export type { MembraneMaterial } from './membrane.ts';
export {
  membraneDamping,
  membraneEnergy,
  membraneForce,
  membraneStress,
  restOfTriangle,
} from './membrane.ts';
export type { ClothPluginOptions } from './plugin.ts';
export { cloth } from './plugin.ts';
export { angleOf } from './shape.ts';
export type { ClothOptions } from './sheet.ts';
export { addCloth } from './sheet.ts';
export type { SheetOfMesh } from './sheet-from-mesh.ts';
export { sheetFromMesh } from './sheet-from-mesh.ts';
export type { SheetMesh } from './topology.ts';
export { findHinges, sheetGrid } from './topology.ts';
