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
} from '@palimpsest/core'
import { parseJson } from '../../parse-json.ts'
import {
  type Item,
  type ItemData,
  isCall,
  isMessage,
  isOutput,
  isReasoning,
  isSaid,
  withoutIds,
} from './item.ts'
import { fillContent, partsOf, plainPart, slotCount } from './item-content.ts'

export interface WrittenPrompt {
  /** Undefined when there is none. */
  readonly instructions: string | undefined
  readonly items: readonly Item[]
}

/** The items of messages, a system prompt at the beginning aside. What an item was left in its message stays as it came. */
export function writeItems(messages: readonly Message[]): Item[] {
  const custom = new Set<string>()
  return messages.flatMap((message): readonly Item[] => {
    if (message.role === 'assistant') {
      for (const { id, type } of toolCallsOf(message)) if (type === 'custom') custom.add(id)
      return writeAnswer(message)
    }
    const shells = dataOf(message).items
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

/** A system prompt as instructions and items in front of all others. */
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

/** The part of its items that a message keeps. */
export function dataOf({ providerData }: Message): ItemData {
  return looseOf(looseOf(providerData).openai) as ItemData
}

function textOf(parts: readonly ContentPart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n\n')
}

/** The parts in pieces of so many each. */
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
  // Reasoning that led to nothing is refused.
  const last = written.findLastIndex((item) => !isReasoning(item))
  return written.slice(0, last + 1)
}

/** Takes the calls that it writes. */
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

/** Reasoning, text, calls: the order in which models write. */
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

/** A screenshot that is not shown any more. */
const BLANK =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

function jsonOutput({ type }: Item, text: string): unknown {
  const value = parseJson(text)
  if (isObject(value) || Array.isArray(value)) return value
  if (type !== 'shell_call_output') return text
  return [{ stdout: text, stderr: '', outcome: { type: 'exit', exit_code: 0 } }]
}
