import type { Column, Component } from '@gradsim/core';
import type { TetMesh, TriangleMesh } from '@gradsim/mesh';
import { Body } from '@gradsim/rigid';
import type { Draw } from './draw.ts';
import { misspellName, NO_NUMBERS } from './mutate.ts';
import type { Draft, DraftEntity, Sheet } from './write/draft.ts';
import { Ref } from './write/draft.ts';
import { hasMesh } from './write/scenes.ts';

/** An error put into a draft, and the words that the refusal must contain. */
export interface SpoiltDraft {
  readonly about: string;
  readonly names: readonly string[];
}
/** Puts an error into a draft; returns null if the draft has no place for it. */
type Spoiler = (draft: Draft, random: Draw) => SpoiltDraft | null;

/** Values of one component of an entity, with the label of the entity. */
interface GivenValues {
  readonly label: string;
  readonly component: Component;
  readonly values: Record<string, unknown>;
}

const givenIn = ({ things }: Draft): GivenValues[] =>
  things.flatMap(({ label, component, values, aspects }) => [
    { label, component, values },
    ...aspects.map((aspect) => ({ label, ...aspect })),
  ]);

const columnsOf = <K extends Column['kind']>(draft: Draft, kind: K) =>
  givenIn(draft).flatMap((given) =>
    Object.entries(given.component.columns)
      .filter((entry): entry is [string, Column & { kind: K }] => entry[1].kind === kind)
      .map(([name, column]) => ({ given, name, column })),
  );

/** Sets one number of a column to an invalid value. */
const wrongNumber: Spoiler = (draft, random) => {
  const { given, name, column } = random.pick(columnsOf(draft, 'value'));
  const { components } = column.type;
  const wrong: unknown[] = [...NO_NUMBERS];
  if (column.range === 'positive') wrong.push(0, -1, 1e-60);
  if (column.range === 'nonNegative') wrong.push(-1e-3);
  const value = random.pick(wrong);
  const before = (given.values[name] ?? column.default ?? 0) as number | number[];
  const all = Array.from({ length: components }, (_, c) => (Array.isArray(before) ? before[c] : before));
  all[random.whole(0, components - 1)] = value as number;
  given.values[name] = components === 1 && random.chance(0.7) ? all[0] : all;
  return { about: `${given.component.name}.${name} has ${String(value)}`, names: named(given, name) };
};

const named = ({ label, component }: GivenValues, column: string): string[] => [label, `${component.name}.${column}`];

/** Sets a value to one of wrong length or type. */
const wrongLength: Spoiler = (draft, random) => {
  const { given, name, column } = random.pick(columnsOf(draft, 'value'));
  const { components } = column.type;
  const wrong = [[], new Array(components + 1).fill(1), null, 'x', {}, true, [[1]], () => 1];
  const value = random.pick(wrong);
  given.values[name] = value;
  return { about: `${given.component.name}.${name} is ${shown(value)}`, names: named(given, name) };
};

const shown = (value: unknown): string =>
  typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? String(value));

const misspeltColumn: Spoiler = (draft, random) => {
  const given = random.pick(givenIn(draft).filter(({ values }) => Object.keys(values).length > 0));
  const name = random.pick(Object.keys(given.values));
  const wrong = misspellName(name, random, Object.keys(given.component.columns));
  given.values[wrong] = given.values[name];
  if (random.chance(0.5)) delete given.values[name];
  return {
    about: `${given.component.name}.${name} is called ${wrong}`,
    names: [given.component.name, wrong],
  };
};

const removeRequiredColumn: Spoiler = (draft, random) => {
  const required = columnsOf(draft, 'value').filter(
    ({ given, name, column }) => column.default === undefined && name in given.values,
  );
  if (required.length === 0) return null;
  const { given, name } = random.pick(required);
  delete given.values[name];
  return { about: `${given.component.name}.${name} is missing`, names: named(given, name) };
};

