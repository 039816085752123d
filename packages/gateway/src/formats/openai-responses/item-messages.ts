import {
  type AssistantMessage,
  type ContentPart,
  isInstruction,
  isObject,
  looseOf,
  type Message,
  messageText,
  type SystemMessage,
  type ToolCall,
  type ToolMessage,
  toolCallInput,
  toolCallsOf,
  type UserMessage,
} from '@palimpsest/core'
import { parseJson } from '../../parse-json.ts'
import {
  emptyContent,
  emptyPart,
  fillContent,
  type Item,
  type ItemData,
  isCall,
  isMessage,
  isNotice,
  isOutput,
  isPinned,
  isReasoning,
  isSaid,
  partsOf,
  plainPart,
  slotCount,
  toContent,
  toPart,
  toParts,
  withoutIds,
} from './item.ts'

interface ReadOptions {
  readonly instructions?: string | undefined
  /** True if the upstream stores no items, so that an item that is only an id is lost. */
  readonly isStateless: boolean
}

/**
 * Groups items into messages: everything that a model wrote up to the next message or output is one. The rest of an
 * item is kept in provider data, so that `writeItems` restores it.
 */
export function toMessages(items: readonly Item[], { instructions, isStateless }: ReadOptions): Message[] {
  const lead = leadLength(items, instructions !== undefined)
  const system = toSystem(instructions, items.slice(0, lead))
  return [...(system === undefined ? [] : [system]), ...toTurns(items.slice(lead), isStateless)]
}

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

function leadLength(items: readonly Item[], hasInstructions: boolean): number {
  const firstOther = items.findIndex((item) => !isPrompt(item) && !(isPinned(item) && isNotice(item)))
  const lead = items.slice(0, firstOther === -1 ? items.length : firstOther)
  return hasInstructions || lead.some(isPrompt) ? lead.length : 0
}

function isPrompt(item: Item): boolean {
  return isMessage(item) && (item.role === 'system' || item.role === 'developer')
}

/** Reasoning with only a summary for people means nothing to a model without its id. */
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
  /** Notices without a later user message belong to the message before. */
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

function callIdOf({ call_id: callId, id }: Item, idOf: ReadonlyMap<unknown, string>): string {
  return typeof callId === 'string' ? callId : (idOf.get(id) ?? String(id))
}

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

function withData<M extends Message>(message: M, items: readonly Item[], reasoning: readonly Item[] = []): M {
  const known = { ...(reasoning.length > 0 && { reasoning }) }
  const bare = reasoning.length > 0 ? { ...message, providerData: { openai: known } } : message
  if (JSON.stringify(writeItems([bare])) === JSON.stringify(items)) return bare
  const data: ItemData = { ...known, items: items.map(shellOf) }
  return { ...message, providerData: { openai: data } }
}

export interface WrittenPrompt {
  readonly instructions: string | undefined
  readonly items: readonly Item[]
}

/** Unchanged items of messages stay as they came. The system prompt is separate. */
export function writeItems(messages: readonly Message[]): Item[] {
  const custom = new Set<string>()
  return messages.flatMap((message): readonly Item[] => {
    if (message.role === 'assistant') {
      for (const { id, type } of toolCallsOf(message)) if (type === 'custom') custom.add(id)
      return writeAnswer(message)
    }
    const { items: shells, compaction } = dataOf(message)
    if (Array.isArray(compaction)) return compaction
    if (message.role === 'tool')
      return (shells ?? [undefined]).map((shell) =>
        shell === undefined || isOutput(shell) ? writeOutput(message, shell, custom) : shell,
      )
    const plain = { type: 'message', role: message.role, content: [] }
    return (shells ?? [plain]).map((shell) =>
      isSaid(shell) ? { ...shell, content: fillContent(shell.content, partsOf(message)) } : shell,
    )
  })
}

export function writePrompt(message: Message | undefined): WrittenPrompt {
  if (!isInstruction(message)) return { instructions: undefined, items: [] }
  const shells = dataOf(message).items
  const parts = partsOf(message as SystemMessage)
  const slots =
    shells?.map((shell) => ('instructions' in shell ? 1 : isMessage(shell) ? slotCount(shell.content) : 0)) ??
    []
  const taken = slots.reduce((sum, count) => sum + count, 0)
  if (shells === undefined || parts.length < taken) return { instructions: messageText(message), items: [] }
  const places = divide(parts, slots)
  let instructions: string | undefined
  const items = shells.flatMap((shell, index) => {
    const own = places[index] ?? []
    if (isMessage(shell)) return [{ ...shell, content: fillContent(shell.content, own) }]
    if (!('instructions' in shell)) return [shell]
    instructions = textOf(own)
    return []
  })
  const note = textOf(parts.slice(taken))
  const added = { type: 'message', role: 'developer', content: [{ type: 'input_text', text: note }] }
  return { instructions, items: note === '' ? items : [...items, added] }
}

