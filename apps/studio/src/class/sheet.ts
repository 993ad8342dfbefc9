// Sheets of a class and what its films agree on, as `gradsim study` has them, loaded when they are needed.
export { readSheet } from '@gradsim/base/tables';
export { sheetLines } from '../../../../packages/gradsim/src/study/load/sheet-lines.ts';
export { sheetQuestions } from '../../../../packages/gradsim/src/study/load/sheet-questions.ts';
export { agreementLine, agreementOf } from '../../../../packages/gradsim/src/study/page/agreement.ts';
