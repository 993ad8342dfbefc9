import type { Device } from '../../src/devices/device.ts';
import { bindKernel } from '../../src/emit/bind/bind.ts';
import type { BoundKernel } from '../../src/emit/bound-kernel.ts';
import type { KernelForm } from '../../src/form/kernel-form.ts';
import type { Port } from '../../src/form/port.ts';
import { portLabel } from '../../src/form/port.ts';
import { REGISTERS } from './registers.ts';

export interface RunOptions {
  readonly elements: number;
  readonly worlds?: number;
  readonly worldsInner?: boolean;
  readonly dt?: number;
  /** True if the words of an element are contiguous; only with a single world. */
  readonly elementsTogether?: boolean;
  /** Numbers of elements of the other domains, by name. */
  readonly sizes?: Readonly<Record<string, number>>;
  /** Values of the fields read, by label: component after component, each over elements and worlds. */
  readonly inputs: Readonly<Record<string, ArrayLike<number>>>;
  readonly registers?: readonly number[];
  /** Number of kernels with the same code on separate memory, of which the last one's result is returned. Default 1. */
  readonly alike?: number;
}

interface Slot {
  readonly buffer: 'f32' | 'u32';
  readonly offset: number;
  readonly words: number;
  readonly size: number;
}

/** A kernel bound to its own arenas, with one place per port. */
export interface Laid {
  readonly kernel: BoundKernel;
  readonly f32Words: number;
  readonly u32Words: number;
  readonly slots: ReadonlyMap<string, Slot>;
}

/** Binds a kernel on its own; ports with access `add` accumulate. */
export function layKernel(form: KernelForm, device: Device, options: RunOptions, f32From = 0): Laid {
  const { elements, worlds = 1, worldsInner = true, sizes = {}, dt = 0.01 } = options;
  const words = { f32: f32From, u32: 0 };
  const slots = new Map<string, Slot>();
  for (const port of form.ports) {
    const buffer = port.scalar === 'f32' ? 'f32' : 'u32';
    const size = port.domain === '' ? elements : port.domain === 'world' ? 1 : sizes[port.domain];
    const label = slotLabel(port);
    if (slots.has(label)) continue;
    const length = size * port.components * (port.shared ? 1 : worlds);
    slots.set(label, { buffer, offset: words[buffer], words: length, size });
    words[buffer] += Math.ceil(length / 4) * 4;
  }
  const kernel = bindKernel(form, {
    elements,
    worlds,
    worldsInner,
    steps: dt,
    registers: REGISTERS,
    precision: device.precision,
    lowers: device.lowers,
    accumulates: (port) => port.access === 'add',
    bases: [0, 0],
    binding: (port) => {
      const { buffer, offset, size } = slots.get(slotLabel(port))!;
      const perWorld = port.shared ? 1 : worlds;
      const start = { buffer, base: buffer === 'f32' ? 0 : 1, offset };
      if (options.elementsTogether)
        return { ...start, componentStride: 1, elementStride: port.components, worldStride: 0 };
      return worldsInner || port.shared
        ? {
            ...start,
            componentStride: size * perWorld,
            elementStride: perWorld,
            worldStride: perWorld === 1 ? 0 : 1,
          }
        : { ...start, componentStride: size, elementStride: 1, worldStride: size * port.components };
    },
  });
  return { kernel, f32Words: words.f32, u32Words: words.u32, slots };
}

/** Returns the label of a port's place: reads and writes have separate places, even under one name. */
const slotLabel = (port: Port): string => (port.access === 'write' ? `new ${portLabel(port)}` : portLabel(port));

/** Runs a kernel once; returns what it writes (`new name`) and adds to (`name`). */
export async function runKernel(
  form: KernelForm,
  device: Device,
  options: RunOptions,
): Promise<Record<string, number[]>> {
  const { alike = 1 } = options;
  const { kernel, f32Words, u32Words, slots } = layKernel(form, device, options);
  const executor = await device.createExecutor({
    f32Words: alike * f32Words,
    u32Words: alike * u32Words,
    registers: REGISTERS,
    programs: [
      {
        name: 'test',
        kernels: Array.from({ length: alike }, (_, k) => ({ ...kernel, bases: [k * f32Words, k * u32Words] })),
      },
    ],
  });
  const start = { f32: (alike - 1) * f32Words, u32: (alike - 1) * u32Words };
  for (const [label, values] of Object.entries(options.inputs)) {
    const slot = slots.get(label);
    if (!slot) throw new Error(`no field ${label} in kernel ${form.name}`);
    if (values.length !== slot.words)
      throw new Error(`field ${label} takes ${slot.words} values, not ${values.length}`);
    const at = start[slot.buffer] + slot.offset;
    if (slot.buffer === 'f32') executor.writeF32(at, values);
    else
      executor.writeU32(
        at,
        Uint32Array.from(values, (v) => v >>> 0),
      );
  }
  executor.run(
    0,
    Uint32Array.from(REGISTERS, (_, k) => options.registers?.[k] ?? 0),
  );
  const results: Record<string, number[]> = {};
  for (const port of form.ports) {
    if (port.access === 'read') continue;
    const { buffer, offset, words } = slots.get(slotLabel(port))!;
    const at = start[buffer] + offset;
    const values = buffer === 'f32' ? await executor.readF32(at, words) : await executor.readU32(at, words);
    results[slotLabel(port)] = Array.from(values, (v) => (port.scalar === 'i32' ? v | 0 : v));
  }
  executor.dispose();
  return results;
}
