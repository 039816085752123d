import { type AssistantMessage, isObject, type Loose, looseOf } from '@palimpsest/core'
import { BrokenEvent } from '../../http/gateway-fault.ts'
import { parseJson } from '../../parse-json.ts'
import { parseEvent, type StreamedAnswer, StreamedError } from '../wire-format.ts'
import { type Block, isThinking } from './blocks.ts'
import { answerPiece } from './units.ts'

/** A block while it arrives. */
interface StreamedBlock {
  block: Block
  /** The JSON text of a call's input so far. */
  input: string
  isWhole: boolean
  /** Its index for the client; undefined when the client does not see it. */
  readonly index: number | undefined
}

interface Round {
  readonly blocks: Map<unknown, StreamedBlock>
  usage: Loose | undefined
  /** The event that says why the model stopped. */
  end: Loose | undefined
  isOver: boolean
}

/** Reasons to stop that a model gives when it has said all. */
const ENDS: ReadonlySet<unknown> = new Set(['end_turn', 'tool_use'])

/**
 * Streams of the API as one. Blocks are numbered anew. Thinking behind steps that the client does not see is not shown: it
 * is bound to them, and could not be sent back by itself.
 *
 * @param own names of the engine's tools.
 * @param learn is told of each thinking that is whole.
 */
export function createMessageStream(
  own: ReadonlySet<string>,
  learn: (blocks: readonly Block[]) => void,
): StreamedAnswer {
  const begin = (): Round => ({ blocks: new Map(), usage: undefined, end: undefined, isOver: false })
  let round = begin()
  let rounds = 1
  let shown = 0

  const isVisible = (block: Block): boolean =>
    isThinking(block) ? rounds === 1 : block.type !== 'tool_use' || !own.has(String(block.name))

  const takeBlock = (event: Loose, text: string): string[] => {
    if (event.type === 'content_block_start') {
      if (round.blocks.has(event.index)) throw new BrokenEvent('two blocks have one index')
      const block = looseOf(event.content_block)
      const index = isVisible(block) ? shown++ : undefined
      round.blocks.set(event.index, { block, input: '', isWhole: false, index })
    }
    const streamed = round.blocks.get(event.index)
    if (streamed === undefined) throw new BrokenEvent('the beginning of a block is missing')
    if (event.type === 'content_block_delta') addDelta(streamed, looseOf(event.delta))
    if (event.type === 'content_block_stop') {
      streamed.isWhole = true
      learn([streamed.block])
    }
    const { index } = streamed
    if (index === undefined) return []
    return [index === event.index ? text : JSON.stringify({ ...event, index })]
  }

  return {
    beginRound() {
      round = begin()
      rounds++
    },
    take(text) {
      const event = parseEvent(text)
      if (event === undefined) return []
      const { type } = event
      if (type === 'error') throw new StreamedError(text)
      if (type === 'message_start') {
        round.usage = joinUsage(round.usage, looseOf(event.message).usage)
        return rounds === 1 ? [text] : []
      }
      if (type === 'message_delta') {
        round.usage = joinUsage(round.usage, event.usage)
        const isWhole = [...round.blocks.values()].every((block) => block.isWhole)
        if (!isWhole && ENDS.has(looseOf(event.delta).stop_reason))
          throw new BrokenEvent('the end of a block is missing')
        round.end = event
        return []
      }
      if (type === 'message_stop') {
        round.isOver = true
        return []
      }
      return 'index' in event ? takeBlock(event, text) : [text]
    },
    get message() {
      return messageOf(round)
    },
    get usage() {
      return round.usage
    },
    get isFinished() {
      return round.end !== undefined
    },
    get isOver() {
      return round.isOver
    },
    end() {
      // The event that the client's message began with has the prompt of the first round.
      const whole = rounds > 1 && { usage: round.usage }
      return [{ ...round.end, ...whole }, { type: 'message_stop' }].map((event) => JSON.stringify(event))
    },
  }
}

function addDelta(streamed: StreamedBlock, delta: Loose): void {
  const { block } = streamed
  const more = (name: string) => {
    streamed.block = { ...block, [name]: String(block[name] ?? '') + String(delta[name] ?? '') }
  }
  if (delta.type === 'text_delta') more('text')
  else if (delta.type === 'thinking_delta') more('thinking')
  else if (delta.type === 'signature_delta') more('signature')
  else if (delta.type === 'compaction_delta') more('content')
  else if (delta.type === 'input_json_delta') streamed.input += String(delta.partial_json ?? '')
  else if (delta.type === 'citations_delta') {
    const before = Array.isArray(block.citations) ? block.citations : []
    streamed.block = { ...block, citations: [...before, delta.citation] }
  }
}

/** Of an answer that broke off: thinking that is not whole has no signature, and is of no use. */
function messageOf({ blocks }: Round): AssistantMessage {
  const inputs = new Map<Block, string>()
  const whole = [...blocks.values()].flatMap(({ block, input, isWhole }) => {
    if (!isWhole && isThinking(block)) return []
    if (input === '') return [block]
    const parsed = { ...block, input: parseJson(input) ?? {} }
    inputs.set(parsed, input)
    return [parsed]
  })
  return answerPiece(whole, inputs).message as AssistantMessage
}

/** The latest value of each count: the end of a stream repeats those of its beginning. */
function joinUsage(before: Loose | undefined, usage: unknown): Loose | undefined {
  if (!isObject(usage)) return before
  const said = Object.entries(usage).filter(([, value]) => value !== null && value !== undefined)
  return { ...before, ...Object.fromEntries(said) }
}
