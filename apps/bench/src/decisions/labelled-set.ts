import { readFile } from 'node:fs/promises'
import { type Message, messageText } from '@palimpsest/core'
import type { ReadMessage } from '@palimpsest/decisions'

/** Mistakes on `dev` may be looked at while rules are written. `unseen` was written without knowledge of any extractor: quote it. */
export const PARTS = ['dev', 'held-out', 'unseen'] as const
export type Part = (typeof PARTS)[number]

export type LabelledPart = { readonly part: Part; readonly conversations: readonly LabelledConversation[] }

export interface LabelledConversation {
  readonly id: string
  readonly language: string
  readonly messages: readonly LabelledMessage[]
}

export interface LabelledMessage {
  readonly message: Message
  readonly labels: readonly Label[]
  /** Of a user's message without labels: why there are none. */
  readonly negative?: string
}

/** The act of a message on a choice. */
export type LabelKind = 'assert' | 'propose' | 'accept' | 'retract'

/** A careful reader's view of a message: a choice that it decides, proposes, takes up or takes back. */
export interface Label {
  /** The kinds that are right; the first one is the one that it is counted under. */
  readonly kinds: readonly [LabelKind, ...LabelKind[]]
  /** A slot of the dictionary, `setting:…`, `name:<old name>`, `rule`, `location`, or `any` where the dictionary has none. */
  readonly slot: string
  readonly value: string
  /** The old value, where the text names it. */
  readonly replaces?: string
  readonly area?: string
  readonly isOptional?: boolean
}

/** The words that begin a label in a file, each followed by the value. A rule is one that the user lays down. */
const KINDS = {
  assert: ['assert'],
  propose: ['propose'],
  accept: ['accept'],
  pick: ['assert', 'accept'],
  retract: ['retract'],
  rule: ['assert'],
} as const satisfies Record<string, Label['kinds']>

const WORDS = Object.keys(KINDS) as (keyof typeof KINDS)[]

type LabelLine = Readonly<Partial<Record<keyof typeof KINDS | 'slot' | 'replaces' | 'area', string>>> & {
  readonly optional?: true
}

/** A message in a file. A call stands with its result, which is data and decides nothing. */
type MessageLine =
  | { readonly user: string; readonly labels?: readonly LabelLine[]; readonly none?: string }
  | { readonly assistant: string; readonly labels?: readonly LabelLine[] }
  | { readonly tool: string; readonly arguments: object; readonly result: string }

/** A part of the labelled set, a conversation on each line. `root`: the bench's folder. */
export async function readPart(root: URL, part: Part): Promise<LabelledPart> {
  const text = await readFile(new URL(`data/decisions/${part}.jsonl`, root), 'utf8')
  return { part, conversations: text.trim().split('\n').map(parseConversation) }
}

export function parseConversation(line: string): LabelledConversation {
  const { messages, ...about } = JSON.parse(line)
  return { ...about, messages: messages.flatMap(readMessage) }
}

function readMessage(line: MessageLine): LabelledMessage[] {
  if ('tool' in line) return callOf(line.tool, line.arguments, line.result)
  const labels = (line.labels ?? []).map(readLabel)
  if ('assistant' in line) return [{ message: { role: 'assistant', content: line.assistant }, labels }]
  const { user: content, none: negative } = line
  return [{ message: { role: 'user', content }, labels, ...(negative !== undefined && { negative }) }]
}

export function readLabel({
  slot = 'rule',
  replaces,
  area,
  optional: isOptional,
  ...said
}: LabelLine): Label {
  const word = WORDS.find((each) => said[each] !== undefined)
  if (word === undefined) throw new Error(`a label has one of ${WORDS.join(', ')}: ${JSON.stringify(said)}`)
  return {
    kinds: KINDS[word],
    slot,
    value: said[word] ?? '',
    ...(replaces !== undefined && { replaces }),
    ...(area !== undefined && { area }),
    ...(isOptional !== undefined && { isOptional }),
  }
}

function callOf(name: string, args: object, result: string): LabelledMessage[] {
  const id = `call-${name}-${result.length}`
  const call = { id, type: 'function', function: { name, arguments: JSON.stringify(args) } } as const
  return [
    { message: { role: 'assistant', content: null, tool_calls: [call] }, labels: [] },
    { message: { role: 'tool', tool_call_id: id, content: result }, labels: [] },
  ]
}

/** The messages of a conversation as the engine hands them to an extractor, one by one. */
export function readConversation({ messages }: LabelledConversation): ReadMessage[] {
  return messages.map(({ message }, index): ReadMessage => {
    if (message.role !== 'user') return { index, message }
    const before = messages.slice(0, index).map((labelled) => labelled.message)
    const at = before.findLastIndex((other) => other.role === 'assistant' && messageText(other) !== '')
    const previous = before[at]
    return previous === undefined
      ? { index, message }
      : { index, message, previous: { index: at, text: messageText(previous) } }
  })
}
