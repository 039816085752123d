import type { Clock } from '@palimpsest/core'
import { looseOf } from '@palimpsest/core/provider'

/** How servers call a model's window in their lists: OpenRouter, vLLM, Groq, Mistral and LM Studio, LiteLLM. */
const FIELDS = ['context_length', 'max_model_len', 'context_window', 'max_context_length', 'max_input_tokens']
/** How long it holds that there is no list, in milliseconds: a wrong key is put right, and a server starts. */
const AGE_OF_NONE = 30_000
/** Below this, in tokens, a number is no window of a chat model. */
const LEAST_WINDOW = 256

/** How large models' windows are, in tokens. */
export interface ModelWindows {
  /**
   * The window of a model: from the configuration, else from the upstream's list, else the default. Never fails.
   *
   * @param ask requests the upstream's list.
   */
  find(model: string, ask: () => Promise<Response>): Promise<number>
  /** Reads a list that a client asked for. */
  read(list: unknown): void
}

interface ModelWindowsInput {
  /** Of models that nothing is known of. */
  readonly window: number
  readonly windows: Readonly<Record<string, number>>
  /** How long a list holds, in milliseconds. */
  readonly age: number
  readonly clock: Clock
}

export function createModelWindows({ window, windows, age, clock }: ModelWindowsInput): ModelWindows {
  const listed = new Map<string, number>()
  let asked: Promise<void> | undefined
  let until = 0

  const read = (list: unknown): void => {
    const { data } = looseOf(list)
    for (const entry of Array.isArray(data) ? data : []) {
      const model = looseOf(entry)
      const found = FIELDS.map((field) => model[field]).find(isWindow)
      if (typeof model.id === 'string' && isWindow(found)) listed.set(model.id, found)
    }
  }

  const load = async (ask: () => Promise<Response>): Promise<void> => {
    try {
      const response = await ask()
      if (response.ok) return read(await response.json())
      await response.body?.cancel()
    } catch {
      // Many servers have no list, or none with windows: the default is there for them.
    }
    until = clock.now() + Math.min(age, AGE_OF_NONE)
  }

  return {
    async find(model, ask) {
      if (Object.hasOwn(windows, model)) return windows[model] ?? window
      if (clock.now() >= until) {
        until = clock.now() + age
        asked = load(ask)
      }
      await asked
      return listed.get(model) ?? window
    },
    read,
  }
}

function isWindow(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= LEAST_WINDOW
}
