import { ANNOUNCING, announcesPassword, isAnnounced } from './announcing-words.ts'
import { blank } from './blanks.ts'
import { isHarmless, isRandom } from './secret-patterns.ts'

/** A heading of a column that may hold secrets. */
const SECRET_HEADING = new RegExp(`^(?<before>[\\w -]{0,50}?)(?<word>${ANNOUNCING})$`, 'i')
const HEADING = /^[\p{L}\p{N}_ ().#-]{1,60}$/u
const CELL = {
  ',': /"(?:[^"\n]|"")*"|[^,\n]*/y,
  ';': /"(?:[^"\n]|"")*"|[^;\n]*/y,
  '\t': /[^\t\n]*/y,
  '|': /[^|\n]*/y,
}
const MAX_HEADER = 2_000
const SHORTEST = 4
const PADDING = ' "\r'
interface Cell {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Blanks cells under headings such as `password` in tables: comma, semicolon, tab, or Markdown's bars. Linear. */
export function blankColumns(text: string, places: readonly number[]): string {
  let result = ''
  let done = 0
  let next = 0
  for (const place of places) {
    if (place < next) continue
    const { start, endOf } = lineAt(text, place)
    let end = endOf(text, place)
    const table = end - start > MAX_HEADER ? undefined : tableAt(text, start, end)
    if (table !== undefined) {
      for (let row = end + 1; text[end] === '\n' && row < text.length; row = end + 1) {
        const cells = cellsOf(text, row, endOf(text, row), table.separator)
        if (cells.length !== table.width) break
        end = endOf(text, row)
        for (const column of table.columns) {
          const cell = cells[column.index]
          if (cell === undefined || !isSecret(cell.text, column.isPassword)) continue
          result += text.slice(done, cell.start) + blank('column', cell.end - cell.start)
          done = cell.end
        }
      }
    }
    next = Math.max(end, place + 1)
  }
  return done === 0 ? text : result + text.slice(done)
}

/** A table may be a text inside JSON, which starts and ends with a quote within a line. */
const JSON_BEFORE = /[:[][ \t]?"[^"]*$/
const JSON_AFTER = /"[ \t]?[,}\]]/

function lineAt(text: string, at: number): { start: number; endOf: typeof endOfLine } {
  const start = text.lastIndexOf('\n', at) + 1
  const before = text.slice(Math.max(start, at - MAX_HEADER), at)
  if (!JSON_BEFORE.test(before)) return { start, endOf: endOfLine }
  const endOf = (text: string, from: number) => {
    const end = endOfLine(text, from)
    const quote = text.slice(from, end).search(JSON_AFTER)
    return quote === -1 ? end : from + quote
  }
  return { start: at - before.length + before.lastIndexOf('"') + 1, endOf }
}

function endOfLine(text: string, at: number): number {
  const newline = text.indexOf('\n', at)
  return newline === -1 ? text.length : newline
}

/** Tokens and keys also have names and descriptions in tables. */
function isSecret(text: string, isPassword: boolean): boolean {
  if (text.length < SHORTEST || /^[-:= ]+$/.test(text) || /\s\S+\s/.test(text) || isHarmless(text))
    return false
  return isPassword || isRandom(text)
}

function tableAt(text: string, start: number, end: number) {
  for (const separator of Object.keys(CELL) as (keyof typeof CELL)[]) {
    if (!text.slice(start, end).includes(separator)) continue
    const cells = cellsOf(text, start, end, separator)
    const isTable = cells.length > 1 && cells.every(({ text: cell }) => cell === '' || HEADING.test(cell))
    const columns = cells.flatMap(({ text: cell }, index) => {
      const { word = '', before = '' } = SECRET_HEADING.exec(cell)?.groups ?? {}
      return word !== '' && isAnnounced(word, before) ? { index, isPassword: announcesPassword(word) } : []
    })
    if (isTable && columns.length > 0 && columns.length < cells.length)
      return { separator, width: cells.length, columns }
  }
  return undefined
}

function cellsOf(text: string, start: number, end: number, separator: keyof typeof CELL): readonly Cell[] {
  const pattern = CELL[separator]
  const cells: Cell[] = []
  for (let at = start; at <= end; at++) {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0] ?? ''
    const cell = { start: at, end: at + found.length }
    while (cell.start < cell.end && PADDING.includes(text[cell.start] ?? '')) cell.start++
    while (cell.end > cell.start && PADDING.includes(text[cell.end - 1] ?? '')) cell.end--
    cells.push({ ...cell, text: text.slice(cell.start, cell.end) })
    at += found.length
    if (at < end && text[at] !== separator) return []
  }
  return cells
}
