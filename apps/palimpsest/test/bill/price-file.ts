/** A file of prices with one provider, in the shape of those of the package. */
export function priceFile(provider: string, models: readonly PricedModel[], source = 'our contract') {
  return {
    provider,
    asOf: '2026-11-01',
    source,
    unit: 'US dollars for a million tokens',
    route: provider,
    families: {
      own: {
        ...{ matching: 'per-block', minimumTokens: 0, maxBreakpoints: 4, lookback: 20 },
        short: { ttl: '5m', seconds: 300, write: 1.25 },
      },
    },
    models: models.map((model) => ({ family: 'own', ...model })),
  }
}

interface PricedModel {
  readonly id: string
  readonly input: number
  readonly output: number
  readonly cached: number
}
