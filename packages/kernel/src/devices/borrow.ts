import type { Device } from './device.ts';
import type { DeviceChoice } from './select.ts';
import { selectDevice } from './select.ts';

/** A borrowed device, and the function that gives it back. */
export interface Borrowed {
  readonly device: Device;
  /** Gives the device back; further calls do nothing. */
  giveBack(): void;
}

interface BorrowedDevice {
  readonly device: Promise<Device>;
  users: number;
}

/** Devices on loan, by name. */
const borrowedDevices = new Map<string, BorrowedDevice>();

/**
 * Returns the device for a choice. Callers that borrow a device by the same name share it; it is disposed of when the
 * last of them gives it back. (A page may have only few GPU devices, and workers for each CPU device would be many.) A
 * device passed in by the caller is never disposed of.
 */
export async function borrowDevice(choice: DeviceChoice = 'auto'): Promise<Borrowed> {
  if (typeof choice !== 'string') {
    const device = await selectDevice(choice);
    return { device, giveBack: device === choice ? () => {} : () => device.dispose() };
  }
  const entry = borrowedDevices.get(choice) ?? { device: selectDevice(choice), users: 0 };
  borrowedDevices.set(choice, entry);
  const borrowed = await use(choice, entry);
  if (!borrowed.device.isLost) return borrowed;
  borrowed.giveBack();
  if (borrowedDevices.get(choice) === entry) borrowedDevices.delete(choice);
  return borrowDevice(choice);
}

async function use(name: string, entry: BorrowedDevice): Promise<Borrowed> {
  entry.users++;
  let isBack = false;
  const giveBack = (): void => {
    if (isBack) return;
    isBack = true;
    if (--entry.users > 0) return;
    if (borrowedDevices.get(name) === entry) borrowedDevices.delete(name);
    entry.device.then(
      (device) => device.dispose(),
      () => {},
    );
  };
  try {
    return { device: await entry.device, giveBack };
  } catch (error) {
    giveBack();
    throw error;
  }
}
