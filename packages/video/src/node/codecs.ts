/// <reference path="./libav.d.ts" />
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

/** What is used of a package that is not among those that this one is built with. */
interface ServerPackage {
  registerMediabunnyServer(options: { hardwareContext: null }): void;
}

/** @throws VideoError when the package is there but does not load; gives nothing when it is not there. */
async function optional<T>(name: string): Promise<T | undefined> {
  try {
    return await import(name);
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND';
    // The second is what Vite says of an optional peer.
    const reason = reasonOf(error);
    if ((isAbsent && reason.includes(name)) || reason.startsWith(`Could not resolve "${name}"`)) return undefined;
    throw new VideoError(`The package ${name} is there but does not load: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}
