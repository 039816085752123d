import type { CacheRepair } from '@palimpsest/core'
import { commonBlocks } from '../cache/serve-request.ts'
import type { RequestLayout } from '../layout/request-layout.ts'
import type { CachePricing } from '../pricing/cache-pricing.ts'

/**
 * Thinking that stands behind an edit of what was sent before, for a model that binds thinking to everything in front
 * of it: the provider refuses such a request. A `ContextSession` strips it; this is for hosts that edit by themselves.
 */
export function boundThinking(
  before: RequestLayout | undefined,
  { blocks, hashes }: RequestLayout,
  { bindsThinking }: CachePricing,
): readonly CacheRepair[] {
  if (!bindsThinking || before === undefined) return []
  const common = commonBlocks(before.hashes, hashes)
  if (common === before.hashes.length) return []
  const block = blocks.slice(common).find(({ kind }) => kind === 'thinking')
  if (block?.ref?.at !== 'message') return []
  const message = `message ${block.ref.index} has thinking behind a place where the conversation was edited; strip it (stripReasoning) or set prefix_mismatch_behavior to "drop_block"`
  return [{ rule: 'bound-thinking', message }]
}
