import type { GenerateContentConfig, ThinkingConfig, ThinkingLevel } from '@google/genai'
import type { GeminiRequest } from './gemini-request.ts'
import { thinks } from './model-traits.ts'
import { GEMINI_DEFAULTS, type GeminiThinking } from './options.ts'
import type { GeminiSettings } from './resolve-options.ts'
import { toolDeclarations } from './tool-declarations.ts'

/** Everything of a request but its contents, in the SDK's shape. */
export function generationConfig(
  { model, thinking }: GeminiSettings,
  { systemInstruction, tools, maxOutputTokens }: Omit<GeminiRequest, 'contents'>,
): GenerateContentConfig {
  const thinkingConfig = toThinkingConfig(thinking)
  return {
    ...(systemInstruction === undefined ? {} : { systemInstruction }),
    ...toolDeclarations(tools),
    ...(maxOutputTokens === undefined
      ? {}
      : { maxOutputTokens: outputLimit(maxOutputTokens, model, thinking) }),
    ...(Object.keys(thinkingConfig).length === 0 ? {} : { thinkingConfig }),
  }
}

/** The limit that leaves room for the answer: thinking is counted against it. */
function outputLimit(answerTokens: number, model: string, { budgetTokens = -1 }: GeminiThinking): number {
  if (!thinks(model)) return answerTokens
  const allowance = budgetTokens < 0 ? GEMINI_DEFAULTS.thinkingAllowanceTokens : budgetTokens
  return Math.max(answerTokens, Math.min(answerTokens + allowance, GEMINI_DEFAULTS.outputCeilingTokens))
}

function toThinkingConfig({ budgetTokens, level, summaries }: GeminiThinking): ThinkingConfig {
  return {
    ...(budgetTokens === undefined ? {} : { thinkingBudget: budgetTokens }),
    ...(level === undefined ? {} : { thinkingLevel: level.toUpperCase() as ThinkingLevel }),
    ...(summaries === undefined ? {} : { includeThoughts: summaries }),
  }
}
