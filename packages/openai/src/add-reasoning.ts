import { isObject, type Loose } from '@palimpsest/core'

/** Reasoning as text: DeepSeek and vLLM, OpenRouter and Ollama. */
const textFields = ['reasoning_content', 'reasoning'] as const

export const reasoningFields = [...textFields, 'reasoning_details'] as const

export function addReasoning(reasoning: Loose, message: Loose): Loose {
  const added: Record<string, unknown> = {}
  for (const field of textFields) {
    const piece = message[field]
    if (typeof piece === 'string' && piece !== '') added[field] = `${reasoning[field] ?? ''}${piece}`
  }
  const details = message.reasoning_details
  if (Array.isArray(details) && details.length > 0)
    added.reasoning_details = details.filter(isObject).reduce(addDetail, listOf(reasoning.reasoning_details))
  return Object.keys(added).length === 0 ? reasoning : { ...reasoning, ...added }
}

/**
 * OpenRouter sends details in pieces: those of one index and type are joined, and other members, such as the signature,
 * come with the last piece (https://openrouter.ai/docs/use-cases/reasoning-tokens).
 */
function addDetail(details: readonly Loose[], piece: Loose): readonly Loose[] {
  const last = details.at(-1)
  if (
    last === undefined ||
    last.index === undefined ||
    last.index !== piece.index ||
    last.type !== piece.type
  )
    return [...details, piece]
  const joined: Record<string, unknown> = { ...last }
  for (const [key, value] of Object.entries(piece)) {
    if (value === null || value === undefined) continue
    const before = last[key]
    joined[key] =
      isText(key) && typeof value === 'string' && typeof before === 'string' ? before + value : value
  }
  return [...details.slice(0, -1), joined]
}

function isText(key: string): boolean {
  return key === 'text' || key === 'summary' || key === 'data'
}

function listOf(value: unknown): readonly Loose[] {
  return Array.isArray(value) ? value : []
}
