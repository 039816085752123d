import Table from 'cli-table3'
import type { Section } from './section.ts'

/** Sections without their pictures. */
export function renderTerminal(sections: readonly Section[]): string {
  return sections
    .map(({ title, text, points = [], table }) => {
      const parts = [title, ...text, ...points.map((point) => `- ${point}`)]
      if (table !== undefined) {
        const rows = new Table({
          head: table.columns.map(({ name }) => name),
          style: { head: [], border: [], compact: true },
          colAligns: table.columns.map(({ align }) => align),
        })
        rows.push(...table.rows.map((row) => [...row]))
        parts.push(rows.toString())
      }
      return `${parts.join('\n')}\n`
    })
    .join('\n')
}
