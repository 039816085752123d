import {
  equalValues,
  isInstruction,
  type Message,
  readSummary,
  type StoredSession,
  stripReasoning,
} from '@palimpsest/core'

/** Ids such as `s3` and runs such as `s3-s7` that stand in the headers of a summary message, in order. */
export function namedIds(text: string): number[] {
  const headers = /<summary id="(s\d+)" depth="\d+" messages="|<index [^>]*>([^:]*):/g
  return [...text.matchAll(headers)].flatMap(([, id, runs = id ?? '']) =>
    [...runs.matchAll(/s(\d+)(?:-s(\d+))?/g)].flatMap(([, first, last = first]) =>
      Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => Number(first) + at),
    ),
  )
}

/**
 * Why a projection does not account for every live message of a session, once: each stands in it, or under exactly
 * one of the summaries that it names. Undefined when it does.
 */
export async function uncovered(
  session: StoredSession,
  projection: readonly Message[],
  /** So many messages from the beginning have to be accounted for. Default: all. */
  limit = 1_000_000,
): Promise<string | undefined> {
  const at = projection.findIndex((message) => readSummary(message) !== undefined)
  const named = at === -1 ? [] : namedIds(readSummary(projection[at] as Message) ?? '')
  const nodes = await session.summaries(named)
  if (nodes.length !== named.length) return `names ${named.join()}, of which ${nodes.length} are there`
  const live = await session.messages({ limit })
  const told = live.map(({ message }) => message as Message)
  const leading = told.findIndex((message) => !isInstruction(message))
  const shown = projection.slice(at + 1)
  let next = 0
  for (const [index, { seq }] of live.entries()) {
    const message = told[index] as Message
    if (leading === -1 || index < leading) continue
    const under = nodes.filter(({ first, last }) => first <= seq && seq <= last).length
    if (under > 1) return `m${seq} stands under ${under} summaries`
    if (under === 1) continue
    const found = shown.findIndex((one, place) => place >= next && shows(one, message, seq))
    if (found === -1) return `m${seq} stands nowhere`
    next = found + 1
  }
  return undefined
}

function shows(one: Message, message: Message, seq: number): boolean {
  if (equalValues(stripReasoning(one), stripReasoning(message))) return true
  return (
    one.role === 'tool' &&
    typeof one.content === 'string' &&
    one.content.includes(`the whole result is m${seq}:`)
  )
}
