import { isObject, normalizeUsage, type Usage } from '@palimpsest/core'

/** The counts of a response as `Usage`. Undefined when the prompt was not counted; servers that count later say 0. */
export function toUsage(counts: unknown): Usage | undefined {
  if (!isObject(counts) || !(Number(counts.prompt_tokens) > 0)) return undefined
  return normalizeUsage(counts)
}
