// Writes docs/reference/errors.md: every code of an error, by package, with its messages as the sources have them.
// `scripts/test/errors.test.ts` holds the page against the sources.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { root } from '../root.js';

/**
 * @typedef {{ readonly message: string, readonly hint: string, readonly showsRaw?: boolean }} Thrown
 * @typedef {{ readonly type: string, readonly [key: string]: any }} Node
 */

/** Codes that no source gives to a `new GradsimError`. @type {readonly [string, Thrown][]} */
const OTHERS = [
  ['base/file-refused', { message: '… is refused: ….', hint: '' }],
  [
    'optim/estimate-stopped',
    { message: 'An estimation failed, by an error without a code, after it had found something.', hint: '' },
  ],
];

const PAGE = join(root, 'docs/reference/errors.md');

/** Text of a literal, a template or a sum of them, with `…` for values; `…` for anything else. @param {Node} node @returns {string} */
function textOf(node) {
  if (node.type === 'Literal') return String(node.value);
  if (node.type === 'TemplateLiteral')
    return node.quasis.map((/** @type {Node} */ quasi) => quasi.value.cooked).join('…');
  if (node.type === 'BinaryExpression') return textOf(node.left) + textOf(node.right);
  if (node.type === 'ConditionalExpression') return `${textOf(node.consequent)} / ${textOf(node.alternate)}`;
  return '…';
}

/** Calls for every node of a tree. @param {unknown} node @param {(node: Node) => void} visit */
function walk(node, visit) {
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node) visit(/** @type {Node} */ (node));
  for (const child of Object.values(node)) walk(child, visit);
}

/** @returns {Map<string, Thrown[]>} errors of the sources of all packages, by code, in the order of the alphabet */
export function errorsOfSources() {
  /** @type {Map<string, Thrown[]>} */
  const found = new Map(OTHERS.map(([code, thrown]) => [code, [thrown]]));
  for (const name of readdirSync(join(root, 'packages')).sort()) {
    const folder = join(root, 'packages', name, 'src');
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
      if (!file.endsWith('.ts')) continue;
      const text = readFileSync(join(folder, file), 'utf8');
      if (!text.includes('GradsimError(')) continue;
      walk(parseAst(text, { lang: 'ts' }), (node) => {
        if (node.type !== 'NewExpression' || node.callee.name !== 'GradsimError') return;
        const [code, message, details] = node.arguments;
        if (code?.type !== 'Literal' || code.value === 'internal') return;
        const hint = details?.properties?.find((/** @type {Node} */ each) => each.key?.name === 'hint');
        // By JSON, or, of an option that is out of range, as it is: `option is ${option}`.
        let showsRaw = false;
        walk(message, ({ type, callee, quasis, expressions }) => {
          if (type === 'CallExpression' && callee.object?.name === 'JSON') showsRaw = true;
          if (type !== 'TemplateLiteral' || !String(code.value).endsWith('/option-out-of-range')) return;
          for (const [k, { type: shown }] of expressions.entries())
            if (shown === 'Identifier' && /\b(is|got) $/.test(quasis[k].value.raw)) showsRaw = true;
        });
        const thrown = { message: textOf(message), hint: hint ? textOf(hint.value) : '', showsRaw };
        found.set(code.value, [...(found.get(code.value) ?? []), thrown]);
      });
    }
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** @param {string} text */
const cell = (text) => text.replace(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('<', '&lt;').trim();

/** @returns {string} the page as it is kept in git */
export const storedPage = () => readFileSync(PAGE, 'utf8');

/** @param {Map<string, Thrown[]>} errors */
export function pageOf(errors) {
  const lines = [
    '# Errors',
    '',
    'Every error of gradsim is a `GradsimError`. A program tells one from another by its `code`: the package, and what is',
    'wrong. `where` names the package, the pass and the kernel, `field` the field or option, `element` the element as its',
    'owner calls it, `hint` says what to do. Codes stay; messages may be worded anew. `…` stands for a value. The command',
    'prints the code in brackets after the message, `[rigid/no-mass]`, and `errors.md#rigid/no-mass` is its line here.',
    '',
    'Written by `node scripts/docs/errors.js`.',
    '',
    '| Code | Message | What to do |',
    '| --- | --- | --- |',
    '| `internal` | A defect of gradsim. | Report it, with the program that led there. |',
  ];
  let last = '';
  for (const [code, all] of errors) {
    const of = code.slice(0, code.indexOf('/'));
    if (of !== last) lines.push('', `## ${of}`, '', '| Code | Message | What to do |', '| --- | --- | --- |');
    last = of;
    const messages = [...new Set(all.map(({ message }) => cell(message)))];
    const hints = [...new Set(all.map(({ hint }) => cell(hint)).filter((hint) => hint !== ''))];
    lines.push(`| \`${code}\`<a id="${code}"></a> | ${messages.join('<br>')} | ${hints.join('<br>')} |`);
  }
  return `${lines.join('\n')}\n`;
}

if (process.argv[1] === import.meta.filename) writeFileSync(PAGE, pageOf(errorsOfSources()));
