import { computed, onBeforeUnmount, onMounted, ref, shallowRef } from 'vue';
import { DEMOS } from '../gallery/demos.ts';
import { type LinkState, stateOf } from '../gallery/link.ts';

/** The demo that the address names, with its state; the first one where it names none. */
export function useLinkedDemo() {
  const state = shallowRef<LinkState>();
  /** Counts what was opened, so that a link to the same demo opens it anew. */
  const opened = ref(0);
  const source = computed(() => DEMOS.find(({ name }) => name === state.value?.demo));

  async function read(): Promise<void> {
    const found = await stateOf(location.hash);
    state.value = found && DEMOS.some(({ name }) => name === found.demo) ? found : { demo: DEMOS[0].name, values: [] };
    opened.value++;
  }
  onMounted(() => {
    read();
    addEventListener('hashchange', read);
  });
  onBeforeUnmount(() => removeEventListener('hashchange', read));
  return { opened, source, state };
}