const wrongReference: Spoiler = (draft, random) => {
  const references = columnsOf(draft, 'reference');
  if (references.length === 0) return null;
  const { given, name, column } = random.pick(references);
  const other = draft.things.find(({ component }) => component.name !== column.component);
  const wrong = random.pick([-1, 1e9, 0.5, Number.NaN, null, undefined, ...(other ? [new Ref(other.label)] : [])]);
  const all = column.count === 1 ? [given.values[name]] : [...(given.values[name] as unknown[])];
  if (random.chance(0.2)) all.push(all[0]);
  else all[random.whole(0, all.length - 1)] = wrong;
  given.values[name] = column.count === 1 && all.length === 1 ? all[0] : all;
  // Of another entity of the draft that comes later there is none yet.
  return { about: `${given.component.name}.${name} refers to what is none`, names: named(given, name) };
};

/** Removes an entity that another one refers to. */
const removeReferencedEntity: Spoiler = (draft, random) => {
  const referring = columnsOf(draft, 'reference');
  if (referring.length === 0) return null;
  const { given, name } = random.pick(referring);
  const [target] = [given.values[name]].flat() as Ref[];
  draft.removed.push(target.label);
  // Others may refer to it too, and come first.
  return { about: `${target.label} is removed`, names: ['refers to entity', 'removed'] };
};

/** Makes a body's mesh or mass invalid. */
const spoiltBody: Spoiler = (draft, random) => {
  const bodies = draft.things.filter(hasMesh);
  if (bodies.length === 0) return null;
  const { label, values } = random.pick(bodies);
  const mesh = values.mesh as TriangleMesh;
  const ways: Record<string, () => string> = {
    'an open mesh': () => {
      values.mesh = { ...mesh, triangles: mesh.triangles.slice(3) };
      return 'bodies.mesh';
    },
    'a mesh inside out': () => {
      values.mesh = { ...mesh, triangles: mesh.triangles.slice().reverse() };
      return 'bodies.mesh';
    },
    'a corner that there is not': () => {
      values.mesh = { ...mesh, triangles: mesh.triangles.map((t, k) => (k === 4 ? 1e6 : t)) };
      return 'bodies.mesh';
    },
    'a vertex nowhere': () => {
      values.mesh = { ...mesh, positions: mesh.positions.map((x, k) => (k === 5 ? Number.NaN : x)) };
      return 'bodies.mesh';
    },
    'a vertex beyond single precision': () => {
      values.mesh = { ...mesh, positions: mesh.positions.map((x, k) => (k === 5 ? 1e39 : x)) };
      return 'bodies.mesh';
    },
    'what is no mesh': () => {
      values.mesh = random.pick<unknown>(['box', 3, {}, [], { positions: [0, 0, 0], triangles: [0, 0, 0] }]);
      return 'bodies.mesh';
    },
    'mass and density': () => {
      Object.assign(values, { mass: 1, density: 2 });
      return 'bodies.mass';
    },
    'neither mass nor density': () => {
      delete values.mass;
      delete values.density;
      return 'bodies.mass';
    },
    'a filling that there is not': () => {
      values.filling = random.pick(['point', 'Solid', 3]);
      return 'bodies.filling';
    },
    'an inertia that is none': () => {
      values.inertia = [1, 0, 0, 0, -1, 0, 0, 0, 1];
      return 'bodies.inertia';
    },
    'no mesh, and contact': () => {
      delete values.mesh;
      delete values.density;
      Object.assign(values, { mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] });
      return 'contact';
    },
  };
  const isTouching = draft.things.find((one) => one.label === label)!.aspects.length > 0;
  const names = Object.keys(ways).filter((way) => isTouching || !way.includes('contact'));
  const way = random.pick(names);
  return { about: `${label} has ${way}`, names: [label, ways[way]()] };
};

