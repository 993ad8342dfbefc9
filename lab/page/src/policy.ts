// What a page with a policy may do: each device by its name, and the cpu device on two threads; its results posted to
// where the page came from.
import type { Device, DeviceListing, DeviceName } from '@gradsim/core';
import { cpuDevice, listDevices, selectDevice } from '@gradsim/core';
import type { Bits } from './bits.ts';
import { fallOfBlock } from './block.ts';
import { drop } from './drop.ts';

/** Trial of a device: its description before and after its work and the results, or the message of its error. */
export interface PolicyTrial {
  readonly kind?: string;
  readonly before?: string;
  readonly after?: string;
  readonly results?: Bits;
  readonly error?: string;
}

export interface PolicyReport {
  /** Trials by name, those that the page was asked to run. */
  readonly trials: Readonly<Record<string, PolicyTrial>>;
  readonly listed: readonly DeviceListing[];
  /** Violations of the page's content security policy: directive and blocked URI. */
  readonly violations: readonly string[];
}

const violations: string[] = [];
document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
  violations.push(`${effectiveDirective} ${blockedURI}`);
});

async function trial(open: () => Promise<Device>, run: typeof drop): Promise<PolicyTrial> {
  try {
    const device = await open();
    const before = device.description;
    const results = await run(device);
    const { kind, description: after } = device;
    device.dispose();
    return { kind, before, after, results };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

const metaOf = (name: string): string | undefined =>
  document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content;

async function main(): Promise<void> {
  const workerUrl = metaOf('worker');
  const options = workerUrl ? { workerUrl } : {};
  const onTwo = async (): Promise<Device> => cpuDevice({ threads: 2, ...options });
  const trials: Record<string, PolicyTrial> = {};
  for (const name of metaOf('devices')!.split(' '))
    trials[name] = await (name === 'threads'
      ? trial(onTwo, fallOfBlock)
      : trial(() => selectDevice(name as DeviceName, options), drop));
  const report: PolicyReport = { trials, listed: await listDevices(options), violations };
  await fetch('/report', { method: 'POST', body: JSON.stringify(report) });
}
void main();
