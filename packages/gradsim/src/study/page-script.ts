/**
 * Script of a study's page: charts, and the table of trials, of which only the visible rows are in the document.
 * Embedded as text, so that the page's policy can allow it by its hash.
 */
export const PAGE_SCRIPT = String.raw`
const data = JSON.parse(document.getElementById('data').textContent);
const { studies, ids, study, status, messages, settings, columns, unknowns, reports } = data;
const at = (id) => document.getElementById(id);
const make = (name, attributes = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(key, value);
  element.append(...children);
  return element;
};
const all = ids.map((_, row) => row);
const isTwo = studies.length > 1;
const numbers = (values) => values.filter((value) => typeof value === 'number' && Number.isFinite(value)).sort((a, b) => a - b);
const quantile = (sorted, share) => sorted.length === 0 ? NaN : (sorted[Math.floor((sorted.length - 1) * share)] + sorted[Math.ceil((sorted.length - 1) * share)]) / 2;
const shown = (value, digits = 4) => {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (typeof value !== 'number') return String(value);
  const size = Math.abs(value);
  return size === 0 || (size >= 1e-3 && size < 1e6) ? String(Number(value.toPrecision(digits))) : value.toExponential(Math.min(2, digits - 1)).replace('e+', 'e');
};
const duration = (seconds) => seconds < 90 ? shown(seconds, 3) + ' s' : seconds < 5400 ? shown(seconds / 60, 3) + ' min' : shown(seconds / 3600, 3) + ' h';
const column = (name) => columns.find((each) => each.name === name);
const of = (cells, which) => cells.filter((_, row) => study[row] === which);

const facts = at('facts');
studies.forEach(({ name, asked }, which) => {
  const rows = all.filter((row) => study[row] === which);
  const done = rows.filter((row) => status[row] === 'done').length;
  const cpu = numbers(of(column('processor s')?.cells ?? [], which)).reduce((sum, value) => sum + value, 0);
  const middle = (cost) => quantile(numbers(of(column(cost)?.cells ?? [], which)), 0.5);
  const fact = (value, what) => make('span', {}, make('b', {}, value), ' ' + what);
  if (isTwo) facts.append(make('span', {}, make('i', { class: which ? 'dot other' : 'dot' }), make('b', {}, name)));
  facts.append(fact(String(done), 'of ' + asked + ' trials done'), fact(String(rows.length - done), 'failed'), fact(duration(cpu), 'of processor'), fact(duration(middle('seconds')), 'median time'), fact(shown(middle('MB'), 3) + ' MB', 'median memory'));
  if (isTwo && which === 0) facts.append(make('div', { style: 'flex-basis: 100%' }));
});

let reason = null;
const chips = at('chips');
const drawChips = () => {
  const counts = new Map();
  for (const each of status) counts.set(each, (counts.get(each) ?? 0) + 1);
  chips.replaceChildren(...[...counts].sort(([a], [b]) => (a === 'done' ? -1 : b === 'done' ? 1 : a < b ? -1 : 1)).map(([name, count]) => {
    const button = make('button', { type: 'button', 'aria-pressed': String(reason === name) }, name + ' ', make('b', {}, String(count)));
    button.onclick = () => { reason = reason === name ? null : name; drawChips(); refresh(); };
    return button;
  }));
};

const names = Object.keys(unknowns);
const known = names.filter((name) => unknowns[name].truth.some((truth) => truth !== null));
if (names.length > 0) {
  at('unknowns').hidden = false;
  const head = ['unknown', ...(isTwo ? ['study'] : []), 'n', 'determined', 'median estimate', ...(known.length > 0 ? ['median |error|', '25 %', '75 %', 'within 2 standard errors', 'rms of z'] : ['25 %', '75 %'])];
  const rows = names.flatMap((name) => studies.map((each, which) => {
    const { unit, estimate } = unknowns[name];
    const found = numbers(of(estimate, which));
    const errors = numbers(of(column('error of ' + name)?.cells ?? [], which).map((error) => error === null ? null : Math.abs(error)));
    const z = numbers(of(column('z of ' + name)?.cells ?? [], which));
    const honest = known.length > 0
      ? [shown(quantile(errors, 0.5), 3), shown(quantile(errors, 0.25), 3), shown(quantile(errors, 0.75), 3),
        z.length === 0 ? '–' : shown(100 * z.filter((value) => Math.abs(value) <= 2).length / z.length, 3) + ' %',
        z.length === 0 ? '–' : shown(Math.sqrt(z.reduce((sum, value) => sum + value * value, 0) / z.length), 3)]
      : [shown(quantile(found, 0.25)), shown(quantile(found, 0.75))];
    const title = make('td', {}, make('span', { class: 'name' }, name), ' ', make('span', { class: 'unit' }, unit ?? ''));
    return make('tr', {}, title, ...[...(isTwo ? [each.name] : []), String(found.length), String(of(unknowns[name].standardError, which).filter((error) => error !== null).length), shown(quantile(found, 0.5)), ...honest].map((cell) => make('td', {}, cell)));
  }));
  at('summary').append(make('table', {}, make('thead', {}, make('tr', {}, ...head.map((cell) => make('th', {}, cell)))), make('tbody', {}, ...rows)));
  if (known.length > 0) at('summary').append(make('p', { class: 'legend' }, 'Errors are relative to the truth, or as they are where it is 0. z is the error over the standard error that the estimate claims: of honest ones 95 % are within 2, and the rms of z is 1.'));
}

const series = new Map();
for (const each of columns) if (each.cells.some((cell) => typeof cell === 'number')) series.set(each.name, each.cells);
for (const name of names) {
  if (known.includes(name)) series.set('truth of ' + name, unknowns[name].truth);
  series.set('estimate of ' + name, unknowns[name].estimate);
}
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const margin = { left: 56, right: 10, top: 8, bottom: 26 };
const begin = (canvas) => {
  const ratio = devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const context = canvas.getContext('2d');
  context.scale(ratio, ratio);
  context.font = '12px system-ui, sans-serif';
  return { context, width, height };
};
const isWide = (sorted) => sorted.length > 2 && sorted[0] > 0 && sorted[sorted.length - 1] / sorted[0] > 30;
const scaleOf = (sorted, isLog, from, to, pad = 0.04) => {
  const change = isLog ? Math.log10 : (value) => value;
  let [low, high] = [change(sorted[0]), change(sorted[sorted.length - 1])];
  if (low === high) { const by = Math.abs(low) * 0.05 || 1; low -= by; high += by; }
  const more = (high - low) * pad;
  low -= more; high += more;
  const scale = (value) => from + (change(value) - low) / (high - low) * (to - from);
  scale.ticks = () => {
    if (isLog) {
      const decades = [];
      const step = Math.max(1, Math.ceil((high - low) / 6));
      for (let k = Math.ceil(low); k <= high; k += step) decades.push(10 ** k);
      if (decades.length > 1) return decades;
    }
    const [first, last] = isLog ? [10 ** low, 10 ** high] : [low, high];
    const raw = (last - first) / 5;
    const power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].find((factor) => factor * power >= raw) * power;
    const ticks = [];
    for (let value = Math.ceil(first / step) * step; value <= last + step * 1e-9; value += step) ticks.push(Math.abs(value) < step * 1e-9 ? 0 : value);
    return ticks;
  };
  return scale;
};
const axes = ({ context, width, height }, x, y) => {
  context.strokeStyle = colour('--line');
  context.fillStyle = colour('--soft');
  context.textAlign = 'center';
  for (const tick of x.ticks()) {
    context.beginPath(); context.moveTo(x(tick), margin.top); context.lineTo(x(tick), height - margin.bottom); context.stroke();
    context.fillText(shown(tick, 3), Math.min(width - 18, x(tick)), height - 9);
  }
  context.textAlign = 'right';
  for (const tick of y.ticks()) {
    context.beginPath(); context.moveTo(margin.left, y(tick)); context.lineTo(width - margin.right, y(tick)); context.stroke();
    context.fillText(shown(tick, 3), margin.left - 6, y(tick) + 4);
  }
};
const empty = ({ context, width, height }) => {
  context.fillStyle = colour('--soft');
  context.textAlign = 'center';
  context.fillText('no such values', width / 2, height / 2);
};
const paint = (which) => colour(which ? '--truth' : '--accent');

let visible = all;
const drawn = [];
const chart = (title, choices, draw, onClick) => {
  const canvas = make('canvas');
  const selects = choices.map(([options, first]) => {
    const select = make('select', { 'aria-label': title }, ...options.map((option) => make('option', {}, option)));
    if (first) select.value = first;
    select.onchange = () => redraw();
    return select;
  });
  const caption = make('figcaption', {}, title, ...selects);
  const figure = make('figure', { class: 'chart' }, caption, canvas);
  const redraw = () => draw(begin(canvas), ...selects.map((select) => select.value));
  if (onClick) canvas.onclick = (event) => onClick(event.offsetX, event.offsetY);
  at('charts').append(figure);
  drawn.push(redraw);
};

let points = [];
const scatter = (place, nameX, nameY) => {
  const [xs, ys] = [series.get(nameX), series.get(nameY)];
  const rows = visible.filter((row) => Number.isFinite(xs[row]) && xs[row] !== null && Number.isFinite(ys[row]) && ys[row] !== null);
  points = [];
  if (rows.length === 0) return empty(place);
  const { context, width, height } = place;
  const [sx, sy] = [numbers(rows.map((row) => xs[row])), numbers(rows.map((row) => ys[row]))];
  const isSame = nameX.startsWith('truth of ') && nameY === nameX.replace('truth', 'estimate');
  // Truth and estimate share one scale, so that the dashed line is straight.
  const isBoth = isWide(sx) && sy[0] > 0;
  const x = scaleOf(sx, isSame ? isBoth : isWide(sx), margin.left, width - margin.right);
  const y = scaleOf(sy, isSame ? isBoth : isWide(sy), height - margin.bottom, margin.top);
  axes(place, x, y);
  if (isSame) {
    const [low, high] = [Math.max(sx[0], sy[0]), Math.min(sx[sx.length - 1], sy[sy.length - 1])];
    context.strokeStyle = colour('--soft');
    context.setLineDash([5, 4]);
    context.beginPath(); context.moveTo(x(low), y(low)); context.lineTo(x(high), y(high)); context.stroke();
    context.setLineDash([]);
  }
  context.globalAlpha = rows.length > 2000 ? 0.35 : 0.75;
  for (const row of rows) {
    const [px, py] = [x(xs[row]), y(ys[row])];
    points.push([px, py, row]);
    context.fillStyle = paint(study[row]);
    context.beginPath(); context.arc(px, py, rows.length > 2000 ? 2 : 3, 0, 7); context.fill();
  }
  context.globalAlpha = 1;
  const mark = points.find(([, , row]) => row === chosen);
  if (mark) { context.strokeStyle = colour('--ink'); context.lineWidth = 2; context.beginPath(); context.arc(mark[0], mark[1], 6, 0, 7); context.stroke(); context.lineWidth = 1; }
};
const nearest = (px, py) => {
  let [best, distance] = [null, 400];
  for (const [x, y, row] of points) { const d = (x - px) ** 2 + (y - py) ** 2; if (d < distance) [best, distance] = [row, d]; }
  if (best !== null) choose(best);
};
const histogram = (place, name, normal) => {
  const cells = series.get(name);
  const rows = visible.filter((row) => typeof cells?.[row] === 'number' && Number.isFinite(cells[row]));
  if (rows.length === 0) return empty(place);
  const { context, width, height } = place;
  const sorted = numbers(rows.map((row) => cells[row]));
  const limits = normal ? [-5, 5] : [sorted[0], sorted[sorted.length - 1]];
  const isLog = !normal && isWide(sorted);
  const x = scaleOf(limits, isLog, margin.left, width - margin.right, normal ? 0 : 0.02);
  const bins = normal ? 40 : Math.max(6, Math.min(50, Math.round(2 * Math.cbrt(rows.length) + 4)));
  const [left, right] = [x(limits[0]), x(limits[1])];
  const counts = studies.map(() => new Array(bins).fill(0));
  for (const row of rows) counts[study[row]][Math.max(0, Math.min(bins - 1, Math.floor((x(cells[row]) - left) / (right - left || 1) * bins)))]++;
  const expected = (z) => 0.3989 * Math.exp(-z * z / 2) * 10 / bins;
  const totals = counts.map((each) => each.reduce((sum, value) => sum + value, 0) || 1);
  const shares = counts.map((each, which) => each.map((value) => isTwo || normal ? value / totals[which] : value));
  const most = Math.max(...shares.flat(), normal ? expected(0) : 0);
  const y = scaleOf([0, most], false, height - margin.bottom, margin.top, 0);
  axes(place, x, y);
  const step = (right - left) / bins;
  shares.forEach((each, which) => {
    context.fillStyle = paint(which);
    context.globalAlpha = isTwo ? 0.5 : 0.8;
    each.forEach((value, k) => context.fillRect(left + k * step + 0.5, y(value), Math.max(1, step - 1), y(0) - y(value)));
  });
  context.globalAlpha = 1;
  if (!normal) return;
  context.strokeStyle = colour('--ink');
  context.lineWidth = 1.5;
  context.beginPath();
  for (let k = 0; k <= 100; k++) { const z = -5 + k / 10; context.lineTo(x(z), y(expected(z))); }
  context.stroke();
  context.lineWidth = 1;
};

const choices = [...series.keys()];
const firstOf = (kind) => columns.find((each) => each.of === kind && series.has(each.name))?.name;
if (choices.length > 0) {
  const firstX = known.length > 0 ? 'truth of ' + known[0] : firstOf('setting') ?? 'seconds';
  const firstY = names.length > 0 ? 'estimate of ' + (known[0] ?? names[0]) : firstOf('summary') ?? 'seconds';
  chart('Trials', [[choices, firstX], [choices, firstY]], scatter, nearest);
  if (known.length > 0) chart('Error over claimed error', [[known, known[0]]], (place, name) => histogram(place, 'z of ' + name, true));
  chart('Distribution', [[choices, known.length > 0 ? 'error of ' + known[0] : firstY]], (place, name) => histogram(place, name, false));
  chart('Time, s', [], (place) => histogram(place, 'seconds', false));
  chart('Memory, MB', [], (place) => histogram(place, 'MB', false));
}

const table = [
  { name: '#', cells: all.map((row) => row + 1) },
  ...(isTwo ? [{ name: 'study', cells: study.map((which) => studies[which].name), isText: true }] : []),
  { name: 'status', cells: status, isText: true },
  ...columns,
].map((each) => ({ name: each.name, cells: each.cells, folder: each.folder ?? '', isText: each.isText ?? !each.cells.some((cell) => typeof cell === 'number') }));
let sorting = { by: 0, sign: 1 };
let chosen = null;
const HEIGHT = 31;
const OPERATORS = { '<': (a, b) => a < b, '>': (a, b) => a > b, '=': (a, b) => a === b };
const passes = (text) => {
  const parts = text.split(';').map((part) => part.trim()).filter((part) => part !== '').map((part) => {
    const match = /^(.+?)\s*([<>=])\s*(.+)$/.exec(part);
    const found = match && table.find(({ name }) => name.toLowerCase() === match[1].toLowerCase());
    if (!found) { const word = part.toLowerCase(); return (row) => table.some(({ cells }) => String(cells[row] ?? '').toLowerCase().includes(word)) || ids[row].startsWith(word); }
    const value = found.isText ? match[3] : Number(match[3]);
    return (row) => found.cells[row] !== null && OPERATORS[match[2]](found.isText ? String(found.cells[row]) : found.cells[row], value);
  });
  return (row) => parts.every((part) => part(row));
};
const rowsBox = at('rows');
const body = make('tbody');
const heads = table.map(({ name, isText }, k) => {
  const head = make('th', { scope: 'col', ...(isText ? { class: 'text' } : {}) }, name);
  head.onclick = () => { sorting = { by: k, sign: sorting.by === k ? -sorting.sign : 1 }; refresh(); };
  return head;
});
rowsBox.append(make('table', {}, make('thead', {}, make('tr', {}, ...heads)), body));
const spacer = (height) => make('tr', { class: 'spacer' }, make('td', { colspan: String(table.length), style: 'height:' + height + 'px' }));
const drawRows = () => {
  const first = Math.max(0, Math.floor(rowsBox.scrollTop / HEIGHT) - 8);
  const last = Math.min(visible.length, first + Math.ceil(rowsBox.clientHeight / HEIGHT) + 16);
  body.replaceChildren(spacer(first * HEIGHT), ...visible.slice(first, last).map((row) => {
    const line = make('tr', row === chosen ? { class: 'chosen' } : {}, ...table.map(({ name, cells, folder, isText }) => {
      const cell = typeof cells[row] === 'string' ? cells[row].slice(folder.length) : cells[row];
      const isFailed = name === 'status' && cell !== 'done';
      return make('td', { class: (isText ? 'text' : '') + (isFailed ? ' failed' : ''), title: typeof cell === 'string' && cell.length > 30 ? cell : undefined }, cell === null ? '' : shown(cell, 5));
    }));
    line.onclick = () => choose(row);
    return line;
  }), spacer((visible.length - last) * HEIGHT));
};
const refresh = () => {
  const isIn = passes(at('filter').value);
  const { cells, isText } = table[sorting.by];
  const order = isText ? (a, b) => (a < b ? -1 : a > b ? 1 : 0) : (a, b) => a - b;
  visible = all.filter((row) => (reason === null || status[row] === reason) && isIn(row))
    .sort((a, b) => cells[a] === null ? (cells[b] === null ? a - b : 1) : cells[b] === null ? -1 : sorting.sign * order(cells[a], cells[b]) || a - b);
  heads.forEach((head, k) => k === sorting.by ? head.setAttribute('aria-sort', sorting.sign > 0 ? 'ascending' : 'descending') : head.removeAttribute('aria-sort'));
  at('count').textContent = visible.length + ' of ' + all.length;
  rowsBox.scrollTop = 0;
  drawRows();
  for (const redraw of drawn) redraw();
};
const choose = (row) => {
  chosen = row;
  const detail = at('detail');
  detail.hidden = false;
  const cells = table.slice(1).filter(({ cells }) => cells[row] !== null);
  detail.replaceChildren(
    make('h3', { style: 'margin-top: 0' }, 'Trial ' + (row + 1) + ' ', make('span', { class: 'unit' }, ids[row])),
    ...(messages[row] === null ? [] : [make('pre', {}, messages[row])]),
    make('dl', {}, ...cells.map(({ name, cells }) => make('div', {}, make('dt', { title: name }, name), make('dd', {}, shown(cells[row], 7))))),
    make('details', {}, make('summary', {}, 'Settings'), make('pre', { style: 'color: inherit' }, JSON.stringify(settings[row], null, 2))),
  );
  const report = reports[row];
  if (report) {
    const frame = make('iframe', { title: 'report of the estimate' });
    if ('page' in report) frame.srcdoc = report.page;
    else frame.src = report.path;
    detail.append(frame);
  }
  drawRows();
  for (const redraw of drawn) redraw();
};
at('filter').oninput = refresh;
at('csv').onclick = () => {
  const quote = (cell) => { if (cell === '') return '""'; const text = cell === null ? '' : String(cell); return /[",\n\r]|^\s|\s$/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text; };
  const lines = [table.map(({ name }) => quote(name)), ...visible.map((row) => table.map(({ cells }) => quote(cells[row])))];
  const link = make('a', { href: URL.createObjectURL(new Blob([lines.map((line) => line.join(',')).join('\n') + '\n'], { type: 'text/csv' })), download: 'trials.csv' });
  link.click();
  URL.revokeObjectURL(link.href);
};
rowsBox.onscroll = drawRows;
addEventListener('resize', () => { for (const redraw of drawn) redraw(); });
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { for (const redraw of drawn) redraw(); });
drawChips();
refresh();
const linked = /^#trial-(\d+)$/.exec(location.hash);
if (linked && all.includes(Number(linked[1]) - 1)) choose(Number(linked[1]) - 1);
`;
