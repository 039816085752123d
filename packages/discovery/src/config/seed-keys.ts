import { isObject } from '@palimpsest/core'
import { closestName, schemaKeys } from '@palimpsest/core/options'
import { configSchema } from './config-schema.ts'

/**
 * What Hermes Agent knows in a block of the same name and this host does not (`cli-config.yaml.example` and the defaults of
 * its `config.py`, September 2026). Its tasks in `auxiliary` are many: each key there is one.
 */
const COMPRESSION = [
  ...['summary_model', 'summary_provider', 'summary_base_url', 'threshold_tokens', 'model_thresholds'],
  ...['min_tail_user_messages', 'tail_mode', 'max_attempts', 'in_place', 'checkpoint_required'],
  ...['abort_on_summary_failure', 'progress_notices', 'idle_compact_after_seconds'],
  ...['codex_gpt55_autoraise', 'codex_app_server_auto'],
  ...['codex_responses_native', 'codex_responses_compact_threshold'],
  ...['proactive_prune_tokens', 'proactive_prune_min_result_chars', 'proactive_prune_min_reclaim_tokens'],
  ...['hygiene_hard_message_limit', 'hygiene_timeout_seconds', 'hygiene_total_ceiling_seconds'],
  ...['hygiene_max_turn_hold_seconds', 'hygiene_failure_cooldown_seconds'],
]

type Blocks = Readonly<Record<string, unknown>>

/**
 * Takes the keys out of a configuration that a user of Hermes Agent brings along and that mean nothing here.
 *
 * @returns the blocks without them, and their paths.
 */
export function takeSeedKeys(blocks: Blocks): { readonly blocks: Blocks; readonly taken: readonly string[] } {
  const taken: string[] = []
  const cleaned = Object.entries(blocks).map(([block, value]) => {
    if (!isObject(value)) return [block, value]
    const seeds = new Set(Object.keys(value).filter((key) => isSeedKey(block, key)))
    for (const key of seeds) taken.push(`${block}.${key}`)
    return [block, Object.fromEntries(Object.entries(value).filter(([key]) => !seeds.has(key)))]
  })
  return { blocks: Object.fromEntries(cleaned), taken }
}

function isSeedKey(block: string, key: string): boolean {
  const known = schemaKeys(configSchema, [block])
  if (block === 'auxiliary') return closestName(key, known) === undefined
  return block === 'compression' && COMPRESSION.includes(key) && !known.includes(key)
}