const optionsOf: Spoiler = (draft, random) => {
  if (draft.sheets.length === 0) return null;
  const { name, options } = random.pick(draft.sheets);
  const option = random.pick(Object.keys(options));
  if (random.chance(0.4)) {
    const wrong = misspellName(option, random, ['mass', 'velocity', ...Object.keys(options)]);
    options[wrong] = options[option];
    return { about: `${name}: ${option} is called ${wrong}`, names: [name, wrong] };
  }
  if (option === 'fixed') {
    options.fixed = [random.pick([-1, 1e6, 0.5, Number.NaN])];
    return { about: `${name}: fixed names a vertex that there is not`, names: ['fixed'] };
  }
  options[option] = random.pick<unknown>([Number.NaN, 1e39, -1, 'x', new Float64Array(999)]);
  // A negative value is refused by the column it goes to, which may be called otherwise.
  return { about: `${name}: ${option} is ${shown(options[option])}`, names: [columnOf(option)] };
};

/** Fields that options of another name set. */
const COLUMNS: Readonly<Record<string, string>> = {
  bendStiffness: 'hinges.stiffness',
  bendDamping: 'hinges.damping',
};
const columnOf = (option: string): string => (option === 'mass' ? 'particles.mass' : (COLUMNS[option] ?? `.${option}`));

/** Makes the mesh of a sheet of particles invalid. */
const spoiltSheet: Spoiler = (draft, random) => {
  if (draft.sheets.length === 0) return null;
  const sheet = random.pick(draft.sheets);
  const { mesh } = sheet;
  const ways: Record<string, () => void> = {
    'a vertex nowhere': () => {
      sheet.mesh = { ...mesh, positions: mesh.positions.map((x, k) => (k === 3 ? Number.NaN : x)) };
    },
    'positions that are no points': () => {
      sheet.mesh = { ...mesh, positions: mesh.positions.slice(1) };
    },
    'no mesh at all': () => {
      sheet.mesh = random.pick<unknown>([{}, null, 'mesh', { positions: new Float64Array(3) }]) as Sheet['mesh'];
    },
  };
  if ('tets' in mesh) {
    ways['an inverted tetrahedron'] = () => {
      const tets = mesh.tets.slice();
      [tets[0], tets[1]] = [tets[1], tets[0]];
      sheet.mesh = { ...mesh, tets } as TetMesh;
    };
    ways['a corner that there is not'] = () => {
      sheet.mesh = { ...mesh, tets: mesh.tets.map((t, k) => (k === 2 ? 1e6 : t)) };
    };
  }
  if ('triangles' in mesh && !('tets' in mesh))
    ways['a triangle twice'] = () => {
      sheet.mesh = { ...mesh, triangles: Uint32Array.of(...mesh.triangles, ...mesh.triangles.slice(0, 3)) };
    };
  const way = random.pick(Object.keys(ways));
  ways[way]();
  return { about: `${sheet.name} of ${way}`, names: [] };
};

const spoiltModules: Spoiler = (draft, random) => {
  const module = random.pick(draft.modules);
  const way = random.pick(['twice', 'contract', 'option', 'option', 'lacking'] as const);
  if (way === 'twice') {
    draft.modules.push(module);
    return { about: `${module.name} is registered twice`, names: ['Two plugins have the name'] };
  }
  if (way === 'contract') {
    const { make } = module;
    draft.modules = draft.modules.map((one) =>
      one === module ? { ...one, make: (options) => ({ ...make(options), contract: 0 as never }) } : one,
    );
    return { about: `${module.name} is for another contract`, names: ['contract'] };
  }
  if (way === 'option') {
    const takes = draft.modules.filter(({ make }) => make.length > 0);
    if (takes.length === 0) return null;
    const { name, options } = random.pick(takes);
    const wrong = misspellName(Object.keys(options)[0] ?? 'integrator', random, Object.keys(options));
    options[wrong] = 1;
    return { about: `${name} has an option ${wrong}`, names: [name, wrong] };
  }
  const needed: Record<string, string> = {
    springs: 'particles',
    cloth: 'particles',
    fem: 'particles',
    softRas: 'render',
  };
  const needing = draft.modules.find(({ name }) => name in needed);
  if (!needing) return null;
  draft.modules = draft.modules.filter(({ name }) => name !== needed[needing.name]);
  return { about: `${needed[needing.name]} is lacking`, names: [needed[needing.name]] };
};

