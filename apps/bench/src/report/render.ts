import CliTable from 'cli-table3'
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

const WIDEST = 60

export function renderTerminal(sections: readonly Section[]): string {
  return sections
    .map(({ level, title, text, points = [], table }) => {
      const parts = [`${'#'.repeat(level)} ${title}`, ...text, ...points.map((point) => `- ${point}`)]
      if (table !== undefined) parts.push(terminalTable(table))
      return `${parts.join('\n')}\n`
    })
    .join('\n')
}

function terminalTable({ columns, rows }: Table): string {
  const table = new CliTable({
    head: columns.map(({ name }) => name),
    style: { head: [], border: [], compact: true },
    colAligns: columns.map(({ align }) => align),
    colWidths: columns.map(({ name }, index) => {
      const longest = Math.max(name.length, ...rows.map((row) => row[index]?.length ?? 0))
      return Math.min(WIDEST, longest) + 2
    }),
    wordWrap: true,
  })
  table.push(...rows.map((row) => [...row]))
  return table.toString()
}
