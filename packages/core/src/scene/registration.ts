import { describeValue, GradsimError } from '@gradsim/base';
import type { OfferDeclarations } from '../model/offers.ts';
import { buildOrder } from '../model/offers.ts';
import type { Aspects, Component } from './component.ts';

/** Version of the contract between core and plugins; `Plugin.contract` must equal it. */
export const PLUGIN_CONTRACT = 1;

/** Declaration of a plugin, as a scene uses it. */
export interface Registered extends OfferDeclarations {
  /** The {@link PLUGIN_CONTRACT} that the plugin was written for, as a literal number. */
  readonly contract: number;
  /**
   * Components that it defines. Those that extend or refer to a component which no plugin of the scene defines are left
   * out, so that a plugin can support other plugins without requiring them.
   */
  readonly components?: readonly Component[];
  /**
   * Aspects of whichever components other plugins define: see `defineAspects`. An aspect exists as soon as an entity
   * has it.
   */
  readonly aspects?: readonly Aspects[];
}

/** Returns whether a component is defined by a plugin, directly or as one of its aspects. */
export const isOf = ({ components = [], aspects = [] }: Registered, component: Component): boolean =>
  components.includes(component) ||
  (component.aspectsFunction !== undefined && aspects.includes(component.aspectsFunction));

/**
 * @throws when a plugin was written for another contract, two plugins have one name, or a required plugin is missing.
 */
export function checkPlugins(plugins: readonly Registered[]): void {
  const names = new Set<string>();
  const components = new Map<string, { component: Component; plugin: string }>();
  if (!Array.isArray(plugins as unknown))
    throw new GradsimError('core/not-a-plugin', `A scene takes a list of plugins, not ${describeValue(plugins)}.`);
  for (const plugin of plugins) {
    if (typeof plugin?.name !== 'string' || typeof plugin === 'function')
      throw new GradsimError('core/not-a-plugin', `A plugin is needed, and ${describeValue(plugin)} is none.`, {
        hint: 'Call the function that makes it: createScene([rigid()]).',
      });
    if (plugin.contract !== PLUGIN_CONTRACT) {
      throw new GradsimError(
        'core/contract-version',
        `The plugin ${plugin.name} is for version ${describeValue(plugin.contract)} of the plugin contract; this @gradsim/core has version ${PLUGIN_CONTRACT}.`,
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
