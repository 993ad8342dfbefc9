// A registry of npm at an address of this machine, for the time of a test: takes what `npm publish` sends, and gives that; for
// every other package it leads to the registry that the user has set. Verdaccio would do it too, with four hundred packages.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

/** Largest body of a request, bytes. */
const LARGEST = 64e6;

/**
 * Starts a registry on a free port of this machine.
 * @param {string} upstream Address of the registry that has all other packages.
 */
export async function startRegistry(upstream) {
  /** Metadata of each package as it was published. @type {Map<string, any>} */
  const packages = new Map();
  /** @type {Map<string, Buffer>} */
  const tarballs = new Map();
  let address = '';

  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname).slice(1);
    /** @param {number} status @param {unknown} body */
    const answer = (status, body) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.method === 'PUT') {
      const { status, error } = publish(path, await bodyOf(request));
      return answer(status, error ? { error } : { ok: true });
    }
    const tarball = tarballs.get(path);
    if (tarball) return response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(tarball);
    const known = packages.get(path);
    if (known) return answer(200, known);
    response.writeHead(302, { location: new URL((request.url ?? '/').slice(1), upstream).href }).end();
  });

  /**
   * Takes a package as npm sends it: metadata of one version, and its file in base64.
   * @param {string} name
   * @param {string} text
   */
  function publish(name, text) {
    const { versions, _attachments: files, 'dist-tags': tags } = JSON.parse(text);
    const [version] = Object.keys(versions);
    const known = packages.get(name) ?? { name, versions: {}, 'dist-tags': {} };
    if (known.versions[version]) return { status: 409, error: `${name} ${version} is published already.` };
    const [file] = Object.keys(files);
    const bytes = Buffer.from(files[file].data, 'base64');
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    if (versions[version].dist.integrity !== integrity) return { status: 400, error: `${file} is damaged.` };
    const place = `${name}/-/${file.split('/').at(-1)}`;
    tarballs.set(place, bytes);
    versions[version].dist.tarball = `${address}${place}`;
    Object.assign(known.versions, versions);
    Object.assign(known['dist-tags'], tags);
    packages.set(name, known);
    return { status: 201 };
  }

  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  address = `http://127.0.0.1:${port}/`;
  return {
    address,
    names: () => [...packages.keys()],
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** @param {import('node:http').IncomingMessage} request */
async function bodyOf(request) {
  /** @type {Buffer[]} */
  const parts = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > LARGEST) throw new Error(`A body of more than ${LARGEST / 1e6} MB was sent.`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
