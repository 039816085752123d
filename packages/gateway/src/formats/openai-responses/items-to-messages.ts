import {
  type AssistantMessage,
  type ContentPart,
  isObject,
  type Message,
  type SystemMessage,
  type ToolCall,
  type ToolMessage,
  type UserMessage,
} from '@palimpsest/core'
import {
  type Item,
  type ItemData,
  isCall,
  isMessage,
  isNotice,
  isOutput,
  isPinned,
  isReasoning,
  isSaid,
  withoutIds,
} from './item.ts'
import { emptyContent, emptyPart, toContent, toPart, toParts } from './item-content.ts'
import { dataOf, writeItems } from './messages-to-items.ts'

interface ReadOptions {
  /** The developer's text beside the items. */
  readonly instructions?: string | undefined
  /** Whether the upstream keeps no items, so that what an id alone stands for is lost. */
  readonly isStateless: boolean
}

/**
 * The items of a request as messages: all that a model wrote up to the next message or output is one. What a message has no
 * place for stands in its provider data, so that `writeItems` writes the same items again.
 */
export function toMessages(items: readonly Item[], { instructions, isStateless }: ReadOptions): Message[] {
  const lead = leadLength(items, instructions !== undefined)
  const system = toSystem(instructions, items.slice(0, lead))
  return [...(system === undefined ? [] : [system]), ...toTurns(items.slice(lead), isStateless)]
}

/** The items of one answer as a message. */
export function toAnswer(items: readonly Item[], isStateless: boolean): AssistantMessage {
  const kept = items.filter((item) => !(isStateless && isLost(item)))
  const usable = kept.length === items.length ? kept : withoutIds(kept)
  const parts = usable.filter(isMessage).flatMap(({ content }) => toParts(content))
  const calls = usable.flatMap((item) => toCall(item) ?? [])
  const reasoning = usable.filter(isReasoning)
  const label = `[${usable.find((item) => !isReasoning(item))?.type ?? 'reasoning'}]`
  const said = parts.length > 0 ? toContent(parts) : calls.length > 0 ? null : label
  const message: AssistantMessage = {
    role: 'assistant',
    content: said as AssistantMessage['content'] & {},
    ...(calls.length > 0 && { tool_calls: calls }),
  }
  return withData(message, usable, reasoning)
}

/** The number of items at the beginning that are the developer's. Without a text they are not a system prompt. */
function leadLength(items: readonly Item[], hasInstructions: boolean): number {
  const firstOther = items.findIndex((item) => !isPrompt(item) && !isPinned(item))
  const lead = items.slice(0, firstOther === -1 ? items.length : firstOther)
  return hasInstructions || lead.some(isPrompt) ? lead.length : 0
}

function isPrompt(item: Item): boolean {
  return isMessage(item) && (item.role === 'system' || item.role === 'developer')
}

/** Reasoning of which only a summary for people came. Without its id it says nothing to a model. */
function isLost(item: Item): boolean {
  const { encrypted_content: encrypted, content } = item
  return isReasoning(item) && !encrypted && !(Array.isArray(content) && content.length > 0)
}

function toSystem(instructions: string | undefined, items: readonly Item[]): SystemMessage | undefined {
  if (instructions === undefined && items.length === 0) return undefined
  const parts = [instructions ?? [], items.filter(isMessage).map(({ content }) => content)]
    .flat()
    .flatMap(toParts)
  const message: SystemMessage = { role: 'system', content: toContent(parts) as SystemMessage['content'] }
  if (items.length === 0) return message
  const shells = [...(instructions === undefined ? [] : [{ instructions: '' }]), ...items.map(shellOf)]
  return { ...message, providerData: { openai: { items: shells } satisfies ItemData } }
}

