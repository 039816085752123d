import type { SessionView, TokenKind, ViewRequest } from '../../../src/view/session-view.ts'

export const KINDS: readonly TokenKind[] = ['tools', 'system', 'decisions', 'summaries', 'head', 'tail']

export const promptTokens = ({ tokens }: Pick<ViewRequest, 'tokens'>): number =>
  KINDS.reduce((sum, kind) => sum + tokens[kind], 0)

export function sessionFigures({ requests, compactions }: SessionView) {
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

export function cumulativeUsd(requests: readonly Pick<ViewRequest, 'cache'>[]): readonly (number | null)[] {
  let sum: number | null = null
  return requests.map(({ cache }) => {
    const usd = cache?.usd ?? null
    if (usd !== null) sum = (sum ?? 0) + usd
    return sum
  })
}

/** A provider's tokens for one of ours, over all requests that it counted; 1 where it counted none. */
export function providerFactor(requests: readonly ViewRequest[]): number {
  let [reported, counted] = [0, 0]
  for (const request of requests) {
    if (request.reported === undefined || request.reported <= 0) continue
    reported += request.reported
    counted += promptTokens(request)
  }
  return counted === 0 ? 1 : reported / counted
}
