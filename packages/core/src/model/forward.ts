import type { Job, KernelForm, Place, Port, Site, Table } from '@gradsim/kernel/compiler';
import { copyForm, Sum, separateSites, sitesOf, tangent } from '@gradsim/kernel/compiler';
import type { Layout } from './layout.ts';
import type { Field } from './model.ts';
import { keyOf } from './order.ts';
import { isUnwritten } from './roles.ts';
import type { BlockStep, LoopStep, PassStep, Step, SumStep } from './steps.ts';
import type { Work } from './work.ts';

/** What running steps forward takes: work for each of them. */
export type ForwardWork = ReadonlyMap<Step, readonly Work[]>;

/** Where the n-th site of a field in a pass adds to, and its tangent. */
type SitePlaces = Map<PassStep, Map<string, (tangent: boolean) => Place>>;

/**
 * The work of steps, those within loops and blocks too. With `active`, tangents of these fields go along: every pass
 * becomes its tangent kernel, every sum is done twice.
 */
export function forwardWork(
  layout: Layout,
  steps: readonly Step[],
  tables: Table[],
  active?: ReadonlySet<string>,
  work = new Map<Step, readonly Work[]>(),
): ForwardWork {
  const sums = new Map<SumStep, Sum | 'direct'>();
  const sitePlaces: SitePlaces = new Map();
  for (const step of steps) if (step.kind === 'sum') sums.set(step, placeSites(layout, step, sitePlaces));
  const inside = (body: readonly Step[], dots = active): Work[] =>
    flat(body, forwardWork(layout, body, tables, dots, work));
  for (const step of steps) {
    switch (step.kind) {
      case 'pass':
        // What a block's derivative adds to adjoints belongs to the way back.
        if (!givesAdjoints(step)) work.set(step, [passJob(layout, step, sitePlaces.get(step), active)]);
        break;
      case 'loop':
        work.set(step, loopWork(layout, step, inside(step.body), active));
        break;
      case 'block':
        work.set(step, [
          ...inside(step.body, undefined),
          ...(active && isActive(step, active) ? inside(step.jvp, undefined) : []),
        ]);
        break;
      default: {
        const sum = sums.get(step)!;
        const target = layout.primal(step.version);
        const label = step.version.field.key;
        const own = sum === 'direct' ? [] : sum.jobs(target, false, tables, label);
        const dots =
          sum === 'direct' || !active
            ? []
            : sum.jobs(layout.tangent(target), false, tables, `${label}'`, true);
        work.set(step, [...own, ...dots]);
      }
    }
  }
  return work;
}

/** Whether a pass of a block's derivative adds to adjoints. */
export const givesAdjoints = ({ form }: PassStep): boolean =>
  form.ports.some((p) => p.shade === 'adjoint' && p.access !== 'read');

/** @throws for a block that what is wanted depends on, and that has no derivative of its own in forward mode. */
function isActive({ name, writes, jvp }: BlockStep, active: ReadonlySet<string>): boolean {
  const key = [...writes.keys()].find((written) => active.has(written));
  if (key === undefined) return false;
  if (jvp.length === 0)
    throw new Error(
      `${name} makes ${key}, whose tangent is wanted, and has no derivative for forward mode: give it \`jvp\`.`,
    );
  return true;
}

export const flat = (steps: readonly Step[], work: ForwardWork): Work[] =>
  steps.flatMap((step) => work.get(step) ?? []);

/** The rounds of a loop, between copies of what they hand on. */
function loopWork(
  layout: Layout,
  { loop, carried }: LoopStep,
  body: readonly Work[],
  active: ReadonlySet<string> | undefined,
): Work[] {
  const copies = (field: Field, from: Place, to: Place, label: string): Job[] => [
    copyJob(layout, field, from, to, label),
    ...(active?.has(field.key)
      ? [copyJob(layout, field, layout.tangent(from), layout.tangent(to), `${label}'`)]
      : []),
  ];
  const begin = carried.flatMap(({ field, before, entry }) =>
    before && !isUnwritten(before, layout.roles)
      ? copies(field, layout.primal(before), layout.primal(entry), `begin_${field.name}`)
      : [],
  );
  const end = carried.flatMap(({ field, exit, after }) =>
    copies(field, layout.primal(exit), layout.primal(after), `end_${field.name}`),
  );
  return [...begin, { loop, way: 'forward', body }, ...end];
}

