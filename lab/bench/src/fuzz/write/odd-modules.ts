import type { Draw } from '../draw.ts';
import { DROP } from './drop.ts';

/** An experiment module, and its expected outcome. */
export interface OddModule {
  readonly source: string;
  readonly about: string;
  /** Words that the error must contain; undefined if the module is valid. */
  readonly names?: readonly string[];
  /** Function of the experiment that is run by `gradsim render`; if undefined, the module is estimated instead. */
  readonly shows?: 'render' | 'motion';
}

/** JavaScript expressions of values that are not lists. */
const NO_LISTS = [
  ...['undefined', 'null', '3', '"x"', '{}', 'true', 'NaN', '() => []', 'Symbol("s")', '2n', 'new Map()'],
  ...['new Set([1])', '(function* () {})()', '(async function* () {})()', '/x/', 'new Date(NaN)', 'class A {}'],
  ...['{ length: 1, 0: {} }', 'Object.create(null)', 'new Proxy({}, {})', 'new Error("x")', 'globalThis'],
  ...['new Float64Array(2)', '{ name: "a", problem: {} }', 'new WeakMap()', '{ then: 3 }', 'Promise'],
];
/** JavaScript expressions of values that are neither undefined nor functions. */
const NO_FUNCTIONS = ['null', '3', '"x"', '{}', '[]', 'true', 'Symbol("s")', '2n', 'Promise.resolve([])'];
const NO_TEXTS = ['undefined', 'null', '3', '{}', '[]', 'true', 'Symbol("s")', '() => "a"', 'new String("a")'];
/** JavaScript expressions of values that can be thrown. */
const THROWN = [
  ...['undefined', 'null', '3', '"x"', 'Symbol("s")', '{}', 'Object.create(null)', '[]', '() => 3', '2n', 'NaN'],
  ...['new Error("")', 'new Error("  ")', 'Object.assign(new Error("a"), { message: 3 })', 'new Proxy({}, {})'],
  ...['{ get message() { throw 3; } }', 'Object.defineProperty(new Error("a"), "message", { get() { throw 1; } })'],
  ...['{ toString() { throw 3; } }', 'new AggregateError([new Error("a")])'],
];
/** Strings that move a terminal's cursor, reverse the text direction, or are very long. */
export const EVIL = [
  '\u001b[2J\u001b[1;1H',
  '\u001b]0;title\u0007',
  'a\rb',
  '\u009b31m',
  '\u202egnp.exe',
  'a\u0000',
  '\u007f\b\b',
  'a\u2028b',
  'ü'.repeat(500),
  '../../x',
  '😀',
];

const experiment = (parts: string): string => `export default { name: 'odd', description: 'Odd.', ${parts} };\n`;
/** Source of a function that returns a value directly or in a promise. */
const returning = (value: string, random: Draw): string =>
  random.pick([`() => (${value})`, `async () => (${value})`, `() => Promise.resolve(${value})`]);
const throwing = (value: string, random: Draw): string =>
  random.pick([
    `() => { throw ${value}; }`,
    `async () => { throw ${value}; }`,
    `() => Promise.reject(${value})`,
    `async () => { await null; throw ${value}; }`,
  ]);

