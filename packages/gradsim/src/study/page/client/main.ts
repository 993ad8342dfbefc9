// Page of a study: facts, unknowns, charts, and the table of trials.
import { drawCharts } from './charts.ts';
import { all, redrawAll } from './data.ts';
import { drawFacts, drawUnknowns } from './head.ts';
import { choose, startTable } from './trials.ts';

drawFacts();
drawUnknowns();
drawCharts();
startTable();
addEventListener('resize', redrawAll);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redrawAll);
const linked = /^#trial-(\d+)$/.exec(location.hash);
if (linked && all.includes(Number(linked[1]) - 1)) choose(Number(linked[1]) - 1);