function toTurns(items: readonly Item[], isStateless: boolean): Message[] {
  /** A message each, or an answer with the outputs of its calls. */
  const turns: Message[][] = []
  const turnOf = new Map<string, Message[]>()
  const idOf = new Map<unknown, string>()
  let answer: Item[] = []
  let notices: Item[] = []

  const endAnswer = () => {
    if (answer.length === 0) return
    const message = toAnswer(answer, isStateless)
    const turn: Message[] = [message]
    for (const { id } of message.tool_calls ?? []) turnOf.set(id, turn)
    turns.push(turn)
    answer = []
  }
  /** Notices that no message of the user follows go with the message before them. */
  const endNotices = () => {
    if (notices.length === 0) return
    endAnswer()
    const turn = turns.at(-1)
    const last = turn?.pop()
    if (turn === undefined || last === undefined) answer = notices
    else turn.push(withNotices(last, notices))
    notices = []
  }

  for (const item of items) {
    if (isNotice(item)) {
      notices.push(item)
      continue
    }
    if (isSaid(item)) {
      endAnswer()
      turns.push([toUser([...notices, item])])
      notices = []
      continue
    }
    endNotices()
    if (!isOutput(item) || typeof (item.call_id ?? item.id) !== 'string') {
      answer.push(item)
      if (typeof item.call_id === 'string') idOf.set(item.id, item.call_id)
      continue
    }
    const id = callIdOf(item, idOf)
    if (!turnOf.has(id)) endAnswer()
    const turn = turnOf.get(id)
    if (turn === undefined) turns.push([toResult(item, id)])
    else turn.push(toResult(item, id))
  }
  endNotices()
  endAnswer()
  return turns.flat()
}

/** Some outputs name the item of their call. */
function callIdOf({ call_id: callId, id }: Item, idOf: ReadonlyMap<unknown, string>): string {
  return typeof callId === 'string' ? callId : (idOf.get(id) ?? String(id))
}

/** A message of the user, or of the developer in the middle of the conversation, with what belongs to it. */
function toUser(items: readonly Item[]): UserMessage {
  const content = toContent(toParts(items.find(isSaid)?.content)) as UserMessage['content']
  return withData({ role: 'user', content }, items)
}

function toResult(item: Item, id: string): ToolMessage {
  const content = toContent(outputParts(item)) as ToolMessage['content']
  return withData({ role: 'tool', tool_call_id: id, content }, [item])
}

function outputParts({ output }: Item): ContentPart[] {
  if (output === undefined) return []
  if (isScreenshot(output)) return [toPart(output)]
  return isJsonOutput(output) ? [{ type: 'text', text: JSON.stringify(output) }] : toParts(output)
}

/** Whether an output is neither text nor a list of parts, as of a shell. */
function isJsonOutput(output: unknown): boolean {
  if (Array.isArray(output)) return output.some((part) => typeof (part as Item | null)?.type !== 'string')
  return typeof output !== 'string'
}

function isScreenshot(output: unknown): boolean {
  return isObject(output) && typeof output.image_url === 'string'
}

function toCall(item: Item): ToolCall | undefined {
  const { type, call_id: id, name } = item
  if (!isCall(item) || typeof id !== 'string') return undefined
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value ?? {}))
  if (type === 'function_call')
    return { id, type: 'function', function: { name: String(name), arguments: text(item.arguments) } }
  if (type === 'custom_tool_call')
    return { id, type: 'custom', custom: { name: String(name), input: text(item.input) } }
  const { type: _, call_id: __, id: ___, status: ____, ...payload } = item
  const plain = String(type).slice(0, -'_call'.length)
  return { id, type: 'function', function: { name: plain, arguments: JSON.stringify(payload) } }
}

/** An item without what its message holds. */
function shellOf(item: Item): Item {
  if (isReasoning(item)) return { type: 'reasoning' }
  if (isMessage(item)) return { ...item, content: emptyContent(item.content) }
  if (item.type === 'function_call' && typeof item.arguments === 'string') return { ...item, arguments: '' }
  if (item.type === 'custom_tool_call' && typeof item.input === 'string') return { ...item, input: '' }
  if (!isOutput(item) || item.output === undefined) return item
  if (isScreenshot(item.output)) return { ...item, output: emptyPart(item.output) }
  return { ...item, output: isJsonOutput(item.output) ? null : emptyContent(item.output) }
}

function withNotices(message: Message, notices: readonly Item[]): Message {
  const items = [...writeItems([message]).map(shellOf), ...notices]
  return { ...message, providerData: { openai: { ...dataOf(message), items } satisfies ItemData } }
}

/** The message with what it has no place for, if there is anything. */
function withData<M extends Message>(message: M, items: readonly Item[], reasoning: readonly Item[] = []): M {
  const known = { ...(reasoning.length > 0 && { reasoning }) }
  const bare = reasoning.length > 0 ? { ...message, providerData: { openai: known } } : message
  if (JSON.stringify(writeItems([bare])) === JSON.stringify(items)) return bare
  const data: ItemData = { ...known, items: items.map(shellOf) }
  return { ...message, providerData: { openai: data } }
}