export function drawnModule(random: Draw): OddModule {
  const stage = (parts: string): string =>
    `${DROP}${experiment(`stages: () => [{ name: 'fall', problem, ${parts} }]`)}`;
  const ways: (() => OddModule)[] = [
    () => ({ source: stage(''), about: 'a whole one' }),
    () => {
      const value = random.pick(NO_LISTS);
      return {
        source: experiment(`stages: ${returning(value, random)}`),
        about: `stages are ${value}`,
        names: ['`stages`', 'odd'],
      };
    },
    () => {
      const value = random.pick(THROWN);
      return {
        source: experiment(`stages: ${throwing(value, random)}`),
        about: `stages throw ${value}`,
        names: ['`stages`', 'odd'],
      };
    },
    () => {
      const value = random.pick([...NO_LISTS.filter((each) => !each.includes('problem')), '[]', '[[]]']);
      const before = random.chance(0.5) ? "{ name: 'first', problem }," : '';
      const k = before ? 2 : 1;
      return {
        source: `${DROP}${experiment(`stages: () => [${before} ${value}]`)}`,
        about: `stage ${k} is ${value}`,
        names: [`Stage ${k}`, 'odd'],
      };
    },
    () => ({ source: experiment('stages: () => [,]'), about: 'a hole', names: ['Stage 1', 'odd'] }),
    () => {
      const value = random.pick([...NO_TEXTS, '""', '"  "']);
      return {
        source: `${DROP}${experiment(`stages: () => [{ name: ${value}, problem }]`)}`,
        about: `a stage is called ${value}`,
        names: ['Stage 1', 'name'],
      };
    },
    () => {
      const value = random.pick(['undefined', 'null', '3', '"x"', '[]', 'true', '() => ({})']);
      return {
        source: experiment(`stages: () => [{ name: 'fall', problem: ${value} }]`),
        about: `a problem is ${value}`,
        names: ['"fall"', 'problem'],
      };
    },
    () => {
      const part = random.pick(['strip', 'notes', 'curves']);
      const value = random.pick(NO_FUNCTIONS.filter((each) => part !== 'curves' || each !== '[]'));
      return { source: stage(`${part}: ${value}`), about: `${part} is ${value}`, names: ['"fall"', part] };
    },
    () => {
      const part = random.pick(['note', 'Strip', 'curve', 'problems', 'observations']);
      return { source: stage(`${part}: []`), about: `a stage has ${part}`, names: ['"fall"', `"${part}"`] };
    },
    () => {
      const value = random.pick([
        ...NO_LISTS.filter((each) => each !== 'undefined'),
        '[1]',
        '[null]',
        '[,]',
        '[["a"]]',
      ]);
      return {
        source: stage(`notes: ${returning(value, random)}`),
        about: `notes are ${value}`,
        names: ['`notes`', '"fall"'],
      };
    },
    () => {
      const value = random.pick([
        ...NO_LISTS,
        ...['{ width: 0, height: 1, frames: [0] }', '{ width: 1.5, height: 1 }', '{ width: 1, height: 1, frames: 3 }'],
        ...['{ width: 1, height: 1, frames: [1, 0] }', '{ width: 1, height: 1, frames: [-1] }'],
        '{ width: 1, height: 1, frames: [0], target: [0, 0, 0], estimate: [0, 0, 0] }',
        '{ width: 1, height: 1, frames: [0], target: () => [0, 0, 0], estimate: () => [0, 0, 0] }',
        '{ width: 1, height: 1, frames: [0], target: () => new Float32Array(3), estimate: () => new Float32Array(2) }',
        '{ width: 1, height: 1, frames: [0], target: () => new Float32Array(3), estimate: () => undefined }',
        '{ width: 1e300, height: 1, frames: [0], target: () => new Float32Array(3), estimate: () => new Float32Array(3) }',
      ]);
      return {
        source: stage(`strip: ${returning(value, random)}`),
        about: `a strip is ${value}`,
        names: ['strip', '"fall"'],
      };
    },
    () => {
      const part = random.pick(['notes', 'strip']);
      const value = random.pick(THROWN);
      return {
        source: stage(`${part}: ${throwing(value, random)}`),
        about: `${part} throws ${value}`,
        names: [`\`${part}\``, '"fall"'],
      };
    },
    () => {
      const part = random.pick(['render', 'motion']);
      const value = random.pick(NO_FUNCTIONS);
      return {
        source: experiment(`stages: () => [], ${part}: ${value}`),
        about: `${part} is ${value}`,
        names: [`\`${part}\``, 'odd'],
      };
    },
    () => {
      const part = random.pick(['render', 'motion'] as const);
      const isThrown = random.chance(0.3);
      const value = random.pick(isThrown ? THROWN : NO_LISTS);
      return {
        source: experiment(`stages: () => [], ${part}: ${(isThrown ? throwing : returning)(value, random)}`),
        about: `${part} ${isThrown ? 'throws' : 'returns'} ${value}`,
        names: [`\`${part}\``, 'odd'],
        shows: part,
      };
    },
    () => {
      const value = random.pick([...NO_LISTS, '[]']);
      return {
        source: `const odd = ${value};\nexport default odd;\n`,
        about: `the export is ${value}`,
        names: ['odd.mjs'],
      };
    },
    () => {
      const part = random.pick(['name', 'description']);
      const value = random.pick(NO_TEXTS);
      const parts = { name: "'odd'", description: "'Odd.'", [part]: value };
      return {
        source: `export default { name: ${parts.name}, description: ${parts.description}, stages: () => [] };\n`,
        about: `the ${part} is ${value}`,
        names: ['odd.mjs', part],
      };
    },
    () => {
      const value = random.pick(THROWN);
      return { source: `throw ${value};\n`, about: `the module throws ${value}`, names: ['odd.mjs'] };
    },
    () => {
      const source = random.pick([
        '\u0000',
        'export default {',
        'import "./none.mjs";',
        '{',
        '}',
        'await',
        'import x from "";',
        '<a>',
        '\ufeff',
      ]);
      return { source, about: `the module is ${JSON.stringify(source)}`, names: ['odd.mjs'] };
    },
    () => ({ source: `\ufeff${stage('')}`, about: 'a byte order mark in front' }),
    () => ({ source: stage('').replaceAll('\n', '\r\n'), about: 'lines that end in CR LF' }),
    () => {
      const evil = random.pick(EVIL);
      return {
        source: experiment(`stages: () => { throw new Error(${JSON.stringify(`It said ${evil} to me.`)}); }`),
        about: `a message with ${JSON.stringify(evil.slice(0, 20))}`,
        names: ['It said '],
      };
    },
    () => {
      const evil = JSON.stringify(random.pick(EVIL));
      return {
        source: stage(`notes: () => [${evil}]`)
          .replace("name: 'fall'", `name: ${evil}`)
          .replace("name: 'speed'", `name: ${evil}`),
        about: `names and notes are ${evil.slice(0, 20)}`,
      };
    },
  ];
  return random.pick(ways)();
}
