import type { Aspects, Component, FieldRef } from '@gradsim/core';
import { uncovered } from './coverage.ts';
import type { Entry } from './entries.ts';
import { entriesOf } from './entries.ts';
import type { PackageSource } from './packages.ts';
import { readPackages } from './packages.ts';
import { scenes } from './scenes.ts';

const HEAD = `# Fields

Every field of every package, from the models of small scenes that hold all of them. \`npm run docs\` writes this page; a
test compares it with the plugins.

- **Type**: of one element, with a value for each world, unless it is *shared*. An index, or several (\`3 of particles\`),
  names elements of another domain; indices are shared, and stay as they are.
- **From**: what gives it its values at first. Of a component, with its name, a scene gives them; of a *plugin*, the
  plugin does as the model is built. Those are inputs while no pass writes them, and states where one does in every
  substep: \`simulation.set\` sets them, and floats can be parameters. A *sum* is zero until passes add to it; any plugin
  may add to it, in the same phase. An *alarm* is raised by what must not happen. All others *passes* make.
- **Written**: the phases in which passes write it, or add to it, and the packages whose passes do, in these scenes.
`;

/**
 * Returns the text of `docs/reference/fields.md`, and one sentence for each plugin and component that it lacks because
 * no scene uses it.
 */
export async function fieldsPage(): Promise<{ text: string; lacks: string[] }> {
  const packages = readPackages();
  const { components: exported, fields } = await exportsOf(packages);
  const all = scenes();
  const entries = entriesOf(all, packages, exported, fields);
  const sections = packages.flatMap((one) => {
    const own = entries.filter((entry) => entry.package === one.name);
    return own.length === 0 ? [] : [section(one, own)];
  });
  return { text: [HEAD, ...sections].join('\n'), lacks: uncovered(packages, all, exported) };
}

/** Returns the components that packages export, and the doc comments of field references by the field's key. */
async function exportsOf(packages: readonly PackageSource[]) {
  const components = new Map<Component | Aspects, { name: string; docs: ReadonlyMap<string, string> }>();
  const fields = new Map<string, string>();
  for (const { entries, ...own } of packages) {
    if (own.components.size + own.fields.size === 0) continue;
    const module: Readonly<Record<string, unknown>> = Object.assign({}, ...(await Promise.all(entries.map(importOf))));
    for (const [name, docs] of own.components) components.set(module[name] as Component | Aspects, { name, docs });
    for (const [name, text] of own.fields) fields.set((module[name] as FieldRef).key, text);
  }
  return { components, fields };
}

const importOf = (entry: string): Promise<object> => import(entry);

function section({ name }: PackageSource, entries: readonly Entry[]): string {
  const domains = [...new Set(entries.map(({ domain }) => domain))];
  const rows = domains.flatMap((domain) => entries.filter((entry) => entry.domain === domain).map(row));
  return `## ${name}

| Field | Type | Unit | From | Written | |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
}

function row({ key, types, units, origin, components, descriptions, writers }: Entry): string {
  const from = origin === 'component' ? [...components].map((one) => `\`${one}\``).join(', ') : origin;
  const written = [...writers].map(([phase, by]) => `\`${phase}\`: ${[...by].map(short).join(', ')}`);
  const cells = [
    `\`${key}\``,
    [...types].join(' or '),
    [...units].join(' or '),
    from,
    written.join('; '),
    [...descriptions].map(oneLine).join(' '),
  ];
  return `| ${cells.join(' | ')} |`;
}

const short = (name: string): string => name.replace(/^@gradsim\//, '');

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('|', '\\|').trim();
