export type { RepeatRecord, StageRecord } from './experiment/record/record.ts';
export type { FinishedStage } from './experiment/run.ts';
export type { FileRecord } from './modules/sources.ts';
export { type FoundKind, findKind } from './new/find-kind.ts';
export { runProgram } from './program.ts';
export { type Curve, type CurveChart, curvesPage } from './report/curves-page.ts';
export { reportHtml } from './report/report.ts';
export { processTerminal, type Terminal } from './terminal/terminal.ts';
