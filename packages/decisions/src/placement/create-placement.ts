import { countMessages, findLastUser, type Message, messageText, type TokenCounter } from '@palimpsest/core'
import { BLOCK_SHARE } from '../engine/options.ts'
import type { SessionRecord } from '../engine/session-record.ts'
import { escapeBlocks } from '../render/escape-blocks.ts'
import { misleads } from '../render/misleads.ts'
import { renderRecall } from '../render/render-recall.ts'
import { renderTopBlock } from '../render/render-top-block.ts'
import type { RenderedBlock } from '../render/rendered-block.ts'
import { moveSummary } from './move-summary.ts'
import { createRecallLog, type Recall } from './recall-log.ts'
import { withNote } from './synthetic-turns.ts'

export interface PlacementInput {
  readonly tokens: TokenCounter
  /** What the block of decisions may take, and what may be shown next to one query, in tokens. */
  readonly budgetTokens: number
  readonly recallTokens: number
  /** True for the described system: the block is rendered for each request, and the summary stands next to the query. */
  readonly litm: boolean
}

export interface PlaceCall {
  /** The projection. */
  readonly messages: readonly Message[]
  /** What the result may take, in tokens. */
  readonly roomTokens: number
  readonly record: Pick<SessionRecord, 'ledger' | 'artifacts' | 'session' | 'messages'>
  /** What a memory from outside says to this query; shown with its note. */
  readonly recalled?: string
}

/** Puts what was decided where a model sees it. */
export interface Placement {
  /** The projection with decisions in it, at most `roomTokens` large; null when there is nothing to place. */
  place(call: PlaceCall): readonly Message[] | null
  /** True when the last query of a projection has no note yet. */
  isNew(messages: readonly Message[], record: PlaceCall['record']): boolean
  /** The prefix changes anyway: the block at the top may be made anew. */
  beginEpoch(): void
  /** How often the block at the top was made. */
  readonly epochs: number
  /** What the block and the notes of this epoch take, in tokens. */
  readonly blockTokens: number
}

/** Notes of one epoch together may take as many times the room for one. */
const NOTES_PER_EPOCH = 5

/**
 * The block behind the system prompt is made at the beginning of an epoch and stays as it is until the next one: until a
 * compaction, or until something that it shows as holding does not hold any more. What came since stands next to the
 * query, once, and stays there too.
 */
export function createPlacement({ tokens, budgetTokens, recallTokens, litm }: PlacementInput): Placement {
  const recalls = createRecallLog()
  let top: RenderedBlock | undefined
  let noteTokens = 0
  let shown = new Map<string, string>()
  let epochs = 0

  const begin = (call: PlaceCall, turn: number, query: string): RenderedBlock => {
    const block = renderTopBlock({ ...inputOf(call, budgetTokens), query })
    recalls.clear()
    // The block was made with this query in mind.
    noteTokens = 0
    note(call, { turn, query, text: '' })
    shown = new Map(block.lines)
    if (block.text !== '') epochs++
    return block
  }

  const inputOf = ({ record, roomTokens }: PlaceCall, most: number) => ({
    decisions: record.ledger,
    artifacts: record.artifacts,
    session: record.session,
    tokens,
    budgetTokens: Math.floor(Math.min(most, roomTokens * BLOCK_SHARE)),
  })

  /** Adds a note for a new query; a query that has been answered keeps the one it had. */
  const recall = (call: PlaceCall, turn: number, query: string): void => {
    if (recalls.has(turn, query)) return
    const left = recallTokens * NOTES_PER_EPOCH - noteTokens
    const news = renderRecall({ ...inputOf(call, Math.min(recallTokens, left)), query, shown })
    note(call, { turn, query, text: news.text })
    for (const [id, line] of news.lines) shown.set(id, line)
  }

  const note = ({ recalled = '' }: PlaceCall, { turn, query, text: own }: Recall): void => {
    const outside = recalled === '' ? '' : `<external_memory>\n${escapeBlocks(recalled)}\n</external_memory>`
    const text = [own, outside].filter((part) => part !== '').join('\n')
    recalls.add({ turn, query, text })
    noteTokens += text === '' ? 0 : tokens.countText(text)
  }

  return {
    place(call) {
      const { messages, roomTokens, record } = call
      const query = queryOf(messages)
      const turn = turnOf(record)
      if (litm || top === undefined || misleads(shown, record.ledger)) top = begin(call, turn, query)
      else recall(call, turn, query)
      const arranged = litm ? moveSummary(messages) : messages
      const { text } = top
      const fits = (list: readonly Message[]) => countMessages(tokens, list) <= roomTokens
      // Notes go before the block does: what they say is in recent messages too.
      for (const list of [
        () => withNote(recalls.place(arranged, turn), text),
        () => withNote(recalls.place(arranged, turn, 1), text),
        () => withNote(arranged, text),
        () => arranged,
      ]) {
        const placed = list()
        if (placed === messages) return null
        if (fits(placed)) return placed
      }
      return null
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
