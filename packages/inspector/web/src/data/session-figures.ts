import type { SessionView } from '../../../src/view/session-view.ts'
import { promptTokens } from './prompt-tokens.ts'

/** A session in a few numbers. */
interface SessionFigures {
  /** Prompts of all requests, in tokens. */
  readonly sent: number
  /** The same requests with the whole history each, in tokens. */
  readonly without: number
  /** The largest prompt, in tokens. */
  readonly largest: number
  /** Compactions that changed something. */
  readonly compacted: number
  /** Of all tokens that a cache was asked for, from 0 to 1; null when nothing is known of it. */
  readonly cacheReadShare: number | null
  /** All prompts, in US dollars; null without prices. */
  readonly usd: number | null
}

/** Adds up what the requests of a session were. */
export function sessionFigures({ requests, compactions }: SessionView): SessionFigures {
  let [sent, without, largest, read, asked] = [0, 0, 0, 0, 0]
  let usd: number | null = null
  for (const request of requests) {
    const prompt = promptTokens(request)
    sent += prompt
    without += request.without
    largest = Math.max(largest, prompt)
    const { cache } = request
    if (!cache) continue
    read += cache.read
    asked += cache.read + cache.written + cache.uncached
    if (cache.usd !== null) usd = (usd ?? 0) + cache.usd
  }
  const compacted = compactions.filter(({ outcome }) => outcome === 'compacted').length
  return { sent, without, largest, compacted, cacheReadShare: asked === 0 ? null : read / asked, usd }
}
