import type { ChatModel, CompletionModel } from '@palimpsest/core'
import { createGeminiChat, createGeminiCompletion } from '@palimpsest/gemini'

type JudgeModels = { readonly answerer: ChatModel; readonly judge: CompletionModel }

/** Of two generations, so that the judge does not meet its own words. Both have known prices. */
const JUDGE_DEFAULTS = { answerer: 'gemini-3-flash-preview', judge: 'gemini-2.5-flash' } as const

/** Variables that say which models are used. */
export interface JudgeEnvironment {
  readonly GEMINI_API_KEY?: string | undefined
  readonly PALIMPSEST_BENCH_MODEL?: string | undefined
  readonly PALIMPSEST_BENCH_JUDGE?: string | undefined
}

/** Gemini with a key, undefined without one. `fetch` sends the requests; default: the runtime's. */
export function createJudgeModels(
  environment: JudgeEnvironment,
  options: { readonly fetch?: typeof fetch } = {},
): JudgeModels | undefined {
  const apiKey = environment.GEMINI_API_KEY
  if (!apiKey?.trim()) return undefined
  const { PALIMPSEST_BENCH_MODEL, PALIMPSEST_BENCH_JUDGE } = environment
  return {
    answerer: createGeminiChat({
      ...options,
      apiKey,
      model: PALIMPSEST_BENCH_MODEL || JUDGE_DEFAULTS.answerer,
    }),
    judge: createGeminiCompletion({
      ...options,
      apiKey,
      model: PALIMPSEST_BENCH_JUDGE || JUDGE_DEFAULTS.judge,
    }),
  }
}
