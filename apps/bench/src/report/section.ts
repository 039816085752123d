import type { EChartsOption } from 'echarts'

/** A piece of a report: written once, shown as Markdown, as HTML and in a terminal. */
export interface Section {
  /** 1: the report. 2: a part of it. 3: a measure of the part. */
  readonly level: 1 | 2 | 3
  readonly title: string
  /** Paragraphs. What stands between backticks is code. */
  readonly text: readonly string[]
  /** A list below the paragraphs. */
  readonly points?: readonly string[]
  readonly table?: Table
  readonly chart?: Chart
}

export interface Table {
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly string[])[]
}

export interface Column {
  readonly name: string
  readonly align: 'left' | 'right'
}

export interface Chart {
  /** Name of the picture's file, without its ending. */
  readonly name: string
  /** What is to be seen, for who cannot see it. */
  readonly alt: string
  readonly option: EChartsOption
  /** In pixels. */
  readonly height: number
}

/** A column of text. */
export const left = (name: string): Column => ({ name, align: 'left' })
/** A column of numbers. */
export const right = (name: string): Column => ({ name, align: 'right' })
