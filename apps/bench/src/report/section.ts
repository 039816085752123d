export interface Section {
  /** 1: the report. 2: a part of it. 3: a measure of the part. */
  readonly level: 1 | 2 | 3
  readonly title: string
  /** Paragraphs. What stands between backticks is code. */
  readonly text: readonly string[]
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

export const left = <Row>(name: string, cell: (row: Row) => string): Column<Row> => ({
  name,
  align: 'left',
  cell,
})

export const right = <Row>(name: string, cell: (row: Row) => string): Column<Row> => ({
  name,
  align: 'right',
  cell,
})
