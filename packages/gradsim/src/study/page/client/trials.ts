import { type Cell, csvLine } from '../csv.ts';
import { all, at, data, isTwo, make, redrawAll, shown, view } from './data.ts';

/** Column of the table of trials. */
interface TableColumn {
  readonly name: string;
  readonly cells: readonly Cell[];
  /** Folder that all cells are in, which is left out. */
  readonly folder: string;
  readonly isText: boolean;
}

const column = (name: string, cells: readonly Cell[], folder = ''): TableColumn => ({
  name,
  cells,
  folder,
  isText: !cells.some((cell) => typeof cell === 'number'),
});

const table: readonly TableColumn[] = [
  column(
    '#',
    all.map((row) => row + 1),
  ),
  ...(isTwo
    ? [
        column(
          'study',
          data.study.map((which) => data.studies[which].name),
        ),
      ]
    : []),
  column('status', data.status),
  ...data.columns.filter(({ isConstant }) => !isConstant).map(({ name, cells, folder }) => column(name, cells, folder)),
];

/** Height of a row, px. */
const HEIGHT = 31;
/** Status or reason of failure that shown trials have; all without. */
let reason: string | null = null;
let sorting = { by: 0, sign: 1 };

const filter = at('filter') as HTMLInputElement;
const rowsBox = at('rows');
const body = make('tbody');
const heads = table.map(({ name, isText }, k) => {
  const head = make('th', { scope: 'col', ...(isText ? { class: 'text' } : {}) }, name);
  head.onclick = () => {
    sorting = { by: k, sign: sorting.by === k ? -sorting.sign : 1 };
    refresh();
  };
  return head;
});

/** Shows the table of trials, of which only the visible rows are in the document, with its filter, sorting and export. */
export function startTable(): void {
  rowsBox.append(make('table', {}, make('thead', {}, make('tr', {}, ...heads)), body));
  filter.oninput = refresh;
  at('csv').onclick = save;
  rowsBox.onscroll = drawRows;
  drawChips();
  refresh();
}

function drawChips(): void {
  const counts = new Map<string, number>();
  for (const each of data.status) counts.set(each, (counts.get(each) ?? 0) + 1);
  const inOrder = [...counts].sort(([a], [b]) => (a === 'done' ? -1 : b === 'done' ? 1 : a < b ? -1 : 1));
  const chips = inOrder.map(([name, count]) => {
    const attributes = { type: 'button', 'aria-pressed': String(reason === name) };
    const button = make('button', attributes, `${name} `, make('b', {}, String(count)));
    button.onclick = () => {
      reason = reason === name ? null : name;
      drawChips();
      refresh();
    };
    return button;
  });
  at('chips').replaceChildren(...chips);
}

const OPERATORS: Readonly<Record<string, (a: string | number, b: string | number) => boolean>> = {
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '=': (a, b) => a === b,
};

/** Test of rows by a filter: texts, and comparisons of columns with values, separated by semicolons. */
function testOf(text: string): (row: number) => boolean {
  const parts = text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(partOf);
  return (row) => parts.every((part) => part(row));
}

function partOf(part: string): (row: number) => boolean {
  const [, name = '', operator, value] = /^(.+?)\s*([<>=])\s*(.+)$/.exec(part) ?? [];
  const found = table.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (!found) {
    const word = part.toLowerCase();
    return (row) =>
      table.some(({ cells }) =>
        String(cells[row] ?? '')
          .toLowerCase()
          .includes(word),
      ) || data.ids[row].startsWith(word);
  }
  const { cells, isText } = found;
  return (row) => {
    const cell = cells[row];
    if (cell === null) return false;
    return OPERATORS[operator](isText ? String(cell) : Number(cell), isText ? value : Number(value));
  };
}

const spacer = (height: number): HTMLElement =>
  make('tr', { class: 'spacer' }, make('td', { colspan: String(table.length), style: `height:${height}px` }));

function drawRows(): void {
  const first = Math.max(0, Math.floor(rowsBox.scrollTop / HEIGHT) - 8);
  const last = Math.min(view.visible.length, first + Math.ceil(rowsBox.clientHeight / HEIGHT) + 16);
  body.replaceChildren(
    spacer(first * HEIGHT),
    ...view.visible.slice(first, last).map(lineOf),
    spacer((view.visible.length - last) * HEIGHT),
  );
}

function lineOf(row: number): HTMLElement {
  const cells = table.map(({ name, cells: of, folder, isText }) => {
    const value = of[row];
    const cell = typeof value === 'string' ? value.slice(folder.length) : value;
    const isFailed = name === 'status' && cell !== 'done';
    const title = typeof cell === 'string' && cell.length > 30 ? cell : undefined;
    const names = `${isText ? 'text' : ''}${isFailed ? ' failed' : ''}`;
    return make('td', { class: names, title }, cell === null ? '' : shown(cell, 5));
  });
  const line = make('tr', row === view.chosen ? { class: 'chosen' } : {}, ...cells);
  line.onclick = () => choose(row);
  return line;
}

/** Shows the rows that pass the filter, sorted. */
function refresh(): void {
  const isIn = testOf(filter.value);
  const { cells, isText } = table[sorting.by];
  const order = (a: Cell, b: Cell): number =>
    isText ? (String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0) : Number(a) - Number(b);
  const compare = (a: number, b: number): number => {
    if (cells[a] === null || cells[b] === null) return Number(cells[a] === null) - Number(cells[b] === null) || a - b;
    return sorting.sign * order(cells[a], cells[b]) || a - b;
  };
  view.visible = all.filter((row) => (reason === null || data.status[row] === reason) && isIn(row)).sort(compare);
  for (const [k, head] of heads.entries())
    if (k === sorting.by) head.setAttribute('aria-sort', sorting.sign > 0 ? 'ascending' : 'descending');
    else head.removeAttribute('aria-sort');
  at('count').textContent = `${view.visible.length} of ${all.length}`;
  rowsBox.scrollTop = 0;
  drawRows();
  redrawAll();
}

/** Shows the details of a trial, with the report of its estimate. */
export function choose(row: number): void {
  view.chosen = row;
  const detail = at('detail');
  detail.hidden = false;
  const values = table
    .slice(1)
    .filter(({ cells }) => cells[row] !== null)
    .map(({ name, cells }) => make('div', {}, make('dt', { title: name }, name), make('dd', {}, shown(cells[row], 7))));
  const message = data.messages[row];
  const settings = JSON.stringify(data.settings[row], null, 2);
  detail.replaceChildren(
    make('h3', { style: 'margin-top: 0' }, `Trial ${row + 1} `, make('span', { class: 'unit' }, data.ids[row])),
    ...(message === null ? [] : [make('pre', {}, message)]),
    make('dl', {}, ...values),
    make('details', {}, make('summary', {}, 'Settings'), make('pre', { style: 'color: inherit' }, settings)),
  );
  const report = data.reports[row];
  if (report) {
    const frame = make('iframe', { title: 'report of the estimate' });
    if ('page' in report) frame.srcdoc = report.page;
    else frame.src = report.path;
    detail.append(frame);
  }
  drawRows();
  redrawAll();
}

/** Saves the shown rows as CSV. */
function save(): void {
  const lines = [
    csvLine(table.map(({ name }) => name)),
    ...view.visible.map((row) => csvLine(table.map(({ cells }) => cells[row]))),
  ];
  const blob = new Blob([`${lines.join('\n')}\n`], { type: 'text/csv' });
  const link = make('a', { href: URL.createObjectURL(blob), download: 'trials.csv' });
  link.click();
  URL.revokeObjectURL(link.href);
}
