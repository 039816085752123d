import type { GenerateContentResponseUsageMetadata } from '@google/genai'
import { normalizeUsage, type Usage } from '@palimpsest/core'

/**
 * Gemini's counts as `Usage`. The prompt includes cached tokens and what tools of Google's own fed back into it;
 * the completion includes thoughts. Undefined when the prompt was not counted.
 */
export function toUsage(metadata: GenerateContentResponseUsageMetadata | undefined): Usage | undefined {
  const prompt = count(metadata?.promptTokenCount)
  if (metadata === undefined || prompt === undefined) return undefined
  const promptTokenCount = prompt + (count(metadata.toolUsePromptTokenCount) ?? 0)
  return normalizeUsage({ ...metadata, promptTokenCount, totalTokenCount: undefined })
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}
