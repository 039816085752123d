import { inSlices, type Message, redactMessages, type Summary, type TokenCounter } from '@palimpsest/core'
import {
  addToFrame,
  EMPTY_FRAME,
  isWork,
  joinedLength,
  joinFrames,
  readFrame,
  readMaterial,
  recordLength,
  type Section,
  type SummaryFrame,
  TALK_SECTIONS,
  WORK_SECTIONS,
} from '@palimpsest/summaries'
import type { WindowMessage } from './window.ts'

const frames = new WeakMap<Summary, SummaryFrame>()

export function frameOf(summary: Summary): SummaryFrame {
  let frame = frames.get(summary)
  if (frame === undefined) {
    const says = summary.forgotten === undefined && summary.writer !== 'pointer'
    frame = says ? readFrame(summary.text) : EMPTY_FRAME
    frames.set(summary, frame)
  }
  return frame
}

export function storedTokens({ tokens, forgotten }: Summary): number {
  return forgotten === undefined ? tokens : 0
}

function materialOf(summary: Summary): string {
  const { record, said } = frameOf(summary)
  return record || said.join('\n')
}

export interface NodeRequest {
  readonly depth: number
  readonly texts: readonly string[]
  readonly sections: readonly Section[]
  readonly frame: SummaryFrame
  readonly messages: readonly Message[]
  readonly sourceTokens: number
  readonly read: number
  readonly maxTokens: number
  readonly before?: string | undefined
}

export async function leafRequest(
  block: readonly WindowMessage[],
  input: {
    readonly before: Summary | undefined
    readonly records: number
    readonly tokens: TokenCounter
  },
): Promise<NodeRequest> {
  const { before, records, tokens } = input
  const messages = await redactMessages(block.map(({ message }) => message))
  const mark = (index: number) => `m${block[index]?.seq}`
  const frame = await inSlices(addToFrame(EMPTY_FRAME, messages, mark))
  const texts = readMaterial(messages, mark)
  const sourceTokens = block.reduce((sum, message) => sum + message.tokens, 0)
  const read = texts.reduce((sum, text) => sum + tokens.countText(text), 0)
  const earlier = before && materialOf(before)
  return {
    depth: 0,
    texts,
    sections: isWork(messages) ? WORK_SECTIONS : TALK_SECTIONS,
    frame,
    messages,
    sourceTokens,
    read: read + (earlier ? tokens.countText(earlier) : 0),
    maxTokens: recordLength(read, sourceTokens, records),
    ...(earlier && { before: earlier }),
  }
}

export function condensedRequest(
  children: readonly Summary[],
  input: { readonly records: number; readonly tokens: TokenCounter },
): NodeRequest {
  const read = children.filter(({ forgotten }) => forgotten === undefined)
  const texts = read.map(
    (child) => `[s${child.number}, messages m${child.first} to m${child.last}]\n${materialOf(child)}`,
  )
  const size = texts.reduce((sum, text) => sum + input.tokens.countText(text), 0)
  return {
    depth: Math.max(...children.map(({ depth }) => depth)) + 1,
    texts,
    sections: isWork([], texts.join('\n')) ? WORK_SECTIONS : TALK_SECTIONS,
    frame: joinFrames(read.map(frameOf)),
    messages: [],
    sourceTokens: read.reduce((sum, child) => sum + child.tokens, 0),
    read: size,
    maxTokens: joinedLength(size, input.records),
  }
}
