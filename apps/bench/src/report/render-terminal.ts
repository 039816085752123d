import CliTable from 'cli-table3'
import type { Section, Table } from './section.ts'

/** Characters of a line of a cell; what is longer is wrapped. */
const WIDEST = 60

export function renderTerminal(sections: readonly Section[]): string {
  return sections
    .map(({ level, title, text, points = [], table }) => {
      const parts = [`${'#'.repeat(level)} ${title}`, ...text, ...points.map((point) => `- ${point}`)]
      if (table !== undefined) parts.push(tableText(table))
      return `${parts.join('\n')}\n`
    })
    .join('\n')
}

function tableText({ columns, rows }: Table): string {
  const table = new CliTable({
    head: columns.map(({ name }) => name),
    style: { head: [], border: [], compact: true },
    colAligns: columns.map(({ align }) => align),
    // With a space on either side.
    colWidths: columns.map(({ name }, index) => {
      const longest = Math.max(name.length, ...rows.map((row) => row[index]?.length ?? 0))
      return Math.min(WIDEST, longest) + 2
    }),
    wordWrap: true,
  })
  table.push(...rows.map((row) => [...row]))
  return table.toString()
}
