import type { StoredMessage, StoredSession } from '@palimpsest/core'
import { searchText } from '@palimpsest/store'
import type { TextMatch } from './find-term.ts'
import { PASSAGE_CHARACTERS, type PassageLine } from './search-types.ts'
import { cutAround } from './snippet.ts'

const NEIGHBOURS = 2
const MOST_LENGTHS = 3
const NEARLY = 1.5
const LEAST_CHARACTERS = 80
const USUAL_NEIGHBOURS = 2

export interface FoundMessage {
  readonly row: { readonly number: number; readonly role: string; readonly at: number; readonly text: string }
  readonly match: TextMatch
}

export interface PassageOptions {
  readonly characters: number
  readonly context?: number | undefined
  readonly includeReplaced: boolean
}

export type HitGroup<Found extends FoundMessage> = readonly [Found, ...Found[]]

export function groupNeighbours<Found extends FoundMessage>(
  found: readonly Found[],
  limit: number,
): { readonly groups: readonly HitGroup<Found>[]; readonly used: number } {
  const groups: [Found, ...Found[]][] = []
  let used = 0
  for (const one of found) {
    const beside = groups.find(
      (group) =>
        group.some(({ row }) => Math.abs(row.number - one.row.number) <= NEIGHBOURS) &&
        group.reduce((sum, one) => sum + shownLength(one), 0) + shownLength(one) <=
          PASSAGE_CHARACTERS * MOST_LENGTHS,
    )
    if (beside !== undefined) beside.push(one)
    else if (groups.length < limit) groups.push([one])
    else break
    used++
  }
  return { groups, used }
}

function shownLength({ row: { text } }: FoundMessage): number {
  return Math.min(text.length, PASSAGE_CHARACTERS)
}

export async function readPassage(
  session: StoredSession,
  group: readonly FoundMessage[],
  { characters, context, includeReplaced }: PassageOptions,
): Promise<readonly PassageLine[]> {
  const hits = group.toSorted((one, other) => one.row.number - other.row.number)
  const [first, last] = [hits[0]?.row.number ?? 0, hits.at(-1)?.row.number ?? 0]
  const lines = new Map<number, PassageLine>()
  for (const { row, match } of hits) {
    const length = Math.max(PASSAGE_CHARACTERS, Math.floor(characters / hits.length))
    const { number: seq, role, at, text } = row
    const isShort = text.length <= length * NEARLY
    lines.set(seq, { seq, role, at, text: isShort ? text : cutAround(text, match, length) })
  }
  const limit = context ?? USUAL_NEIGHBOURS
  if (limit === 0) return [...lines.values()]
  const around = { limit, includeReplaced } as const
  const between = await session.messages({ first, last, includeReplaced, limit: last - first + 1 })
  const after = await session.messages({ ...around, first: last + 1 })
  const before = first === 0 ? [] : await session.messages({ ...around, last: first - 1, order: 'newest' })
  let room = characters - [...lines.values()].reduce((sum, { text }) => sum + text.length, 0)
  const show = (message: StoredMessage | undefined): boolean => {
    if (message === undefined || message.message === null || lines.has(message.seq)) return true
    if (message.role === 'system') return true
    const text = searchText(message.message)
    const length = context === undefined ? Math.min(room, PASSAGE_CHARACTERS) : PASSAGE_CHARACTERS
    if (text.trim() === '') return true
    if (length < Math.min(LEAST_CHARACTERS, text.length)) return false
    const { seq, role, at } = message
    const line = { seq, role, at, text: cutAround(text, { start: 0, end: 0 }, length) }
    lines.set(seq, line)
    room -= line.text.length
    return true
  }
  for (const message of between) show(message)
  let sides = [after, before]
  for (let index = 0; index < limit; index++) sides = sides.filter((side) => show(side[index]))
  return [...lines.values()].sort((one, other) => one.seq - other.seq)
}
