/** The parts of a request that Gemini has rules about. */
interface WirePart {
  text?: string
  thought?: boolean
  thoughtSignature?: string
  functionCall?: { id?: string; name?: string; args?: unknown }
  functionResponse?: { id?: string; name?: string; response?: unknown }
  inlineData?: unknown
  fileData?: unknown
}

export interface WireContent {
  role?: string
  parts?: WirePart[]
}

const halfCharacter = /\p{Surrogate}/u

/**
 * Gemini's complaint about a request, as far as it is known from its documentation and from reports of
 * its 400s. Undefined for a request that it would take.
 */
export function brokenRule(bodyText: string, model: string): string | undefined {
  let broken = false
  const { contents = [] } = JSON.parse(bodyText, (key, value: unknown) => {
    broken ||= halfCharacter.test(key) || (typeof value === 'string' && halfCharacter.test(value))
    return value
  }) as { contents?: WireContent[] }
  if (broken) return 'Invalid JSON payload received. Lone surrogate.'
  if (contents.length === 0) return 'contents is not specified'
  if (contents[0]?.role !== 'user')
    return 'Please ensure that function call turn comes immediately after a user turn'
  return contents
    .map((_, index) => brokenContent(contents, index, model))
    .find((message) => message !== undefined)
}

function brokenContent(contents: WireContent[], index: number, model: string): string | undefined {
  const { role, parts = [] } = contents[index] ?? {}
  const next = contents[index + 1]
  if (role !== 'user' && role !== 'model') return 'Please use a valid role: user, model.'
  if (next?.role === role) return 'Please ensure that multiturn requests alternate between user and model'
  if (parts.length === 0) return 'must include at least one parts field'
  if (parts.some((part) => part.text === '' && !part.thoughtSignature)) return 'empty text parameter'
  if (parts.some(hasNoData)) return "required oneof field 'data' must have one initialized field"
  const calls = parts.flatMap((part) => part.functionCall ?? [])
  const responses = (role === 'model' ? (next?.parts ?? []) : []).flatMap(
    (part) => part.functionResponse ?? [],
  )
  if (role === 'model' && calls.length !== responses.length)
    return 'Please ensure that the number of function response parts is equal to the number of function call parts'
  for (const [at, call] of calls.entries()) {
    if (!call.name || !isRecord(call.args)) return 'function_call.name: Name cannot be empty'
    if (call.name !== responses[at]?.name || call.id !== responses[at]?.id)
      return 'function response does not match'
    if (!isRecord(responses[at]?.response)) return 'function_response.response: must be an object'
  }
  const first = parts.find((part) => part.functionCall)
  if (first && !first.thoughtSignature && model.startsWith('gemini-3'))
    return 'Function call is missing a thought_signature in functionCall parts.'
  return undefined
}

function hasNoData(part: WirePart): boolean {
  const { thought: _, thoughtSignature: __, ...data } = part
  return Object.values(data).filter((value) => value !== undefined).length !== 1
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
