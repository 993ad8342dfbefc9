import type { DEVICE_NAMES } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';

type DeviceName = (typeof DEVICE_NAMES)[number];

/**
 * Parses the device name given to an option.
 * @throws for an unknown name, listing the valid ones.
 */
export function asDeviceName(name: string, allowed: readonly DeviceName[]): DeviceName {
  const found = allowed.find((known) => known === name);
  if (!found)
    throw new GradsimError('gradsim/unknown-device', `There is no device "${name}".`, {
      hint: `Choose one of: ${allowed.join(', ')}.`,
    });
  return found;
}
