import type { ViewRequest } from '../../../src/view/session-view.ts'

/** The bill until each request, in US dollars; null from where nothing was priced yet. */
export function cumulativeUsd(requests: readonly Pick<ViewRequest, 'cache'>[]): readonly (number | null)[] {
  let sum: number | null = null
  return requests.map(({ cache }) => {
    const usd = cache?.usd ?? null
    if (usd !== null) sum = (sum ?? 0) + usd
    return sum
  })
}
