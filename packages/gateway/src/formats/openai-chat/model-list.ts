import { looseOf } from '@palimpsest/core'

/** How servers call a model's window in their lists: OpenRouter, vLLM, Groq, Mistral and LM Studio, LiteLLM. */
const FIELDS = ['context_length', 'max_model_len', 'context_window', 'max_context_length', 'max_input_tokens']
/** Below this, in tokens, a number is no window of a chat model. */
const LEAST_WINDOW = 256

export function readWindows(list: unknown): ReadonlyMap<string, number> {
  const { data } = looseOf(list)
  const windows = new Map<string, number>()
  for (const entry of Array.isArray(data) ? data : []) {
    const model = looseOf(entry)
    const found = FIELDS.map((field) => model[field]).find(isWindow)
    if (typeof model.id === 'string' && isWindow(found)) windows.set(model.id, found)
  }
  return windows
}

function isWindow(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= LEAST_WINDOW
}
