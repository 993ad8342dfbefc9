/// <reference path="./libav.d.ts" />
import { createRequire } from 'node:module';
import type { LibavPackage } from '@libav.js/variant-webm-vp9';
import type { PacketError } from '../damage.ts';
import { reasonOf, VideoError } from '../errors.ts';
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
    // Software codecs give the same pictures on every machine and look for no graphics driver.
    server?.registerMediabunnyServer({ hardwareContext: null });
    // The last that is registered is asked first.
    const libav = await optional<{ default: LibavPackage }>('@libav.js/variant-webm-vp9');
    if (libav) await registerLibvpx(libav.default, onDamage);
  })();
  return registered;
}

const { resolve } = createRequire(import.meta.url);

/** Whether a package is there, by its file for `require` or, where it has none, by what is said instead. */
function isInstalled(name: string): boolean {
  try {
    return resolve(name) !== '';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND';
  }
}

/** What is used of a package that is not among those that this one is built with. */
interface ServerPackage {
  registerMediabunnyServer(options: { hardwareContext: null }): void;
}

/** @throws VideoError when the package is there but does not load; gives nothing when it is not there. */
async function optional<T>(name: string): Promise<T | undefined> {
  if (!isInstalled(name)) return undefined;
  try {
    return await import(name);
  } catch (error) {
    throw new VideoError(`The package ${name} is there but does not load: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}
