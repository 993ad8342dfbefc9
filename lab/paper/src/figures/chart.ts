import { parse, View } from 'vega';
import type { Config, TopLevelSpec } from 'vega-lite';
import { compile } from 'vega-lite';

/** Colours of what is measured here, in the order in which series appear, and of the published curves. */
export const COLORS = ['#1f6feb', '#1a7f64', '#8250df', '#8c6d1f'] as const;
export const PUBLISHED_COLOR = '#d9480f';

const CONFIG: Config = {
  // The page names what a picture shows.
  aria: false,
  background: '#ffffff',
  font: 'Helvetica, Arial, sans-serif',
  axis: {
    gridColor: '#ecece8',
    domainColor: '#9aa1aa',
    tickColor: '#9aa1aa',
    labelColor: '#4d545d',
    titleFontWeight: 'normal',
  },
  header: { titleFontSize: 0, labelFontSize: 12, labelFontWeight: 'bold' },
  legend: {
    orient: 'bottom',
    title: null,
    labelLimit: 400,
    columns: 4,
    symbolType: 'stroke',
    symbolSize: 300,
    symbolStrokeWidth: 2.5,
    symbolOpacity: 1,
    labelFontSize: 11,
  },
  title: { anchor: 'start', fontSize: 12 },
  view: { stroke: '#d5d7d9' },
};

/** Renders a chart as SVG. */
export async function svgOf(spec: TopLevelSpec): Promise<string> {
  const view = new View(parse(compile({ ...spec, config: { ...CONFIG, ...spec.config } }).spec), { renderer: 'none' });
  try {
    // A hundredth of a pixel is enough, and takes a third of the file.
    return (await view.toSVG()).replace(/\d+\.\d{3,}/g, (number) => String(Math.round(Number(number) * 100) / 100));
  } finally {
    view.finalize();
  }
}
