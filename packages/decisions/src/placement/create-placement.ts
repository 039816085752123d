import {
  countMessages,
  findLastUser,
  isInstruction,
  type Message,
  messageText,
  type Origin,
  type SelectedContext,
  type TokenCounter,
} from '@palimpsest/core'
import { BLOCK_SHARE } from '../engine/options.ts'
import type { SessionRecord } from '../engine/session-record.ts'
import { misleads } from '../render/misleads.ts'
import { renderRecall } from '../render/render-recall.ts'
import { renderTopBlock } from '../render/render-top-block.ts'
import type { RenderedBlock } from '../render/rendered-block.ts'
import { memoryBlock } from './memory-block.ts'
import { type MovedSummary, moveSummary } from './move-summary.ts'
import { createRecallLog } from './recall-log.ts'
import { noteTurns, withNote } from './synthetic-turns.ts'

export interface PlacementInput {
  readonly tokens: TokenCounter
  /** Room of the block of decisions, and of the note next to one query, in tokens. */
  readonly budgetTokens: number
  readonly recallTokens: number
  /** True for the described system: the block is rendered for each request, and the summary stands next to the query. */
  readonly litm: boolean
}

export interface PlaceCall {
  /** The projection. */
  readonly messages: readonly Message[]
  /** Where each of them comes from, when the host can tell. */
  readonly origins?: readonly Origin[] | undefined
  /** Room of the result, in tokens. */
  readonly roomTokens: number
  readonly record: Pick<SessionRecord, 'ledger' | 'artifacts' | 'session' | 'messages'>
  /** Notes of a memory from outside on this query; shown with its note. */
  readonly recalled?: string
}

export interface ExpectCall extends Pick<PlaceCall, 'record' | 'roomTokens'> {
  /** The last message of the user. */
  readonly query: string
  /** A memory from outside will be asked about a new query. */
  readonly asksMemory: boolean
}

/** Puts what was decided where a model sees it. */
export interface Placement {
  /** The projection with decisions in it, at most `roomTokens` large; null when there is nothing to place. */
  place(call: PlaceCall): SelectedContext | null
  /** True when the last query of a projection has no note yet. */
  isNew(messages: readonly Message[], record: PlaceCall['record']): boolean
  /** Tokens that `place` will add to a projection with this query, at about. Changes nothing. */
  expectedTokens(call: ExpectCall): number
  /** The prefix changes anyway, or the conversation is another one: the block at the top is made anew. */
  beginEpoch(): void
  /** Number of times that the block at the top was made. */
  readonly epochs: number
  /** Size of the block and the notes of this epoch, in tokens. */
  readonly blockTokens: number
}

/** Notes of one epoch together may take as many times the room for one. */
const NOTES_PER_EPOCH = 5

/**
 * The block behind the system prompt is made at the beginning of an epoch and stays as it is until the next one: until a
 * compaction changes what stands behind it, or something that it shows as holding does not hold any more. What came since
 * stands next to the query, once, and stays there too; when a compaction takes only the query, what its note said is said
 * once more next to the latest one.
 */
