import type { SessionView, TokenKind, ViewRequest } from '../../../src/view/session-view.ts'

/** The parts of a prompt in the order in which they stand in it. */
export const KINDS: readonly TokenKind[] = ['tools', 'system', 'decisions', 'summaries', 'head', 'tail']

/** The whole prompt of a request, in tokens. */
export const promptTokens = ({ tokens }: Pick<ViewRequest, 'tokens'>): number =>
  KINDS.reduce((sum, kind) => sum + tokens[kind], 0)

interface SessionFigures {
  readonly sent: number
  readonly without: number
  readonly largest: number
  readonly compacted: number
  /** Of all tokens that a cache was asked for, from 0 to 1; null when nothing is known of it. */
  readonly cacheReadShare: number | null
  /** All prompts, in US dollars; null without prices. */
  readonly usd: number | null
}

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

/** The bill until each request, in US dollars; null from where nothing was priced yet. */
export function cumulativeUsd(requests: readonly Pick<ViewRequest, 'cache'>[]): readonly (number | null)[] {
  let sum: number | null = null
  return requests.map(({ cache }) => {
    const usd = cache?.usd ?? null
    if (usd !== null) sum = (sum ?? 0) + usd
    return sum
  })
}
