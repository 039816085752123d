import { init } from 'echarts'
import type { Chart } from '../section.ts'

/** In pixels: as wide as text on a page. */
const WIDTH = 820

/** A picture as SVG, without a browser. The same chart gives the same text. */
export function renderChart({ name, option, height, alt }: Chart): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height })
  try {
    chart.setOption(option)
    return (
      withoutInteraction(chart.renderToSVGString({ useViewBox: true }))
        // Ids count the pictures of a process, and several pictures may get into one page.
        .replaceAll(/\bzr\d+-/g, `${name}-`)
        .replace(/^<svg /, `<svg role="img" aria-label="${escapeAttribute(alt)}" `)
    )
  } finally {
    chart.dispose()
  }
}

/** Takes out what is for the pointer only. */
function withoutInteraction(svg: string): string {
  return svg
    .replace(/<style ?>.*?<\/style>\n*/s, '')
    .replace(/ (?:class|ecmeta_\w+|pointer-events)="[^"]*"/g, '')
}

const escapeAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
