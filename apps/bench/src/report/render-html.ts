import { renderChart } from './charts/render-chart.ts'
import { FAINT, INK, PAPER } from './charts/theme.ts'
import type { Section, Table } from './section.ts'

/** Sections as one page that needs nothing else: no script, no font, no request. */
export function renderHtml(sections: readonly Section[]): string {
  const title = escapeHtml(sections[0]?.title ?? '')
  const contents = sections.flatMap(({ level, title }, index) =>
    level === 2 ? [`<li><a href="#s${index}">${inline(title)}</a></li>`] : [],
  )
  const [first, ...rest] = sections.map(sectionHtml)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${first ?? ''}
<nav aria-label="Contents"><ul>${contents.join('')}</ul></nav>
${rest.join('\n')}
</main>
</body>
</html>
`
}

function sectionHtml({ level, title, text, points, table, chart }: Section, index: number): string {
  return [
    `<section id="s${index}">`,
    `<h${level}>${inline(title)}</h${level}>`,
    ...text.map((paragraph) => `<p>${inline(paragraph)}</p>`),
    ...(points === undefined
      ? []
      : [`<ul>${points.map((point) => `<li>${inline(point)}</li>`).join('')}</ul>`]),
    ...(chart === undefined ? [] : [`<figure>${renderChart(chart)}</figure>`]),
    ...(table === undefined ? [] : [tableHtml(table)]),
    '</section>',
  ].join('\n')
}

function tableHtml({ columns, rows }: Table): string {
  const cells = (tag: 'th' | 'td', values: readonly string[]) =>
    values
      .map(
        (value, index) =>
          `<${tag}${columns[index]?.align === 'right' ? ' class="n"' : ''}>${inline(value)}</${tag}>`,
      )
      .join('')
  const head = `<tr>${cells(
    'th',
    columns.map(({ name }) => name),
  )}</tr>`
  const body = rows.map((row) => `<tr>${cells('td', row)}</tr>`)
  // Focusable, so that it can be scrolled with the keyboard.
  return `<div class="table" tabindex="0"><table><thead>${head}</thead><tbody>${body.join('\n')}</tbody></table></div>`
}

/** What stands between backticks is code. */
const inline = (text: string): string => escapeHtml(text).replaceAll(/`([^`]*)`/g, '<code>$1</code>')

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)

/** Pictures have the colours of light paper in them; on dark paper the page puts its own in their place. */
const STYLE = `
:root { color-scheme: light dark; --paper: ${PAPER}; --ink: ${INK}; --faint: ${FAINT}; --link: #0969da }
@media (prefers-color-scheme: dark) { :root { --paper: #0d1117; --ink: #e6edf3; --faint: #3d444d; --link: #4493f8 } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 60rem; margin: 0 auto; padding: 1rem }
a { color: var(--link) }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--faint) }
h3 { margin-top: 2rem }
p, li { max-width: 46rem; overflow-wrap: anywhere }
code { font-size: 0.9em }
.table { overflow-x: auto }
table { border-collapse: collapse; font-size: 0.875rem; font-variant-numeric: tabular-nums }
th, td { padding: 0.3rem 0.7rem; border-bottom: 1px solid var(--faint); text-align: left; vertical-align: top }
.n { text-align: right; white-space: nowrap }
figure { margin: 1rem 0; overflow-x: auto }
figure svg { width: 100%; min-width: 36rem; height: auto }
svg :is([fill='${PAPER}'], [fill='#fff']) { fill: var(--paper) }
svg [stroke='${PAPER}'] { stroke: var(--paper) }
svg [fill='${INK}'] { fill: var(--ink) }
svg [stroke='${INK}'] { stroke: var(--ink) }
svg [stroke='${FAINT}'] { stroke: var(--faint) }
`
