/** What the first line of a summary says about its making. */
export interface Header {
  /** Messages that were analysed, over all updates. */
  readonly messages: number
  /** User turns among them. */
  readonly turns: number
  /** True when a summary that was made in another way went into it. */
  readonly earlier: boolean
}

/** The counts before anything was summarised. */
export const NO_HEADER: Header = { messages: 0, turns: 0, earlier: false }

/** The shortest honest line, for budgets in which nothing else fits. */
export const MINIMAL_LINE = '[Mechanical extract: no room.]'

const HEADER = /^\[Mechanical extract\b([^\]]*)\]$/
const LEGEND = ' tN is user turn N. Lines without a speaker are from tool calls and their output.'

/** The line that a summary starts with: made without a model, quoted and not interpreted. */
export function headerLine({ messages, turns, earlier }: Header, legend: boolean): string {
  const counted = messages > 0 ? ` of ${messages} messages${turns > 0 ? ` (user turns 1-${turns})` : ''}` : ''
  const merged = earlier ? `${counted === '' ? ' of' : ' and'} an earlier summary` : ''
  return `[Mechanical extract${counted}${merged}, no model used: wording is quoted, not interpreted.${legend ? LEGEND : ''}]`
}

/** Reads a line back; undefined when it is not such a line. */
export function parseHeaderLine(line: string): Header | undefined {
  const body = HEADER.exec(line.trim())?.[1]
  if (body === undefined) return undefined
  const count = (pattern: RegExp): number => Number(pattern.exec(body)?.[1] ?? 0)
  return {
    messages: count(/ of (\d{1,9}) messages/),
    turns: count(/\(user turns 1-(\d{1,7})\)/),
    earlier: body.includes(' an earlier summary'),
  }
}
