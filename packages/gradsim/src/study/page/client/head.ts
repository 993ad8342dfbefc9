import { agreementsOf, distrustedIn } from '../agreement.ts';
import {
  all,
  at,
  cellsOf,
  data,
  duration,
  isTwo,
  known,
  make,
  numbers,
  ofStudy,
  quantile,
  shown,
  unknowns,
} from './data.ts';

/** Shows counts, times and memory of each study. */
export function drawFacts(): void {
  const facts = at('facts');
  const fact = (value: string, what: string) => make('span', {}, make('b', {}, value), ` ${what}`);
  for (const [which, { name, asked }] of data.studies.entries()) {
    const rows = all.filter((row) => data.study[row] === which);
    const done = rows.filter((row) => data.status[row] === 'done').length;
    const cpu = numbers(ofStudy(cellsOf('processor s'), which)).reduce((sum, value) => sum + value, 0);
    const middle = (cost: string): number => quantile(numbers(ofStudy(cellsOf(cost), which)), 0.5);
    if (isTwo) facts.append(make('span', {}, make('i', { class: which ? 'dot other' : 'dot' }), make('b', {}, name)));
    facts.append(
      fact(String(done), `of ${asked} trials done`),
      fact(String(rows.length - done), 'failed'),
      fact(duration(cpu), 'of processor'),
      fact(duration(middle('seconds')), 'median time'),
      fact(`${shown(middle('MB'), 3)} MB`, 'median memory'),
    );
    if (isTwo && which === 0) facts.append(make('div', { style: 'flex-basis: 100%' }));
  }
}

/** Shows the estimates of each unknown, and how honest their standard errors are where the truth is known. */
export function drawUnknowns(): void {
  if (unknowns.length === 0) return;
  at('unknowns').hidden = false;
  const spread =
    known.length > 0
      ? ['median |error|', '25 %', '75 %', 'within 2 standard errors', 'rms of z']
      : ['25 %', '75 %', 'mean of those trusted', 'spread over standard errors', 'unlike the others'];
  const head = ['unknown', ...(isTwo ? ['study'] : []), 'n', 'determined', 'median estimate', ...spread];
  const rows = unknowns.flatMap((name) => data.studies.map((study, which) => rowOf(name, study.name, which)));
  at('summary').append(
    make(
      'table',
      {},
      make('thead', {}, make('tr', {}, ...head.map((cell) => make('th', {}, cell)))),
      make('tbody', {}, ...rows),
    ),
  );
  const legend =
    known.length > 0
      ? 'Errors are relative to the truth, or as they are where it is 0. z is the error over the standard error that the estimate claims: of honest ones 95 % are within 2, and the rms of z is 1.'
      : 'Where all trials measured one thing, their spread is about what their standard errors say: 1. The mean leaves out what is not trusted, not determined, or unlike the others.';
  at('summary').append(make('p', { class: 'legend' }, legend));
  const distrusted = distrustedIn(data);
  if (distrusted.length > 0 && known.length === 0)
    at('summary').append(make('p', {}, `Not to be trusted: ${distrusted.join(', ')}.`));
}

function rowOf(name: string, study: string, which: number): HTMLElement {
  const { unit, estimate, standardError } = data.unknowns[name];
  const found = numbers(ofStudy(estimate, which));
  const determined = ofStudy(standardError, which).filter((error) => error !== null).length;
  const cells = [
    ...(isTwo ? [study] : []),
    String(found.length),
    String(determined),
    shown(quantile(found, 0.5)),
    ...(known.length > 0
      ? honesty(name, which)
      : [...[0.25, 0.75].map((share) => shown(quantile(found, share))), ...agreement(name, which)]),
  ];
  const title = make('td', {}, make('span', { class: 'name' }, name), ' ', make('span', { class: 'unit' }, unit ?? ''));
  return make('tr', {}, title, ...cells.map((cell) => make('td', {}, cell)));
}

function agreement(name: string, which: number): string[] {
  const found = agreementsOf(data, which).find(({ unknown }) => unknown === name);
  if (!found) return ['–', '–', '–'];
  const { mean, standardError, spreadOverErrors, unlike } = found;
  return [
    `${shown(mean)} ± ${shown(standardError, 2)}`,
    shown(spreadOverErrors, 2),
    unlike.map(({ trial, estimate }) => `${trial} (${shown(estimate)})`).join(', ') || 'none',
  ];
}

function honesty(name: string, which: number): string[] {
  const of = (column: string): number[] => numbers(ofStudy(cellsOf(`${column} of ${name}`), which));
  const errors = of('error')
    .map(Math.abs)
    .sort((a, b) => a - b);
  const z = of('z');
  const within = (100 * z.filter((value) => Math.abs(value) <= 2).length) / z.length;
  const rms = Math.sqrt(z.reduce((sum, value) => sum + value * value, 0) / z.length);
  return [
    ...[0.5, 0.25, 0.75].map((share) => shown(quantile(errors, share), 3)),
    ...(z.length === 0 ? ['–', '–'] : [`${shown(within, 3)} %`, shown(rms, 3)]),
  ];
}
