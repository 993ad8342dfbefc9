import { onContentUpdated, type Theme, useData } from 'vitepress';
import base from 'vitepress/theme-without-fonts';
import { h, onMounted } from 'vue';
import DemoGallery from './DemoGallery.vue';
import EmbedDemo from './EmbedDemo.vue';
import { registerServiceWorker } from './offline.ts';
import { addRunButtons } from './run-snippets.ts';
import './style.css';
import SolveFilm from './SolveFilm.vue';
import ThreadChoice from './ThreadChoice.vue';

export default {
  extends: base,
  Layout: {
    setup() {
      const { page } = useData();
      onMounted(() => registerServiceWorker().catch(() => {}));
      onContentUpdated(() => addRunButtons(page.value.relativePath));
      return () => h(base.Layout);
    },
  },
  enhanceApp({ app }) {
    app.component('SolveFilm', SolveFilm);
    app.component('DemoGallery', DemoGallery);
    app.component('EmbedDemo', EmbedDemo);
    app.component('ThreadChoice', ThreadChoice);
  },
} satisfies Theme;
