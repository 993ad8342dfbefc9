import { BUFFER_USAGE, MAP_READ } from './pipelines.ts';

/** Maximum number of timed dispatches before their times are fetched. */
const MAX_PENDING = 1024;
/** Size of a timestamp, bytes. */
const TIMESTAMP_BYTES = 8;

/** Timer of single dispatches on the GPU, for devices with the feature `timestamp-query`. */
export class WebgpuClock {
  readonly #device: GPUDevice;
  readonly #queries: GPUQuerySet;
  readonly #resolved: GPUBuffer;
  #taken: ((milliseconds: number) => void)[] = [];
  #fetching: Promise<void>[] = [];

  constructor(device: GPUDevice) {
    this.#device = device;
    this.#queries = device.createQuerySet({ type: 'timestamp', count: 2 * MAX_PENDING });
    this.#resolved = device.createBuffer({
      label: 'gradsim times',
      size: 2 * MAX_PENDING * TIMESTAMP_BYTES,
      usage: BUFFER_USAGE.queryResolve | BUFFER_USAGE.copySource,
    });
  }

  get isFull(): boolean {
    return this.#taken.length === MAX_PENDING;
  }

  /** Returns the descriptor of a compute pass with a single dispatch; `taken` is called with its duration in ms. */
  timedPass(taken: (milliseconds: number) => void): GPUComputePassDescriptor {
    const first = 2 * this.#taken.length;
    this.#taken.push(taken);
    const timestampWrites = {
      querySet: this.#queries,
      beginningOfPassWriteIndex: first,
      endOfPassWriteIndex: first + 1,
    };
    return { timestampWrites };
  }

  /**
   * Records, at the end of `encoder`, the copy of all times so far to the host.
   * @returns a callback to call after the submit; null if there is nothing to fetch.
   */
  fetch(encoder: GPUCommandEncoder): (() => void) | null {
    const taken = this.#taken;
    if (taken.length === 0) return null;
    this.#taken = [];
    const size = 2 * taken.length * TIMESTAMP_BYTES;
    const staging = this.#device.createBuffer({ size, usage: BUFFER_USAGE.mapRead | BUFFER_USAGE.copyTarget });
    encoder.resolveQuerySet(this.#queries, 0, 2 * taken.length, this.#resolved, 0);
    encoder.copyBufferToBuffer(this.#resolved, 0, staging, 0, size);
    return () => {
      const read = async (): Promise<void> => {
        await staging.mapAsync(MAP_READ);
        const nanoseconds = new BigUint64Array(staging.getMappedRange());
        taken.forEach((tell, k) => {
          tell(Math.max(0, Number(nanoseconds[2 * k + 1] - nanoseconds[2 * k])) / 1e6);
        });
        staging.destroy();
      };
      // The device is lost or freed; reading reports that.
      this.#fetching.push(read().catch(() => {}));
    };
  }

  /** Waits until all fetched times have been reported. */
  async settle(): Promise<void> {
    const fetching = this.#fetching;
    this.#fetching = [];
    await Promise.all(fetching);
  }

  dispose(): void {
    this.#queries.destroy();
    this.#resolved.destroy();
  }
}
