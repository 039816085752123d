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
import { readLog } from '../render/log-reading.ts'
import { renderRecall } from '../render/render-recall.ts'
import { renderTopBlock } from '../render/render-top-block.ts'
import type { RenderedBlock, RenderInput } from '../render/rendered-block.ts'
import { Shown } from '../render/shown.ts'
import { RecallLog } from './recall-log.ts'
import { type MovedSummary, moveSummary, withNote } from './synthetic-turns.ts'

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
  readonly record: Pick<SessionRecord, 'ledger' | 'touched' | 'session' | 'messages'>
  /** Notes of a memory from outside on this query; shown with its note. */
  readonly recalled?: string
}

export interface ExpectCall extends Pick<PlaceCall, 'record' | 'roomTokens'> {
  /** The last message of the user. */
  readonly query: string
  /** A memory from outside will be asked about a new query. */
  readonly asksMemory: boolean
}

/**
 * Puts decisions where a model sees them. The block behind the system prompt is made at the beginning of an epoch and does
 * not change within it. An epoch ends when a compaction changes the messages behind the block, or when something that the
 * block shows as holding no longer holds. News since then is a note next to the query, once, and stays there; when a
 * compaction takes only the query, the note's news is shown once more next to the latest one.
 */
export class Placement {
  /** Number of times that the block at the top was made. */
  epochs = 0
  readonly #input: PlacementInput
  readonly #recalls: RecallLog
  #top: RenderedBlock | undefined
  #shown = new Shown({ lines: new Map() })
  readonly #rendered = new Map<string, { readonly from: readonly unknown[]; readonly block: RenderedBlock }>()

  constructor(input: PlacementInput) {
    this.#input = input
    this.#recalls = new RecallLog(input.tokens, input.recallTokens)
  }

