import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCamera } from '@gradsim/cameras';
import { addCloth, cloth } from '@gradsim/cloth';
import { buildModel, cpuDevice, createScene, createSimulation, f64Device, selectDevice } from '@gradsim/core';
import { addSoftBody, fem } from '@gradsim/fem';
import { net, plane, tetBox } from '@gradsim/mesh';
import { addParticles, Particle, particles } from '@gradsim/particles';
import { addSprings, springs } from '@gradsim/springs';
import type { Draw } from '../draw.ts';
import { type Case, cameOf, type Kind } from '../kind.ts';

/** Options of public functions, as their declarations list them, with values of their types and of others. */
export const options: Kind = { name: 'options', limit: 60, draw };

/** A function, the interface of its options in the declarations of a package, and options that it takes. */
interface Taker {
  readonly name: string;
  readonly from: string;
  readonly declared: string;
  readonly right: Readonly<Record<string, unknown>>;
  readonly call: (options: never) => unknown;
}

const MODEL = (() => {
  const scene = createScene([particles()]);
  scene.addMany(Particle, 2, { position: [0, 0, 0, 1, 0, 0], mass: [1, 1] });
  return buildModel(scene);
})();
const TETS = tetBox({ size: [1, 1, 1], cells: [1, 1, 1] });
const SHEET = plane({ size: [1, 1], segments: [2, 2] });
const NET = net({ size: [1, 1], segments: [2, 2] });
const TAKERS: readonly Taker[] = [
  {
    name: 'createSimulation',
    from: '@gradsim/core',
    declared: 'SimulationOptions',
    right: { device: f64Device(), frames: 2, frameRate: 10, substeps: 2 },
    call: async (given) => {
      const simulation = await createSimulation(MODEL, given);
      await simulation.forward();
      simulation.dispose();
    },
  },
  {
    name: 'addParticles',
    from: '@gradsim/particles',
    declared: 'ParticleOptions',
    right: { mass: 1 },
    call: (given) => addParticles(createScene([particles()]), [0, 0, 0, 1, 0, 0], given),
  },
  {
    name: 'addSoftBody',
    from: '@gradsim/fem',
    declared: 'SoftBodyOptions',
    right: { mu: 1, lambda: 1, density: 1 },
    call: (given) => addSoftBody(createScene([particles(), fem()]), TETS, given),
  },
  {
    name: 'addCloth',
    from: '@gradsim/cloth',
    declared: 'ClothOptions',
    right: { mu: 1, lambda: 1, density: 1 },
    call: (given) => addCloth(createScene([particles(), cloth()]), SHEET, given),
  },
  {
    name: 'addSprings',
    from: '@gradsim/springs',
    declared: 'SpringOptions',
    right: { mass: 1, stiffness: 1 },
    call: (given) => addSprings(createScene([particles(), springs()]), NET, given),
  },
  {
    name: 'cpuDevice',
    from: '@gradsim/kernel',
    declared: 'CpuOptions',
    right: {},
    call: (given) => cpuDevice(given).dispose(),
  },
  {
    name: 'selectDevice',
    from: '@gradsim/kernel',
    declared: 'SelectOptions',
    right: {},
    call: async (given) => (await selectDevice('f64', given)).dispose(),
  },
  {
    name: 'readCamera',
    from: '@gradsim/cameras',
    declared: 'ReadCameraOptions',
    right: {},
    call: (given) => readCamera('# COLMAP\n1 PINHOLE 8 8 10 10 4 4\n', given),
  },
];

/** Declared options by interface: name and type, from the built declarations of a package. */
function declaredOf({ from, declared }: Taker): readonly (readonly [string, string])[] {
  const known = DECLARED.get(declared);
  if (known) return known;
  // What this package does not name, such as the kernels, is found by way of core.
  const here = fileURLToPath(import.meta.resolve('@gradsim/core'));
  const folder = dirname(
    from === '@gradsim/kernel' ? createRequire(here).resolve(from) : fileURLToPath(import.meta.resolve(from)),
  );
  const dist = existsSync(join(folder, 'index.d.ts')) ? folder : dirname(folder);
  const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter(({ name }) =>
    name.endsWith('.d.ts'),
  );
  for (const { parentPath, name } of files) {
    const text = readFileSync(join(parentPath, name), 'utf8');
    const at = text.indexOf(`interface ${declared} `);
    if (at < 0) continue;
    const body = text.slice(at, text.indexOf('\n}', at));
    const found = [...body.matchAll(/^ {4}readonly (\w+)\??: ([^;]+);/gm)].map(([, key, type]) => [key, type] as const);
    DECLARED.set(declared, found);
    return found;
  }
  throw new Error(`${from} declares no ${declared}.`);
}
const DECLARED = new Map<string, readonly (readonly [string, string])[]>();

async function draw(random: Draw): Promise<Case> {
  const taker = random.pick(TAKERS);
  const [option, type] = random.pick(declaredOf(taker));
  const isRight = random.chance(0.3);
  const value = isRight ? ofType(type, random) : anything(random);
  return {
    about: `${taker.name} with ${option} (${type.slice(0, 40)}) ${shown(value)}`,
    // A value of the type may be wrong for another reason, and one of another type may do, such as a whole list.
    expected: 'either',
    read: () =>
      cameOf(async () => {
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