function dataOf({ providerData }: Message): ItemData {
  return looseOf(looseOf(providerData).openai) as ItemData
}

function textOf(parts: readonly ContentPart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n\n')
}

function divide<T>(parts: readonly T[], counts: readonly number[]): T[][] {
  const rest = [...parts]
  return counts.map((count) => rest.splice(0, count))
}

function writeAnswer(message: AssistantMessage): Item[] {
  const data = dataOf(message)
  const calls = new Map(toolCallsOf(message).map((call) => [call.id, call]))
  const items = data.items ?? plainShells(message, data)
  const filled = fillAnswer(items, message, calls, data.reasoning ?? [])
  const isStripped = items.filter(isReasoning).length > (data.reasoning?.length ?? 0)
  const rest = [...calls.values()].map((call) => writeCall(undefined, call))
  const written = [...(isStripped ? withoutIds(filled) : filled), ...rest]
  // Reasoning without a result is refused.
  const last = written.findLastIndex((item) => !isReasoning(item))
  return written.slice(0, last + 1)
}

function fillAnswer(
  shells: readonly Item[],
  message: AssistantMessage,
  calls: Map<string, ToolCall>,
  reasoning: readonly Item[],
): Item[] {
  const thoughts = reasoning.values()
  const parts = partsOf(message)
  const slots = shells.map((shell) => (isMessage(shell) ? slotCount(shell.content) : 0))
  const isSame = slots.reduce((sum, count) => sum + count, 0) === parts.length
  const places = divide(parts, slots)
  const first = slots.findIndex((count) => count > 0)
  return shells.flatMap((shell, index): readonly Item[] => {
    if (isReasoning(shell)) {
      const thought = thoughts.next().value
      return thought === undefined ? [] : [thought]
    }
    if (isMessage(shell)) {
      if (isSame) return [{ ...shell, content: fillContent(shell.content, places[index] ?? [], true) }]
      return index === first && parts.length > 0 ? [{ ...shell, content: fillContent([], parts, true) }] : []
    }
    const id = shell.call_id
    if (!isCall(shell) || typeof id !== 'string') return [shell]
    const call = calls.get(id)
    calls.delete(id)
    return call === undefined ? [] : [writeCall(shell, call)]
  })
}

function plainShells(message: AssistantMessage, { reasoning = [] }: ItemData): Item[] {
  const content = partsOf(message).map((part) => ({ ...plainPart(part, true), ...emptied(part) }))
  return [
    ...reasoning.map(() => ({ type: 'reasoning' })),
    ...(content.length > 0 ? [{ type: 'message', role: 'assistant', content }] : []),
  ]
}

function emptied(part: ContentPart): object {
  return part.type === 'text' ? { text: '' } : {}
}

function writeCall(shell: Item | undefined, call: ToolCall): Item {
  const input = toolCallInput(call)
  if (call.type === 'custom') {
    const { name } = call.custom
    return shell === undefined
      ? { type: 'custom_tool_call', call_id: call.id, name, input }
      : { ...shell, input }
  }
  const { name } = call.function
  if (shell === undefined) return { type: 'function_call', name, arguments: input, call_id: call.id }
  return shell.type === 'function_call' ? { ...shell, arguments: input } : shell
}

function writeOutput(message: ToolMessage, shell: Item | undefined, custom: ReadonlySet<string>): Item {
  const parts = partsOf(message)
  if (shell === undefined) {
    const type = custom.has(message.tool_call_id) ? 'custom_tool_call_output' : 'function_call_output'
    return { type, call_id: message.tool_call_id, output: fillContent('', parts) }
  }
  if (shell.output === undefined) return shell
  if (isObject(shell.output)) {
    const [screenshot] = parts
    const url = screenshot?.type === 'image_url' ? screenshot.image_url.url : BLANK
    return { ...shell, output: { ...shell.output, image_url: url } }
  }
  if (shell.output === null) return { ...shell, output: jsonOutput(shell, messageText(message)) }
  return { ...shell, output: fillContent(shell.output, parts) }
}

const BLANK =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

function jsonOutput({ type }: Item, text: string): unknown {
  const value = parseJson(text)
  if (isObject(value) || Array.isArray(value)) return value
  if (type !== 'shell_call_output') return text
  return [{ stdout: text, stderr: '', outcome: { type: 'exit', exit_code: 0 } }]
}
