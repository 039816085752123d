import type { CachePricing } from '@palimpsest/prompt-caching'
import type { ModelUse } from './summary-writer.ts'

/** What calls cost that read all of their input as it is, without a cache, and write their output. US dollars. */
export function callsUsd(use: ModelUse, { input, output }: CachePricing): number {
  return (use.input * input + use.output * output) / 1_000_000
}
