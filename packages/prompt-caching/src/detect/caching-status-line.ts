import type { CacheTtl } from '@palimpsest/core'
import type { Caching } from './find-caching.ts'

/** Longest name that is shown, in characters. */
const MAX_SHOWN = 80

const LIFETIMES: Readonly<Record<CacheTtl | 'auto', string>> = {
  '5m': '5 minutes',
  '30m': '30 minutes',
  '1h': '1 hour',
  '12h': '12 hours',
  auto: 'as long as your pauses ask for',
}

/** By the setting that is ignored. */
const AUTOMATIC: Readonly<Record<'off' | '1h' | 'none', string>> = {
  off: 'prompt_caching.cache_ttl: off cannot switch that off',
  '1h': 'nothing to mark, prompt_caching.cache_ttl: 1h has no effect',
  none: 'nothing to mark',
}

/** One line for the start of a chat or service: whether prompts are cached, for what, and for how long. */
export function cachingStatusLine({
  kind,
  model,
  endpoint,
  ttl,
  isClamped,
  ignored,
  reason,
}: Caching): string {
  if (kind === 'none') return `Prompt caching: off (${reason})`
  const place = `${shown(model)} at ${shown(endpoint)}`
  if (kind === 'automatic') return `Prompt caching: automatic for ${place}; ${AUTOMATIC[ignored ?? 'none']}`
  const clamped = isClamped ? ' (longer is not known there)' : ''
  return `Prompt caching: on for ${place}, ${LIFETIMES[ttl ?? '5m']}${clamped}`
}

/** Names come from configurations: they are shown on one line, without terminal control characters. */
function shown(name: string): string {
  const line = name.slice(0, MAX_SHOWN + 1).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
  return line.length <= MAX_SHOWN ? line : `${line.slice(0, MAX_SHOWN)}…`
}