const spoiltRun: Spoiler = ({ run }, random) => {
  const ways: [string, unknown, string][] = [
    ...(['frames', 'substeps', 'worlds'] as const).flatMap((name): [string, unknown, string][] =>
      [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '2', null].map((value) => [name, value, name]),
    ),
    ...[0, -30, Number.NaN, Number.POSITIVE_INFINITY, 1e300, 1e-300, '30', null].map(
      (value): [string, unknown, string] => ['frameRate', value, 'frameRate'],
    ),
    ['substeps', 1e9, 'substeps'],
    ['frames', 1e9, 'frames'],
    ['worlds', 1e9, 'worlds'],
    ['memory', -1, 'memory'],
    ['memory', Number.NaN, 'memory'],
    ['derivative', 'forwards', 'derivative'],
    ['record', ['nothing.there'], 'nothing.there'],
    ['record', ['world'], 'world'],
    ['parameters', ['nothing.there'], 'nothing.there'],
    ['outputs', ['nothing.there'], 'nothing.there'],
  ];
  if (random.chance(0.2)) {
    const wrong = misspellName(random.pick(Object.keys(run)), random, Object.keys(run));
    run[wrong] = 1;
    return { about: `the run has an option ${wrong}`, names: [wrong] };
  }
  const [name, value, says] = random.pick(ways);
  run[name] = value;
  return { about: `the run has ${name} ${shown(value)}`, names: [says] };
};

/** Sets values of one entity that are invalid in combination. */
const setInvalidCombination: Spoiler = ({ things }, random) => {
  const ways = things.flatMap(({ label, component, values }): (() => SpoiltDraft)[] => {
    const spoil = (change: object, names: string[]) => () => {
      Object.assign(values, change);
      return { about: `${label} has ${JSON.stringify(change)}`, names: [label, ...names] };
    };
    const { name } = component;
    if (name === 'springs') return [spoil({ ends: [new Ref('point 0'), new Ref('point 0')] }, ['springs.ends'])];
    if (name === 'bodyPushes' || name === 'particlePushes') return [spoil({ start: 2, end: 1 }, [`${name}.end`])];
    if (name === 'halfSpaces') return [spoil({ normal: [0, 0, 0] }, ['halfSpaces.normal'])];
    if (name === 'lights') return [spoil({ direction: [0, 0, 0] }, ['lights.direction'])];
    if (name === 'particles') return [spoil({ fixed: 0.5 }, ['particles.fixed'])];
    if (component === Body) return [spoil({ orientation: [0, 0, 0, 0] }, ['bodies.orientation'])];
    if ('fieldOfView' in component.columns) return [spoil({ fieldOfView: 3.2 }, ['cameras.fieldOfView'])];
    if (name === 'spheres') return [spoil({ body: 12345 }, ['spheres.body'])];
    if (name === 'gravity') return [spoil({ acceleration: [0, 1] }, ['gravity'])];
    return [];
  });
  return ways.length > 0 ? random.pick(ways)() : null;
};

/** Adds a second entity of a kind of which only one is allowed. */
const duplicateUniqueEntity: Spoiler = ({ things }, random) => {
  const singles = things.filter(({ component: { name } }) => name === 'gravity' || name === 'lights');
  if (singles.length === 0) return null;
  const one: DraftEntity = random.pick(singles);
  things.push({ ...one, label: 'another' });
  return { about: `a second ${one.component.name}`, names: ['another'] };
};

const SPOILERS: readonly Spoiler[] = [
  ...[wrongNumber, wrongNumber, wrongNumber, wrongLength, wrongLength, misspeltColumn, misspeltColumn],
  ...[
    removeRequiredColumn,
    wrongReference,
    removeReferencedEntity,
    spoiltBody,
    spoiltBody,
    optionsOf,
    optionsOf,
    spoiltSheet,
    spoiltModules,
  ],
  ...[spoiltRun, spoiltRun, setInvalidCombination, duplicateUniqueEntity],
];

/** Puts one error into a draft, and returns what was changed. */
export function spoilDraft(draft: Draft, random: Draw): SpoiltDraft {
  for (;;) {
    const spoilt = random.pick(SPOILERS)(draft, random);
    if (spoilt) return spoilt;
  }
}
