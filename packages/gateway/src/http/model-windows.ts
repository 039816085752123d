import { type Clock, looseOf } from '@palimpsest/core'

/**
 * The time after which a missing list is asked for again, in milliseconds: a wrong key is put right, and a server
 * starts.
 */
const AGE_OF_NONE = 30_000

export type ModelWindows = ReturnType<typeof createModelWindows>

interface ModelWindowsInput {
  /** Of models that nothing is known of. */
  readonly window: number
  readonly windows: Readonly<Record<string, number>>
  /** The lifetime of a list, in milliseconds. */
  readonly age: number
  readonly clock: Clock
}

/** The windows of models, in tokens. */
export function createModelWindows({ window, windows, age, clock }: ModelWindowsInput) {
  const listed = new Map<string, number>()
  let asked: Promise<void> | undefined
  let until = 0

  /** Reads a list that a client asked for. */
  const read = (list: unknown): void => {
    for (const [model, found] of readWindows(list)) listed.set(model, found)
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
    /**
     * The window of a model: from the configuration, else from the request, else from the upstream's list, else the default.
     * Never fails.
     *
     * @param ask requests the upstream's list.
     * @param said what the request itself says.
     */
    async find(model: string, ask: () => Promise<Response>, said?: number): Promise<number> {
      if (Object.hasOwn(windows, model)) return windows[model] ?? window
      if (said !== undefined) return said
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

/** Names of a model's window in the lists of servers: OpenRouter, vLLM, Groq, Mistral and LM Studio, Anthropic and LiteLLM. */
const FIELDS = ['context_length', 'max_model_len', 'context_window', 'max_context_length', 'max_input_tokens']
/** Below this, in tokens, a number is no window of a chat model. */
const LEAST_WINDOW = 256

/** The windows of models by their names, in tokens, as far as a list of models says them. */
function readWindows(list: unknown): ReadonlyMap<string, number> {
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
