/** A piece of a report: written once, shown as Markdown and in a terminal. */
export interface Section {
  /** 1: the report. 2: a part of it. 3: a measure of the part. */
  readonly level: 1 | 2 | 3
  readonly title: string
  /** Paragraphs. What stands between backticks is code. */
  readonly text: readonly string[]
  /** A list below the paragraphs. */
  readonly points?: readonly string[]
  readonly table?: Table
}

export interface Table {
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly string[])[]
}

export interface Column {
  readonly name: string
  readonly align: 'left' | 'right'
}

/** A column of text. */
export const left = (name: string): Column => ({ name, align: 'left' })
/** A column of numbers. */
export const right = (name: string): Column => ({ name, align: 'right' })
