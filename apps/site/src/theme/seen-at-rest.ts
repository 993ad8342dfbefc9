/** Longest wait for a page to have nothing else to do, ms. */
const MAX_WAIT = 1500;
/** An element counts as seen within a screen of what is shown. */
const OBSERVER_MARGIN = { rootMargin: '100% 0px' };

/**
 * Resolves once the page has loaded and has nothing to do, and the element is seen: what takes long then delays neither the
 * first picture nor the first click. Resolves at once where the signal ends the wait.
 */
export async function whenSeenAtRest(element: Element, signal: AbortSignal): Promise<void> {
  const ended = new Promise<void>((done) => signal.addEventListener('abort', () => done()));
  const wait = async (): Promise<void> => {
    if (document.readyState !== 'complete')
      await new Promise((done) => addEventListener('load', done, { once: true, signal }));
    // WebKit has none.
    await new Promise<unknown>((done) =>
      'requestIdleCallback' in globalThis ? requestIdleCallback(done, { timeout: MAX_WAIT }) : setTimeout(done, 100),
    );
    await new Promise<void>((done) => {
      const observer = new IntersectionObserver((entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        done();
      }, OBSERVER_MARGIN);
      observer.observe(element);
    });
  };
  await Promise.race([ended, wait()]);
}
