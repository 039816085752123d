import { freezeMessage, type Message, type Sliced } from '@palimpsest/core'
import {
  createIdentifierMemory,
  EXCERPTS_HEADING,
  type IdentifierMemory,
  readFrame,
  type SummaryFrame,
} from '@palimpsest/extractive'
import type { SummaryNode } from '../store/summary-node.ts'

const frames = new WeakMap<SummaryNode, SummaryFrame>()
const proses = new WeakMap<SummaryNode, Message>()
const mentions = new WeakMap<SummaryNode, ReadonlyMap<number, Message>>()

/** The parts of a summary's text, read once. Empty for one that was forgotten, and for one that only points at messages. */
export function frameOf(node: SummaryNode): SummaryFrame {
  let frame = frames.get(node)
  if (frame === undefined) {
    const says = node.forgotten === undefined && node.writer !== 'pointer'
    frame = readFrame(says ? node.text : '')
    frames.set(node, frame)
  }
  return frame
}

/** A summary's text by a model as a message: what names it has is read once. */
export function proseOf(node: SummaryNode): Message {
  const known = proses.get(node)
  if (known !== undefined) return known
  const message: Message = freezeMessage({ role: 'assistant', content: frameOf(node).prose })
  proses.set(node, message)
  return message
}

/** Tokens of a summary's text; 0 when it was deleted. */
export function storedTokens({ tokens, forgotten }: SummaryNode): number {
  return forgotten === undefined ? tokens : 0
}

/** A summary for a summariser to read: a model's text, else the quoted lines. */
export function materialOf(node: SummaryNode): string {
  const { prose, excerpts } = frameOf(node)
  return prose || excerpts
}

/** The parts of several summaries, oldest first, each as one. */
export function joinFrames(nodes: readonly SummaryNode[]): SummaryFrame {
  const all = nodes.map(frameOf)
  const join = (part: keyof SummaryFrame) =>
    all.flatMap((frame) => (frame[part] === '' ? [] : [frame[part]])).join('\n')
  const lines = join('excerpts')
    .split('\n')
    .filter((line) => line !== '' && line !== EXCERPTS_HEADING)
  const excerpts = lines.length === 0 ? '' : [EXCERPTS_HEADING, ...lines].join('\n')
  return { prose: join('prose'), excerpts, identifiers: join('identifiers') }
}

/**
 * The identifiers of the summaries, at the places of the messages that mentioned them: the same after a restart, and
 * without deleted messages.
 */
export function* memoryOf(nodes: readonly SummaryNode[]): Sliced<IdentifierMemory> {
  const memory = createIdentifierMemory()
  for (const node of nodes)
    for (const [seq, message] of mentionsOf(node)) {
      memory.add([message], seq)
      yield
    }
  return memory
}

const QUOTED = /^- m(\d+) ([a-z]+): /

/** The quoted lines as messages by their numbers, and the identifiers as said at the end. */
function mentionsOf(node: SummaryNode): ReadonlyMap<number, Message> {
  const known = mentions.get(node)
  if (known !== undefined) return known
  const { prose, excerpts, identifiers } = frameOf(node)
  const said = new Map<number, Message>()
  let last = node.first
  const add = (seq: number, role: 'user' | 'assistant', text: string): void => {
    last = Math.min(Math.max(last, seq), node.last)
    const before = said.get(last)
    said.set(last, { role, content: before === undefined ? text : `${String(before.content)}\n${text}` })
  }
  for (const line of excerpts.split('\n')) {
    const [label = '', seq, by] = QUOTED.exec(line) ?? []
    if (seq !== undefined) add(Number(seq), by === 'user' ? 'user' : 'assistant', line.slice(label.length))
  }
  add(node.last, 'assistant', `${prose}\n${identifiers}`)
  // A frozen message is read once in its life.
  for (const message of said.values()) freezeMessage(message)
  mentions.set(node, said)
  return said
}