  /** Size of the block and the notes of this epoch, in tokens. */
  get blockTokens(): number {
    return (this.#top?.tokens ?? 0) + this.#recalls.tokens
  }

  /** The projection with decisions in it, at most `roomTokens` large; null when there is nothing to place. */
  place(call: PlaceCall): SelectedContext | null {
    const { tokens, litm } = this.#input
    const { messages, roomTokens, record } = call
    const { messages: arranged, moved } = litm ? moveSummary(messages) : { messages }
    const fits = (list: readonly Message[]) => countMessages(tokens, list) <= roomTokens
    const isGathered = !litm && this.#gatherNotes(arranged)
    // When there is no more room for what is new, it belongs into the block.
    if (this.#isStale(record) || !this.#recall(call, isGathered)) this.#top = this.#begin(call)
    const arrange = () => withNote(this.#recalls.place(arranged).messages, this.#top?.text ?? '')
    // Notes that do not fit any more go at once, into the block: one by one, each request would differ from the last.
    let whole = arrange()
    if (this.#recalls.tokens > 0 && !fits(whole)) {
      this.#top = this.#begin(call)
      whole = arrange()
    }
    const placed = [whole, withNote(arranged, this.#top?.text ?? ''), arranged].find(fits)
    if (placed === undefined || isSame(placed, messages)) return null
    const origins = call.origins && moved && originsOf(placed, { ...call, origins: call.origins }, moved)
    return { messages: placed, ...(origins && { origins }) }
  }

  /** Tokens that `place` will add to a projection with this query, at about. Changes nothing. */
  expectedTokens(call: ExpectCall): number {
    const { record, query, asksMemory } = call
    const top = this.#top
    const recalls = this.#recalls
    if (top === undefined || this.#isStale(record)) return this.#expectedBlock(call)
    const placed = this.#sizeOfBlock(top.text) + recalls.turnTokens
    if (recalls.has(turnOf(record), query)) return placed
    const news = this.#news(call, query)
    if (news.tokens > recalls.room) return this.#expectedBlock(call)
    return placed + (asksMemory ? Math.max(recalls.room, 0) : recalls.sizeOf(news.text))
  }

  /** True when the last query of a projection has no note yet. */
  isNew(messages: readonly Message[], record: PlaceCall['record']): boolean {
    return !this.#recalls.has(turnOf(record), queryOf(messages))
  }

  /** The prefix changes anyway, or the conversation is another one: the block at the top is made anew. */
  beginEpoch(): void {
    this.#top = undefined
  }

  #isStale({ ledger, session }: PlaceCall['record']): boolean {
    if (this.#input.litm || this.#top === undefined) return true
    return this.#shown.misleads(readLog(ledger, session).entries)
  }

  #begin(call: PlaceCall): RenderedBlock {
    const query = queryOf(call.messages)
    const block = this.#block(call, query)
    this.#recalls.clear()
    // The block was made with this query in mind.
    this.#recalls.add({ turn: turnOf(call.record), query, text: '' }, call.recalled, this.#input.recallTokens)
    this.#shown = new Shown(block)
    if (block.text !== '') this.epochs++
    return block
  }

  /** Takes the notes back, when the query of one is not there any more. An empty block is worth nothing: it is made anew. */
  #gatherNotes(arranged: readonly Message[]): boolean {
    if (this.#top === undefined || this.#recalls.place(arranged).isWhole) return false
    if (this.#top.text === '') {
      this.#top = undefined
      return false
    }
    this.#recalls.clear()
    this.#shown = new Shown(this.#top)
    return true
  }

  /**
   * Adds a note for a new query; a query that has one keeps it. False when there is news and no room left for notes;
   * `all` demands room for all of it.
   */
  #recall(call: PlaceCall, all: boolean): boolean {
    const query = queryOf(call.messages)
    if (this.#recalls.has(turnOf(call.record), query)) return true
    const { room } = this.#recalls
    const news = this.#news(call, query)
    if (news.tokens > room) return false
    const isLeft = () => {
      const { lines, onRecord } = this.#shown
      const shown = new Shown({ lines: new Map([...lines, ...news.lines]), ...(onRecord && { onRecord }) })
      return renderRecall({ ...this.#inputOf(call, this.#input.recallTokens), shown }).text !== ''
    }
    if (all && isLeft()) return false
    this.#recalls.add(
      { turn: turnOf(call.record), query, text: news.text },
      call.recalled,
      room - news.tokens,
    )
    this.#shown.add(news.lines)
    return true
  }

  /** A request gets the block that was expected for it. */
  #news(call: Pick<PlaceCall, 'record' | 'roomTokens'>, query: string): RenderedBlock {
    const input = { ...this.#inputOf(call, this.#input.recallTokens), query, shown: this.#shown }
    return this.#once('news', input, () => renderRecall(input))
  }

  #block(call: Pick<PlaceCall, 'record' | 'roomTokens'>, query: string): RenderedBlock {
    const input = { ...this.#inputOf(call, this.#input.budgetTokens), query }
    return this.#once('top', input, () => renderTopBlock(input))
  }

  /** A block that is asked for again before anything has changed is the same. */
  #once(
    kind: 'news' | 'top',
    { decisions, touched, budgetTokens, query, shown }: RenderInput & { readonly shown?: Shown },
    render: () => RenderedBlock,
  ): RenderedBlock {
    const { changes } = decisions
    const from = [
      changes,
      changes?.length,
      touched,
      touched.version,
      budgetTokens,
      query,
      shown,
      shown?.version,
    ]
    const last = this.#rendered.get(kind)
    if (last?.from.every((part, index) => part === from[index])) return last.block
    const block = render()
    this.#rendered.set(kind, { from, block })
    return block
  }

  #inputOf({ record, roomTokens }: Pick<PlaceCall, 'record' | 'roomTokens'>, most: number) {
    return {
      decisions: record.ledger,
      touched: record.touched,
      session: record.session,
      tokens: this.#input.tokens,
      budgetTokens: Math.floor(Math.min(most, roomTokens * BLOCK_SHARE)),
    }
  }

  /** Tokens that an epoch would begin with. */
  #expectedBlock(call: ExpectCall): number {
    const { query } = call
    const { recallTokens } = this.#input
    const known = this.#recalls.fromMemory(query, recallTokens)
    const note = call.asksMemory && known === '' ? recallTokens : this.#recalls.sizeOf(known)
    return this.#sizeOfBlock(this.#block(call, query).text) + note
  }

  #sizeOfBlock(text: string): number {
    return text === '' ? 0 : this.#input.tokens.countMessage({ role: 'system', content: text })
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
