// What Lighthouse says of pages of the built site, as lines of JSON: `node apps/site/src/build/lighthouse.js --runs 5`, of the
// site in out/site, or of the folder of `--site`. Served on this machine, in the Chromium of the tests; medians of all runs.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import lighthouse, { desktopConfig } from 'lighthouse';
import puppeteer from 'puppeteer-core';
import { findChromium } from '../../../../scripts/chromium.js';

/** Pages that are measured: what strangers see first. */
const PAGES = ['', 'gallery', 'guide/start', 'studio/'];
/** Measures of the performance, with the number of Lighthouse's units in one of ours: seconds, and of shift the part of the picture. */
const METRICS = /** @type {const} */ ({
  firstPaint: ['first-contentful-paint', 1000],
  largestPaint: ['largest-contentful-paint', 1000],
  speedIndex: ['speed-index', 1000],
  blocked: ['total-blocking-time', 1000],
  shift: ['cumulative-layout-shift', 1],
});
const CATEGORIES = ['performance', 'accessibility', 'best-practices'];

/** @type {Readonly<Record<string, string>>} */
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
};

/** Serves a folder below a path as GitHub Pages does, compressed. @param {string} folder @param {string} base */
async function served(folder, base) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = normalize(`/${decodeURIComponent(pathname).slice(base.length)}`);
    const file = [path, `${path}.html`, join(path, 'index.html')]
      .map((each) => join(folder, each))
      .find((each) => existsSync(each) && statSync(each).isFile());
    if (!file) return void response.writeHead(404).end();
    response
      .writeHead(200, {
        'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
        'content-encoding': 'gzip',
        'cache-control': 'max-age=600',
      })
      .end(gzipSync(readFileSync(file)));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
  return server;
}

/** @param {number[]} values */
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

/**
 * Scores, 0 to 100, and the first paint, s, of each page, with the audits that are not passed.
 * @param {string} folder of the built site
 * @param {{ runs?: number, base?: string, isPhone?: boolean }} [options] base: path for which the site was built; isPhone: as a
 *   slow phone sees it (Lighthouse's own choice), not a desktop
 */
export async function measured(folder, { runs = 1, base = '/', isPhone = false } = {}) {
  const server = await served(folder, base);
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const browser = await puppeteer.launch({
    executablePath: /** @type {string} */ (findChromium()),
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    protocolTimeout: 0,
  });
  try {
    const results = [];
    for (const page of PAGES) {
      /** @type {import('lighthouse').Result[]} */
      const all = [];
      for (let run = 0; run < runs; run++) {
        const options = { port: Number(new URL(browser.wsEndpoint()).port), onlyCategories: CATEGORIES };
        const result = await lighthouse(
          `http://127.0.0.1:${port}${base}${page}`,
          options,
          isPhone ? undefined : desktopConfig,
        );
        if (!result) throw new Error(`Lighthouse has no result for "${page}".`);
        all.push(result.lhr);
      }
      const [last] = all.slice(-1);
      const failed = CATEGORIES.slice(1).flatMap((category) =>
        last.categories[category].auditRefs
          .filter(({ id, weight }) => weight > 0 && (last.audits[id].score ?? 1) < 1)
          .map(({ id }) => ({
            id,
            items: /** @type {any} */ (last.audits[id].details)?.items?.map(
              (/** @type {any} */ { node }) => node?.snippet,
            ),
          })),
      );
      const scores = CATEGORIES.map((name) => [
        name,
        Math.round(100 * median(all.map(({ categories }) => categories[name].score ?? 0))),
      ]);
      results.push({
        page: page || 'index',
        screen: isPhone ? 'phone' : 'desktop',
        .../** @type {Record<string, number>} */ (Object.fromEntries(scores)),
        ...Object.fromEntries(
          Object.entries(METRICS).map(([name, [audit, unit]]) => [
            name,
            Number((median(all.map(({ audits }) => audits[audit].numericValue ?? 0)) / unit).toFixed(3)),
          ]),
        ),
        failed,
      });
    }
    return results;
  } finally {
    await browser.close();
    server.close();
    server.closeAllConnections();
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const root = fileURLToPath(new URL('../../../..', import.meta.url));
  const { values } = parseArgs({
    options: { runs: { type: 'string', default: '5' }, site: { type: 'string', default: join(root, 'out/site') } },
  });
  for (const isPhone of [false, true])
    for (const result of await measured(values.site, { runs: Number(values.runs), isPhone }))
      console.log(JSON.stringify(result));
}
