/** Heading of the block that {@link summarizeExtractively} writes, beside a model's text too: only this block is without a model. */
export const EXCERPTS_HEADING = '## Excerpts (verbatim, without a model)'

/** One quoted line of a conversation. */
export interface Excerpt {
  /** Where it stands: `t5` for the fifth turn of the user, or the mark that a caller gave the message. */
  readonly mark: string
  /**
   * `call`: a line of what the assistant passed to a tool. `document`: the points of the ticket or plan that the user pointed at.
   * `changed`, `deleted`: the files of calls that did so.
   */
  readonly by: 'user' | 'system' | 'assistant' | 'call' | 'document' | 'changed' | 'deleted'
  /** On one line. */
  readonly text: string
}

/** An excerpt at its place among all lines of the conversation. */
export interface QuotedLine {
  readonly excerpt: Excerpt
  readonly order: number
}

const LINE = /^- ([a-z]\d{1,9}) (user|system|assistant|call|document|changed|deleted): (.+)$/

export function excerptLine({ mark, by, text }: Excerpt): string {
  return `- ${mark} ${by}: ${text}`
}

/** The excerpts of an earlier summary; every other line of it is passed over. */
export function parseExcerpts(summary: string | undefined): Excerpt[] {
  if (summary === undefined) return []
  return summary.split('\n').flatMap((line) => {
    const [, mark, by, text] = LINE.exec(line) ?? []
    return mark === undefined || text === undefined ? [] : [{ mark, by: by as Excerpt['by'], text }]
  })
}
