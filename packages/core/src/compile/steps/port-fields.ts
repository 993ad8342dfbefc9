import { GradsimError, nearestTo } from '@gradsim/base';
import type { Kernel } from '@gradsim/kernel';
import type { Port } from '@gradsim/kernel/internal';
import { checkSeveral } from '@gradsim/kernel/internal';
import type { Field } from '../../model/field.ts';
import type { Phase } from '../../model/phases.ts';
import { cycleOf } from '../../model/phases.ts';
import { usesOfPass } from '../../model/uses.ts';
import type { Fields } from './fields.ts';

/** Kernel and phase of a pass, to be named in messages. */
interface PassPlace {
  readonly kernel: Kernel;
  readonly phase: Phase;
}

/** Returns the field that a port reads. @throws where there is none, or it has another type. */
export function readField(fields: Fields, { kernel, phase }: PassPlace, port: Port, key: string): Field {
  const field = fields.find(key);
  const cycle = cycleOf(phase);
  if (field?.variesBy && (cycle === 'setup' || (cycle === 'frame' && field.variesBy === 'substep'))) {
    throw new GradsimError(
      'core/no-value-there',
      `kernel ${kernel.name} (phase ${phase}) reads ${key}, which has a value for every ${field.variesBy}: ` +
        (cycle === 'setup' ? 'setup runs before all of them.' : 'no substep begins at the last frame.'),
    );
  }
  if (!field) {
    const isWritten = fields.model.passes.some(({ pass }) => {
      const { writes, adds } = usesOfPass(pass);
      return writes.has(key) || adds.has(key);
    });
    const reads = `kernel ${kernel.name} (phase ${phase}) reads ${key}`;
    const near = nearestTo(key, fields.keys());
    throw isWritten
      ? new GradsimError('core/read-before-write', `${reads} before any pass has written it.`, {
          hint: 'If it is kept from substep to substep, give it an initial value: a column, or addField with `fill`.',
        })
      : new GradsimError('core/read-before-write', `${reads}, which no plugin adds and no pass writes.`, {
          hint: near && `Did you mean ${near}?`,
        });
  }
  if (field.components !== port.components || field.scalar !== port.scalar) {
    throw new GradsimError(
      'core/wrong-type',
      `kernel ${kernel.name} reads ${key} as ${port.components} x ${port.scalar}, but it is ${field.components} x ${field.scalar}.`,
      { kernel: kernel.name, field: key },
    );
  }
  if (port.target !== undefined && field.target !== port.target) {
    throw new GradsimError(
      'core/wrong-type',
      `kernel ${kernel.name} takes ${key} as indices of ${port.target}, but they are of ${field.target ?? 'nothing'}.`,
      { kernel: kernel.name, field: key },
    );
  }
  return field;
}

/** Returns the field that a port writes or adds to; creates it if no plugin declared it. */
export function writtenField(fields: Fields, { kernel, phase }: PassPlace, port: Port, key: string): Field {
  const components = port.isSeveral ? 1 : port.components;
  if (port.isSeveral) checkSeveral(kernel.name, kernel.form.domain, port, key, (domain) => fields.domain(domain).size);
  const field = fields.ensure(key, { scalar: port.scalar, components });
  if (field.components !== components || field.scalar !== port.scalar) {
    throw new GradsimError(
      'core/wrong-type',
      `kernel ${kernel.name} writes ${key} as ${components} x ${port.scalar}, but it is ${field.components} x ${field.scalar}.`,
      { kernel: kernel.name, field: key },
    );
  }
  if (field.isSum && port.access === 'write')
    throw new GradsimError(
      'core/written-and-added',
      `kernel ${kernel.name} (phase ${phase}) writes ${key}, which passes add to.`,
      { kernel: kernel.name, field: key, hint: 'Add to it, or write another field.' },
    );
  if (field.variesBy)
    throw new GradsimError(
      'core/read-only-field',
      `kernel ${kernel.name} writes ${key}, which is an input over time.`,
      { kernel: kernel.name, field: key },
    );
  if (field.shared)
    throw new GradsimError(
      'core/read-only-field',
      `kernel ${kernel.name} (phase ${phase}) writes ${key}, which all worlds share.`,
      { kernel: kernel.name, field: key },
    );
  return field;
}
