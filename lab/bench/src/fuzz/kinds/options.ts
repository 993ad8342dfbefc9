import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Draw } from '../draw.ts';
import { type Case, type Kind, outcomeOf } from '../kind.ts';
import { OPTION_TAKERS, type OptionTaker } from '../write/takers.ts';

/** Options of public functions, as their declarations list them, with values of their types and of others. */
export const options: Kind = { name: 'options', limit: 60, draw };

/** Declared options by interface: name and type, from the built declarations of a package. */
function declaredOptionsOf({ packageName, interfaceName }: OptionTaker): readonly (readonly [string, string])[] {
  const known = DECLARED.get(`${packageName} ${interfaceName}`);
  if (known) return known;
  // What this package does not name, such as the kernels, is found by way of core.
  const here = fileURLToPath(import.meta.resolve('@gradsim/core'));
  const folder = dirname(
    packageName === '@gradsim/kernel'
      ? createRequire(here).resolve(packageName)
      : fileURLToPath(import.meta.resolve(packageName)),
  );
  const dist = existsSync(join(folder, 'index.d.ts')) ? folder : dirname(folder);
  const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter(({ name }) =>
    name.endsWith('.d.ts'),
  );
  for (const { parentPath, name } of files) {
    const text = readFileSync(join(parentPath, name), 'utf8');
    const at = text.indexOf(`interface ${interfaceName} `);
    if (at < 0) continue;
    const body = text.slice(at, text.indexOf('\n}', at));
    const found = [...body.matchAll(/^ {4}(?:readonly )?(\w+)\??: ([^;]+);/gm)].map(
      ([, key, type]) => [key, type] as const,
    );
    if (found.length === 0) throw new Error(`${interfaceName} of ${packageName} declares no options.`);
    DECLARED.set(`${packageName} ${interfaceName}`, found);
    return found;
  }
  throw new Error(`${packageName} declares no ${interfaceName}.`);
}
const DECLARED = new Map<string, readonly (readonly [string, string])[]>();

async function draw(random: Draw): Promise<Case> {
  const taker = random.pick(OPTION_TAKERS);
  const [option, type] = random.pick(declaredOptionsOf(taker));
  const isRight = random.chance(0.3);
  const value = isRight ? ofType(type, random) : anything(random);
  return {
    about: `${taker.name} with ${option} (${type.slice(0, 40)}) ${shown(value)}`,
    // A value of the type may be wrong for another reason, and one of another type may do, such as a whole list.
    expected: 'either',
    read: () =>
      outcomeOf(async () => {
        await taker.call({ ...taker.right, [option]: value } as never);
        return true;
      }),
  };
}

const NUMBERS = [0, 1, -1, 2, 3.5, 1e-9, 1e9, -1e300, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, 2 ** 53];
const TEXTS = ['', 'x', 'cpu', 'constructor', '__proto__', 'particles.position', 'linear', 'x'.repeat(1000), '\0'];

/** A value of a declared type, as far as its words tell. */
function ofType(type: string, random: Draw): unknown {
  const words = [...type.matchAll(/'([^']*)'/g)].map(([, word]) => word);
  if (words.length > 0) return random.pick(words);
  if (/boolean/.test(type)) return random.chance(0.5);
  if (/\[\]|Array|Iterable|Vector/.test(type))
    return Array.from({ length: random.pick([0, 1, 3, 4, 9]) }, () =>
      random.pick<unknown>(/Key|string/.test(type) ? TEXTS : NUMBERS),
    );
  if (/=>/.test(type)) return () => undefined;
  if (/number/.test(type)) return random.pick(NUMBERS);
  return /string/.test(type) ? random.pick(TEXTS) : anything(random);
}

const anything = (random: Draw): unknown =>
  random.pick<unknown>([
    ...[
      null,
      true,
      false,
      10n,
      Symbol('s'),
      {},
      [],
      [null],
      [[]],
      [{}],
      { length: 2 },
      { length: -1 },
      new Map(),
      new Date(0),
    ],
    ...[
      () => undefined,
      /a/,
      new Float32Array(3),
      new Float64Array(1),
      Promise.resolve(1),
      Object.create(null),
      new Proxy({}, {}),
    ],
    ...[random.pick(NUMBERS), random.pick(TEXTS), [random.pick(NUMBERS)], [random.pick(TEXTS)]],
  ]);

function shown(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value).slice(0, 40);
  return `${Object.prototype.toString.call(value)} ${Array.isArray(value) ? value.map(shown).join() : ''}`;
}
