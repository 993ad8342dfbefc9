import type { Aspects, Component, Scene } from '@gradsim/core';
import type { PackageSource } from './packages.ts';

/** Returns one sentence for each plugin or component that packages export and no scene uses. */
export function uncovered(
  packages: readonly PackageSource[],
  scenes: readonly Scene[],
  exported: ReadonlyMap<Component | Aspects, { readonly name: string }>,
): string[] {
  const plugins = new Set(scenes.flatMap((scene) => scene.plugins.map(({ name }) => name)));
  const shown = new Set(
    scenes.flatMap((scene) =>
      scene.components
        .filter((component) => scene.entities(component).length > 0)
        .map((component) => component.aspectsFunction ?? component),
    ),
  );
  return [
    ...packages.flatMap(({ name, plugins: own }) => {
      const registered = [...plugins].filter((one) => one === name || one.startsWith(`${name}/`));
      return registered.length >= own.length
        ? []
        : [`${name} exports the plugins ${own.join(', ')}; scenes register ${registered.length} of them.`];
    }),
    ...[...exported]
      .filter(([component]) => !shown.has(component) && hasFields(component))
      .map(([, { name }]) => `No scene has an entity of the component ${name}.`),
  ];
}

const hasFields = (of: Component | Aspects): boolean =>
  typeof of === 'function' || Object.values(of.columns).some(({ kind }) => kind !== 'object');