/** Copies a field from place to place, or adds it to what is there. */
export function copyJob(
  layout: Layout,
  field: Field,
  from: Place,
  to: Place,
  label: string,
  accumulate = false,
): Job {
  const { form, source, target } = copyForm(label, field.components, field.scalar);
  return {
    label,
    form,
    places: new Map([
      [source, from],
      [target, to],
    ]),
    accumulates: new Set(accumulate ? [target] : []),
    ...geometry(layout, field.domain),
  };
}

/** The n-th site of a field in a kernel; the same in the kernel's tangent. */
const siteKey = (field: string, n: number): string => `${field}#${n}`;

function placeSites(layout: Layout, step: SumStep, sitePlaces: SitePlaces): Sum | 'direct' {
  const { field } = step.version;
  const found = step.from.flatMap((pass) => {
    const key = keyOf(pass.form, pass.names);
    return sitesOf(pass.form)
      .filter((site) => key(site.port) === field.key && site.port.shade === 'primal')
      .map((site, n) => ({ pass, site, n }));
  });
  const remember = (pass: PassStep, n: number, place: (tangent: boolean) => Place): void => {
    const places = sitePlaces.get(pass) ?? new Map();
    places.set(siteKey(field.key, n), place);
    sitePlaces.set(pass, places);
  };
  // One addition to the own element is the sum already.
  if (
    found.length === 1 &&
    found[0].site.index === null &&
    found[0].site.outputs.length === field.components
  ) {
    const target = layout.primal(step.version);
    remember(found[0].pass, 0, (dots) => (dots ? layout.tangent(target) : target));
    return 'direct';
  }
  const sites = found.map(({ pass, site }) => ({
    site,
    kernel: pass.name,
    domain: pass.form.domain,
    indices: layout.indicesOf(pass.form, pass.names),
  }));
  const sum = new Sum(layout, field, sites);
  found.forEach(({ pass, n }, k) => {
    remember(pass, n, (dots) => sum.sitePlace(k, dots));
  });
  return sum;
}

function passJob(
  layout: Layout,
  step: PassStep,
  sitePlaces: Map<string, (tangent: boolean) => Place> | undefined,
  active?: ReadonlySet<string>,
): Job {
  const { form: primal, names, reads, writes, derivatives } = step;
  const key = keyOf(primal, names);
  const hasTangent = (port: Port): boolean =>
    port.access === 'read' && active?.has(reads.get(key(port))?.field.key ?? '') === true;
  const wrt = new Set(primal.ports.filter(hasTangent).map((p) => p.name));
  const whole: KernelForm = active ? tangent(primal, { wrt }) : primal;
  const sites = sitesOf(whole);
  const { form, ports: sitePorts } = separateSites(whole, sites);
  const places = new Map<Port, Place>();
  for (const port of whole.ports) {
    if (port.access === 'add') continue;
    const isRead = port.access === 'read';
    // Derivatives that a block's own derivative reads or gives.
    const given =
      port.shade === 'primal'
        ? undefined
        : (isRead ? derivatives?.reads : derivatives?.gives)?.get(key(port));
    const version = given ?? (isRead ? reads : writes).get(key(port))!;
    if (port.shade === 'adjoint') places.set(port, layout.adjoint(version));
    else
      places.set(
        port,
        port.shade === 'tangent' ? layout.tangent(layout.primal(version)) : layout.primal(version),
      );
  }
  const counts = new Map<string, number>();
  sites.forEach((site: Site, k) => {
    const at = key(site.port);
    const counter = `${site.port.shade}.${at}`;
    const n = counts.get(counter) ?? 0;
    counts.set(counter, n + 1);
    places.set(sitePorts[k], sitePlaces!.get(siteKey(at, n))!(site.port.shade === 'tangent'));
  });
  return { label: step.name, form, places, accumulates: new Set(), ...geometry(layout, primal.domain) };
}

export function geometry(layout: Layout, domainName: string) {
  const domain = layout.fields.domain(domainName);
  return { elements: domain.size, worlds: layout.options.worlds, worldsInner: !domain.elementsTogether };
}
