import { BUFFER_USAGE, MAP_READ } from './pipelines.ts';

/** Minimum size of a staging buffer, bytes. */
const MIN_BUFFER_BYTES = 256;
/** Maximum size in bytes of a staging buffer that is kept; larger ones are freed after use. */
const MAX_KEPT_BYTES = 2 ** 26;

/** Pool of buffers that the host reads from, kept for the next read of about the same size. */
export class StagingPool {
  readonly #device: GPUDevice;
  readonly #free = new Map<number, GPUBuffer[]>();
  readonly #taken = new Set<GPUBuffer>();

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  acquire(bytes: number): GPUBuffer {
    const size = Math.max(MIN_BUFFER_BYTES, 2 ** Math.ceil(Math.log2(bytes)));
    const kept = this.#free.get(size)?.pop();
    // Rounding up to a power of two may exceed the device's limit where the bytes do not.
    const buffer =
      kept ??
      this.#device.createBuffer({
        label: 'gradsim read',
        size: Math.min(size, Math.max(this.#device.limits.maxBufferSize, bytes)),
        usage: BUFFER_USAGE.mapRead | BUFFER_USAGE.copyTarget,
      });
    this.#taken.add(buffer);
    return buffer;
  }

  /** Returns the bytes that the GPU copies to the buffer, once it has; then puts the buffer back into the pool. */
  async read(buffer: GPUBuffer, bytes: number): Promise<ArrayBuffer> {
    await buffer.mapAsync(MAP_READ, 0, bytes);
    const copy = buffer.getMappedRange(0, bytes).slice(0);
    buffer.unmap();
    this.#taken.delete(buffer);
    if (buffer.size > MAX_KEPT_BYTES) buffer.destroy();
    else if (this.#free.has(buffer.size)) this.#free.get(buffer.size)!.push(buffer);
    else this.#free.set(buffer.size, [buffer]);
    return copy;
  }

  dispose(): void {
    for (const buffer of [...this.#taken, ...[...this.#free.values()].flat()]) buffer.destroy();
    this.#taken.clear();
    this.#free.clear();
  }
}
