export interface Section {
  readonly level?: 1 | 2 | 3
  readonly title: string
  readonly text?: string | readonly string[]
  readonly points?: readonly string[]
  readonly table?: Table
}

export interface Table {
  readonly columns: readonly Pick<Column<never>, 'name' | 'align'>[]
  readonly rows: readonly (readonly string[])[]
}

export interface Column<Row> {
  readonly name: string
  readonly align: 'left' | 'right'
  readonly cell: (row: Row) => string
}

export function tableOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Table {
  return { columns, rows: rows.map((row) => columns.map(({ cell }) => cell(row))) }
}

const column =
  (align: 'left' | 'right') =>
  <Row>(name: string, cell: (row: Row) => string): Column<Row> => ({ name, align, cell })

export const left = column('left')
export const right = column('right')

export function percent(share: number, digits = 1): string {
  return `${(share * 100).toFixed(digits)} %`
}

export function dollars(usd: number): string {
  return `$${usd < 10 ? usd.toFixed(3) : usd.toFixed(2)}`
}

export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

export const NOTHING = '–'

export function decimal(value: number | null, digits: number): string {
  if (value === null) return NOTHING
  const text = value.toFixed(digits)
  return Number(text) === 0 ? text.replace('-', '') : text.replace('-', '−')
}

type Count = { readonly count: number; readonly n: number }

export const outOf = ({ count, n }: Count): string => `${whole(count)} of ${whole(n)}`

export function milliseconds(value: number): string {
  if (value >= 10_000) return `${(value / 1000).toFixed(1)} s`
  return `${value.toFixed(value < 1 ? 3 : 1)} ms`
}

export type Counts = Readonly<Record<string, number>>

export function addCounts(all: readonly Counts[]): Record<string, number> {
  const total: Record<string, number> = {}
  for (const [name, count] of all.flatMap((each) => Object.entries(each)))
    total[name] = (total[name] ?? 0) + count
  return Object.fromEntries(Object.entries(total).sort(([a], [b]) => (a < b ? -1 : 1)))
}

export function countsText(counts: Counts = {}): string {
  const texts = Object.entries(counts).map(([name, count]) => `${name} ${count}`)
  return texts.sort().join(', ') || 'none'
}

export function renderMarkdown(sections: Section | readonly Section[]): string {
  return `${[sections].flat().flatMap(blocks).join('\n\n')}\n`
}

function blocks({ level = 2, title, text = [], points, table }: Section): string[] {
  return [
    `${'#'.repeat(level)} ${escapeText(title)}`,
    ...[text].flat().map(escapeText),
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

function escapeText(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/[\\*[\]<>]/g, '\\$&')))
    .join('')
    .replaceAll('|', '\\|')
}