export function createPlacement({ tokens, budgetTokens, recallTokens, litm }: PlacementInput): Placement {
  const recalls = createRecallLog()
  let top: RenderedBlock | undefined
  let noteTokens = 0
  /** The same notes with the turns that they stand in. */
  let noteTurnTokens = 0
  let shown = new Map<string, string>()
  let epochs = 0
  /** The notes of a memory on the last query that it was asked about. */
  let outside = { query: '', text: '' }

  const inputOf = ({ record, roomTokens }: Pick<PlaceCall, 'record' | 'roomTokens'>, most: number) => ({
    decisions: record.ledger,
    artifacts: record.artifacts,
    session: record.session,
    tokens,
    budgetTokens: Math.floor(Math.min(most, roomTokens * BLOCK_SHARE)),
  })

  const begin = (call: PlaceCall): RenderedBlock => {
    const query = queryOf(call.messages)
    const block = renderTopBlock({ ...inputOf(call, budgetTokens), query })
    clearNotes()
    // The block was made with this query in mind.
    addNote(call, query, '', recallTokens)
    shown = new Map(block.lines)
    if (block.text !== '') epochs++
    return block
  }

  /** Takes the notes back, when the query of one is not there any more. An empty block is worth nothing: it is made anew. */
  const gatherNotes = (arranged: readonly Message[]): boolean => {
    if (top === undefined || recalls.place(arranged).isWhole) return false
    if (top.text === '') {
      top = undefined
      return false
    }
    clearNotes()
    shown = new Map(top.lines)
    return true
  }

  const clearNotes = (): void => {
    recalls.clear()
    noteTokens = 0
    noteTurnTokens = 0
  }

  const noteRoom = (): number => Math.min(recallTokens, recallTokens * NOTES_PER_EPOCH - noteTokens)

  /**
   * Adds a note for a new query; a query that has one keeps it. False when there is news and no room left for notes;
   * `all` demands room for all of it.
   */
  const recall = (call: PlaceCall, all: boolean): boolean => {
    const query = queryOf(call.messages)
    if (recalls.has(turnOf(call.record), query)) return true
    const room = noteRoom()
    const news = renderRecall({ ...inputOf(call, recallTokens), query, shown })
    if (news.tokens > room) return false
    const isLeft = () => renderRecall({ ...inputOf(call, recallTokens), shown: news.lines }).text !== ''
    if (all && isLeft()) return false
    addNote(call, query, news.text, room - news.tokens)
    for (const [id, line] of news.lines) shown.set(id, line)
    return true
  }

  const addNote = ({ record, recalled }: PlaceCall, query: string, own: string, room: number): void => {
    if (recalled) outside = { query, text: recalled }
    const known = outside.query === query ? memoryBlock(outside.text, room, tokens) : ''
    const text = [own, known].filter((part) => part !== '').join('\n')
    recalls.add({ turn: turnOf(record), query, text })
    if (text === '') return
    noteTokens += tokens.countText(text)
    noteTurnTokens += sizeOfNote(text)
  }

  const sizeOfBlock = (text: string): number =>
    text === '' ? 0 : tokens.countMessage({ role: 'system', content: text })
  const sizeOfNote = (text: string): number =>
    text === '' ? 0 : countMessages(tokens, noteTurns(text, undefined))

  /** Tokens that an epoch would begin with. */
  const expectedBlock = (call: ExpectCall): number => {
    const { query } = call
    const { text } = renderTopBlock({ ...inputOf(call, budgetTokens), query })
    const known = outside.query === query ? memoryBlock(outside.text, recallTokens, tokens) : ''
    return sizeOfBlock(text) + (call.asksMemory && known === '' ? recallTokens : sizeOfNote(known))
  }

  return {
    place(call) {
      const { messages, roomTokens, record } = call
      const { messages: arranged, moved } = litm ? moveSummary(messages) : { messages }
      const fits = (list: readonly Message[]) => countMessages(tokens, list) <= roomTokens
      const isGathered = !litm && gatherNotes(arranged)
      const isStale = litm || top === undefined || misleads(shown, record.ledger)
      // When there is no more room for what is new, it belongs into the block.
      if (isStale || !recall(call, isGathered)) top = begin(call)
      const arrange = () => withNote(recalls.place(arranged).messages, top?.text ?? '')
      // Notes that do not fit any more go at once, into the block: one by one, each request would differ from the last.
      let whole = arrange()
      if (noteTokens > 0 && !fits(whole)) {
        top = begin(call)
        whole = arrange()
      }
      const placed = [whole, withNote(arranged, top?.text ?? ''), arranged].find(fits)
      if (placed === undefined || isSame(placed, messages)) return null
      const origins = call.origins && moved && originsOf(placed, { ...call, origins: call.origins }, moved)
      return { messages: placed, ...(origins && { origins }) }
    },
    expectedTokens(call) {
      const { record, query, asksMemory } = call
      if (litm || top === undefined || misleads(shown, record.ledger)) return expectedBlock(call)
      const placed = sizeOfBlock(top.text) + noteTurnTokens
      if (recalls.has(turnOf(record), query)) return placed
      const room = noteRoom()
      const news = renderRecall({ ...inputOf(call, recallTokens), query, shown })
      if (news.tokens > room) return expectedBlock(call)
      return placed + (asksMemory ? Math.max(room, 0) : sizeOfNote(news.text))
    },
    isNew: (messages, record) => !recalls.has(turnOf(record), queryOf(messages)),
    beginEpoch() {
      top = undefined
    },
    get epochs() {
      return epochs
    },
    get blockTokens() {
      return (top?.tokens ?? 0) + noteTokens
    },
  }
}

function queryOf(messages: readonly Message[]): string {
  const asked = messages[findLastUser(messages)]
  return asked === undefined ? '' : messageText(asked)
}

function turnOf({ messages }: PlaceCall['record']): number {
  return messages.at(-1)?.turn ?? 0
}

function isSame(placed: readonly Message[], messages: readonly Message[]): boolean {
  return placed.length === messages.length && placed.every((message, index) => message === messages[index])
}

/** A summary that stands elsewhere is still one; the session cannot know that of a turn that it never saw. */
function originsOf(
  placed: readonly Message[],
  { messages, origins }: Required<Pick<SelectedContext, 'messages' | 'origins'>>,
  { from, to }: NonNullable<MovedSummary['moved']>,
): readonly Origin[] {
  const known = new Map(messages.map((message, index) => [message, origins[index]]))
  const [system] = origins
  return placed.map((message): Origin => {
    const origin = known.get(message === to ? from : message)
    if (origin !== undefined) return origin
    const isPrompt = isInstruction(message) && system?.from === 'transcript'
    return isPrompt ? { ...system, whole: false } : { from: 'note', by: 'decisions' }
  })
}
