import { GradsimError } from '@gradsim/kernel';
import type { Dealings } from '../model/offers.ts';
import { buildOrder } from '../model/offers.ts';
import type { Aspects, Component } from './component.ts';

/** The version of the contract between core and plugins, which `Plugin.contract` must equal. */
export const PLUGIN_CONTRACT = 1;

/** Declaration of a plugin to a scene. */
export interface Registered extends Dealings {
  /** The {@link PLUGIN_CONTRACT} that it was written for, as a literal number. */
  readonly contract: number;
  /**
   * Components that it brings. Those that depend on a component which no plugin of the scene defines (aspects of it,
   * references to it) are left out, so that a plugin can support several others and require none.
   */
  readonly components?: readonly Component[];
  /** Aspects of whichever components other plugins define: see `defineAspects`. They exist where an entity has them. */
  readonly aspects?: readonly Aspects[];
}

/** True if a component is one of a plugin's own, or of its aspects. */
export const isOf = ({ components = [], aspects = [] }: Registered, component: Component): boolean =>
  components.includes(component) || (component.from !== undefined && aspects.includes(component.from));

/** @throws when a plugin is for another contract, has the name of another, or lacks one that it requires. */
export function checkPlugins(plugins: readonly Registered[]): void {
  const names = new Set<string>();
  const components = new Map<string, { component: Component; plugin: string }>();
  for (const plugin of plugins) {
    if (plugin.contract !== PLUGIN_CONTRACT) {
      throw new GradsimError(
        'core/contract-version',
        `The plugin ${plugin.name} is for version ${plugin.contract} of the plugin contract; this @gradsim/core has version ${PLUGIN_CONTRACT}.`,
        { hint: 'Install versions of both that belong together.' },
      );
    }
    if (names.has(plugin.name))
      throw new GradsimError('core/defined-twice', `Two plugins have the name ${plugin.name}.`, {
        hint: 'Register one of them.',
      });
    names.add(plugin.name);
    for (const component of plugin.components ?? []) {
      const other = components.get(component.name);
      if (other && other.component !== component) {
        throw new GradsimError(
          'core/defined-twice',
          `The plugins ${other.plugin} and ${plugin.name} both define a component "${component.name}".`,
        );
      }
      components.set(component.name, { component, plugin: plugin.name });
    }
  }
  for (const { name, requires = [] } of plugins) {
    const missing = requires.find((required) => !names.has(required));
    if (missing)
      throw new GradsimError('core/plugin-missing', `The plugin ${name} needs ${missing}.`, {
        hint: 'Register that too.',
      });
  }
  buildOrder(plugins);
}
