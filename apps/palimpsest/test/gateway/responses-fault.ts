import { type Loose, looseOf } from '@palimpsest/core'

/** A body that the upstream got at `/responses`. */
export interface ResponsesBody {
  readonly model: string
  readonly instructions?: string | null
  readonly input: string | readonly Loose[]
  readonly tools?: readonly Loose[]
  readonly stream?: boolean
  readonly store?: boolean
  readonly [field: string]: unknown
}

const PARTS: Readonly<Record<string, readonly string[]>> = {
  assistant: ['output_text', 'refusal'],
  user: ['input_text', 'input_image', 'input_file'],
  system: ['input_text'],
  developer: ['input_text'],
}
/** Items that reasoning may lead to, beside a message. */
const LED_TO = /^(?:[a-z_]+_call)$/

/** Why OpenAI would refuse a request's items or tools; undefined when it would take them. */
export function responsesFault({ input, tools = [], store }: ResponsesBody): string | undefined {
  const names = tools.map((tool) => tool.name ?? tool.type)
  if (new Set(names).size < names.length) return 'Tool names must be unique.'
  if (typeof input === 'string') return undefined
  if (!Array.isArray(input) || input.length === 0) return "Invalid 'input': empty array."
  const open = new Map<unknown, unknown>()
  const called = new Set<unknown>()
  for (const [index, item] of input.entries()) {
    const at = `input[${index}]`
    const fault = itemFault(item, store)
    if (fault !== undefined) return `${fault} (${at})`
    const { type, call_id: id } = item
    if (type === 'reasoning') {
      const next = looseOf(input[index + 1])
      const isLed = next.type === 'message' ? next.role === 'assistant' : LED_TO.test(String(next.type))
      if (!isLed)
        return `Item '${item.id}' of type 'reasoning' was provided without its required following item.`
    }
    if (type === 'function_call' || type === 'custom_tool_call') {
      if (called.has(id)) return `Duplicate call ${id}. (${at})`
      called.add(id)
      open.set(id, `${type}_output`)
    }
    if (type === 'function_call_output' || type === 'custom_tool_call_output') {
      const wanted = open.get(id)
      if (!open.delete(id) || type !== wanted)
        return `No tool call found for output with call_id ${id}. (${at})`
    }
  }
  return open.size > 0 ? `No tool output found for function call ${[...open.keys()]}.` : undefined
}

function itemFault(item: Loose, store: boolean | undefined): string | undefined {
  const { type = 'message', role, content } = item
  if (type === 'message') {
    const parts = PARTS[String(role)]
    if (parts === undefined) return `Invalid value: '${role}'.`
    if (typeof content === 'string') return undefined
    if (!Array.isArray(content) || content.length === 0) return 'Invalid content.'
    const wrong = content.find((part) => !parts.includes(part.type))
    return wrong === undefined ? undefined : `Invalid value: '${wrong.type}' in a message of ${role}.`
  }
  if (type === 'reasoning' && store === false && typeof item.encrypted_content !== 'string')
    return `Item with id '${item.id}' not found. Items are not persisted when \`store\` is set to false.`
  if (type === 'function_call') return isJson(item.arguments) ? undefined : 'Invalid arguments.'
  if (type === 'custom_tool_call') return typeof item.input === 'string' ? undefined : 'Invalid input.'
  if (type === 'function_call_output' || type === 'custom_tool_call_output')
    return typeof item.output === 'string' || Array.isArray(item.output) ? undefined : 'Invalid output.'
  return undefined
}

function isJson(value: unknown): boolean {
  try {
    return typeof value === 'string' && JSON.parse(value) !== undefined
  } catch {
    return false
  }
}

/** Remembers what each reasoning item was written behind, and what it led to. */
export function createReasoningRules(isBound = true) {
  const known = new Map<unknown, { readonly before: string; readonly ids: ReadonlySet<unknown> }>()
  let checked = 0
  return {
    /** Reasoning items that came back where they were given. */
    get checked() {
      return checked
    },
    given({ instructions, input }: ResponsesBody, output: readonly Loose[]) {
      const ids = new Set(output.map(({ id }) => id))
      const before = list(input)
      for (const [index, item] of output.entries())
        if (item.type === 'reasoning')
          known.set(item.encrypted_content, {
            before: JSON.stringify([instructions ?? null, ...before, ...output.slice(0, index)].map(said)),
            ids,
          })
    },
    fault({ instructions, input }: ResponsesBody): string | undefined {
      const items = list(input)
      const given = new Set<unknown>()
      for (const [index, item] of items.entries()) {
        if (item.type !== 'reasoning') continue
        const rule = known.get(item.encrypted_content)
        if (rule === undefined) return `input[${index}]: the encrypted content could not be verified`
        for (const id of rule.ids) given.add(id)
        checked++
        const before = JSON.stringify([instructions ?? null, ...items.slice(0, index)].map(said))
        if (isBound && before !== rule.before)
          return `input[${index}]: reasoning behind another beginning than its own`
      }
      const bound = new Set([...known.values()].flatMap(({ ids }) => [...ids]))
      const lone = items.find(({ id }) => id !== undefined && bound.has(id) && !given.has(id))
      return lone === undefined
        ? undefined
        : `Item '${lone.id}' of type '${lone.type}' was provided without its required 'reasoning' item.`
    },
  }
}

function list(input: ResponsesBody['input']): readonly Loose[] {
  return typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input
}

/** An item without what clients leave out when they send it back. */
function said(item: unknown): unknown {
  const { id: _, status: __, ...known } = looseOf(item)
  const rest = { type: 'message', ...known }
  return typeof item === 'string' || item === null ? item : JSON.stringify(rest, Object.keys(rest).sort())
}
