import type { Section, Table } from './section.ts'

export function renderMarkdown(sections: readonly Section[]): string {
  return `${sections.flatMap(blocks).join('\n\n')}\n`
}

function blocks({ level, title, text, points, table }: Section): string[] {
  return [
    `${'#'.repeat(level)} ${escapeText(title)}`,
    ...text.map(escapeText),
    ...(points === undefined ? [] : [points.map((point) => `- ${escapeText(point)}`).join('\n')]),
    ...(table === undefined ? [] : [tableText(table)]),
  ]
}

function tableText({ columns, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeText).join(' | ')} |`
  return [
    line(columns.map(({ name }) => name)),
    `|${columns.map(({ align }) => (align === 'left' ? '---' : '---:')).join('|')}|`,
    ...rows.map(line),
  ].join('\n')
}

/** Leaves code between backticks alone, where nothing but a bar means anything. */
function escapeText(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/[\\*[\]<>]/g, '\\$&')))
    .join('')
    .replaceAll('|', '\\|')
}
