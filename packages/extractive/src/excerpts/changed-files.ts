import type { TokenCounter } from '@palimpsest/core'
import { type Excerpt, excerptLine, type QuotedLine } from './excerpt.ts'

/** Paths on one line: so many are read at a glance. */
const PATHS_IN_LINE = 8
const SEPARATOR = ', '

type Change = Pick<Excerpt, 'mark' | 'by'>

/** The files that calls changed, each at its last change. */
export class ChangedFiles {
  readonly #last = new Map<string, Change & { readonly order: number }>()

  add(path: string, { mark, by }: Change, order: number): void {
    // It could not be told from two on a line.
    if (path.includes(SEPARATOR)) return
    this.#last.delete(path)
    this.#last.set(path, { mark, by, order })
  }

  /** Takes in a line of an earlier summary. */
  addLine({ text, ...change }: Excerpt, order: number): void {
    for (const path of text.split(SEPARATOR)) this.add(path, change, order)
  }

  /** The newest changes that fit into `room` tokens, those of one message together. */
  fit(room: number, tokens: TokenCounter): QuotedLine[] {
    const lines: QuotedLine[] = []
    let left = room
    for (const line of this.#lines().reverse()) {
      left -= tokens.countText(excerptLine(line.excerpt)) + 1
      if (left < 0) break
      lines.push(line)
    }
    return lines
  }

  #lines(): QuotedLine[] {
    const groups: (Change & { readonly order: number; readonly paths: string[] })[] = []
    for (const [path, { mark, by, order }] of this.#last) {
      const last = groups.at(-1)
      const isSame = last?.mark === mark && last.by === by && last.paths.length < PATHS_IN_LINE
      if (isSame) last.paths.push(path)
      else groups.push({ mark, by, order, paths: [path] })
    }
    return groups.map(({ mark, by, order, paths }) => ({
      excerpt: { mark, by, text: paths.join(SEPARATOR) },
      order,
    }))
  }
}
