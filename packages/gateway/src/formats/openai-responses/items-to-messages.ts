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
import { type Item, type ItemData, isCall, isMessage, isOutput, isReasoning, withoutIds } from './item.ts'
import { emptyContent, emptyPart, toContent, toPart, toParts } from './item-content.ts'
import { writeItems } from './messages-to-items.ts'

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
  const firstOther = items.findIndex((item) => !isPrompt(item))
  const lead = firstOther === -1 ? items.length : firstOther
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
  const parts = [instructions ?? [], items.map(({ content }) => content)].flat().flatMap(toParts)
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

  const endAnswer = () => {
    if (answer.length === 0) return
    const message = toAnswer(answer, isStateless)
    const turn: Message[] = [message]
    for (const { id } of message.tool_calls ?? []) turnOf.set(id, turn)
    for (const { id, call_id: callId } of answer) if (typeof callId === 'string') idOf.set(id, callId)
    turns.push(turn)
    answer = []
  }

  for (const item of items) {
    if (isOutput(item) && typeof (item.call_id ?? item.id) === 'string') {
      if (!turnOf.has(callIdOf(item, idOf))) endAnswer()
      const result = toResult(item, callIdOf(item, idOf))
      const turn = turnOf.get(result.tool_call_id)
      if (turn === undefined) turns.push([result])
      else turn.push(result)
    } else if (isMessage(item) && item.role !== 'assistant') {
      endAnswer()
      turns.push([toUser(item)])
    } else answer.push(item)
  }
  endAnswer()
  return turns.flat()
}

/** Some outputs name the item of their call. */
function callIdOf({ call_id: callId, id }: Item, idOf: ReadonlyMap<unknown, string>): string {
  return typeof callId === 'string' ? callId : (idOf.get(id) ?? String(id))
}

/** Of the user, or of the developer in the middle of the conversation. */
function toUser(item: Item): UserMessage {
  return withData({ role: 'user', content: toContent(toParts(item.content)) as UserMessage['content'] }, [
    item,
  ])
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

/** The message with what it has no place for, if there is anything. */
function withData<M extends Message>(message: M, items: readonly Item[], reasoning: readonly Item[] = []): M {
  const known = { ...(reasoning.length > 0 && { reasoning }) }
  const bare = reasoning.length > 0 ? { ...message, providerData: { openai: known } } : message
  if (JSON.stringify(writeItems([bare])) === JSON.stringify(items)) return bare
  const data: ItemData = { ...known, items: items.map(shellOf) }
  return { ...message, providerData: { openai: data } }
}
