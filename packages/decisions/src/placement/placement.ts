import {
  countMessages,
  equalValues,
  findLastUser,
  isSummary,
  type Message,
  messageText,
  type SelectedContext,
} from '@palimpsest/core'
import type { Query } from '../engine/conversation.ts'
import type { SessionRecord } from '../engine/recorder.ts'
import type { DecisionLedger } from '../log/ledger.ts'
import { type RenderedBlock, type RenderInput, renderRecall, renderTopBlock } from '../render/block.ts'
import { RecallLog, type RecallLogInput } from './recall-log.ts'
import { moveSummary, withNote } from './synthetic-turns.ts'

const BLOCK_SHARE = 0.2

export interface PlacementInput extends RecallLogInput {
  readonly budgetTokens: number
  /**
   * True for the system as first described: the block is rendered for each request, and the summary is next to the
   * query.
   */
  readonly litm: boolean
}

export interface PlaceCall {
  readonly messages: readonly Message[]
  readonly roomTokens: number
  readonly record: SessionRecord
}

export interface ExpectCall extends Pick<PlaceCall, 'record' | 'roomTokens'> {
  readonly query: Query
}

/**
 * Places decisions in requests. The block after the system prompt is fixed during an epoch. An epoch ends when a
 * compaction changes the messages after the block, or when a shown decision has ended. News is shown once, as a note
 * next to the query, and stays there.
 */
export class Placement {
  epochs = 0
  readonly #input: PlacementInput
  readonly #recalls: RecallLog
  #top: RenderedBlock | undefined
  #shown = new Map<string, string>()
  #holding = new Set<string>()
  readonly #rendered = new Map<string, { readonly from: readonly unknown[]; readonly block: RenderedBlock }>()

  constructor(input: PlacementInput) {
    this.#input = input
    this.#recalls = new RecallLog(input)
  }

  get blockTokens(): number {
    return (this.#top?.tokens ?? 0) + this.#recalls.tokens
  }

  place(call: PlaceCall): SelectedContext | null {
    const { tokens, litm } = this.#input
    const { messages, roomTokens, record } = call
    const arranged = litm ? moveSummary(messages) : messages
    const fits = (list: readonly Message[]) => countMessages(tokens, list) <= roomTokens
    this.#gatherNotes(arranged)
    // Without room for notes, new decisions go into the block.
    if (this.#isStale(record.ledger) || !this.#recall(call)) this.#top = this.#begin(call)
    const arrange = () => withNote(this.#recalls.place(arranged).messages, this.#top?.text ?? '')
    // Notes that no longer fit move into the block together; one by one, each request would change the prefix.
    let whole = arrange()
    if (this.#recalls.tokens > 0 && !fits(whole)) {
      this.#top = this.#begin(call)
      whole = arrange()
    }
    const placed = [whole, withNote(arranged, this.#top?.text ?? ''), arranged].find(fits)
    return placed === undefined || isSame(placed, messages) ? null : { messages: placed }
  }

  expectedTokens(call: ExpectCall): number {
    const { record, query } = call
    const recalls = this.#recalls
    const news =
      this.#top === undefined || this.#isStale(record.ledger) ? undefined : this.#news(call, query.text)
    if (this.#top === undefined || news === undefined || news.tokens > recalls.room || !news.isWhole) {
      return this.#sizeOfBlock(this.#block(call, query.text).text)
    }
    const placed = this.#sizeOfBlock(this.#top.text) + recalls.turnTokens
    return recalls.has(query.seq) ? placed : placed + recalls.sizeOf(news.text)
  }

  beginEpoch(): void {
    this.#top = undefined
  }

  #isStale(ledger: DecisionLedger): boolean {
    if (this.#input.litm || this.#top === undefined) return true
    return [...this.#holding].some((id) => {
      const decision = ledger.get(id)
      return decision?.status !== 'active' || decision.contestedBy.length > 0
    })
  }

  #begin(call: PlaceCall): RenderedBlock {
    const { seq, text } = this.#queryOf(call.messages)
    const block = this.#block(call, text)
    this.#recalls.clear()
    // The block was made for this query.
    if (seq !== undefined) this.#recalls.add(seq, '')
    this.#shown = new Map(block.lines)
    this.#holding = new Set(block.holding)
    if (block.text !== '') this.epochs++
    return block
  }

  /**
   * Removes notes whose query a compaction removed, so that their content is shown again. An empty block is rendered
   * again.
   */
  #gatherNotes(arranged: readonly Message[]): void {
    if (this.#top === undefined || this.#recalls.place(arranged).isWhole) return
    this.#recalls.clear()
    this.#shown = new Map(this.#top.lines)
    this.#holding = new Set(this.#top.holding)
    if (this.#top.text === '') this.#top = undefined
  }

  #recall(call: PlaceCall): boolean {
    const { seq, text } = this.#queryOf(call.messages)
    if (this.#recalls.has(seq)) return true
    const { room } = this.#recalls
    const news = this.#news(call, text)
    if (seq === undefined || news.tokens > room || !news.isWhole) return false
    this.#recalls.add(seq, news.text)
    this.#shown = new Map([...this.#shown, ...news.lines])
    for (const id of news.holding) this.#holding.add(id)
    return true
  }

  #news(call: Pick<PlaceCall, 'record' | 'roomTokens'>, query: string): ReturnType<typeof renderRecall> {
    const input = { ...this.#renderInput(call, this.#input.recallTokens, query), shown: this.#shown }
    return this.#once('news', input, [this.#shown], () => renderRecall(input))
  }

  #block(call: Pick<PlaceCall, 'record' | 'roomTokens'>, query: string): RenderedBlock {
    const input = this.#renderInput(call, this.#input.budgetTokens, query)
    return this.#once('top', input, [], () => renderTopBlock(input))
  }

  #once<Block extends RenderedBlock>(
    kind: string,
    { ledger, budgetTokens, query }: RenderInput,
    more: readonly unknown[],
    render: () => Block,
  ): Block {
    const from = [ledger.all, budgetTokens, query, ...more]
    const last = this.#rendered.get(kind)
    if (last?.from.every((part, index) => part === from[index])) return last.block as Block
    const block = render()
    this.#rendered.set(kind, { from, block })
    return block
  }

  #renderInput(
    { record: { ledger, session }, roomTokens }: Pick<PlaceCall, 'record' | 'roomTokens'>,
    most: number,
    query: string,
  ): RenderInput {
    const budgetTokens = Math.floor(Math.min(most, roomTokens * BLOCK_SHARE))
    return { ledger, session, query, budgetTokens, tokens: this.#input.tokens }
  }

  #queryOf(messages: readonly Message[]): Query {
    const asked = messages[findLastUser(messages)]
    return { seq: this.#input.seqOf(asked), text: asked === undefined ? '' : messageText(asked) }
  }

  #sizeOfBlock(text: string): number {
    return text === '' ? 0 : this.#input.tokens.countMessage({ role: 'system', content: text })
  }
}

function isSame(placed: readonly Message[], messages: readonly Message[]): boolean {
  return placed.length === messages.length && placed.every((message, index) => message === messages[index])
}

const LEADING_PARTS = 2

export function keepsSummaries(before: readonly Message[], after: readonly Message[]): boolean {
  const [old, now] = [leadingParts(before), leadingParts(after)]
  return old !== undefined && now !== undefined && equalValues(old, now)
}

function leadingParts(messages: readonly Message[]): readonly unknown[] | undefined {
  const content = messages.find(isSummary)?.content
  return Array.isArray(content) && content.length > LEADING_PARTS
    ? content.slice(0, LEADING_PARTS)
    : undefined
}
