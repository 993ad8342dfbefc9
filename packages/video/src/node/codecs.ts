/// <reference path="./libav.d.ts" />
import { createRequire } from 'node:module';
import { GradsimError } from '@gradsim/kernel';
import type { LibavPackage } from '@libav.js/variant-webm-vp9';
import type { PacketError } from '../damage.ts';
import { reasonOf } from '../errors.ts';
import { registerLibvpx } from './libvpx.ts';

let registered: Promise<void> | undefined;

/**
 * Makes the codecs of the optional packages that are installed known to mediabunny; done once.
 *
 * @param onDamage told of a packet that cannot be decoded, by decoders that end there instead of throwing.
 */
export function registerCodecs(onDamage: (error: PacketError) => void = () => {}): Promise<void> {
  registered ??= (async () => {
    const server = await optional<ServerPackage>('@mediabunny/server');
    // Software codecs give the same pictures on every machine and need no graphics driver.
    server?.registerMediabunnyServer({ hardwareContext: null });
    // Codecs registered last are asked first.
    const libav = await optional<{ default: LibavPackage }>('@libav.js/variant-webm-vp9');
    if (libav) await registerLibvpx(libav.default, onDamage);
  })();
  return registered;
}

const { resolve } = createRequire(import.meta.url);

/** Returns whether a package is installed, by its `require` file or, if it has none, by the error message. */
function isInstalled(name: string): boolean {
  try {
    return resolve(name) !== '';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND';
  }
}

/** Types of an optional package that this one is not built with. */
interface ServerPackage {
  registerMediabunnyServer(options: { hardwareContext: null }): void;
}

/** @throws GradsimError when the package is there but does not load; gives nothing when it is not there. */
async function optional<T>(name: string): Promise<T | undefined> {
  if (!isInstalled(name)) return undefined;
  try {
    return await import(name);
  } catch (error) {
    throw new GradsimError(
      'video/package-unusable',
      `The package ${name} is there but does not load: ${reasonOf(error)}`,
      { cause: error },
    );
  }
}
