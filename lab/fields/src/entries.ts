import type { Aspects, Component, Field, Model, Phase, Scene } from '@gradsim/core';
import { buildModel, f32, mat33, vec2, vec3, vec4 } from '@gradsim/core';
import { fieldKey } from '@gradsim/kernel/internal';
import type { PackageSource } from './packages.ts';

/** Source of a field's initial values. */
export type Origin =
  /** The values that a scene gives to the entities of a component. */
  | 'component'
  /** The plugin, when it builds the model. */
  | 'plugin'
  | 'sum'
  | 'alarm'
  | 'passes';

/** A field of a package, described from the models of all scenes together. */
export interface Entry {
  readonly key: string;
  readonly domain: string;
  /** Name of the package whose plugin adds the field, or whose pass creates it. */
  readonly package: string;
  readonly types: Set<string>;
  readonly units: Set<string>;
  readonly origin: Origin;
  /** Exported names of the components that have the field as a column. */
  readonly components: Set<string>;
  /** Doc comments of the field. */
  readonly descriptions: Set<string>;
  /** Names of the packages whose passes write the field or add to it, by phase. */
  readonly writers: Map<Phase, Set<string>>;
}

/** A component with the name under which its package exports it. */
interface Exported {
  readonly name: string;
  readonly docs: ReadonlyMap<string, string>;
}

/**
 * Returns the fields of all scenes' models, in the order in which they are created; `texts` are the doc comments of
 * field references, by the field's key.
 */
export function entriesOf(
  scenes: readonly Scene[],
  packages: readonly PackageSource[],
  exported: ReadonlyMap<Component | Aspects, Exported>,
  texts: ReadonlyMap<string, string>,
): Entry[] {
  const entries = new Map<string, Entry>();
  const packageOf = (owner: string | undefined): string => {
    const found = packages.find(({ name }) => owner === name || owner?.startsWith(`${name}/`));
    if (!found) throw new Error(`No package of the workspace has the name of the plugin ${owner}.`);
    return found.name;
  };
  const of = (key: string): Entry[] => [...entries.values()].filter((entry) => entry.key === key);
  for (const scene of scenes) {
    const model = buildModel(scene);
    const entry = (field: Field): Entry => {
      const own = { key: field.key, domain: field.domain, package: packageOf(field.owner) };
      const known = entries.get(`${own.package} ${own.key}`);
      if (known) return known;
      const text = texts.get(field.key);
      const sets = { types: new Set<string>(), units: new Set<string>(), components: new Set<string>() };
      const made: Entry = {
        ...own,
        ...sets,
        origin: originOf(field, scene, model),
        descriptions: new Set(text ? [text] : []),
        writers: new Map(),
      };
      entries.set(`${own.package} ${own.key}`, made);
      return made;
    };
    const seen = (field: Field): Entry => {
      const own = entry(field);
      own.types.add(typeOf(field));
      if (field.unit) own.units.add(field.unit);
      return own;
    };
    for (const field of model.fields.values()) seen(field);
    for (const { phase, owner, kernel, names } of model.kernels()) {
      for (const port of kernel.form.ports) {
        if (port.access === 'read' || port.kind !== 'primal') continue;
        const field = model.field(fieldKey(port, kernel.form.domain, names));
        const { writers } = seen(field);
        writers.set(phase, (writers.get(phase) ?? new Set()).add(packageOf(owner)));
      }
    }
    for (const component of scene.components) {
      const { name, docs } = exported.get(component.aspectsFunction ?? component)!;
      for (const field of [...Object.keys(component.columns), ...Object.keys(component.computed)]) {
        for (const { components, descriptions } of of(`${component.domain}.${field}`)) {
          if (component.columns[field]) components.add(name);
          const text = docs.get(field);
          if (text) descriptions.add(text);
        }
      }
    }
  }
  return [...entries.values()];
}

/** Returns the exported component that has a field as a column. */
function componentOf({ domain, name }: Field, { components }: Scene) {
  return components.find((one) => one.domain === domain && one.columns[name]);
}

function originOf(field: Field, scene: Scene, model: Model): Origin {
  if (field.alarm) return 'alarm';
  if (componentOf(field, scene)) return 'component';
  if (field.values) return 'plugin';
  const isAdded = model
    .kernels()
    .some(({ kernel, names }) =>
      kernel.form.ports.some(
        (port) =>
          port.access === 'add' && port.kind === 'primal' && fieldKey(port, kernel.form.domain, names) === field.key,
      ),
    );
  return field.isSum || isAdded ? 'sum' : 'passes';
}

/**
 * Names of types by their number of floats, which is all that is known of the type of a field that no kernel refers to.
 */
const FLOATS = [f32, vec2, vec3, vec4, mat33];

function typeOf({ scalar, components, target, shared, variesBy, ref }: Field): string {
  if (target !== undefined) return components === 1 ? `index of ${target}` : `${components} of ${target}`;
  const named = FLOATS.find((type) => scalar === 'f32' && type.components === components);
  const type =
    ref && 'typeName' in ref.type
      ? ref.type.typeName
      : (named?.typeName ?? (components === 1 ? scalar : `${components} ${scalar}`));
  return `${type}${variesBy ? ` a ${variesBy}` : ''}${shared ? ', shared' : ''}`;
}
