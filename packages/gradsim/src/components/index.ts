// What reports, the studio and studies show alike: markup from plain functions, in Node and in a page.
export { correlationSection } from './correlations.ts';
export { type ErrorBarValues, errorBar } from './error-bar.ts';
export { fieldChart, fieldsOfArrays } from './field-chart.ts';
export { type Answered, headline, intervalText, valueText } from './headline.ts';
export { type Html, html, nothing } from './html.ts';
export { iterationSection } from './iterations.ts';
export { explainedAnswer, limitLines, limitSection } from './limits.ts';
export { lineChart } from './line-chart.ts';
export { motionSection } from './motion.ts';
export { htmlPage, MARK_OF_PAGES, type PageScript } from './page.ts';
export { derivedTable, givenTable, parameterTable, table } from './tables.ts';
export { goalBox, list, remarkSection, searchFacts, verdictBox } from './verdict.ts';
