// What a kind is made of: for kinds of this package and of others.
export { dragUnknown } from '../film/air.ts';
export { type BoxView, boxOffsets, boxResiduals } from '../film/box-residuals.ts';
export { gravityMeasures, gravityTie, gravityUnknown, worldMeasures } from '../film/gravity.ts';
export {
  ballMeasures,
  cameraMeasures,
  filmMeasures,
  lengthMeasures,
  lensMeasures,
  type MeasuredFilm,
  markedMeasures,
  massMeasures,
  movingFilmMeasures,
  placedCameraMeasures,
} from '../film/measures.ts';
export { filmOf } from '../film/read.ts';
export type { KindImport } from './files.ts';
export { experimentFiles } from './files.ts';
export type { Kind, KindContext, KindSpec, Measured } from './kind.ts';
export { defineKind, isKind } from './kind.ts';
export type { Measure, MeasuredBy, Measures, Quantity, Value } from './measure.ts';
export { checkMeasured, measuredOf, readValue } from './measured.ts';
export { kindShown, type Looks, type ShownMotions } from './nearest-kind.ts';
export { askAboutUnit, numberIn, unitQuestions, unitsRead } from './units.ts';
