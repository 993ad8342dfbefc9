import { GradsimError } from '@gradsim/base';
import { adjoint as adjointOf } from '../../derivatives/adjoint.ts';
import type { KernelForm } from '../../form/kernel-form.ts';
import type { Port } from '../../form/port.ts';
import type { Chain, ChainStep, Version } from '../chain.ts';
import { passesOf } from '../chain.ts';
import type { Job } from '../jobs/jobs.ts';
import { fieldKey } from '../jobs/kernel-steps.ts';
import type { Table } from '../jobs/surroundings.ts';
import { portsRead } from '../port-checks.ts';
import { AdjointWriter } from './adjoint-writer.ts';
import type { ProgramLayout } from './layout.ts';
import { checkWrittenAdjoint } from './written-adjoint.ts';

/**
 * Creates the jobs of a chain's backward pass, from the adjoints of `seeds`, which are given, to those of all active
 * versions that they depend on. Kernels run from the last to the first.
 * @returns the versions whose adjoints the jobs set or find.
 */
export function reverseJobs(
  layout: ProgramLayout,
  chain: Chain,
  active: ReadonlySet<Version>,
  seeds: readonly Version[],
  tables: Table[],
): { jobs: Job[]; hasAdjoint: (version: Version) => boolean } {
  const jobs: Job[] = [];
  const writer = new AdjointWriter<Version>(layout, tables, {
    key: (version) => version,
    isFound: (version) => seeds.includes(version),
    write: (written) => void jobs.push(...written),
  });
  const hasAdjoint = (version: Version): boolean => seeds.includes(version) || writer.has(version);
  for (const step of passesOf(chain).reverse()) {
    for (const form of adjointsOf(step, chain, active, hasAdjoint)) {
      const key = (port: Port): string => fieldKey(port, form.domain, step.rename);
      const primal = new Map<Port, Version>();
      const adjoint = new Map<Port, Version>();
      for (const port of portsRead(form)) {
        const at = key(port);
        if (port.kind !== 'primal') {
          adjoint.set(port, step.writes.get(at)!);
          continue;
        }
        const version =
          step.reads.get(at) ?? step.writes.get(at) ?? step.readVersions.get(at) ?? chain.adjointInputs.get(at);
        if (!version)
          throw new GradsimError(
            'kernel/wrong-adjoint',
            `the adjoint ${form.name} of kernel ${step.kernel.name} reads ${at}, which no kernel before that one writes.`,
          );
        primal.set(port, version);
      }
      for (const { port } of form.outputs) adjoint.set(port, step.reads.get(key(port))!);
      writer.kernel({ form, rename: step.rename, primal, adjoint });
    }
  }
  writer.flushAll();
  return { jobs, hasAdjoint };
}

/** Returns the adjoint kernels of a step: hand-written ones or the derived one; none if the step has no derivative. */
function adjointsOf(
  step: ChainStep,
  { fields }: Chain,
  active: ReadonlySet<Version>,
  isPresent: (version: Version) => boolean,
): KernelForm[] {
  const { kernel, reads, writes } = step;
  const key = (port: Port, { domain }: KernelForm): string => fieldKey(port, domain, step.rename);
  const namesOf = (test: (port: Port) => boolean): Set<string> =>
    new Set(kernel.form.ports.filter(test).map((port) => port.name));
  const seeds = namesOf((port) => {
    const version = writes.get(key(port, kernel.form));
    return port.access !== 'read' && active.has(version!) && isPresent(version!);
  });
  const wrt = namesOf((port) => port.access === 'read' && active.has(reads.get(key(port, kernel.form))!));
  if (seeds.size === 0 || wrt.size === 0) return [];
  if (!kernel.adjoint) return [adjointOf(kernel.form, { wrt, seeds })];
  return kernel.adjoint().map(({ form }) => {
    checkWrittenAdjoint(
      `kernel ${kernel.name}`,
      form,
      (port) => key(port, form),
      step,
      (at) => fields.get(at)!,
    );
    // It may output adjoints that nobody asked for.
    const outputs = form.outputs.filter((o) => active.has(reads.get(key(o.port, form))!));
    return { ...form, outputs };
  });
}
