export { type Clock, type ReadClockOptions, readClock, timeHeading } from './clock.ts';
export { csvCell } from './csv-cell.ts';
export { type EvenSteps, evenSteps } from './even.ts';
export { type Heading, headingOf, withUnitAtEnd, wordsOf } from './headings.ts';
export { type Jitter, jitterOf, type Series, scatterOf } from './jitter.ts';
export { isAbsent } from './numbers.ts';
export type { Row, Separator } from './rows.ts';
export { readSheet, type Sheet } from './sheet.ts';
export {
  formatTable,
  lengthUnitOf,
  numberIn,
  type ReadTableOptions,
  readTable,
  type Table,
  type TableInput,
  tableOf,
} from './table.ts';
export { type Quantity, type Unit, unitNames, unitOf } from './units.ts';
