/**
 * A part of a record: a model's text about one stretch of the conversation, or several joined ones. It is only
 * rewritten if the record runs out of room.
 */
export interface Part {
  readonly first: number
  readonly last: number
  readonly text: string
}

const HEADING = /^# Part (\d+)(?: to (\d+))?$/

export function readParts(record: string): Part[] {
  if (record.trim() === '') return []
  const parts: { first: number; last: number; lines: string[] }[] = []
  for (const line of record.split('\n')) {
    const [, first, last = first] = HEADING.exec(line) ?? []
    if (first !== undefined) parts.push({ first: Number(first), last: Number(last), lines: [] })
    else if (parts.length === 0) parts.push({ first: 1, last: 1, lines: [line] })
    else parts.at(-1)?.lines.push(line)
  }
  return parts.map(({ lines, ...span }) => ({ ...span, text: lines.join('\n').trim() }))
}

export function writeParts(parts: readonly Part[]): string {
  const texts = parts.map(({ first, last, text }) => {
    const heading = first === last ? `# Part ${first}` : `# Part ${first} to ${last}`
    const own = text.replace(new RegExp(HEADING, 'gm'), (line) => `##${line}`)
    return parts.length === 1 ? own : `${heading}\n${own}`
  })
  return texts.join('\n\n')
}

/**
 * Index of the first of two neighbours to join: the oldest pair of equal coverage, else the pair that covers least. The
 * first of n stretches is thus rewritten about log2(n) times instead of n times.
 */
export function partsToJoin(parts: readonly Part[]): number {
  const span = (index: number) => {
    const { first, last } = parts[index] as Part
    return last - first
  }
  const pairs = parts.slice(1).map((_part, index) => index)
  const equal = pairs.find((index) => span(index) === span(index + 1))
  const both = (index: number) => span(index) + span(index + 1)
  return equal ?? pairs.reduce((least, index) => (both(index) < both(least) ? index : least), 0)
}
