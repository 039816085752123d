import { isObject, type Loose } from '@palimpsest/core'
import { jsonText } from './wire-text.ts'

/** The members of a message beside its content and its calls. */
export interface MessageEnvelope {
  /** Role, name, id of the call and whatever else there is, as JSON. Not the host's id: it is never sent. */
  readonly text: string
  /** Reasoning that travels as `providerData.<provider>.reasoning`, as JSON; undefined without any. */
  readonly thinking: string | undefined
}

/** Reads everything but content and calls. Members that are null say nothing. */
export function readEnvelope(message: Loose): MessageEnvelope {
  // Pairs, because a key named __proto__ cannot be copied by assignment.
  const members: [string, unknown][] = []
  const thoughts: [string, unknown][] = []
  for (const [key, value] of Object.entries(message)) {
    if (value === null || value === undefined || isReadElsewhere(key, value)) continue
    if (key !== 'providerData' || !isObject(value)) members.push([key, value])
    else members.push(...readProviderData(value, message.role === 'assistant' ? thoughts : null))
  }
  return {
    text: jsonText(members),
    thinking: thoughts.length === 0 ? undefined : jsonText(thoughts),
  }
}

function isReadElsewhere(key: string, value: unknown): boolean {
  if (key === 'content') return typeof value === 'string' || Array.isArray(value)
  return key === 'id' || key === 'tool_calls'
}

/** Data of providers by name, their reasoning taken out where it is asked for. */
function readProviderData(data: Loose, thoughts: [string, unknown][] | null): [string, unknown][] {
  const members: [string, unknown][] = []
  for (const [provider, value] of Object.entries(data)) {
    if (thoughts === null || !isObject(value) || !saysSomething(value.reasoning)) {
      members.push([`providerData.${provider}`, value])
      continue
    }
    const { reasoning, ...rest } = value
    thoughts.push([provider, reasoning])
    if (Object.keys(rest).length > 0) members.push([`providerData.${provider}`, rest])
  }
  return members
}

function saysSomething(reasoning: unknown): boolean {
  if (reasoning === undefined || reasoning === null || reasoning === '') return false
  return !Array.isArray(reasoning) || reasoning.length > 0
}
